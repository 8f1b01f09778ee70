// config.toml, read strictly: a walk over the tables that the settings' names imply.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"
#include "base/printable.h"
#include "llm/settings.h"

namespace airlock::llm {

namespace {

// toml++ makes a table inside a table for every dot and bracket and frees them by recursion.
constexpr std::size_t kMostTomlBytes = 256 * 1024;
// Dots and brackets in the whole file: an upper bound of its depth that needs no parsing.
constexpr std::size_t kMostNesting = 4096;

// Names under which people try to put a key into the file. They are told where it belongs.
constexpr std::array<std::string_view, 6> kKeyWords = {"key",    "api_key", "apikey",
                                                       "secret", "token",   "password"};

std::string in_quotes(std::string_view text) {
  return "'" + printable(text.substr(0, 100)) + (text.size() > 100 ? "…'" : "'");
}

class SettingsReader {
 public:
  explicit SettingsReader(std::string_view file) : file_(file) {}

  ParsedSettings read(const toml::table& root) {
    walk(root, "");
    return finish();
  }

  // toml++ keeps tables sorted by name; people read mistakes from top to bottom.
  ParsedSettings finish() {
    std::ranges::stable_sort(read_.mistakes, [](const SettingMistake& a, const SettingMistake& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    return std::move(read_);
  }

  void add_mistake(const toml::source_position& place, std::string text) {
    read_.mistakes.push_back({place.line, place.column, std::move(text)});
  }

 private:
  // `prefix`: "" or "model." …; names deeper than any setting's are unknown before they are
  // entered.
  void walk(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      if (const SettingSpec* spec = find(name)) {
        take_value(*spec, key, node);
      } else if (is_table_name(name)) {
        if (const toml::table* inner = node.as_table()) {
          walk(*inner, name + ".");
        } else {
          add_mistake(key.source().begin,
                      fmt::format("{} must be a table: [{}]", in_quotes(name), name));
        }
      } else {
        add_mistake(key.source().begin, unknown(key.str(), prefix));
      }
    }
  }

  static const SettingSpec* find(std::string_view name) {
    const auto specs = setting_specs();
    const auto found = std::ranges::find(specs, name, &SettingSpec::name);
    return found == specs.end() ? nullptr : &*found;
  }

  static bool is_table_name(const std::string& name) {
    return std::ranges::any_of(setting_specs(), [&](const SettingSpec& spec) {
      return spec.name.starts_with(name + ".");
    });
  }

  // The names that may stand in the table `prefix`.
  static std::vector<std::string_view> known_in(std::string_view prefix) {
    std::vector<std::string_view> known;
    for (const SettingSpec& spec : setting_specs()) {
      if (!spec.name.starts_with(prefix)) continue;
      const std::string_view rest = spec.name.substr(prefix.size());
      const std::string_view word = rest.substr(0, rest.find('.'));
      if (std::ranges::find(known, word) == known.end()) known.push_back(word);
    }
    return known;
  }

  static std::string unknown(std::string_view key, std::string_view prefix) {
    if (std::ranges::find(kKeyWords, key) != kKeyWords.end())
      return fmt::format(
          "unknown key {}: a secret does not belong in this file; name a variable in key_env, or a "
          "file in key_file",
          in_quotes(key));
    const auto known = known_in(prefix);
    const std::string meant = did_you_mean(key, known);
    return fmt::format(
        "unknown key {}{}", in_quotes(key),
        meant.empty() ? fmt::format("; expected {}", fmt::join(known, ", ")) : meant);
  }

  // The value as text, in the form that variables and flags have too: from here on all sources are
  // alike.
  void take_value(const SettingSpec& spec, const toml::key& key, const toml::node& node) {
    std::string text;
    std::string_view wanted;
    switch (spec.kind) {
      case SettingKind::kProvider:
      case SettingKind::kText:
        if (const auto* value = node.as_string()) {
          text = value->get();
        } else {
          wanted = "must be text in quotes";
        }
        break;
      case SettingKind::kWhole:
        if (const auto* value = node.as_integer()) {
          text = std::to_string(value->get());
        } else {
          wanted = "must be a whole number without quotes";
        }
        break;
      case SettingKind::kFlag:
        if (const auto* value = node.as_boolean()) {
          text = value->get() ? "true" : "false";
        } else {
          wanted = "must be true or false without quotes";
        }
        break;
    }
    const std::string trouble =
        wanted.empty() ? trouble_with(spec, text) : fmt::format("{}: {}", wanted, meaning_of(spec));
    if (!trouble.empty()) {
      // Sentences about a provider name what is wrong themselves; the others lack their subject.
      const bool is_sentence = wanted.empty() && spec.kind == SettingKind::kProvider;
      add_mistake(node.source().begin,
                  is_sentence ? trouble : fmt::format("'{}' {}", key.str(), trouble));
      return;
    }
    const auto place = key.source().begin;
    read_.values.push_back({&spec, std::move(text),
                            fmt::format("{}:{}:{}", printable(file_), place.line, place.column)});
  }

  std::string_view file_;
  ParsedSettings read_;
};

}  // namespace

ParsedSettings parse_settings(std::string_view toml, std::string_view file) {
  SettingsReader reader(file);
  if (toml.size() > kMostTomlBytes) {
    reader.add_mistake({1, 1}, "the file is larger than 256 KiB");
    return reader.finish();
  }
  if (static_cast<std::size_t>(std::ranges::count_if(
          toml, [](char c) { return c == '.' || c == '[' || c == '{'; })) > kMostNesting) {
    reader.add_mistake({1, 1}, "the file has more dots and brackets than settings can need");
    return reader.finish();
  }
  try {
    const toml::table root = toml::parse(toml, std::string_view());
    return reader.read(root);
  } catch (const toml::parse_error& error) {
    reader.add_mistake(error.source().begin, printable(error.description()));
    return reader.finish();
  }
}

}  // namespace airlock::llm
