// airlock session: code piece by piece in one live cell, for people and for scripts.
#include <unistd.h>

#include <cmath>

#include "engine/policy/policy_file.h"
#include "engine/resident/rooms.h"
#include "engine/session/session.h"
#include "engine/session/session_files.h"
#include "engine/validate/samples.h"
#include "os/write_all.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/piece_json.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kSessionExample =
    "airlock session\n"
    "  airlock session --policy node script.py\n"
    "  echo 'sum(range(10))' | airlock session -\n\n"
    "Exit codes: 0 every piece was done, 1 one of them failed, 2 the request cannot be read.";

struct SessionArguments {
  std::vector<std::string> files;
  std::string policy = "node";
  std::string format = "text";
  double timeout = 5;
  double memory = 256;
  std::vector<std::string> data;
};

class Printer final : public SessionListener {
 public:
  explicit Printer(bool is_quiet) : is_quiet_(is_quiet) {}
  void printed(OutputStream stream, std::string_view text) override {
    if (is_quiet_) return;
    os::write_all(stream == OutputStream::kOutput ? STDOUT_FILENO : STDERR_FILENO, text);
  }
  void called(const HostCall&) override {}

 private:
  bool is_quiet_;
};

void tell_piece(const PieceReport& report) {
  if (report.shown) write_report(*report.shown + "\n");
  if (report.end == PieceEnd::kDone) return;
  std::string text = report.traceback;
  if (text.empty()) text = report.error.type + ": " + report.error.message + "\n";
  write_to_error_stream(text);
}

}  // namespace

Result<int> session_command(std::span<const std::string> arguments,
                            const Environment& environment) {
  SessionArguments asked;
  CommandLine line("airlock session", "Run code piece by piece in one live cell.", kSessionExample);
  line.options().add_option("FILE", asked.files, "A piece each; - for standard input");
  line.options()
      .add_option("--data", asked.data, "A file to read in /data, by its own name")
      ->type_name("FILE");
  declare_policy(line.options(), asked.policy);
  declare_format(line.options(), asked.format);
  declare_timeout(line.options(), asked.timeout, "Seconds for each piece", "5", 3600);
  declare_memory(line.options(), asked.memory, "Megabytes of the cell", "256");
  if (const auto code = line.parse(arguments)) return *code;
  SessionOptions options;
  options.policy = TRY(load_policy(asked.policy));
  options.limits.timeout_ms = static_cast<std::uint32_t>(std::lround(asked.timeout * 1000));
  options.limits.memory_bytes = static_cast<std::uint32_t>(asked.memory * 1e6);
  for (const std::string& file : asked.data) {
    const std::size_t slash = file.rfind('/');
    options.files.push_back(
        TRY(find_session_file(slash == std::string::npos ? file : file.substr(slash + 1), file)));
  }
  Rooms rooms(environment.host_program);
  auto session = TRY(Session::open(rooms, options));
  const bool is_json = format_of(asked.format) == Format::kJson;
  Printer printer(is_json);
  int code = kAccepted;
  for (const std::string& file : asked.files) {
    const auto text = TRY(read_source_file(file, options.policy));
    const auto report = TRY(session->run({.code = text}, printer));
    if (is_json) {
      write_report(piece_as_json(report) + "\n");
    } else {
      tell_piece(report);
    }
    if (report.end != PieceEnd::kDone) code = kRefused;
  }
  return code;
}

}  // namespace airlock::cli
