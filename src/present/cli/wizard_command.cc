// airlock wizard: from a few paths to an extractor that is proven before anyone sees it. On a
// terminal with screens, without one line by line, with --batch for programs.
#include <unistd.h>

#include <filesystem>

#include "base/utf8.h"
#include "engine/approve/drafts.h"
#include "engine/load/require_loadable.h"
#include "engine/paths/infer_paths.h"
#include "engine/paths/path_input.h"
#include "engine/policy/policy_file.h"
#include "engine/records/model_log.h"
#include "llm/providers/providers.h"
#include "llm/settings.h"
#include "llm/wrapped_model.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/wizard_json.h"
#include "present/tui/drafts_loop.h"
#include "present/tui/wizard_lines.h"
#include "present/tui/wizard_screen.h"
#include "wizard/session.h"

namespace airlock::cli {

namespace {

using wizard::KeyPressed;
using wizard::Phase;
using wizard::WizardKey;

constexpr std::string_view kWizardExample =
    "find /data -type f | head -50 > paths.txt\n"
    "  airlock wizard --samples paths.txt --hint \"the second folder is the client\"\n"
    "  airlock wizard --samples paths.txt --batch --name reports --approve\n\n"
    "Exit codes: 0 there is a result (--batch) or it was approved, 1 there is none, or it was "
    "left,\n"
    "2 bad request, 3 this host cannot give the isolation.";

struct WizardArguments {
  std::string samples;
  std::vector<std::string> paths;
  std::string hint;
  std::string name;
  std::string policy = "extractor";
  bool is_batch = false;
  bool approves = false;
  bool sends = false;
  bool shows_retries = false;
  bool python = false;
  bool is_plain = false;
  bool shows_drafts = false;
  bool is_ascii = false;
  std::string theme;
  std::string provider;
  std::string model;
};

void declare(CLI::App& options, WizardArguments& to) {
  declare_samples(options, to.samples, "A file with one path a line; - for standard input");
  declare_paths(options, to.paths);
  options
      .add_option("--hint", to.hint,
                  "What you know: \"the second folder is the client\", \"compute the fiscal year\"")
      ->type_name("TEXT");
  options.add_option("--name", to.name, "What the extractor will be called")->type_name("NAME");
  options.add_flag("--batch", to.is_batch, "No questions: print the result as JSON");
  options.add_flag("--approve", to.approves, "With --batch: approve the result under its name");
  options.add_flag("--send", to.sends,
                   "Sample paths, and after a failure what a retry adds (the error, its line and "
                   "source), may be sent to the model that is set up, without asking");
  options.add_flag("--show-retries", to.shows_retries,
                   "No retry goes before it was seen; with --batch: it is printed instead of sent");
  options
      .add_option("--provider", to.provider, llm::one_of(llm::provider_choices()) + ", this time")
      ->type_name("NAME");
  options.add_option("--model", to.model, "Which of its models, this time")->type_name("NAME");
  options.add_flag("--python", to.python, "A Python extractor even where a rule is enough");
  options.add_flag("--drafts", to.shows_drafts,
                   "Show the drafts that wait, on screens; airlock drafts lists them as text");
  options.add_flag("--plain", to.is_plain, "Ask line by line, without screens");
  options.add_flag("--ascii", to.is_ascii, "Draw with ASCII alone");
  options.add_option("--theme", to.theme, "light, dark or none; else the terminal is asked")
      ->check(CLI::IsMember({"light", "dark", "none"}))
      ->type_name("THEME");
  declare_policy(options, to.policy);
}

llm::SettingFlags flags_of(const WizardArguments& arguments) {
  llm::SettingFlags flags;
  if (!arguments.provider.empty()) flags.emplace_back("model.provider", arguments.provider);
  if (!arguments.model.empty()) flags.emplace_back("model.model", arguments.model);
  return flags;
}

// A draft outlives the folder that it was made in.
std::string policy_place(const std::string& policy) {
  if (find_builtin_policy(policy) != nullptr) return policy;
  std::error_code error;
  const auto absolute = std::filesystem::absolute(policy, error);
  return error ? policy : absolute.lexically_normal().native();
}

// More than enough for a shape; what is more is taken evenly from the whole list.
constexpr std::size_t kMostSamples = 10000;

Result<std::vector<std::string>> read_paths_of(const WizardArguments& arguments) {
  std::vector<std::string> paths = arguments.paths;
  if (!arguments.samples.empty()) {
    auto input = TRY(PathInput::open({arguments.samples}, Separator::kNewline));
    const auto read = TRY(read_paths(input));
    const std::size_t count = std::min(read.size(), kMostSamples);
    for (std::size_t i = 0; i < count; ++i) paths.emplace_back(read[i * read.size() / count]);
    if (count < read.size())
      complain("Of " + std::to_string(read.seen) + " paths, 10000 are looked at, taken evenly.");
  }
  if (paths.empty())
    return bad_request(
        "There are no sample paths. Give --samples FILE with one path a line, three or more.");
  return paths;
}

// Consent that nobody gave is a request that lacks an option (--send): exit 2.
int exit_code(const wizard::WizardState& state) {
  if (state.problem.is_isolation) return kNoIsolation;
  switch (state.phase) {
    case Phase::kYamlResult:
    case Phase::kPythonResult:
    case Phase::kApproved:
      return kAccepted;
    case Phase::kConsent:
    case Phase::kRetryConsent:
      return kBadRequest;
    default:
      return kRefused;
  }
}

// The same machine without a person: it is left alone until it waits for a key, and the only key
// that is ever pressed is Enter, to approve.
int run_batch(wizard::Session& session, const WizardArguments& arguments) {
  session.wait_until_idle();
  if (arguments.approves && wizard::is_result(session.state().phase)) {
    if (!session.state().name_trouble.empty())
      complain("It was not approved: " + session.state().name_trouble + " Give --name NAME.");
    session.handle(KeyPressed{WizardKey::kEnter});
    session.wait_until_idle();
  }
  const wizard::WizardState& state = session.state();
  if (!write_report(wizard_as_json(state))) return kBadRequest;
  if (state.phase == Phase::kConsent)
    complain(
        "A model is set up, and nothing was sent: would_send holds what would leave this machine. "
        "Add --send to allow it, or set provider = \"disabled\".");
  if (state.phase == Phase::kRetryConsent)
    complain(
        "The model's answer failed, and no retry was sent: would_send holds what would leave this "
        "machine. Leave --show-retries out to allow it.");
  if (arguments.approves && state.phase != Phase::kApproved) {
    if (!state.problem.title.empty()) complain(state.problem.title + " " + state.problem.detail);
    return exit_code(state) == kAccepted ? kRefused : exit_code(state);
  }
  return exit_code(state);
}

// Flags win over what the environment says.
tui::ScreenOptions screen_options(const WizardArguments& arguments) {
  tui::ScreenOptions options = tui::options_from_environment();
  if (arguments.is_ascii) options.terminal.charset = tui::Charset::kAscii;
  if (arguments.theme == "light") options.terminal.background = tui::Background::kLight;
  if (arguments.theme == "dark") options.terminal.background = tui::Background::kDark;
  if (arguments.theme == "none") options.terminal.palette = tui::Palette::kNone;
  return options;
}

// With screens where there is a terminal, else line by line.
int run_with_person(wizard::Session& session, const WizardArguments& arguments) {
  const tui::ScreenOptions options = screen_options(arguments);
  const bool has_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
  if (has_terminal && !arguments.is_plain) return tui::run_wizard_screen(session, options);
  return tui::run_wizard_lines(session, stdin, stdout, options);
}

}  // namespace

Result<int> wizard_command(std::span<const std::string> words, const Environment& environment) {
  WizardArguments arguments;
  CommandLine line(
      "airlock wizard",
      "From a few paths to an extractor that is proven before you see it: a rule where "
      "that is enough, a Python program where it is not.",
      kWizardExample);
  declare(line.options(), arguments);
  if (const auto code = line.parse(words)) return *code;
  if (count_code_points(arguments.hint) > wizard::kLongestHint)
    return bad_request("--hint takes at most 500 characters.");
  if (arguments.approves && !arguments.is_batch)
    return bad_request("--approve goes with --batch; on a terminal, press Enter.");
  if (arguments.approves && !arguments.name.empty()) {
    const std::string trouble = name_trouble(arguments.name);
    if (!trouble.empty()) return bad_request("--name: " + trouble);
  }
  if (arguments.shows_drafts)
    return tui::run_drafts_screen(environment.user_dirs, environment.host_program,
                                  screen_options(arguments));
  auto paths = TRY(read_paths_of(arguments));
  auto policy = TRY(load_extractor_policy(arguments.policy));
  TRY(require_loadable(policy, environment.host_program));
  const auto settings = TRY(llm::load_settings(environment.user_dirs, flags_of(arguments)));
  std::string log_trouble;  // said when the screen is gone
  auto model = TRY(llm::make_recorded_model(
      settings.model,
      [&](const ModelExchange& exchange) {
        return record_model_call(environment.user_dirs, exchange, settings.log.retention_days);
      },
      [&](std::string_view warning) { log_trouble = warning; }));

  wizard::SessionRequest request;
  request.samples = std::move(paths);
  request.hint = arguments.hint;
  request.name = arguments.name;
  request.user_dirs = environment.user_dirs;
  request.host_program = environment.host_program;
  request.policy = std::move(policy);
  request.policy_name = policy_place(arguments.policy);
  request.model = model;
  // Without a model the wizard works with rules and templates alone.
  request.settings.has_model = model != nullptr;
  if (model != nullptr) request.settings.model = model->describe();
  request.settings.has_consented = arguments.sends || settings.wizard.consent;
  request.settings.shows_retries = arguments.shows_retries;
  request.settings.retries = static_cast<std::size_t>(settings.wizard.retries);
  request.settings.prefers_python = arguments.python;
  auto session = TRY(wizard::Session::begin(std::move(request)));
  const int code =
      arguments.is_batch ? run_batch(*session, arguments) : run_with_person(*session, arguments);
  session.reset();  // joins the worker, which may still write log_trouble
  if (!log_trouble.empty()) complain(log_trouble);
  return code;
}

}  // namespace airlock::cli
