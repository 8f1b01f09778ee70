// What the user has settled about models: defaults, then config.toml, then AIRLOCK_* variables,
// then flags. One table (setting_specs) says which settings there are; the file, the variables, the
// flags and `airlock ai status` are all read from it.
//
// Reading is strict: every mistake is reported at once, each with its place. No key is ever in here
// as text: a key is a Secret that only the request's header is made from.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "llm/secret.h"
#include "model/user_dirs.h"
#include "os/variables.h"

namespace airlock::llm {

struct Provider;  // a row of llm/providers/providers.h

struct BudgetSettings {
  std::int64_t tokens = 200000;
  std::int64_t attempts = 20;
  std::chrono::seconds seconds{900};
};

struct ModelSettings {
  const Provider* provider = nullptr;  // null: no model is asked
  std::string endpoint = {};           // checked; never empty when a provider is set
  std::string model = {};
  std::string key_env = {};   // the variable that holds the key; empty: none
  std::string key_file = {};  // absolute
  std::string ca_file = {};   // certificates to trust instead of the system's
  bool insecure = false;      // http to another host was asked for
  std::chrono::seconds timeout{120};
  std::chrono::seconds connect_timeout{10};
  std::chrono::seconds first_byte_timeout{60};
  std::chrono::seconds stall_timeout{30};
  std::int64_t max_tokens = 4096;
  BudgetSettings budget = {};
  std::shared_ptr<const Secret> key = {};  // null: none is sent
  std::string key_trouble = {};            // why there is none although one was named
  std::string settings_file = {};          // for messages about what to change
};

struct WizardSettings {
  std::int64_t retries = 3;
  bool consent = false;  // paths may be sent without asking each time
};

struct LogSettings {
  std::int64_t retention_days = 90;
};

// One setting in force, for people.
struct SettingRow {
  std::string name;    // "model.endpoint"
  std::string value;   // as it would stand in the file
  std::string source;  // "default", "/…/config.toml:3:1", "AIRLOCK_MODEL", "--model"
};

struct Settings {
  ModelSettings model = {};
  WizardSettings wizard = {};
  LogSettings log = {};
  std::string file = {};  // where config.toml is or would be
  bool has_file = false;
  std::vector<SettingRow> rows = {};
};

enum class SettingKind : std::uint8_t { kProvider, kText, kWhole, kFlag };

// One setting: the only place that names it. `apply` is given text that trouble_with() found
// nothing wrong with; `low` and `high` are for kWhole alone, both included.
struct SettingSpec {
  std::string_view name;      // "model.budget.tokens": the table's name and the key
  std::string_view variable;  // "AIRLOCK_MODEL_BUDGET_TOKENS"
  SettingKind kind = SettingKind::kText;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string_view what;  // in a few words
  void (*apply)(Settings& settings, std::string_view text) = nullptr;
};
std::span<const SettingSpec> setting_specs();
// What a setting is, for messages; of the provider, which there are.
std::string meaning_of(const SettingSpec& spec);

// {"model.endpoint", "http://…"}: what the command line says.
using SettingFlags = std::vector<std::pair<std::string, std::string>>;

// $AIRLOCK_HOME/config.toml, else $XDG_CONFIG_HOME/airlock/config.toml, else
// ~/.config/airlock/config.toml. Only the name; empty when no folder is known.
std::string settings_file(const UserDirs& user_dirs);

// A file that is not there is no mistake. The key is read, and its variable forgotten: call it
// once, before threads are started. A key that cannot be read is told in key_trouble, not as an
// Error.
Result<Settings> load_settings(const UserDirs& user_dirs, os::Variables& environment,
                               const SettingFlags& flags = {});
// The same with the variables of this process.
Result<Settings> load_settings(const UserDirs& user_dirs, const SettingFlags& flags = {});

// A mistake in a file's text, with its place.
struct SettingMistake {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string text;
};

struct SettingValue {
  const SettingSpec* spec = nullptr;
  std::string text;
  std::string source;
};

struct ParsedSettings {
  std::vector<SettingValue> values = {};
  std::vector<SettingMistake> mistakes = {};  // by place
};

// The text of config.toml; pure. `file` is only for sources.
ParsedSettings parse_settings(std::string_view toml, std::string_view file);

// What is wrong with a value, in words; empty when nothing is.
std::string trouble_with(const SettingSpec& spec, std::string_view text);

}  // namespace airlock::llm
