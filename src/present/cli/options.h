// Reading a command's arguments with CLI11, with our words for mistakes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace airlock::cli
