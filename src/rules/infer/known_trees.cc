// Folders of published layouts, and what is below them: the first folder below mlruns/ is an
// experiment, the second a run. And names that go together: below an exchange stand symbols.
//
// A row is added by adding a line: TreeName is {how far below, name, is_certain, is_text, is_file},
// explained in vocabulary.h.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "rules/infer/vocabulary.h"

namespace airlock::rules {

namespace {

constexpr std::array kMlflow = {TreeName{1, "experiment_id", true}, TreeName{2, "run_id", true},
                                TreeName{3, "kind", true}, TreeName{4, "key", true}};
constexpr std::array kPods = {TreeName{2, "container", true}, TreeName{3, "restart_count", true}};
constexpr std::array kPool = {TreeName{1, "component", true}, TreeName{2, "prefix", true},
                              TreeName{3, "source", true}};
constexpr std::array kAwsLogs = {TreeName{1, "account_id", true, true},
                                 TreeName{2, "service", true}, TreeName{3, "region", true}};
constexpr std::array kModels = {
    TreeName{1, "layer"}, TreeName{2, "source"}, TreeName{1, "model", false, false, true},
    TreeName{2, "model", false, false, true}, TreeName{3, "model", false, false, true}};
constexpr std::array kObjects = {TreeName{1, "prefix", true, true},
                                 TreeName{2, "hash", true, true, true},
                                 TreeName{3, "hash", true, true, true}};
constexpr std::array kDatabases = {TreeName{1, "database", true}};
constexpr std::array kMusic = {TreeName{1, "artist", true}, TreeName{2, "album", true}};
constexpr std::array kMovies = {TreeName{1, "title", true}};
constexpr std::array kShows = {TreeName{1, "show", true}, TreeName{2, "season"}};
constexpr std::array kBooks = {TreeName{1, "author", true}, TreeName{2, "title"}};
constexpr std::array kJournal = {TreeName{1, "machine_id", true, true}};
constexpr std::array kOverlay = {TreeName{1, "layer_id", true, true}};
constexpr std::array kSpeech = {TreeName{1, "subset", true}, TreeName{2, "speaker_id", true},
                                TreeName{3, "chapter_id", true}};
constexpr std::array kImagenet = {TreeName{1, "split", true}, TreeName{2, "class"}};
constexpr std::array kPatients = {TreeName{1, "patient_id"}};
constexpr std::array kFilings = {TreeName{2, "cik", true}, TreeName{3, "accession_number", true}};
constexpr std::array kSimpleIndex = {TreeName{1, "package", true}};
constexpr std::array kHosts = {TreeName{1, "host", true}};
constexpr std::array kVmail = {TreeName{1, "domain", true}, TreeName{2, "user", true}};
constexpr std::array kCmip = {TreeName{1, "activity", true}, TreeName{2, "institution", true},
                              TreeName{3, "source", true},   TreeName{4, "experiment", true},
                              TreeName{5, "variant", true},  TreeName{6, "table", true},
                              TreeName{7, "variable", true}, TreeName{8, "grid", true},
                              TreeName{9, "version", true}};
constexpr std::array kAirflow = {TreeName{2, "dag_id"}, TreeName{3, "task_id"},
                                 TreeName{4, "execution_date"}, TreeName{5, "attempt"}};
constexpr std::array kWrs = {TreeName{2, "path", true}, TreeName{3, "row", true}};
constexpr std::array kVersions = {TreeName{2, "package", true}, TreeName{3, "version"}};
constexpr std::array kRefs = {TreeName{2, "branch"}};
constexpr std::array kModules = {TreeName{1, "package", true}};
constexpr std::array kVariables = {TreeName{1, "variable"}};
constexpr std::array kGenomes = {TreeName{1, "project"}, TreeName{2, "sample"}};
constexpr std::array kGdc = {TreeName{1, "project"}, TreeName{2, "data_category"},
                             TreeName{3, "file_id"}};
constexpr std::array kGames = {TreeName{1, "game"}, TreeName{2, "user_id"}};
constexpr std::array kInterfaces = {TreeName{1, "facility"}};
constexpr std::array kWarehouse = {TreeName{1, "table"}};
constexpr std::array kStatements = {TreeName{1, "customer"}};
constexpr std::array kBuckets = {TreeName{1, "bucket"}};
constexpr std::array kTopics = {TreeName{1, "topic", true}, TreeName{2, "partition"}};
constexpr std::array kRuns = {TreeName{1, "project"}};

struct KnownTree {
  std::string_view folder;  // in small letters
  std::span<const TreeName> names;
};
// By the name of the folder, in any case. The first row wins.
constexpr std::array kTrees = {
    KnownTree{"mlruns", kMlflow},
    KnownTree{"pods", kPods},
    KnownTree{"pool", kPool},
    KnownTree{"awslogs", kAwsLogs},
    KnownTree{"models", kModels},
    KnownTree{"objects", kObjects},
    KnownTree{"postgres", kDatabases},
    KnownTree{"mysql", kDatabases},
    KnownTree{"postgresql", kDatabases},
    KnownTree{"mongodb", kDatabases},
    KnownTree{"mariadb", kDatabases},
    KnownTree{"music", kMusic},
    KnownTree{"movies", kMovies},
    KnownTree{"films", kMovies},
    KnownTree{"tv", kShows},
    KnownTree{"shows", kShows},
    KnownTree{"tvshows", kShows},
    KnownTree{"tv shows", kShows},
    KnownTree{"podcasts", kShows},
    KnownTree{"books", kBooks},
    KnownTree{"audiobooks", kBooks},
    KnownTree{"ebooks", kBooks},
    KnownTree{"calibre", kBooks},
    KnownTree{"library", kBooks},
    KnownTree{"journal", kJournal},
    KnownTree{"overlay2", kOverlay},
    KnownTree{"librispeech", kSpeech},
    KnownTree{"imagenet", kImagenet},
    KnownTree{"pacs", kPatients},
    KnownTree{"dicom", kPatients},
    KnownTree{"edgar", kFilings},
    KnownTree{"simple", kSimpleIndex},
    KnownTree{"remote", kHosts},
    KnownTree{"vmail", kVmail},
    KnownTree{"cmip6", kCmip},
    KnownTree{"airflow", kAirflow},
    KnownTree{"oli-tirs", kWrs},
    KnownTree{"node_modules", kModules},
    KnownTree{"site-packages", kModules},
    KnownTree{"era5", kVariables},
    KnownTree{"genomics", kGenomes},
    KnownTree{"gdc", kGdc},
    KnownTree{"saves", kGames},
    KnownTree{"savegames", kGames},
    KnownTree{"inbound", kInterfaces},
    KnownTree{"outbound", kInterfaces},
    KnownTree{"statements", kStatements},
    KnownTree{"topics", kTopics},
    KnownTree{"refs", kRefs},
    KnownTree{"s3", kBuckets},
    KnownTree{"artifacts", kRuns},
};

// What a field must be to take the name of a pair.
enum class NameKind : std::uint8_t { kText, kNumber, kAny };

struct NamePair {
  std::string_view first;
  std::string_view second;
  NameKind kind_of_first = NameKind::kAny;
  NameKind kind_of_second = NameKind::kAny;
};
// `first` stands right above or before `second`. Read in both directions: the name of one suggests
// the name of the other. The first row that fits wins.
constexpr std::array kPairs = {
    NamePair{"message_type", "trigger_event", NameKind::kText, NameKind::kText},
    NamePair{"trigger_event", "message_id", NameKind::kText, NameKind::kNumber},
    NamePair{"facility", "message_type", NameKind::kText, NameKind::kText},
    NamePair{"exchange", "symbol", NameKind::kText, NameKind::kText},
    NamePair{"mission", "instrument", NameKind::kText, NameKind::kText},
    NamePair{"artist", "album", NameKind::kText, NameKind::kText},
    NamePair{"author", "title", NameKind::kText, NameKind::kText},
    NamePair{"album", "track", NameKind::kText, NameKind::kNumber},
    NamePair{"track", "title", NameKind::kNumber, NameKind::kText},
    NamePair{"episode", "title", NameKind::kNumber, NameKind::kText},
    NamePair{"show", "episode", NameKind::kText, NameKind::kNumber},
    NamePair{"dag_id", "task_id", NameKind::kText, NameKind::kText},
    NamePair{"topic", "partition", NameKind::kText, NameKind::kNumber},
    NamePair{"partition", "offset", NameKind::kNumber, NameKind::kNumber},
    NamePair{"speaker_id", "chapter_id", NameKind::kNumber, NameKind::kNumber},
    NamePair{"chapter_id", "utterance_id", NameKind::kNumber, NameKind::kNumber},
    NamePair{"cik", "accession_number", NameKind::kNumber, NameKind::kAny},
    NamePair{"sender", "target", NameKind::kText, NameKind::kText},
    NamePair{"customer", "account", NameKind::kText, NameKind::kText},
    NamePair{"patient_id", "study_id", NameKind::kAny, NameKind::kNumber},
    NamePair{"study_id", "series_id", NameKind::kNumber, NameKind::kNumber},
    NamePair{"series_id", "instance_number", NameKind::kNumber, NameKind::kNumber},
    NamePair{"branch", "pipeline_id", NameKind::kText, NameKind::kNumber},
    NamePair{"sample", "chromosome", NameKind::kText, NameKind::kAny},
    NamePair{"class", "image_id", NameKind::kText, NameKind::kNumber},
    NamePair{"cluster", "node", NameKind::kText, NameKind::kNumber},
    NamePair{"machine_id", "user_id", NameKind::kAny, NameKind::kNumber},
    NamePair{"python", "abi", NameKind::kText, NameKind::kText},
    NamePair{"abi", "platform", NameKind::kText, NameKind::kText},
    NamePair{"z", "x", NameKind::kNumber, NameKind::kNumber},
    NamePair{"x", "y", NameKind::kNumber, NameKind::kNumber},
};

bool is_of_kind(NameKind kind, bool is_number) {
  return kind == NameKind::kAny || (kind == NameKind::kNumber) == is_number;
}

}  // namespace

std::span<const TreeName> names_below_tree(std::string_view folder) {
  const auto found = std::ranges::find(kTrees, lower(folder), &KnownTree::folder);
  return found == kTrees.end() ? std::span<const TreeName>() : found->names;
}

std::optional<std::string_view> name_after(std::string_view name, bool is_number) {
  for (const NamePair& pair : kPairs)
    if (pair.first == name && is_of_kind(pair.kind_of_second, is_number)) return pair.second;
  return std::nullopt;
}

std::optional<std::string_view> name_in_front_of(std::string_view name, bool is_number) {
  for (const NamePair& pair : kPairs)
    if (pair.second == name && is_of_kind(pair.kind_of_first, is_number)) return pair.first;
  return std::nullopt;
}

}  // namespace airlock::rules
