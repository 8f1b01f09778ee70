// What every command is given and gives back. Commands are rows of one table (program.cc); each has
// a file of its own. A command reads its arguments, calls one pipeline of engine/, flow/, probe/ or
// wizard/, and prints a report of present/report. Reports go to stdout, everything else to stderr.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/user_dirs.h"
#include "present/cli/exit_code.h"
#include "present/report/style.h"

namespace airlock::cli {

// The world outside, as main found it.
struct Environment {
  std::string host_program;              // airlock-host
  Colour colour = Colour::kNever;        // for stdout
  Colour error_colour = Colour::kNever;  // for stderr
  UserDirs user_dirs;
};

// What a command comes to: its exit code, with everything said; or an Error, which run_program()
// says.
struct Command {
  std::string_view name;
  std::string_view summary;
  Result<int> (*run)(std::span<const std::string> arguments, const Environment& environment);
};

// Runs what the arguments (without the program's name) ask for. Never throws.
int run_program(std::span<const std::string> arguments, const Environment& environment);

// The whole report to stdout. False when it could not be written; the reason is then on stderr,
// except when the reader has gone away (| head), which is the reader's right.
bool write_report(std::string_view report);

// Writes it; then the exit code: `code`, or that of a bad request when stdout takes nothing.
int report(std::string_view text, int code = kAccepted);
// To stderr: "airlock: " and the message, line by line, made safe to show.
void complain(std::string_view message);
// To stderr as it is: text of ours that is safe to show.
void write_to_error_stream(std::string_view text);

// The commands, one file each: NAME_command.cc. `arguments` are without the command's own name.
Result<int> check_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> validate_command(std::span<const std::string> arguments,
                             const Environment& environment);
Result<int> extract_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> run_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> rules_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> infer_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> compare_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> distill_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> serve_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> review_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> mcp_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> session_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> wizard_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> admit_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> gather_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> clean_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> doctor_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> policy_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> cache_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> ai_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> drafts_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> approve_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> extractors_command(std::span<const std::string> arguments,
                               const Environment& environment);
Result<int> keys_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> diff_command(std::span<const std::string> arguments, const Environment& environment);
Result<int> runs_command(std::span<const std::string> arguments, const Environment& environment);

}  // namespace airlock::cli
