#include "engine/paths/infer_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "rules/file/rule_file.h"
#include "rules/infer/rule_text.h"
#include "rules/infer/templates.h"
#include "rules/match/matcher.h"

namespace airlock {

namespace {

// Paths that shape the rules: more change nothing about a layout, and inference compares all of
// them.
constexpr std::size_t kSample = 4000;
// How often what is left unexplained is inferred from again.
constexpr std::size_t kRounds = 3;
constexpr std::size_t kLeaveOneOut = 12;       // below, each path is held out in turn
constexpr std::size_t kShownUnexplained = 20;  // paths in the report
// Characters of a pattern from which a note is made, and from which Python is advised instead.
constexpr std::size_t kLongPattern = 100;
constexpr std::size_t kForbiddenPattern = 200;
constexpr std::size_t kLongestPath = 16 * 1024;  // longer ones do not shape a rule

using Views = std::vector<std::string_view>;

// Through the text of the rule file: what is measured is what the user will load.
Result<rules::Matcher> matcher_of(const std::vector<rules::InferredRule>& rules) {
  auto read = rules::read_rule_file(rules::rule_file_text(rules, {}));
  if (!read) return fail("what was inferred does not read back: " + read.error().front().message);
  return rules::Matcher(std::move(*read));
}

// Leaves out rules that cannot be read back; only unusual bytes in paths lead to one.
std::vector<rules::InferredRule> only_readable(std::vector<rules::InferredRule> rules) {
  std::erase_if(rules, [](const rules::InferredRule& rule) { return !matcher_of({rule}); });
  return rules;
}

// How many of the paths these rules match.
std::size_t count_matches(const std::vector<rules::InferredRule>& rules, const Views& paths) {
  const auto matcher = matcher_of(rules);
  if (!matcher) return 0;
  rules::Match match;
  return static_cast<std::size_t>(std::ranges::count_if(
      paths, [&](std::string_view path) { return matcher->match(path, match); }));
}

// A field that fails on paths that its own glob matches was read wrongly. It becomes text, or is
// left out; the rest of the rule stands.
rules::InferredRule only_what_fits(rules::InferredRule rule, const Views& sample) {
  rules::InferredRule bare = rule;
  bare.fields.clear();
  const std::size_t all = count_matches({bare}, sample);
  // At least 49 of 50: an odd path or two do not make a field wrong.
  const auto is_enough = [&](const rules::InferredRule& one) {
    return count_matches({one}, sample) * 50 >= all * 49;
  };
  if (all == 0 || is_enough(rule)) return rule;
  std::vector<rules::InferredField> kept;
  for (rules::InferredField& field : rule.fields) {
    bare.fields = {field};
    if (!is_enough(bare)) {
      field.type = rules::ValueType::kString;
      field.format.clear();
      bare.fields = {field};
    }
    if (is_enough(bare)) kept.push_back(std::move(field));
  }
  rule.fields = std::move(kept);
  return rule;
}

// Evenly spread over the list, so that a list sorted by layout is seen whole.
Views spread(const PathList& paths, std::size_t most) {
  Views sample;
  const std::size_t count = std::min(most, paths.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i * paths.size() / count;
    if (paths[at].size() <= kLongestPath) sample.push_back(paths[at]);
  }
  return sample;
}

// Paths between two looks at whether anybody still wants to know.
constexpr std::size_t kToldEvery = 65'536;

// One inference: rules first, then how far they can be trusted, then what is said about them.
class PathInference {
 public:
  PathInference(const PathList& paths, const InferRequest& request)
      : paths_(paths), request_(request), hint_(rules::read_hint(request.hint)) {}

  Result<InferReport> run() {
    report_.paths = paths_.seen;
    if (paths_.size() == 0)
      return refused("there are no paths: give one a line, in a file or on standard input");
    const Views sample = spread(paths_, kSample);
    if (sample.empty())
      return refused("every path is longer than 16 KiB: there is nothing to infer from");
    const bool is_single = std::set<std::string_view>(sample.begin(), sample.end()).size() == 1;
    if (is_single) {
      TRY(from_template(sample.front()));
    } else {
      TRY(from_sample(sample));
      hold_out(sample);
    }
    name_rules();
    finish();
    TRY(tell(paths_.size()));
    return std::move(report_);
  }

 private:
  Result<void> from_template(std::string_view path) {
    auto match = rules::match_template(path);
    if (!match)
      return refused(std::string(paths_.size() == 1 ? "one path alone shows"
                                                    : "all paths are the same, and one shows") +
                     " no structure that a rule could take: give three or more paths");
    report_.template_title = match->title;
    report_.sampled = 1;
    apply_single_hints(match->rule);
    found_.push_back(std::move(match->rule));
    found_ = only_readable(std::move(found_));
    if (found_.empty()) return refused("no rule can be written for this path");
    report_.evidence.push_back(
        std::string(paths_.size() == 1 ? "one path" : "all paths are the same") +
        ": the template '" + match->title + "' fits");
    return verify();
  }

  void apply_single_hints(rules::InferredRule& rule) const {
    for (const rules::NameHint& hint : hint_.names) {
      const std::string from =
          hint.index == -1 ? "filename" : "segment(" + std::to_string(hint.index) + ")";
      const auto known = std::ranges::find(rule.fields, from, &rules::InferredField::from);
      if (known != rule.fields.end()) {
        known->name = hint.name;
        continue;
      }
      rules::InferredField field;
      field.name = hint.name;
      field.from = from;
      field.is_well_named = true;
      rule.fields.push_back(std::move(field));
    }
  }

  // Rounds: what the rules so far leave unexplained is the next sample.
  Result<void> from_sample(Views sample) {
    report_.sampled = sample.size();
    for (std::size_t round = 0; round < kRounds && sample.size() >= 2; ++round) {
      rules::Inference inference = rules::infer_rules(sample, hint_.names, round == 0 ? 0 : 3);
      std::ranges::copy(inference.notes, std::back_inserter(report_.notes));
      leave_out_what_says_nothing(inference.rules);
      for (rules::InferredRule& rule : only_readable(std::move(inference.rules)))
        if (found_.size() < rules::kMostInferredRules)
          found_.push_back(only_what_fits(std::move(rule), sample));
      if (found_.empty()) break;
      TRY(verify());
      const std::uint64_t missed = report_.checked - report_.matched;
      // Strays, or less than half a percent, are no layout of their own.
      if (missed < 3 || missed * 200 < report_.checked) break;
      sample = spread(missed_, kSample);
    }
    if (found_.empty()) return refused("no structure was found that a rule could say");
    drop_useless();
    if (found_.empty()) return refused("no structure was found that a rule could say");
    return verify();
  }

  // Beside better rules, one that matches any file in any folder explains nothing.
  void leave_out_what_says_nothing(std::vector<rules::InferredRule>& rules) const {
    const bool has_better =
        !found_.empty() || std::ranges::any_of(rules, &rules::InferredRule::says_something);
    if (!has_better) return;
    std::erase_if(rules, [](const rules::InferredRule& rule) { return !rule.says_something; });
  }

  // A rule that never is the first to match says nothing that another does not.
  void drop_useless() {
    std::vector<rules::InferredRule> kept;
    for (std::size_t i = 0; i < found_.size(); ++i)
      if (i < matched_.size() && matched_[i] > 0) kept.push_back(std::move(found_[i]));
    found_ = std::move(kept);
  }

  // All paths against all rules. `missed_` keeps enough of the others for the next round's sample.
  Result<void> verify() {
    auto matcher = TRY(matcher_of(found_));
    matched_.assign(found_.size(), 0);
    missed_ = PathList();
    report_.checked = paths_.size();
    report_.matched = 0;
    rules::Match match;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (i % kToldEvery == 0) TRY(tell(i));
      if (matcher.match(paths_[i], match)) {
        ++matched_[static_cast<std::size_t>(match.rule - matcher.rules().data())];
        ++report_.matched;
      } else if (missed_.size() < kSample * 4) {
        missed_.add(paths_[i]);
      }
    }
    return {};
  }

  Result<void> tell(std::size_t checked) const {
    if (request_.stop.stop_requested()) return fail("infer rules: it was stopped");
    if (request_.on_checked) request_.on_checked(checked);
    return {};
  }

  // ---- held out ----

  // Rules are made again without some of the sample and tried on those: do they explain paths that
  // they have not seen? With few paths each is left out in turn.
  void hold_out(const Views& sample) {
    if (sample.size() < 3) return;
    if (sample.size() < kLeaveOneOut) {
      for (std::size_t left = 0; left < sample.size(); ++left) {
        Views seen = sample;
        seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(left));
        try_on(seen, {sample[left]});
      }
      return;
    }
    Views seen;
    Views kept_back;
    for (std::size_t i = 0; i < sample.size(); ++i)
      (is_kept_back(i) ? kept_back : seen).push_back(sample[i]);
    try_on(seen, kept_back);
  }

  // One in five, but not every fifth: sorted lists repeat with a period, which would bias the
  // choice.
  static bool is_kept_back(std::size_t index) {
    return (index * 2654435761U >> 7U) % 5 == 0;
  }  // Knuth's multiplicative hash

  // The same way from paths to rules as the real one, without what was kept back.
  void try_on(const Views& seen, const Views& kept_back) {
    report_.held_out += kept_back.size();
    auto rules = only_readable(rules::infer_rules(seen, hint_.names).rules);
    for (rules::InferredRule& rule : rules) rule = only_what_fits(std::move(rule), seen);
    if (rules.empty()) return;
    const auto matcher = matcher_of(rules);
    if (!matcher) return;
    rules::Match match;
    for (const std::string_view path : kept_back)
      report_.held_out_matched += matcher->match(path, match) ? 1U : 0U;
  }

  // ---- what is said about it ----

  // A name that the user gave is used for all; numbers tell them apart.
  void name_rules() {
    std::set<std::string> taken;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      rules::InferredRule& rule = found_[i];
      if (!request_.name.empty()) rule.name = request_.name;
      const std::string base = rule.name;
      for (int number = 2; !taken.insert(rule.name).second; ++number)
        rule.name = base + " " + std::to_string(number);
      report_.rules.push_back({rule, matched_[i]});
    }
  }

  double coverage() const {
    return report_.checked == 0
               ? 0
               : static_cast<double>(report_.matched) / static_cast<double>(report_.checked);
  }

  // How much the rules say, as a factor: 1 when every field has a real name, 0.85 when none has;
  // less when there are no fields, least when the glob fits anything.
  double clarity() const {
    std::size_t fields = 0;
    std::size_t weak = 0;
    for (const rules::InferredRule& rule : found_) {
      fields += rule.fields.size();
      weak += static_cast<std::size_t>(
          std::ranges::count(rule.fields, false, &rules::InferredField::is_well_named));
    }
    if (std::ranges::none_of(found_, &rules::InferredRule::says_something)) return 0.45;
    return fields == 0 ? 0.6 : 1 - 0.15 * static_cast<double>(weak) / static_cast<double>(fields);
  }

  // A single path shows nothing that varies, so its confidence is fixed: 60 with a known template,
  // 45 without. Otherwise a product: share explained, share explained of what was held out (which
  // can cost at most 40 %), size of the sample (one path: half), and clarity.
  void judge_confidence() {
    if (!report_.template_title.empty()) {
      const bool is_generic = report_.template_title.starts_with("generic");
      report_.confidence = is_generic ? 45 : 60;
      return;
    }
    const auto sampled = static_cast<double>(report_.sampled);
    const double held_out = report_.held_out == 0 ? 0.5
                                                  : static_cast<double>(report_.held_out_matched) /
                                                        static_cast<double>(report_.held_out);
    const double size = 1 - 0.5 / sampled;
    report_.confidence = 100 * coverage() * (0.6 + 0.4 * held_out) * size * clarity();
    report_.evidence.push_back(fmt::format("{} of {} paths are explained ({:.1f} %)",
                                           report_.matched, report_.checked, 100 * coverage()));
    if (report_.held_out > 0)
      report_.evidence.push_back(
          fmt::format("{} of {} paths that were held out are explained ({:.1f} %)",
                      report_.held_out_matched, report_.held_out, 100 * held_out));
    for (const rules::InferredRule& rule : found_)
      report_.unnamed += static_cast<std::size_t>(
          std::ranges::count(rule.fields, false, &rules::InferredField::is_well_named));
    if (report_.unnamed > 0)
      report_.evidence.push_back(named_by_class_alone(report_.unnamed) +
                                 ": give --hint \"segment(N) = name\"");
  }

  // A rule unless something speaks for Python; every reason is told.
  void choose_output() {
    OutputChoice& choice = report_.choice;
    for (const std::string& word : hint_.python_words)
      choice.reasons.push_back("the hint says '" + word + "': a rule cannot compute");
    for (const rules::InferredRule& rule : found_) {
      for (const rules::InferredField& field : rule.fields) {
        const bool is_forbidden = field.pattern.size() > kForbiddenPattern;
        if (is_forbidden)
          choice.reasons.push_back("the pattern of '" + field.name +
                                   "' is longer than 200 characters");
        if (field.pattern.size() > kLongPattern && !is_forbidden)
          report_.notes.push_back("the pattern of '" + field.name +
                                  "' is longer than 100 characters: Python may be easier to read");
      }
    }
    if (!choice.reasons.empty()) choice.kind = OutputChoice::Kind::kPython;
    if (choice.reasons.empty())
      choice.reasons.emplace_back("every field is one segment or pattern, one type");
  }

  void finish() {
    judge_confidence();
    choose_output();
    for (std::size_t i = 0; i < missed_.size() && i < kShownUnexplained; ++i)
      report_.unexplained.emplace_back(missed_[i]);
    for (const std::string_view path : spread(paths_, 300)) report_.sample.emplace_back(path);
    const std::uint64_t missed = report_.checked - report_.matched;
    if (missed > 0)
      report_.notes.push_back(missed == 1 ? "1 path is unlike the others"
                                          : fmt::format("{} paths are unlike the others", missed));
    note_hints_without_place();
    if (!request_.hint.empty() && !hint_.was_understood)
      report_.notes.emplace_back(kHintNotUnderstood);
    if (report_.paths > report_.checked)
      report_.notes.push_back(fmt::format("{} of {} paths, spread over the list, were checked",
                                          report_.checked, report_.paths));
    report_.yaml = rules::rule_file_text(found_, comments());
  }

  // starts_with: "mission" may have become "mission_id".
  void note_hints_without_place() {
    for (const rules::NameHint& hint : hint_.names) {
      const bool is_used = std::ranges::any_of(found_, [&](const rules::InferredRule& rule) {
        return std::ranges::any_of(rule.fields, [&](const rules::InferredField& field) {
          return field.name.starts_with(hint.name);
        });
      });
      if (!is_used)
        report_.notes.push_back(
            fmt::format("the hint segment({}) = {} has no place: no path has that segment",
                        hint.index, hint.name));
    }
  }

  std::vector<std::string> comments() const {
    std::vector<std::string> lines;
    const std::string_view advice = report_.confidence >= 80   ? "recommended"
                                    : report_.confidence >= 50 ? "look at it before you use it"
                                                               : "give more paths";
    lines.push_back(fmt::format("Inferred from {} path{}. Confidence {:.0f} %: {}.", report_.paths,
                                report_.paths == 1 ? "" : "s", report_.confidence, advice));
    for (const std::string& one : report_.evidence) lines.push_back("  " + one);
    for (const std::string& one : report_.notes) lines.push_back("  note: " + one);
    if (report_.choice.kind == OutputChoice::Kind::kPython) {
      for (const std::string& one : report_.choice.reasons)
        lines.push_back("  Python is needed: " + one);
    }
    return lines;
  }

  const PathList& paths_;
  const InferRequest& request_;
  rules::ParsedHint hint_;
  InferReport report_;
  std::vector<rules::InferredRule> found_;
  std::vector<std::uint64_t> matched_;  // for each of `found_`
  PathList missed_;
};

}  // namespace

namespace {

PathList every_second(const PathList& list) {
  PathList half;
  half.seen = list.seen;
  half.bytes.reserve(kMaxPathBytes);
  for (std::size_t i = 1; i < list.size(); i += 2) half.add(list[i]);
  return half;
}

}  // namespace

// More paths than are kept are thinned out, so that those kept are spread over the whole list.
Result<PathList> read_paths(PathInput& input) {
  PathList list;
  std::uint64_t stride = 1;
  while (!input.is_finished()) {
    while (const auto line = input.next()) {
      if (line->text.empty()) continue;
      ++list.seen;
      if (list.seen % stride != 0) continue;
      list.add(line->text);
      if (list.bytes.size() <= kMaxPathBytes) continue;
      list = every_second(list);
      stride *= 2;
    }
    TRY(input.read_more());
  }
  return list;
}

std::string named_by_class_alone(std::size_t fields) {
  return (fields == 1 ? "1 field is" : std::to_string(fields) + " fields are") +
         std::string(" named by class alone");
}

Result<InferReport> infer_from_paths(const PathList& paths, const InferRequest& request) {
  return PathInference(paths, request).run();
}

}  // namespace airlock
