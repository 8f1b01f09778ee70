#include "rules/match/path_glob.h"

#include <algorithm>

#include "base/glob.h"
#include "base/printable.h"

namespace airlock::rules {

namespace {

// Reads the set that begins behind `[` at `at`; leaves `at` on its `]`. As in a shell, a `]` right
// at the beginning is a member, and ! or ^ in front negates.
Result<std::bitset<256>> read_set(std::string_view pattern, std::size_t& at) {
  std::bitset<256> set;
  bool is_negated = false;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) {
    is_negated = true;
    ++at;
  }
  const std::size_t first = at;
  for (; at < pattern.size() && (pattern[at] != ']' || at == first); ++at) {
    const bool is_range =
        at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']';
    const auto from = static_cast<unsigned char>(pattern[at]);
    const auto to = static_cast<unsigned char>(is_range ? pattern[at + 2] : pattern[at]);
    for (unsigned c = from; c <= to; ++c) set.set(c);
    if (is_range) at += 2;
  }
  if (at >= pattern.size()) return fail("a bracket is not closed");
  return is_negated ? ~set : set;
}

std::string quoted_glob(std::string_view text) {
  return "'" + printable(text) + "'";
}

// Segments of a pattern. A slash always parts two of them, even inside []: no segment can contain
// one.
std::vector<std::string_view> split_pattern(std::string_view pattern) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= pattern.size(); ++i) {
    if (i < pattern.size() && pattern[i] != '/') continue;
    if (i > start) pieces.push_back(pattern.substr(start, i - start));
    start = i + 1;
  }
  return pieces;
}

// Segment by segment, the first glob against segment `from`. The caller has checked that the path
// is long enough.
bool all_match(const std::vector<SegmentGlob>& globs, const SplitPath& path, std::size_t from) {
  for (std::size_t i = 0; i < globs.size(); ++i) {
    if (!globs[i].matches(path.segment(from + i))) return false;
  }
  return true;
}

}  // namespace

Result<SegmentGlob> SegmentGlob::parse(std::string_view pattern) {
  SegmentGlob glob;
  glob.text_ = pattern;
  bool has_star = false;
  bool is_literal = true;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*') {
      has_star = true;
      is_literal = false;
      // Several stars in a row are one.
      if (glob.steps_.empty() || glob.steps_.back().kind != Step::Kind::kStar)
        glob.steps_.push_back({Step::Kind::kStar});
    } else if (c == '?') {
      is_literal = false;
      glob.steps_.push_back({Step::Kind::kOne});
    } else if (c == '[') {
      is_literal = false;
      auto set = TRY(read_set(pattern, ++i));
      glob.steps_.push_back({Step::Kind::kSet, 0, static_cast<std::uint16_t>(glob.sets_.size())});
      glob.sets_.push_back(set);
    } else {
      if (c == '\\' && ++i == pattern.size()) return fail("it ends in a backslash");
      glob.steps_.push_back({Step::Kind::kByte, pattern[i]});
      glob.literal_ += pattern[i];
    }
  }
  for (auto step = glob.steps_.rbegin();
       step != glob.steps_.rend() && step->kind == Step::Kind::kByte; ++step)
    glob.tail_.insert(glob.tail_.begin(), step->byte);
  for (auto step = glob.steps_.begin();
       step != glob.steps_.end() && step->kind == Step::Kind::kByte; ++step)
    glob.head_ += step->byte;
  // Decides which of the fast ways can be used; see Kind.
  const bool is_any = glob.steps_.size() == 1 && has_star;
  const bool is_around =
      has_star && glob.steps_.size() == glob.head_.size() + glob.tail_.size() + 1;
  glob.kind_ = is_literal  ? Kind::kLiteral
               : is_any    ? Kind::kAny
               : is_around ? Kind::kAround
               : has_star  ? Kind::kStars
                           : Kind::kFixed;
  return glob;
}

bool SegmentGlob::takes(const Step& step, char byte) const {
  switch (step.kind) {
    case Step::Kind::kByte:
      return byte == step.byte;
    case Step::Kind::kSet:
      return sets_[step.set].test(static_cast<unsigned char>(byte));
    default:
      return true;
  }
}

bool SegmentGlob::matches_fixed(std::string_view segment) const {
  if (segment.size() != steps_.size()) return false;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    if (!takes(steps_[i], segment[i])) return false;
  }
  return true;
}

// The classic loop with one retry point: on a misfit go back to the last star, let it take one more
// byte, and try what follows it again. Earlier stars are never reopened (see the header for why
// that is enough), so the time is at most pattern times segment.
bool SegmentGlob::matches_stars(std::string_view segment) const {
  if (!segment.ends_with(tail_)) return false;
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t at = 0;        // in the segment
  std::size_t step = 0;      // in the pattern
  std::size_t star = kNone;  // the last one seen
  std::size_t retry_at = 0;  // where what follows it was tried
  while (at < segment.size()) {
    if (step < steps_.size() && steps_[step].kind == Step::Kind::kStar) {
      star = step++;
      retry_at = at;
      if (step == steps_.size()) return true;
    } else if (step < steps_.size() && takes(steps_[step], segment[at])) {
      ++step;
      ++at;
    } else if (star != kNone) {
      step = star + 1;
      at = ++retry_at;
    } else {
      return false;
    }
  }
  while (step < steps_.size() && steps_[step].kind == Step::Kind::kStar) ++step;
  return step == steps_.size();
}

bool SegmentGlob::matches(std::string_view segment) const {
  switch (kind_) {
    case Kind::kLiteral:
      return segment == literal_;
    case Kind::kAny:
      return true;
    case Kind::kFixed:
      return matches_fixed(segment);
    case Kind::kAround:
      return segment.size() >= head_.size() + tail_.size() && segment.starts_with(head_) &&
             segment.ends_with(tail_);
    case Kind::kStars:
      return matches_stars(segment);
  }
  return false;
}

Result<PathGlob> PathGlob::parse(std::string_view pattern) {
  PathGlob glob;
  glob.text_ = pattern;
  if (pattern.size() > kLongestGlob) return fail("the pattern has more than 4096 bytes");
  auto plain = TRY(expand_braces(pattern));
  for (const std::string& one : plain) {
    glob.bytes_of_forms_ += one.size();
    auto form = TRY(compile(one));
    glob.forms_.push_back(std::move(form));
  }
  return glob;
}

Result<PathGlob::GlobAlternative> PathGlob::compile(std::string_view pattern) {
  GlobAlternative form;
  std::vector<std::vector<SegmentGlob>> runs(1);
  // A pattern without a slash is about the name in any folder: as if it began with **/, which is an
  // empty first run.
  const bool is_about_name = !pattern.contains('/') && pattern != "**";
  if (is_about_name) runs.emplace_back();
  std::vector<std::string_view> pieces = split_pattern(pattern.substr(root_length(pattern)));
  if (pieces.empty()) return fail("it has no segment");
  for (const std::string_view piece : pieces) {
    if (piece == "**") {
      // **/** says no more than **.
      if (runs.size() == 1 || !runs.back().empty()) runs.emplace_back();
      continue;
    }
    auto segment = TRY(SegmentGlob::parse(piece));
    runs.back().push_back(std::move(segment));
  }
  form.is_deep = runs.size() > 1;
  form.least_deep = pieces.back() == "**" ? 1 : 0;
  form.front = std::move(runs.front());
  if (form.is_deep) form.back = std::move(runs.back());
  for (std::size_t i = 1; i + 1 < runs.size(); ++i) form.middle.push_back(std::move(runs[i]));
  return form;
}

bool PathGlob::matches(const GlobAlternative& form, const SplitPath& path) {
  // Front and back have only one place each. Then every run of the middle takes the first place
  // where it fits: the further left it stands, the more room is left for those after it.
  const std::size_t fixed = form.front.size() + form.back.size();
  if (!form.is_deep) return path.size() == fixed && all_match(form.front, path, 0);
  if (path.size() < fixed + form.least_deep) return false;
  const std::size_t end = path.size() - form.back.size();
  if (!all_match(form.back, path, end) || !all_match(form.front, path, 0)) return false;
  std::size_t at = form.front.size();
  const std::size_t last = end - form.least_deep;
  for (const auto& run : form.middle) {
    while (at + run.size() <= last && !all_match(run, path, at)) ++at;
    if (at + run.size() > last) return false;
    at += run.size();
  }
  return true;
}

bool PathGlob::matches(const SplitPath& path) const {
  return std::ranges::any_of(forms_,
                             [&](const GlobAlternative& form) { return matches(form, path); });
}

// Compares in the same order as matches(); the first segment that does not fit is what is told.
GlobMismatch PathGlob::mismatch(const GlobAlternative& form, const SplitPath& path) {
  const std::size_t least = form.front.size() + form.back.size() + form.least_deep;
  if (form.is_deep ? path.size() < least : path.size() != least) {
    return {"", "",
            "the path has " + std::to_string(path.size()) + " segments, the glob wants " +
                (form.is_deep ? "at least " : "") + std::to_string(least)};
  }
  // Segments are counted from the end in messages, as people write them in rules: segment(-2).
  const auto against = [&](const SegmentGlob& glob, std::size_t at) -> GlobMismatch {
    const auto from_end =
        static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(path.size());
    const std::string found(path.segment(at));
    return {glob.text(), found,
            "segment(" + std::to_string(from_end) + ") is " + quoted_glob(found) +
                ", the glob wants " + quoted_glob(glob.text())};
  };
  for (std::size_t i = 0; i < form.front.size(); ++i) {
    if (!form.front[i].matches(path.segment(i))) return against(form.front[i], i);
  }
  const std::size_t end = path.size() - form.back.size();
  for (std::size_t i = 0; i < form.back.size(); ++i) {
    if (!form.back[i].matches(path.segment(end + i))) return against(form.back[i], end + i);
  }
  return {"", "", "what stands between two ** of the glob is not in the path"};
}

GlobMismatch PathGlob::mismatch(const SplitPath& path) const {
  return mismatch(forms_.back(), path);  // the first of several forms: they are made last to first
}

}  // namespace airlock::rules
