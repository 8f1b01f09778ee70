#include "engine/policy/toml_reading.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"

namespace airlock {

namespace {

constexpr std::size_t kLongestText = 500;  // bytes of a reason or summary
constexpr std::size_t kLongestWord = 100;  // bytes of a word that a message shows
constexpr std::size_t kMostMistakes = 50;  // that are shown
// toml++ 3.3 makes a table inside a table for every dot and frees them by recursion: half a million
// dots in one key end the process. Files of people have a few dozen.
constexpr std::size_t kMostKeyDots = 4096;

// How many dots stand in keys (and numbers): outside strings and comments.
std::size_t count_key_dots(std::string_view toml) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < toml.size(); ++at) {
    const char c = toml[at];
    if (c == '.') ++dots;
    if (c == '#') at = std::min(toml.find('\n', at), toml.size());
    if (c != '"' && c != '\'') continue;
    const std::string_view fence = toml.substr(at, 3);
    const bool is_long = fence == "\"\"\"" || fence == "'''";
    for (at += is_long ? 3 : 1; at < toml.size(); ++at) {
      if (c == '"' && toml[at] == '\\') {
        ++at;
      } else if (is_long ? toml.substr(at, 3) == fence : toml[at] == c || toml[at] == '\n') {
        at += is_long ? 2 : 0;
        break;
      }
    }
  }
  return dots;
}

}  // namespace

std::string quoted_word(std::string_view word) {
  return "'" + printable(word.substr(0, kLongestWord)) + (word.size() > kLongestWord ? "…'" : "'");
}

bool is_plain_name(std::string_view text) {
  const auto fits = [](char c) { return c == '_' || is_alnum(c); };
  return !text.empty() && text.size() <= 100 && !is_digit(text[0]) &&
         std::ranges::all_of(text, fits);
}

bool is_dotted_name(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_plain_name(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

Result<toml::table> parse_toml(std::string_view text, std::string_view file) {
  if (text.size() > kMostTomlBytes) {
    return bad_request(fmt::format("{}: it is larger than 1 MiB", printable(file)));
  }
  if (count_key_dots(text) > kMostKeyDots) {
    return bad_request(fmt::format("{}: more than {} dots in keys", printable(file), kMostKeyDots));
  }
  try {
    return toml::parse(text, std::string_view());
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    return bad_request(fmt::format("{}:{}:{}: {}", printable(file), place.line, place.column,
                                   printable(error.description())));
  }
}

Error TomlReading::all_mistakes() {
  // The reader goes by topics, people read from top to bottom.
  std::ranges::stable_sort(mistakes_, [](const Mistake& a, const Mistake& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  std::string all;
  if (mistakes_.size() > 1) {
    all = fmt::format("{}: {} mistakes in this policy\n", printable(file_), mistakes_.size());
  }
  const std::size_t hidden = mistakes_.size() - std::min(mistakes_.size(), kMostMistakes);
  mistakes_.resize(mistakes_.size() - hidden);
  for (const Mistake& mistake : mistakes_) {
    if (&mistake != &mistakes_.front()) all += '\n';
    all += fmt::format("{}:{}:{}: {}", printable(file_), mistake.place.line, mistake.place.column,
                       mistake.text);
  }
  if (hidden > 0) all += fmt::format("\n… and {} more", hidden);
  return Error{std::move(all), ErrorKind::kRequest};
}

void TomlReading::check_keys(const toml::table& table, std::string_view inside,
                             const std::vector<std::string_view>& known) {
  for (const auto& [key, node] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    std::string hint = did_you_mean(key.str(), known);
    if (hint.empty()) hint = fmt::format("; expected {}", fmt::join(known, ", "));
    wrong(key.source(), fmt::format("unknown key {}{}{}", quoted_word(key.str()), inside, hint));
  }
}

std::optional<std::string> TomlReading::text_of(const toml::table& table, std::string_view key,
                                                const toml::source_region& where,
                                                std::string_view purpose) {
  const toml::node* node = table.get(key);
  if (node == nullptr) {
    wrong(where, fmt::format("'{}' is missing: {}", key, purpose));
    return std::nullopt;
  }
  const toml::value<std::string>* value = node->as_string();
  if (value == nullptr) {
    wrong(node->source(), fmt::format("'{}' must be text: {}", key, purpose));
    return std::nullopt;
  }
  const std::string& text = value->get();
  if (text.find_first_not_of(" \t") == std::string::npos) {
    wrong(node->source(), fmt::format("'{}' is empty: {}", key, purpose));
    // It is printed in reports later, so it must be safe on a terminal.
  } else if (text.size() > kLongestText || printable(text) != text) {
    wrong(node->source(), fmt::format("'{}' must be one line of at most {} bytes without control "
                                      "characters",
                                      key, kLongestText));
  } else {
    return text;
  }
  return std::nullopt;
}

std::vector<TomlReading::Name> TomlReading::names_in(const toml::table& table,
                                                     std::string_view key) {
  std::vector<Name> names;
  const toml::node* node = table.get(key);
  if (node == nullptr) return names;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    wrong(node->source(), fmt::format("'{}' must be a list of names, such as [\"reader\"]", key));
    return names;
  }
  if (list->size() > kMostTomlEntries) {
    wrong(node->source(), fmt::format("'{}' has more than {} names", key, kMostTomlEntries));
    return names;
  }
  for (const toml::node& item : *list) {
    const toml::value<std::string>* name = item.as_string();
    if (name == nullptr) {
      wrong(item.source(), fmt::format("'{}' must hold names in quotes", key));
    } else if (std::ranges::find(names, name->get(), &Name::first) != names.end()) {
      wrong(item.source(), fmt::format("{} is listed twice", quoted_word(name->get())));
    } else {
      names.emplace_back(name->get(), item.source());
    }
  }
  return names;
}

void TomlReading::read_limit(const toml::table& table, std::string_view key, std::int64_t most,
                             std::uint32_t& limit) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return;
  const toml::value<std::int64_t>* number = node->as_integer();
  if (number == nullptr || number->get() < 1 || number->get() > most) {
    wrong(node->source(), fmt::format("'{}' must be a whole number from 1 to {}", key, most));
    return;
  }
  limit = static_cast<std::uint32_t>(number->get());
}

void read_limits(const toml::table& root, TomlReading& toml, VetLimits& limits) {
  const toml::node* node = root.get("limits");
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    toml.wrong(node->source(), "'limits' must be written as [limits]");
    return;
  }
  toml.check_keys(*table, " in [limits]", {"source_bytes", "bracket_depth", "tree_depth"});
  // source_bytes: the parser's time and memory grow with it. bracket_depth: CPython's tokenizer
  // stops at 200. tree_depth: the scan is recursive, and its stack was tested up to 1000.
  toml.read_limit(*table, "source_bytes", 4 * 1024 * 1024, limits.source_bytes);
  toml.read_limit(*table, "bracket_depth", 200, limits.bracket_depth);
  toml.read_limit(*table, "tree_depth", 1000, limits.tree_depth);
}

}  // namespace airlock
