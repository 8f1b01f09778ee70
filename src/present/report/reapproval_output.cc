#include "present/report/reapproval_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/printable.h"
#include "base/utf8.h"
#include "present/report/json_text.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostAnswers = 10;     // of one extractor
constexpr std::size_t kLongestAnswer = 200;  // bytes

std::string answer_line(const SampleResult& sample) {
  const std::string now = printable(sample.success ? sample.result : sample.error);
  const bool is_whole = now.size() <= kLongestAnswer;
  return "      " + printable(sample.path) + " → " +
         (is_whole ? now : std::string(cut_utf8(now, kLongestAnswer)) + "…") + "\n";
}

std::string answer_lines(const SecondTrial& trial, std::span<const std::size_t> places) {
  std::string out;
  for (const std::size_t place : places.first(std::min(places.size(), kMostAnswers)))
    out += answer_line(trial.judged.validation.results[place]);
  if (places.size() > kMostAnswers)
    out += fmt::format("      … and {} more\n", places.size() - kMostAnswers);
  return out;
}

std::string differences_as_text(const SecondTrial& trial, Colour colour) {
  const std::size_t all = trial.judged.validation.results.size();
  if (!trial.has_old_answers) {
    std::vector<std::size_t> places(all);
    std::iota(places.begin(), places.end(), std::size_t{0});
    return "    What it answered when it was approved was not kept. It answers now:\n" +
           answer_lines(trial, places);
  }
  if (trial.different.empty())
    return fmt::format("    {} as when it was approved\n", counted(all, "answer"));
  return paint(fmt::format("    {} of {} other than when it was approved; now:",
                           trial.different.size(), counted(all, "answer")),
               Style::kWarning, colour) +
         "\n" + answer_lines(trial, trial.different);
}

Json as_json(const Reapproval& one) {
  Json different = Json::array();
  if (one.trial) {
    for (const std::size_t place : one.trial->different) {
      const SampleResult& sample = one.trial->judged.validation.results[place];
      different.push_back(
          {{"path", sample.path}, {"now", sample.success ? sample.result : sample.error}});
    }
  }
  const bool is_compared = one.trial && one.trial->has_old_answers;
  return {{"name", one.extractor.name},
          {"version", one.extractor.version},
          {"changes", one.check.changes},
          {"valid", one.trial ? Json(one.trial->judged.valid) : Json()},
          {"compared", is_compared},
          {"differences", different},
          {"approved", one.approved ? Json(one.approved->version) : Json()},
          {"refusal", one.refusal.empty() ? Json() : Json(one.refusal)}};
}

}  // namespace

std::string trial_as_text(const Reapproval& one, Colour colour) {
  std::string out = paint(printable(full_name(one.extractor)), Style::kPlace, colour) + "\n";
  for (const std::string& change : one.check.changes) out += "    " + printable(change) + "\n";
  return one.trial && one.trial->judged.valid ? out + differences_as_text(*one.trial, colour) : out;
}

std::string reapproval_as_text(const Reapproval& one, Colour colour) {
  if (one.approved)
    return "    " + paint("✓", Style::kGood, colour) + " approved as " +
           printable(full_name(*one.approved)) + "\n";
  return "    " + paint("✗", Style::kError, colour) + " not approved: " + printable(one.refusal) +
         "\n";
}

std::string reapprovals_as_json(std::span<const Reapproval> all) {
  Json list = Json::array();
  for (const Reapproval& one : all) list.push_back(as_json(one));
  return json_page({{"extractors", list}});
}

}  // namespace airlock::cli
