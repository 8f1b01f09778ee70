// One draft, as a person meets it: four answers at a glance (does it pass, what may it do, what
// changed, who wrote it), the decision beside them, and below the evidence for each.
#include <algorithm>
#include <set>

#include "present/page/pages.h"
#include "present/page/views.h"
#include "present/report/drafts_output.h"

namespace airlock::page {

namespace {

std::string shown_name(const Draft& draft) {
  return draft.name.empty() ? "Unnamed draft" : draft.name;
}

Markup kind_word(OutputKind kind) {
  return kind == OutputKind::kPython ? Markup("Python") : Markup("Path rule");
}

std::size_t passed_count(const JudgedDraft& judged) {
  return static_cast<std::size_t>(
      std::ranges::count_if(judged.validation.results, &SampleResult::success));
}

// A rule that cannot be read has problems instead of findings; on the page they look alike.
std::vector<Finding> findings_of(const DraftReview& review) {
  if (!review.judged) return {};
  std::vector<Finding> findings = review.judged->validation.verdict.findings;
  for (const rules::RuleFileProblem& one : review.judged->problems) {
    Finding finding;
    finding.place.line = static_cast<std::uint32_t>(one.line);
    finding.message = one.message;
    findings.push_back(std::move(finding));
  }
  return findings;
}

bool may_be_approved(const DraftReview& review) {
  return review.judged && review.judged->valid && is_shown_whole(review.draft.text);
}

// Against the receipt of the version before: what it allows, not what it is called.
bool is_other_policy(const DraftReview& review) {
  return review.before && review.before->receipt.policy_sha256 != seen_in(review).policy_sha256;
}

bool are_other_samples(const DraftReview& review) {
  return review.before && review.before->receipt.samples_sha256 != seen_in(review).samples_sha256;
}

void open_card(Html& html, Markup label, Markup target) {
  html("<a class=\"card\" href=\"")(target)("\"><span class=\"label\">")(label)("</span>");
}

void add_verdict_card(Html& html, const DraftReview& review) {
  open_card(html, "Does it pass?", "#answers");
  if (!review.judged) {
    html.add(badge(Tone::kWarning, "Not judged"))("<small>").text_up_to(
        review.why_not_judged, kLongestShownCell)("</small></a>");
    return;
  }
  const JudgedDraft& judged = *review.judged;
  html.add(judged.valid ? badge(Tone::kGood, "Passes") : badge(Tone::kBad, "Does not pass"));
  html("<small>");
  if (judged.validation.has_results)
    html.number(passed_count(judged))(" of ").text(
        count_of(judged.validation.results.size(), "sample"));
  else
    html("refused before it ran");
  const std::size_t found = findings_of(review).size();
  if (found > 0) html(", ").text(count_of(found, "finding"));
  html("</small></a>");
}

void add_grants_card(Html& html, const DraftReview& review) {
  open_card(html, "What may it do?", "#grants");
  if (review.draft.kind == OutputKind::kYaml)
    html.add(badge(Tone::kGood, "Runs nothing"))("<small>a rule is data</small></a>");
  else if (!review.policy)
    html.add(badge(Tone::kBad, "Unknown"))("<small>its policy cannot be read</small></a>");
  else if (review.policy->grants.empty())
    html.add(badge(Tone::kGood, "Nothing outside"))("<small>policy ")
        .text(review.policy->name)("</small></a>");
  else
    html.add(badge(Tone::kWarning, count_of(review.policy->grants.size(), "grant")))(
            "<small>policy ")
        .text(review.policy->name)("</small></a>");
}

void add_changes_card(Html& html, const DraftReview& review) {
  open_card(html, "What changed?", "#changes");
  if (!review.before) {
    html.add(badge(Tone::kNeutral, "All of it is new"))(
        "<small>nothing of this name was approved</small></a>");
    return;
  }
  const ChangedLines changed = count_changes(review.before->text, review.draft.text);
  const bool has_same_policy = !is_other_policy(review);
  if (changed.added + changed.removed == 0) {
    html.add(has_same_policy ? badge(Tone::kGood, "Same code")
                             : badge(Tone::kWarning, "Same code, other policy"));
  } else {
    html("<span class=\"badge\"><span class=\"plus\">+").number(changed.added);
    html("</span> <span class=\"minus\">−").number(changed.removed)("</span> lines</span>");
  }
  html("<small>");
  if (!has_same_policy) html("another policy, ");
  if (are_other_samples(review)) html("other samples, ");
  if (review.answers)
    html.number(review.answers->paths - review.answers->equal_rows)(" of ").text(
        count_of(review.answers->paths, "answer"));
  if (review.answers) html(review.answers->paths == 1 ? Markup(" differs") : Markup(" differ"));
  if (!review.answers) html("answers not compared");
  html(" against ").text(full_name(*review.before))("</small></a>");
}

void add_author_card(Html& html, const Draft& draft) {
  open_card(html, "Who wrote it?", "#author");
  const std::string author = cli::author_in_words(draft.written.author, draft.written.model);
  html("<span class=\"badge\">").text(author.empty() ? "Not said" : author)("</span><small>");
  if (!draft.written.attempts.empty())
    html.text(count_of(draft.written.attempts.size(), "attempt"));
  html("</small></a>");
}

void add_field(Html& html, Markup id, Markup label, Markup attributes, const Html& value) {
  html("<label for=\"")(id)("\">")(label)("</label><input id=\"")(id)("\" ")(attributes);
  html(" value=\"").add(value)("\">");
}

void add_note(Html& html, Markup id, Markup label, Markup attributes, const Typed& typed) {
  html("<label for=\"")(id)("\">")(label)("</label><textarea id=\"")(
      id)("\" name=\"note\" rows=\"3\" maxlength=\"4000\" ")(attributes)(">\n");
  html.typed(typed.review.note)("</textarea>");
}

// What a field holds at first is of anybody, and what was typed into it is the reader's own.
Html value_for(const Typed& typed, std::string_view words, std::string_view at_first) {
  Html value;
  return typed.trouble.empty() ? value.value(at_first) : value.typed(words);
}

void add_form_trouble(Html& html, const Typed& typed) {
  if (typed.trouble.empty()) return;
  html.add(notice(Tone::kBad, "Nothing was changed", typed.trouble));
}

// A form for one word about one draft, as it was seen.
struct DecisionForm {
  const Viewer& viewer;
  std::string_view draft;  // its id
  std::string_view seen;
  const Typed& typed;
};

void open_decision(Html& html, const DecisionForm& form, Markup verb) {
  html("<form method=\"post\" action=\"/drafts/").value(form.draft)("/")(verb)("\">");
  html.add(form_token_field(form.viewer))("<input type=\"hidden\" name=\"seen\" value=\"");
  html.value(form.seen)("\">");
}

void add_approval_form(Html& html, const DecisionForm& form, std::string_view name) {
  open_decision(html, form, "approve");
  add_field(html, "approve-name", "Name of the extractor",
            "name=\"name\" required maxlength=\"64\" pattern=\"[A-Za-z][A-Za-z0-9_.\\-]*\" "
            "autocomplete=\"off\" spellcheck=\"false\"",
            value_for(form.typed, form.typed.name, name));
  add_field(html, "approve-by", "Your name",
            "name=\"by\" required maxlength=\"100\" autocomplete=\"name\"",
            value_for(form.typed, form.typed.review.by, form.viewer.name));
  add_note(html, "approve-note", "Note <small>optional, kept with the receipt</small>", "",
           form.typed);
  html("<button class=\"primary\">Approve</button></form>");
}

void add_rejection_form(Html& html, const DecisionForm& form) {
  open_decision(html, form, "reject");
  add_field(html, "reject-by", "Your name",
            "name=\"by\" required maxlength=\"100\" autocomplete=\"name\"",
            value_for(form.typed, form.typed.review.by, form.viewer.name));
  add_note(html, "reject-note", "Why <small>for its author</small>", "required", form.typed);
  html("<button>Reject</button></form>");
}

void add_approval(Html& html, const Viewer& viewer, const DraftReview& review, const Typed& typed) {
  const Draft& draft = review.draft;
  html("<section class=\"decide\" id=\"approve\" aria-labelledby=\"approve-title\">");
  html("<h2 id=\"approve-title\">Approve</h2>");
  add_form_trouble(html, typed);
  if (may_be_approved(review)) {
    add_approval_form(html, {viewer, draft.id, to_word(seen_in(review)), typed}, draft.name);
    html("</section>");
    return;
  }
  const bool passes = review.judged && review.judged->valid;
  html("<p>");
  if (passes)
    html("Not all of it can be shown here. Read it whole, and approve it there: <code>airlock ")(
        "drafts show ")
        .text(draft.id)("</code>, <code>airlock approve ")
        .text(draft.id)("</code>");
  else
    html("It does not pass here and now, so it cannot be approved.");
  html("</p></section>");
}

void add_rejection(Html& html, const Viewer& viewer, const DraftReview& review,
                   const Typed& typed) {
  html("<section class=\"decide\" id=\"reject\" aria-labelledby=\"reject-title\">");
  html("<h2 id=\"reject-title\">Reject</h2>");
  add_form_trouble(html, typed);
  add_rejection_form(html, {viewer, review.draft.id, to_word(seen_in(review)), typed});
  html("</section>");
}

void add_answers_section(Html& html, const DraftReview& review) {
  html("<section id=\"answers\" aria-labelledby=\"answers-title\"><h2 id=\"answers-title\">");
  html("What it answers</h2>");
  if (!review.judged) {
    html("<p class=\"trouble\">It could not be tried here: ")
        .text_up_to(review.why_not_judged, kLongestShownLine)("</p></section>");
    return;
  }
  const Validation& validation = review.judged->validation;
  if (!validation.has_results) {
    html("<p class=\"trouble\">It was refused before it ran: ")
        .text_up_to(why_invalid(*review.judged), kLongestShownLine)("</p></section>");
    return;
  }
  html.add(answers_view(validation.results));
  if (!validation.quality_warnings.empty()) {
    html("<h3>Worth a look</h3><ul>");
    for (const std::string& one : validation.quality_warnings)
      html("<li>").text_up_to(one, kLongestShownLine)("</li>");
    html("</ul>");
  }
  if (!validation.walls.empty()) {
    html("<details><summary>It ran behind ").text(count_of(validation.walls.size(), "wall"));
    html("</summary><p>");
    for (const std::string& wall : validation.walls) html("<code>").text(wall)("</code> ");
    html("</p></details>");
  }
  html("</section>");
}

void add_other_policy(Html& html, const DraftReview& review) {
  if (!is_other_policy(review)) return;
  const ApprovedExtractor& before = *review.before;
  html("<p class=\"trouble\"><b>Under another policy.</b> ").text(full_name(before));
  if (before.policy.empty())
    html(" is a rule, and runs nothing");
  else
    html(" was approved under <code>").text(before.policy)("</code>");
  if (review.draft.policy == before.policy)
    html(", which allows something else now");
  else if (review.draft.policy.empty())
    html("; this is a rule, and runs nothing");
  else
    html("; this would run under <code>").text(review.draft.policy)("</code>");
  html(": see <a href=\"#grants\">what it may do</a>.</p>");
}

std::size_t count_missing(std::span<const std::string> from, std::span<const std::string> in) {
  const std::set<std::string_view> known(in.begin(), in.end());
  return static_cast<std::size_t>(
      std::ranges::count_if(from, [&](const auto& one) { return !known.contains(one); }));
}

// A version that came in a bundle came without its samples: there is nothing to count then.
void add_other_samples(Html& html, const DraftReview& review) {
  if (!are_other_samples(review)) return;
  const std::vector<std::string>& before = review.before->samples;
  html("<p>Its samples are not those of ").text(full_name(*review.before));
  if (!before.empty()) {
    html(": ").number(count_missing(review.draft.samples, before))(" are new, ");
    html.number(count_missing(before, review.draft.samples))(" of those are not among them");
  }
  html(".</p>");
}

void add_changes_section(Html& html, const DraftReview& review) {
  html("<section id=\"changes\" aria-labelledby=\"changes-title\"><h2 id=\"changes-title\">");
  html("What changed</h2>");
  if (!review.before) {
    html("<p>No version of this name was approved before, so all of it is new.</p></section>");
    return;
  }
  const ApprovedExtractor& before = *review.before;
  html("<p>Against <a href=\"/extractors/").value(url_part(full_name(before)))("\">");
  html.text(full_name(before))("</a>");
  if (!before.review.by.empty()) html(", which ").text(before.review.by)(" approved");
  html(".</p>");
  add_other_policy(html, review);
  add_other_samples(html, review);
  if (before.text == review.draft.text)
    html("<p>The code is the same.</p>");
  else
    html.add(code_changes_view(before.text, review.draft.text));
  html("<h3>Answers to the same paths</h3>");
  if (review.answers)
    html.add(answer_changes_view(*review.answers));
  else
    html("<p class=\"trouble\">Not compared: ")
        .text_up_to(review.why_not_compared, kLongestShownLine)("</p>");
  html("</section>");
}

void add_author_section(Html& html, const Viewer& viewer, const Draft& draft) {
  html("<section id=\"author\" aria-labelledby=\"author-title\"><h2 id=\"author-title\">");
  html("Who wrote it</h2><dl class=\"facts\">");
  const auto fact = [&](Markup label, std::string_view value) {
    if (value.empty()) return;
    html("<div><dt>")(label)("</dt><dd>").text_up_to(value, kLongestShownLine)("</dd></div>");
  };
  fact("Written by", cli::author_in_words(draft.written.author, draft.written.model));
  fact("Model", draft.written.model);
  fact("Hint", draft.hint);
  html("<div><dt>Kept</dt><dd>").add(when(draft.created, viewer.now))("</dd></div>");
  html("<div><dt>Expires in</dt><dd>")
      .text(age_in_words(draft.created + kDraftLifeMs - viewer.now))("</dd></div></dl>");
  if (!draft.written.attempts.empty()) {
    html("<h3>Attempts</h3><ol>");
    for (const std::string& one : draft.written.attempts)
      html("<li class=\"pre\">").lines(one)("</li>");
    html("</ol>");
  }
  if (!draft.written.prompt.empty())
    html("<details><summary>What was sent to the model first</summary><pre>")
        .lines(draft.written.prompt)("</pre></details>");
  html("</section>");
}

}  // namespace

std::string draft_page(const Viewer& viewer, const DraftReview& review, const Typed& approving,
                       const Typed& rejecting) {
  const Draft& draft = review.draft;
  Html html("<p class=\"crumb\"><a href=\"/\">Waiting</a></p><header class=\"title\"><h1><bdi>");
  html.text_up_to(shown_name(draft), kLongestShownCell)("</bdi></h1><p><code>").text(draft.id);
  html("</code> · ")(kind_word(draft.kind))(" · ")
      .text(count_of(draft.samples.size(), "sample path"))(" · kept ")
      .add(when(draft.created, viewer.now))("</p><a class=\"button jump\" href=\"#approve\">");
  html("Decide</a></header><div class=\"cards\">");
  add_verdict_card(html, review);
  add_grants_card(html, review);
  add_changes_card(html, review);
  add_author_card(html, draft);
  html("</div><div class=\"columns\"><div class=\"evidence\">");
  // Who has seen the version before wants to see what is new first.
  const bool is_changed =
      review.before && (review.before->text != draft.text || is_other_policy(review));
  if (is_changed) add_changes_section(html, review);
  html("<section id=\"code\" aria-labelledby=\"code-title\"><h2 id=\"code-title\">The code</h2>");
  html.add(code_view(draft.text, draft.kind, findings_of(review)))("</section>");
  add_answers_section(html, review);
  if (!is_changed) add_changes_section(html, review);
  html("<section id=\"grants\" aria-labelledby=\"grants-title\"><h2 id=\"grants-title\">");
  html("What it may do</h2>")
      .add(policy_view(review.policy ? &*review.policy : nullptr, draft.policy))("</section>");
  add_author_section(html, viewer, draft);
  html("</div><aside class=\"decisions\" aria-label=\"Decision\">");
  add_approval(html, viewer, review, approving);
  add_rejection(html, viewer, review, rejecting);
  html("</aside></div>");
  return whole_page({.title = shown_name(draft), .place = Place::kWaiting}, viewer, html);
}

std::string kept_words_page(const Viewer& viewer, std::string_view id, Decision decision,
                            const Typed& typed) {
  Html html("<article class=\"narrow\"><h1>This cannot be done now</h1>");
  add_form_trouble(html, typed);
  html("<p>What you typed is here. When the cause is mended, send it again, or <a href=\"/drafts/");
  html.value(id)("\">look at the draft again</a>.</p>");
  const DecisionForm form{viewer, id, typed.seen, typed};
  if (decision == Decision::kApprove)
    add_approval_form(html, form, "");
  else
    add_rejection_form(html, form);
  html("</article>");
  return whole_page({.title = "Draft " + std::string(id), .place = Place::kWaiting}, viewer, html);
}

std::string fate_page(const Viewer& viewer, std::string_view id, const DraftFate& fate,
                      std::string_view trouble) {
  Html html("<article class=\"narrow\">");
  if (fate.approved) {
    const ApprovedExtractor& one = *fate.approved;
    html("<h1>It is approved already</h1><p>")
        .text(one.review.by.empty() ? "Somebody" : one.review.by);
    html(" approved the draft <code>").text(id)("</code> as <b>").text(full_name(one));
    html("</b>, ").add(when(one.approved, viewer.now))(".</p>");
    if (!one.review.note.empty())
      html("<blockquote class=\"pre\">").lines(one.review.note)("</blockquote>");
    html("<p><a class=\"button\" href=\"/extractors/").value(url_part(full_name(one)));
    html("\">See the receipt</a></p>");
  } else if (fate.rejected) {
    const RejectedDraft& one = *fate.rejected;
    html("<h1>It is rejected</h1><p>").text(one.review.by.empty() ? "Somebody" : one.review.by);
    html(" rejected the draft <code>").text(id)("</code> ").add(when(one.rejected, viewer.now));
    html(":</p><blockquote class=\"pre\">").lines(one.review.note)("</blockquote>");
  } else {
    html("<h1>This draft is gone</h1><p class=\"pre\">").lines(trouble)("</p>");
  }
  html("<p><a href=\"/\">What waits</a></p></article>");
  return whole_page({.title = "Draft " + std::string(id), .place = Place::kWaiting}, viewer, html);
}

}  // namespace airlock::page
