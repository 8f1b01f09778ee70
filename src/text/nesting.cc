// Brackets are counted without matching their kinds: what matters is how deep a parser
// would go before it can notice that they do not match. A closing bracket too many is ignored, so
// text that closes first cannot hide depth.
#include <algorithm>

#include "text/cleaning.h"
#include "text/lexer.h"

namespace airlock::text {

namespace {

// read() is for code, skip() for strings and comments: both keep the position.
class Counter {
 public:
  explicit Counter(std::uint32_t limit) : limit_(limit) {}

  void read(char c) {
    if (c == '\n') {
      ++line_;
      column_ = 0;
      return;
    }
    if (c == '(' || c == '[' || c == '{') open();
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    ++column_;
  }

  void skip(char c) {
    ++column_;
    if (c != '\n') return;
    ++line_;
    column_ = 0;
  }

  const Nesting& result() const { return result_; }

 private:
  void open() {
    ++depth_;
    result_.deepest = std::max(result_.deepest, depth_);
    if (depth_ <= limit_ || result_.line != 0) return;
    result_.line = line_;
    result_.column = column_;
  }

  std::uint32_t limit_;
  std::uint32_t depth_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 0;
  Nesting result_;
};

}  // namespace

Nesting measure_nesting(std::string_view code, std::uint32_t limit) {
  Counter counter(limit);
  for (std::size_t at = 0; at < code.size();) {
    const LexSpan span = next_span(code, at);
    for (; at < span.end; ++at) {
      span.kind == SpanKind::kCode ? counter.read(code[at]) : counter.skip(code[at]);
    }
  }
  return counter.result();
}

}  // namespace airlock::text
