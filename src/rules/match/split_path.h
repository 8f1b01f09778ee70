// A path as its segments. Windows, UNC and URL forms become the same thing: D:\data\a.csv,
// /data/a.csv and data//a.csv all have the segments data and a.csv. What stands before the first
// segment (/, D:/, s3://) is the root, and no segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::rules {

// Made to be used again for path after path: what it has allocated stays.
class SplitPath {
 public:
  // Borrows `path` as long as this is looked at.
  // A path that is clean already (no backslash, no doubled slash, no "."), which nearly all are, is
  // not copied.
  void split(std::string_view path);

  std::size_t size() const { return spans_.size(); }
  std::string_view segment(std::size_t index) const {
    return text_.substr(spans_[index].start, spans_[index].end - spans_[index].start);
  }
  // Segments `first` to `last`, with what stands between.
  std::string_view between(std::size_t first, std::size_t last) const {
    return text_.substr(spans_[first].start, spans_[last].end - spans_[first].start);
  }
  std::string_view filename() const { return spans_.empty() ? "" : segment(spans_.size() - 1); }
  // With / between, no doubled ones, and its root.
  std::string_view full_path() const { return text_; }
  // Without its root.
  std::string_view rel_path() const {
    return spans_.empty() ? std::string_view() : text_.substr(spans_.front().start);
  }

 private:
  // Offsets of bytes in `text_`. 32 bits: no path comes near 4 GiB, and half the size is half the
  // cache.
  struct SegmentSpan {
    std::uint32_t start;
    std::uint32_t end;
  };
  // What a first look finds: segments as they stand; empty or "." segments, or a slash at the end,
  // that have to be left out; backslashes, which have to become slashes before anything can be
  // said.
  enum class PathShape { kClean, kUntidy, kBackslashes };

  PathShape find_segments();
  void tidy(std::string_view path);

  // Of `path` when that was clean, else of `scratch_`.
  std::string_view text_;
  std::string scratch_;
  std::vector<SegmentSpan> spans_;
};

// How many bytes of `path` (with / only) are its root.
std::size_t root_length(std::string_view path);

}  // namespace airlock::rules
