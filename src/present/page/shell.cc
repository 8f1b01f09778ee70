#include "present/page/shell.h"

#include <array>

#include "base/utc_time.h"
#include "present/page/assets.h"

namespace airlock::page {

namespace {

constexpr std::int64_t kMinuteMs = 60 * 1000;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::int64_t kDayMs = 24 * kHourMs;

struct Door {
  Place place = Place::kNowhere;
  Markup link;
};

constexpr std::array kDoors = {
    Door{Place::kWaiting, "<a href=\"/\" data-key=\"w\""},
    Door{Place::kExtractors, "<a href=\"/extractors\" data-key=\"e\""},
    Door{Place::kRuns, "<a href=\"/runs\" data-key=\"s\""},
    Door{Place::kTail, "<a href=\"/tail\" data-key=\"t\""},
    Door{Place::kRejected, "<a href=\"/rejected\" data-key=\"x\""},
};
constexpr std::array kDoorNames = {Markup(">Waiting</a>"), Markup(">Extractors</a>"),
                                   Markup(">Runs</a>"), Markup(">Live</a>"),
                                   Markup(">Rejected</a>")};

void add_navigation(Html& page, const Frame& frame, const Viewer& viewer) {
  page("<nav aria-label=\"Main\"><ul>");
  for (std::size_t i = 0; i < kDoors.size(); ++i) {
    page("<li>")(kDoors[i].link);
    if (kDoors[i].place == frame.place) page(" aria-current=\"page\"");
    page(kDoorNames[i])("</li>");
  }
  page("</ul></nav><form class=\"out\" method=\"post\" action=\"/sign-out\">");
  page.add(form_token_field(viewer))("<button class=\"quiet\">Sign out</button></form>");
}

void add_keyboard_help(Html& page) {
  page(R"(<details id="keys"><summary>Keyboard</summary><dl class="keys">
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next, previous row or change</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>open the row</dd></div>
<div><dt><kbd>f</kbd></dt><dd>next finding</dd></div>
<div><dt><kbd>a</kbd></dt><dd>to the approval</dd></div>
<div><dt><kbd>r</kbd></dt><dd>to the rejection</dd></div>
<div><dt><kbd>w</kbd> <kbd>e</kbd> <kbd>s</kbd> <kbd>t</kbd> <kbd>x</kbd></dt><dd>waiting, extractors, runs, live, rejected</dd></div>
<div><dt><kbd>?</kbd></dt><dd>these keys</dd></div>
</dl><label class="switch"><input type="checkbox" id="keys-on" checked> Single keys act on this page</label></details>)");
}

Html link_of(std::string_view name) {
  Html link;
  link("/assets/").value(name)("?v=").value(asset_version());
  return link;
}

}  // namespace

std::string whole_page(const Frame& frame, const Viewer& viewer, const Html& body) {
  Html page(R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>)");
  page.text(frame.title)(" · Airlock</title><link rel=\"icon\" href=\"").add(link_of("icon.svg"));
  page("\"><link rel=\"stylesheet\" href=\"").add(link_of("page.css"))("\">");
  page("<script defer src=\"").add(link_of("page.js"))("\"></script>");
  if (frame.reload_seconds > 0)
    page("<noscript><meta http-equiv=\"refresh\" content=\"")
        .number(frame.reload_seconds)("\"></noscript>");
  // A page that goes on by itself, and no redirection: that would still count as the step from
  // wherever the link stood, and a browser sends no SameSite=Strict cookie with such a step.
  if (frame.goes_to_start) page("<meta http-equiv=\"refresh\" content=\"0; url=/\">");
  page("</head>\n<body><a class=\"skip\" href=\"#main\">Skip to the content</a>");
  page("<header class=\"top\"><a class=\"mark\" href=\"/\"><span class=\"sign\"></span>Airlock");
  page(" <small>review</small></a>");
  if (viewer.is_signed_in()) add_navigation(page, frame, viewer);
  page("</header>\n<main id=\"main\" tabindex=\"-1\">").add(body)("</main>\n<footer>");
  if (viewer.is_signed_in()) add_keyboard_help(page);
  page("<p>Code on this page was judged and run behind walls; nothing here runs it.</p></footer>");
  page("</body></html>\n");
  return std::move(page).bytes();
}

Html badge(Tone tone, std::string_view words) {
  Html html;
  switch (tone) {
    case Tone::kGood:
      html("<span class=\"badge good\"><span aria-hidden=\"true\">✓</span> ");
      break;
    case Tone::kBad:
      html("<span class=\"badge bad\"><span aria-hidden=\"true\">✗</span> ");
      break;
    case Tone::kWarning:
      html("<span class=\"badge warning\"><span aria-hidden=\"true\">!</span> ");
      break;
    case Tone::kNeutral:
      html("<span class=\"badge\">");
      break;
  }
  html.text(words)("</span>");
  return html;
}

Html notice(Tone tone, std::string_view title, std::string_view words) {
  Html html;
  const bool is_bad = tone == Tone::kBad || tone == Tone::kWarning;
  html("<div class=\"notice ");
  if (tone == Tone::kGood) html("good");
  if (tone == Tone::kBad) html("bad");
  if (tone == Tone::kWarning) html("warning");
  if (is_bad) html("\" role=\"alert\">");
  if (!is_bad) html("\" role=\"status\">");
  html("<strong>").text(title)("</strong>");
  if (!words.empty()) html("<p class=\"pre\">").lines(words)("</p>");
  html("</div>");
  return html;
}

std::string age_in_words(std::int64_t milliseconds) {
  if (milliseconds < kMinuteMs) return "less than a minute";
  if (milliseconds < kHourMs) return std::to_string(milliseconds / kMinuteMs) + " min";
  if (milliseconds < 2 * kDayMs) return std::to_string(milliseconds / kHourMs) + " h";
  return std::to_string(milliseconds / kDayMs) + " days";
}

Html when(std::int64_t time, std::int64_t now) {
  Html html;
  html("<time datetime=\"").value(utc_for_programs(time))("\" title=\"");
  html.value(utc_for_people(time) + " UTC")("\">");
  if (time > now || time <= 0) return html.text(utc_for_people(time) + " UTC")("</time>");
  if (now - time < kMinuteMs) return html("just now</time>");
  return html.text(age_in_words(now - time) + " ago")("</time>");
}

Html form_token_field(const Viewer& viewer) {
  Html html;
  html("<input type=\"hidden\" name=\"token\" value=\"").value(viewer.form_token)("\">");
  return html;
}

std::string trouble_page(const Viewer& viewer, std::string_view title, std::string_view words,
                         const Html& next) {
  Html body("<article class=\"narrow\"><h1>");
  body.text(title)("</h1><p class=\"pre\">").lines(words)("</p>").add(next)("</article>");
  return whole_page({.title = std::string(title)}, viewer, body);
}

std::string sign_in_page(const Viewer& viewer) {
  Html body(R"(<article class="narrow"><h1>Sign in</h1>
<p>This is where drafts of AI-written code are looked at, and approved or rejected. It is open to whoever has the link that
the server printed.</p>
<ol><li>Look at the terminal in which <code>airlock review</code> or <code>airlock serve --http</code> runs.</li>
<li>Open the link that it printed last. It works once.</li></ol>
<p>No server in sight? On the machine itself: <code>airlock review</code> starts one and opens this page.</p></article>)");
  return whole_page({.title = "Sign in"}, viewer, body);
}

std::string signed_in_page(const Viewer& viewer) {
  Html body(R"(<article class="narrow"><h1>You are signed in</h1>
<p><a class="button" href="/">Go to what waits</a></p></article>)");
  return whole_page({.title = "Signed in", .goes_to_start = true}, viewer, body);
}

std::string link_used_page(const Viewer& viewer) {
  Html body(R"(<article class="narrow"><h1>This link was used, or is an old one</h1>
<p>A link works once. The server printed the next one in its terminal when this one was used; it ends with the server.</p>
<p>If it was not you who used it, end the server: that signs everybody out.</p></article>)");
  return whole_page({.title = "A used link"}, viewer, body);
}

}  // namespace airlock::page
