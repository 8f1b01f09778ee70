// CPython behind a fence: the interpreter's lifetime and its own parser. What comes out is the
// interpreter's C tree (pycore_ast.h), the same that its compiler reads: nothing that judges the
// code can read it differently from what would run it. Single-threaded: one Interpreter per
// process, all Trees used on the thread that made it.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE 1
#endif
// The tree's header is meant for CPython's own sources and does not keep our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wconversion"
#include <internal/pycore_ast.h>
#pragma GCC diagnostic pop

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "model/finding.h"
#include "model/guest_outcome.h"

namespace airlock::python {

// Where modules come from.
enum class Modules : std::uint8_t {
  kCarried,      // from this program alone (frozen_library.h): no file is looked at
  kAndInstalled  // and from the host's Python of the same version, if there is one
};

// Starts the interpreter without site, environment or user directories, and loads beforehand what
// the parser would otherwise import in the middle of its work (unicodedata for identifiers), so
// that afterwards no file is ever needed.
class Interpreter {
 public:
  // Without an order, the texts' hashes differ from one process to the next.
  static Result<std::unique_ptr<Interpreter>> start(std::optional<HashOrder> order = std::nullopt,
                                                    Modules modules = Modules::kCarried);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

 private:
  Interpreter() = default;
};

// What the parser said, in its own words.
struct SyntaxProblem {
  std::string type;     // SyntaxError, IndentationError, TabError, MemoryError
  std::string message;  // "expected ':'"
  Place place;          // column as a 0-based byte offset
};

// A parsed module; owns the arena in which all its nodes live. Nodes and the Python objects in them
// (names, constants) are freed with the arena, all at once: no pointer into a Tree outlives it.
class Tree {
 public:
  explicit Tree(PyArena* arena, mod_ty module) : arena_(arena), module_(module) {}
  Tree(Tree&& other) noexcept;
  Tree& operator=(Tree&& other) noexcept;
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree();

  mod_ty module() const { return module_; }
  PyArena* arena() const { return arena_; }

 private:
  PyArena* arena_;
  mod_ty module_;
};

// `code` is UTF-8 without NUL bytes; an encoding declaration in it is ignored.
std::variant<Tree, SyntaxProblem> parse(const std::string& code);

// Takes the pending exception and says what it was, in the words of the parser or compiler.
SyntaxProblem take_syntax_problem(const std::string& code);

// The UTF-8 text of an identifier or string constant; empty when it has none (lone surrogates).
// Lives as long as the object does.
std::string_view text_of(PyObject* text);

}  // namespace airlock::python
