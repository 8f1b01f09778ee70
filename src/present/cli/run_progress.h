// `airlock run --watch`: one line for each node, on stderr. On a terminal the line of the node that
// is at work is there already, and is written over when it has ended. What a node prints itself is
// captured, so it cannot tear the line apart.
#pragma once

#include "flow/document.h"
#include "flow/step.h"
#include "present/report/style.h"

namespace airlock::cli {

// Called on the thread that runs the flow: begin() and end() alternate, leave() when a run breaks
// off.
class RunProgress {
 public:
  RunProgress(bool is_wanted, Colour colour) : is_wanted_(is_wanted), colour_(colour) {}

  void begin(const flow::Node& node);
  void end(const flow::Step& step);
  void leave();  // the line of a node that came to no end stays

 private:
  bool is_wanted_;
  Colour colour_;  // kNever: not a terminal that can be written over
  bool is_line_open_ = false;
};

}  // namespace airlock::cli
