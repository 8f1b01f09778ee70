// What a cell prints, on its way out through memory that both sides see: printing costs the cell no
// system call, and nothing is lost when it is killed.
//
// The writer appends records until the log is full; then it sends all of it in a message and starts
// the next generation, with an empty log. Meanwhile the reader looks now and then, and takes what
// is new. It never waits for the writer and the writer never waits for it: what the reader saw of a
// generation it leaves out of the message that brings that generation.
//
// Either side may be wrong about the other: code with native access can write anything here. The
// reader checks every number and takes nothing but bytes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace airlock::os {

// In shared memory; zeros are an empty log.
struct OutputLogPage {
  // Small enough for all shared notes together to be made under a tight `ulimit -f`.
  static constexpr std::size_t kBytes = 24 * 1024;
  std::uint32_t generation;
  std::uint32_t used;
  std::array<char, kBytes> bytes;
};

// A record: the stream (0 or 1), the length of the text in 4 bytes (little-endian), the text.
inline constexpr std::size_t kRecordHeader = 5;

// The cell's side.
class OutputWriter {
 public:
  // `send` gets a whole log that is full, or that is to be seen now.
  using Send = std::function<void(std::string_view records)>;
  OutputWriter(OutputLogPage& page, Send send) : page_(page), send_(std::move(send)) {}

  void write(std::uint8_t stream, std::string_view text);
  bool is_empty() const { return page_.used == 0; }
  // Everything that was written and not sent, as records, for the reader's receive(); the log is
  // empty afterwards.
  std::string take();

 private:
  void append(std::uint8_t stream, std::string_view text);

  OutputLogPage& page_;
  Send send_;
};

// The supervisor's side.
class OutputReader {
 public:
  // Called with each text that is new, in order. Bytes of any kind.
  using Take = std::function<void(std::uint8_t stream, std::string_view text)>;

  // What can be seen now of the log.
  void look(const OutputLogPage& page, const Take& take);
  // A message that brought the log of a generation. False: these are no records.
  bool receive(std::string_view records, const Take& take);

 private:
  bool deliver(std::string_view records, const Take& take);

  std::uint32_t generation_ = 0;
  std::size_t seen_ = 0;  // bytes of the records of this generation
};

}  // namespace airlock::os
