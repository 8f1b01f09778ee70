// Reading a command's arguments with CLI11, with our words for mistakes: "did you mean", one
// sentence, and where to look. CLI11 throws; nothing of that leaves parse(). Each command declares
// its own options; those that many have are declared here, so that they read alike in every --help.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::cli {

// A command line of one command: `options` is filled with its flags before parse() is called.
class CommandLine {
 public:
  // `name` as it is typed: "airlock check". `example` is shown at the end of --help.
  CommandLine(std::string_view name, std::string_view summary, std::string_view example);

  CLI::App& options() { return options_; }

  // Nothing: go on. Otherwise the exit code to end with, everything said.
  std::optional<int> parse(std::span<const std::string> arguments);

 private:
  std::string name_;
  CLI::App options_;
};

// For a number between the two; CLI11's own range lets through what is not a number at all.
CLI::Validator within(double low, double high, std::string_view unit);

// The options that many commands have, each declared here once. `words` explains it in --help,
// `standard` is what --help shows as its default.

// --format; the first of `forms` is the default. Without it, `to` stays as it is.
enum class Format { kText, kJson, kYaml, kSarif, kGithub };
CLI::Option* declare_format(CLI::App& options, Format& to,
                            const std::string& words = "text or json",
                            const std::vector<std::string>& forms = {"text", "json"});

// --timeout, in seconds, and --memory, in megabytes.
void declare_timeout(CLI::App& options, double& to, const std::string& words,
                     const std::string& standard, double most);
void declare_memory(CLI::App& options, double& to, const std::string& words,
                    const std::string& standard);

// --jobs
void declare_jobs(CLI::App& options, std::size_t& to, const std::string& words, int most,
                  const std::string& standard = {});

// What the two mean where they are held.
std::uint32_t milliseconds_of(double seconds);
std::uint32_t bytes_of(double megabytes);

// --path, and --samples for one file with paths.
void declare_paths(CLI::App& options, std::vector<std::string>& to);
CLI::Option* declare_samples(CLI::App& options, std::string& to, const std::string& words);

// --policy
void declare_policy(CLI::App& options, std::string& to);

// --packages-from
void declare_packages_from(CLI::App& options, std::string& to);

}  // namespace airlock::cli
