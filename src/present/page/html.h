// HTML as a type: what is markup was written by us, in this program's source; everything else is
// text. Only a literal can become markup (its constructor runs in the compiler), so no byte of
// code, of a path, of a model or of a request can.
//
// There is one escaping function, escape(). It makes visible what a browser would hide or obey:
// controls, bidirectional marks, bytes that are not UTF-8 (base/printable.h says which). Only what
// a person typed goes back into its own field without that.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace airlock::page {

// What becomes of characters that do not show themselves: spelt out ("<U+202E>"), and in the text
// of a page also marked, so that nobody takes the spelling for the text.
enum class Odd : std::uint8_t { kMarked, kSpelt };

// Safe between tags and, with kSpelt, in a quoted attribute.
std::string escape(std::string_view text, Odd odd);

struct Markup {
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is meant to be written as it is
  consteval Markup(const char* literal) : text(literal) {}
  std::string_view text;
};

class Html {
 public:
  Html() = default;
  explicit Html(Markup markup) : bytes_(markup.text) {}

  // html("<p>").text(name)("</p>")
  Html& operator()(Markup markup) {
    bytes_ += markup.text;
    return *this;
  }
  Html& text(std::string_view words) {
    bytes_ += escape(words, Odd::kMarked);
    return *this;
  }
  // In a quoted attribute.
  Html& value(std::string_view words) {
    bytes_ += escape(words, Odd::kSpelt);
    return *this;
  }
  // What somebody typed, for the field where they typed it: as it was, escaped and not spelt out,
  // since it is sent again. In a quoted attribute or a <textarea>; never for another's words.
  Html& typed(std::string_view words);
  // Line ends and tabs stay: for what stands in <pre>.
  Html& lines(std::string_view words);
  // At most so many bytes, and how many more there are.
  Html& text_up_to(std::string_view words, std::size_t bytes);
  Html& number(std::integral auto number) {
    bytes_ += std::to_string(number);
    return *this;
  }
  Html& add(const Html& other) {
    bytes_ += other.bytes_;
    return *this;
  }

  const std::string& bytes() const& { return bytes_; }
  std::string bytes() && { return std::move(bytes_); }
  bool is_empty() const { return bytes_.empty(); }

 private:
  std::string bytes_;
};

// In the query of a link or as a part of its path: everything but letters, digits and "-._~" as
// %xx.
std::string url_part(std::string_view text);

// "1 sample", "2 samples".
std::string count_of(std::size_t count, std::string_view what);

}  // namespace airlock::page
