#include "engine/retry/interpreter_messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "engine/retry/message_table.h"
#include "jail/cell_jail.h"

namespace airlock {

namespace {

// Stands for a filler that may not be told.
constexpr std::string_view kLeftOut = "…";
constexpr std::size_t kLeastText = 2;  // fewer characters stand everywhere

bool is_word(char c) {
  return is_name_byte(c);
}

// How a piece must stand in the known text: anywhere, or not as part of a longer word or number.
enum class TextBounds : std::uint8_t { kAnywhere, kWholeWord, kWholeNumber };

bool stands_in(std::string_view text, std::string_view piece, TextBounds bounds) {
  const auto is_more = [&](char c) {
    return bounds == TextBounds::kWholeNumber ? is_digit(c) : is_word(c);
  };
  for (std::size_t at = text.find(piece); at != std::string_view::npos;
       at = text.find(piece, at + 1)) {
    if (bounds == TextBounds::kAnywhere) return true;
    const std::size_t end = at + piece.size();
    const bool is_longer =
        (at > 0 && is_more(text[at - 1])) || (end < text.size() && is_more(text[end]));
    if (!is_longer) return true;
  }
  return false;
}

bool is_known_text(std::string_view text, const KnownText& known) {
  if (text.empty()) return true;
  const TextBounds bounds =
      count_code_points(text) < kLeastText ? TextBounds::kWholeWord : TextBounds::kAnywhere;
  return stands_in(known.path, text, bounds) || stands_in(known.code, text, bounds);
}

// One digit says nothing; a longer number must stand in the code or path as a whole.
bool is_known_number(std::string_view text, const KnownText& known) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.ends_with(".0")) text.remove_suffix(2);
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return false;
  return text.size() == 1 || stands_in(known.code, text, TextBounds::kWholeNumber) ||
         stands_in(known.path, text, TextBounds::kWholeNumber);
}

bool is_identifier(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::ranges::all_of(text, is_word);
}

bool is_known_identifier(std::string_view text, std::string_view code) {
  return is_identifier(text) && stands_in(code, text, TextBounds::kWholeWord);
}

// Whether the code has `class NAME`, by search alone: a mention in a comment or string counts as
// well, and gives nothing away, because the code is the model's own.
bool is_class_of(std::string_view name, std::string_view code) {
  constexpr std::string_view kClass = "class";
  if (!is_identifier(name)) return false;
  for (std::size_t at = code.find(kClass); at != std::string_view::npos;
       at = code.find(kClass, at + 1)) {
    const std::size_t behind = at + kClass.size();
    const std::size_t begin = code.find_first_not_of(" \t\f\\", behind);
    if ((at > 0 && is_word(code[at - 1])) || begin == behind || begin == std::string_view::npos)
      continue;
    const std::string_view rest = code.substr(begin);
    if (rest.starts_with(name) && (rest.size() == name.size() || !is_word(rest[name.size()])))
      return true;
  }
  return false;
}

bool is_one_of(std::span<const std::string_view> list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

// With its module in front, as messages write it: collections.deque.
bool is_known_class(std::string_view name, std::string_view code) {
  if (is_one_of(known_type_names(), name)) return true;
  return is_class_of(name.substr(name.rfind('.') + 1), code) && !name.contains(' ');
}

// "extract.<locals>.parse": each part of it.
bool is_known_name(std::string_view name, std::string_view code) {
  // Names that the interpreter gives, the same in every program, and the name of our own module.
  constexpr std::array<std::string_view, 10> kGiven = {
      "<locals>",   "<lambda>",  "<module>", "<listcomp>", "<setcomp>",
      "<dictcomp>", "<genexpr>", "__init__", "__new__",    "extractor"};
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (!is_one_of(kGiven, part) && !is_known_identifier(part, code)) return false;
    at = end + 1;
  }
  return true;
}

// "'a', 'b', and 'c'".
bool are_known_names(std::string_view text, std::string_view code) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      if (!std::string_view("', ").contains(text[at])) return false;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word != "and" && !is_known_identifier(word, code)) return false;
    at = end;
  }
  return true;
}

std::optional<char32_t> read_hexadecimal(std::string_view digits) {
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value, 16);
  if (read.ec != std::errc() || read.ptr != end || digits.empty()) return std::nullopt;
  return static_cast<char32_t>(value);
}

// What stands between the quotes of a repr(); nothing when that is no such text.
std::optional<std::string> unescaped(std::string_view inside) {
  std::string text;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    if (inside[at] != '\\') {
      text += inside[at];
      continue;
    }
    if (++at == inside.size()) return std::nullopt;
    std::size_t digits = 0;
    switch (inside[at]) {
      case 'n':
        text += '\n';
        continue;
      case 't':
        text += '\t';
        continue;
      case 'r':
        text += '\r';
        continue;
      case '\\':
      case '\'':
      case '"':
        text += inside[at];
        continue;
      // \xNN, \uNNNN, \UNNNNNNNN: so many hexadecimal digits follow.
      case 'x':
        digits = 2;
        break;
      case 'u':
        digits = 4;
        break;
      case 'U':
        digits = 8;
        break;
      default:
        return std::nullopt;
    }
    const auto value = read_hexadecimal(inside.substr(at + 1, digits));
    if (!value || at + digits >= inside.size()) return std::nullopt;
    // A byte of a path that is no UTF-8 is a lone surrogate inside.
    if (*value >= 0xdc80 && *value <= 0xdcff) {
      text += static_cast<char>(*value - 0xdc00);
    } else {
      append_utf8(text, *value);
    }
    at += digits;
  }
  return text;
}

// What a value looks like in a message: 'text', b'bytes', 12, None, or a text without quotes.
bool is_known_value(std::string_view shown, const KnownText& known) {
  if (shown == "None" || shown == "True" || shown == "False") return true;
  std::string_view literal = shown;
  if (literal.starts_with('b')) literal.remove_prefix(1);
  const bool is_quoted = literal.size() >= 2 && (literal.front() == '\'' || literal.front() == '"');
  if (is_quoted) {
    if (literal.back() != literal.front()) return false;
    const std::string_view inside = literal.substr(1, literal.size() - 2);
    const auto text = unescaped(inside);
    // As it is meant, or letter by letter as the code writes it, escapes included.
    return text && (is_known_text(*text, known) ||
                    (inside.size() >= kLeastText && known.code.contains(inside)));
  }
  // PurePosixPath('/data')
  const std::size_t open = shown.find('(');
  if (open != std::string_view::npos && shown.ends_with(')') &&
      is_known_class(shown.substr(0, open), known.code))
    return is_known_value(shown.substr(open + 1, shown.size() - open - 2), known);
  if (is_known_number(shown, known)) return true;
  // Numbers were judged above; anything else without quotes counts as text.
  const bool is_number = std::ranges::all_of(
      shown, [](char c) { return is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e'; });
  return !is_number && is_known_text(shown, known);
}

// "['fields'][3]": where in a result. The keys are the program's own.
bool is_known_place(std::string_view text, const KnownText& known) {
  while (!text.empty()) {
    const std::size_t end = text.find(']');
    if (!text.starts_with('[') || end == std::string_view::npos) return false;
    const std::string_view inside = text.substr(1, end - 1);
    const bool is_key = inside.starts_with('\'');
    if (!(is_key ? is_known_value(inside, known) : is_known_number(inside, known))) return false;
    text.remove_prefix(end + 1);
  }
  return true;
}

bool is_system_call(std::string_view name) {
  constexpr std::uint32_t kMostCalls = 512;  // this architecture's table ends before
  for (std::uint32_t call = 0; call < kMostCalls; ++call) {
    if (jail::call_name(call) == name) return true;
  }
  return false;
}

// "openat at line 4, socket": names of the kernel's own, and lines that there are.
bool are_known_calls(std::string_view text, std::string_view code) {
  constexpr std::string_view kAtLine = " at line ";
  const auto lines = static_cast<std::size_t>(std::ranges::count(code, '\n')) + 1;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(", ", at), text.size());
    std::string_view call = text.substr(at, end - at);
    const std::size_t place = std::min(call.find(kAtLine), call.size());
    if (place < call.size()) {
      const std::string_view digits = call.substr(place + kAtLine.size());
      std::size_t line = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), line);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || line > lines)
        return false;
    }
    if (!is_system_call(call.substr(0, place))) return false;
    at = end + 2;
  }
  return true;
}

// Whether this text may be told in a gap of this kind. The heart of the allowlist.
bool may_fill(Filler kind, std::string_view text, const KnownText& known) {
  switch (kind) {
    case Filler::kValue:
      return is_known_value(text, known);
    case Filler::kType:
      return is_known_class(text, known.code);
    case Filler::kName:
      return is_known_name(text, known.code);
    case Filler::kNames:
      return are_known_names(text, known.code);
    case Filler::kNumber:
      return is_known_number(text, known);
    case Filler::kPlace:
      return is_known_place(text, known);
    case Filler::kCalls:
      return are_known_calls(text, known.code);
    case Filler::kWord:
      return is_one_of(fixed_words(), text);
  }
  return false;
}

// The next "{name}" from `at` on, braces included. A brace without a name is literal text.
struct Gap {
  std::size_t begin;
  std::size_t end;
};

Gap next_gap(std::string_view sentence, std::size_t at) {
  for (std::size_t open = sentence.find('{', at); open != std::string_view::npos;
       open = sentence.find('{', open + 1)) {
    const std::size_t close = std::min(
        sentence.find_first_not_of("abcdefghijklmnopqrstuvwxyz", open + 1), sentence.size() - 1);
    if (sentence[close] == '}' && close > open + 1) return {open, close + 1};
  }
  return {sentence.size(), sentence.size()};
}

// Where the filler ends that stands at the beginning of `rest`; the sentence goes on with `next`.
// The last gap takes as much as it can, the others as little: a value may hold what follows it.
std::size_t filler_end(std::string_view rest, std::string_view next, bool is_last) {
  if (next.empty()) return rest.size();
  return is_last ? rest.rfind(next) : rest.find(next);
}

// The message with every filler that may be told; nothing when the message is not this sentence.
std::optional<std::string> filled(std::string_view sentence, std::string_view message,
                                  const KnownText& known) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size();) {
    const Gap gap = next_gap(sentence, at);
    const std::string_view literal = sentence.substr(at, gap.begin - at);
    if (!message.starts_with(literal)) return std::nullopt;
    out += literal;
    message.remove_prefix(literal.size());
    if (gap.begin == sentence.size()) break;
    const Filler kind = filler_named(sentence.substr(gap.begin + 1, gap.end - gap.begin - 2));
    at = gap.end;
    const std::size_t next = next_gap(sentence, at).begin;
    const std::size_t end =
        filler_end(message, sentence.substr(at, next - at), next == sentence.size());
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view text = message.substr(0, end);
    const bool is_allowed = may_fill(kind, text, known);
    // A fixed word tells sentences apart; with another word it is another sentence.
    if (!is_allowed && kind == Filler::kWord) return std::nullopt;
    out += is_allowed ? text : kLeftOut;
    message.remove_prefix(end);
  }
  if (!message.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<std::string_view> known_type(std::string_view type, std::string_view code) {
  if (is_one_of(known_exceptions(), type) || is_class_of(type, code)) return type;
  return std::nullopt;
}

std::optional<std::string> known_message(std::string_view type, std::string_view message,
                                         const KnownText& known) {
  // A KeyError says nothing but the key.
  if (type == "KeyError" && is_known_value(message, known)) return std::string(message);
  // The first that fits wins; the table has the more telling ones first.
  for (const std::string_view sentence : known_sentences()) {
    if (auto told = filled(sentence, message, known)) return told;
  }
  return std::nullopt;
}

std::optional<std::string_view> known_function(std::string_view function, std::string_view code) {
  if (is_known_name(function, code)) return function;
  return std::nullopt;
}

}  // namespace airlock
