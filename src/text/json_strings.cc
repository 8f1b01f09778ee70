// nlohmann's event parser keeps its own stack of containers, so no depth of the input is a
// depth of ours, and it reports errors by a call, not by throwing. The parser does not say where a
// string stands: the iterator it reads through counts, and the opening quote is the first one
// behind the event before.
#include "text/json_strings.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

namespace airlock::text {

namespace {

using nlohmann::json;

// Of objects and lists inside each other; more than any wrapper around code has.
constexpr std::size_t kDeepest = 64;

// The least of an input iterator that nlohmann asks for; `count` outlives all copies of it.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at = nullptr;
  std::size_t* count = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    ++*count;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) {
    return a.at == b.at;
  }
};

// The names of the public functions are those that nlohmann's SAX interface prescribes; false stops
// the parser.
class Collector {
 public:
  using number_integer_t = json::number_integer_t;
  using number_unsigned_t = json::number_unsigned_t;
  using number_float_t = json::number_float_t;
  using string_t = json::string_t;
  using binary_t = json::binary_t;

  Collector(std::string_view text, const std::size_t& offset) : text_(text), offset_(offset) {}

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(number_integer_t) { return true; }
  bool number_unsigned(number_unsigned_t) { return true; }
  bool number_float(number_float_t, const string_t&) { return true; }
  bool binary(binary_t&) { return true; }

  bool string(string_t& value) {
    // Between the event before and this string stand only blanks, a comma or a colon.
    JsonString found{std::move(value), text_.find('"', before_)};
    before_ = offset_;
    if (!frames_.empty() && frames_.back().is_array) {
      frames_.back().parts.push_back(std::move(found));
    } else {
      items.push_back({key(), {}});
      items.back().parts.push_back(std::move(found));
    }
    return true;
  }

  bool start_object(std::size_t) { return open({key(), false, {}}); }
  bool start_array(std::size_t) { return open({key(), true, {}}); }
  bool end_object() { return close(); }

  bool key(string_t& name) {
    frames_.back().key = std::move(name);
    before_ = offset_;
    return true;
  }

  bool end_array() {
    Frame& frame = frames_.back();
    if (!frame.parts.empty()) items.push_back({frame.key, std::move(frame.parts)});
    return close();
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }

  std::vector<JsonItem> items;

 private:
  struct Frame {
    std::string key;
    bool is_array = false;
    std::vector<JsonString> parts;
  };

  std::string key() const { return frames_.empty() ? "" : frames_.back().key; }

  bool open(Frame frame) {
    if (frames_.size() >= kDeepest) return false;
    frames_.push_back(std::move(frame));
    before_ = offset_;
    return true;
  }

  bool close() {
    frames_.pop_back();
    before_ = offset_;
    return true;
  }

  std::string_view text_;
  const std::size_t& offset_;
  std::size_t before_ = 0;  // behind the last event that can stand in front of a string
  std::vector<Frame> frames_;
};

bool parse(std::string_view text, std::size_t& offset, Collector& collector) {
  const CountingIterator begin{text.data(), &offset};
  const CountingIterator end{text.data() + text.size(), &offset};
  return json::sax_parse(begin, end, &collector);
}

bool is_json_escape(char c) {
  return std::string_view("\"\\/bfnrtu").find(c) != std::string_view::npos;
}

}  // namespace

bool is_json(std::string_view text) {
  std::size_t offset = 0;
  Collector collector(text, offset);
  return parse(text, offset, collector);
}

std::vector<JsonItem> collect_json_strings(std::string_view text) {
  std::size_t offset = 0;
  Collector collector(text, offset);
  if (!parse(text, offset, collector)) return {};
  return std::move(collector.items);
}

// A quote inside a string that is not escaped cannot be told from its end, and is left alone.
std::string repair_json(std::string_view text, std::vector<std::size_t>& added) {
  std::string out;
  out.reserve(text.size() + 16);
  const auto add = [&](char c) {
    added.push_back(out.size());
    out += c;
  };
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') inside = !inside;
    if (inside && c == '\\') {
      const bool known = i + 1 < text.size() && is_json_escape(text[i + 1]);
      if (!known) add('\\');
      out += c;
      if (known) out += text[++i];
    } else if (inside && (c == '\n' || c == '\t')) {
      add('\\');
      out += c == '\n' ? 'n' : 't';
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace airlock::text
