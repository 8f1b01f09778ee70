#include "rules/infer/vocabulary.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace airlock::rules {

namespace {

// A word as it stands in a path, in small letters, and the field's name that it leads to.
struct Renamed {
  std::string_view word;
  std::string_view name;
};
// A word in front of a number or code, and what the two are together.
constexpr std::array kBehind = {
    Renamed{"img", "image_number"},
    Renamed{"dsc", "image_number"},
    Renamed{"dscn", "image_number"},
    Renamed{"dscf", "image_number"},
    Renamed{"pxl", "image_number"},
    Renamed{"im", "image_number"},
    Renamed{"image", "image_number"},
    Renamed{"mvi", "video_number"},
    Renamed{"mov", "video_number"},
    Renamed{"vid", "video_number"},
    Renamed{"part", "part"},
    Renamed{"chunk", "chunk"},
    Renamed{"page", "page"},
    Renamed{"frame", "frame"},
    Renamed{"shard", "shard"},
    Renamed{"split", "split"},
    Renamed{"fold", "fold"},
    Renamed{"epoch", "epoch"},
    Renamed{"step", "step"},
    Renamed{"week", "week"},
    Renamed{"w", "week"},
    Renamed{"month", "month"},
    Renamed{"day", "day"},
    Renamed{"year", "year"},
    Renamed{"hour", "hour"},
    Renamed{"q", "quarter"},
    Renamed{"quarter", "quarter"},
    Renamed{"fy", "fiscal_year"},
    Renamed{"version", "version"},
    Renamed{"ver", "version"},
    Renamed{"v", "version"},
    Renamed{"rev", "revision"},
    Renamed{"r", "revision"},
    Renamed{"vol", "volume"},
    Renamed{"volume", "volume"},
    Renamed{"chapter", "chapter"},
    Renamed{"ch", "chapter"},
    Renamed{"disc", "disc"},
    Renamed{"cd", "disc"},
    Renamed{"track", "track"},
    Renamed{"season", "season"},
    Renamed{"episode", "episode"},
    Renamed{"level", "level"},
    Renamed{"layer", "layer"},
    Renamed{"zoom", "zoom"},
    Renamed{"band", "band"},
    Renamed{"lane", "lane"},
    Renamed{"channel", "channel"},
    Renamed{"sub", "subject"},
    Renamed{"subj", "subject_id"},
    Renamed{"ses", "session"},
    Renamed{"run", "run_id"},
    Renamed{"exp", "experiment_id"},
    Renamed{"pat", "patient_id"},
    Renamed{"pt", "patient_id"},
    Renamed{"inv", "invoice_number"},
    Renamed{"invoice", "invoice_number"},
    Renamed{"po", "order_number"},
    Renamed{"order", "order_number"},
    Renamed{"se", "series_number"},
    Renamed{"series", "series_number"},
    Renamed{"slice", "slice"},
    Renamed{"scan", "scan_id"},
    Renamed{"cust", "customer_id"},
    Renamed{"cam", "camera_id"},
    Renamed{"dev", "device_id"},
    Renamed{"bates", "bates_number"},
    Renamed{"emp", "employee_id"},
    Renamed{"acct", "account_id"},
    Renamed{"usr", "user_id"},
    Renamed{"txn", "transaction_id"},
    Renamed{"sess", "session_id"},
    Renamed{"stn", "station_id"},
    Renamed{"log", "rotation"},
    Renamed{"gen", "generation"},
    Renamed{"attempt", "attempt"},
    Renamed{"retry", "retry"},
    Renamed{"no", "number"},
    Renamed{"nr", "number"},
    Renamed{"num", "number"},
    Renamed{"line", "line"},
    Renamed{"el", "release"},
    Renamed{"fc", "release"},
    Renamed{"chr", "chromosome"},
    Renamed{"chrom", "chromosome"},
    Renamed{"seed", "seed"},
    Renamed{"node", "node"},
    Renamed{"slot", "slot"},
    Renamed{"box", "box"},
    Renamed{"batch", "batch"},
    Renamed{"acq", "acquisition"},
    Renamed{"echo", "echo"},
    Renamed{"task", "task"},
    Renamed{"tile", "tile"},
    Renamed{"row", "row"},
    Renamed{"col", "column"},
    Renamed{"drive", "drive"},
    Renamed{"partition", "partition"},
    Renamed{"offset", "offset"},
    Renamed{"size", "size"},
    Renamed{"pid", "pid"},
    Renamed{"port", "port"},
    Renamed{"seq", "sequence"},
    Renamed{"sequence", "sequence"},
    Renamed{"idx", "index"},
    Renamed{"index", "index"},
    Renamed{"ep", "episode"},
    Renamed{"issue", "issue"},
    Renamed{"revision", "revision"},
    Renamed{"pr", "pull_request"},
    Renamed{"copy", "copy"},
    Renamed{"scene", "scene"},
    Renamed{"take", "take"},
    Renamed{"shot", "shot"},
    Renamed{"dim", "dimension"},
    Renamed{"proj", "project_id"},
    Renamed{"prj", "project_id"},
    Renamed{"subject", "subject_id"},
};

// Keys as they are shortened.
constexpr std::array kKeys = {
    Renamed{"sub", "subject"},        Renamed{"ses", "session"},     Renamed{"acq", "acquisition"},
    Renamed{"dir", "direction"},      Renamed{"hemi", "hemisphere"}, Renamed{"desc", "description"},
    Renamed{"rec", "reconstruction"}, Renamed{"ep", "episode"},      Renamed{"s", "size"},
    Renamed{"lr", "learning_rate"},   Renamed{"bs", "batch_size"}};

// Two letters, each with a number behind it, that mean something together.
struct Counts {
  std::string_view letters;
  std::string_view first;
  std::string_view second;
};
constexpr std::array kCounts = {
    Counts{"se", "season", "episode"},
    Counts{"hv", "horizontal_tile", "vertical_tile"},
    Counts{"xy", "x", "y"},
    Counts{"rc", "row", "column"},
    Counts{"mc", "mode", "channel"},
    Counts{"yq", "year", "quarter"},
    Counts{"yw", "year", "week"},
    Counts{"ym", "year", "month"},
    Counts{"bc", "book", "chapter"},
};

// Things that have names and things below them: a folder "customers" says what its subfolders are.
constexpr std::string_view kEntities =
    " customer client patient user project region country site station device sensor host tenant "
    "account vendor supplier store branch team department job topic symbol exchange instrument "
    "mission experiment run session study series sample camera channel product namespace pod "
    "cluster node zone service app environment release category class artist album author show "
    "season custodian matter case claim policy contract order employee student course school "
    "hospital ward plate batch lot machine plant factory vehicle driver trip flight route city "
    "state province county district building room floor partner agency company organization org "
    "subject participant speaker chapter collection ticker portfolio fund strategy platform "
    "satellite basin field well rig turbine vessel ship aircraft layer volume dataset split "
    "group member owner guild server game player locale language provider merchant warehouse "
    "shop brand campaign ";

// Folders named after the records they hold: their subfolders are something else.
constexpr std::string_view kCollectives =
    " genomics ticks quotes tiles saves statements snapshots klines exports scans photos pictures "
    "images videos movies films reports records readings measurements events metrics messages "
    "emails mails letters notes telemetry artifacts objects blobs books podcasts games news "
    "models features labels annotations observations documents invoices backups transactions "
    "recordings clips sweeps sources scripts configs settings params weights checkpoints "
    "drawings maps charts tables views entries items things pages posts comments sales stats "
    "statistics analytics insights forecasts results outputs inputs diagnostics traces dumps "
    "candles trades bars dailies minutes hours days months weeks years simple general misc "
    "various others common ";

// Folders that say nothing about what they hold. (These three lists have a space around each word,
// so that a word can be found by plain search.)
constexpr std::string_view kContainers =
    " data raw archive archives archived log logs file files input inputs output outputs in out "
    "tmp temp "
    "export exports import imports incoming outgoing inbound outbound inbox processed storage "
    "store share "
    "shared mnt media var srv home opt usr public private upload uploads download downloads "
    "content "
    "documents docs root bucket lake warehouse dataset datasets landing staging prod dev test "
    "backup "
    "backups results db tables year years daily monthly weekly hourly current latest old new www "
    "html "
    "assets static resources src lib pool main dump dumps ";

bool holds_word(std::string_view list, std::string_view word) {
  return !word.empty() && !word.contains(' ') && list.contains(" " + std::string(word) + " ");
}

}  // namespace

// English, and good enough for the words of folders; those listed only look like plurals.
std::string singular(std::string_view word) {
  const std::string in_lower = lower(word);
  for (const std::string_view same :
       {"series",     "species",  "news",     "status", "bus", "address", "class",    "process",
        "access",     "business", "analysis", "gps",    "sms", "dns",     "postgres", "redis",
        "kubernetes", "jenkins",  "aws",      "fix",    "ops", "windows", "lens"}) {
    if (in_lower == same) return std::string(word);
  }
  const auto ends = [&](std::string_view end) {
    return in_lower.size() > end.size() + 1 && in_lower.ends_with(end);
  };
  const auto without = [&](std::size_t count) {
    return std::string(word.substr(0, word.size() - count));
  };
  if (ends("ies")) return without(3) + "y";
  if (ends("sses") || ends("ches") || ends("shes") || ends("xes") || ends("buses"))
    return without(2);
  if (ends("s") && !ends("ss") && !ends("us") && !ends("is")) return without(1);
  return std::string(word);
}

std::string as_identifier(std::string_view word) {
  std::string name;
  for (const char c : lower(word)) {
    const bool is_fine = is_lower(c) || is_digit(c);
    if (is_fine) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  // A field's name cannot begin with a digit.
  if (!name.empty() && is_digit(name[0])) name.insert(0, "n");
  return name;
}

bool is_container_word(std::string_view word) {
  const auto letters = std::ranges::count_if(word, is_letter);
  if (letters < 2 || word.contains('=')) return true;  // a number names nothing
  return holds_word(kContainers, lower(word));
}

bool is_entity_word(std::string_view word) {
  return holds_word(kEntities, singular(lower(word)));
}

// A known entity, or any plural that is not known to be a mere collection.
bool names_what_is_below(std::string_view folder) {
  if (folder.size() < 3 || is_container_word(folder)) return false;
  const std::string in_lower = lower(folder);
  if (holds_word(kCollectives, in_lower)) return false;
  if (is_entity_word(in_lower)) return true;
  const std::string one = singular(in_lower);
  return one != in_lower &&
         std::ranges::all_of(in_lower, [](char c) { return is_lower(c) || c == '_' || c == '-'; });
}

std::pair<std::string, std::string> names_of_counts(std::string_view first,
                                                    std::string_view second) {
  const std::string letters = lower(first) + lower(second);
  const auto known = std::ranges::find(kCounts, letters, &Counts::letters);
  if (known != kCounts.end()) return {std::string(known->first), std::string(known->second)};
  return {lower(first), lower(second)};
}

bool is_known_behind(std::string_view word) {
  return std::ranges::find(kBehind, lower(word), &Renamed::word) != kBehind.end();
}

std::string name_of_key(std::string_view key) {
  const auto known = std::ranges::find(kKeys, lower(key), &Renamed::word);
  return known != kKeys.end() ? std::string(known->name) : as_identifier(key);
}

std::optional<std::string_view> name_of_long_count(std::string_view letter) {
  constexpr std::array kLong = {
      Renamed{"s", "start_time"}, Renamed{"e", "end_time"},         Renamed{"c", "creation_time"},
      Renamed{"t", "timestamp"},  Renamed{"a", "acquisition_date"}, Renamed{"v", "version"},
      Renamed{"d", "date"}};
  const auto known = std::ranges::find(kLong, lower(letter), &Renamed::word);
  return known == kLong.end() ? std::nullopt : std::optional(known->name);
}

std::string name_behind(std::string_view word) {
  const std::string in_lower = lower(word);
  const auto known = std::ranges::find(kBehind, in_lower, &Renamed::word);
  if (known != kBehind.end()) return std::string(known->name);
  std::string name = as_identifier(singular(word));
  if (name.empty()) return "id";
  // One letter with a number stays itself: x, y, z.
  if (name.size() == 1) return name;
  return name.ends_with("id") || name.ends_with("number") ? name : name + "_id";
}

std::string name_below(std::string_view folder, bool is_id) {
  const std::string name = as_identifier(singular(folder));
  return is_id && !name.ends_with("id") ? name + "_id" : name;
}

}  // namespace airlock::rules
