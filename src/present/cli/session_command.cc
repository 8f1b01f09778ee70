// airlock session: code piece by piece in one live cell. At a terminal a conversation
// (present/prompt/conversation.h); else the pieces of files and of standard input, up to the first
// that fails.
#include <fmt/format.h>
#include <unistd.h>

#include "base/printable.h"
#include "engine/policy/policy_file.h"
#include "engine/resident/rooms.h"
#include "engine/session/packages.h"
#include "engine/session/session.h"
#include "engine/session/session_files.h"
#include "os/files.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/prompt/conversation.h"
#include "present/prompt/piece_input.h"
#include "present/prompt/piece_runner.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kSessionExample =
    "airlock session\n"
    "  airlock session --data orders.csv --out plots report.py\n"
    "  echo 'sum(range(10))' | airlock session\n\n"
    "At the prompt: ? tells what is there, NAME? explains a name, Ctrl-C stops a piece, Ctrl-D "
    "ends.\n"
    "In a file, lines that begin with '# %%' part it into pieces.\n\n"
    "Exit codes: 0 every piece was done, 1 one of them failed (the rest is not run), 2 the request "
    "cannot be read, 3 no isolation on this host.";

struct SessionArguments {
  std::vector<std::string> files;
  std::string policy = "node";
  Format format = Format::kText;
  double timeout = 5;
  double memory = 256;
  std::vector<std::string> data;
  std::vector<std::string> packages;
  std::string packages_from;
  std::string out;
};

struct SourceFile {
  std::string name;
  std::string text;
};

std::string last_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

// All of them before anything is run: a name that is wrong is known at once.
Result<std::vector<SourceFile>> read_pieces(const std::vector<std::string>& names) {
  constexpr std::size_t kMostBytes = 64UL * 1024 * 1024;
  std::vector<SourceFile> files;
  for (const std::string& name : names) {
    auto read =
        TRY(name == "-" ? os::read_standard_input(kMostBytes) : os::read_file(name, kMostBytes));
    if (read.size > read.bytes.size())
      return bad_request("read " + name + ": it has more than 64 MiB");
    files.push_back({name == "-" ? "standard input" : name, std::move(read.bytes)});
  }
  return files;
}

Result<SessionOptions> session_options(const SessionArguments& asked) {
  SessionOptions options;
  SessionPackages packages{.names = asked.packages, .folder = {}};
  if (!asked.packages_from.empty()) packages.folder = TRY(find_package_folder(asked.packages_from));
  options.policy = TRY(session_policy(TRY(load_policy(asked.policy)), packages));
  options.limits.timeout_ms = milliseconds_of(asked.timeout);
  options.limits.memory_bytes = bytes_of(asked.memory);
  for (const std::string& file : asked.data) {
    auto found = TRY(find_session_file(last_part(file), file));
    for (const SessionFile& other : options.files) {
      if (other.name == found.name)
        return bad_request("--data: two files are called '" + found.name + "' in /data");
    }
    options.files.push_back(std::move(found));
  }
  return options;
}

// What a person may want to know besides the names.
std::string session_facts(const SessionOptions& options, const SessionArguments& asked) {
  std::string text;
  for (const SessionFile& file : options.files)
    text += "/data/" + printable(file.name) + "  to read: " + printable(file.path) + "\n";
  text += asked.out.empty()
              ? "/out  to write\n"
              : "/out  to write; what is new there is put into " + printable(asked.out) + "\n";
  text += fmt::format("policy {}; {:g} s for a piece, {:g} MB\n", printable(options.policy.name),
                      options.limits.timeout_ms / 1000.0, options.limits.memory_bytes / 1e6);
  return text;
}

void tell_where_it_stopped(const SourceFile& file, const prompt::FilePiece& piece) {
  complain(fmt::format("{}: the piece that begins in line {} failed; what follows was not run",
                       file.name, piece.line));
}

Result<int> run_files(const std::vector<SourceFile>& files, prompt::PieceRunner& runner) {
  for (const SourceFile& file : files) {
    const auto pieces = prompt::split_pieces(file.text);
    for (const prompt::FilePiece& piece : pieces) {
      const auto came = TRY(runner.run(piece.code));
      if (runner.is_unread()) return kAccepted;
      if (came == prompt::PieceCame::kAskedToEnd)
        return runner.has_missed_file() ? kRefused : kAccepted;
      if (came == prompt::PieceCame::kDone) continue;
      if (&piece != &pieces.back() || &file != &files.back()) tell_where_it_stopped(file, piece);
      return kRefused;
    }
  }
  return runner.has_missed_file() ? kRefused : kAccepted;
}

// The terminal to write to; -1: there is nobody to talk to.
int find_screen(const SessionArguments& asked) {
  if (!asked.files.empty() || ::isatty(STDIN_FILENO) != 1) return -1;
  if (::isatty(STDOUT_FILENO) == 1) return STDOUT_FILENO;
  return ::isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : -1;
}

}  // namespace

Result<int> session_command(std::span<const std::string> arguments,
                            const Environment& environment) {
  SessionArguments asked;
  CommandLine line("airlock session", "Run code piece by piece in one live cell.", kSessionExample);
  line.options().add_option("FILE", asked.files, "Files with pieces; - for standard input");
  line.options()
      .add_option("--data", asked.data, "A file to read in /data, by its own name; repeatable")
      ->type_name("FILE")
      ->take_all()
      ->allow_extra_args(false);
  line.options()
      .add_option("--out", asked.out, "Where files that pieces leave in /out are written")
      ->type_name("DIR");
  line.options()
      .add_option("--packages", asked.packages, "Import these before the first piece")
      ->type_name("A,B")
      ->delimiter(',')
      ->take_all()
      ->allow_extra_args(false);  // a file that stands behind it is no package
  declare_packages_from(line.options(), asked.packages_from);
  declare_policy(line.options(), asked.policy);
  line.options().get_option("--policy")->default_str(asked.policy);
  declare_format(line.options(), asked.format, "text, or json: a line for each piece");
  declare_timeout(line.options(), asked.timeout, "Seconds for each piece", "5", 3600);
  declare_memory(line.options(), asked.memory, "Megabytes of the cell", "256");
  if (const auto code = line.parse(arguments)) return *code;

  const int screen = find_screen(asked);
  const SessionOptions options = TRY(session_options(asked));
  if (screen < 0 && asked.files.empty()) asked.files = {"-"};
  const auto files = TRY(read_pieces(asked.files));
  prompt::Telling telling{
      .form = asked.format == Format::kJson ? prompt::Form::kJson : prompt::Form::kText,
      .colour = environment.error_colour,
      .is_conversation = screen >= 0,
      .out = std::nullopt};
  if (!asked.out.empty()) telling.out = TRY(prompt::ArtifactFolder::open(asked.out));

  Rooms rooms(environment.host_program);
  auto session = TRY(Session::open(rooms, options));
  prompt::PieceRunner runner(*session, std::move(telling));
  if (screen < 0) return run_files(files, runner);

  const auto signals = TRY(tui::Signals::open());
  const prompt::Setting setting{rooms, *session, options.policy, session_facts(options, asked)};
  write_to_error_stream(
      paint("? tells what is there, Ctrl-D ends.", Style::kFaint, environment.error_colour) + "\n");
  prompt::Conversation conversation(setting, runner, *signals, screen);
  const int signal = TRY(conversation.hold());
  if (signal != 0) return 128 + signal;
  return conversation.was_asked_to_fail() ? kRefused : kAccepted;
}

}  // namespace airlock::cli
