// From the words on the command line to a command, and from what it comes to, to an exit code. This
// is the rim: we throw nothing ourselves, and an exception of a library that nobody has caught on
// its way ends here.
#include "present/cli/program.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <new>
#include <system_error>

#include "base/nearest.h"
#include "base/printable.h"
#include "engine/doctor/installation.h"
#include "os/interrupts.h"
#include "os/write_all.h"

namespace airlock::cli {

namespace {

// The one table of commands, in the order in which a newcomer meets them: judge, run, rules, models
// and approval, repositories, upkeep. --help and "did you mean" are made from it.
constexpr std::array kCommands = {
    Command{"check", "Judge files of AI-written Python; nothing is run", check_command},
    Command{"clean", "Print the code in a model's answer; nothing is run", clean_command},
    Command{"validate",
            "Judge an extractor, run it on sample paths in the chamber, judge what comes out",
            validate_command},
    Command{"extract", "Run an extractor on many paths in the chamber: one line of JSON for each",
            extract_command},
    Command{"run", "Run a code node or a flow of nodes, with native objects between them",
            run_command},
    Command{"session", "Run code piece by piece in one live cell that keeps its names",
            session_command},
    Command{"serve", "Keep the engine warm for programs: sessions, checks, validations",
            serve_command},
    Command{"mcp", "Serve an agent over the Model Context Protocol: the same as tools",
            mcp_command},
    Command{"rules", "Check path rules, show them, try them on paths, explain one path",
            rules_command},
    Command{"infer", "Write rules for the paths given, checked on paths that were held out",
            infer_command},
    Command{"compare",
            "Run a rule and a Python extractor on the same paths, and say where they agree",
            compare_command},
    Command{"distill", "Find the rule that gives the same answers as a Python extractor",
            distill_command},
    Command{"wizard", "From a few paths to an extractor that is proven before you see it",
            wizard_command},
    Command{"drafts", "List what waits for your word, show it, edit it, or add a file to it",
            drafts_command},
    Command{"approve", "Approve a draft or a file under a name, with a receipt", approve_command},
    Command{"review", "Look at what waits in a browser, and approve or reject it", review_command},
    Command{"extractors", "List what was approved, show it, stop or remove it, check its receipts",
            extractors_command},
    Command{"keys", "Show whose bundles of extractors are taken here, trust a key, or revoke one",
            keys_command},
    Command{"diff", "Run two versions of an extractor and say which answers changed", diff_command},
    Command{"admit", "Judge the JSON that a probe wrote, and take paths and secrets out of it",
            admit_command},
    Command{"gather", "Run probes over a repository in the chamber: facts through the inner door",
            gather_command},
    Command{"doctor", "Show which walls this host can raise, and try to breach each",
            doctor_command},
    Command{"policy", "Show what a policy allows, with the reason for each entry", policy_command},
    Command{"ai", "Try the model that is set up, and see what was asked", ai_command},
    Command{"cache", "Show, empty or check the cache of what probes said", cache_command},
    Command{"runs", "List the runs of nodes, flows and probes that were recorded, or show one",
            runs_command},
};

std::string usage() {
  std::string text =
      "Airlock lets AI-written Python in without letting it loose.\n\n"
      "Usage: airlock COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : kCommands) {
    text += "  " + std::string(command.name) + std::string(12 - command.name.size(), ' ') +
            std::string(command.summary) + "\n";
  }
  text +=
      "\nOptions:\n"
      "  --help      This text; airlock COMMAND --help for a command\n"
      "  --version   The version\n\n"
      "Exit codes: 0 acceptable, 1 refused, 2 the request could not be read, 3 no isolation on "
      "this host, 70 our bug.\n\n"
      "Example:\n  airlock check extractor.py\n";
  return text;
}

std::unexpected<Error> unknown_command(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Command& command : kCommands) names.push_back(command.name);
  std::string message = word.starts_with('-') ? "There is no option '" : "There is no command '";
  message += std::string(word) + "'.";
  return bad_request(message + did_you_mean_sentence(word, names) + " See airlock --help.");
}

Result<int> dispatch(std::span<const std::string> arguments, const Environment& environment) {
  if (arguments.empty()) {
    return bad_request("Say what to do: airlock check FILE. See airlock --help.");
  }
  const std::string& word = arguments[0];
  if (word == "--help" || word == "-h" || word == "help")
    return write_report(usage()) ? kAccepted : kBadRequest;
  if (word == "--version" || word == "version") {
    return write_report(std::string("airlock ") + AIRLOCK_VERSION + "\n") ? kAccepted : kBadRequest;
  }
  for (const Command& command : kCommands) {
    if (command.name == word) return command.run(arguments.subspan(1), environment);
  }
  return unknown_command(word);
}

}  // namespace

// A reader that has gone away (EPIPE) got what it wanted. ECANCELED is a signal that ended the
// waiting, which run_program() reports.
bool write_report(std::string_view report) {
  const int error = os::write_all(STDOUT_FILENO, report);
  if (error != 0 && error != EPIPE && error != ECANCELED)
    complain("write the report: " + std::generic_category().message(error));
  return error == 0 || error == EPIPE;
}

void complain(std::string_view message) {
  std::string text = "airlock: ";
  while (!message.empty()) {
    const std::size_t end = message.find('\n');
    text += printable(message.substr(0, end)) + "\n";
    message = end == std::string_view::npos ? std::string_view() : message.substr(end + 1);
  }
  os::write_all(STDERR_FILENO, text);
}

void write_to_error_stream(std::string_view text) {
  os::write_all(STDERR_FILENO, text);
}

int run_program(std::span<const std::string> arguments, const Environment& environment) {
  try {
    const auto done = dispatch(arguments, environment);
    const int code = done ? *done : end_with(done.error(), environment.host_program);
    // A report that nobody read, and a signal that ended the waiting.
    const auto signal = os::pending_interrupt();
    return code == kBadRequest && signal ? 128 + *signal : code;
    // A low limit on memory (ulimit -v) is the host's, not our bug: limits_trouble() tells them
    // apart.
  } catch (const std::bad_alloc&) {
    const auto low = limits_trouble(std::generic_category().message(ENOMEM));
    complain("Memory ran out." + (low ? "\n" + *low : std::string()));
    return low ? kNoIsolation : kOurBug;
  } catch (const std::system_error& refused) {  // by the system: most often a thread
    const auto low = limits_trouble(refused.what());
    complain(low ? std::string("The system refused what airlock needs: ") + refused.what() + "\n" +
                       *low
                 : std::string("This is a bug in airlock, please report it: ") + refused.what());
    return low ? kNoIsolation : kOurBug;
  } catch (const std::exception& bug) {
    complain(std::string("This is a bug in airlock, please report it: ") + bug.what());
    return kOurBug;
  }
}

int report(std::string_view text, int code) {
  return write_report(text) ? code : kBadRequest;
}

}  // namespace airlock::cli
