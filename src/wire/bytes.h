// Writing and reading the fields of a message. Numbers are little-endian, of 4 bytes or (wide) 8; a
// text is its length (4 bytes) and its bytes.
//
// The reader treats its bytes as hostile. Invariants: no field is read past the end; every length
// and count is checked against the bytes that are left before anything is copied or reserved; after
// the first mismatch every further read returns a zero or empty value and ok() stays false. So a
// decoder may read all its fields and ask once, at the end, with is_finished().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace airlock::wire {

class MessageWriter {
 public:
  void put_byte(std::uint8_t value) { out_ += static_cast<char>(value); }
  void put_number(std::uint32_t value);
  void put_wide(std::uint64_t value);
  void put_text(std::string_view text);
  std::size_t size() const { return out_.size(); }
  // Leaves the writer empty.
  std::string take() { return std::exchange(out_, {}); }

 private:
  std::string out_;
};

class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t byte();
  std::uint32_t number();
  std::uint64_t wide();
  std::string_view text();
  // Text that will be shown or put into JSON: what is not UTF-8 is a failure.
  std::string clean_text();
  // A count of items that each take at least `min_bytes`: more than could be there is a failure, so
  // that nobody reserves memory for a lie.
  std::uint32_t count(std::size_t min_bytes);

  void fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool is_finished() const { return ok_ && rest_.empty(); }

 private:
  std::string_view take(std::size_t bytes);

  std::string_view rest_;
  bool ok_ = true;
};

// A message begins with one byte that says what it is: a letter, or a MessageType.
template <typename Type>
MessageWriter begin_message(Type type) {
  MessageWriter out;
  out.put_byte(static_cast<std::uint8_t>(type));
  return out;
}

// A reader behind that byte, one that has failed when the message is another one.
template <typename Type>
MessageReader open_message(std::string_view message, Type type) {
  MessageReader in(message);
  if (in.byte() != static_cast<std::uint8_t>(type)) in.fail();
  return in;
}

}  // namespace airlock::wire
