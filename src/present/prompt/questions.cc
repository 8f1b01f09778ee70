#include "present/prompt/questions.h"

#include <algorithm>

#include "base/ascii.h"

namespace airlock::prompt {

namespace {

// Both run among names of their own: `here` are those of the session.
constexpr std::string_view kNames = R"python(
def short(value):
    kind = type(value)
    if kind in (str, bytes):
        return f"{kind.__name__}  {value[:60]!r}" + (f"… ({len(value)})" if len(value) > 60 else "")
    if kind in (bool, float, complex) or kind is int and value.bit_length() < 256:
        return f"{kind.__name__}  {value!r}"
    if kind in (list, tuple, dict, set, frozenset):
        return f"{kind.__name__}  of {len(value)}"
    return kind.__name__

def files():
    import os
    for folder, _, names in os.walk("/out"):
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield path, os.lstat(path).st_size

def tell(here):
    names = sorted(name for name in list(here) if isinstance(name, str) and not name.startswith("__"))
    print("names: none" if not names else "names:")
    width = min(max(map(len, names), default=0), 24)
    for name in names[:100]:
        print(f"  {name:{width}}  {short(here[name])}")
    if len(names) > 100:
        print(f"  and {len(names) - 100} more")
    for number, (path, size) in enumerate(files()):
        if number == 50:
            print("  and more")
            break
        print(f"{path}  {size} bytes")

tell(here)
)python";

constexpr std::string_view kHelp = R"python(
def tell(name, here):
    import builtins, inspect
    parts = name.split(".")
    if parts[0] not in here and not hasattr(builtins, parts[0]):
        return print(f"there is no {parts[0]}")
    value = here[parts[0]] if parts[0] in here else getattr(builtins, parts[0])
    for part in parts[1:]:
        if not hasattr(value, part):
            return print(f"{name}: there is no {part}")
        value = getattr(value, part)
    kind = type(value).__name__
    if not (callable(value) or inspect.ismodule(value)):
        text = repr(value)
        return print(f"{name}  {kind}\n{text[:2000]}" + ("…" if len(text) > 2000 else ""))
    try:
        print(f"{name}{inspect.signature(value)}  {kind}")
    except (TypeError, ValueError):
        print(f"{name}  {kind}")
    print(inspect.getdoc(value) or "It has no documentation.")

tell(name, here)
)python";

// One expression: it binds nothing.
std::string aside(std::string_view code, std::string_view name) {
  return "__import__('builtins').exec(r'''" + std::string(code) +
         "''', {'here': globals(), 'name': '" + std::string(name) + "'})";
}

}  // namespace

std::optional<std::string_view> asked_name(std::string_view line) {
  while (line.ends_with(' ')) line.remove_suffix(1);
  if (!line.ends_with('?')) return std::nullopt;
  line.remove_suffix(1);
  const bool is_name = std::ranges::all_of(
      line, [](char byte) { return is_name_byte(byte) || !is_ascii(byte) || byte == '.'; });
  if (line.empty() || !is_name || is_digit(line.front()) || line.front() == '.' ||
      line.back() == '.')
    return std::nullopt;
  return line;
}

std::string code_that_lists_names() {
  return aside(kNames, "");
}

std::string code_that_explains(std::string_view name) {
  return aside(kHelp, name);
}

}  // namespace airlock::prompt
