#!/usr/bin/env python3
"""Turns library/airlock/*.py and python/airlock/probe.py into the C++ table behind library_modules() (src/python/library.h).

    tools/embed_library.py --output build/generated/library.cc library/airlock/*.py python/airlock/probe.py
"""
import argparse
import ast
import pathlib
import sys

from generated_source import quote, replace_file


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
    replace_file(arguments.output, "// Made from library/airlock/*.py and python/airlock/probe.py by tools/embed_library.py when the program is built. Edit the Python.\n"
                 '#include "python/library.h"\n\nnamespace airlock::python {\n\nnamespace {\n\n'
                 "constexpr LibraryModule kModules[] = {\n" + "\n".join(rows) + "\n};\n\n}  // namespace\n\n"
                 "std::span<const LibraryModule> library_modules() {\n  return kModules;\n}\n\n}  // namespace airlock::python\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
