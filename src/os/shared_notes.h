// What a cell writes down while it works, in memory that its supervisor sees too: which path it is
// at, which calls it was denied, what it printed. It is not lost when the cell is killed or dies,
// and need not pass through an answer. One side makes it and sends the descriptor along; the other
// maps it (os/shared_memory.h).
//
// One process writes, one reads, without a lock: the writer fills a slot first and then publishes
// its count with release order; the reader loads the count with acquire order and so sees what was
// filled before. Python code has no way to write here, but native code that took over a cell has:
// the reader takes everything as a hint and checks every number.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "os/output_log.h"
#include "os/shared_memory.h"

namespace airlock::os {

// The signal with which a supervisor asks a cell which line it is at; with a number (SI_QUEUE), a
// thread whose call is being refused: it answers under that number. One of those that are queued:
// around a fork signals are masked, and several questions wait.
inline constexpr int kLineRequestSignal = 40;

class SharedNotes {
 public:
  static constexpr std::size_t kText = 64 * 1024;  // of each stream, the beginning
  static constexpr std::size_t kNotes = 64;        // of denials, the latest
  enum class Stream : std::uint8_t { kOutput, kError };

  static Result<SharedNotes> make();
  // From the other side's descriptor, which is not needed any more afterwards.
  static Result<SharedNotes> map(Fd descriptor);

  // How many paths were begun since the load. It never goes back.
  void begin_path();
  std::uint64_t paths_begun() const;

  // A call that was denied, the line that asked, and the path that was being worked on (0: none
  // yet). Fit for a signal handler, as is set_line().
  struct Note {
    std::uint32_t call = 0;
    std::uint32_t line = 0;
    std::uint64_t path = 0;
  };
  void add_note(std::uint32_t call, std::uint32_t line);
  std::uint64_t noted() const;  // how many ever
  // The nth (from 0); nothing in it when it was never there, or is no longer held.
  Note note(std::uint64_t index) const;

  // What a thread says of its call when it is asked under a number; several may answer at once, and
  // in any order. As fit for a signal handler.
  struct Asked {
    std::uint32_t number = 0;  // and one: zero is nothing
    std::uint32_t line = 0;
    std::uint32_t is_importing = 0;
  };
  void answer(std::uint32_t number, std::uint32_t line, bool is_importing);
  // Nothing: it has not answered, or others have since.
  std::optional<Asked> answer_to(std::uint32_t number) const;

  // The line that was at work when the supervisor asked.
  void set_line(std::uint32_t line);
  bool has_line() const;
  std::uint32_t line() const;

  // Any bytes.
  void clear_text(Stream stream);
  void add_text(Stream stream, std::string_view text);
  std::string text(Stream stream) const;

  // What a session prints (output_log.h).
  OutputLogPage& output_log() const;

  int descriptor() const { return memory_.descriptor(); }

 private:
  struct Page;
  explicit SharedNotes(SharedMemory memory) : memory_(std::move(memory)) {}
  Page& page() const { return *static_cast<Page*>(memory_.bytes()); }

  SharedMemory memory_;
};

}  // namespace airlock::os
