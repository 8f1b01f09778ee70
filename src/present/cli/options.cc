#include "present/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/nearest.h"
#include "present/cli/program.h"

namespace airlock::cli {

namespace {

constexpr std::array<std::pair<std::string_view, Format>, 5> kFormats = {{
    {"text", Format::kText},
    {"json", Format::kJson},
    {"yaml", Format::kYaml},
    {"sarif", Format::kSarif},
    {"github", Format::kGithub},
}};

// "chek" → "check", for commands that have commands of their own.
std::string did_you_mean_command(const CLI::App& options, std::span<const std::string> arguments) {
  std::vector<std::string> known;
  for (const CLI::App* command : options.get_subcommands([](const CLI::App*) { return true; }))
    known.push_back(command->get_name());
  const std::vector<std::string_view> names(known.begin(), known.end());
  if (arguments.empty() || arguments[0].starts_with('-') ||
      std::ranges::find(names, arguments[0]) != names.end())
    return {};
  const std::string_view near = nearest_word(arguments[0], names);
  return near.empty() ? std::string() : " Did you mean " + std::string(near) + "?";
}

// "--fromat" → "--format", when it is near one of the options.
// Sub-commands first: a misspelt one makes CLI11 complain about whatever follows it.
std::string did_you_mean(const CLI::App& options, std::span<const std::string> arguments) {
  if (std::string command = did_you_mean_command(options, arguments); !command.empty())
    return command;
  std::vector<std::string> known;
  for (const CLI::Option* option : options.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const std::string& argument : arguments) {
    const std::string_view word = std::string_view(argument).substr(0, argument.find('='));
    if (!word.starts_with("--") || std::ranges::find(names, word) != names.end()) continue;
    if (const auto near = nearest_word(word, names); !near.empty())
      return " Did you mean " + std::string(near) + "?";
  }
  return {};
}

// CLI11's messages end with a line break, a full stop, or neither; ours end with one full stop.
std::string full_stop(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  return text + ".";
}

}  // namespace

CommandLine::CommandLine(std::string_view name, std::string_view summary, std::string_view example)
    : name_(name), options_(std::string(summary), std::string(name)) {
  options_.footer("Example:\n  " + std::string(example));
  // Wide enough for our longest option names with their type, so that most fit on one line.
  options_.get_formatter()->column_width(34);
}

std::optional<int> CommandLine::parse(std::span<const std::string> arguments) {
  try {
    // CLI11 takes the words last first.
    std::vector<std::string> words(arguments.rbegin(), arguments.rend());
    options_.parse(words);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return write_report(options_.help()) ? kAccepted : kBadRequest;
  } catch (const CLI::ParseError& mistake) {
    complain(full_stop(mistake.what()) + did_you_mean(options_, arguments) + " See " + name_ +
             " --help.");
    return kBadRequest;
  }
}

CLI::Validator within(double low, double high, std::string_view unit) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return "";
        return fmt::format("'{}' is not between {} and {} {}", text, low, high, unit);
      },
      "");
}

CLI::Option* declare_format(CLI::App& options, Format& to, const std::string& words,
                            const std::vector<std::string>& forms) {
  const auto take = [&to](const std::string& word) {
    for (const auto& [name, format] : kFormats)
      if (name == word) to = format;
  };
  return options.add_option_function<std::string>("--format", take, words)
      ->check(CLI::IsMember(forms))
      ->type_name("FORMAT")
      ->default_str(forms.front());
}

void declare_timeout(CLI::App& options, double& to, const std::string& words,
                     const std::string& standard, double most) {
  options.add_option("--timeout", to, words)
      ->type_name("SECONDS")
      ->default_str(standard)
      ->check(within(0.01, most, "seconds"));
}

void declare_memory(CLI::App& options, double& to, const std::string& words,
                    const std::string& standard) {
  options.add_option("--memory", to, words)
      ->type_name("MB")
      ->default_str(standard)
      ->check(within(1.0, 4000.0, "megabytes"));
}

std::uint32_t milliseconds_of(double seconds) {
  return static_cast<std::uint32_t>(std::lround(seconds * 1000));
}

std::uint32_t bytes_of(double megabytes) {
  return static_cast<std::uint32_t>(std::lround(megabytes * 1e6));
}

void declare_paths(CLI::App& options, std::vector<std::string>& to) {
  options.add_option("--path", to, "A sample path; may be given several times")
      ->type_name("PATH")
      ->take_all()
      ->allow_extra_args(false);
}

CLI::Option* declare_samples(CLI::App& options, std::string& to, const std::string& words) {
  return options.add_option("--samples", to, words)->type_name("FILE");
}

void declare_jobs(CLI::App& options, std::size_t& to, const std::string& words, int most,
                  const std::string& standard) {
  options.add_option("--jobs", to, words)
      ->type_name("N")
      ->default_str(standard)
      ->check(CLI::Range(1, most));
}

void declare_policy(CLI::App& options, std::string& to) {
  options.add_option("--policy", to, "A built-in policy, or a TOML file that extends one")
      ->type_name("NAME|FILE.toml")
      ->default_str("extractor");
}

void declare_packages_from(CLI::App& options, std::string& to) {
  options
      .add_option("--packages-from", to,
                  "Find packages in this virtual environment; it must be for the same Python")
      ->type_name("VENV");
}

}  // namespace airlock::cli
