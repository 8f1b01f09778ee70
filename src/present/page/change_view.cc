#include <algorithm>
#include <vector>

#include "engine/compare/line_diff.h"
#include "present/page/views.h"

namespace airlock::page {

namespace {

constexpr std::size_t kContext = 3;  // lines around a change

// Two lines beside each other; null: there is none on that side.
struct PairedLines {
  const DiffLine* before = nullptr;
  const DiffLine* after = nullptr;

  bool is_same() const { return before == after; }
};

// Lines that went beside lines that came in their place.
std::vector<PairedLines> pair_up(std::span<const DiffLine> diff) {
  std::vector<PairedLines> pairs;
  for (std::size_t at = 0; at < diff.size();) {
    if (diff[at].change == LineChange::kSame) {
      pairs.push_back({&diff[at], &diff[at]});
      ++at;
      continue;
    }
    std::vector<const DiffLine*> removed;
    std::vector<const DiffLine*> added;
    for (; at < diff.size() && diff[at].change != LineChange::kSame; ++at)
      (diff[at].change == LineChange::kRemoved ? removed : added).push_back(&diff[at]);
    for (std::size_t i = 0; i < std::max(removed.size(), added.size()); ++i)
      pairs.push_back(
          {i < removed.size() ? removed[i] : nullptr, i < added.size() ? added[i] : nullptr});
  }
  return pairs;
}

// Whether there is a change at most kContext lines away.
std::vector<bool> near_changes(std::span<const PairedLines> pairs) {
  std::vector<bool> near(pairs.size(), false);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].is_same()) continue;
    const std::size_t end = std::min(pairs.size(), i + kContext + 1);
    for (std::size_t j = i - std::min(i, kContext); j < end; ++j) near[j] = true;
  }
  return near;
}

void add_side(Html& html, const DiffLine* line, bool is_old) {
  html(is_old ? Markup("<td class=\"no old\">") : Markup("<td class=\"no new\">"));
  if (line != nullptr) html.number(is_old ? line->before : line->after);
  html(is_old ? Markup("</td><td class=\"old\">") : Markup("</td><td class=\"new\">"));
  if (line != nullptr && line->change == LineChange::kRemoved)
    html("<span class=\"sign\"><span class=\"unseen\">removed: </span>−</span>");
  if (line != nullptr && line->change == LineChange::kAdded)
    html("<span class=\"sign\"><span class=\"unseen\">added: </span>+</span>");
  html("<code>");
  if (line != nullptr) {
    const std::string_view shown = line->text.substr(0, kLongestShownLine);
    html.lines(shown);
    if (shown.size() < line->text.size()) html("<b class=\"cut\">…</b>");
  }
  html("</code></td>");
}

}  // namespace

ChangedLines count_changes(std::string_view before, std::string_view after) {
  ChangedLines changed;
  for (const DiffLine& line : diff_lines(before, after)) {
    if (line.change == LineChange::kAdded) ++changed.added;
    if (line.change == LineChange::kRemoved) ++changed.removed;
  }
  return changed;
}

Html code_changes_view(std::string_view before, std::string_view after) {
  const std::vector<DiffLine> diff = diff_lines(before, after);
  const std::vector<PairedLines> pairs = pair_up(diff);
  const std::vector<bool> near = near_changes(pairs);
  Html html("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Changed lines\">");
  html("<table class=\"diff\"><caption class=\"unseen\">The approved code and this one, side by ");
  html(
      "side</caption><colgroup><col class=\"no\"><col><col "
      "class=\"no\"><col></colgroup><thead><tr><th scope=\"col\" colspan=\"2\">Approved</th>");
  html("<th scope=\"col\" colspan=\"2\">This draft</th></tr></thead><tbody>");
  std::size_t shown = 0;
  for (std::size_t i = 0; i < pairs.size() && shown < kMostShownLines; ++i) {
    if (!near[i]) {
      std::size_t end = i;
      while (end < pairs.size() && !near[end]) ++end;
      html("<tr class=\"fold\"><td colspan=\"4\">")
          .number(end - i)(" lines are the same</td></tr>");
      i = end - 1;
      continue;
    }
    ++shown;
    html(pairs[i].is_same() ? Markup("<tr class=\"same\">") : Markup("<tr class=\"change\">"));
    add_side(html, pairs[i].before, true);
    add_side(html, pairs[i].after, false);
    html("</tr>");
  }
  html("</tbody></table></div>");
  if (shown == kMostShownLines)
    html("<p class=\"cutline\" role=\"note\">Cut here: the first ")
        .number(shown)(" lines are shown.</p>");
  return html;
}

}  // namespace airlock::page
