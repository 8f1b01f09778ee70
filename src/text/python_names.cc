// One walk over names and signs, with one statement's worth of memory: its first word, the
// names seen before an equals sign, how deep the brackets are. It is a guess by design (a name
// bound in one function counts as bound in all), and errs towards "binds it itself", so that a
// block is only added when it is surely missed.
#include "text/python_names.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "text/lexer.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

class NameWalk {
 public:
  explicit NameWalk(std::string_view code) : code_(code) {}

  NameUse run() {
    for (std::size_t at = 0; at < code_.size();) {
      const LexSpan span = next_span(code_, at);
      if (span.kind == SpanKind::kCode) read_code(at, span.end);
      if (span.kind == SpanKind::kString) read_string(at, span.end);
      at = span.end;
    }
    return std::move(names_);
  }

 private:
  void read_code(std::size_t at, std::size_t end) {
    while (at < end) {
      if (is_name_start(code_[at])) {
        const std::size_t stop = skip_name(code_, at);
        read_name(code_.substr(at, stop - at), at);
        at = stop;
      } else {
        read_sign(at);
        ++at;
      }
    }
  }

  // The fields of an f-string are code.
  void read_string(std::size_t at, std::size_t end) {
    // The prefix is the name right before the quote (lexer.h). Nested quotes do not matter: names
    // are collected wherever they stand in the string.
    const bool formatted = word_ == "f" || word_ == "F" || word_ == "rf" || word_ == "fr";
    sign_ = '"';
    if (!formatted) return;
    while (at < end) {
      const std::size_t stop = skip_name(code_, at);
      if (stop > at) names_.mentioned.insert(code_.substr(at, stop - at));
      at = std::max(stop, at + 1);
    }
  }

  void bind(std::string_view name) {
    names_.bound.insert(name);
    if (column_ == 0) names_.defined.insert(name);
  }

  void read_name(std::string_view name, std::size_t at) {
    if (first_.empty()) {
      first_ = name;
      column_ = at - line_start_;
    }
    if (sign_ != '.') names_.mentioned.insert(name);
    // A name behind "(", "," or "*" at the first level of a def's brackets; defaults and
    // annotations stand behind other signs.
    const bool parameter =
        in_parameters_ && depth_ == 1 && (sign_ == '(' || sign_ == ',' || sign_ == '*');
    if (word_ == "def" || word_ == "class" || word_ == "as") bind(name);
    if (parameter || in_loop_) names_.bound.insert(name);
    if (in_import_ && sign_ != '.') bind(name);
    if (depth_ == 0 && sign_ != '.') targets_.push_back(name);
    if (name == "import") in_import_ = true;
    if (name == "for") in_loop_ = true;
    if (name == "in") in_loop_ = false;
    word_ = name;
    sign_ = 'a';
  }

  // A line end inside brackets does not end the statement.
  void read_sign(std::size_t at) {
    const char c = code_[at];
    if (is_blank(c)) return;
    if (c == '\n' && depth_ == 0) return end_statement(at);
    if (c == '\n') {
      line_start_ = at + 1;
      return;
    }
    if (c == '(' && (first_ == "def" || first_ == "async") && depth_ == 0) in_parameters_ = true;
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    if (depth_ == 0 && c == ')') in_parameters_ = false;
    if (c == '=') read_equals(at);
    if (c == ':') before_colon_ = word_;
    word_ = {};
    sign_ = c;
  }

  void read_equals(std::size_t at) {
    const bool compares = at + 1 < code_.size() && code_[at + 1] == '=';
    if (compares || sign_ == '=' || sign_ == '!' || sign_ == '<' || sign_ == '>') return;
    // The walrus, name := value.
    if (sign_ == ':') names_.bound.insert(before_colon_);
    if (depth_ > 0) return;
    for (const std::string_view name : targets_) bind(name);
    targets_.clear();
  }

  void end_statement(std::size_t at) {
    first_ = word_ = {};
    targets_.clear();
    in_import_ = in_loop_ = in_parameters_ = false;
    sign_ = '\n';
    line_start_ = at + 1;
  }

  std::string_view code_;
  NameUse names_;
  std::string_view first_;  // first word of the statement
  std::string_view word_;   // the token before, when it is a name
  std::string_view before_colon_;
  std::vector<std::string_view> targets_;
  std::size_t line_start_ = 0;
  std::size_t column_ = 0;
  std::uint32_t depth_ = 0;
  char sign_ = '\n';  // the token before: its sign, or 'a' for a name
  bool in_import_ = false;
  bool in_loop_ = false;
  bool in_parameters_ = false;
};

}  // namespace

bool NameUse::needs(const NameUse& other) const {
  return std::ranges::any_of(other.defined, [&](std::string_view name) {
    return mentioned.contains(name) && !bound.contains(name);
  });
}

NameUse collect_names(std::string_view code) {
  return NameWalk(code).run();
}

}  // namespace airlock::text
