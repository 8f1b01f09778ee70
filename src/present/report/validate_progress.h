// The stages as a tree, drawn while they run: on stderr, on a terminal, erased before the report.
// The report begins with the same tree, so the screen seems to come to rest. One thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "engine/validate/validate.h"
#include "present/report/style.h"

namespace airlock::cli {

// The tree as it stands; four lines, each with its line end, after a heading.
std::string progress_tree(const ValidateProgress& progress, bool is_scanned, Colour colour);

class LiveProgress {
 public:
  // Draws nothing when `colour` is kNever: a stream that must not be coloured is not animated.
  LiveProgress(bool is_scanned, Colour colour) : is_scanned_(is_scanned), colour_(colour) {}
  ~LiveProgress() { erase(); }
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  void show(const ValidateProgress& progress);
  void erase();

 private:
  bool is_scanned_;
  Colour colour_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point drawn_;
};

}  // namespace airlock::cli
