// Four steps: (1) paths whose segments look alike, position by position, are a group; (2) groups of
// one depth that differ in a position by accident (a name made of digits among names) are merged;
// (3) groups are split again where a folder near the root separates two ways of writing; (4) groups
// of different depth are merged if they share their beginning and end.
//
// Merging is greedy, the largest group first, so that a stray never decides what the many are.
#include "rules/infer/layouts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/ascii.h"
#include "rules/infer/token_class.h"
#include "rules/infer/tokens.h"

namespace airlock::rules {

namespace {

constexpr std::size_t kLeastToSplit = 3;  // paths on each side
constexpr std::size_t kMostRoots = 6;     // different words of a folder that may separate layouts
constexpr std::size_t kDeepest = 64;      // deeper paths are compared by their ends
constexpr std::size_t kMostGroups = 400;  // that are tried for merging with each other

// What may stand before the = of key=value: an identifier, perhaps with dashes and dots.
bool is_key(std::string_view text) {
  constexpr std::size_t kLongestKey = 64;
  return !text.empty() && text.size() <= kLongestKey && std::ranges::all_of(text, [](char c) {
    return is_alnum(c) || c == '_' || c == '-' || c == '.';
  }) && !is_digit(text[0]);
}

// One letter for what a segment is (U UUID, D date, N number, Q quarter, H hash, V version, T
// text), or = and the key of key=value.
std::string shape_of(std::string_view segment, bool is_filename) {
  if (is_filename) segment.remove_suffix(extension_of(segment).size());
  const std::size_t equals = segment.find('=');
  if (equals != std::string_view::npos && is_key(segment.substr(0, equals)) &&
      segment.find('=', equals + 1) == std::string_view::npos)
    return "=" + std::string(segment.substr(0, equals));
  if (is_of_class(segment, TokenClass::kUuid)) return "U";
  if (is_of_class(segment, TokenClass::kDate) || is_of_class(segment, TokenClass::kDatetime))
    return "D";
  if (is_of_class(segment, TokenClass::kNumber)) return "N";
  if (is_of_class(segment, TokenClass::kQuarter)) return "Q";
  if (is_of_class(segment, TokenClass::kHash)) return "H";
  if (is_of_class(segment, TokenClass::kVersion)) return "V";
  return "T";
}

// Paths with one shape. `shapes` has one entry a segment, in the order of the path.
struct PathGroup {
  std::vector<std::size_t> members;
  std::vector<std::string> shapes;
};

// Shapes that a name may have by accident: 2024 among words, deadbeef01234567 among words.
bool is_loose(std::string_view shape) {
  return shape == "T" || shape == "N" || shape == "H" || shape == "V";
}

// "mission_042" → "a9": what the words and numbers of a folder look like.
std::string form_of_words(std::string_view text) {
  std::string form;
  for (const char c : text) {
    const bool is_delimiter = kAllDelimiters.contains(c);
    const char kind = is_digit(c) ? '9' : is_delimiter ? c : 'a';
    if (form.empty() || form.back() != kind) form += kind;
  }
  return form;
}

class Grouper {
 public:
  explicit Grouper(std::span<const Segments> paths) : paths_(paths) {}

  std::vector<PathLayout> find() {
    group_by_shape();
    merge_same_depth();
    split_by_root();
    std::vector<PathLayout> layouts = merge_depths();
    std::ranges::stable_sort(layouts, std::ranges::greater(),
                             [](const PathLayout& layout) { return layout.members.size(); });
    return layouts;
  }

 private:
  // Beyond kDeepest segments only the number of them counts: such paths are compared with their
  // like.
  void group_by_shape() {
    std::map<std::vector<std::string>, std::vector<std::size_t>> by_shape;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const Segments& path = paths_[i];
      std::vector<std::string> shapes;
      for (std::size_t at = 0; at < path.size() && at < kDeepest; ++at)
        shapes.push_back(shape_of(path[at], at + 1 == path.size()));
      if (path.size() > kDeepest) shapes.push_back("…" + std::to_string(path.size()));
      by_shape[shapes].push_back(i);
    }
    for (auto& [shapes, members] : by_shape) groups_.push_back({std::move(members), shapes});
    std::ranges::stable_sort(groups_, std::ranges::greater(),
                             [](const PathGroup& group) { return group.members.size(); });
  }

  // Whether the two are one layout. A position that is text in one group and, say, a number in the
  // other is text: names may be made of digits. Not when both are many: then it is two layouts, and
  // nobody should guess. What a file is called may differ freely, except for key=value.
  bool can_be_one(const PathGroup& large, const PathGroup& small) const {
    if (large.shapes.size() != small.shapes.size()) return false;
    std::size_t differences = 0;
    for (std::size_t i = 0; i < large.shapes.size(); ++i) {
      const std::string& a = large.shapes[i];
      const std::string& b = small.shapes[i];
      if (a == b) continue;
      const bool is_last = i + 1 == large.shapes.size();
      if (is_last && !a.starts_with('=') && !b.starts_with('=')) continue;
      if (!is_loose(a) || !is_loose(b)) return false;
      if (!are_hexadecimal(large, small, i)) ++differences;
    }
    if (differences == 0) return true;
    // A quarter of the large group at most, or a couple of strays.
    const bool is_few =
        small.members.size() * 4 <= large.members.size() || small.members.size() < 3;
    return differences == 1 && is_few && share_constants(large, small);
  }

  // ab, 07, 3f: the first letters of a hash, some of which happen to be digits.
  bool are_hexadecimal(const PathGroup& a, const PathGroup& b, std::size_t at) const {
    const std::size_t width = paths_[a.members.front()][at].size();
    for (const PathGroup* group : {&a, &b}) {
      for (const std::size_t member : group->members) {
        const std::string_view text = paths_[member][at];
        if (text.size() != width ||
            text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
          return false;
      }
    }
    return true;
  }

  // The folders that are one word in the one group are the same word in the other.
  bool share_constants(const PathGroup& a, const PathGroup& b) const {
    for (std::size_t at = 0; at + 1 < a.shapes.size() && at < kDeepest; ++at) {
      if (a.shapes[at] != "T" || b.shapes[at] != "T") continue;
      const auto first = values(a, at);
      if (first.size() != 1) continue;
      if (values(b, at) != first) return false;
    }
    return true;
  }

  // The different values of one position, at most kMostRoots + 1: more need not be told apart.
  std::set<std::string_view> values(const PathGroup& group, std::size_t at) const {
    std::set<std::string_view> found;
    for (const std::size_t member : group.members) {
      found.insert(paths_[member][at]);
      if (found.size() > kMostRoots) break;
    }
    return found;
  }

  // Where the shapes of two merged groups differ, the position is text.
  void merge_same_depth() {
    std::vector<PathGroup> merged;
    for (PathGroup& group : groups_) {
      const auto into = merged.size() > kMostGroups
                            ? merged.end()
                            : std::ranges::find_if(merged, [&](const PathGroup& one) {
                                return can_be_one(one, group);
                              });
      if (into == merged.end()) {
        merged.push_back(std::move(group));
        continue;
      }
      for (std::size_t i = 0; i < into->shapes.size(); ++i)
        if (into->shapes[i] != group.shapes[i]) into->shapes[i] = "T";
      into->members.insert(into->members.end(), group.members.begin(), group.members.end());
    }
    groups_ = std::move(merged);
  }

  // Two folders at the same place below which things are written differently are two layouts.
  void split_by_root() {
    std::vector<PathGroup> done;
    for (PathGroup& group : groups_) {
      auto parts = split_one(group);
      if (!parts) {
        done.push_back(std::move(group));
        continue;
      }
      for (PathGroup& part : *parts) done.push_back(std::move(part));
    }
    groups_ = std::move(done);
  }

  // At the first folder from the root that has few different words, each with enough paths, below
  // which things are written differently.
  std::optional<std::vector<PathGroup>> split_one(const PathGroup& group) const {
    for (std::size_t at = 0; at + 1 < group.shapes.size() && at < kDeepest; ++at) {
      if (group.shapes[at] != "T") continue;
      std::map<std::string_view, PathGroup> parts;
      for (const std::size_t member : group.members) {
        PathGroup& part = parts[paths_[member][at]];
        part.shapes = group.shapes;
        part.members.push_back(member);
        if (parts.size() > kMostRoots) break;
      }
      if (parts.size() < 2) continue;
      if (parts.size() > kMostRoots) return std::nullopt;  // names begin here: not a root any more
      const bool is_enough = std::ranges::all_of(
          parts, [](const auto& part) { return part.second.members.size() >= kLeastToSplit; });
      if (!is_enough || !differ_below(parts, at)) continue;
      std::vector<PathGroup> list;
      for (auto& [word, part] : parts) list.push_back(std::move(part));
      return list;
    }
    return std::nullopt;
  }

  // In some position each part is written in one way, and no two in the same.
  bool differ_below(const std::map<std::string_view, PathGroup>& parts, std::size_t root) const {
    const std::size_t depth = parts.begin()->second.shapes.size();
    for (std::size_t at = root + 1; at < depth && at < kDeepest; ++at) {
      std::set<std::string> forms;
      bool has_one_form_each = true;
      for (const auto& [word, part] : parts) {
        const auto form = common_form(part, at, at + 1 == depth);
        has_one_form_each = has_one_form_each && form && forms.insert(*form).second;
      }
      if (has_one_form_each) return true;
    }
    return false;
  }

  // How all members are written in this position: a file by its extension, a folder by its form of
  // letters and digits. Nothing when they differ among themselves.
  std::optional<std::string> common_form(const PathGroup& group, std::size_t at,
                                         bool is_filename) const {
    std::optional<std::string> form;
    for (const std::size_t member : group.members) {
      const std::string_view segment = paths_[member][at];
      const std::string one =
          is_filename ? std::string(extension_of(segment)) : form_of_words(segment);
      if (form && *form != one) return std::nullopt;
      form = one;
    }
    // A file without an extension says nothing.
    return form && form->empty() ? std::nullopt : form;
  }

  // ---- different depths ----

  // Positions that two groups share at the beginning and at the end.
  struct Alignment {
    std::size_t front = 0;
    std::size_t back = 0;
  };

  // How much two layouts of different depth share at both ends, when what is left over is folders
  // of text.
  std::optional<Alignment> align(const PathGroup& a, const Alignment& of_a, const PathGroup& b,
                                 std::size_t least_back) const {
    const std::size_t depth_b = b.shapes.size();
    if (depth_b > kDeepest || a.shapes.size() > kDeepest) return std::nullopt;
    // An anchor, here and below, is a position that is more than text: a date, a number, a UUID.
    const std::size_t depth = std::min(a.shapes.size(), depth_b);
    // From the beginning: words that are the same in all, and whatever is more than text.
    std::size_t front = 0;
    bool begins_with_anchor = false;
    while (front < of_a.front && front + 1 < depth && a.shapes[front] == b.shapes[front]) {
      const bool is_text = a.shapes[front] == "T";
      if (is_text) {
        const auto words = values(a, front);
        const bool is_same_word = words.size() == 1 && values(b, front) == words;
        if (!is_same_word && (front == 0 || !are_the_same_names(a, b, front))) break;
      }
      begins_with_anchor = begins_with_anchor || !is_text;
      ++front;
    }
    // From the end as far as something is more than text, and one folder beyond: what is further
    // away is as likely to be one of those that are not always there.
    std::size_t back = 0;
    std::size_t anchored = 0;
    while (back < std::min(of_a.back, depth - front)) {
      const std::string& x = a.shapes[a.shapes.size() - 1 - back];
      const std::string& y = b.shapes[depth_b - 1 - back];
      const bool is_file = back == 0;
      if (x != y && !(is_file && !x.starts_with('=') && !y.starts_with('='))) break;
      ++back;
      if (!is_file && x != "T") anchored = back;
    }
    const bool has_anchor = anchored > 0;
    back = std::min(back, std::max<std::size_t>(anchored, 1) + 1);
    const auto has_only_text = [&](const PathGroup& group) {
      for (std::size_t i = front; i + back < group.shapes.size(); ++i)
        if (group.shapes[i] != "T") return false;
      return true;
    };
    // Without any anchor the groups share only text, and that is enough only if they begin with the
    // same words and hold the same kinds of files.
    if (back < (begins_with_anchor ? 1 : least_back) || !has_only_text(a) || !has_only_text(b))
      return std::nullopt;
    if (!has_anchor && !begins_with_anchor && (front == 0 || extensions(a) != extensions(b)))
      return std::nullopt;
    return Alignment{front, back};
  }

  // Customers with an archive below them and customers without: most names stand in both.
  bool are_the_same_names(const PathGroup& a, const PathGroup& b, std::size_t at) const {
    // Of each group: a bound on the work, far above what a decision needs.
    constexpr std::size_t kMostNames = 1000;
    std::set<std::string_view> of_a;
    std::set<std::string_view> of_b;
    for (const std::size_t member : a.members)
      if (of_a.size() < kMostNames) of_a.insert(paths_[member][at]);
    for (const std::size_t member : b.members)
      if (of_b.size() < kMostNames) of_b.insert(paths_[member][at]);
    const auto both =
        std::ranges::count_if(of_b, [&](std::string_view name) { return of_a.contains(name); });
    const std::size_t fewer = std::min(of_a.size(), of_b.size());
    return fewer >= 2 && static_cast<std::size_t>(both) * 2 >= fewer;
  }

  std::set<std::string_view> extensions(const PathGroup& group) const {
    std::set<std::string_view> found;
    for (const std::size_t member : group.members)
      found.insert(extension_of(paths_[member].back()));
    return found;
  }

  // Each group joins the first open one that it aligns with, and what the two share becomes what
  // all members share. Past kMostGroups the rest is left alone: the work would grow with the
  // square.
  std::vector<PathLayout> merge_depths() {
    struct OpenGroup {
      PathGroup group;
      Alignment ends;
      bool is_deep = false;
    };
    std::vector<OpenGroup> open;
    for (PathGroup& group : groups_) {
      const std::size_t depth =
          group.shapes.size() > kDeepest ? paths_[group.members[0]].size() : group.shapes.size();
      bool is_merged = false;
      for (std::size_t i = 0; !is_merged && i < open.size() && open.size() <= kMostGroups; ++i) {
        OpenGroup& one = open[i];
        if (one.group.shapes.size() == group.shapes.size() && !one.is_deep) continue;
        const auto ends = align(one.group, one.ends, group, 2);
        if (!ends) continue;
        one.ends = *ends;
        one.is_deep = true;
        one.group.members.insert(one.group.members.end(), group.members.begin(),
                                 group.members.end());
        is_merged = true;
      }
      if (!is_merged) open.push_back({std::move(group), {depth, depth}, false});
    }
    std::vector<PathLayout> layouts;
    for (OpenGroup& one : open) {
      const std::size_t depth = paths_[one.group.members[0]].size();
      layouts.push_back({std::move(one.group.members), one.is_deep ? one.ends.front : 0,
                         one.is_deep ? one.ends.back : depth, one.is_deep});
    }
    return layouts;
  }

  std::span<const Segments> paths_;
  std::vector<PathGroup> groups_;
};

}  // namespace

std::vector<PathLayout> find_layouts(std::span<const Segments> paths) {
  return Grouper(paths).find();
}

}  // namespace airlock::rules
