#include "present/cli/extract_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "present/cli/program.h"

namespace airlock::cli {

namespace {

constexpr auto kRedrawInterval = std::chrono::milliseconds(200);  // faster would flicker

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3;) text.insert(i -= 3, ",");
  return text;
}

// The clock may not have moved yet: no division by zero.
std::string rate(std::uint64_t rows, double seconds) {
  const double value = static_cast<double>(rows) / std::max(seconds, 1e-6);
  return with_commas(static_cast<std::uint64_t>(std::llround(value))) + "/s";
}

std::string clock_time(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::llround(seconds));
  if (all >= 3600) return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
  return fmt::format("{}:{:02}", all / 60, all % 60);
}

std::string count_of(std::uint64_t rows) {
  return with_commas(rows) + (rows == 1 ? " row" : " rows");
}

}  // namespace

std::string progress_text(const JobProgress& progress, double seconds) {
  std::string text = count_of(progress.rows) + ", " + rate(progress.rows, seconds);
  // Only files have a known size; from a pipe there is no end to predict. Bytes of input stand in
  // for time, since rows in all are not known.
  if (progress.bytes_in_all && progress.bytes_done > 0 &&
      *progress.bytes_in_all > progress.bytes_done) {
    const double share =
        static_cast<double>(progress.bytes_done) / static_cast<double>(*progress.bytes_in_all);
    text += ", " + clock_time(seconds / share - seconds) + " left";
  }
  return text;
}

std::string summary_text(const JobProgress& progress, double seconds) {
  std::string text = count_of(progress.rows) + fmt::format(" in {:.2f} s", seconds);
  if (progress.rows > 0) text += " (" + rate(progress.rows, seconds) + ")";
  return text + ", " + with_commas(progress.failed) + " failed";
}

ProgressLine::ProgressLine(Colour colour)
    : is_shown_(colour == Colour::kAlways),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

double ProgressLine::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void ProgressLine::see(const JobProgress& progress) {
  seen_ = progress;
  if (!is_shown_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kRedrawInterval) return;
  last_ = now;
  is_on_screen_ = true;
  // To the line's start, and erase to its end.
  write_to_error_stream("\r\x1b[K" + progress_text(progress, seconds()));
}

void ProgressLine::finish() {
  if (is_on_screen_) write_to_error_stream("\r\x1b[K");
  complain(summary_text(seen_, seconds()));
}

}  // namespace airlock::cli
