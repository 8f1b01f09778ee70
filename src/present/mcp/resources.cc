#include "present/mcp/resources.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "engine/records/records.h"
#include "model/rule.h"
#include "present/report/drafts_output.h"
#include "present/report/explain.h"
#include "present/report/policy_output.h"
#include "present/report/records_output.h"

namespace airlock::mcp {

namespace {

constexpr std::string_view kScheme = "airlock://";
constexpr std::size_t kMostRunsListed = 20;
constexpr std::size_t kLongestUri = 500;

constexpr std::string_view kPlain = "text/plain";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::string_view kJson = "application/json";

// One thing on a shelf, as a list names it.
struct Entry {
  std::string key;
  std::string title;
};

using Entries = Result<std::vector<Entry>>;
using Text = Result<std::optional<std::string>>;

struct Shelf {
  std::string_view name;
  std::string_view title;
  std::string_view about;
  std::string_view mime;  // of the whole
  std::string_view key;   // what stands in the template
  std::string_view about_one;
  std::string_view mime_of_one;
  Freshness freshness;
  Entries (*entries)(const serve::Resident& resident);
  Result<std::string> (*whole)(const serve::Resident& resident);
  Text (*one)(const serve::Resident& resident, const std::string& key);
};

// An Error of the request is one that names nothing here.
template <typename T>
Text text_of(const Result<T>& found, std::string (*as_text)(const T&)) {
  if (found) return as_text(*found);
  if (found.error().kind == ErrorKind::kRequest) return std::nullopt;
  return std::unexpected(found.error());
}

Entries rule_entries(const serve::Resident& /*resident*/) {
  std::vector<Entry> entries;
  for (const Rule& one : all_rules())
    entries.push_back({std::string(one.name), std::string(one.title)});
  return entries;
}
Result<std::string> whole_rules(const serve::Resident& /*resident*/) {
  return cli::rules_as_markdown();
}
Text one_rule(const serve::Resident& /*resident*/, const std::string& key) {
  const Rule* found = find_rule(std::string_view(key));
  if (found == nullptr) return std::nullopt;
  return cli::rule_page(*found, cli::Colour::kNever);
}

Entries policy_entries(const serve::Resident& resident) {
  std::vector<Entry> entries;
  for (const auto& [name, policy] : resident.policies()) entries.push_back({name, policy.summary});
  return entries;
}
Result<std::string> whole_policies(const serve::Resident& resident) {
  std::vector<Policy> policies;
  for (const auto& [name, policy] : resident.policies()) policies.push_back(policy);
  return cli::policy_list_as_text(policies, cli::Colour::kNever);
}
Text one_policy(const serve::Resident& resident, const std::string& key) {
  const auto found = resident.policies().find(key);
  if (found == resident.policies().end()) return std::nullopt;
  return cli::policy_as_text(found->second, cli::Colour::kNever);
}

Entries draft_entries(const serve::Resident& resident) {
  std::vector<Entry> entries;
  for (const Draft& one : TRY(list_drafts(resident.options().user_dirs)))
    entries.push_back({one.id, one.name.empty() ? "a draft without a name" : one.name});
  return entries;
}
Result<std::string> whole_drafts(const serve::Resident& resident) {
  return cli::drafts_as_json(TRY(list_drafts(resident.options().user_dirs)));
}
Text one_draft(const serve::Resident& resident, const std::string& key) {
  return text_of(find_draft(resident.options().user_dirs, key), cli::draft_as_json);
}

Entries extractor_entries(const serve::Resident& resident) {
  std::vector<Entry> entries;
  for (const ApprovedExtractor& one : TRY(list_extractors(resident.options().user_dirs)))
    entries.push_back({one.name, one.is_disabled ? "disabled" : "approved"});
  return entries;
}
Result<std::string> whole_extractors(const serve::Resident& resident) {
  return cli::extractors_as_json(TRY(list_extractors(resident.options().user_dirs)));
}
Text one_extractor(const serve::Resident& resident, const std::string& key) {
  return text_of(find_extractor(resident.options().user_dirs, key), cli::extractor_as_json);
}

Entries run_entries(const serve::Resident& resident) {
  std::vector<Entry> entries;
  for (const RunRecord& one : TRY(list_runs(resident.options().user_dirs, kMostRunsListed)))
    entries.push_back({one.id, one.repository + ": " + one.task});
  return entries;
}
Result<std::string> whole_runs(const serve::Resident& resident) {
  return cli::runs_as_json(TRY(list_runs(resident.options().user_dirs, kMostRunsListed)));
}
Text one_run(const serve::Resident& resident, const std::string& key) {
  return text_of(show_run(resident.options().user_dirs, key), cli::run_as_json);
}

constexpr std::array kShelves = {
    Shelf{"rules", "The rules of the scan",
          "What is refused in Python, why, and what to write instead: all rules.", kMarkdown,
          "code", "One rule, as check_python names it (AL201)", kPlain, kFixed, rule_entries,
          whole_rules, one_rule},
    Shelf{"policies", "The policies of this server", "What code may use: one policy a line.",
          kPlain, "name", "One policy, every entry with its reason", kPlain, kOfServer,
          policy_entries, whole_policies, one_policy},
    Shelf{"drafts", "Drafts", "What passed validation and waits for a person's word.", kJson, "id",
          "One draft with its code and samples", kJson, kOfMoment, draft_entries, whole_drafts,
          one_draft},
    Shelf{"extractors", "Approved extractors", "What a person has approved here, by name.", kJson,
          "name", "One approved extractor with its code and receipt", kJson, kOfMoment,
          extractor_entries, whole_extractors, one_extractor},
    Shelf{"runs", "Runs", "The last runs of nodes, flows and probes.", kJson, "id",
          "One run, and how each part of it ended", kJson, kOfMoment, run_entries, whole_runs,
          one_run},
};

void add_resource(std::string& out, std::string_view uri, std::string_view title,
                  std::string_view about, std::string_view mime) {
  if (out.back() != '[') out += ',';
  out += "{\"uri\":" + json_string(uri) + ",\"name\":" + json_string(uri.substr(kScheme.size())) +
         ",\"title\":" + json_string(title) + ",\"description\":" + json_string(about) +
         ",\"mimeType\":" + json_string(mime) + "}";
}

ReadResource resource_with(std::string_view uri, std::string_view mime, std::string_view text,
                           Freshness freshness) {
  std::string contents = "\"contents\":[{\"uri\":" + json_string(uri) +
                         ",\"mimeType\":" + json_string(mime) + ",\"text\":";
  append_json_string(contents, text);
  return {contents + "}]", freshness};
}

Result<std::string> list_shelves(const serve::Resident& resident) {
  std::string out = "\"resources\":[";
  for (const Shelf& shelf : kShelves) {
    const std::string uri = std::string(kScheme) + std::string(shelf.name);
    add_resource(out, uri, shelf.title, shelf.about, shelf.mime);
    for (const Entry& one : TRY(shelf.entries(resident)))
      add_resource(out, uri + "/" + one.key, one.key + ": " + one.title, shelf.about_one,
                   shelf.mime_of_one);
  }
  return out + "]";
}

std::string shelf_templates() {
  std::string out = "\"resourceTemplates\":[";
  for (const Shelf& shelf : kShelves) {
    if (out.back() != '[') out += ',';
    out += "{\"uriTemplate\":" +
           json_string(std::string(kScheme) + std::string(shelf.name) + "/{" +
                       std::string(shelf.key) + "}") +
           ",\"name\":" + json_string(shelf.name) + ",\"title\":" + json_string(shelf.title) +
           ",\"description\":" + json_string(shelf.about_one) +
           ",\"mimeType\":" + json_string(shelf.mime_of_one) + "}";
  }
  return out + "]";
}

Result<std::optional<ReadResource>> read_from_shelf(std::string_view uri,
                                                    const serve::Resident& resident) {
  if (!uri.starts_with(kScheme) || uri.size() > kLongestUri) return std::nullopt;
  const std::string_view place = uri.substr(kScheme.size());
  const std::size_t slash = place.find('/');
  const auto* shelf = std::ranges::find(kShelves, place.substr(0, slash), &Shelf::name);
  if (shelf == kShelves.end()) return std::nullopt;
  if (slash == std::string_view::npos)
    return resource_with(uri, shelf->mime, TRY(shelf->whole(resident)), shelf->freshness);
  const std::string key(place.substr(slash + 1));
  const auto text = key.empty() ? std::nullopt : TRY(shelf->one(resident, key));
  if (!text) return std::nullopt;
  return resource_with(uri, shelf->mime_of_one, *text, shelf->freshness);
}

}  // namespace

Resources airlock_resources() {
  return {.list = list_shelves, .templates = shelf_templates, .read = read_from_shelf};
}

}  // namespace airlock::mcp
