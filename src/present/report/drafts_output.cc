// Drafts and approved extractors. A list has a line each; one by itself has its facts in two
// columns, its text and its samples, and ends with the command that goes on.
//
//   1f00ab12  python  sales  5 samples, 3 min old, expires in 23 h 57 min
//
// Texts of programs are shown through text_for_terminal(), so that reading one before approval
// cannot be influenced by control characters in it.
#include "present/report/drafts_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utc_time.h"
#include "engine/approve/ed25519.h"
#include "present/report/json_text.h"
#include "present/report/receipt_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSamplesShown = 20;
constexpr std::size_t kLabel = 13;  // columns of the labels on the left

// "3 min", "2 h 5 min".
std::string duration(std::int64_t milliseconds) {
  const std::int64_t minutes = std::max<std::int64_t>(milliseconds, 0) / 60000;
  if (minutes < 60) return fmt::format("{} min", minutes);
  return fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

// Milliseconds that a draft still lives; negative when it has expired and nobody has removed it
// yet.
std::int64_t left(const Draft& draft, std::int64_t now) {
  return draft.created + kDraftLifeMs - now;
}

// Empty lines stay empty: no spaces at the end of a line.
std::string indented(std::string_view text) {
  std::string out;
  bool is_at_start = true;
  for (const char letter : text) {
    if (is_at_start && letter != '\n') out += "  ";
    out += letter;
    is_at_start = letter == '\n';
  }
  return out;
}

std::string samples_of(std::span<const std::string> samples) {
  std::string out;
  for (const std::string& path : samples.first(std::min(samples.size(), kMostSamplesShown)))
    out += "  " + printable(path) + "\n";
  if (samples.size() > kMostSamplesShown)
    out += fmt::format("  … and {} more\n", samples.size() - kMostSamplesShown);
  return out;
}

// A fact that is not there has no row.
std::string row(std::string_view label, std::string_view value, Colour colour) {
  if (value.empty()) return {};
  return paint(padded(label, kLabel), Style::kLabel, colour) + printable(value) + "\n";
}

std::string heading(std::string_view text, Colour colour) {
  return "\n" + paint(text, Style::kHeading, colour) + "\n";
}

// Of one that was imported.
std::string signer_of(const ApprovedExtractor& extractor) {
  if (extractor.signed_by.empty()) return {};
  return fingerprint_of(extractor.signed_by) +
         (extractor.is_signer_revoked ? ", a key that was revoked since" : "");
}

// What a list says of each; the documents about a single one add its text and samples.
Json names_of(const Draft& draft) {
  return {{"id", draft.id},
          {"output", to_string(draft.kind)},
          {"name", draft.name.empty() ? Json() : Json(draft.name)},
          {"created", utc_for_programs(draft.created)},
          {"expires", utc_for_programs(draft.created + kDraftLifeMs)},
          {"policy", draft.policy.empty() ? Json() : Json(draft.policy)},
          {"hint", draft.hint.empty() ? Json() : Json(draft.hint)},
          {"author", draft.written.author.empty() ? Json() : Json(draft.written.author)},
          {"model", draft.written.model.empty() ? Json() : Json(draft.written.model)},
          {"sample_count", draft.samples.size()}};
}

Json names_of(const ApprovedExtractor& extractor) {
  return {{"name", extractor.name},
          {"version", extractor.version},
          {"output", to_string(extractor.kind)},
          {"approved", utc_for_programs(extractor.approved)},
          {"disabled", extractor.is_disabled},
          {"policy", extractor.policy.empty() ? Json() : Json(extractor.policy)},
          {"approved_by", extractor.review.by.empty() ? Json() : Json(extractor.review.by)},
          {"note", extractor.review.note.empty() ? Json() : Json(extractor.review.note)},
          {"author", extractor.author.empty() ? Json() : Json(extractor.author)},
          {"model", extractor.model.empty() ? Json() : Json(extractor.model)},
          {"receipt", extractor.receipt.sha256}};
}

}  // namespace

std::string author_in_words(std::string_view author, std::string_view model) {
  const std::string of_model = model.empty() ? "" : " (" + std::string(model) + ")";
  if (author == "model") return "a model" + of_model;
  if (author == "inference") return "inference, from the sample paths";
  if (author == "templates") return "templates, from the sample paths";
  if (author == "person")
    return model.empty() ? "a person" : "a person, after a model" + of_model + " was asked";
  if (author == "file") return "a file that was added by hand";
  return std::string(author) + of_model;
}

std::string rejected_as_text(std::span<const RejectedDraft> rejected, Colour colour) {
  if (rejected.empty()) return "No draft was rejected. Those that wait: airlock drafts\n";
  std::string out;
  for (const RejectedDraft& one : rejected) {
    out += paint(printable(one.draft.id), Style::kPlace, colour) +
           fmt::format("  {:<6}  ", to_string(one.draft.kind)) +
           printable(one.draft.name.empty() ? "-" : one.draft.name) + "  rejected " +
           utc_for_people(one.rejected) + " UTC";
    if (!one.review.by.empty()) out += " by " + printable(one.review.by);
    out += "\n" + indented(printable_lines(one.review.note) + "\n");
  }
  return out;
}

std::string rejected_as_json(std::span<const RejectedDraft> rejected) {
  Json list = Json::array();
  for (const RejectedDraft& one : rejected) {
    Json out = names_of(one.draft);
    out.erase("expires");
    out["rejected"] = utc_for_programs(one.rejected);
    out["rejected_by"] = one.review.by.empty() ? Json() : Json(one.review.by);
    out["note"] = one.review.note;
    out["code"] = one.draft.text;
    list.push_back(std::move(out));
  }
  return json_page({{"rejected", list}});
}

std::string text_for_terminal(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string spaced;  // a tab is indentation here, not a control character to spell out
    for (const char letter : line) {
      if (letter == '\t') spaced += "    ";
      if (letter != '\t') spaced += letter;
    }
    out += printable(spaced) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

std::string drafts_as_text(std::span<const Draft> drafts, std::int64_t now, Colour colour) {
  if (drafts.empty())
    return "There are no drafts. To make one: airlock wizard --samples FILE, or airlock drafts add "
           "FILE --samples FILE\n";
  std::size_t width = 4;
  for (const Draft& one : drafts) width = std::max(width, columns_of(one.name));
  std::string out;
  for (const Draft& one : drafts)
    out += paint(printable(one.id), Style::kPlace, colour) +
           fmt::format("  {:<6}  ", to_string(one.kind)) +
           padded(one.name.empty() ? "-" : one.name, width) +
           fmt::format("  {}, {} old, expires in {}\n", counted(one.samples.size(), "sample"),
                       duration(now - one.created), duration(left(one, now)));
  return out;
}

std::string drafts_as_json(std::span<const Draft> drafts) {
  Json list = Json::array();
  for (const Draft& one : drafts) list.push_back(names_of(one));
  return json_page({{"drafts", list}});
}

std::string draft_as_text(const Draft& draft, std::int64_t now, Colour colour) {
  const std::string name = draft.name.empty() ? "NAME" : draft.name;
  return row("draft", draft.id, colour) + row("output", to_string(draft.kind), colour) +
         row("name", draft.name, colour) + row("policy", draft.policy, colour) +
         row("hint", draft.hint, colour) +
         row("written by", author_in_words(draft.written.author, draft.written.model), colour) +
         row("created",
             utc_for_people(draft.created) + " UTC, " + duration(now - draft.created) + " ago",
             colour) +
         row("expires in", duration(left(draft, now)), colour) +
         heading(draft.kind == OutputKind::kPython ? "code" : "rule", colour) +
         indented(text_for_terminal(draft.text)) + heading("samples", colour) +
         samples_of(draft.samples) + "\nTo approve it: airlock approve " + printable(draft.id) +
         " --name " + printable(name) + "\n";
}

std::string draft_as_json(const Draft& draft) {
  Json out = names_of(draft);
  out["attempts"] = draft.written.attempts;
  out["prompt"] = draft.written.prompt.empty() ? Json() : Json(draft.written.prompt);
  out["code"] = draft.text;
  out["samples"] = draft.samples;
  return json_page(out);
}

std::string extractors_as_text(std::span<const ApprovedExtractor> extractors, Colour colour) {
  if (extractors.empty())
    return "No extractor was approved yet. To approve one: airlock approve DRAFT --name NAME, or "
           "airlock approve FILE --name NAME --samples FILE\n";
  std::size_t width = 0;
  for (const ApprovedExtractor& one : extractors)
    width = std::max(width, columns_of(full_name(one)));
  std::string out;
  for (const ApprovedExtractor& one : extractors) {
    out += paint(padded(full_name(one), width), Style::kPlace, colour) +
           fmt::format("  {:<6}  approved {} UTC  {}", to_string(one.kind),
                       utc_for_people(one.approved),
                       printable(std::string_view(one.receipt.sha256).substr(0, 12)));
    if (one.is_disabled) out += "  " + paint("disabled", Style::kWarning, colour);
    out += "\n";
  }
  return out;
}

std::string extractors_as_json(std::span<const ApprovedExtractor> extractors) {
  Json list = Json::array();
  for (const ApprovedExtractor& one : extractors) list.push_back(names_of(one));
  return json_page({{"extractors", list}});
}

std::string extractor_as_text(const ApprovedExtractor& extractor, Colour colour) {
  const Receipt& receipt = extractor.receipt;
  std::string out = row("extractor", full_name(extractor), colour);
  if (extractor.is_disabled)
    out += row("disabled", "yes; to use it again: airlock extractors enable " + extractor.name,
               colour);
  return out + row("output", to_string(extractor.kind), colour) +
         row("approved", utc_for_people(extractor.approved) + " UTC", colour) +
         row("approved by", extractor.review.by, colour) +
         row("note", extractor.review.note, colour) +
         row("written by", author_in_words(extractor.author, extractor.model), colour) +
         row("policy", extractor.policy, colour) + row("hint", extractor.hint, colour) +
         row("came as", extractor.came_as, colour) +
         row("signed by", signer_of(extractor), colour) + row("receipt", receipt.sha256, colour) +
         row("  text", receipt.text_sha256, colour) +
         row("  policy", receipt.policy_sha256, colour) +
         row("  runs on", receipt.interpreter, colour) +
         row("  samples", receipt.samples_sha256, colour) +
         heading(extractor.kind == OutputKind::kPython ? "code" : "rule", colour) +
         indented(text_for_terminal(extractor.text)) + heading("samples", colour) +
         samples_of(extractor.samples);
}

std::string extractor_as_json(const ApprovedExtractor& extractor) {
  Json out = names_of(extractor);
  const Receipt& receipt = extractor.receipt;
  out["receipt"] = {{"sha256", receipt.sha256},
                    {"text_sha256", receipt.text_sha256},
                    {"policy_sha256", receipt.policy_sha256},
                    {"interpreter", receipt.interpreter},
                    {"samples_sha256", receipt.samples_sha256}};
  out["hint"] = extractor.hint.empty() ? Json() : Json(extractor.hint);
  if (!extractor.signed_by.empty())
    out["imported"] = {{"came_as", extractor.came_as},
                       {"fingerprint", fingerprint_of(extractor.signed_by)},
                       {"revoked", extractor.is_signer_revoked}};
  out["code"] = extractor.text;
  out["samples"] = extractor.samples;
  return json_page(out);
}

std::string use_as_json(const std::string& name, bool is_disabled) {
  return json_page({{"name", name}, {"disabled", is_disabled}});
}

std::string removal_as_json(const std::string& name, std::size_t versions) {
  return json_page({{"name", name}, {"removed", versions}});
}

std::string receipts_as_text(std::span<const CheckedReceipt> receipts, Colour colour) {
  std::string out;
  std::size_t broken = 0;
  for (const CheckedReceipt& one : receipts) {
    if (one.check.holds()) {
      out += paint("✓", Style::kGood, colour) + " " + printable(full_name(one.extractor)) + "\n";
      continue;
    }
    ++broken;
    out += paint("✗", Style::kError, colour) + " " + printable(full_name(one.extractor)) + "\n";
    for (const std::string& change : one.check.changes) out += "    " + printable(change) + "\n";
    out += "    " + printable(receipt_advice(one.extractor, one.check)) + "\n";
  }
  return out + fmt::format("{} checked, {} not as approved\n", counted(receipts.size(), "receipt"),
                           broken);
}

std::string receipts_as_json(std::span<const CheckedReceipt> receipts) {
  Json list = Json::array();
  for (const CheckedReceipt& one : receipts)
    list.push_back({{"name", one.extractor.name},
                    {"version", one.extractor.version},
                    {"receipt", one.extractor.receipt.sha256},
                    {"holds", one.check.holds()},
                    {"changes", one.check.changes}});
  return json_page({{"receipts", list}});
}

std::string approval_as_text(const ApprovedExtractor& extractor, Colour colour) {
  const std::string name = printable(full_name(extractor));
  std::string out = paint("✓", Style::kGood, colour) + " " + name + " is approved\n" +
                    row("receipt", extractor.receipt.sha256, colour) +
                    row("runs on", extractor.receipt.interpreter, colour) +
                    row("by", extractor.review.by, colour) +
                    row("note", extractor.review.note, colour);
  if (extractor.is_disabled)
    return out + "It is disabled, as the versions before. To use it: airlock extractors enable " +
           printable(extractor.name) + "\n";
  out += "To run it: airlock extract " + printable(extractor.name) + " PATHS\n";
  if (extractor.version > 1)
    out +=
        fmt::format("To see which answers changed: airlock diff {0}@{1} {0}@{2} --samples PATHS\n",
                    printable(extractor.name), extractor.version - 1, extractor.version);
  return out;
}

std::string approval_as_json(const ApprovedExtractor& extractor, const std::string& draft) {
  Json out = names_of(extractor);
  out["interpreter"] = extractor.receipt.interpreter;
  out["draft"] = draft.empty() ? Json() : Json(draft);
  return json_page(out);
}

}  // namespace airlock::cli
