#include "base/utc_time.h"
#include "engine/approve/ed25519.h"
#include "present/page/pages.h"
#include "present/page/views.h"
#include "present/report/drafts_output.h"
#include "present/report/receipt_output.h"

namespace airlock::page {

namespace {

void add_receipt_state(Html& html, const ExtractorView& view) {
  if (!view.not_checked.empty()) {
    html.add(notice(Tone::kWarning, "The receipt could not be checked", view.not_checked));
    return;
  }
  if (view.check.holds()) {
    html("<p>").add(badge(Tone::kGood, "The receipt holds"))(
        " It runs as it was approved: the same text, policy and interpreter.</p>");
    return;
  }
  std::string words;
  for (const std::string& change : view.check.changes) words += change + ".\n";
  words += cli::receipt_advice(view.extractor, view.check);
  html.add(notice(Tone::kBad, "The receipt does not hold, and it does not run", words));
}

void add_receipt_facts(Html& html, const ApprovedExtractor& extractor) {
  const auto fact = [&](Markup label, std::string_view value) {
    if (value.empty()) return;
    html("<div><dt>")(label)("</dt><dd class=\"pre\">").lines(value)("</dd></div>");
  };
  const auto hash = [&](Markup label, std::string_view value) {
    if (value.empty()) return;
    html("<div><dt>")(label)("</dt><dd><code class=\"hash\">").text(value)("</code></dd></div>");
  };
  html("<dl class=\"facts receipt\">");
  fact("Approved", utc_for_people(extractor.approved) + " UTC");
  fact("By", extractor.review.by);
  fact("Note", extractor.review.note);
  fact("Written by", cli::author_in_words(extractor.author, extractor.model));
  fact("Was draft", extractor.draft);
  fact("Policy", extractor.policy);
  fact("Runs on", extractor.receipt.interpreter);
  if (!extractor.signed_by.empty()) {
    fact("Came as", extractor.came_as);
    hash("Signed by", fingerprint_of(extractor.signed_by));
  }
  hash("Receipt", extractor.receipt.sha256);
  hash("of the text", extractor.receipt.text_sha256);
  hash("of the policy", extractor.receipt.policy_sha256);
  hash("of the samples", extractor.receipt.samples_sha256);
  html("</dl>");
}

void add_history(Html& html, const ExtractorView& view, const Viewer& viewer) {
  if (view.history.size() < 2) return;
  html("<section aria-labelledby=\"history\"><h2 id=\"history\">Versions</h2><ol class=\"tail\" ");
  html("reversed>");
  for (const ApprovedExtractor& one : view.history) {
    html("<li data-row>").add(when(one.approved, viewer.now))(" <a href=\"/extractors/");
    html.value(url_part(full_name(one)))("\"");
    if (one.version == view.extractor.version) html(" aria-current=\"true\"");
    html(">").text(full_name(one))("</a>");
    if (!one.review.by.empty()) html(" by ").text_up_to(one.review.by, kLongestShownCell);
    if (!one.review.note.empty())
      html(" <q>").text_up_to(one.review.note, kLongestShownCell)("</q>");
    html("</li>");
  }
  html("</ol></section>");
}

}  // namespace

std::string extractor_page(const Viewer& viewer, const ExtractorView& view) {
  const ApprovedExtractor& extractor = view.extractor;
  Html html("<p class=\"crumb\"><a href=\"/extractors\">Extractors</a></p>");
  if (view.is_new)
    html.add(notice(Tone::kGood, full_name(extractor) + " is approved",
                    "To run it: airlock extract " + extractor.name + " PATHS"));
  html("<header class=\"title\"><h1><bdi>").text(full_name(extractor))("</bdi></h1><p>");
  html(extractor.kind == OutputKind::kPython ? Markup("Python") : Markup("Path rule"))(" · ");
  html.text(count_of(extractor.samples.size(), "sample path"));
  if (extractor.is_disabled) html(" · ").add(badge(Tone::kWarning, "Disabled"));
  html("</p></header><section aria-labelledby=\"receipt\"><h2 id=\"receipt\">Receipt</h2>");
  add_receipt_state(html, view);
  add_receipt_facts(html, extractor);
  html("</section><section aria-labelledby=\"code-title\"><h2 id=\"code-title\">The code</h2>");
  html.add(code_view(extractor.text, extractor.kind, {}))("</section>");
  add_history(html, view, viewer);
  return whole_page({.title = full_name(extractor), .place = Place::kExtractors}, viewer, html);
}

}  // namespace airlock::page
