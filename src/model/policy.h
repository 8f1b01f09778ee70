// What code may use, each entry with its reason. The scan, the guest's builtins and the kernel
// rules are all made from one Policy. Built-in policies are policies/*.toml turned into tables at
// build time (model/policy_rows.h); a TOML file of the user's extends one of them
// (engine/policy/policy_file.h).
//
// A Policy is a plain value, read once and then only looked at. Vectors that are marked as sorted
// are searched with binary search, here and in vet/facts/policy_index.h: whoever makes a Policy
// sorts them. Its contents are public: `airlock policy` prints them, a receipt holds their hash.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

struct Permit {
  std::string name;
  std::string why;

  bool operator==(const Permit&) const = default;
};

// Not on the list, and asked for often enough that the message should say why and what to use
// instead.
struct Refusal {
  std::string name;
  std::string why;
  std::string instead;  // may be empty

  bool operator==(const Refusal&) const = default;
};

// Attributes that are allowed for one reason, as the policy file groups them.
struct Group {
  std::vector<std::string> names;  // sorted
  std::string why;

  bool operator==(const Group&) const = default;
};

// A module, or a class whose instances are guarded ("pathlib.Path"): only the listed attributes may
// be read.
struct Surface {
  std::string name;
  std::string why;
  // Sorted; "*" alone stands for every name without a leading underscore.
  std::vector<std::string> attributes;
  std::vector<Refusal> refused;  // sorted by name
  // `attributes` once more with their reasons, for printing; may be empty.
  std::vector<Group> groups = {};

  bool operator==(const Surface&) const = default;
};

// A folder that the code sees: one of the host, to read, or one in memory, to write.
struct Folder {
  std::string place;               // inside
  std::string source;              // on the host; empty: in memory
  std::uint32_t memory_bytes = 0;  // how much the one in memory may hold

  bool is_own() const { return source.empty(); }

  bool operator==(const Folder&) const = default;
};

// Where packages are found besides the host's own folders: site-packages of a virtual environment.
// Python sees it under the same path inside and outside.
struct PackageFolder {
  std::string path = {};    // on the host, without links; empty: there is none
  bool hides_host = false;  // the host's own packages are not there

  bool operator==(const PackageFolder&) const = default;
};

// What a text may have before it is parsed: CPython's parser and compiler recurse, and the vetter
// must not be brought down by depth. Bytes, brackets inside each other, nodes inside each other.
struct VetLimits {
  std::uint32_t source_bytes = 256 * 1024;
  std::uint32_t bracket_depth = 100;
  std::uint32_t tree_depth = 500;

  bool operator==(const VetLimits&) const = default;
};

struct Policy {
  std::string name;
  std::string summary;
  std::vector<Surface> modules;  // importable; sorted by name ("os.path", "re")
  // What `import os.path` binds: os, with the few names to be read through it.
  std::vector<Surface> packages;
  std::vector<Refusal> refused_modules;   // sorted
  std::vector<Surface> classes;           // guarded classes, "module.Class"; sorted
  std::vector<Permit> builtins;           // sorted
  std::vector<Refusal> refused_builtins;  // sorted
  std::vector<Permit> readable_special;   // x.__name__: special attributes that may be read
  // def __init__, __slots__ = …: special names that code may define.
  std::vector<Permit> definable_special;
  // _asdict: attributes with one underscore that are documented API.
  std::vector<Permit> private_names;
  std::vector<Refusal> introspection;  // gi_frame, mro: refused on any object
  // read_text: refused on any object that the code did not define itself.
  std::vector<Refusal> file_operations;
  std::vector<Permit> grants;  // what is opened beyond the lists above; names are those below
  VetLimits limits;
  // Not part of what is allowed: lazy parts (model/lazy_part.h) that nothing will ask for.
  std::vector<std::string> parts_left_out = {};
  // Modules that are imported before any cell is made: packages that the policy names or that
  // whoever starts the chamber does; among them kSessionRuntime, for cells that hold sessions, and
  // kNodeRuntime, for those of code nodes.
  std::vector<std::string> preloaded = {};
  PackageFolder package_folder = {};
  // Nor are these: the folders of one run, where the grants allow any.
  std::vector<Folder> folders = {};

  bool has_grant(std::string_view grant) const {
    return std::ranges::find(grants, grant, &Permit::name) != grants.end();
  }

  bool operator==(const Policy&) const = default;
};

// The names that `grants` may hold; every other one is a mistake in a policy.
// Any import, builtin and attribute: the scan has nothing to refuse, the kernel's walls are all.
inline constexpr std::string_view kAnyPython = "any_python";
// The folders of the installed Python can be read; modules are imported from there.
inline constexpr std::string_view kPythonFolders = "python_folders";
// Shared libraries of the host can be read and loaded: native modules of packages need them.
inline constexpr std::string_view kSharedLibraries = "shared_libraries";
// The host's time zones, and its fonts, can be read.
inline constexpr std::string_view kTimeZones = "time_zones";
inline constexpr std::string_view kFonts = "fonts";
inline constexpr std::string_view kCertificates = "certificates";
// Threads of the same process can be started, a bounded number of them.
inline constexpr std::string_view kThreads = "threads";
// One repository can be read. The code is a probe of it (python/airlock/probe.py).
inline constexpr std::string_view kRepository = "repository";
// Folders of the run's own can be written; they are in memory, and gone with the run.
inline constexpr std::string_view kOwnFolders = "own_folders";

// Not grants but names in `preloaded`: library/airlock_session, which runs pieces, and
// library/airlock_node, which runs code nodes.
inline constexpr std::string_view kSessionRuntime = "airlock_session";
inline constexpr std::string_view kNodeRuntime = "airlock_node";

// The built-in policies, in the order in which to list them.
std::span<const Policy> builtin_policies();

// nullptr when there is none of that name.
const Policy* find_builtin_policy(std::string_view name);

}  // namespace airlock
