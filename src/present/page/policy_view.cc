#include <fmt/format.h>

#include "present/page/views.h"

namespace airlock::page {

namespace {

void add_surfaces(Html& html, std::span<const Surface> surfaces) {
  html("<dl class=\"grants\">");
  for (const Surface& one : surfaces) {
    html("<div><dt><code>").text_up_to(one.name, kLongestShownCell)("</code></dt><dd>");
    html.text_up_to(one.why, kLongestShownCell)("</dd></div>");
  }
  html("</dl>");
}

void add_permits(Html& html, std::span<const Permit> permits) {
  html("<dl class=\"grants\">");
  for (const Permit& one : permits) {
    html("<div><dt><code>").text_up_to(one.name, kLongestShownCell)("</code></dt><dd>");
    html.text_up_to(one.why, kLongestShownCell)("</dd></div>");
  }
  html("</dl>");
}

}  // namespace

Html policy_view(const Policy* policy, const std::string& name) {
  Html html;
  if (policy == nullptr && name.empty())
    return html("<p>A rule is data: it is matched against paths, and runs nothing. It reads no ")(
        "file, and opens no connection.</p>");
  if (policy == nullptr)
    return html("<p class=\"trouble\">Its policy <code>")
        .text(name)("</code> cannot be read any more, so nobody can say what it may do.</p>");
  html("<p>Under the policy <code>").text(policy->name)("</code>: ").text(policy->summary)("</p>");
  if (policy->grants.empty()) {
    html("<p class=\"closed\"><b>Nothing outside of itself.</b> No files, no network, no other ");
    html("process, no environment: memory, processor time and its own answer are all.</p>");
  } else {
    html("<p class=\"trouble\"><b>Opened beyond memory, time and its answer:</b></p>");
    add_permits(html, policy->grants);
  }
  html("<details><summary>").text(count_of(policy->modules.size(), "module"));
  html(" may be imported</summary>");
  add_surfaces(html, policy->modules);
  html("</details><details><summary>").text(count_of(policy->builtins.size(), "builtin"));
  html(" may be used</summary>");
  add_permits(html, policy->builtins);
  html("</details>");
  return html;
}

}  // namespace airlock::page
