// Keys of shells and text fields on one line of text. Positions are bytes; every change ends with
// snap(), which restores the invariant that the cursor stands between clusters.
#include "present/tui/draw/line_editor.h"

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"
#include "present/tui/draw/shown_text.h"

namespace airlock::tui {

namespace {

std::size_t next_cluster(std::string_view text, std::size_t at) {
  return at + cluster_at(text, at, Charset::kUtf8).bytes;
}

}  // namespace

LineEditor::LineEditor(std::string_view text, std::size_t most) : most_(most) {
  const std::string clean = replace_invalid_utf8(std::string(text));
  for (std::size_t at = 0; at < clean.size();) {
    const CodePoint point = decode_utf8(clean, at);
    insert(point.value);
    at += std::max<std::size_t>(point.bytes, 1);
  }
}

std::size_t LineEditor::length() const {
  return count_code_points(text_);
}

// What cannot be seen is not taken: nobody could take it out again.
void LineEditor::insert(char32_t character) {
  const char32_t taken = character == U'\n' || character == U'\t' ? U' ' : character;
  if (!shows_itself(taken) || length() >= most_) return;
  std::string bytes;
  append_utf8(bytes, taken);
  text_.insert(cursor_, bytes);
  cursor_ += bytes.size();
  snap();
}

// A mark may have joined the letter before it, and what follows may have joined the mark.
void LineEditor::snap() {
  std::size_t boundary = 0;
  while (boundary < cursor_) boundary = next_cluster(text_, boundary);
  cursor_ = boundary;
}

void LineEditor::erase(std::size_t begin, std::size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

// Words are what stands between spaces. A space is one byte, so no character is cut in two.
std::size_t LineEditor::word_before() const {
  std::size_t at = cursor_;
  while (at > 0 && text_[at - 1] == ' ') --at;
  while (at > 0 && text_[at - 1] != ' ') --at;
  return at;
}

std::size_t LineEditor::word_after() const {
  std::size_t at = cursor_;
  while (at < text_.size() && text_[at] == ' ') ++at;
  while (at < text_.size() && text_[at] != ' ') ++at;
  return at;
}

bool LineEditor::press(const Keystroke& key) {
  const bool is_known = edit(key);
  snap();
  return is_known;
}

bool LineEditor::edit(const Keystroke& key) {
  switch (key.stroke) {
    case Stroke::kCharacter:
      insert(key.character);
      return true;
    case Stroke::kBackspace:
      erase(cluster_before(text_, cursor_), cursor_);
      return true;
    case Stroke::kDelete: {
      const std::size_t at = cursor_;
      erase(at, next_cluster(text_, at));
      return true;
    }
    case Stroke::kLeft:
      cursor_ = cluster_before(text_, cursor_);
      return true;
    case Stroke::kRight:
      cursor_ = next_cluster(text_, cursor_);
      return true;
    case Stroke::kHome:
      cursor_ = 0;
      return true;
    case Stroke::kEnd:
      cursor_ = text_.size();
      return true;
    case Stroke::kWordLeft:
      cursor_ = word_before();
      return true;
    case Stroke::kWordRight:
      cursor_ = word_after();
      return true;
    case Stroke::kEraseWord:
      erase(word_before(), cursor_);
      return true;
    case Stroke::kEraseStart:
      erase(0, cursor_);
      return true;
    case Stroke::kEraseEnd:
      text_.erase(cursor_);
      return true;
    default:
      return false;
  }
}

}  // namespace airlock::tui
