#include "rules/match/split_path.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ascii.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace airlock::rules {

namespace {

// The length of "s3://" and the like; 0 when there is none.
std::size_t scheme_length(std::string_view path) {
  std::size_t at = 0;
  while (at < path.size() &&
         (is_alnum(path[at]) || path[at] == '+' || path[at] == '-' || path[at] == '.'))
    ++at;
  // One letter alone is a drive (D:/), not a scheme.
  return at > 1 && path.substr(at).starts_with("://") ? at + 3 : 0;
}

// A query belongs to a page, not to a path. In s3:// and gs:// both characters are part of names.
std::string_view without_query(std::string_view path) {
  if (!path.starts_with("http")) return path;
  if (!path.starts_with("http://") && !path.starts_with("https://")) return path;
  return path.substr(0, path.find_first_of("?#"));
}

}  // namespace

std::size_t root_length(std::string_view path) {
  std::size_t at = 0;
  if (path.starts_with("file://")) {
    at = 7;  // file:///D:/data: the rest is a path of its own
  } else if (path.size() > 4 && path[0] != '/') {
    if (const std::size_t scheme = scheme_length(path); scheme != 0) return scheme;
  }
  // Slashes may stand on both sides of a drive: /D:/data, and D:/ alone.
  while (at < path.size() && path[at] == '/') ++at;
  if (path.size() - at >= 2 && is_letter(path[at]) && path[at + 1] == ':' &&
      (path.size() == at + 2 || path[at + 2] == '/'))
    at += 2;
  while (at < path.size() && path[at] == '/') ++at;
  return at;
}

namespace {

// Calls `see` with every offset of a slash, in order. Says whether there was a backslash too.
// Sixteen bytes at a time where the processor can: paths have a slash every ten bytes or so, too
// near each other for memchr to pay.
template <typename See>
bool each_slash(std::string_view text, See see) {
  std::size_t at = 0;
  bool has_backslash = false;
#ifdef __SSE2__
  const __m128i slashes = _mm_set1_epi8('/');
  const __m128i backslashes = _mm_set1_epi8('\\');
  for (; at + 16 <= text.size(); at += 16) {
    __m128i bytes;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, slashes)));
    has_backslash = has_backslash || _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, backslashes)) != 0;
    for (; found != 0; found &= found - 1)
      see(at + static_cast<std::size_t>(std::countr_zero(found)));
  }
#endif
  for (; at < text.size(); ++at) {
    if (text[at] == '/') see(at);
    has_backslash = has_backslash || text[at] == '\\';
  }
  return has_backslash;
}

}  // namespace

// Fills `spans_` in one pass. When it finds a backslash the spans are worthless, and the caller
// starts again with slashes instead.
SplitPath::PathShape SplitPath::find_segments() {
  spans_.clear();
  const std::size_t root = root_length(text_);
  std::size_t start = root;
  PathShape form = PathShape::kClean;
  const auto end_at = [&](std::size_t end) {
    if (end < root) return;
    if (end == start || (end == start + 1 && text_[start] == '.')) {
      form = PathShape::kUntidy;
    } else {
      spans_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)});
    }
    start = end + 1;
  };
  if (each_slash(text_, end_at)) return PathShape::kBackslashes;
  if (start < text_.size()) {
    end_at(text_.size());
  } else if (!spans_.empty()) {
    form = PathShape::kUntidy;  // it ends in a slash
  }
  return form;
}

// Writes the segments found once more with single slashes between. Built aside and moved in at the
// end: `path` and the segments may point into `scratch_` itself.
void SplitPath::tidy(std::string_view path) {
  std::string tidied(path.substr(0, root_length(path)));
  // ///data is /data; s3:// and D:/ stay as they are.
  if (!tidied.contains(':') && !tidied.empty()) tidied = "/";
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (i > 0) tidied += '/';
    tidied += segment(i);
  }
  scratch_ = std::move(tidied);
  text_ = scratch_;
}

void SplitPath::split(std::string_view path) {
  text_ = without_query(path);
  PathShape form = find_segments();
  if (form == PathShape::kBackslashes) {
    scratch_.assign(path);
    std::ranges::replace(scratch_, '\\', '/');
    text_ = without_query(scratch_);
    form = find_segments();
  }
  if (form == PathShape::kClean) return;
  // The spans pointed into the old text: find them again in the tidy one.
  tidy(text_);
  find_segments();
}

}  // namespace airlock::rules
