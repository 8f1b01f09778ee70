#include "engine/session/packages.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/policy/library_names.h"
#include "support/folder_test.h"

namespace airlock {
namespace {

namespace fs = std::filesystem;

class Packages : public test::FolderTest {
 protected:
  std::string make(std::string_view settings, const std::string& python = ours()) {
    const fs::path folder = folder_ / "venv";
    fs::create_directories(folder / "lib" / ("python" + python) / "site-packages");
    std::ofstream(folder / "pyvenv.cfg") << settings;
    return folder.string();
  }
  static std::string ours() {
    const std::string_view version = library_version();
    return std::string(version.substr(0, version.rfind('.')));
  }
  static std::string refusal(const std::string& environment) {
    const auto found = find_package_folder(environment);
    EXPECT_FALSE(found);
    if (found) return "";
    EXPECT_EQ(found.error().kind, ErrorKind::kRequest);
    return found.error().message;
  }
  static testing::AssertionResult says(const std::string& text, std::string_view words) {
    if (text.find(words) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no \"" << words << "\" in: " << text;
  }
};

TEST_F(Packages, AreFoundInAVirtualEnvironment) {
  const std::string venv =
      make("home = /usr/bin\ninclude-system-site-packages = false\nversion = " +
           std::string(library_version()) + "\n");
  const auto found = find_package_folder(venv);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->path, fs::canonical(venv).string() + "/lib/python" + ours() + "/site-packages");
  EXPECT_TRUE(found->hides_host);
}

TEST_F(Packages, AnEnvironmentMayShowTheHostsToo) {
  const auto found = find_package_folder(
      make("Include-System-Site-Packages=TRUE\r\nversion_info = " + ours() + ".9.final.0\r\n"));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->hides_host);
}

TEST_F(Packages, TheFoldersNameTellsTheVersionWhereNothingElseDoes) {
  EXPECT_TRUE(find_package_folder(make("home = /usr/bin\n")));
  EXPECT_TRUE(find_package_folder(make("version =\n")));
}

TEST_F(Packages, ALinkLeadsToTheFolderItself) {
  const std::string venv = make("version = " + ours() + "\n");
  fs::create_directory_symlink(venv, folder_ / "link");
  const auto found = find_package_folder((folder_ / "link").string());
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->path.starts_with(fs::canonical(venv).string()));
}

TEST_F(Packages, OfAnotherPythonAreRefusedWithBothVersions) {
  const std::string said = refusal(make("version = 3.99.1\n", "3.99"));
  EXPECT_TRUE(says(said, "it is for Python 3.99, and airlock-host is Python " + ours()));
  EXPECT_TRUE(says(said, "python" + ours() + " -m venv"));
  EXPECT_TRUE(says(refusal(make("version_info = 2.7.18.final.0\n")), "Python 2.7"));
}

TEST_F(Packages, WhatIsNoEnvironmentIsSaidWithWhatIsMissing) {
  EXPECT_TRUE(says(refusal((folder_ / "none").string()), "it is not a folder"));
  EXPECT_TRUE(says(refusal(""), "it is not a folder"));
  std::ofstream(folder_ / "file") << "x";
  EXPECT_TRUE(says(refusal((folder_ / "file").string()), "it is not a folder"));
  EXPECT_TRUE(says(refusal(folder_.string()), "it has no pyvenv.cfg"));
  const std::string venv = make("version = " + ours() + "\n");
  fs::remove_all(folder_ / "venv" / "lib");
  EXPECT_TRUE(says(refusal(venv), "it has no lib/python" + ours() + "/site-packages"));
  std::ofstream(folder_ / "venv" / "pyvenv.cfg") << "home = /usr/bin\n";
  EXPECT_TRUE(says(refusal(venv), "does not say for which Python"));
}

TEST_F(Packages, ArePartOfThePolicyThatASessionStartsWith) {
  Policy policy = *find_builtin_policy("node");
  policy.preloaded = {"json"};
  const auto made =
      session_policy(policy, {.names = {"json", "csv"}, .folder = {"/x/site-packages", true}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->preloaded,
            (std::vector<std::string>{std::string(kSessionRuntime), "json", "csv"}));
  EXPECT_EQ(made->package_folder, (PackageFolder{"/x/site-packages", true}));
}

TEST_F(Packages, AreNoPartsOfOurOwn) {
  for (const std::string_view name : {kSessionRuntime, kNodeRuntime}) {
    const auto made =
        session_policy(*find_builtin_policy("node"), {.names = {std::string(name)}, .folder = {}});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::kRequest);
  }
}

TEST_F(Packages, OfAnEnvironmentNeedTheGrantsForThem) {
  const SessionPackages packages{.names = {}, .folder = {"/x/site-packages", true}};
  const auto made = session_policy(*find_builtin_policy("probe"), packages);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::kRequest);
  EXPECT_TRUE(says(made.error().message, "'probe' does not grant python_folders and shared"));
}

}  // namespace
}  // namespace airlock
