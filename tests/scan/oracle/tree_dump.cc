// What our reading of CPython's tree says, as lines that oracle.py compares with what Python's own
// `ast` and `symtable` say about the same text.
//
//   standard input    one path a line
//   standard output   for each of them:  file PATH, facts one a line in any order, end
//
// A fact is a word and its fields. PLACE is line:column-line:column. A scope is named by its kind
// and the place of the node that opens it.
//
//   unreadable                                   it does not parse
//   node KIND PLACE                              every statement, expression and pattern
//   name ID load|store|del PLACE                 attribute NAME load|store|del PLACE
//   import MODULE ASNAME PLACE                   from LEVEL MODULE NAME ASNAME PLACE
//   call ARGUMENTS KEYWORDS PLACE                keyword NAME PLACE
//   constant TYPE PLACE                          declares global|nonlocal NAME PLACE
//   capture NAME PLACE                           class_pattern NAME PLACE
//   define function|async|class NAME PLACE       parameter NAME PLACE
//   handler NAME PLACE                           generator plain|async PLACE
//   scope KIND PLACE                             one that opens
//   read SCOPE NAME local|enclosing|global|builtin
//   binds SCOPE NAME                             a scope binds it
//   problem MESSAGE                              what the binder says the compiler would refuse
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <variant>

#include "model/policy.h"
#include "python/tree.h"
#include "vet/facts/binder.h"
#include "vet/facts/walker.h"
#include "vet/rules/judge.h"

namespace airlock::vet {
namespace {

std::string text(PyObject* name) {
  return name == nullptr ? "-" : std::string(python::text_of(name));
}

std::string shown(const Place& place) {
  return std::to_string(place.line) + ":" + std::to_string(place.column) + "-" +
         std::to_string(place.end_line) + ":" + std::to_string(place.end_column);
}

const char* context_name(expr_context_ty context) {
  return context == Load ? "load" : context == Store ? "store" : "del";
}

const char* kind_name(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::kModule:
      return "module";
    case ScopeKind::kClass:
      return "class";
    case ScopeKind::kFunction:
      return "function";
    case ScopeKind::kLambda:
      return "lambda";
    case ScopeKind::kComprehension:
      return "comprehension";
  }
  return "?";
}

// __x, which the interpreter spells _C__x inside a class C (see scopes.h), and __class__, which it
// makes up inside methods. Their meaning is not compared.
bool is_left_out(const std::string& name) {
  return name == "__class__" || (name.starts_with("__") && !name.ends_with("__"));
}

class Dump : public Walker<Dump> {
 public:
  Dump(const Scopes& scopes, std::ostream& out)
      : Walker(UINT32_MAX), scopes_(scopes), out_(out), kinds_(known_node_kinds()) {}

  void run(mod_ty module) {
    open_scope(ScopeKind::kModule, module);
    visit_all(module->v.Module.body);
    close_scope();
    for (const std::string& line : reads_) out_ << line << '\n';
  }

  void statement(stmt_ty node) {
    say_node(0, node);
    const Place place = place_of(node);
    switch (node->kind) {
      case FunctionDef_kind:
        say("define function " + text(node->v.FunctionDef.name), place);
        break;
      case AsyncFunctionDef_kind:
        say("define async " + text(node->v.AsyncFunctionDef.name), place);
        break;
      case ClassDef_kind:
        say("define class " + text(node->v.ClassDef.name), place);
        say_keywords(node->v.ClassDef.keywords);
        break;
      case Import_kind:
        for (alias_ty one : items(node->v.Import.names))
          say("import " + text(one->name) + " " + text(one->asname), place_of(one));
        break;
      case ImportFrom_kind:
        for (alias_ty one : items(node->v.ImportFrom.names)) {
          say("from " + std::to_string(node->v.ImportFrom.level) + " " +
                  text(node->v.ImportFrom.module) + " " + text(one->name) + " " + text(one->asname),
              place_of(one));
        }
        break;
      case Global_kind:
        for (PyObject* name : items(node->v.Global.names))
          say("declares global " + text(name), place);
        break;
      case Nonlocal_kind:
        for (PyObject* name : items(node->v.Nonlocal.names))
          say("declares nonlocal " + text(name), place);
        break;
      default:
        break;
    }
    children(node);
  }

  void expression(expr_ty node) {
    say_node(kStatements, node);
    const Place place = place_of(node);
    switch (node->kind) {
      case Name_kind:
        say("name " + text(node->v.Name.id) + " " + context_name(node->v.Name.ctx), place);
        if (node->v.Name.ctx == Load) say_read(node->v.Name.id);
        break;
      case Attribute_kind:
        say("attribute " + text(node->v.Attribute.attr) + " " + context_name(node->v.Attribute.ctx),
            place);
        break;
      case Call_kind:
        say("call " + std::to_string(items(node->v.Call.args).size()) + " " +
                std::to_string(items(node->v.Call.keywords).size()),
            place);
        say_keywords(node->v.Call.keywords);
        break;
      case Constant_kind:
        say(std::string("constant ") + Py_TYPE(node->v.Constant.value)->tp_name, place);
        break;
      default:
        break;
    }
    children(node);
  }

  void pattern(pattern_ty node) {
    say_node(kStatements + kExpressions, node);
    PyObject* name = nullptr;
    if (node->kind == MatchAs_kind) name = node->v.MatchAs.name;
    if (node->kind == MatchStar_kind) name = node->v.MatchStar.name;
    if (node->kind == MatchMapping_kind) name = node->v.MatchMapping.rest;
    if (name != nullptr) say("capture " + text(name), place_of(node));
    if (node->kind == MatchClass_kind) {
      for (PyObject* one : items(node->v.MatchClass.kwd_attrs))
        say("class_pattern " + text(one), place_of(node));
    }
    children(node);
  }

  void open_scope(ScopeKind kind, const void*) {
    scope_ = next_scope_++;
    const std::string name = scope_name(scope_);
    out_ << "scope " << name << '\n';
    if (scopes_.scope(scope_).kind != kind) out_ << "scope differs from the binder's\n";
    if (is_never_evaluated()) return;
    for (const SymbolId id : scopes_.scope(scope_).symbols) {
      const Symbol& symbol = scopes_.symbol(id);
      if (symbol.first == kNone || is_left_out(text(symbol.name))) continue;
      out_ << "binds " << name << ' ' << text(symbol.name) << '\n';
    }
  }
  void close_scope() { scope_ = scopes_.scope(scope_).parent; }

  void parameter(arg_ty one, expr_ty, std::size_t) {
    say("parameter " + text(one->arg), place_of(one));
  }
  void handler(excepthandler_ty node) {
    say("handler " + text(node->v.ExceptHandler.name), place_of(node));
  }
  void generator(comprehension_ty part) {
    say(part->is_async != 0 ? "generator async" : "generator plain", place_of(part->target));
  }
  void unknown(const char* family, int kind, Place place) {
    say(std::string("unknown ") + family + " " + std::to_string(kind), place);
  }

 private:
  static constexpr std::size_t kStatements = Continue_kind;
  static constexpr std::size_t kExpressions = Slice_kind;

  void say(const std::string& fact, const Place& place) {
    out_ << fact << ' ' << shown(place) << '\n';
  }

  template <typename Node>
  void say_node(std::size_t first, Node node) {
    say("node " + std::string(kinds_[first + static_cast<std::size_t>(node->kind) - 1]),
        place_of(node));
  }

  void say_keywords(asdl_keyword_seq* sequence) {
    for (keyword_ty one : items(sequence)) say("keyword " + text(one->arg), place_of(one));
  }

  // Annotations that stay text are no part of Python's symbol table.
  bool is_never_evaluated() const { return in_annotation() && scopes_.future_annotations; }

  void say_read(PyObject* name) {
    if (is_never_evaluated() || is_left_out(text(name))) return;
    const SymbolId id = scopes_.resolve(scope_, name);
    const char* where = "builtin";
    if (id != kNone) {
      const ScopeId home = scopes_.symbol(id).scope;
      where = home == 0 ? "global" : home == scope_ ? "local" : "enclosing";
    }
    reads_.insert("read " + scope_name(scope_) + " " + text(name) + " " + where);
  }

  std::string scope_name(ScopeId id) const {
    const Scope& scope = scopes_.scope(id);
    std::string name = kind_name(scope.kind);
    if (scope.kind == ScopeKind::kClass || scope.kind == ScopeKind::kFunction)
      name += " " + shown(place_of(static_cast<const _stmt*>(scope.node)));
    if (scope.kind == ScopeKind::kLambda || scope.kind == ScopeKind::kComprehension)
      name += " " + shown(place_of(static_cast<const _expr*>(scope.node)));
    return name;
  }

  const Scopes& scopes_;
  std::ostream& out_;
  std::vector<std::string_view> kinds_;
  std::set<std::string> reads_;  // each once a scope, as a symbol table has it
  ScopeId scope_ = kNone;
  ScopeId next_scope_ = 0;
};

void dump(const std::string& path, const PolicyIndex& policy, std::ostream& out) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream code;
  code << file.rdbuf();
  out << "file " << path << '\n';
  auto parsed = python::parse(code.str());
  if (const auto* tree = std::get_if<python::Tree>(&parsed)) {
    const Bound bound = bind(tree->module(), policy);
    for (const CompileProblem& one : bound.problems) out << "problem " << one.message << '\n';
    if (bound.too_deep) {
      out << "problem too deep\n";
    } else {
      Dump(bound.scopes, out).run(tree->module());
    }
  } else {
    out << "unreadable\n";
  }
  out << "end\n";
}

}  // namespace
}  // namespace airlock::vet

int main() {
  using namespace airlock;
  std::ios::sync_with_stdio(false);
  const auto interpreter = python::Interpreter::start();
  if (!interpreter) {
    std::cerr << interpreter.error().message << '\n';
    return 2;
  }
  Policy policy = *find_builtin_policy("extractor");
  policy.limits.tree_depth = 5000;  // the text is trusted here
  const vet::PolicyIndex index(policy);
  for (std::string path; std::getline(std::cin, path);) vet::dump(path, index, std::cout);
  return 0;
}
