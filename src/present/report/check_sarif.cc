// SARIF 2.1.0 (OASIS), as code-scanning services read it. One run; every file is an artifact, found
// with findings or without; every finding a result whose region is in the file on disk, counted in
// code points from 1, the end exclusive. (1) A fingerprint is made of the rule, the item, the
// source line without its spacing, and how
//     many like it came before in the file: moving code keeps it, so no alert is opened again.
// (2) Message texts of SARIF may hold links, [text](target). Ours never do: a stranger's words
//     could be one, so "](" is taken apart.
// (3) %SRCROOT% is named but not resolved: a log does not depend on where it was made.
// (4) Results are written as they come, one a line; the artifacts, of which only name, length and
//     hash are kept, follow them. A result names its artifact by its place in that list.
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/printable.h"
#include "base/sha256.h"
#include "engine/load/vet_source.h"
#include "present/report/check_place.h"
#include "present/report/check_sarif_parts.h"
#include "present/report/check_writer.h"
#include "present/report/json_text.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::size_t kLongestSnippet = 1000;   // bytes
constexpr std::size_t kFingerprintDigits = 32;  // hexadecimal: 128 bits of the SHA-256

std::string without_links(std::string text) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    text.insert(at + 1, " ");
  }
  return text;
}

std::string message_text(const Finding& finding) {
  std::string out = printable(finding.message.empty() ? finding.rule->title : finding.message);
  if (!finding.suggestion.empty()) {
    TextLines lines(finding.suggestion);
    for (std::uint32_t number = 1; number <= lines.count(); ++number) {
      out += "\n" + printable(lines.line(number));
    }
  }
  return without_links(std::move(out));
}

std::string without_spacing(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c != ' ' && c != '\t' && c != '\f') out += c;
  }
  return out;
}

// The fingerprints of one file. The digest of a line is kept while findings stay on it: a line may
// be very long.
class Fingerprints {
 public:
  explicit Fingerprints(TextLines& code) : code_(code) {}

  std::string next(const Finding& finding) {
    const Place place = code_.fit(finding.place);
    if (place.line != line_) {
      line_ = place.line;
      digest_ = sha256_hex(without_spacing(code_.line(line_)));
    }
    const std::string like = std::string(finding.rule->name) + '\0' + finding.item + '\0' + digest_;
    const std::size_t before = seen_[like]++;
    return sha256_hex(like + '\0' + std::to_string(before)).substr(0, kFingerprintDigits);
  }

 private:
  TextLines& code_;
  std::uint32_t line_ = 0;
  std::string digest_;
  std::map<std::string, std::size_t> seen_;
};

Json region_of(TextLines& disk, const Place& place, const CharacterPlace& shown) {
  Json region = Json::object();
  region["startLine"] = shown.line;
  region["startColumn"] = shown.column;
  region["endLine"] = shown.end_line;
  region["endColumn"] = shown.end_column;
  const std::string_view text = disk.between(place);
  if (!text.empty() && text.size() <= kLongestSnippet) region["snippet"]["text"] = text;
  return region;
}

Json result_of(const Finding& finding, Json physical_location, std::string fingerprint) {
  Json result = Json::object();
  result["ruleId"] = finding.rule->name;
  result["ruleIndex"] = sarif_rule_index(*finding.rule);
  result["level"] = sarif_level(finding.severity);
  result["message"]["text"] = message_text(finding);
  Json location = Json::object();
  location["physicalLocation"] = std::move(physical_location);
  result["locations"] = Json::array();
  result["locations"].push_back(std::move(location));
  result["partialFingerprints"]["airlockFinding/v1"] = std::move(fingerprint);
  result["properties"]["item"] = finding.item;
  result["properties"]["kind"] = finding.rule->kind;
  return result;
}

// One line for each finding.
std::string results_of(const CheckedFile& file, std::size_t artifact) {
  std::string out;
  TextLines disk(file.raw);
  // Fingerprints are made from the cleaned code: fences around an answer do not change them.
  TextLines code(file.verdict.code.empty() ? file.raw : file.verdict.code);
  CharacterCounter counter(disk);
  Fingerprints fingerprints(code);
  Json artifact_location = sarif_location(file.file);
  artifact_location["index"] = artifact;
  for (const Finding& finding : file.verdict.findings) {
    const Place place = disk.fit(place_on_disk(file, finding.place));
    Json physical = Json::object();
    physical["artifactLocation"] = artifact_location;
    physical["region"] = region_of(disk, place, counter.count(place));
    const Json result = result_of(finding, std::move(physical), fingerprints.next(finding));
    if (!out.empty()) out += ",\n";
    out += json_text(result, -1);
  }
  return out;
}

Json artifact_of(const CheckedFile& file) {
  Json artifact = Json::object();
  artifact["location"] = sarif_location(file.file);
  artifact["length"] = file.raw.size();
  artifact["roles"] = Json::array({"analysisTarget"});
  artifact["hashes"]["sha-256"] = sha256_hex(file.raw);
  if (was_cleaned(file.raw, file.verdict.code)) artifact["properties"]["cleaned"] = true;
  return artifact;
}

Json driver() {
  Json out = Json::object();
  out["name"] = "airlock";
  out["version"] = AIRLOCK_VERSION;
  out["semanticVersion"] = AIRLOCK_VERSION;
  out["rules"] = sarif_rules();
  return out;
}

// A run without its results and artifacts.
Json run_of(std::string_view policy) {
  Json run = Json::object();
  run["tool"]["driver"] = driver();
  run["invocations"] = Json::array();
  run["invocations"].push_back({{"executionSuccessful", true}});
  run["originalUriBaseIds"][std::string(kSourceRoot)]["description"]["text"] =
      "The directory in which airlock check was started.";
  run["columnKind"] = "unicodeCodePoints";
  run["properties"]["policy"] = policy;
  return run;
}

class SarifWriter : public CheckWriter {
 public:
  explicit SarifWriter(std::string_view policy) : policy_(policy) {}

  std::string file(const CheckedFile& file) override {
    std::string out = begin();
    const std::string results = results_of(file, files_++);
    if (!results.empty()) {
      out += (has_results_ ? ",\n" : "\n") + results;
      has_results_ = true;
    }
    artifacts_ += (artifacts_.empty() ? "\n" : ",\n") + json_text(artifact_of(file), -1);
    return out;
  }

  std::string end() override {
    return begin() + "\n],\"artifacts\":[" + std::exchange(artifacts_, {}) + "\n]}]}\n";
  }

 private:
  // Up to the results: the run is open, and so is the log.
  std::string begin() {
    if (std::exchange(is_begun_, true)) return {};
    std::string run = json_text(run_of(policy_), -1);
    // Without its closing brace: results and artifacts are appended to the open object.
    run.pop_back();
    return "{\"$schema\":" + json_text(kSchema, -1) + ",\"version\":\"2.1.0\",\"runs\":[\n" + run +
           ",\"results\":[";
  }

  std::string policy_;
  bool is_begun_ = false;
  bool has_results_ = false;
  std::size_t files_ = 0;
  std::string artifacts_;
};

}  // namespace

std::unique_ptr<CheckWriter> make_sarif_writer(std::string_view policy) {
  return std::make_unique<SarifWriter>(policy);
}

}  // namespace airlock::cli
