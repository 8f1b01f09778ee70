// The names of the standard library that airlock-host carries: what a policy file may list is known
// when the file is read, without any Python. tools/name_library.py writes the table when Airlock is
// built, from the interpreter that the host is linked with.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/policy.h"

namespace airlock {

struct LibraryModule {
  std::string_view name;
  // It loads wherever airlock-host runs. The others need a library of the host's, or a part of
  // Python that is not carried: only loading tells.
  bool is_carried;
  // Its public names, a blank behind each; none when it could not be loaded where Airlock was
  // built.
  std::string_view attributes;

  bool has_attribute(std::string_view attribute) const;
};

// Sorted by name.
std::span<const LibraryModule> library_modules();
// Of the Python that airlock-host is made of: "3.11.2".
std::string_view library_version();

// nullptr when there is none of that name.
const LibraryModule* find_library_module(std::string_view name);

// Whether a policy that lists it, or the policy as a whole, is in order without loading anything.
bool is_sure_to_load(std::string_view module);
bool is_sure_to_load(const Policy& policy);

// "; did you mean 'datetime'?", of modules or of a module's attributes; empty when nothing is near.
std::string did_you_mean_module(std::string_view name);
std::string did_you_mean_attribute(const LibraryModule& module, std::string_view attribute);

}  // namespace airlock
