// A policy made ready for looking up identifiers of the tree. CPython interns identifiers, so a
// name is its pointer: all names of the policy are interned once, kept alive here, and found again
// by address. Names that the policy does not mention have no facts.
//
// Interned means: CPython keeps one object for each such text, so two equal names are the same
// object. The references are never given back; a vetter process serves one policy for its life.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/policy.h"
#include "python/tree.h"

namespace airlock::vet {

// What the policy says about one identifier, wherever it may appear. Pointers into the Policy; null
// where it says nothing.
struct NameFacts {
  const Permit* builtin = nullptr;
  const Refusal* refused_builtin = nullptr;
  const Permit* readable_special = nullptr;
  const Permit* definable_special = nullptr;
  const Permit* private_name = nullptr;
  const Refusal* introspection = nullptr;
  const Refusal* file_operation = nullptr;
  bool is_interpreter_builtin = false;  // a builtin of this CPython, allowed or not
};

class SurfaceIndex {
 public:
  explicit SurfaceIndex(const Surface& surface);

  const Surface& surface() const { return *surface_; }
  // `attribute` must be interned, as every identifier of a tree is.
  bool allows(PyObject* attribute) const;
  const Refusal* refusal(PyObject* attribute) const;

 private:
  const Surface* surface_;
  bool any_public_ = false;
  std::vector<PyObject*> allowed_;  // sorted by address
  std::vector<std::pair<PyObject*, const Refusal*>> refused_;
};

class PolicyIndex {
 public:
  explicit PolicyIndex(const Policy& policy);
  ~PolicyIndex() = default;
  PolicyIndex(const PolicyIndex&) = delete;
  PolicyIndex& operator=(const PolicyIndex&) = delete;

  const Policy& policy() const { return *policy_; }
  const NameFacts& facts(PyObject* name) const;

  const SurfaceIndex* module(std::string_view name) const;
  const SurfaceIndex* package(std::string_view name) const;
  // "pathlib" and "Path" → the surface of pathlib.Path, when instances of that class are guarded.
  const SurfaceIndex* guarded_class(std::string_view module, std::string_view name) const;
  // All guarded classes share one list of what may be read in every one of them.
  bool any_guarded_class_refuses(PyObject* attribute) const;
  std::span<const SurfaceIndex> guarded_classes() const { return classes_; }

  // The refusal of the module or of the nearest parent package that has one.
  const Refusal* refused_module(std::string_view name) const;

 private:
  NameFacts& facts_of(const std::string& name);

  const Policy* policy_;
  NameFacts nothing_;
  std::unordered_map<PyObject*, NameFacts> facts_;
  std::unordered_map<std::string_view, SurfaceIndex> modules_;
  std::unordered_map<std::string_view, SurfaceIndex> packages_;
  std::vector<SurfaceIndex> classes_;
};

// __name__: two underscores on either side and something between.
bool is_special(std::string_view name);

}  // namespace airlock::vet
