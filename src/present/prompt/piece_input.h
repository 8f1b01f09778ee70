// Lines become pieces, as at Python's own prompt: a statement ends with its line, a block with an
// empty line, and what is open goes on. Whether text is whole is not decided here but asked
// (engine/session/completeness.h). A paste is one piece, which Enter ends: its lines are not judged
// one by one. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/session/completeness.h"

namespace airlock::prompt {

enum class LineKind : std::uint8_t {
  kTyped,
  kPasted,    // Enter has yet to come
  kFollowed,  // typed, or pasted by a terminal that does not say so: more is waiting already
};

class PieceInput {
 public:
  using Ask = std::function<Result<Completeness>(std::string_view code)>;

  // True: the piece is whole, take() it. An Error of the one who is asked.
  Result<bool> add(std::string_view line, LineKind kind, const Ask& ask);

  bool is_empty() const { return text_.empty(); }
  std::string take();
  void clear() { take(); }

 private:
  bool is_block() const;

  std::string text_;  // every line with its end
  bool is_pasted_ = false;
};

// A part of a file between two lines that begin with `# %%`, as editors know them; without such a
// line the whole file. Blank ones are left out.
struct FilePiece {
  std::string_view code;
  std::size_t line = 1;  // of the file, where it begins
};
std::vector<FilePiece> split_pieces(std::string_view text);

}  // namespace airlock::prompt
