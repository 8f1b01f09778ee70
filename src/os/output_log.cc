#include "os/output_log.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/utf8.h"

namespace airlock::os {

namespace {

std::uint32_t acquire(const std::uint32_t& number) {
  return std::atomic_ref<std::uint32_t>(const_cast<std::uint32_t&>(number))
      .load(std::memory_order_acquire);
}

void publish(std::uint32_t& number, std::uint32_t value) {
  std::atomic_ref<std::uint32_t>(number).store(value, std::memory_order_release);
}

std::uint32_t length_at(std::string_view records) {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < 4; ++i)
    length |= std::uint32_t{static_cast<unsigned char>(records[1 + i])} << (8 * i);
  return length;
}

}  // namespace

// Only ever a whole record becomes visible: `used` is stored last.
void OutputWriter::append(std::uint8_t stream, std::string_view text) {
  const std::uint32_t used = page_.used;
  char* at = page_.bytes.data() + used;
  at[0] = static_cast<char>(stream);
  for (std::size_t i = 0; i < 4; ++i) at[1 + i] = static_cast<char>(text.size() >> (8 * i) & 0xFF);
  std::memcpy(at + kRecordHeader, text.data(), text.size());
  publish(page_.used, static_cast<std::uint32_t>(used + kRecordHeader + text.size()));
}

void OutputWriter::write(std::uint8_t stream, std::string_view text) {
  while (!text.empty()) {
    // A page that somebody has scribbled on is full.
    const std::size_t used = std::min<std::size_t>(page_.used, OutputLogPage::kBytes);
    const std::size_t room = OutputLogPage::kBytes - used;
    if (room <= kRecordHeader) {
      send_(take());
      continue;
    }
    // No character is cut in two: each record can be shown by itself.
    const std::string_view part = cut_utf8(text, room - kRecordHeader);
    if (part.empty()) {
      send_(take());
      continue;
    }
    append(stream, part);
    text.remove_prefix(part.size());
  }
}

std::string OutputWriter::take() {
  std::string records(page_.bytes.data(), std::min<std::size_t>(page_.used, OutputLogPage::kBytes));
  // The order matters to a reader that looks now: an old generation with nothing in it, never a new
  // one with old bytes.
  publish(page_.used, 0);
  publish(page_.generation, page_.generation + 1);
  return records;
}

// What was printed to one stream without a word to the other in between is one text: print() alone
// writes twice, what it prints and the end of the line.
bool OutputReader::deliver(std::string_view records, const Take& take) {
  std::string text;
  std::uint8_t stream = 0;
  bool is_whole = true;
  while (records.size() >= kRecordHeader) {
    const std::uint32_t length = length_at(records);
    const auto next = static_cast<std::uint8_t>(records[0]);
    is_whole = next <= 1 && length <= records.size() - kRecordHeader;
    if (!is_whole) break;
    if (next != stream && !text.empty()) {
      take(stream, text);
      text.clear();
    }
    stream = next;
    text += records.substr(kRecordHeader, length);
    records.remove_prefix(kRecordHeader + length);
    seen_ += kRecordHeader + length;
  }
  if (!text.empty()) take(stream, text);
  return is_whole && records.empty();
}

void OutputReader::look(const OutputLogPage& page, const Take& take) {
  if (acquire(page.generation) != generation_) return;  // its message is on the way
  const std::size_t used = acquire(page.used);
  if (used <= seen_ || used > OutputLogPage::kBytes) return;
  const std::string copy(page.bytes.data() + seen_, used - seen_);
  // Emptied and filled again meanwhile: these may be bytes of the next one.
  if (acquire(page.generation) != generation_ || acquire(page.used) < used) return;
  static_cast<void>(deliver(copy, take));
}

bool OutputReader::receive(std::string_view records, const Take& take) {
  const bool is_whole = records.size() >= seen_ && deliver(records.substr(seen_), take);
  ++generation_;
  seen_ = 0;
  return is_whole;
}

}  // namespace airlock::os
