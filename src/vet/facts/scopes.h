// Who binds what, where. Built by the binder in one pass over the tree, then asked by the judge and
// by the flow questions.
//
// Python's rules, as the interpreter applies them: a name bound anywhere in a function is local to
// it, and never falls back to a builtin; a name in a class body or at module level does fall back.
// That difference decides whether a variable called `open` is harmless.
//
// One rule of Python's is left out: inside a class C the interpreter reads __x as _C__x. Here __x
// stays __x, which merges names that Python keeps apart, and code that spells _C__x is refused.
//
// Scope 0 is the module. Scopes, symbols and bindings are numbers into vectors, so they stay valid
// while more are added; names are interned objects of the tree, compared by address. All pointers
// (nodes, names, surfaces) are borrowed from the tree and the policy.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "python/tree.h"
#include "vet/facts/policy_index.h"
#include "vet/facts/walker.h"

namespace airlock::vet {

using ScopeId = std::uint32_t;
using SymbolId = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

enum class BindingKind : std::uint8_t {
  kValue,    // name = value
  kElement,  // for name in value; name, other = value; with value as name; name.append(value)
  kParameter,
  kFunction,
  kClass,
  kModule,    // import re; import os.path as p; from collections import abc
  kPackage,   // import os.path binds os
  kForeign,   // from re import compile
  kRefused,   // an import that is refused where it stands
  kHandler,   // except … as name: unbound again at the end of the block
  kDeclared,  // name: annotation, without a value
  kDeleted,   // del name
};

struct Binding {
  BindingKind kind = BindingKind::kValue;
  bool in_body = false;          // the statement stands directly in the body of its module or class
  bool is_content = false;       // container[key] = value: the name holds it, and stays what it was
  ScopeId scope = kNone;         // where `value` is evaluated
  expr_ty value = nullptr;       // may be null
  expr_ty annotation = nullptr;  // may be null
  stmt_ty statement = nullptr;   // the innermost statement around it
  // kModule, kPackage: what may be read; kForeign: the module it came from.
  const SurfaceIndex* surface = nullptr;
  PyObject* attribute = nullptr;  // kForeign: its name in that module
  std::uint32_t index = 0;        // kParameter: which one
  Place place;
  std::uint32_t next = kNone;  // the next binding of the same symbol, kNone at the end
};

// A name in one scope, with its bindings as a linked list in the order of the text. A symbol
// without bindings is one that is only declared (global, nonlocal).
struct Symbol {
  PyObject* name = nullptr;
  ScopeId scope = kNone;
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
  bool is_global = false;  // declared global here: means the module's symbol
  bool is_nonlocal = false;
};

struct Scope {
  ScopeKind kind;
  ScopeId parent;
  const void* node;  // the stmt_ty or expr_ty that opens it
  std::vector<SymbolId> symbols;
  std::vector<expr_ty> returns;  // values of return (and yield) in a function
};

struct CallSite {
  expr_ty call;
  ScopeId scope;
};

// obj.name = value, anywhere.
struct AttributeStore {
  PyObject* name = nullptr;
  expr_ty value = nullptr;
  ScopeId scope = 0;
  bool is_content = false;    // obj.name[key] = value
  bool is_augmented = false;  // obj.name += value, with value as obj.name: something else is stored
};

class Scopes {
 public:
  Scopes() = default;
  Scopes(Scopes&&) = default;
  Scopes& operator=(Scopes&&) = delete;
  Scopes(const Scopes&) = delete;
  Scopes& operator=(const Scopes&) = delete;
  ~Scopes();

  // The interned name, kept alive as long as these scopes are.
  PyObject* own_name(std::string_view name);

  ScopeId add_scope(ScopeKind kind, ScopeId parent, const void* node);
  ScopeId scope_opened_by(const void* node) const;  // kNone when there is none
  SymbolId symbol(ScopeId scope, PyObject* name);   // made when it is not there
  // kNone when this scope does not bind it.
  SymbolId find_here(ScopeId scope, PyObject* name) const;
  void add_binding(SymbolId symbol, Binding binding);

  // The symbol that a read of `name` in `scope` refers to, kNone for a builtin (or nothing at all).
  SymbolId resolve(ScopeId scope, PyObject* name) const;
  // A class body reads its own name only once it is bound; until then it reads the module's (never
  // that of a function in between). The module's symbol for a symbol of a class, else kNone.
  SymbolId fallback(SymbolId id) const;

  const Scope& scope(ScopeId id) const { return scopes_[id]; }
  Scope& scope(ScopeId id) { return scopes_[id]; }
  std::size_t scope_count() const { return scopes_.size(); }
  const Symbol& symbol(SymbolId id) const { return symbols_[id]; }
  Symbol& symbol(SymbolId id) { return symbols_[id]; }
  std::span<const Symbol> symbols() const { return symbols_; }
  const Binding& binding(std::uint32_t index) const { return bindings_[index]; }
  // Whether any class of this file defines `name` (method, field, class variable) or any code
  // stores it as an attribute.
  bool defines_attribute(PyObject* name) const;
  // Whether this is _C__x, the interpreter's own spelling of __x in a class C of this file.
  bool spells_private_name(std::string_view name) const;

  template <typename Each>
  void for_each_binding(SymbolId id, Each&& each) const {
    for (std::uint32_t i = symbols_[id].first; i != kNone; i = bindings_[i].next)
      each(bindings_[i]);
  }

  std::vector<CallSite> calls;
  std::vector<AttributeStore> attribute_stores;
  bool future_annotations = false;

 private:
  struct Key {
    ScopeId scope;
    PyObject* name;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      // Objects are aligned to 16 bytes, so the low bits say nothing; the factor is 2^64 divided by
      // the golden ratio, which spreads neighbours.
      return (reinterpret_cast<std::size_t>(key.name) >> 4) * 0x9E3779B97F4A7C15ULL + key.scope;
    }
  };

  std::vector<PyObject*> owned_names_;
  std::vector<Scope> scopes_;
  std::vector<Symbol> symbols_;
  std::vector<Binding> bindings_;
  std::unordered_map<Key, SymbolId, Hash> index_;
};

}  // namespace airlock::vet
