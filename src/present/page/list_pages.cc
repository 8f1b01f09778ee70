// The pages that are lists: what waits, what was rejected, extractors, runs, the tail.
#include <algorithm>

#include "present/page/pages.h"
#include "present/page/views.h"
#include "present/report/drafts_output.h"

namespace airlock::page {

namespace {

constexpr std::size_t kLately = 5;  // approvals below what waits

void add_tag(Html& html, OutputKind kind) {
  html("<span class=\"tag\">");
  html(kind == OutputKind::kPython ? Markup("Python") : Markup("Rule"))("</span>");
}

void add_list_name(Html& html, std::string_view name) {
  html("<bdi>").text_up_to(name, kLongestShownCell)("</bdi>");
}

void add_waiting_row(Html& html, const Draft& draft, const Viewer& viewer) {
  html("<li data-row><a class=\"row\" href=\"/drafts/").value(url_part(draft.id))("\"><span ");
  html("class=\"name\">");
  add_list_name(html, draft.name.empty() ? "Unnamed draft" : draft.name);
  html("</span>");
  add_tag(html, draft.kind);
  html("<span class=\"by\">");
  const std::string author = cli::author_in_words(draft.written.author, draft.written.model);
  if (!author.empty()) html("by ").text_up_to(author, kLongestShownCell);
  html("</span><span class=\"age\">").add(when(draft.created, viewer.now));
  html("</span><span class=\"id\">").text(draft.id)(" · ");
  html.text(count_of(draft.samples.size(), "sample"))(" · expires in ");
  html.text(age_in_words(draft.created + kDraftLifeMs - viewer.now))("</span></a></li>");
}

void add_approved_by(Html& html, const ApprovedExtractor& one, const Viewer& viewer) {
  html("approved ").add(when(one.approved, viewer.now));
  if (!one.review.by.empty()) html(" by ").text_up_to(one.review.by, kLongestShownCell);
}

void add_extractor_row(Html& html, const ApprovedExtractor& one, const Viewer& viewer) {
  html("<li data-row><a class=\"row\" href=\"/extractors/").value(url_part(full_name(one)));
  html("\"><span class=\"name\">");
  add_list_name(html, full_name(one));
  html("</span>");
  add_tag(html, one.kind);
  html("<span class=\"by\">");
  add_approved_by(html, one, viewer);
  html("</span><span class=\"age\">");
  if (one.is_disabled) html.add(badge(Tone::kWarning, "Disabled"));
  if (one.is_signer_revoked) html.add(badge(Tone::kBad, "Key revoked"));
  html("</span><span class=\"id\">receipt ")
      .text(std::string_view(one.receipt.sha256).substr(0, 12))("</span></a></li>");
}

// How many of them failed, and the first reason.
struct RunTrouble {
  std::size_t failed = 0;
  std::string first = {};
};

RunTrouble trouble_of(const RunRecord& run) {
  RunTrouble trouble;
  for (const ExecutionRecord& one : run.executions) {
    if (one.status != ExecutionStatus::kFailed) continue;
    if (++trouble.failed == 1) trouble.first = one.probe + ": " + one.reason.value_or("");
  }
  return trouble;
}

Html run_state(const RunRecord& run) {
  const RunTrouble trouble = trouble_of(run);
  if (trouble.failed > 0) return badge(Tone::kBad, std::to_string(trouble.failed) + " failed");
  if (!run.finished) return badge(Tone::kWarning, "Not finished");
  return badge(Tone::kGood, "Finished");
}

void add_run_row(Html& html, const RunRecord& run, const Viewer& viewer) {
  html("<li data-row><a class=\"row\" href=\"/runs/").value(url_part(run.id))("\"><span ");
  html("class=\"name\">");
  add_list_name(html, run.repository);
  html("</span><span class=\"tag\">").text_up_to(run.task, kLongestShownCell)("</span>");
  html("<span class=\"by\">").text_up_to(trouble_of(run).first, kLongestShownCell)("</span>");
  html("<span class=\"age\">").add(run_state(run))(" ").add(when(run.started, viewer.now));
  html("</span><span class=\"id\">").text(run.id)("</span></a></li>");
}

Tone tone_of(ExecutionStatus status) {
  if (status == ExecutionStatus::kFailed) return Tone::kBad;
  return status == ExecutionStatus::kSkipped ? Tone::kWarning : Tone::kGood;
}

}  // namespace

std::string waiting_page(const Viewer& viewer, std::span<const Draft> drafts,
                         std::span<const ApprovedExtractor> approved) {
  Html html("<header class=\"title\"><h1>What waits for your word</h1><p>");
  if (drafts.empty())
    html("Nothing does.</p></header><p class=\"empty\">A draft comes here when something passes ")(
        "validation: <code>airlock wizard --samples FILE</code>, or <code>airlock drafts add "
        "FILE ")("--samples FILE</code>.</p>");
  else
    html.text(count_of(drafts.size(), "draft"))(", the newest first</p></header>");
  if (!drafts.empty()) {
    html("<ul class=\"list\">");
    for (const Draft& one : drafts) add_waiting_row(html, one, viewer);
    html("</ul>");
  }
  if (!approved.empty()) {
    html("<section aria-labelledby=\"lately\"><h2 id=\"lately\">Approved lately</h2>");
    html("<ul class=\"list\">");
    std::vector<const ApprovedExtractor*> newest;
    for (const ApprovedExtractor& one : approved) newest.push_back(&one);
    std::ranges::sort(newest, std::ranges::greater(), &ApprovedExtractor::approved);
    newest.resize(std::min(newest.size(), kLately));
    for (const ApprovedExtractor* one : newest) add_extractor_row(html, *one, viewer);
    html("</ul></section>");
  }
  return whole_page({.title = "Waiting", .place = Place::kWaiting}, viewer, html);
}

std::string rejected_page(const Viewer& viewer, std::span<const RejectedDraft> rejected) {
  Html html("<header class=\"title\"><h1>Rejected</h1><p>");
  html.text(count_of(rejected.size(), "draft"))(", the newest first</p></header>");
  for (const RejectedDraft& one : rejected) {
    html("<article class=\"rejected\" data-row tabindex=\"-1\"><h2>");
    add_list_name(html, one.draft.name.empty() ? "Unnamed draft" : one.draft.name);
    html(" <code>").text(one.draft.id)("</code></h2><p>");
    html.text_up_to(one.review.by.empty() ? "Somebody" : one.review.by, kLongestShownCell);
    html(" rejected it ").add(when(one.rejected, viewer.now))(":</p>");
    html("<blockquote class=\"pre\">").lines(one.review.note)("</blockquote>");
    html("<details><summary>The code</summary><pre>");
    const std::string_view shown = std::string_view(one.draft.text).substr(0, kMostShownBytes / 16);
    html.lines(shown);
    if (shown.size() < one.draft.text.size()) html("<b class=\"cut\">… cut here</b>");
    html("</pre></details></article>");
  }
  return whole_page({.title = "Rejected", .place = Place::kRejected}, viewer, html);
}

std::string extractors_page(const Viewer& viewer, std::span<const ApprovedExtractor> extractors) {
  Html html("<header class=\"title\"><h1>Extractors</h1><p>");
  html.text(count_of(extractors.size(), "extractor"))(" approved, by name</p></header>");
  if (extractors.empty())
    html("<p class=\"empty\">None was approved yet. <a href=\"/\">What waits</a></p>");
  html("<ul class=\"list\">");
  for (const ApprovedExtractor& one : extractors) add_extractor_row(html, one, viewer);
  html("</ul>");
  return whole_page({.title = "Extractors", .place = Place::kExtractors}, viewer, html);
}

std::string runs_page(const Viewer& viewer, std::span<const RunRecord> runs) {
  Html html(
      "<header class=\"title\"><h1>Runs</h1><p>Probes and flows, the newest first; what was ");
  html("denied to one is its failure.</p></header>");
  if (runs.empty())
    html("<p class=\"empty\">Nothing ran yet. <code>airlock gather REPO --probe FILE</code></p>");
  html("<ul class=\"list\">");
  for (const RunRecord& one : runs) add_run_row(html, one, viewer);
  html("</ul>");
  return whole_page({.title = "Runs", .place = Place::kRuns}, viewer, html);
}

std::string run_page(const Viewer& viewer, const RunRecord& run) {
  Html html("<p class=\"crumb\"><a href=\"/runs\">Runs</a></p><header class=\"title\"><h1>");
  add_list_name(html, run.repository);
  html("</h1><p><code>").text(run.id)("</code> · ").text_up_to(run.task, kLongestShownCell);
  html(" · started ").add(when(run.started, viewer.now))(" · ").add(run_state(run));
  html("</p></header><div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Steps\">");
  html("<table class=\"answers\"><thead><tr><th scope=\"col\">Step</th><th scope=\"col\">Status");
  html("</th><th scope=\"col\" class=\"number\">Time</th><th scope=\"col\">Reason</th>");
  html("<th scope=\"col\">Secrets found</th></tr></thead><tbody>");
  for (const ExecutionRecord& one : run.executions) {
    html(one.status == ExecutionStatus::kFailed ? Markup("<tr data-row class=\"failed\">")
                                                : Markup("<tr data-row>"));
    html("<th scope=\"row\"><bdi>").text_up_to(one.probe, kLongestShownCell)("</bdi></th><td>");
    html.add(badge(tone_of(one.status), to_string(one.status)))("</td><td class=\"number\">");
    html.number(one.duration_ms)(" ms</td><td>");
    html.text_up_to(one.reason.value_or(""), kLongestShownLine)("</td><td>");
    if (!one.findings.empty()) html.text(count_of(one.findings.size(), "secret"));
    html("</td></tr>");
  }
  html("</tbody></table></div>");
  return whole_page({.title = "Run " + run.id, .place = Place::kRuns}, viewer, html);
}

std::string tail_page(const Viewer& viewer, std::span<const TailEvent> events,
                      std::span<const std::string> unread) {
  Html html("<header class=\"title\"><h1>Live</h1><p>What happens here, the newest first. ");
  html("<span id=\"tail-state\" role=\"status\">The page is asked for again every few seconds.");
  html("</span></p></header><ol class=\"tail\" id=\"tail\" aria-live=\"polite\" ");
  html("aria-relevant=\"additions\" aria-label=\"What happened\">");
  for (const std::string& one : unread)
    html("<li class=\"trouble\">")
        .add(badge(Tone::kBad, "not read"))(" <bdi>")
        .text_up_to(one, kLongestShownLine)("</bdi></li>");
  if (events.empty() && unread.empty()) html("<li class=\"empty\">Nothing happened yet.</li>");
  for (const TailEvent& one : events) {
    html("<li>").add(when(one.time, viewer.now))(" ").add(badge(one.tone, one.what))(" ");
    if (!one.link.empty()) html("<a href=\"").value(one.link)("\">");
    html("<bdi>").text_up_to(one.words, kLongestShownCell)("</bdi>");
    if (!one.link.empty()) html("</a>");
    html("</li>");
  }
  html("</ol>");
  return whole_page({.title = "Live", .place = Place::kTail, .reload_seconds = 5}, viewer, html);
}

}  // namespace airlock::page
