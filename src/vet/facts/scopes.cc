#include "vet/facts/scopes.h"

#include <algorithm>
#include <string>

namespace airlock::vet {

Scopes::~Scopes() {
  for (PyObject* name : owned_names_) Py_DECREF(name);
}

PyObject* Scopes::own_name(std::string_view name) {
  PyObject* interned =
      PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
  PyUnicode_InternInPlace(&interned);
  owned_names_.push_back(interned);
  return interned;
}

ScopeId Scopes::scope_opened_by(const void* node) const {
  for (ScopeId id = 0; id < scopes_.size(); ++id) {
    if (scopes_[id].node == node) return id;
  }
  return kNone;
}

ScopeId Scopes::add_scope(ScopeKind kind, ScopeId parent, const void* node) {
  scopes_.push_back(Scope{kind, parent, node, {}, {}});
  return static_cast<ScopeId>(scopes_.size() - 1);
}

SymbolId Scopes::symbol(ScopeId scope, PyObject* name) {
  const auto [found, is_new] =
      index_.try_emplace(Key{scope, name}, static_cast<SymbolId>(symbols_.size()));
  if (is_new) {
    symbols_.push_back(Symbol{name, scope});
    scopes_[scope].symbols.push_back(found->second);
  }
  return found->second;
}

SymbolId Scopes::find_here(ScopeId scope, PyObject* name) const {
  const auto found = index_.find(Key{scope, name});
  return found == index_.end() ? kNone : found->second;
}

// At the end of the symbol's list, so that the order is that of the text.
void Scopes::add_binding(SymbolId id, Binding binding) {
  binding.next = kNone;
  bindings_.push_back(binding);
  const auto index = static_cast<std::uint32_t>(bindings_.size() - 1);
  Symbol& symbol = symbols_[id];
  if (symbol.first == kNone) {
    symbol.first = index;
  } else {
    bindings_[symbol.last].next = index;
  }
  symbol.last = index;
}

// From the inside out, as Python's symbol table does it.
SymbolId Scopes::resolve(ScopeId start, PyObject* name) const {
  bool first = true;
  for (ScopeId at = start; at != kNone; at = scopes_[at].parent, first = false) {
    // A class body's names are seen by its own statements only, not by functions inside it.
    if (!first && scopes_[at].kind == ScopeKind::kClass) continue;
    const SymbolId id = find_here(at, name);
    if (id == kNone) continue;
    if (symbols_[id].is_global && at != 0) {
      const SymbolId global = find_here(0, name);
      return global != kNone && symbols_[global].first != kNone ? global : kNone;
    }
    // Declared here, bound further out.
    if (symbols_[id].is_nonlocal) continue;
    if (symbols_[id].first != kNone) return id;
  }
  return kNone;
}

SymbolId Scopes::fallback(SymbolId id) const {
  if (scopes_[symbols_[id].scope].kind != ScopeKind::kClass) return kNone;
  const SymbolId global = find_here(0, symbols_[id].name);
  return global != kNone && symbols_[global].first != kNone ? global : kNone;
}

bool Scopes::defines_attribute(PyObject* name) const {
  for (const Symbol& symbol : symbols_) {
    if (symbol.name == name && scopes_[symbol.scope].kind == ScopeKind::kClass) return true;
  }
  return std::ranges::any_of(attribute_stores,
                             [&](const AttributeStore& store) { return store.name == name; });
}

bool Scopes::spells_private_name(std::string_view name) const {
  if (name.size() < 4 || name[0] != '_' || name[1] == '_') return false;
  return std::ranges::any_of(scopes_, [&](const Scope& scope) {
    if (scope.kind != ScopeKind::kClass) return false;
    const auto* node = static_cast<const _stmt*>(scope.node);
    std::string_view of = python::text_of(node->v.ClassDef.name);
    // Mangling drops leading underscores of the class's name: in class _C, __x is _C__x.
    of.remove_prefix(std::min(of.find_first_not_of('_'), of.size()));
    return !of.empty() && name.substr(1).starts_with(of) &&
           name.substr(1 + of.size()).starts_with("__");
  });
}

}  // namespace airlock::vet
