#!/usr/bin/env python3
"""Turns library/airlock/*.py and python/airlock/probe.py into the C++ table behind library_modules() (src/python/library.h).

    tools/embed_library.py --output build/generated/library.cc library/airlock/*.py python/airlock/probe.py
"""
import argparse
import ast
import os
import pathlib
import sys


def quote(text):
    """A C++ literal, a line of it for each line of the text."""
    lines = []
    for line in text.splitlines():
        out = "".join("\\" + char if char in '"\\' else char if " " <= char <= "~" else
                      "".join(f"\\{byte:03o}" for byte in char.encode()) for char in line)
        lines.append(f'     "{out}\\n"')
    return "\n".join(lines) or '     ""'


def name_of(path):
    return "airlock" if path.stem == "__init__" else f"airlock.{path.stem}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    rows = []
    # A module comes after those that it imports: the package, the contract, the rest.
    for path in sorted(arguments.files, key=lambda path: (path.stem != "__init__", path.stem.startswith("_"), path.stem)):
        text = path.read_text(encoding="utf-8")
        ast.parse(text, str(path))
        rows.append(f'    {{"{name_of(path)}",\n{quote(text)}}},')
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    new = arguments.output.with_suffix(".new")
    new.write_text("// Made from library/airlock/*.py and python/airlock/probe.py by tools/embed_library.py when the program is built. Edit the Python.\n"
                   '#include "python/library.h"\n\nnamespace airlock::python {\n\nnamespace {\n\n'
                   "constexpr LibraryModule kModules[] = {\n" + "\n".join(rows) + "\n};\n\n}  // namespace\n\n"
                   "std::span<const LibraryModule> library_modules() {\n  return kModules;\n}\n\n}  // namespace airlock::python\n",
                   encoding="utf-8")
    os.replace(new, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
