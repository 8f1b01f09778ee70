#include "wire/bytes.h"

#include "base/utf8.h"

namespace airlock::wire {

void MessageWriter::put_number(std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out_ += static_cast<char>(value >> shift & 0xFF);
}

void MessageWriter::put_wide(std::uint64_t value) {
  put_number(static_cast<std::uint32_t>(value));
  put_number(static_cast<std::uint32_t>(value >> 32));
}

void MessageWriter::put_text(std::string_view text) {
  put_number(static_cast<std::uint32_t>(text.size()));
  out_ += text;
}

std::string_view MessageReader::take(std::size_t bytes) {
  if (!ok_ || bytes > rest_.size()) {
    ok_ = false;
    return {};
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

std::uint8_t MessageReader::byte() {
  const std::string_view taken = take(1);
  return taken.empty() ? 0 : static_cast<std::uint8_t>(taken[0]);
}

std::uint32_t MessageReader::number() {
  const std::string_view taken = take(4);
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    value |= std::uint32_t{static_cast<unsigned char>(taken[i])} << (8 * i);
  }
  return value;
}

std::uint64_t MessageReader::wide() {
  const std::uint64_t low = number();
  return low | std::uint64_t{number()} << 32;
}

std::string_view MessageReader::text() {
  const std::uint32_t size = number();
  return take(size);
}

std::uint32_t MessageReader::count(std::size_t min_bytes) {
  const std::uint32_t value = number();
  if (ok_ && value > rest_.size() / min_bytes) ok_ = false;
  return ok_ ? value : 0;
}

std::string MessageReader::clean_text() {
  const std::string_view bytes = text();
  if (find_invalid_utf8(bytes)) fail();
  return std::string(bytes);
}

}  // namespace airlock::wire
