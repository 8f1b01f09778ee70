// The store's cache of probes:
//
//   /home/ann/.local/share/airlock/cache
//   12 entries, 1.5 MiB (at most 1.0 GiB; unused for 30 days, an entry goes)
//     licences        8 entries, 1.1 MiB
//     python_imports  4 entries, 410.0 KiB
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/records_output.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kDayMs = std::int64_t{24} * 60 * 60 * 1000;

// Both names of one kind of damage, so that a new kind cannot be given only one of them.
struct DamageWords {
  std::string_view name;   // in JSON
  std::string_view words;  // for people
};

DamageWords words_of(CacheDamage damage) {
  switch (damage) {
    case CacheDamage::kMissing:
      return {"missing", "its file is missing"};
    case CacheDamage::kAltered:
      return {"altered", "its file is not what was written"};
    case CacheDamage::kNotAFile:
      return {"not_a_file", "a link or something else stands in place of its file"};
    case CacheDamage::kUnreadable:
      return {"unreadable", "its file cannot be read"};
    case CacheDamage::kOrphaned:
      return {"orphaned", "a file that belongs to no entry"};
    case CacheDamage::kUnfinished:
      return {"unfinished", "a file that was never finished"};
  }
  return {"altered", "its file is not what was written"};
}

Json null_when_empty(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string entries_in_words(std::int64_t entries, std::int64_t bytes) {
  return fmt::format("{} {}, {}", entries, entries == 1 ? "entry" : "entries", size_text(bytes));
}

}  // namespace

std::string size_text(std::int64_t bytes) {
  static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1023.95 && unit + 1 < kUnits.size()) {  // what would be printed as 1024.0
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string cache_as_text(const CacheContents& contents, Colour colour) {
  std::string out = paint(printable(contents.folder), Style::kPlace, colour) + "\n" +
                    entries_in_words(contents.entries, contents.bytes) +
                    fmt::format(" (at most {}; unused for {} days, an entry goes)\n",
                                size_text(contents.most_bytes), contents.most_age_ms / kDayMs);
  std::size_t widest = 0;
  for (const CacheShare& share : contents.by_probe)
    widest = std::max(widest, columns_of(share.probe));
  for (const CacheShare& share : contents.by_probe) {
    out += "  " + paint(printable(share.probe), Style::kLabel, colour) +
           std::string(widest - columns_of(share.probe) + 2, ' ') +
           entries_in_words(share.entries, share.bytes) + "\n";
  }
  return out;
}

std::string cache_as_json(const CacheContents& contents) {
  Json probes = Json::array();
  for (const CacheShare& share : contents.by_probe)
    probes.push_back({{"name", share.probe}, {"entries", share.entries}, {"bytes", share.bytes}});
  return json_text({{"folder", contents.folder},
                    {"entries", contents.entries},
                    {"bytes", contents.bytes},
                    {"limit_bytes", contents.most_bytes},
                    {"limit_days", contents.most_age_ms / kDayMs},
                    {"probes", std::move(probes)}},
                   2) +
         "\n";
}

std::string cleared_as_text(const CacheCleared& cleared) {
  return "removed " + entries_in_words(cleared.entries, cleared.bytes) + "\n";
}

std::string cleared_as_json(const CacheCleared& cleared) {
  return json_text({{"entries", cleared.entries}, {"bytes", cleared.bytes}}, 2) + "\n";
}

std::string verified_as_text(const CacheVerified& verified, Colour colour) {
  std::string out;
  for (const DamagedEntry& entry : verified.removed) {
    // An entry is named by its probe and key; a file that belongs to no entry has only its own
    // name.
    const std::string name = entry.key.empty()
                                 ? printable(entry.file)
                                 : printable(entry.probe) + " " + printable(entry.key);
    out += paint("removed", Style::kWarning, colour) + "  " + name + ": " +
           std::string(words_of(entry.damage).words) + "\n";
  }
  const std::string removed = verified.removed.empty()
                                  ? "nothing was damaged"
                                  : fmt::format("{} removed", verified.removed.size());
  return out + fmt::format("{} {} sound, {}\n", verified.sound,
                           verified.sound == 1 ? "entry is" : "entries are", removed);
}

std::string verified_as_json(const CacheVerified& verified) {
  Json removed = Json::array();
  for (const DamagedEntry& entry : verified.removed) {
    removed.push_back({{"damage", words_of(entry.damage).name},
                       {"key", null_when_empty(entry.key)},
                       {"probe", null_when_empty(entry.probe)},
                       {"file", entry.file}});
  }
  return json_text({{"sound", verified.sound}, {"removed", std::move(removed)}}, 2) + "\n";
}

}  // namespace airlock::cli
