// What every command is given and gives back. Commands are rows of one table (commands.cc); each
// has a file of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/user_dirs.h"
#include "present/report/check_output.h"

namespace airlock::cli {

// The contract's exit codes, the same for every command.
enum ExitCode : int {
  kAccepted = 0,
  kRefused = 1,
  kBadRequest = 2,
  kNoIsolation = 3,
  kOurBug = 70,
  kInterrupted = 130,
};

// The world outside, as main found it.
struct Environment {
  std::string host_program;              // airlock-host
  Colour colour = Colour::kNever;        // for stdout
  Colour error_colour = Colour::kNever;  // for stderr
  UserDirs user_dirs;
};

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::span<const std::string> arguments, const Environment& environment);
};

std::span<const Command> all_commands();

// Runs what the arguments (without the program's name) ask for. Never throws.
int run_program(std::span<const std::string> arguments, const Environment& environment);

// The whole report to stdout. False when it could not be written; the reason is then on stderr,
// except when the reader has gone away (| head), which is the reader's right.
bool write_report(std::string_view report);

// Writes it; then the exit code: `code`, or that of a bad request when stdout takes nothing.
int report(std::string_view text, int code = kAccepted);
// To stderr: "airlock: " and the message, line by line, made safe to show.
void complain(std::string_view message);
// The same, and the code to end with.
int complain_and(int code, std::string_view message);
// The same when nothing could be run: a wall that could not be raised, or airlock-host is not where
// it belongs. With what to do about it; returns kNoIsolation.
int complain_of_no_isolation(std::string_view message, const Environment& environment);
// To stderr as it is: text of ours that is safe to show.
void write_to_error_stream(std::string_view text);

int check_command(std::span<const std::string> arguments, const Environment& environment);
int validate_command(std::span<const std::string> arguments, const Environment& environment);
int extract_command(std::span<const std::string> arguments, const Environment& environment);
int run_command(std::span<const std::string> arguments, const Environment& environment);
int rules_command(std::span<const std::string> arguments, const Environment& environment);
int infer_command(std::span<const std::string> arguments, const Environment& environment);
int compare_command(std::span<const std::string> arguments, const Environment& environment);
int distill_command(std::span<const std::string> arguments, const Environment& environment);
int wizard_command(std::span<const std::string> arguments, const Environment& environment);
int admit_command(std::span<const std::string> arguments, const Environment& environment);
int gather_command(std::span<const std::string> arguments, const Environment& environment);
int doctor_command(std::span<const std::string> arguments, const Environment& environment);
int policy_command(std::span<const std::string> arguments, const Environment& environment);
int cache_command(std::span<const std::string> arguments, const Environment& environment);
int ai_command(std::span<const std::string> arguments, const Environment& environment);
int drafts_command(std::span<const std::string> arguments, const Environment& environment);
int approve_command(std::span<const std::string> arguments, const Environment& environment);
int extractors_command(std::span<const std::string> arguments, const Environment& environment);
int diff_command(std::span<const std::string> arguments, const Environment& environment);
int runs_command(std::span<const std::string> arguments, const Environment& environment);

}  // namespace airlock::cli
