// How far a bulk job is: one line on stderr that is written over, on a terminal only, and one line
// at the end, always. One thread at a time: a job tells its progress in the order of the rows.
#pragma once

#include <chrono>
#include <string>

#include "engine/bulk/extract.h"
#include "present/report/style.h"

namespace airlock::cli {

// "12,345 rows, 85,000/s, 1:07 left"
std::string progress_text(const JobProgress& progress, double seconds);
// "12,345 rows in 0.15 s (82,300/s), 17 failed"
std::string summary_text(const JobProgress& progress, double seconds);

class ProgressLine {
 public:
  explicit ProgressLine(Colour colour);  // kNever: not a terminal that can be written over

  void see(const JobProgress& progress);
  // What was seen last is the sum.
  void finish();

 private:
  double seconds() const;

  bool is_shown_;
  bool is_on_screen_ = false;
  JobProgress seen_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace airlock::cli
