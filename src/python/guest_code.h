// Guest code inside a cell: made ready once in the zygote (modules loaded, builtins chosen), then
// in each forked cell loaded from compiled code and called. Everything that the guest does or
// raises ends up in a GuestOutcome.
//
// One GuestCode for each process, used by its one thread. Nothing here is a wall: it runs inside a
// cell, and shares its memory with the guest. It decides what honest code sees; the jail decides
// what hostile code can reach.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/guest_outcome.h"
#include "model/piece.h"
#include "model/policy.h"
#include "os/shared_notes.h"
#include "python/tree.h"

namespace airlock::python {

class GuestCode {
 public:
  // Imports every module that the policy lists, and what they would import later on their own
  // (strptime, codecs), and builds the guest's builtins and import function from the policy.
  // `place`: where packages may write while they are imported; without one, nowhere.
  static Result<std::unique_ptr<GuestCode>> prepare(const Policy& policy,
                                                    const std::string& place = "");
  ~GuestCode();
  GuestCode(const GuestCode&) = delete;
  GuestCode& operator=(const GuestCode&) = delete;

  // What is printed is written down there too. It must outlive this.
  void keep_copies(os::SharedNotes* notes);
  // What is printed goes there instead of into outcomes; false: it was too much.
  using Printed = std::function<bool(OutputStream stream, std::string_view text)>;
  void stream_output(const Printed& printed);
  // Our own code, of the kind that guests are made of: in a forked process, the first use of every
  // page of the interpreter's memory costs a copy, and here it is paid before anyone waits.
  void touch();
  // Runs the module's body. `compiled` is what compile_tree() gave. What it prints is told with the
  // first call, or here if it fails.
  GuestOutcome load(std::string_view compiled, const RunLimits& limits);
  // extract(path). Only after a load that was a success.
  GuestOutcome call(std::string_view path, const RunLimits& limits);

  // The name that the guest's frames carry, for airlock_guest_line().
  PyObject* filename() const;

 private:
  struct State;
  explicit GuestCode(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// The tree as compiled code (marshal format), or what the compiler said.
std::variant<std::string, SyntaxProblem> compile_tree(const Tree& tree, const std::string& code);

// The same for the nth piece of a session. Its frames are named "<piece N>"; `await` may stand at
// its top level; the value of a last expression is left under kPieceValue among its names. Changes
// the tree.
inline constexpr const char* kPieceValue = "__airlock_value__";
std::variant<std::string, SyntaxProblem> compile_piece(Tree& tree, const std::string& code,
                                                       std::uint32_t number);

}  // namespace airlock::python
