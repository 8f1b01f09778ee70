// airlock ai status|ask|log|export|prune: the model that is set up, and what it was asked.
#include <fmt/format.h>

#include <algorithm>
#include <expected>
#include <string>
#include <thread>
#include <utility>

#include "base/printable.h"
#include "base/result.h"
#include "engine/records/model_log.h"
#include "llm/http_model.h"
#include "llm/model.h"
#include "llm/providers/providers.h"
#include "llm/settings.h"
#include "llm/wrapped_model.h"
#include "os/files.h"
#include "os/interrupts.h"
#include "os/replace_file.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/ai_output.h"

namespace airlock::cli {

namespace {

// How late an interrupt may be noticed: below what a person feels.
constexpr std::chrono::milliseconds kLookEvery{20};

// SIGINT and SIGTERM cancel it cleanly, so that it is still logged. The wizard has its own way to
// stop.
std::expected<llm::ModelAnswer, llm::ModelFailure> ask_until_interrupted(
    llm::Model& model, const llm::Prompt& prompt) {
  os::note_interrupts();
  std::stop_source cancel;
  // A signal handler may not touch a stop_source, so a thread watches the flag that the handler
  // sets. When ask() has returned, the destructor of `watch` stops it; a stop requested after that
  // is unheard.
  const std::jthread watch([&](const std::stop_token& done) {
    while (!done.stop_requested() && os::sleep_unless_interrupted(kLookEvery)) {
    }
    if (os::pending_interrupt()) cancel.request_stop();
  });
  return model.ask(prompt, {cancel.get_token(), {}});
}

constexpr std::size_t kLongestQuestion = 256 * 1024;  // about 64,000 tokens

// `word` itself, or standard input for "-". Bounded before it is sent: a file given by mistake
// should cost a message, not a bill.
Result<std::string> read_prompt(const std::string& word) {
  std::string text = word;
  if (word == "-") {
    auto input = TRY(os::read_standard_input(kLongestQuestion));
    text = std::move(input.bytes);
  }
  if (text.size() > kLongestQuestion) return bad_request("the question is longer than 256 KiB");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return bad_request("the question is empty");
  return text;
}

// Shared by all sub-commands; each declares the ones it has.
struct AiArguments {
  Format format = Format::kText;
  std::string provider;
  std::string model;
  std::string endpoint;
  std::string prompt;
  std::string system;
  std::string id;
  std::string file;
  std::size_t limit = 20;
  std::int64_t older_than = 0;
};

// Only flags that were given: an empty one would override the file with nothing.
llm::SettingFlags flags_of(const AiArguments& arguments) {
  llm::SettingFlags flags;
  if (!arguments.provider.empty()) flags.emplace_back("model.provider", arguments.provider);
  if (!arguments.model.empty()) flags.emplace_back("model.model", arguments.model);
  if (!arguments.endpoint.empty()) flags.emplace_back("model.endpoint", arguments.endpoint);
  return flags;
}

// No model is a valid state (exit 0); a model that is set up and does not answer is not (exit 1).
Result<int> status(const AiArguments& arguments, const Environment& environment) {
  const auto settings = TRY(llm::load_settings(environment.user_dirs, flags_of(arguments)));
  AiStatus status{settings};
  const bool is_disabled = settings.model.provider == nullptr;
  if (!is_disabled) status.endpoint = llm::query_endpoint(settings.model, {});
  const int written =
      report(arguments.format == Format::kJson ? status_as_json(status)
                                               : status_as_text(status, environment.colour));
  if (written != kAccepted) return written;
  return is_disabled || status.is_ready() ? kAccepted : kRefused;
}

// What happened, then what to do about it on a line of its own.
std::string failure_words(const llm::ModelFailure& failure) {
  return failure.fix.empty() ? failure.message : failure.message + "\n" + failure.fix;
}

Result<int> ask(const AiArguments& arguments, const Environment& environment) {
  const auto settings = TRY(llm::load_settings(environment.user_dirs, flags_of(arguments)));
  const auto prompt = TRY(read_prompt(arguments.prompt));
  const std::int64_t days = settings.log.retention_days;
  const auto model = TRY(llm::make_recorded_model(
      settings.model,
      [&, days](const ModelExchange& exchange) {
        return record_model_call(environment.user_dirs, exchange, days);
      },
      [](std::string_view warning) { complain(warning); }));
  if (model == nullptr)
    return bad_request(
        fmt::format("No model is set up: say provider and model in [model] of {}, or "
                    "AIRLOCK_MODEL_PROVIDER={} AIRLOCK_MODEL=NAME.",
                    settings.file, llm::providers::kAll.front()->name));
  const auto answer = ask_until_interrupted(*model, {.system = arguments.system, .user = prompt});
  if (!answer && answer.error().trouble == llm::Trouble::kCanceled) {
    complain("interrupted");
    return kInterrupted;
  }
  if (arguments.format == Format::kJson) {
    const int written = report(answer_as_json(model->describe(), answer));
    return written != kAccepted || answer ? written : kRefused;
  }
  if (!answer) return refused(failure_words(answer.error()));
  // The answer is a stranger's text on its way to a terminal.
  std::string text = printable_lines(answer->text);
  if (!text.ends_with('\n')) text += '\n';
  if (report(text) != kAccepted) return kBadRequest;
  complain(fmt::format("{}: {} + {} tokens{}, {} ms{}", model->describe(),
                       answer->usage.prompt_tokens, answer->usage.answer_tokens,
                       answer->usage.is_estimated ? " (estimated)" : "", answer->duration.count(),
                       answer->was_cut ? "; the answer was cut at max_tokens" : ""));
  return kAccepted;
}

Result<int> log(const AiArguments& arguments, const Environment& environment) {
  const bool is_json = arguments.format == Format::kJson;
  if (!arguments.id.empty()) {
    const auto call = TRY(show_model_call(environment.user_dirs, arguments.id));
    return report(is_json ? call_as_json(call) : call_as_text(call, environment.colour));
  }
  const auto calls = TRY(list_model_calls(environment.user_dirs, arguments.limit));
  return report(is_json ? calls_as_json(calls) : calls_as_text(calls, environment.colour));
}

// The log holds prompts and answers: the file is readable by its owner alone.
Result<int> export_log(const AiArguments& arguments, const Environment& environment) {
  std::string lines;
  std::size_t count = 0;
  TRY(export_model_calls(environment.user_dirs, [&](const ModelCall& call) -> Result<void> {
    lines += call_as_line(call);
    ++count;
    return {};
  }));
  if (arguments.file == "-") return report(lines);
  TRY(os::replace_file(arguments.file, lines, os::ReadableBy::kOwner));
  complain(fmt::format("{} written to {}",
                       count == 1 ? "1 question" : fmt::format("{} questions", count),
                       arguments.file));
  return kAccepted;
}

Result<int> prune(const AiArguments& arguments, const Environment& environment) {
  const auto removed = TRY(prune_model_calls(environment.user_dirs, arguments.older_than));
  if (arguments.format == Format::kJson)
    return report(fmt::format("{{\"removed\": {}}}\n", removed));
  return report(removed == 1 ? "1 question removed\n"
                             : fmt::format("{} questions removed\n", removed));
}

// `to` must outlive the parsing: CLI11 writes into it.
void add_model_flags(CLI::App& command, AiArguments& to) {
  auto names = llm::provider_choices();
  std::ranges::rotate(names, names.begin() + 1);  // here the common ones come first
  command.add_option("--provider", to.provider, llm::one_of(names))->type_name("NAME");
  command.add_option("--model", to.model, "The model's name")->type_name("NAME");
  command.add_option("--endpoint", to.endpoint, "The server's address")->type_name("URL");
}

CLI::App* add_command(CLI::App& options, const char* name, const char* summary,
                      const char* example) {
  CLI::App* command = options.add_subcommand(name, summary);
  command->footer("Example:\n  " + std::string(example));
  return command;
}

}  // namespace

Result<int> ai_command(std::span<const std::string> words, const Environment& environment) {
  AiArguments to;
  CommandLine line(
      "airlock ai",
      "Try the model that is set up, and see what it was asked. Settings: config.toml, "
      "AIRLOCK_* variables, flags (docs/models.md).",
      "airlock ai status");
  CLI::App& options = line.options();
  options.require_subcommand(1);
  CLI::App* wants_status = add_command(
      options, "status",
      "The settings in force, where each comes from, and whether the model answers; exit "
      "code 1 when it does not",
      "airlock ai status --format json");
  add_model_flags(*wants_status, to);
  declare_format(*wants_status, to.format);
  CLI::App* wants_ask = add_command(options, "ask", "Send a question, print the answer",
                                    "echo 'Say hello' | airlock ai ask -");
  wants_ask->add_option("PROMPT", to.prompt, "The question; - reads it from standard input")
      ->required();
  wants_ask->add_option("--system", to.system, "What the model is told before it")
      ->type_name("TEXT");
  add_model_flags(*wants_ask, to);
  declare_format(*wants_ask, to.format);
  CLI::App* wants_log =
      add_command(options, "log", "The questions that were asked, the newest first",
                  "airlock ai log --limit 5 --format json");
  wants_log->add_option("ID", to.id, "The question to show; the beginning of its name is enough");
  wants_log->add_option("--limit", to.limit, "How many to list")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000000}))
      ->type_name("N")
      ->default_str("20");
  declare_format(*wants_log, to.format);
  CLI::App* wants_export =
      add_command(options, "export", "The whole log as lines of JSON, the oldest first",
                  "airlock ai export questions.ndjson");
  wants_export->add_option("FILE", to.file, "Where to; - is standard output")->required();
  CLI::App* wants_prune = add_command(options, "prune", "Remove old questions from the log",
                                      "airlock ai prune --older-than 30");
  wants_prune->add_option("--older-than", to.older_than, "Days")
      ->required()
      ->check(within(0, 36500, "days"))
      ->type_name("DAYS");
  declare_format(*wants_prune, to.format);
  if (const auto code = line.parse(words)) return *code;
  if (wants_status->parsed()) return status(to, environment);
  if (wants_ask->parsed()) return ask(to, environment);
  if (wants_log->parsed()) return log(to, environment);
  if (wants_export->parsed()) return export_log(to, environment);
  return prune(to, environment);
}

}  // namespace airlock::cli
