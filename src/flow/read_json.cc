// A document is read once, as it stands. Only when that fails is it read a second time, for the
// sake of two things that Python writes and JSON's readers refuse: NaN and infinity, and integers
// of more than 300 digits. There they become texts that begin with another letter than all texts of
// the document itself, which are given one too: nothing that a document holds can be taken for
// them.
#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/ascii.h"
#include "flow/read_document.h"
#include "flow/value_text.h"

namespace airlock::flow {

namespace {

// How the texts of a document begin, in the second reading.
constexpr char kOwnText = '=';
constexpr char kNumber = '#';

struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};

TextPosition place_of(std::string_view text, std::size_t at) {
  TextPosition place;
  for (const char c : text.substr(0, at)) {
    place.column = c == '\n' ? 1 : place.column + 1;
    place.line += c == '\n' ? 1 : 0;
  }
  return place;
}

std::string words_of(std::string_view text, std::size_t at) {
  const TextPosition place = place_of(text, std::min(at, text.size()));
  return "at line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

// Where the text that begins with a quote at `at` ends: the place after its other quote.
std::size_t end_of_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// Before the reader: it recurses as deep as the text is nested.
bool is_too_deep(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_text(text, at);
      continue;
    }
    if (text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ']' || text[at] == '}') && depth > 0) --depth;
    if (depth > kMaxDepth) return true;
    ++at;
  }
  return false;
}

bool is_integer(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  return !number.empty() && std::ranges::all_of(number, is_digit);
}

// A number from here on, with its sign, fraction and exponent.
std::string_view number_at(std::string_view text, std::size_t at) {
  if (!is_digit(text[at]) && text[at] != '-') return {};
  const std::size_t end = text.find_first_not_of("0123456789.eE+-", at);
  return text.substr(at, std::min(end, text.size()) - at);
}

// What is written as a text instead: as Python writes it, outside of texts.
std::string_view odd_number_at(std::string_view text, std::size_t at) {
  for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
    if (text.substr(at).starts_with(word)) return word;
  }
  constexpr std::size_t kReadAnyway = 300;  // digits
  const std::string_view number = number_at(text, at);
  return number.size() > kReadAnyway && is_integer(number) ? number : std::string_view();
}

// The document with a letter in front of each of its texts, and odd numbers as texts of their own.
std::string with_marks(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const std::size_t end = std::min(text.size(), end_of_text(text, at));
      out.append(1, '"').append(1, kOwnText).append(text.substr(at + 1, end - at - 1));
      at = end;
    } else if (const std::string_view odd = odd_number_at(text, at); !odd.empty()) {
      out.append(1, '"').append(1, kNumber).append(odd).append(1, '"');
      at += odd.size();
    } else {
      const std::size_t length = std::max<std::size_t>(1, number_at(text, at).size());
      out += text.substr(at, length);
      at += length;
    }
  }
  return out;
}

Json odd_number(const std::string& word) {
  if (is_integer(word)) return long_integer(word);
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return word.starts_with('-') ? -infinity : infinity;
}

enum class JsonTexts { kAsTheyAre, kMarked };

// Builds the value from the parser's events. A key that stands twice in one object is refused: a
// person would see one value, the program another.
class JsonBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit JsonBuilder(JsonTexts texts) : texts_(texts) {}

  Json take() { return std::move(whole_); }
  const std::string& problem() const { return problem_; }
  std::size_t problem_at() const { return problem_at_; }
  const std::string& doubled_key() const { return doubled_key_; }
  bool has_doubled_key() const { return has_doubled_key_; }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t& written) override {
    return put(is_integer(written) ? long_integer(written) : Json(value));
  }
  bool string(string_t& value) override {
    if (texts_ == JsonTexts::kAsTheyAre) return put(std::move(value));
    const bool is_number = value.starts_with(kNumber);
    value.erase(0, 1);
    return put(is_number ? odd_number(value) : Json(std::move(value)));
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (texts_ == JsonTexts::kMarked) value.erase(0, 1);
    if (!levels_.back().keys.insert(value).second) {
      has_doubled_key_ = true;
      doubled_key_ = value;
      return false;
    }
    levels_.back().key = std::move(value);
    return true;
  }
  bool parse_error(std::size_t at, const std::string&,
                   const nlohmann::detail::exception& mistake) override {
    // nlohmann's number of this error.
    constexpr int kNumberTooLarge = 406;
    const std::string words = mistake.what();
    const std::size_t dash = words.rfind(" - ");
    problem_ = mistake.id == kNumberTooLarge ? "a number is too large"
               : dash == std::string::npos   ? "it cannot be read"
                                             : words.substr(dash + 3);
    problem_at_ = at > 0 ? at - 1 : 0;
    return false;
  }

 private:
  struct JsonLevel {
    Json value;
    std::string key;  // of what comes next
    std::unordered_set<std::string> keys;
  };

  bool open(Json value) {
    levels_.push_back({std::move(value), {}, {}});
    return true;
  }
  bool close() {
    Json done = std::move(levels_.back().value);
    levels_.pop_back();
    return put(std::move(done));
  }
  // Appends without a lookup: ordered_json searches all keys on each insertion, which would be
  // quadratic.
  bool put(Json value) {
    if (levels_.empty()) {
      whole_ = std::move(value);
    } else if (JsonLevel& level = levels_.back(); level.value.is_array()) {
      level.value.push_back(std::move(value));
    } else {
      level.value.get_ref<Json::object_t&>().Container::emplace_back(std::move(level.key),
                                                                     std::move(value));
    }
    return true;
  }

  using Container = Json::object_t::Container;

  JsonTexts texts_;
  Json whole_;
  std::vector<JsonLevel> levels_;
  std::string problem_;
  std::size_t problem_at_ = 0;
  std::string doubled_key_;
  bool has_doubled_key_ = false;
};

}  // namespace

Result<Json> read_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.size() > kMaxDocument) return bad_request("it is larger than 256 MiB");
  if (const std::size_t at = text.find('\0'); at != std::string_view::npos)
    return bad_request("a NUL byte " + words_of(text, at) + ": nothing after it would be read");
  if (is_too_deep(text))
    return bad_request("it is nested deeper than " + std::to_string(kMaxDepth) + " levels");
  // The second reading only for documents that the first refused; a doubled key stays one.
  JsonBuilder plain(JsonTexts::kAsTheyAre);
  if (Json::sax_parse(text, &plain)) return plain.take();
  JsonBuilder marked(JsonTexts::kMarked);
  if (!plain.has_doubled_key() && Json::sax_parse(with_marks(text), &marked)) return marked.take();
  for (const JsonBuilder* one : {&plain, &marked}) {
    if (one->has_doubled_key())
      return bad_request("the key '" + one->doubled_key() + "' is there twice");
  }
  return bad_request("not JSON " + words_of(text, plain.problem_at()) + ": " + plain.problem());
}

}  // namespace airlock::flow
