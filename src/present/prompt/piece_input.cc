#include "present/prompt/piece_input.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"

namespace airlock::prompt {

namespace {

// Asking about a text costs time that grows with it. Past this size it is asked about when nothing
// more is waiting, not after each line.
constexpr std::size_t kAlwaysAsked = 64UL * 1024;

constexpr std::array<std::string_view, 13> kBlockWords = {
    "if",  "elif",  "else",   "for",     "while", "with", "try",
    "def", "class", "except", "finally", "async", "match"};

// Whether a statement that begins so has a block: it may have more lines, even when it is whole.
bool begins_block(std::string_view line) {
  if (line.starts_with('@')) return true;
  const auto end = std::ranges::find_if_not(line, [](char byte) { return is_name_byte(byte); });
  const std::string_view word(line.begin(), end);
  if (std::ranges::find(kBlockWords, word) == kBlockWords.end()) return false;
  // A name that is a keyword at times.
  const std::size_t last = line.find_last_not_of(" \t");
  return word != "match" || line[last] == ':';
}

bool begins_statement(std::string_view line) {
  return !line.empty() && line[0] != ' ' && line[0] != '\t' && line[0] != '#';
}

}  // namespace

// Of a paste, which may hold many statements, the last one counts; else there is only one.
bool PieceInput::is_block() const {
  std::string_view found;
  for (std::string_view rest = text_; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (!begins_statement(line)) continue;
    found = line;
    if (!is_pasted_) break;
  }
  return begins_block(found);
}

Result<bool> PieceInput::add(std::string_view line, LineKind kind, const Ask& ask) {
  const bool is_blank = line.find_first_not_of(" \t") == std::string_view::npos;
  if (text_.empty() && is_blank) return false;
  text_ += line;
  text_ += '\n';
  is_pasted_ = is_pasted_ || kind == LineKind::kPasted;
  if (kind == LineKind::kPasted) return false;
  if (kind == LineKind::kFollowed && text_.size() > kAlwaysAsked) return false;
  switch (TRY(ask(text_))) {
    case Completeness::kWhole:
      return line.empty() || !is_block();
    case Completeness::kBlock:
      return line.empty();  // Python would say what is missing
    case Completeness::kOpen:
      return false;
    case Completeness::kWrong:
      return true;
  }
  return true;
}

std::string PieceInput::take() {
  is_pasted_ = false;
  return std::exchange(text_, {});
}

std::vector<FilePiece> split_pieces(std::string_view text) {
  std::vector<FilePiece> pieces;
  std::size_t start = 0;
  std::size_t start_line = 1;
  const auto add = [&](std::size_t end) {
    const std::string_view code = text.substr(start, end - start);
    if (code.find_first_not_of(" \t\r\n") != std::string_view::npos)
      pieces.push_back({code, start_line});
  };
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("# %%") || rest.starts_with("#%%")) {
      add(at);
      start = at;
      start_line = line;
    }
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  add(text.size());
  return pieces;
}

}  // namespace airlock::prompt
