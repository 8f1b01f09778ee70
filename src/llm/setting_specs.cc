// The table of settings: config.toml, the AIRLOCK_* variables, the flags and `airlock ai status`
// all read it, so a new setting is one row here and one field in Settings (and its value in
// settings.cc, value_of()).
//
// Columns: name in the file, variable, kind, least and greatest number, meaning for people, and
// where the value goes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "llm/providers/providers.h"
#include "llm/settings.h"

namespace airlock::llm {

namespace {

// Bytes of a text setting: a path or an address.
constexpr std::size_t kLongestText = 2000;

// Of text that trouble_with() has accepted: it is a number that fits.
std::int64_t whole(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

using Kind = SettingKind;
using Text = std::string_view;

constexpr std::array kSpecs = {
    SettingSpec{"model.provider", "AIRLOCK_MODEL_PROVIDER", Kind::kProvider, 0, 0, "who answers",
                [](Settings& all, Text text) { all.model.provider = find_provider(text); }},
    SettingSpec{"model.endpoint", "AIRLOCK_MODEL_ENDPOINT", Kind::kText, 0, 0,
                "the address of the server; each provider has its own default",
                [](Settings& all, Text text) { all.model.endpoint = text; }},
    SettingSpec{"model.model", "AIRLOCK_MODEL", Kind::kText, 0, 0, "the model's name",
                [](Settings& all, Text text) { all.model.model = text; }},
    SettingSpec{"model.key_env", "AIRLOCK_MODEL_KEY_ENV", Kind::kText, 0, 0,
                "the name of the variable that holds the key",
                [](Settings& all, Text text) { all.model.key_env = text; }},
    SettingSpec{"model.key_file", "AIRLOCK_MODEL_KEY_FILE", Kind::kText, 0, 0,
                "the file that holds the key, readable by its owner alone",
                [](Settings& all, Text text) { all.model.key_file = text; }},
    SettingSpec{"model.ca_file", "AIRLOCK_MODEL_CA_FILE", Kind::kText, 0, 0,
                "certificates to trust instead of the system's",
                [](Settings& all, Text text) { all.model.ca_file = text; }},
    SettingSpec{"model.insecure", "AIRLOCK_MODEL_INSECURE", Kind::kFlag, 0, 0,
                "allow http to another machine: prompts and key travel in clear",
                [](Settings& all, Text text) { all.model.insecure = text == "true"; }},
    SettingSpec{
        "model.timeout_seconds", "AIRLOCK_MODEL_TIMEOUT_SECONDS", Kind::kWhole, 1, 3600,
        "for a whole answer",
        [](Settings& all, Text text) { all.model.timeout = std::chrono::seconds(whole(text)); }},
    SettingSpec{"model.connect_seconds", "AIRLOCK_MODEL_CONNECT_SECONDS", Kind::kWhole, 1, 300,
                "to find the host and connect",
                [](Settings& all, Text text) {
                  all.model.connect_timeout = std::chrono::seconds(whole(text));
                }},
    SettingSpec{"model.first_byte_seconds", "AIRLOCK_MODEL_FIRST_BYTE_SECONDS", Kind::kWhole, 1,
                3600, "until the answer begins; loading a model takes its time",
                [](Settings& all, Text text) {
                  all.model.first_byte_timeout = std::chrono::seconds(whole(text));
                }},
    SettingSpec{"model.stall_seconds", "AIRLOCK_MODEL_STALL_SECONDS", Kind::kWhole, 1, 3600,
                "of silence in the middle of an answer",
                [](Settings& all, Text text) {
                  all.model.stall_timeout = std::chrono::seconds(whole(text));
                }},
    SettingSpec{"model.max_tokens", "AIRLOCK_MODEL_MAX_TOKENS", Kind::kWhole, 1, 1000000,
                "the longest answer to ask for",
                [](Settings& all, Text text) { all.model.max_tokens = whole(text); }},
    SettingSpec{"model.budget.tokens", "AIRLOCK_MODEL_BUDGET_TOKENS", Kind::kWhole, 1, 1000000000,
                "of all questions and answers of one command together",
                [](Settings& all, Text text) { all.model.budget.tokens = whole(text); }},
    SettingSpec{"model.budget.attempts", "AIRLOCK_MODEL_BUDGET_ATTEMPTS", Kind::kWhole, 1, 10000,
                "how often one command may ask",
                [](Settings& all, Text text) { all.model.budget.attempts = whole(text); }},
    SettingSpec{"model.budget.seconds", "AIRLOCK_MODEL_BUDGET_SECONDS", Kind::kWhole, 1, 86400,
                "that one command may spend waiting for answers",
                [](Settings& all, Text text) {
                  all.model.budget.seconds = std::chrono::seconds(whole(text));
                }},
    SettingSpec{"wizard.retries", "AIRLOCK_WIZARD_RETRIES", Kind::kWhole, 0, 10,
                "after a first try that did not pass",
                [](Settings& all, Text text) { all.wizard.retries = whole(text); }},
    SettingSpec{"wizard.consent", "AIRLOCK_WIZARD_CONSENT", Kind::kFlag, 0, 0,
                "send paths without showing them first",
                [](Settings& all, Text text) { all.wizard.consent = text == "true"; }},
    SettingSpec{"log.retention_days", "AIRLOCK_LOG_RETENTION_DAYS", Kind::kWhole, 1, 36500,
                "how long the log of questions is kept",
                [](Settings& all, Text text) { all.log.retention_days = whole(text); }},
};

std::string trouble_with_provider(std::string_view text) {
  const auto choices = provider_choices();
  if (std::ranges::find(choices, text) != choices.end()) return {};
  const std::string meant = did_you_mean(text, choices);
  return fmt::format(
      "there is no provider '{}'{}", printable(text.substr(0, 100)),
      meant.empty() ? fmt::format("; there are {}", fmt::join(choices, ", ")) : meant);
}

std::string trouble_with_whole(const SettingSpec& spec, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  if (is_whole && value >= spec.low && value <= spec.high) return {};
  return fmt::format("must be a whole number from {} to {}: {}", spec.low, spec.high, spec.what);
}

bool is_variable_name(std::string_view text) {
  const auto fits = [](char c) { return is_alnum(c) || c == '_'; };
  return !text.empty() && text.size() <= 200 && !is_digit(text[0]) &&
         std::ranges::all_of(text, fits);
}

// For a message: a real provider's variable rather than an invented one.
std::string_view example_key_variable() {
  const auto* row = std::ranges::find_if(
      providers::kAll, [](const Provider* provider) { return !provider->key_variable.empty(); });
  return row == providers::kAll.end() ? "API_KEY" : (*row)->key_variable;
}

}  // namespace

std::span<const SettingSpec> setting_specs() {
  return kSpecs;
}

std::string meaning_of(const SettingSpec& spec) {
  if (spec.kind != SettingKind::kProvider) return std::string(spec.what);
  std::vector<std::string> shown = {std::string(kDisabled)};
  for (const Provider* provider : providers::kAll)
    shown.push_back(provider->remark.empty()
                        ? std::string(provider->name)
                        : fmt::format("{} ({})", provider->name, provider->remark));
  return fmt::format("{}: {}", spec.what, one_of({shown.begin(), shown.end()}));
}

// A value is repeated only where it cannot be a key that was put in the wrong place.
std::string trouble_with(const SettingSpec& spec, std::string_view text) {
  switch (spec.kind) {
    case SettingKind::kProvider:
      return trouble_with_provider(text);
    case SettingKind::kWhole:
      return trouble_with_whole(spec, text);
    case SettingKind::kFlag:
      return text == "true" || text == "false"
                 ? std::string()
                 : fmt::format("must be true or false: {}", spec.what);
    case SettingKind::kText:
      break;
  }
  if (text.empty()) return fmt::format("is empty: {}", spec.what);
  if (text.size() > kLongestText || printable(text) != text)
    return fmt::format("must be one line of at most {} bytes without control characters",
                       kLongestText);
  if (spec.name == "model.key_env" && !is_variable_name(text))
    return fmt::format(
        "must be the name of an environment variable, such as {}; a key itself is kept in a "
        "variable or a file",
        example_key_variable());
  return {};
}

}  // namespace airlock::llm
