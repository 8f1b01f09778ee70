#include "llm/settings.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace airlock::llm {
namespace {

constexpr const char* kKey = "sk-abcdefghijklmnop";

class SetVariables : public os::Variables {
 public:
  std::optional<std::string> get(const std::string& name) const override {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::string> names_with(std::string_view beginning) const override {
    std::vector<std::string> names;
    for (const auto& [name, value] : values)
      if (name.starts_with(beginning)) names.push_back(name);
    return names;
  }
  void forget(const std::string& name) override { values.erase(name); }
  std::map<std::string, std::string> values;
};

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("settings_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    user_dirs_.airlock_home = folder_.native();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) {
    const std::string path = (folder_ / name).native();
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }
  Result<Settings> load(const SettingFlags& flags = {}) {
    return load_settings(user_dirs_, variables_, flags);
  }
  std::string complaint() {
    const auto settings = load();
    return settings ? "" : settings.error().message;
  }

  std::filesystem::path folder_;
  UserDirs user_dirs_;
  SetVariables variables_;
};

TEST_F(SettingsTest, WithoutAnythingThereIsNoModel) {
  const Settings settings = load().value();
  EXPECT_EQ(settings.model.provider, nullptr);
  EXPECT_FALSE(settings.has_file);
  EXPECT_EQ(settings.wizard.retries, 3);
  EXPECT_EQ(settings.log.retention_days, 90);
  ASSERT_EQ(settings.rows.size(), setting_specs().size());
  for (std::size_t i = 0; i < settings.rows.size(); ++i) {
    const bool may_be_empty = setting_specs()[i].kind == SettingKind::kText;
    EXPECT_TRUE(may_be_empty || !settings.rows[i].value.empty()) << settings.rows[i].name;
  }
}

TEST_F(SettingsTest, FlagsBeatVariablesBeatTheFileBeatsDefaults) {
  write("config.toml",
        "[model]\nprovider = \"ollama\"\nmodel = \"a\"\ntimeout_seconds = 7\n[model.budget]\n"
        "tokens = 5\n[wizard]\nretries = 1\nconsent = true\n[log]\nretention_days = 2\n");
  variables_.values = {{"AIRLOCK_MODEL", "b"}, {"AIRLOCK_MODEL_TIMEOUT_SECONDS", "8"}};
  const Settings settings = load({{"model.timeout_seconds", "9"}}).value();
  EXPECT_EQ(settings.model.endpoint, "http://localhost:11434");
  EXPECT_EQ(settings.model.model, "b");
  EXPECT_EQ(settings.model.timeout, std::chrono::seconds(9));
  EXPECT_EQ(settings.model.budget.tokens, 5);
  EXPECT_EQ(settings.wizard.retries, 1);
  EXPECT_TRUE(settings.wizard.consent);
  EXPECT_EQ(settings.log.retention_days, 2);
  std::map<std::string, std::string> sources;
  for (const SettingRow& row : settings.rows) sources[row.name] = row.source;
  EXPECT_EQ(sources["model.provider"], (folder_ / "config.toml:2:1").native());
  EXPECT_EQ(sources["model.model"], "AIRLOCK_MODEL");
  EXPECT_EQ(sources["model.timeout_seconds"], "--timeout_seconds");
  EXPECT_EQ(sources["model.endpoint"], "default");
}

TEST_F(SettingsTest, EveryMistakeIsReportedAtOnceWithItsPlace) {
  write("config.toml",
        "[model]\nprovidr = \"ollama\"\ntimeout_seconds = \"x\"\nmax_tokens = 0\n"
        "provider = \"olama\"\n[modl]\n[model.budget]\ntokns = 1\n[wizard]\nconsent = 1\n");
  const std::string all = complaint();
  for (const char* words :
       {":2:1: unknown key 'providr'; did you mean 'provider'?", ":3:19: 'timeout_seconds' must be",
        ":4:14: 'max_tokens' must be a whole number from 1", ":5:12: there is no provider 'olama'",
        "did you mean 'ollama'?", ":6:2: unknown key 'modl'; did you mean 'model'?",
        ":8:1: unknown key 'tokns'; did you mean 'tokens'?", ":10:11: 'consent' must be true",
        "7 mistakes"})
    EXPECT_NE(all.find(words), std::string::npos) << words << "\n" << all;
}

TEST_F(SettingsTest, AFileThatIsNoTomlSaysWhere) {
  write("config.toml", "[model\n");
  EXPECT_NE(complaint().find("config.toml:1:"), std::string::npos);
  write("config.toml", std::string(300000, '#'));
  EXPECT_NE(complaint().find("256 KiB"), std::string::npos);
  write("config.toml", std::string(5000, '['));
  EXPECT_NE(complaint().find("brackets"), std::string::npos);
  write("config.toml", "model = 3\n");
  EXPECT_NE(complaint().find("must be a table"), std::string::npos);
}

TEST_F(SettingsTest, AKeyInTheWrongPlaceIsNeverRepeated) {
  for (const std::string& line :
       {std::string("api_key = \"") + kKey + "\"", std::string("key_env = \"") + kKey + "\"",
        std::string("key = \"") + kKey + "\"", std::string("endpoint = \"https://") + kKey + "@h\"",
        std::string("max_tokens = \"") + kKey + "\""}) {
    write("config.toml", "[model]\n" + line + "\n");
    const std::string all = complaint();
    EXPECT_FALSE(all.empty()) << line;
    EXPECT_EQ(all.find(kKey), std::string::npos) << all;
  }
}

TEST_F(SettingsTest, KeysDoNotTravelInClear) {
  variables_.values = {{"AIRLOCK_MODEL_PROVIDER", "openai"},
                       {"AIRLOCK_MODEL", "m"},
                       {"AIRLOCK_MODEL_ENDPOINT", "http://models.example/v1"}};
  EXPECT_NE(complaint().find("in clear"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_INSECURE"] = "true";
  EXPECT_TRUE(load());
  variables_.values.erase("AIRLOCK_MODEL_INSECURE");
  variables_.values["AIRLOCK_MODEL_ENDPOINT"] = "http://127.0.0.1:8080/v1/";
  EXPECT_EQ(load().value().model.endpoint, "http://127.0.0.1:8080/v1");
}

TEST_F(SettingsTest, AKeyIsTakenFromItsVariableAndNoChildInheritsIt) {
  variables_.values = {{"AIRLOCK_MODEL_PROVIDER", "openai"},
                       {"AIRLOCK_MODEL", "m"},
                       {"AIRLOCK_MODEL_KEY_ENV", "MY_KEY"},
                       {"MY_KEY", kKey}};
  const Settings settings = load().value();
  ASSERT_NE(settings.model.key, nullptr);
  EXPECT_EQ(settings.model.key->text(), kKey);
  EXPECT_FALSE(variables_.values.contains("MY_KEY"));
  for (const SettingRow& row : settings.rows) EXPECT_EQ(row.value.find(kKey), std::string::npos);
}

TEST_F(SettingsTest, TheUsualVariableIsOnlyForTheUsualServer) {
  variables_.values = {
      {"AIRLOCK_MODEL_PROVIDER", "openai"}, {"AIRLOCK_MODEL", "m"}, {"OPENAI_API_KEY", kKey}};
  EXPECT_NE(load().value().model.key, nullptr);
  variables_.values["OPENAI_API_KEY"] = kKey;
  variables_.values["AIRLOCK_MODEL_ENDPOINT"] = "https://models.example/v1";
  EXPECT_EQ(load().value().model.key, nullptr);
  EXPECT_TRUE(variables_.values.contains("OPENAI_API_KEY"));
}

TEST_F(SettingsTest, AKeyFileMustBePrivateAndOurs) {
  const std::string file = write("key", std::string(kKey) + "\n");
  variables_.values = {{"AIRLOCK_MODEL_PROVIDER", "anthropic"},
                       {"AIRLOCK_MODEL", "m"},
                       {"AIRLOCK_MODEL_KEY_FILE", "key"}};
  EXPECT_EQ(load().value().model.key->text(), kKey);
  const auto trouble = [&] { return load().value().model.key_trouble; };
  ::chmod(file.c_str(), 0640);
  EXPECT_NE(trouble().find("chmod 600"), std::string::npos);
  ::chmod(file.c_str(), 0600);
  std::filesystem::create_symlink(file, folder_ / "link");
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = (folder_ / "link").native();
  EXPECT_NE(trouble().find("symbolic link"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = folder_.native();
  EXPECT_NE(trouble().find("not a plain file"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = "nothere";
  EXPECT_NE(trouble().find("No such file"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = write("empty", "\n");
  EXPECT_NE(trouble().find("is empty"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = write("two", "a\r\nX-Header: b\n");
  EXPECT_NE(trouble().find("characters that no key has"), std::string::npos);
  variables_.values["AIRLOCK_MODEL_KEY_FILE"] = write("long", std::string(9000, 'a'));
  EXPECT_NE(trouble().find("longer"), std::string::npos);
}

TEST_F(SettingsTest, AProviderNeedsAModelAndOneKey) {
  variables_.values = {{"AIRLOCK_MODEL_PROVIDER", "ollama"},
                       {"AIRLOCK_MODEL_KEY_ENV", "A"},
                       {"AIRLOCK_MODEL_KEY_FILE", "b"}};
  const std::string all = complaint();
  EXPECT_NE(all.find("needs a model"), std::string::npos);
  EXPECT_NE(all.find("both set"), std::string::npos);
}

TEST_F(SettingsTest, AVariableWithASlipInItsNameIsTold) {
  variables_.values = {{"AIRLOCK_MODEL_PROVDER", "ollama"}};
  EXPECT_NE(complaint().find("did you mean AIRLOCK_MODEL_PROVIDER?"), std::string::npos);
}

TEST_F(SettingsTest, AFileThatEverybodyMayWriteToIsRefused) {
  write("config.toml", "", 0666);
  EXPECT_NE(complaint().find("chmod o-w"), std::string::npos);
}

TEST(SettingsFile, HasOnePlace) {
  EXPECT_EQ(settings_file({"/state", "", "/home/me", "/config"}), "/state/config.toml");
  EXPECT_EQ(settings_file({"", "", "/home/me", "/config"}), "/config/airlock/config.toml");
  EXPECT_EQ(settings_file({"", "", "/home/me", "config"}), "/home/me/.config/airlock/config.toml");
  EXPECT_EQ(settings_file({}), "");
}

}  // namespace
}  // namespace airlock::llm
