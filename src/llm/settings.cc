// Where settings come from, in the order in which each overrides the one before: defaults
// (settings.h), config.toml, AIRLOCK_* variables, flags. A value that is wrong is reported with its
// source and never falls back to a default: a misspelt endpoint must not send a prompt somewhere
// else.
#include "llm/settings.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>

#include "base/nearest.h"
#include "base/printable.h"
#include "llm/endpoint.h"
#include "llm/key.h"
#include "llm/providers/providers.h"
#include "os/files.h"
#include "os/process_limits.h"

namespace airlock::llm {

namespace {

constexpr std::size_t kMostFileBytes = 256 * 1024;
constexpr std::size_t kMostMistakes = 50;  // that are shown

// Whoever can write to this file can say where the key is sent.
Result<std::optional<std::string>> read_settings_file(const std::string& path) {
  if (path.empty()) return std::nullopt;
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    return bad_request_errno("read " + printable(path));
  }
  if (facts.st_uid != ::geteuid() && facts.st_uid != 0)
    return bad_request("read " + printable(path) + ": it belongs to another user");
  if ((facts.st_mode & S_IWOTH) != 0 && S_ISREG(facts.st_mode))
    return bad_request("read " + printable(path) + ": everybody may write to it: chmod o-w " +
                       printable(path));
  auto file = TRY(os::read_file(path, kMostFileBytes));
  return std::move(file.bytes);
}

// One load, in the order of precedence: each source overwrites what an earlier one put. Mistakes
// are collected over all sources and reported together; the key is read only when there are none.
class Loader {
 public:
  Loader(const UserDirs& user_dirs, os::Variables& environment)
      : user_dirs_(&user_dirs), environment_(&environment) {
    settings_.file = settings_file(user_dirs);
    settings_.model.settings_file = settings_.file;
  }

  Result<Settings> load(const SettingFlags& flags) {
    TRY(add_file());
    add_variables();
    add_flags(flags);
    apply();
    check();
    if (!mistakes_.empty()) return std::unexpected(all_mistakes());
    read_key();
    describe();
    return std::move(settings_);
  }

 private:
  void add_mistake(std::string_view source, std::string_view text) {
    mistakes_.push_back(fmt::format("{}: {}", source, text));
  }

  Result<void> add_file() {
    const auto text = TRY(read_settings_file(settings_.file));
    if (!text) return {};
    settings_.has_file = true;
    ParsedSettings parsed = parse_settings(*text, settings_.file);
    for (SettingValue& value : parsed.values) set_value(std::move(value));
    for (const SettingMistake& mistake : parsed.mistakes)
      add_mistake(fmt::format("{}:{}:{}", printable(settings_.file), mistake.line, mistake.column),
                  mistake.text);
    return {};
  }

  void add_variables() {
    for (const SettingSpec& spec : setting_specs()) {
      const std::string name(spec.variable);
      if (const auto value = environment_->get(name)) add(spec, *value, name);
    }
    std::vector<std::string_view> known;
    for (const SettingSpec& spec : setting_specs()) known.push_back(spec.variable);
    // A misspelt variable would otherwise be ignored without a word, and the default endpoint used.
    for (const std::string& name : environment_->names_with("AIRLOCK_MODEL")) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string_view near = nearest_word(name, known);
      add_mistake(printable(name),
                  near.empty() ? "there is no such setting"
                               : fmt::format("there is no such setting; did you mean {}?", near));
    }
  }

  void add_flags(const SettingFlags& flags) {
    for (const auto& [name, value] : flags) {
      const auto specs = setting_specs();
      const auto spec = std::ranges::find(specs, name, &SettingSpec::name);
      if (spec != specs.end()) add(*spec, value, "--" + name.substr(name.find_last_of('.') + 1));
    }
  }

  void add(const SettingSpec& spec, std::string_view text, std::string_view source) {
    const std::string trouble = trouble_with(spec, text);
    if (trouble.empty()) {
      set_value({&spec, std::string(text), std::string(source)});
    } else {
      add_mistake(source, trouble);
    }
  }

  void set_value(SettingValue value) { values_.insert_or_assign(value.spec, std::move(value)); }

  void apply() {
    for (const SettingSpec& spec : setting_specs()) {
      const auto found = values_.find(&spec);
      if (found != values_.end()) spec.apply(settings_, found->second.text);
    }
    ModelSettings& model = settings_.model;
    const Provider* provider = model.provider;
    if (model.endpoint.empty() && provider != nullptr) model.endpoint = provider->endpoint;
    while (model.endpoint.ends_with('/')) model.endpoint.pop_back();
    // Nobody named a key: the provider's usual variable counts, at the provider's own address alone
    // (see Provider::key_variable). Such a key may be missing without being a mistake.
    if (model.key_env.empty() && model.key_file.empty()) {
      if (provider != nullptr && model.endpoint == provider->endpoint)
        model.key_env = provider->key_variable;
      is_key_usual_ = true;
    }
    model.key_file = absolute(model.key_file);
    model.ca_file = absolute(model.ca_file);
  }

  // "~/" is the home folder; other names begin at the folder of config.toml.
  std::string absolute(const std::string& path) const {
    if (path.empty() || path.starts_with('/')) return path;
    if (path.starts_with("~/") && !user_dirs_->home.empty())
      return user_dirs_->home + path.substr(1);
    return (std::filesystem::path(settings_.file).parent_path() / path).lexically_normal().native();
  }

  std::string source_of(std::string_view name) const {
    for (const auto& [spec, value] : values_)
      if (spec->name == name) return value.source;
    return "default";
  }

  // What single values cannot show: settings that contradict each other or lack a companion.
  void check() {
    const ModelSettings& model = settings_.model;
    if (!model.key_env.empty() && !model.key_file.empty())
      add_mistake(source_of("model.key_file"),
                  "key_file and key_env are both set; keep the one that holds the key");
    check_endpoint();
    if (model.provider != nullptr && model.model.empty())
      add_mistake(source_of("model.provider"),
                  fmt::format("the provider {} needs a model: model = \"{}\" in [model] of {}, or "
                              "AIRLOCK_MODEL",
                              model.provider->name, model.provider->example_model,
                              printable(settings_.file)));
  }

  void check_endpoint() {
    const ModelSettings& model = settings_.model;
    if (model.endpoint.empty()) return;
    const std::string source = source_of("model.endpoint");
    const auto endpoint = parse_endpoint(model.endpoint);
    if (!endpoint) {
      add_mistake(source, "the endpoint cannot be used: " + endpoint.error().message);
    } else if (!endpoint->is_tls && !endpoint->is_loopback && !model.insecure) {
      add_mistake(source,
                  fmt::format("http to {} would send prompts and key in clear: use https, or say "
                              "insecure = true in [model]",
                              endpoint->host));
    }
  }

  void read_key() {
    ModelSettings& model = settings_.model;
    if (model.provider == nullptr) return;
    if (model.key_env.empty() && model.key_file.empty()) return;
    // Whether a key was promised: then failing to read it is told.
    const bool is_named = !is_key_usual_ || environment_->get(model.key_env).has_value();
    auto key = model.key_file.empty() ? key_from_variable(model.key_env, *environment_)
                                      : key_from_file(model.key_file);
    if (key) {
      model.key = *std::move(key);
      // From here on this process holds the key in memory.
      os::forbid_core_dumps();
    } else if (is_named) {
      model.key_trouble = key.error().message;
    }
  }

  // The settings in force, for `airlock ai status`. Texts are shown as they were applied (with
  // defaults and absolute paths), everything else as it was written.
  void describe() {
    for (const SettingSpec& spec : setting_specs()) {
      SettingRow row{std::string(spec.name), value_of(spec.name), "default"};
      if (const auto found = values_.find(&spec); found != values_.end()) {
        row.source = found->second.source;
        if (spec.kind != SettingKind::kText) row.value = found->second.text;
      }
      settings_.rows.push_back(std::move(row));
    }
  }

  // By name, for the table in `airlock ai status`; a test sees to it that no setting is missing
  // here.
  std::string value_of(std::string_view name) const {
    const ModelSettings& model = settings_.model;
    const std::map<std::string_view, std::string> values = {
        {"model.provider", std::string(name_of(model.provider))},
        {"model.endpoint", model.endpoint},
        {"model.model", model.model},
        {"model.key_env", model.key_env},
        {"model.key_file", model.key_file},
        {"model.ca_file", model.ca_file},
        {"model.insecure", model.insecure ? "true" : "false"},
        {"model.timeout_seconds", std::to_string(model.timeout.count())},
        {"model.connect_seconds", std::to_string(model.connect_timeout.count())},
        {"model.first_byte_seconds", std::to_string(model.first_byte_timeout.count())},
        {"model.stall_seconds", std::to_string(model.stall_timeout.count())},
        {"model.max_tokens", std::to_string(model.max_tokens)},
        {"model.budget.tokens", std::to_string(model.budget.tokens)},
        {"model.budget.attempts", std::to_string(model.budget.attempts)},
        {"model.budget.seconds", std::to_string(model.budget.seconds.count())},
        {"wizard.retries", std::to_string(settings_.wizard.retries)},
        {"wizard.consent", settings_.wizard.consent ? "true" : "false"},
        {"log.retention_days", std::to_string(settings_.log.retention_days)},
    };
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  }

  Error all_mistakes() {
    std::string all;
    if (mistakes_.size() > 1) all = fmt::format("{} mistakes in the settings\n", mistakes_.size());
    const std::size_t shown = std::min(mistakes_.size(), kMostMistakes);
    for (std::size_t i = 0; i < shown; ++i) all += (i == 0 ? "" : "\n") + mistakes_[i];
    if (shown < mistakes_.size()) all += fmt::format("\n… and {} more", mistakes_.size() - shown);
    return Error{std::move(all), ErrorKind::kRequest};
  }

  const UserDirs* user_dirs_;
  os::Variables* environment_;
  Settings settings_;
  std::map<const SettingSpec*, SettingValue> values_;
  std::vector<std::string> mistakes_;
  bool is_key_usual_ = false;
};

}  // namespace

std::string settings_file(const UserDirs& user_dirs) {
  if (!user_dirs.airlock_home.empty()) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(user_dirs.airlock_home, error);
    return error ? std::string() : (absolute / "config.toml").lexically_normal().native();
  }
  // A relative XDG folder must be ignored: so says the XDG specification.
  if (user_dirs.xdg_config_home.starts_with('/'))
    return user_dirs.xdg_config_home + "/airlock/config.toml";
  if (user_dirs.home.starts_with('/')) return user_dirs.home + "/.config/airlock/config.toml";
  return {};
}

Result<Settings> load_settings(const UserDirs& user_dirs, os::Variables& environment,
                               const SettingFlags& flags) {
  return Loader(user_dirs, environment).load(flags);
}

Result<Settings> load_settings(const UserDirs& user_dirs, const SettingFlags& flags) {
  os::Variables environment;
  return load_settings(user_dirs, environment, flags);
}

}  // namespace airlock::llm
