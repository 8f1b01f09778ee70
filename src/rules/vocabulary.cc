#include "rules/vocabulary.h"

#include <algorithm>
#include <array>

namespace airlock::rules {

namespace {

std::string lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

struct ValueName {
  std::string_view name;
  std::string_view values;  // with a space around each
};
constexpr std::array kValueNames = {
    ValueName{"environment",
              " prod production prd dev development staging stage stg test testing qa uat sandbox "
              "preprod int live demo "},
    ValueName{"level", " debug info warn warning error critical fatal trace "},
    ValueName{
        "architecture",
        " amd64 arm64 i386 i686 x86_64 aarch64 armhf armel all any noarch ppc64el s390x riscv64 "
        "mips64el source "},
    ValueName{"component",
              " main contrib non-free non-free-firmware universe multiverse restricted "},
    ValueName{"direction", " inbound outbound incoming outgoing in out upload download tx rx "},
    ValueName{"layer",
              " bronze silver gold staging intermediate marts mart raw curated trusted refined "
              "landing core "
              "base reporting stg int "},
    ValueName{"kind", " metrics params tags artifacts "},
    ValueName{
        "status",
        " processed failed pending done archived active approved rejected draft final open closed "
        "success error new paid unpaid "},
    ValueName{"country",
              " us uk gb de fr it es nl be ch at se no dk fi pl cz pt ie ca mx br ar jp cn kr in "
              "au nz za "
              "sg hk gr hu ro bg ru ua tr il ae sa "},
    ValueName{"language", " en de fr es it nl pt ja zh ko ru pl sv da fi cs tr ar he "},
    ValueName{"currency", " usd eur gbp jpy chf aud cad nzd sek nok dkk cny inr brl "},
    ValueName{"split", " train test val valid validation dev eval holdout "},
    ValueName{
        "weekday",
        " monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun "},
    ValueName{"side", " left right front back top bottom "},
    ValueName{"color", " red green blue nir rgb "},
    ValueName{"quality", " low medium high "},
    ValueName{"backup_type", " full incremental incr diff differential snapshot "},
    ValueName{"frequency", " hourly daily weekly monthly quarterly yearly annual "},
    ValueName{"department",
              " finance hr legal sales marketing engineering it operations ops support accounting "
              "procurement research "},
};

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
    Renamed{"h", "hour"},
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
    Renamed{"s", "season"},
    Renamed{"e", "episode"},
    Renamed{"level", "level"},
    Renamed{"layer", "layer"},
    Renamed{"zoom", "zoom"},
    Renamed{"band", "band"},
    Renamed{"lane", "lane"},
    Renamed{"channel", "channel"},
    Renamed{"sub", "subject_id"},
    Renamed{"subj", "subject_id"},
    Renamed{"ses", "session_id"},
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
};

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

constexpr std::array kMlflow = {TreeName{1, "experiment_id", true}, TreeName{2, "run_id", true},
                                TreeName{3, "kind", true}, TreeName{4, "key", true}};
constexpr std::array kPods = {TreeName{2, "container", true}, TreeName{3, "restart_count", true}};
constexpr std::array kPool = {TreeName{1, "component", true}, TreeName{2, "prefix", true},
                              TreeName{3, "source", true}};
constexpr std::array kAwsLogs = {TreeName{1, "account_id", true, true},
                                 TreeName{2, "service", true}, TreeName{3, "region", true}};
constexpr std::array kModels = {TreeName{1, "layer"}, TreeName{1, "model", false, false, true},
                                TreeName{2, "model", false, false, true},
                                TreeName{3, "model", false, false, true}};
constexpr std::array kObjects = {TreeName{1, "prefix", true, true}, TreeName{2, "hash", true}};
constexpr std::array kDatabases = {TreeName{1, "database", true}};

struct Tree {
  std::string_view folder;
  std::span<const TreeName> names;
};
constexpr std::array kTrees = {
    Tree{"mlruns", kMlflow},      Tree{"pods", kPods},        Tree{"pool", kPool},
    Tree{"AWSLogs", kAwsLogs},    Tree{"models", kModels},    Tree{"objects", kObjects},
    Tree{"postgres", kDatabases}, Tree{"mysql", kDatabases},  Tree{"postgresql", kDatabases},
    Tree{"mongodb", kDatabases},  Tree{"mariadb", kDatabases}};

bool holds_word(std::string_view list, std::string_view word) {
  return !word.empty() && !word.contains(' ') && list.contains(" " + std::string(word) + " ");
}

}  // namespace

std::string singular(std::string_view word) {
  const std::string lower = lowered(word);
  for (const std::string_view same :
       {"series",     "species",  "news",     "status", "bus", "address", "class",    "process",
        "access",     "business", "analysis", "gps",    "sms", "dns",     "postgres", "redis",
        "kubernetes", "jenkins",  "aws",      "fix",    "ops", "windows", "lens"}) {
    if (lower == same) return std::string(word);
  }
  const auto ends = [&](std::string_view end) {
    return lower.size() > end.size() + 1 && lower.ends_with(end);
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
  for (const char c : lowered(word)) {
    const bool is_fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_fine) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (name.ends_with('_')) name.pop_back();
  if (!name.empty() && name[0] >= '0' && name[0] <= '9') name.insert(0, "n");
  return name;
}

bool is_container_word(std::string_view word) {
  const auto letters = std::ranges::count_if(
      word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (letters < 2 || word.contains('=')) return true;  // a number names nothing
  return holds_word(kContainers, lowered(word));
}

std::optional<std::string_view> name_for_values(std::span<const std::string_view> values) {
  for (const ValueName& one : kValueNames) {
    const bool all = std::ranges::all_of(
        values, [&](std::string_view value) { return holds_word(one.values, lowered(value)); });
    if (all) return one.name;
  }
  return std::nullopt;
}

std::string name_behind(std::string_view word) {
  const std::string lower = lowered(word);
  const auto known = std::ranges::find(kBehind, lower, &Renamed::word);
  if (known != kBehind.end()) return std::string(known->name);
  const std::string name = as_identifier(singular(word));
  if (name.empty()) return "id";
  return name.ends_with("id") || name.ends_with("number") ? name : name + "_id";
}

std::span<const TreeName> names_below_tree(std::string_view folder) {
  const auto found = std::ranges::find(kTrees, folder, &Tree::folder);
  return found == kTrees.end() ? std::span<const TreeName>() : found->names;
}

std::string name_below(std::string_view folder, bool is_id) {
  const std::string name = as_identifier(singular(folder));
  return is_id && !name.ends_with("id") ? name + "_id" : name;
}

}  // namespace airlock::rules
