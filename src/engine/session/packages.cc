// A virtual environment is a folder with pyvenv.cfg, whose lines "key = value" tell the version of
// its Python, and lib/pythonX.Y/site-packages. Only the packages are taken from it: the interpreter
// is the one that airlock-host carries, so native modules must have been made for that version.
#include "engine/session/packages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "base/printable.h"
#include "engine/policy/library_names.h"
#include "os/files.h"
#include "os/session_folders.h"

namespace airlock {

namespace {

constexpr std::size_t kMostSettingsBytes = 64UL * 1024;

// Absolute, and what it is when every link is followed: inside there are no links to follow.
std::optional<std::string> real_folder(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), &std::free);
  std::error_code wrong;
  if (real == nullptr || !std::filesystem::is_directory(real.get(), wrong)) return std::nullopt;
  return real.get();
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The value of a setting; empty when there is none.
std::string setting(std::string_view settings, std::string_view key) {
  while (!settings.empty()) {
    const std::size_t end = std::min(settings.find('\n'), settings.size());
    const std::string_view line = settings.substr(0, end);
    settings.remove_prefix(std::min(end + 1, settings.size()));
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos || lower(trimmed(line.substr(0, sign))) != key) continue;
    return std::string(trimmed(line.substr(sign + 1)));
  }
  return {};
}

// "3.11" of "3.11.2"; empty of what begins otherwise.
std::string major_and_minor(std::string_view version) {
  std::size_t end = 0;
  int dots = 0;
  for (; end < version.size(); ++end) {
    if (version[end] == '.' && ++dots == 2) break;
    if (version[end] != '.' && !is_digit(version[end])) break;
  }
  const bool is_whole = dots >= 1 && end > 0 && is_digit(version[end - 1]);
  return is_whole ? std::string(version.substr(0, end)) : std::string();
}

// As venv and virtualenv write it, or as the folders are called.
std::string version_of(const std::string& environment, std::string_view settings) {
  for (const std::string_view key : {"version", "version_info"}) {
    if (std::string said = major_and_minor(setting(settings, key)); !said.empty()) return said;
  }
  constexpr std::string_view kPython = "python";
  std::error_code wrong;
  for (const auto& entry : std::filesystem::directory_iterator(environment + "/lib", wrong)) {
    const std::string name = entry.path().filename().native();
    if (!name.starts_with(kPython)) continue;
    if (std::string said = major_and_minor(name.substr(kPython.size())); !said.empty()) return said;
  }
  return {};
}

bool is_below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

Result<PackageFolder> find_package_folder(const std::string& environment) {
  const std::string ours = major_and_minor(library_version());
  const std::string remedy = fmt::format("make one with 'python{} -m venv DIR'", ours);
  const auto wrong = [&](const std::string& what) {
    return bad_request(
        fmt::format("--packages-from {}: {}; {}", printable(environment), what, remedy));
  };
  const auto folder = real_folder(environment);
  if (!folder) return wrong("it is not a folder that can be read");
  const auto settings = os::read_file(*folder + "/pyvenv.cfg", kMostSettingsBytes);
  if (!settings)
    return wrong("it is no virtual environment, it has no pyvenv.cfg that can be read");
  const std::string version = version_of(*folder, settings->bytes);
  if (version.empty()) return wrong("its pyvenv.cfg does not say for which Python it is");
  if (version != ours)
    return wrong(fmt::format("it is for Python {}, and airlock-host is Python {} ({})", version,
                             ours, library_version()));
  auto packages = real_folder(fmt::format("{}/lib/python{}/site-packages", *folder, ours));
  if (!packages) return wrong(fmt::format("it has no lib/python{}/site-packages", ours));
  for (const std::string_view taken : {os::kOutFolder, os::kDataFolder, os::kHostTree}) {
    if (is_below(*packages, taken))
      return bad_request(fmt::format(
          "--packages-from {}: a session has a folder of its own at {}; move it elsewhere",
          printable(environment), taken));
  }
  const bool sees_host = lower(setting(settings->bytes, "include-system-site-packages")) == "true";
  return PackageFolder{.path = *std::move(packages), .hides_host = !sees_host};
}

Result<Policy> session_policy(Policy policy, const SessionPackages& packages) {
  if (!packages.folder.path.empty()) {
    if (!policy.has_grant(kPythonFolders) || !policy.has_grant(kSharedLibraries))
      return bad_request(
          fmt::format("--packages-from: the policy '{}' does not grant {} and {}, which packages "
                      "need; one that "
                      "extends 'node' does",
                      policy.name, kPythonFolders, kSharedLibraries));
    policy.package_folder = packages.folder;
  }
  const auto has = [&](std::string_view name) {
    return std::ranges::find(policy.preloaded, name) != policy.preloaded.end();
  };
  if (!has(kSessionRuntime)) policy.preloaded.emplace(policy.preloaded.begin(), kSessionRuntime);
  for (const std::string& name : packages.names) {
    if (name == kSessionRuntime || name == kNodeRuntime)
      return bad_request("--packages: " + name + " is Airlock's own, and no package");
    if (!has(name)) policy.preloaded.push_back(name);
  }
  return policy;
}

}  // namespace airlock
