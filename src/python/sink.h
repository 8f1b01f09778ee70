// What the guest prints: a file-like object that keeps the first bytes and counts the rest. It
// stands in sys.stdout and sys.stderr; nothing that is printed touches a descriptor.
// The Python object borrows the Sink, which is never freed: guest code may keep the object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "python/tree.h"

namespace airlock::python {

class Sink {
 public:
  // Puts a new one into sys.<name>; lives as long as the interpreter. Null when that fails (an
  // exception is set).
  static Sink* install(const char* name);

  // Forgets what was printed. `limit`: bytes that are kept.
  void begin(std::size_t limit);
  // From now on nothing is kept: what is printed goes to `stream`, which says whether that was
  // still within its bounds.
  using Stream = std::function<bool(std::string_view)>;
  void stream_to(Stream stream) { stream_ = std::move(stream); }
  // What is kept is written to `copy` too, for when this process does not live to tell.
  using Copy = std::function<void(std::string_view)>;
  void keep_copy(Copy copy) { copy_ = std::move(copy); }
  // False: far more was printed, since begin(), than anyone reads.
  bool add(const char* bytes, std::size_t size);
  bool was_cut() const { return was_cut_; }
  bool is_streamed() const { return static_cast<bool>(stream_); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  std::size_t limit_ = 0;
  std::uint64_t printed_ = 0;
  bool was_cut_ = false;
  Copy copy_;
  Stream stream_;
};

}  // namespace airlock::python
