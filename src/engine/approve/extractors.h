// Approved extractors, as the commands ask for them by name ("sales" or "sales@2"). A thin layer
// over store/: it opens the user's store, and turns "nothing there" into a message that names what
// there is. A store that is not there yet is empty; looking at it does not make it.
//
// Finding one does not check its receipt: whoever runs it must (receipt.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/draft.h"
#include "model/user_dirs.h"

namespace airlock {

// "sales", or "sales@2".
struct VersionedName {
  std::string name;
  std::optional<std::int64_t> version = {};  // nothing: the newest
};

// Nothing: this cannot be the name of an extractor.
std::optional<VersionedName> versioned_name(std::string_view word);

// Whether the word can only mean a file: it has a slash, or ends as a program, a rule or a bundle
// does.
bool means_file(std::string_view word);
bool is_bundle_name(std::string_view file);  // ends in ".airlock"

// The newest version of each, sorted by name.
Result<std::vector<ApprovedExtractor>> list_extractors(const UserDirs& user_dirs);
// Nothing: there is none of that name and version.
Result<std::optional<ApprovedExtractor>> look_up_extractor(const UserDirs& user_dirs,
                                                           std::string_view word);
// The same, where an Error says which names there are.
Result<ApprovedExtractor> find_extractor(const UserDirs& user_dirs, std::string_view word);
// The versions of one name, the newest first.
Result<std::vector<ApprovedExtractor>> extractor_history(const UserDirs& user_dirs,
                                                         std::string_view name);

enum class Use : std::uint8_t { kEnabled, kDisabled };
// How many versions it is about.
Result<std::size_t> set_extractor_use(const UserDirs& user_dirs, std::string_view name, Use use);
// `word`: one version, or the name for all of them. How many are gone.
Result<std::size_t> remove_extractor(const UserDirs& user_dirs, std::string_view word);

// "there is no extractor 'sale'; did you mean 'sales'? There are: …".
std::string unknown_extractor(const UserDirs& user_dirs, std::string_view word);

}  // namespace airlock
