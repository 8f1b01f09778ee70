#!/usr/bin/env python3
"""Turns the modules of a package, library/airlock_node/*.py, into C++: compiled, for airlock-host (src/python/compiled_library.h).

    tools/embed_modules.py --table node_modules --modules build/generated/node_library.cc library/airlock_node/*.py

It must be run by the interpreter that the host is linked with: compiled code is of one version.
"""
import argparse
import ast
import marshal
import os
import pathlib
import sys


def imports_of(package, text):
    """The modules of the package that are loaded with this one."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.ImportFrom) and statement.module == package:
            yield from (one.name for one in statement.names)
        elif isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(package + "."):
            yield statement.module.partition(".")[2]


def in_order(package, texts):
    """Each after those that it imports."""
    done = ["__init__"]

    def add(name):
        if name in done:
            return
        for needed in imports_of(package, texts[name]):
            add(needed)
        done.append(name)
    for name in sorted(texts):
        add(name)
    return done


def module_name(package, stem):
    return package if stem == "__init__" else f"{package}.{stem}"


def quoted(data):
    """Bytes as a C++ literal, in lines."""
    out = "".join(f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b'"\\?' else chr(byte) for byte in data)
    lines, at = [], 0
    while at < len(out):
        end = min(at + 160, len(out))
        while end < len(out) and "\\" in out[end - 4:end]:  # not inside of an escape
            end += 1
        lines.append(f'     "{out[at:end]}"')
        at = end
    return "\n".join(lines) or '     ""'


def modules_file(package, table, texts, order):
    rows = []
    for stem in order:
        name = module_name(package, stem)
        compiled = marshal.dumps(compile(texts[stem], f"<{name}>", "exec", dont_inherit=True, optimize=0))
        rows.append(f'    {{"{name}", {len(compiled)},\n{quoted(compiled)}}},')
    return ('#include "python/compiled_library.h"\n\nnamespace airlock::python {\n\nnamespace {\n\nconstexpr CompiledModule kModules[] = {\n'
            + "\n".join(rows) + "\n};\n\n}  // namespace\n\nstd::span<const CompiledModule> " + table + "() {\n  return kModules;\n}\n\n"
            "}  // namespace airlock::python\n")


def write(path, package, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(f"// Made from library/{package}/*.py by tools/embed_modules.py when the program is built. Edit the Python.\n" + text, encoding="utf-8")
    os.replace(new, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", required=True, type=pathlib.Path)
    parser.add_argument("--table", required=True, help="the name of the function that gives the modules")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    texts = {path.stem: path.read_text(encoding="utf-8") for path in arguments.files}
    package = arguments.files[0].parent.name
    order = in_order(package, texts)
    write(arguments.modules, package, modules_file(package, arguments.table, texts, order))
    return 0


if __name__ == "__main__":
    sys.exit(main())
