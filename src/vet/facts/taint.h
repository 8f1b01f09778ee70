// Where the dangerous values of a file may get to. Forward, over the whole file, until nothing
// changes: the opposite direction of ValueFlow, which asks where one value may come from.
//
// The certainty rule. Some attributes are harmless on almost every object and not on a few: `group`
// of a match and of a pathlib.Path, an assignment to an attribute of one's own object and of
// json.JSONEncoder. Such a use passes only when the receiver surely is none of the few. Nobody can
// follow each value through each construct of Python (operators, subscripts, `send`, decorators,
// `__set_name__` …), so the question is turned around. Dangerous values come from few places in the
// text; from there they are followed, and each construct either hands them on to a place that is
// known (a name, an attribute by its name, a parameter of a function that is called by its name) or
// to a pool that everything of its kind reads from:
//
//   implicit      operands of operators, subscripts, loops, with, comparisons, calls of objects;
//                 read by the parameters of all special methods and of methods that a library may
//                 call
//   unknown_args  arguments of calls whose target is not known; read by the parameters of all
//                 functions that are used as values, lambdas included
//   raised        what is raised, looked up or returned; read by `except … as name`
//   sent          what is sent; read by yield
//   special       what special methods return; read by every operator, subscript, loop, with …
//   loose         what is put into an object that has other names; read by everything that takes
//                 something out of something
//
// What a function returns, it carries as a value: calling anything gives at least what the called
// expression carries. A container carries what is in it. Annotations are never believed. So a value
// that carries nothing after all that surely is none of the few, whichever way it came.
//
// The work is done once for a file, when the first question is asked, and only for files that name
// a dangerous class at all. It is bounded: past the bound every answer is the suspicious one.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vet/facts/flow.h"
#include "vet/facts/scopes.h"

namespace airlock::vet {

inline bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// Bits that a value carries. Zero means: surely none of these.
enum Taint : unsigned {
  kPathTaint = 1U,          // an instance of a guarded class, or something that holds or gives one
  kPathClassTaint = 2U,     // the class itself
  kLibraryClassTaint = 4U,  // a class of a library, or another object of its that all code shares
  kOwnClassTaint = 8U,      // a class of this file: its methods can be called on anything
  kStoringTaint = 16U,      // a bound method that keeps what it is given: x.append
  kGivesClassTaint = 32U,   // a function that gives a class of this file
  kLibraryFunctionTaint = 64U,
};
inline constexpr unsigned kEveryTaint = 127U;

class TaintMap {
 public:
  TaintMap(const Scopes& scopes, const PolicyIndex& policy, const ValueFlow& flow)
      : scopes_(scopes), policy_(policy), flow_(flow) {}

  void set_module(mod_ty module) { module_ = module; }

  // Everything that this expression may be, hold or give when it is called.
  unsigned of(expr_ty node, ScopeId scope);
  // Whether a method of this name may be called with something else than an instance of its class
  // as its first argument: Own.method(x), or the plain function in the class body.
  bool is_called_on_anything(PyObject* method);
  // Whether this name is used in another way than to look something up in it: then there may be
  // other names for what it holds.
  bool is_shared(SymbolId id);
  // name = value, and nothing else: not a = b = [], not a = (b := []).
  static bool has_one_name(const Binding& binding);
  // Whether this is a field of a tuple that namedtuple() or NamedTuple() made.
  bool is_tuple_field(std::string_view name);

 private:
  // The taint of what a call is given: by position, by keyword, and unpacked (* and **), of which
  // nobody knows where it goes.
  struct Arguments {
    std::vector<unsigned> positional;
    std::vector<std::pair<PyObject*, unsigned>> named;
    unsigned starred = 0;
    bool has_star = false;
    unsigned all = 0;
  };

  // The whole computation, once. pass() goes over the file once; passes are repeated until no bit
  // is added anywhere (bits are only ever added, so this ends).
  void work();
  void pass();
  void spend();
  void statements(asdl_stmt_seq* body, ScopeId scope);
  void statement(stmt_ty node, ScopeId scope);
  void function(stmt_ty node, ScopeId scope);
  void class_statement(stmt_ty node, ScopeId scope);
  void try_statement(asdl_stmt_seq* body, asdl_excepthandler_seq* handlers,
                     asdl_stmt_seq* otherwise, asdl_stmt_seq* last, ScopeId scope);
  void with_statement(asdl_withitem_seq* managers, asdl_stmt_seq* body, ScopeId scope);
  void capture(pattern_ty node, unsigned bits, ScopeId scope);
  void parameters(arguments_ty arguments, ScopeId inner, ScopeId outer, unsigned first,
                  unsigned rest);
  unsigned taint_of_annotation(expr_ty annotation, ScopeId scope);
  // The function is used in another way than being called by its name: somebody may call it with
  // anything from the pool unknown_args.
  void mark_used_as_value(ScopeId function);
  void mark_methods_used_as_values(PyObject* name);
  void call_on_anything(PyObject* method);
  unsigned decorated(asdl_expr_seq* decorators, unsigned carried, ScopeId scope);
  // Whether a name stands for nothing that the code itself has made.
  bool is_foreign_name(expr_ty name, ScopeId scope) const;
  bool is_plain_decorator(expr_ty node, ScopeId scope) const;
  void bind(expr_ty target, unsigned bits, ScopeId scope);
  void put_into(expr_ty container, unsigned bits, ScopeId scope);
  void store_attribute(PyObject* name, unsigned bits);

  // kReceiver: only looked into (x.a, x[0], a test), so that no new name for it arises.
  enum class As { kValue, kReceiver };
  unsigned eval(expr_ty node, ScopeId scope, As as = As::kValue);
  unsigned eval_all(std::span<expr_ty> nodes, ScopeId scope);
  unsigned name(expr_ty node, ScopeId scope, As as);
  unsigned attribute(unsigned receiver, PyObject* name);
  unsigned subscript(expr_ty node, ScopeId scope);
  unsigned comprehension(expr_ty node, asdl_comprehension_seq* parts, expr_ty element,
                         expr_ty value, ScopeId scope);
  unsigned lambda(expr_ty node, ScopeId scope);
  unsigned call(expr_ty node, ScopeId scope);
  unsigned call_builtin(std::string_view name, expr_ty node, const Arguments& given, ScopeId scope);
  unsigned call_symbol(SymbolId id, const Arguments& given);
  unsigned call_value(unsigned called, const Arguments& given);
  unsigned call_library(std::string_view module, std::string_view name, expr_ty node,
                        const Arguments& given);
  unsigned call_method(expr_ty node, const Arguments& given, ScopeId scope);
  unsigned call_anything(const Arguments& given);
  void note_fields(expr_ty node);
  void store_out_of_sight(const Arguments& given);
  void store_fields(stmt_ty definition, ScopeId inner, const Arguments& given);
  bool hands_out_matches(expr_ty function, ScopeId scope) const;
  void call_with(expr_ty function, unsigned bits, ScopeId scope);
  bool is_called_on_anything_here(PyObject* name) const { return on_anything_.contains(name); }
  unsigned construct(stmt_ty definition, const Arguments& given);
  Arguments arguments_of(expr_ty node, ScopeId scope);
  void hand_over(const void* definition, const Arguments& given, std::size_t shift);
  void hand_over(arguments_ty parameters, ScopeId inner, const Arguments& given, std::size_t shift);

  void add_to_symbol(SymbolId id, unsigned bits);
  // The only places where bits are added; both note whether anything changed.
  void add(unsigned& pool, unsigned bits);
  void add_to_parameter(ScopeId inner, PyObject* name, unsigned bits);
  PyObject* init_name() const { return init_name_; }
  static unsigned as_function(unsigned returned) {
    return (returned & kOwnClassTaint) == 0
               ? returned
               : (returned & ~unsigned{kOwnClassTaint}) | kGivesClassTaint;
  }
  // What calling gives: an instance of a class, a class of what gives classes.
  static unsigned when_called(unsigned bits) {
    return (bits & ~unsigned{kOwnClassTaint}) |
           ((bits & kGivesClassTaint) != 0 ? unsigned{kOwnClassTaint} : 0U) |
           ((bits & kPathClassTaint) != 0 ? unsigned{kPathTaint} : 0U);
  }
  // What may come out of any operator, subscript or loop.
  unsigned ambient() const { return special_ | loose_; }
  unsigned foreign(std::string_view module, std::string_view name) const;
  ScopeId scope_of(const void* node) const;
  ScopeId function_around(ScopeId scope) const;
  bool names_own_class(expr_ty node, ScopeId scope) const;
  bool names_a_type(expr_ty node, ScopeId scope) const;
  bool is_new(expr_ty node, ScopeId scope, int depth = 0) const;
  bool is_new(SymbolId id) const;
  bool is_new_attribute(PyObject* name) const;
  bool gives_text(PyObject* name) const;
  bool surely_gives_text(PyObject* name) const;
  void call_setter(PyObject* name, unsigned bits);
  bool has_foreign_base(stmt_ty definition, ScopeId scope) const;

  const Scopes& scopes_;
  const PolicyIndex& policy_;
  const ValueFlow& flow_;
  mod_ty module_ = nullptr;

  PyObject* init_name_ = nullptr;  // "__init__", when a class here defines it
  bool is_done_ = false;
  bool is_too_much_ = false;
  bool changed_ = false;
  long steps_ = 0;
  std::vector<unsigned> symbols_;    // by SymbolId
  std::vector<unsigned> returns_;    // by ScopeId
  std::vector<bool> used_as_value_;  // by ScopeId: functions that are used as values
  std::vector<bool> shared_;         // by SymbolId
  // By the node that opens it: Scopes::scope_opened_by() would search each time.
  std::unordered_map<const void*, ScopeId> opened_by_;
  std::unordered_map<PyObject*, unsigned> attributes_;
  std::unordered_map<PyObject*, std::vector<SymbolId>> members_;  // names in class bodies
  std::unordered_set<PyObject*> stored_;  // names that some object's attribute is assigned under
  // Methods that may be called with anything as their first argument.
  std::unordered_set<PyObject*> on_anything_;
  std::unordered_set<std::string_view> tuple_fields_;
  // Answers that do not change, worked out once.
  mutable std::unordered_map<const void*, bool> foreign_base_;
  mutable std::unordered_map<SymbolId, bool> new_symbols_;
  mutable std::unordered_map<PyObject*, bool> new_attributes_;
  std::unordered_set<expr_ty> get_matches_;  // lambdas that are handed matches, and nothing else
  unsigned implicit_ = 0;
  unsigned unknown_args_ = 0;
  unsigned raised_ = 0;
  unsigned sent_ = 0;
  unsigned special_ = 0;
  unsigned loose_ = 0;
  // Smaller pools, for what libraries and special cases hand on.
  unsigned constructed_ = 0;   // what somebody may make an instance of a class of this file with
  unsigned every_member_ = 0;  // what any name in a class body holds
  unsigned receivers_ = 0;     // whatever an attribute is read of
  unsigned every_attribute_ = 0;
  unsigned instances_hold_ = 0;     // what instances of classes under a library's are made of
  bool has_wrappers_ = false;       // UserDict, ChainMap: what they hold is an attribute of theirs
  unsigned members_are_named_ = 0;  // what _name_ was set to
  unsigned members_hold_ = 0;       // what members of enums have as their values
  unsigned annotated_ = 0;  // classes in the annotations of class bodies: fields() hands them out
  bool has_own_lookup_ = false;  // __getattr__ or __get__
  bool is_inside_class_method_ = false;
};

}  // namespace airlock::vet
