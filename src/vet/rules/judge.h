// Second pass, the security stage: every node of the tree is judged by the family of rules that
// owns its kind; the table in judge.cc lists which. A kind that no family owns is harmless by
// itself and only walked through; a kind that the table does not know is refused.
//
// The tree is CPython's own (python/tree.h), so what is judged is what would run. Work per file is
// bounded: past the bound a question gets the answer that refuses. A Judge serves one file, on one
// thread, and borrows policy, scopes and code.
#pragma once

#include <climits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/rule.h"
#include "vet/facts/flow.h"
#include "vet/facts/scopes.h"
#include "vet/facts/taint.h"
#include "vet/facts/walker.h"

namespace airlock::vet {

// Where a name is first given a value directly in the body of its module or class (INT_MAX:
// nowhere), and whether anything takes the value away again.
struct SureBinding {
  int line = INT_MAX;
  bool is_unbound = false;
};

// What kinds of bindings a name has.
struct BoundTo {
  bool is_module = false;
  bool is_class = false;              // of this file or of a library
  bool is_for_type_checkers = false;  // and for nobody else
};

class Judge : public Walker<Judge> {
 public:
  Judge(const PolicyIndex& policy, const Scopes& scopes, std::string_view code,
        std::vector<Finding>& findings);

  void run(mod_ty module);

  // ---- what the families use
  const PolicyIndex& policy() const { return policy_; }
  const Scopes& scopes() const { return scopes_; }
  ValueFlow& flow() { return flow_; }
  TaintMap& taint() { return taint_; }
  std::string_view code() const { return code_; }
  ScopeId scope() const { return scope_; }
  stmt_ty top_statement() const { return top_statement_; }
  void report(RuleCode code, Place place, std::string item, std::string message,
              std::string suggestion);
  // Whether a finding of this rule already stands at this place.
  bool is_reported(RuleCode code, Place place) const;
  using Walker::annotation;
  using Walker::children;
  using Walker::in_annotation;
  using Walker::keywords;
  using Walker::visit;
  using Walker::visit_all;

  // This node is used in a way that its own family would refuse elsewhere, and may be here: Path in
  // Path(x), Enum as a base class. So is everything in a plain annotation or between the brackets
  // of a subscript.
  void excuse(expr_ty node) { excused_.push_back(node); }
  bool is_excused(expr_ty node) const;
  bool is_excused_itself(expr_ty node) const;  // not because of what is around it
  bool in_plain_annotation() const { return in_annotation() && running_ == 0; }
  void visit_slice(expr_ty node);
  // The same for what type() gives: it stands where it is only compared, named, printed or tested.
  void show(expr_ty node) { shown_.push_back(node); }
  bool is_shown(expr_ty node) const;

  const SureBinding& sure_binding(SymbolId id);  // worked out once for each name
  const BoundTo& bound_to(SymbolId id);          // the same
  // Whether only imports under `if TYPE_CHECKING:` bind this name: they never run.
  bool is_for_type_checkers(SymbolId id) { return bound_to(id).is_for_type_checkers; }
  bool is_type_checking(stmt_ty node) const;

  // One line of the code, without its end; empty when there is none of that number.
  std::string_view line(std::uint32_t number);
  // How often a costly suggestion has been worked out for this file; after a few, nobody reads
  // them.
  bool may_suggest() { return ++suggestions_ <= 20; }
  // What is asked about a file must not cost more than a bound; past it the answer is the
  // suspicious one.
  bool may_look(std::size_t cost = 1) { return (looks_ += cost) <= 2'000'000; }
  // Whether a class of this file defines this special method.
  bool defines_special(std::string_view name);

  // Whether a read of this name means the builtin of that name.
  bool is_builtin(expr_ty name, std::string_view builtin) const;

  // ---- what the Walker asks for
  void statement(stmt_ty node);
  void expression(expr_ty node);
  void pattern(pattern_ty node);
  void open_scope(ScopeKind kind, const void* node);
  void close_scope();
  void parameter(arg_ty one, expr_ty value, std::size_t index);
  void handler(excepthandler_ty node);
  void generator(comprehension_ty part);
  void unknown(const char* family, int kind, Place place);

 private:
  const PolicyIndex& policy_;
  const Scopes& scopes_;
  ValueFlow flow_;
  TaintMap taint_;
  std::string_view code_;
  std::vector<Finding>& findings_;
  ScopeId scope_ = kNone;
  // The number of the scope that is opened next; scopes are numbered as the binder met them.
  ScopeId next_scope_ = 0;
  stmt_ty top_statement_ = nullptr;
  std::vector<expr_ty> excused_;
  std::vector<expr_ty> shown_;
  std::vector<stmt_ty> never_run_;  // imports under `if TYPE_CHECKING:`
  int running_ = 0;                 // calls, lambdas and the like around this expression
  int slices_ = 0;                  // subscripts around this expression
  std::vector<std::size_t> line_starts_;
  // See may_suggest() and may_look(): both count over the whole file.
  int suggestions_ = 0;
  std::size_t looks_ = 0;
  std::unordered_map<std::string_view, bool> specials_;
  std::unordered_map<SymbolId, SureBinding> sure_bindings_;
  std::unordered_map<SymbolId, BoundTo> bound_to_;
};

// Every node kind of the grammar that the judge knows, by CPython's name; for the test that
// compares it with the grammar.
std::vector<std::string_view> known_node_kinds();

// ---- the families, one file each (its name stands behind the function)
// Each judges its node and goes on to the children itself, or leaves them out on purpose: a node
// that was reported is not reported a second time for what is in it.
void judge_import(Judge& judge, stmt_ty node);       // imports.cc
void judge_import_from(Judge& judge, stmt_ty node);  // imports.cc
// A library's class, used as a value: guarded ones and those that make classes may only be called,
// named as a base, compared with. True when it reported.
bool judge_class_value(Judge& judge, expr_ty node, std::string_view module,
                       std::string_view name);            // name_reads.cc
void judge_name(Judge& judge, expr_ty node);              // name_reads.cc
void judge_named_expression(Judge& judge, expr_ty node);  // name_reads.cc
void judge_binding(Judge& judge, PyObject* name,
                   Place place);  // name_reads.cc: any place that gives a name a value
void judge_attribute(Judge& judge, expr_ty node);  // attributes.cc
// The same for a method that is called: the number of arguments tells str.replace from
// Path.replace. `call` may be null.
void judge_attribute_of_call(Judge& judge, expr_ty node, expr_ty call);  // attributes.cc
// Why an attribute of this name may not be read from any object at all, null when it may.
struct Objection {
  std::string why;
  std::string instead;
};
// kOwnNames: a private name that the file itself defines is its own. kNoNames: nobody knows whose
// it is.
enum class Exemption { kOwnNames, kNoNames };
// A class or another object of a library, which all code shares and nobody may change.
bool may_be_library_class(Judge& judge, expr_ty node);  // attributes.cc
// The same, or a function of a library.
bool may_be_library_class_or_function(Judge& judge, expr_ty node);  // attributes.cc
std::optional<Objection> attribute_objection(const Judge& judge, PyObject* name,
                                             Exemption exemption);  // attributes.cc
// Everything that can be said against reading `name` from `receiver` (null: not known). True when
// it reported something.
bool judge_attribute_name(Judge& judge, PyObject* name, expr_ty receiver, expr_ty call,
                          Place place);       // attributes.cc
void judge_call(Judge& judge, expr_ty node);  // calls.cc
// Every text that an expression may be, when all of them are known from the text of the file.
std::optional<std::vector<std::string>> possible_texts(Judge& judge, expr_ty node);  // formats.cc
void judge_format_call(Judge& judge, expr_ty node);                                  // formats.cc
void judge_format_reference(Judge& judge, expr_ty node);                             // formats.cc
void judge_assembled(Judge& judge, expr_ty node);
void judge_subscript(Judge& judge, expr_ty node);   // calls.cc
void judge_assignment(Judge& judge, stmt_ty node);  // classes.cc: __match_args__
void judge_if(Judge& judge, stmt_ty node);          // imports.cc: if TYPE_CHECKING
// ---- types.cc: where the class that type() gives may stand
void judge_type_call(Judge& judge, expr_ty node);
void judge_comparison(Judge& judge, expr_ty node);
void judge_formatted_value(Judge& judge, expr_ty node);
void judge_discarded(Judge& judge, stmt_ty node);
void judge_loop(Judge& judge, stmt_ty node);
void report_kept_type(Judge& judge, expr_ty node);
void excuse_classes_in_text(Judge& judge, expr_ty node);  // "%s" % type(x)
void excuse_classes_in_call(Judge& judge, expr_ty node);  // str(type(x))
void excuse_class_in_slice(Judge& judge, expr_ty node);   // NAMES[type(x)]
void excuse_named_type(Judge& judge, stmt_ty node);       // kind = type(x)
bool is_name_of_type(Judge& judge, expr_ty node);
bool is_harmless_type_call(Judge& judge, expr_ty node, ScopeId scope);
void excuse_members(Judge& judge,
                    expr_ty node);  // attributes.cc: Colour.__members__, where it is only read
// ---- certain.cc: what a value surely is
bool is_surely_own(Judge& judge, expr_ty node, ScopeId scope, int depth = 0);
bool is_surely_plain(Judge& judge, expr_ty node, ScopeId scope, int depth = 0);
bool is_only(const Scopes& scopes, SymbolId id, BindingKind kind);
// The class statement that a name surely stands for; null when it may be something else.
stmt_ty only_class(const Judge& judge, SymbolId id);
// Outside of functions a name that is not bound yet, or no longer, is the builtin of that name.
bool may_be_builtin(const Judge& judge, SymbolId id);
void judge_class_factory(Judge& judge, expr_ty call);  // classes.cc: Enum("E", names)
bool makes_classes(Judge& judge, stmt_ty definition,
                   ScopeId scope);                            // classes.cc: an enum without members
bool rewrites_classes(std::string_view name);                 // classes.cc
void report_match_args(Judge& judge, Place place);            // classes.cc
bool refuses_attribute(Judge& judge, std::string_view text);  // classes.cc
void judge_class(Judge& judge, stmt_ty node);                 // classes.cc
void judge_function(Judge& judge, stmt_ty node);              // classes.cc
void judge_class_pattern(Judge& judge, pattern_ty node);      // patterns.cc
void judge_pattern_binding(Judge& judge, pattern_ty node);    // patterns.cc
void judge_async(Judge& judge, stmt_ty node);                 // forms.cc
void judge_async_expression(Judge& judge, expr_ty node);      // forms.cc
void judge_try_star(Judge& judge, stmt_ty node);              // forms.cc
void judge_declaration(Judge& judge, stmt_ty node);           // forms.cc: global, nonlocal
// hidden_characters.cc: not a node, the text. True when something in it is not ASCII.
bool judge_characters(std::string_view code, std::vector<Finding>& findings);

// ---- stages of their own, called by the vetter
// Names that deceive the eye: letters of several scripts in one name, or a name that looks like
// another one. For the reviewer, pаth and path are the same; for Python they are not.
//
// One finding (AL218) for each such name, where it first stands. Names are those of the tree, so in
// Python's normal form: full-width and mathematical letters are plain letters here. Only worth
// calling for text that is not all ASCII: names of ASCII alone are never refused.
void judge_lookalikes(mod_ty module, const PolicyIndex& policy,
                      std::vector<Finding>& findings);  // lookalike_names.cc

// Third stage: is there a function extract(path) that can be called with one path and returns a
// dict?
void judge_signature(mod_ty module, const Scopes& scopes,
                     std::vector<Finding>& findings);  // signature.cc

}  // namespace airlock::vet
