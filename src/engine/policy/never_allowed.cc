#include "engine/policy/never_allowed.h"

#include <algorithm>
#include <array>

namespace airlock {

namespace {

constexpr std::string_view kRunsText = "it runs text as code, which no scan can judge";
constexpr std::string_view kImports = "it imports any module by name";
constexpr std::string_view kNamespaces = "it gives out namespaces, where everything can be found";
constexpr std::string_view kSystem = "it holds every other module and the interpreter itself";
constexpr std::string_view kMachine = "it gives out files, programs and the environment";
constexpr std::string_view kPrograms = "it starts programs";
constexpr std::string_view kMemory = "it reads and writes the memory of the process";
constexpr std::string_view kUnpickles = "it makes any object and calls any function from bytes";
constexpr std::string_view kLooksInside = "it reaches every object in the process";
constexpr std::string_view kOpensFiles = "it opens files";
constexpr std::string_view kComputedNames = "it reads attributes by computed names";
constexpr std::string_view kGone = "it is not a builtin of Python 3";

constexpr std::array kBuiltins = std::to_array<Never>({
    {"exec", kRunsText},       {"eval", kRunsText},      {"compile", kRunsText},
    {"breakpoint", kRunsText}, {"__import__", kImports}, {"help", kImports},
    {"open", kOpensFiles},     {"license", kOpensFiles}, {"globals", kNamespaces},
    {"locals", kNamespaces},   {"vars", kNamespaces},    {"apply", kGone},
    {"basestring", kGone},     {"buffer", kGone},        {"execfile", kGone},
    {"file", kGone},           {"long", kGone},          {"raw_input", kGone},
    {"reduce", kGone},         {"reload", kGone},        {"unichr", kGone},
    {"unicode", kGone},        {"xrange", kGone},
});

constexpr std::array kModules = std::to_array<Never>({
    {"os", kMachine},
    {"posix", kMachine},
    {"nt", kMachine},
    {"sys", kSystem},
    {"builtins", kSystem},
    {"__main__", kSystem},
    {"io", kOpensFiles},
    {"_io", kOpensFiles},
    {"_pyio", kOpensFiles},
    {"importlib", kImports},
    {"imp", kImports},
    {"_imp", kImports},
    {"_frozen_importlib", kImports},
    {"_frozen_importlib_external", kImports},
    {"pkgutil", kImports},
    {"runpy", kImports},
    {"zipimport", kImports},
    {"pydoc", kImports},
    {"code", kRunsText},
    {"codeop", kRunsText},
    {"timeit", kRunsText},
    {"pdb", kRunsText},
    {"bdb", kRunsText},
    {"doctest", kRunsText},
    {"types", "it makes functions from code objects"},
    {"ctypes", kMemory},
    {"_ctypes", kMemory},
    {"cffi", kMemory},
    {"pickle", kUnpickles},
    {"_pickle", kUnpickles},
    {"marshal", kUnpickles},
    {"shelve", kUnpickles},
    {"dill", kUnpickles},
    {"gc", kLooksInside},
    {"inspect", kLooksInside},
    {"subprocess", kPrograms},
    {"_posixsubprocess", kPrograms},
    {"multiprocessing", kPrograms},
    {"pty", kPrograms},
});

constexpr std::array kAttributes = std::to_array<Never>({
    {"dataclasses.make_dataclass", kRunsText},
    {"operator.attrgetter", kComputedNames},
    {"operator.methodcaller", kComputedNames},
    {"string.Formatter", kComputedNames},
    {"typing.ForwardRef", kRunsText},
    {"typing.get_type_hints", kRunsText},
});

constexpr std::array kInside = std::to_array<std::string_view>({
    "abc",       "binascii",  "bltns",     "builtins",    "codecs",     "collections", "contextlib",
    "copy",      "copyreg",   "ctypes",    "decoder",     "encoder",    "enum",        "errno",
    "fnmatch",   "functools", "gc",        "genericpath", "importlib",  "inspect",     "io",
    "ipaddress", "itertools", "keyword",   "linecache",   "ntpath",     "operator",    "os",
    "pickle",    "platform",  "posix",     "posixpath",   "re",         "scanner",     "shutil",
    "socket",    "stat",      "stdlib_re", "struct",      "subprocess", "sys",         "threading",
    "tokenize",  "traceback", "types",     "unicodedata", "warnings",
});

const Never* find(std::span<const Never> rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Never::name);
  return found == rows.end() ? nullptr : &*found;
}

// Every other special name belongs to the interpreter: none of them is needed by name.
constexpr Never kSpecial = {"__*__", "special names belong to the interpreter"};

}  // namespace

const Never* never_builtin(std::string_view name) {
  if (const Never* never = find(kBuiltins, name)) return never;
  // These three are plain values that code may read.
  const bool is_harmless = name == "__name__" || name == "__doc__" || name == "__debug__";
  return name.starts_with("__") && !is_harmless ? &kSpecial : nullptr;
}

const Never* never_module(std::string_view name) {
  return name == "os.path" ? nullptr : find(kModules, name.substr(0, name.find('.')));
}

const Never* never_attribute(std::string_view module, std::string_view name) {
  const auto is_it = [&](const Never& row) {
    return row.name.size() == module.size() + 1 + name.size() && row.name.starts_with(module) &&
           row.name[module.size()] == '.' && row.name.ends_with(name);
  };
  const auto found = std::ranges::find_if(kAttributes, is_it);
  return found == kAttributes.end() ? nullptr : &*found;
}

std::span<const Never> never_attributes() {
  return kAttributes;
}

std::span<const std::string_view> modules_inside() {
  return kInside;
}

bool is_module_inside(std::string_view module, std::string_view name) {
  const bool is_its_own = module.substr(module.rfind('.') + 1) == name;
  const bool is_listed_submodule = module == "collections" && name == "abc";
  return !is_its_own && !is_listed_submodule && std::ranges::find(kInside, name) != kInside.end();
}

}  // namespace airlock
