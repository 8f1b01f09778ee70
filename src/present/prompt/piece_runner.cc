#include "present/prompt/piece_runner.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "os/write_all.h"
#include "present/report/piece_json.h"
#include "present/report/piece_text.h"
#include "present/report/style.h"

namespace airlock::prompt {

namespace {

// What sys.exit() was given: a code says all by itself, a text is printed.
bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return std::ranges::all_of(text, [](char byte) { return is_digit(byte); });
}

PieceCame what_came(const PieceReport& report) {
  if (report.end == PieceEnd::kDone) return PieceCame::kDone;
  if (report.end != PieceEnd::kRaised || report.error.type != "SystemExit")
    return PieceCame::kFailed;
  const std::string& said = report.error.message;
  return said.empty() || said == "0" || said == "None" ? PieceCame::kAskedToEnd
                                                       : PieceCame::kAskedToFail;
}

}  // namespace

// A reader that went away (| head) has what it wanted; any other trouble is said at the end.
void PieceRunner::say(std::string_view text) {
  if (text.empty() || is_unread_ || trouble_ != 0) return;
  const int error = os::write_all(STDOUT_FILENO, text);
  if (error == EPIPE) {
    is_unread_ = true;
  } else {
    trouble_ = error;
  }
}

void PieceRunner::note(std::string_view text) {
  os::write_all(STDERR_FILENO, text);
}

void PieceRunner::printed(OutputStream stream, std::string_view text) {
  if (is_aside_ || telling_.form == Form::kJson || text.empty()) return;
  const std::string shown = printable_output(text);
  last_ = text.back();
  if (stream == OutputStream::kOutput) {
    say(shown);
  } else {
    note(shown);
  }
}

// Nobody has named a function here.
void PieceRunner::called(const HostCall& call) {
  session_.answer(call.number, {.success = false,
                                .value = {},
                                .error_type = "NameError",
                                .error = "there are no host functions here"});
}

// What was printed without a line end gets one before anything of ours.
void PieceRunner::end_lines() {
  if (!last_.empty() && last_ != "\n") say("\n");
  last_.clear();
}

void PieceRunner::keep_artifacts(const PieceReport& report) {
  for (const Artifact& artifact : report.harvest.artifacts) {
    std::string line = cli::artifact_text(artifact);
    if (telling_.out) {
      const auto written = telling_.out->write(artifact);
      has_missed_file_ = has_missed_file_ || !written;
      line += written ? " → " + telling_.out->place_of(artifact)
                      : ": not written: " + printable(written.error().message);
    }
    note(cli::paint(line, cli::Style::kLabel, telling_.colour) + "\n");
  }
}

void PieceRunner::tell(const PieceReport& report) {
  if (telling_.form == Form::kJson) {
    say(shown_json(cli::piece_as_json(report)) + "\n");
  } else {
    if (telling_.is_conversation || report.shown) end_lines();
    if (report.shown) say(printable_output(*report.shown) + "\n");
    const PieceCame came = what_came(report);
    if (came == PieceCame::kDone || came == PieceCame::kFailed)
      note(cli::piece_error_text(report, telling_.colour));
    if (came == PieceCame::kAskedToFail && !is_number(report.error.message))
      note(printable_output(report.error.message) + "\n");
    note(cli::piece_notes_text(report, telling_.colour));
    if (telling_.is_conversation) note(cli::lost_names_text(report, telling_.colour));
  }
  keep_artifacts(report);
}

Result<PieceCame> PieceRunner::run(std::string_view code) {
  last_.clear();
  const auto report = TRY(session_.run({.code = code}, *this));
  tell(report);
  if (trouble_ != 0)
    return bad_request("write the report: " + std::generic_category().message(trouble_));
  return what_came(report);
}

Result<std::optional<std::string>> PieceRunner::ask(std::string_view code) {
  is_aside_ = true;
  auto report = session_.run({.code = code, .is_aside = true}, *this);
  is_aside_ = false;
  if (!report) return std::unexpected(std::move(report).error());
  if (report->end != PieceEnd::kDone) {
    note(cli::lost_names_text(*report, telling_.colour));
    return std::nullopt;
  }
  return std::move(report->output);
}

}  // namespace airlock::prompt
