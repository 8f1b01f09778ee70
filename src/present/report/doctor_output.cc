// The walls of this host, each with its reason and the attacks on it:
//
//   empty-root            holds
//                         there are no files: the root is an empty, read-only folder in memory
//                         · climb out of the root with .., filter down: …
//
//   17 of 17 walls stand; 59 of 59 attacks were held
//   Tier: full (…)
//
// "filter down" marks attacks on a wall behind the system-call filter, made with that filter left
// out.
#include "present/report/doctor_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 100;  // of a line
constexpr std::size_t kIndent = 22;    // behind the names of walls: 20 columns and a gap

std::string_view to_string(Attack result) {
  switch (result) {
    case Attack::kHeld:
      return "held";
    case Attack::kBreached:
      return "breached";
    case Attack::kUnclear:
      return "unclear";
    case Attack::kLeftToFilter:
      return "left_to_filter";
  }
  return "unclear";
}

bool has(const WallReport& wall, Attack result) {
  return std::ranges::any_of(wall.tried,
                             [&](const Tried& tried) { return tried.result == result; });
}

struct Word {
  std::string_view text;
  Style style;
};

// The worst first: a wall that stands and was breached is breached.
Word state_of(const WallReport& wall) {
  if (has(wall, Attack::kBreached)) return {"BREACHED", Style::kError};
  if (!wall.stands) return {"missing", wall.is_needed ? Style::kError : Style::kWarning};
  if (has(wall, Attack::kUnclear)) return {"unclear", Style::kWarning};
  return {"holds", Style::kGood};
}

// A long word on a line of its own would push the rest out of line; there is none here.
std::string below(std::string_view text, std::size_t indent) {
  return std::string(indent, ' ') + wrap(printable(text), kColumns - indent, indent) + "\n";
}

std::string tried_as_text(const Tried& tried, Colour colour) {
  const bool is_fine = tried.result == Attack::kHeld || tried.result == Attack::kLeftToFilter;
  const std::string mark =
      is_fine ? paint("·", Style::kFaint, colour) : paint("!", Style::kError, colour);
  const std::string where = tried.filter_up ? "" : ", filter down";
  return std::string(kIndent, ' ') + mark + " " + printable(tried.what) +
         paint(where + ": " + printable(tried.answer), Style::kFaint, colour) + "\n";
}

std::string wall_as_text(const WallReport& wall, Colour colour) {
  const Word state = state_of(wall);
  std::string out = fmt::format("{:<20}", wall.name) + "  " +
                    paint(state.text, state.style, colour) + "\n" + below(wall.why, kIndent);
  for (const Tried& tried : wall.tried) out += tried_as_text(tried, colour);
  if (!wall.remedy.empty()) out += below("To get it: " + wall.remedy, kIndent);
  return out;
}

// Nothing could be tried: every change that could be called for, with the walls it is about.
std::string trouble_as_text(const Diagnosis& diagnosis) {
  std::string out =
      wrap("The chamber could not be made: " + printable(diagnosis.trouble), kColumns, 0) + "\n";
  if (diagnosis.walls.empty()) return out + "\n";
  out += "A step that fails ends the run; no wall is left out. What this host may lack:\n";
  std::vector<std::pair<std::string, std::string>> changes;  // walls, remedy
  for (const WallReport& wall : diagnosis.walls) {
    if (wall.remedy.empty()) continue;
    if (!changes.empty() && changes.back().second == wall.remedy)
      changes.back().first += ", " + wall.name;
    else
      changes.emplace_back(wall.name, wall.remedy);
  }
  for (const auto& [walls, remedy] : changes) out += "\n  " + walls + "\n" + below(remedy, 4);
  return out + "\n";
}

std::string summary(const Diagnosis& diagnosis) {
  std::size_t attacks = 0;
  std::size_t held = 0;
  for (const WallReport& wall : diagnosis.walls) {
    // What is left to the filter was not an attack on this wall.
    attacks += wall.tried.size() - static_cast<std::size_t>(std::ranges::count(
                                       wall.tried, Attack::kLeftToFilter, &Tried::result));
    held += static_cast<std::size_t>(std::ranges::count(wall.tried, Attack::kHeld, &Tried::result));
  }
  const auto standing = std::ranges::count_if(diagnosis.walls, &WallReport::stands);
  return fmt::format("{} of {} walls stand; {} of {} attacks were held", standing,
                     diagnosis.walls.size(), held, attacks);
}

}  // namespace

std::string diagnosis_as_text(const Diagnosis& diagnosis, Colour colour) {
  std::string out = fmt::format("{}, Landlock {}, as {}\n\n", printable(diagnosis.kernel),
                                diagnosis.landlock_version > 0
                                    ? "version " + std::to_string(diagnosis.landlock_version)
                                    : "absent",
                                diagnosis.is_root ? "root" : "an ordinary user");
  if (diagnosis.trouble.empty()) {
    for (const WallReport& wall : diagnosis.walls) out += wall_as_text(wall, colour);
    out += "\n" + summary(diagnosis) + "\n";
  } else {
    out += trouble_as_text(diagnosis);
  }
  const Style style = diagnosis.is_acceptable ? Style::kGood : Style::kError;
  out += "Tier: " + paint(diagnosis.tier, style, colour) + " (" + diagnosis.tier_meaning + ")\n";
  return out;
}

std::string diagnosis_as_json(const Diagnosis& diagnosis) {
  Json walls = Json::array();
  for (const WallReport& wall : diagnosis.walls) {
    Json tried = Json::array();
    for (const Tried& one : wall.tried) {
      tried.push_back({{"crime", one.crime},
                       {"what", one.what},
                       {"filter", one.filter_up ? "up" : "down"},
                       {"answer", one.answer},
                       {"result", to_string(one.result)}});
    }
    walls.push_back({{"name", wall.name},
                     {"stands", wall.stands},
                     {"needed", wall.is_needed},
                     {"state", state_of(wall).text},
                     {"why", wall.why},
                     {"remedy", wall.remedy.empty() ? Json(nullptr) : Json(wall.remedy)},
                     {"tried", std::move(tried)}});
  }
  const Json document = {
      {"version", AIRLOCK_VERSION},
      {"acceptable", diagnosis.is_acceptable},
      {"tier", diagnosis.tier},
      {"trouble", diagnosis.trouble.empty() ? Json(nullptr) : Json(diagnosis.trouble)},
      {"host",
       {{"kernel", diagnosis.kernel},
        {"landlock", diagnosis.landlock_version},
        {"root", diagnosis.is_root}}},
      {"walls", std::move(walls)}};
  return json_text(document, 2) + "\n";
}

}  // namespace airlock::cli
