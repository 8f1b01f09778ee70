// What no policy file may allow, because one such entry would make the scan pointless. A file may
// widen the scan otherwise; the kernel's walls stay where they are either way.
#pragma once

#include <span>
#include <string_view>

namespace airlock {

// A name, or "module.attribute".
struct Never {
  std::string_view name;
  std::string_view why;  // continues "… can never be allowed: "
};

// nullptr: it may be allowed. A module stands for its submodules too; os.path is the one exception.
const Never* never_builtin(std::string_view name);
const Never* never_module(std::string_view name);
const Never* never_attribute(std::string_view module, std::string_view name);

// Of this module, as "operator.attrgetter".
std::span<const Never> never_attributes();

// Names under which modules of the standard library hold other modules (csv.re, uuid.os). Once a
// module is read as a value, it cannot be told which of its attributes are used.
std::span<const std::string_view> modules_inside();

// csv.re is; glob.glob and collections.abc are not.
bool is_module_inside(std::string_view module, std::string_view name);

}  // namespace airlock
