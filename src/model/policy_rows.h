// The built-in policies as constants that the compiler only lays down. The rows are written by
// mains/embed_policies.cc from policies/*.toml when Airlock is built; builtin_policies.cc makes a
// Policy of each at the first question.
#pragma once

#include <span>

#include "model/policy.h"

namespace airlock {

using NameRows = std::span<const char* const>;

struct EntryRow {  // a Permit, or a Refusal
  const char* name;
  const char* why;
  const char* instead;
};

struct GroupRow {
  NameRows names;
  const char* why;
};

struct SurfaceRow {
  const char* name;
  const char* why;
  NameRows attributes;
  std::span<const EntryRow> refused;
  std::span<const GroupRow> groups;
};

struct PolicyRow {  // the fields of Policy, in its order
  const char* name;
  const char* summary;
  std::span<const SurfaceRow> modules;
  std::span<const SurfaceRow> packages;
  std::span<const EntryRow> refused_modules;
  std::span<const SurfaceRow> classes;
  std::span<const EntryRow> builtins;
  std::span<const EntryRow> refused_builtins;
  std::span<const EntryRow> readable_special;
  std::span<const EntryRow> definable_special;
  std::span<const EntryRow> private_names;
  std::span<const EntryRow> introspection;
  std::span<const EntryRow> file_operations;
  std::span<const EntryRow> grants;
  VetLimits limits;
};

// In the order in which to list them. Defined in the file that the build writes.
std::span<const PolicyRow> policy_rows();

}  // namespace airlock
