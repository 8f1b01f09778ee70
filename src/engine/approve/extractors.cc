#include "engine/approve/extractors.h"

#include <algorithm>
#include <charconv>

#include "base/nearest.h"
#include "engine/approve/drafts.h"
#include "engine/paths/load_rules.h"
#include "engine/records/with_store.h"
#include "store/extractor_table.h"

namespace airlock {

namespace {

constexpr std::size_t kMostNames = 20;  // in a message

// A change that changed nothing: the name is unknown.
Result<std::size_t> require_found(const UserDirs& user_dirs, std::string_view word,
                                  Result<std::size_t> count) {
  if (count && *count == 0) return bad_request(unknown_extractor(user_dirs, word));
  return count;
}

}  // namespace

std::optional<VersionedName> versioned_name(std::string_view word) {
  const std::size_t at = word.find('@');
  VersionedName name{std::string(word.substr(0, at))};
  if (!name_trouble(name.name).empty()) return std::nullopt;
  if (at == std::string_view::npos) return name;
  const std::string_view digits = word.substr(at + 1);
  std::int64_t version = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), version);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || version < 1)
    return std::nullopt;
  name.version = version;
  return name;
}

bool is_bundle_name(std::string_view file) {
  return file.ends_with(".airlock");
}

bool means_file(std::string_view word) {
  return word.contains('/') || word.ends_with(".py") || is_rule_file_name(word) ||
         is_bundle_name(word);
}

Result<std::vector<ApprovedExtractor>> list_extractors(const UserDirs& user_dirs) {
  return with_table<store::Extractors, std::vector<ApprovedExtractor>>(
      user_dirs, std::vector<ApprovedExtractor>{},
      [](store::Extractors& extractors) { return extractors.list(); });
}

Result<std::optional<ApprovedExtractor>> look_up_extractor(const UserDirs& user_dirs,
                                                           std::string_view word) {
  const auto name = versioned_name(word);
  if (!name) return std::nullopt;
  return with_table<store::Extractors, std::optional<ApprovedExtractor>>(
      user_dirs, std::optional<ApprovedExtractor>{},
      [&](store::Extractors& extractors) { return extractors.find(name->name, name->version); });
}

Result<ApprovedExtractor> find_extractor(const UserDirs& user_dirs, std::string_view word) {
  auto found = TRY(look_up_extractor(user_dirs, word));
  if (!found) return bad_request(unknown_extractor(user_dirs, word));
  return *std::move(found);
}

Result<std::vector<ApprovedExtractor>> extractor_history(const UserDirs& user_dirs,
                                                         std::string_view name) {
  auto history = with_table<store::Extractors, std::vector<ApprovedExtractor>>(
      user_dirs, std::vector<ApprovedExtractor>{},
      [&](store::Extractors& extractors) { return extractors.history(name); });
  if (history && history->empty()) return bad_request(unknown_extractor(user_dirs, name));
  return history;
}

Result<std::size_t> set_extractor_use(const UserDirs& user_dirs, std::string_view name, Use use) {
  return require_found(user_dirs, name,
                       with_table<store::Extractors, std::size_t>(
                           user_dirs, std::size_t{0}, [&](store::Extractors& extractors) {
                             return extractors.set_disabled(name, use == Use::kDisabled);
                           }));
}

Result<std::size_t> remove_extractor(const UserDirs& user_dirs, std::string_view word) {
  const auto name = versioned_name(word);
  if (!name) return bad_request(unknown_extractor(user_dirs, word));
  return require_found(user_dirs, word,
                       with_table<store::Extractors, std::size_t>(
                           user_dirs, std::size_t{0}, [&](store::Extractors& extractors) {
                             return extractors.remove(name->name, name->version);
                           }));
}

std::string unknown_extractor(const UserDirs& user_dirs, std::string_view word) {
  std::string message = "there is no approved extractor '" + std::string(word) + "'";
  const auto all = list_extractors(user_dirs);
  if (!all || all->empty())
    return message +
           ": none was approved yet. To approve one: airlock approve FILE --name NAME "
           "--samples PATHS";
  const std::string_view name = word.substr(0, word.find('@'));
  std::vector<std::string_view> names;
  for (const ApprovedExtractor& one : *all) names.push_back(one.name);
  if (const auto same = std::ranges::find(*all, name, &ApprovedExtractor::name); same != all->end())
    return message + ": its newest version is " + same->name + "@" + std::to_string(same->version) +
           ". All of them: airlock extractors history " + same->name;
  const std::string meant = did_you_mean(name, names);
  message += meant.empty() ? "." : meant;
  message += " There are: ";
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    message += (i == 0 ? "" : ", ") + std::string(names[i]);
  return message + (names.size() > kMostNames ? ", … (airlock extractors)" : "");
}

}  // namespace airlock
