#include "present/prompt/line_editor.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock::prompt {

namespace {

constexpr char kEscape = '\x1b';
constexpr char kDelete = '\x7f';
constexpr std::string_view kPasteStart = "\x1b[200~";
constexpr std::string_view kPasteEnd = "\x1b[201~";
constexpr std::size_t kMostSequence = 32;  // bytes; a longer one is no key
constexpr std::string_view kTabStop = "    ";

constexpr char control(char letter) {
  return static_cast<char>(letter & 0x1f);
}

bool is_text(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x20 && byte != kDelete;
}

bool is_word(char byte) {
  return !is_ascii(byte) || is_name_byte(byte);
}

}  // namespace

std::size_t character_behind(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  at += glyph_at(text, at).bytes;
  while (at < text.size()) {
    const Glyph next = glyph_at(text, at);
    if (next.columns > 0) break;
    at += next.bytes;
  }
  return at;
}

std::size_t character_before(std::string_view text, std::size_t at) {
  constexpr std::size_t kMostUtf8 = 4;
  while (at > 0) {
    std::size_t start = at - 1;
    for (std::size_t bytes = 2; bytes <= std::min(kMostUtf8, at); ++bytes) {
      if (decode_utf8(text, at - bytes).bytes == bytes) start = at - bytes;
    }
    at = start;
    if (glyph_at(text, at).columns > 0) break;
  }
  return at;
}

void LineEditor::insert(std::string_view bytes) {
  if (bytes.size() > kMostBytes - std::min(kMostBytes, text_.size())) return;
  text_.insert(cursor_, bytes);
  cursor_ += bytes.size();
}

void LineEditor::erase(std::size_t from, std::size_t to) {
  text_.erase(from, to - from);
  cursor_ = from;
}

void LineEditor::kill(std::size_t from, std::size_t to) {
  if (from == to) return;
  killed_ = text_.substr(from, to - from);
  erase(from, to);
}

std::size_t LineEditor::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1])) --at;
  while (at > 0 && is_word(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_right() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at])) ++at;
  while (at < text_.size() && is_word(text_[at])) ++at;
  return at;
}

void LineEditor::move_in_history(int by) {
  if (by < 0 ? place_ == 0 : place_ == history_.size()) return;
  if (place_ == history_.size()) draft_ = text_;
  place_ = by < 0 ? place_ - 1 : place_ + 1;
  text_ = place_ == history_.size() ? draft_ : history_[place_];
  cursor_ = text_.size();
}

std::string LineEditor::take() {
  std::string line = std::move(text_);
  clear();
  const bool is_blank = line.find_first_not_of(" \t") == std::string::npos;
  if (!is_blank && (history_.empty() || history_.back() != line)) {
    if (history_.size() == kMostHistory) history_.erase(history_.begin());
    history_.push_back(line);
  }
  place_ = history_.size();
  return line;
}

void LineEditor::clear() {
  text_.clear();
  draft_.clear();
  cursor_ = 0;
  place_ = history_.size();
}

LineEditor::Step LineEditor::feed(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (sequence_.empty() && is_text(bytes[at])) {  // as much as there is, at once
      std::size_t end = at;
      while (end < bytes.size() && is_text(bytes[end])) ++end;
      insert(bytes.substr(at, end - at));
      was_return_ = false;
      at = end;
      continue;
    }
    const LineEvent event = is_pasting_ ? take_pasted(bytes[at]) : take_byte(bytes[at]);
    ++at;
    if (event != LineEvent::kNone) return {event, at};
  }
  return {LineEvent::kNone, at};
}

// Nothing but its end is obeyed. An escape that begins something else is text.
LineEvent LineEditor::take_pasted(char byte) {
  if (!sequence_.empty() || byte == kEscape) {
    sequence_ += byte;
    if (sequence_ == kPasteEnd) {
      sequence_.clear();
      is_pasting_ = was_return_ = false;
    } else if (!kPasteEnd.starts_with(sequence_)) {
      insert(sequence_);
      sequence_.clear();
    }
    return LineEvent::kNone;
  }
  const bool is_second = byte == '\n' && was_return_;
  was_return_ = byte == '\r';
  if (is_second) return LineEvent::kNone;
  if (byte == '\r' || byte == '\n') return LineEvent::kPasted;
  insert(std::string_view(&byte, 1));
  return LineEvent::kNone;
}

LineEvent LineEditor::take_byte(char byte) {
  if (sequence_.empty() && byte != kEscape) return take_control(byte);
  take_escape(byte);
  return LineEvent::kNone;
}

LineEvent LineEditor::take_control(char byte) {
  switch (byte) {
    case '\r':
    case '\n':
      return LineEvent::kEntered;
    case control('C'):
      return LineEvent::kInterrupted;
    case control('Z'):
      return LineEvent::kSuspended;
    case control('L'):
      return LineEvent::kCleared;
    case control('D'):
      if (text_.empty()) return LineEvent::kEnded;
      erase(cursor_, character_behind(text_, cursor_));
      break;
    case control('H'):
    case kDelete:
      erase(character_before(text_, cursor_), cursor_);
      break;
    case '\t':
      insert(kTabStop);
      break;
    case control('A'):
      cursor_ = 0;
      break;
    case control('E'):
      cursor_ = text_.size();
      break;
    case control('B'):
      cursor_ = character_before(text_, cursor_);
      break;
    case control('F'):
      cursor_ = character_behind(text_, cursor_);
      break;
    case control('K'):
      kill(cursor_, text_.size());
      break;
    case control('U'):
      kill(0, cursor_);
      break;
    case control('W'): {
      std::size_t from = cursor_;
      while (from > 0 && text_[from - 1] == ' ') --from;
      while (from > 0 && text_[from - 1] != ' ') --from;
      kill(from, cursor_);
      break;
    }
    case control('Y'):
      insert(killed_);
      break;
    case control('P'):
      move_in_history(-1);
      break;
    case control('N'):
      move_in_history(1);
      break;
    default:  // no key of ours
      break;
  }
  return LineEvent::kNone;
}

// ESC [ parameters final, ESC O final, or ESC and a key that was pressed with Alt.
void LineEditor::take_escape(char byte) {
  if (byte == kEscape) {  // a new one: what was begun is no key
    sequence_ = byte;
    return;
  }
  sequence_ += byte;
  const std::size_t size = sequence_.size();
  if (size == 2 && (byte == '[' || byte == 'O')) return;
  const bool is_final = size == 2 || sequence_[1] == 'O' || (byte >= '@' && byte <= '~');
  if (!is_final && size < kMostSequence) return;
  if (is_final) obey_sequence();
  sequence_.clear();
}

void LineEditor::obey_sequence() {
  if (sequence_ == kPasteStart) {
    is_pasting_ = true;
    return;
  }
  const char final = sequence_.back();
  if (sequence_.size() == 2) {  // with Alt
    if (final == 'b') cursor_ = word_left();
    if (final == 'f') cursor_ = word_right();
    if (final == 'd') kill(cursor_, word_right());
    if (final == kDelete) kill(word_left(), cursor_);
    return;
  }
  if (final == '~') return obey_number(std::string_view(sequence_).substr(2, sequence_.size() - 3));
  // With Ctrl or Alt, as "1;5C", arrows go by words.
  const bool by_words = sequence_.contains(";5") || sequence_.contains(";3");
  if (by_words && final == 'D') {
    cursor_ = word_left();
  } else if (by_words && final == 'C') {
    cursor_ = word_right();
  } else {
    obey_letter(final);
  }
}

void LineEditor::obey_letter(char key) {
  switch (key) {
    case 'A':
      return move_in_history(-1);
    case 'B':
      return move_in_history(1);
    case 'C':
      cursor_ = character_behind(text_, cursor_);
      return;
    case 'D':
      cursor_ = character_before(text_, cursor_);
      return;
    case 'H':
      cursor_ = 0;
      return;
    case 'F':
      cursor_ = text_.size();
      return;
    default:
      return;
  }
}

void LineEditor::obey_number(std::string_view number) {
  if (number == "1" || number == "7") cursor_ = 0;
  if (number == "4" || number == "8") cursor_ = text_.size();
  if (number == "3") erase(cursor_, character_behind(text_, cursor_));
}

}  // namespace airlock::prompt
