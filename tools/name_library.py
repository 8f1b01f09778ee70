#!/usr/bin/env python3
"""Writes down the names of the standard library that airlock-host carries: its modules, and the public names in each. With them a policy file is
checked when it is read (src/engine/policy/library_names.h), and airlock needs no Python for it.

    tools/name_library.py --table build/generated/library_names.cc

It must be run by the interpreter that the host is linked with. Modules are imported to be looked at: first without what needs other libraries,
which says what loads wherever airlock-host runs, then as they are.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import sysconfig

import _imp

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import freeze_library  # noqa: E402

# Importing these does something.
NEVER_LOADED = {"this", "antigravity", "__main__"}


def library(folder):
    """(modules to name, native modules that are the host's)."""
    names = {name for name, _, _ in freeze_library.library_files(folder)}
    native = list(freeze_library.native_files(folder))
    names |= {name for name, _, _ in native} | set(sys.builtin_module_names)
    # What is left out may be the host's; what belongs to other systems is not there at all.
    names |= set(_imp._frozen_module_names()) | set(sys.stdlib_module_names)
    hosts = {name for name, _, libraries in native if libraries}
    return sorted(filter(is_named, names)), hosts


def is_named(name):
    is_skipped = NEVER_LOADED & set(name.split(".")) or name.startswith(("__hello", "__phello"))
    return not is_skipped and importlib.util.find_spec(name.partition(".")[0]) is not None


# A fresh interpreter: what this one has imported must not count. A module may print, warn or exit; it is only looked at.
LOOK = """
import importlib, json, os, sys
names, blocked = json.load(sys.stdin)
out = os.fdopen(os.dup(1), 'w')
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
sys.modules.update(dict.fromkeys(blocked))
found = {}
for name in names:
    try:
        found[name] = [one for one in dir(importlib.import_module(name)) if one.isascii() and not one.startswith('_')]
    except (Exception, SystemExit):
        pass
# os.path and the like: modules inside others that have no file.
for name, module in list(sys.modules.items()):
    if '.' in name and name not in found and module is not None and name.rpartition('.')[0] in found:
        found[name] = [one for one in dir(module) if one.isascii() and not one.startswith('_')]
json.dump(found, out)
out.flush()
os._exit(0)
"""


def look(names, blocked):
    """The public names of each module that can be imported without those that are blocked."""
    done = subprocess.run([sys.executable, "-S", "-W", "ignore", "-c", LOOK], input=json.dumps([names, sorted(blocked)]), stdout=subprocess.PIPE,
                          text=True, check=True)
    return json.loads(done.stdout)


def public_names(names):
    found = look(names, [])
    names = sorted(set(names) | set(found))
    for name in names:
        package, _, inner = name.rpartition(".")
        if package in found:
            found[package].append(inner)
    return {name: sorted(set(found.get(name, []))) for name in names}


TABLE = """// Made from {folder} by tools/name_library.py when the program is built.
#include "engine/policy/library_names.h"

namespace airlock {{

namespace {{

constexpr LibraryModule kModules[] = {{
{rows}
}};

}}  // namespace

std::span<const LibraryModule> library_modules() {{ return kModules; }}
std::string_view library_version() {{ return "{version}"; }}

}}  // namespace airlock
"""


def row(name, is_carried, names):
    # A literal may have 65536 bytes at most.
    pieces = [" ".join(names[at:at + 40]) for at in range(0, len(names), 40)]
    text = "\n     ".join(f'"{piece} "' for piece in pieces) or '""'
    return f'    {{"{name}", {"true" if is_carried else "false"},\n     {text}}},'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--table", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    names, hosts = library(folder)
    left_out = freeze_library.reasons(freeze_library.LEFT_OUT | freeze_library.NATIVE_LEFT_OUT)
    everywhere = look(names, hosts | set(left_out))
    listed = public_names(names)
    rows = "\n".join(row(name, name in everywhere, names_in_it) for name, names_in_it in listed.items())
    version = ".".join(map(str, sys.version_info[:3]))
    freeze_library.write(arguments.table, TABLE.format(folder=folder, rows=rows, version=version).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
