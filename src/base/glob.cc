#include "base/glob.h"

#include <algorithm>
#include <ranges>

namespace airlock {

namespace {

constexpr std::size_t kMostForms = 256;
constexpr std::size_t kLongest = 4096;

// Where the brace that opens at `at` closes, and the commas between on its own level.
struct Braces {
  std::size_t end = std::string_view::npos;
  std::vector<std::size_t> commas;
};

Braces find_braces(std::string_view pattern, std::size_t at) {
  Braces braces;
  int depth = 0;
  for (std::size_t i = at; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '{') {
      ++depth;
    } else if (pattern[i] == ',' && depth == 1) {
      braces.commas.push_back(i);
    } else if (pattern[i] == '}' && --depth == 0) {
      braces.end = i;
      return braces;
    }
  }
  return braces;
}

std::size_t find_open_brace(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '{') {
      return i;
    }
  }
  return std::string_view::npos;
}

}  // namespace

Result<std::vector<std::string>> expand_braces(std::string_view pattern) {
  std::vector<std::string> done;
  std::vector<std::string> waiting{std::string(pattern)};
  while (!waiting.empty()) {
    const std::string one = std::move(waiting.back());
    waiting.pop_back();
    const std::size_t open = find_open_brace(one);
    if (open == std::string::npos) {
      done.push_back(one);
    } else {
      const Braces braces = find_braces(one, open);
      if (braces.end == std::string::npos) return fail("a brace is not closed");
      std::size_t from = open + 1;
      const auto take = [&](std::size_t to) {
        waiting.push_back(one.substr(0, open) + one.substr(from, to - from) +
                          one.substr(braces.end + 1));
        from = to + 1;
      };
      for (const std::size_t comma : braces.commas) take(comma);
      take(braces.end);
    }
    if (done.size() + waiting.size() > kMostForms)
      return fail("its braces make more than 256 forms");
  }
  return done;
}

Result<Glob> Glob::parse(std::string_view pattern) {
  if (pattern.empty()) return fail("the pattern is empty");
  if (pattern.size() > kLongest) return fail("the pattern has more than 4096 bytes");
  auto all = expand_braces(pattern);
  if (!all) return std::unexpected(std::move(all).error());
  Glob glob;
  for (const std::string& one : *all) {
    auto form = compile(one);
    if (!form) return std::unexpected(std::move(form).error());
    glob.forms_.push_back(std::move(*form));
  }
  return glob;
}

Glob::Form Glob::with_ends(std::vector<Step> steps) {
  Form form{std::move(steps)};
  const auto is_literal = [](const Step& step) { return step.kind == Kind::kByte; };
  for (const Step& step : form.steps | std::views::take_while(is_literal)) form.prefix += step.byte;
  for (const Step& step : form.steps | std::views::reverse | std::views::take_while(is_literal))
    form.suffix.insert(form.suffix.begin(), step.byte);
  return form;
}

Result<Glob::Form> Glob::compile(std::string_view pattern) {
  std::vector<Step> form;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    const bool begins_segment = i == 0 || pattern[i - 1] == '/';
    if (c == '*' && pattern.substr(i).starts_with("**") && begins_segment &&
        (i + 2 == pattern.size() || pattern[i + 2] == '/')) {
      if (i + 2 == pattern.size()) {
        form.push_back({Kind::kRest});
      } else {
        form.push_back({Kind::kDeepEnter});
        form.push_back({Kind::kDeepInside});
      }
      i += 2;
    } else if (c == '*') {
      if (form.empty() || form.back().kind != Kind::kStar) form.push_back({Kind::kStar});
    } else if (c == '?') {
      form.push_back({Kind::kAny});
    } else if (c == '[') {
      Step step{Kind::kSet};
      std::size_t at = i + 1;
      if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) {
        step.is_negated = true;
        ++at;
      }
      const std::size_t first = at;
      for (; at < pattern.size() && (pattern[at] != ']' || at == first); ++at) {
        const bool is_range =
            at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']';
        step.set += pattern[at];
        step.set += is_range ? pattern[at + 2] : pattern[at];
        if (is_range) at += 2;
      }
      if (at >= pattern.size()) return fail("a bracket is not closed");
      form.push_back(std::move(step));
      i = at;
    } else {
      if (c == '\\' && ++i == pattern.size()) return fail("it ends in a backslash");
      form.push_back({Kind::kByte, pattern[i]});
    }
  }
  return with_ends(std::move(form));
}

bool Glob::takes(const Step& step, char byte) {
  switch (step.kind) {
    case Kind::kByte:
      return byte == step.byte;
    case Kind::kAny:
    case Kind::kStar:
      return byte != '/';
    case Kind::kDeepInside:
    case Kind::kRest:
      return true;
    case Kind::kDeepEnter:
      return false;
    case Kind::kSet:
      break;
  }
  if (byte == '/') return false;
  const auto value = static_cast<unsigned char>(byte);
  for (std::size_t i = 0; i + 1 < step.set.size(); i += 2) {
    if (static_cast<unsigned char>(step.set[i]) <= value &&
        value <= static_cast<unsigned char>(step.set[i + 1])) {
      return !step.is_negated;
    }
  }
  return step.is_negated;
}

// All places in the form at which the path so far could stand.
bool Glob::matches(const std::vector<Step>& form, std::string_view path) {
  std::vector<char> now(form.size() + 1, 0);
  std::vector<char> next(form.size() + 1, 0);
  // Without reading a byte: stars may be empty, and so may the segments of **.
  const auto enter = [&](std::vector<char>& set, std::size_t at) {
    while (set[at] == 0) {
      set[at] = 1;
      if (at == form.size()) return;
      if (form[at].kind == Kind::kDeepEnter) {
        set[at + 1] = 1;
        at += 2;
      } else if (form[at].kind == Kind::kStar) {
        ++at;
      } else {
        return;
      }
    }
  };
  enter(now, 0);
  for (const char byte : path) {
    std::ranges::fill(next, 0);
    for (std::size_t at = 0; at < form.size(); ++at) {
      if (now[at] == 0 || !takes(form[at], byte)) continue;
      switch (form[at].kind) {
        case Kind::kStar:
          enter(next, at);
          break;
        case Kind::kDeepInside:
          next[at] = 1;
          if (byte == '/') enter(next, at + 1);
          break;
        case Kind::kRest:
          next[at] = 1;
          next[form.size()] = 1;
          break;
        default:
          enter(next, at + 1);
      }
    }
    std::swap(now, next);
  }
  return now[form.size()] != 0;
}

bool Glob::matches(std::string_view path) const {
  return std::ranges::any_of(forms_, [&](const Form& form) {
    return path.starts_with(form.prefix) && path.ends_with(form.suffix) &&
           matches(form.steps, path);
  });
}

}  // namespace airlock
