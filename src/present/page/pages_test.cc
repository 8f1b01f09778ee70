// Pages out of hostile values: whatever they hold, the page has our tags and no others.
#include "present/page/pages.h"

#include <gtest/gtest.h>

#include "model/rule.h"
#include "present/page/views.h"

namespace airlock::page {
namespace {

constexpr std::string_view kAttack =
    "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\xe2\x80\xae</textarea></code>";

const Viewer kViewer{.form_token = "token", .name = "Ann", .now = 1'800'000'000'000};

bool has(const std::string& page, std::string_view words) {
  return page.find(words) != std::string::npos;
}

// The only script is ours, by address; no handler and no style stands in any tag.
void expect_only_our_markup(const std::string& page) {
  std::size_t scripts = 0;
  for (std::size_t at = page.find("<script"); at != std::string::npos;
       at = page.find("<script", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 1u);
  EXPECT_TRUE(has(page, "<script defer src=\"/assets/page.js?v="));
  for (const char* bad : {"<img", "onerror=\"", " style=", "<style", "javascript:", "http://",
                          "https://", "\xe2\x80\xae"})
    EXPECT_FALSE(has(page, bad)) << bad;
  EXPECT_EQ(page.find('\0'), std::string::npos);
  // A text that would end the element around it has ended nothing.
  std::size_t depth = 0;
  for (std::size_t at = 0; at < page.size(); ++at) {
    if (page.compare(at, 9, "<textarea") == 0) ++depth;
    if (page.compare(at, 11, "</textarea>") == 0) --depth;
  }
  EXPECT_EQ(depth, 0u);
}

Draft hostile_draft() {
  const std::string attack(kAttack);
  return {.id = "ab000001",
          .kind = OutputKind::kPython,
          .name = attack,
          .text = "def extract(path):  # " + attack + "\n    return {}\n" + std::string("\0", 1),
          .samples = {attack},
          .hint = attack,
          .policy = attack,
          .created = kViewer.now - 60'000,
          .written = {.author = "model", .model = attack, .prompt = attack, .attempts = {attack}}};
}

DraftReview hostile_review() {
  const std::string attack(kAttack);
  DraftReview review{.draft = hostile_draft()};
  review.judged.emplace();
  review.judged->validation.has_results = true;
  review.judged->validation.quality_warnings = {attack};
  review.judged->validation.walls = {attack};
  SampleResult failed;
  failed.path = attack;
  failed.error = attack;
  failed.error_type = attack;
  failed.error_line = 1;
  SampleResult fine;
  fine.path = attack;
  fine.success = true;
  fine.result = R"({"<b>key":"</td><script>x</script>","n":7,"none":null})";
  review.judged->validation.results = {fine, failed};
  Finding finding;
  finding.rule = &all_rules().front();
  finding.message = attack;
  finding.suggestion = attack;
  review.judged->validation.verdict.findings = {finding};
  ApprovedExtractor before;
  before.name = attack;
  before.text = "old " + attack;
  before.review = {.by = attack, .note = attack};
  review.before = before;
  Comparison answers;
  answers.paths = 1;
  answers.fields[attack].different = 1;
  answers.differences = {{attack, attack, attack, attack}};
  review.answers = answers;
  Policy policy;
  policy.name = attack;
  policy.summary = attack;
  policy.grants = {{attack, attack}};
  policy.modules = {{attack, attack, {}, {}}};
  policy.builtins = {{attack, attack}};
  review.policy = policy;
  return review;
}

TEST(PagesTest, HostileDraftsStayText) {
  // What somebody typed goes back into its field as it was, but for what is markup.
  std::string words(kAttack);
  words.replace(words.find("\xe2\x80\xae"), 3, "");
  const Typed typed{words, {words, words}, std::string(kAttack), std::string(kAttack)};
  for (const bool is_valid : {false, true}) {
    DraftReview review = hostile_review();
    review.judged->valid = is_valid;
    const std::string page = draft_page(kViewer, review, typed, typed);
    expect_only_our_markup(page);
    EXPECT_TRUE(has(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    EXPECT_TRUE(has(page, "<b class=\"odd\">&lt;U+202E&gt;</b>"));
  }
  for (const Decision decision : {Decision::kApprove, Decision::kReject})
    expect_only_our_markup(kept_words_page(kViewer, kAttack, decision, typed));
  const Draft draft = hostile_draft();
  expect_only_our_markup(waiting_page(kViewer, {&draft, 1}, {}));
}

TEST(PagesTest, HostileRecordsStayText) {
  const std::string attack(kAttack);
  RejectedDraft rejected{.draft = hostile_draft(), .rejected = 5, .review = {attack, attack}};
  expect_only_our_markup(rejected_page(kViewer, {&rejected, 1}));
  ApprovedExtractor extractor{.name = attack, .text = attack, .policy = attack};
  extractor.review = {attack, attack};
  extractor.author = attack;
  extractor.model = attack;
  extractor.draft = attack;
  extractor.signed_by = attack;
  extractor.came_as = attack;
  extractor.receipt = {attack, attack, attack, attack, attack};
  expect_only_our_markup(extractors_page(kViewer, {&extractor, 1}));
  expect_only_our_markup(waiting_page(kViewer, {}, {&extractor, 1}));
  expect_only_our_markup(extractor_page(
      kViewer,
      {.extractor = extractor, .check = {{attack}, true}, .history = {extractor, extractor}}));
  DraftFate fate{.approved = extractor};
  expect_only_our_markup(fate_page(kViewer, attack, fate, attack));
  fate = {.rejected = rejected};
  expect_only_our_markup(fate_page(kViewer, attack, fate, attack));
  expect_only_our_markup(fate_page(kViewer, attack, {}, attack));
  RunRecord run;
  run.id = run.repository = run.task = attack;
  ExecutionRecord execution;
  execution.probe = attack;
  execution.status = ExecutionStatus::kFailed;
  execution.reason = attack;
  run.executions.push_back(execution);
  expect_only_our_markup(runs_page(kViewer, {&run, 1}));
  expect_only_our_markup(run_page(kViewer, run));
  const TailEvent event{.time = 1, .what = attack, .words = attack, .link = attack};
  expect_only_our_markup(tail_page(kViewer, {&event, 1}, {&event.words, 1}));
  expect_only_our_markup(trouble_page(kViewer, attack, attack, {}));
}

TEST(PagesTest, TenMegabytesAreBoundedWithAMarkAndCannotBeApprovedUnseen) {
  DraftReview review{.draft = {.id = "ab000001", .name = "big", .created = 1}};
  review.judged.emplace();
  review.judged->valid = true;
  std::string one_line;
  one_line.resize(10'000'000, 'x');
  std::string many_lines;
  while (many_lines.size() < one_line.size()) many_lines += "a = '<b>'\n";
  for (const std::string& text : {one_line, many_lines}) {
    review.draft.text = text;
    EXPECT_FALSE(is_shown_whole(text));
    const std::string page = draft_page(kViewer, review, {}, {});
    EXPECT_LT(page.size(), 4'000'000u);
    EXPECT_TRUE(has(page, "Cut here") || has(page, "more bytes"));
    EXPECT_FALSE(has(page, "/approve\">"));
    EXPECT_TRUE(has(page, "Not all of it can be shown here"));
    EXPECT_TRUE(has(page, "/reject\">"));
  }
}

TEST(PagesTest, WhatFailedComesFirstAndColumnsHaveTypes) {
  SampleResult fine;
  fine.path = "/ok";
  fine.success = true;
  fine.result = R"({"year":2024,"client":"ABC","share":0.5})";
  SampleResult failed;
  failed.path = "/bad";
  failed.error_type = "IndexError";
  const std::vector<SampleResult> results{fine, failed};
  const std::string page = answers_view(results).bytes();
  EXPECT_LT(page.find("/bad"), page.find("/ok"));
  EXPECT_TRUE(has(page, "<bdi>year</bdi> <small>integer"));
  EXPECT_TRUE(has(page, "<bdi>client</bdi> <small>text"));
  EXPECT_TRUE(has(page, "<bdi>share</bdi> <small>number"));
  EXPECT_TRUE(has(page, "<td class=\"number\"><bdi>2024</bdi>"));
}

TEST(PagesTest, FindingsStandBesideTheirLine) {
  Finding finding;
  finding.rule = &all_rules().front();
  finding.place.line = 2;
  finding.message = "no";
  const std::string page = code_view("a = 1\nb = 2\n", OutputKind::kPython, {&finding, 1}).bytes();
  const std::size_t at = page.find("id=\"L2\" class=\"found\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(page.find("<p>no</p>"), at);
  EXPECT_FALSE(has(page, "id=\"L3\""));
}

TEST(PagesTest, ChangedLinesStandSideBySide) {
  const std::string page = code_changes_view("a\nb\nc\n", "a\nx\nc\n").bytes();
  EXPECT_TRUE(has(page, "removed: </span>−</span><code>b</code>"));
  EXPECT_TRUE(has(page, "added: </span>+</span><code>x</code>"));
  std::string longer;
  for (int i = 0; i < 100; ++i) longer += "line " + std::to_string(i) + "\n";
  EXPECT_TRUE(has(code_changes_view(longer, longer + "end\n").bytes(), "97 lines are the same"));
}

TEST(PagesTest, OneGlanceSaysWhatItIs) {
  DraftReview review{.draft = {.id = "ab000001", .name = "sales", .policy = "extractor"}};
  review.draft.created = kViewer.now - 60'000;
  review.judged.emplace();
  review.judged->valid = true;
  review.judged->validation.has_results = true;
  review.policy.emplace().name = "extractor";
  const std::string page = draft_page(kViewer, review, {}, {});
  for (const char* words : {"Passes", "Nothing outside", "All of it is new", "Not said",
                            "action=\"/drafts/ab000001/approve\"", "value=\"Ann\"",
                            "name=\"token\" value=\"token\"", "kept <time"})
    EXPECT_TRUE(has(page, words)) << words;
}

TEST(PagesTest, WithoutSigningInThereIsNoNavigation) {
  const std::string page = sign_in_page({});
  EXPECT_TRUE(has(page, "airlock review"));
  EXPECT_FALSE(has(page, "<nav"));
  EXPECT_FALSE(has(page, "name=\"token\""));
}

}  // namespace
}  // namespace airlock::page
