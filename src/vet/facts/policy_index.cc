#include "vet/facts/policy_index.h"

#include <algorithm>
#include <string>

namespace airlock::vet {

namespace {

// Kept for the life of the process: a vetter serves one policy.
PyObject* interned(const std::string& name) {
  return PyUnicode_InternFromString(name.c_str());
}

}  // namespace

bool is_special(std::string_view name) {
  return name.size() > 4 && name.starts_with("__") && name.ends_with("__");
}

SurfaceIndex::SurfaceIndex(const Surface& surface) : surface_(&surface) {
  for (const std::string& name : surface.attributes) {
    if (name == "*") {
      any_public_ = true;
    } else {
      allowed_.push_back(interned(name));
    }
  }
  // By address: the order means nothing, it only makes binary search possible.
  std::ranges::sort(allowed_);
  for (const Refusal& row : surface.refused) refused_.emplace_back(interned(row.name), &row);
  std::ranges::sort(refused_);
}

bool SurfaceIndex::allows(PyObject* attribute) const {
  if (std::ranges::binary_search(allowed_, attribute)) return true;
  return any_public_ && !python::text_of(attribute).starts_with('_') &&
         refusal(attribute) == nullptr;
}

const Refusal* SurfaceIndex::refusal(PyObject* attribute) const {
  const auto found =
      std::ranges::lower_bound(refused_, attribute, {}, &decltype(refused_)::value_type::first);
  return found != refused_.end() && found->first == attribute ? found->second : nullptr;
}

PolicyIndex::PolicyIndex(const Policy& policy) : policy_(&policy) {
  for (const Permit& row : policy.builtins) facts_of(row.name).builtin = &row;
  for (const Refusal& row : policy.refused_builtins) facts_of(row.name).refused_builtin = &row;
  for (const Permit& row : policy.readable_special) facts_of(row.name).readable_special = &row;
  for (const Permit& row : policy.definable_special) facts_of(row.name).definable_special = &row;
  for (const Permit& row : policy.private_names) facts_of(row.name).private_name = &row;
  for (const Refusal& row : policy.introspection) facts_of(row.name).introspection = &row;
  for (const Refusal& row : policy.file_operations) facts_of(row.name).file_operation = &row;
  PyObject *name = nullptr, *value = nullptr;
  Py_ssize_t position = 0;
  // The vetter's own interpreter knows best which builtins there are.
  while (PyDict_Next(PyEval_GetBuiltins(), &position, &name, &value) != 0) {
    facts_of(std::string(python::text_of(name))).is_interpreter_builtin = true;
  }
  // The keys are views of the policy's strings, which outlive this.
  for (const Surface& row : policy.modules) modules_.emplace(row.name, row);
  for (const Surface& row : policy.packages) packages_.emplace(row.name, row);
  for (const Surface& row : policy.classes) classes_.emplace_back(row);
}

NameFacts& PolicyIndex::facts_of(const std::string& name) {
  return facts_[interned(name)];
}

const NameFacts& PolicyIndex::facts(PyObject* name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? nothing_ : found->second;
}

const SurfaceIndex* PolicyIndex::module(std::string_view name) const {
  const auto found = modules_.find(name);
  return found == modules_.end() ? nullptr : &found->second;
}

const SurfaceIndex* PolicyIndex::package(std::string_view name) const {
  const auto found = packages_.find(name);
  return found == packages_.end() ? nullptr : &found->second;
}

// "module.name" is compared without building the text: this is asked for every attribute.
const SurfaceIndex* PolicyIndex::guarded_class(std::string_view module,
                                               std::string_view name) const {
  for (const SurfaceIndex& one : classes_) {
    const std::string_view full = one.surface().name;
    if (full.size() == module.size() + 1 + name.size() && full.starts_with(module) &&
        full[module.size()] == '.' && full.ends_with(name)) {
      return &one;
    }
  }
  return nullptr;
}

bool PolicyIndex::any_guarded_class_refuses(PyObject* attribute) const {
  return std::ranges::any_of(classes_,
                             [&](const SurfaceIndex& one) { return !one.allows(attribute); });
}

const Refusal* PolicyIndex::refused_module(std::string_view name) const {
  const auto& rows = policy_->refused_modules;
  while (!name.empty()) {
    const auto found = std::ranges::lower_bound(rows, name, {}, &Refusal::name);
    if (found != rows.end() && found->name == name) return &*found;
    // "urllib.request" is refused by the row of "urllib", when it has none of its own.
    const std::size_t dot = name.rfind('.');
    name = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
  }
  return nullptr;
}

}  // namespace airlock::vet
