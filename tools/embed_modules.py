#!/usr/bin/env python3
"""Turns the modules of a package, library/airlock_node/*.py, into C++: compiled, for airlock-host (src/python/compiled_library.h), and, where
--program asks for it, as the text of one program for a cell (src/flow/sandboxed_node.h).

    tools/embed_modules.py --table node_modules --modules build/generated/node_library.cc --program build/generated/node_program.cc library/airlock_node/*.py

It must be run by the interpreter that the host is linked with: compiled code is of one version.
"""
import argparse
import ast
import marshal
import os
import pathlib
import sys

# What only the node host needs: the streams, the store and the process belong to it. A cell has its walls for that.
NOT_IN_A_CELL = {"host", "capture", "tidy", "showing"}


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


def program_file(package, texts, order):
    sources = [(module_name(package, stem), texts[stem]) for stem in order if stem not in NOT_IN_A_CELL]
    program = ("import sys\nimport types\n\n" + f"SOURCES = {ascii(sources)}\n\n"
               "for name, text in SOURCES:\n    module = types.ModuleType(name)\n    module.__path__ = []\n    sys.modules[name] = module\n"
               "    exec(compile(text, f'<{name}>', 'exec'), module.__dict__)\n"
               "    package, _, last = name.rpartition('.')\n    if package:\n        setattr(sys.modules[package], last, module)\n\n\n"
               "def extract(path: str) -> dict:\n    return sys.modules['airlock_node.cell'].answer(path)\n")
    return ('#include "flow/sandboxed_node.h"\n\nnamespace airlock::flow {\n\nstd::string_view node_program() {\n  return {\n'
            + quoted(program.encode()) + f",\n      {len(program.encode())}}};\n}}\n\n}}  // namespace airlock::flow\n")


def write(path, package, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(f"// Made from library/{package}/*.py by tools/embed_modules.py when the program is built. Edit the Python.\n" + text, encoding="utf-8")
    os.replace(new, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--modules", required=True, type=pathlib.Path)
    parser.add_argument("--table", required=True, help="the name of the function that gives the modules")
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    texts = {path.stem: path.read_text(encoding="utf-8") for path in arguments.files}
    package = arguments.files[0].parent.name
    order = in_order(package, texts)
    write(arguments.modules, package, modules_file(package, arguments.table, texts, order))
    if arguments.program:
        write(arguments.program, package, program_file(package, texts, order))
    return 0


if __name__ == "__main__":
    sys.exit(main())
