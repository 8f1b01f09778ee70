#!/usr/bin/env python3
"""Checks every #include in src/ against the two tables in ARCHITECTURE.md, so that the document is the rule.

    tools/check_layers.py [--root DIR]     exit 1 and one line per violation
    tools/check_layers.py --self-test      plants violations in a copy of the rules and expects each to be found

The first table has the columns `folder`, `holds`, `may include`: which folders of src/ a folder may include besides
itself; "everything" and "nothing" are understood, and a folder that stands for all of its rooms (`engine`) may be named where it
is allowed whole. A unit test may also use the other rooms of its folder. The second has `foreign header`, `home`, `for`: the only folders in which a
header of somebody else's may appear. A pattern in it may end in `*`. And no two headers may define a type of one name.
"""
import fnmatch
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import checker  # noqa: E402

ROOT = checker.ROOT
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)
NAME = re.compile(r"`([^`]+)`")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
# A definition at the beginning of a line: declarations end in ';', nested types are indented.
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: :[^{;]*)? ?\{", re.MULTILINE)
SOURCES = {".cc", ".h", ".c"}


def rows(markdown, heading):
    """The cells of the table whose header row starts with the cells `heading`; an error when there is no such table."""
    lines = iter(markdown.splitlines())
    for line in lines:
        if [cell.strip() for cell in line.strip().strip("|").split("|")][: len(heading)] == heading:
            break
    else:
        sys.exit(f"check_layers: ARCHITECTURE.md has no table with the columns {', '.join(heading)}")
    next(lines, "")  # the row of dashes
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip().strip("|").split("|")]


class Rules:
    def __init__(self, markdown):
        self.may_include, self.homes = {}, {}
        for folder, _, allowed in rows(markdown, ["folder", "holds", "may include"]):
            self.may_include[NAME.search(folder)[1]] = None if allowed == "everything" else set(NAME.findall(allowed))
        for allowed in self.may_include.values():
            self.add_rooms(allowed or set())
        for header, home, *_ in rows(markdown, ["foreign header", "home"]):
            for pattern in NAME.findall(header):
                self.homes[pattern] = self.add_rooms(set(NAME.findall(home)))
        for folder, allowed in self.may_include.items():
            for name in (allowed or set()) - self.may_include.keys():
                sys.exit(f"check_layers: the row of `{folder}` names `{name}`, which has no row of its own")

    def add_rooms(self, folders):
        """A folder that is named whole stands for each of its rooms: `engine` for `engine/policy` and the others."""
        for whole in list(folders):
            rooms = {room for room in self.may_include if room.startswith(whole + "/")}
            folders |= rooms
            if rooms and whole not in self.may_include:
                folders.discard(whole)
        return folders

    def folder_of(self, path):
        """The longest folder of the table that `path` (relative to src/) lies in, or None."""
        inside = [name for name in self.may_include if path.startswith(name + "/")]
        return max(inside, key=len, default=None)

    def complaint(self, file, quote, header):
        """What is wrong with `file` (relative to src/) including `header`; None when nothing is."""
        folder = self.folder_of(file)
        if folder is None:
            return "lies in a folder that ARCHITECTURE.md does not list"
        for pattern, home in self.homes.items():
            if fnmatch.fnmatchcase(header, pattern):
                return None if folder in home else f"<{header}> belongs only in {', '.join(sorted(home))}"
        target = self.folder_of(header) if quote == '"' else None
        if file.endswith("_test.cc") and target and target.split("/")[0] == folder.split("/")[0]:
            return None  # a test may use its neighbours
        allowed = self.may_include[folder]
        if target in (None, folder) or allowed is None or target in allowed:
            return None
        return f"{folder} may not include {target} (it may include: {', '.join(sorted(allowed)) or 'nothing'})"


def double_names(source):
    """Types of one name in two headers: each file compiles, and the program mixes them up."""
    seen = {}
    for path in sorted(source.rglob("*.h")):
        text = path.read_text(encoding="utf-8")
        space = NAMESPACE.search(text)
        for match in TYPE.finditer(text):
            name = f"{space[1]}::{match[1]}" if space else match[1]
            first = seen.setdefault(name, path)
            if first != path:
                yield f"src/{path.relative_to(source).as_posix()}: {name} is defined in src/{first.relative_to(source).as_posix()} too"


def violations(root):
    rules = Rules((root / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    source = root / "src"
    checked = 0
    for path in sorted(p for p in source.rglob("*") if p.suffix in SOURCES):
        file, text = path.relative_to(source).as_posix(), path.read_text(encoding="utf-8")
        if rules.folder_of(file) is None:
            yield f"src/{file}: lies in a folder that ARCHITECTURE.md does not list"
            continue
        for match in INCLUDE.finditer(text):
            checked += 1
            problem = rules.complaint(file, match[1], match[2])
            if problem:
                yield f"src/{file}:{text.count(chr(10), 0, match.start(2)) + 1}: {problem}"
    yield from double_names(source)
    if not checked:
        yield "no #include found in src/: the check looked at nothing"


# {file: (line in it, words of the complaint that is expected)}
PLANTED = {
    "base/clock.h": ('#include "engine/check/check.h"', "base may not include engine"),
    "text/reader.cc": ('#include "wire/frame.h"', "text may not include wire"),
    "present/cli/show.cc": ('#include "wire/vetter.h"', "present/cli may not include wire"),
    "engine/check/parse.cc": ('  #  include <Python.h>', "<Python.h> belongs only in"),
    "vet/tree.cc": ("#include <internal/pycore_ast.h>", "<internal/pycore_ast.h> belongs only in"),
    "run/cell.cc": ("#include <seccomp.h>", "<seccomp.h> belongs only in"),
    "model/twin.h": ("namespace airlock {\nstruct Twin {", "airlock::Twin is defined in src/base/twin.h too"),
    "helpers/helpers.cc": ("#include <string>", "does not list"),
}
# What must not be complained about.
HONEST = {
    "base/bytes.cc": '#include "base/bytes.h"\n#include <string>\n',
    "mains/airlock.cc": '#include "engine/check/check.h"\n#include "present/cli/program.h"\n',
    "python/tree.cc": "#include <Python.h>\n",
    "base/twin.h": "namespace airlock {\nstruct Twin {\n",
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "ARCHITECTURE.md").write_bytes((ROOT / "ARCHITECTURE.md").read_bytes())
        for file, text in [*HONEST.items(), *((f, line + "\n") for f, (line, _) in PLANTED.items())]:
            path = root / "src" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found = list(violations(root))
    missed = [f for f, (_, words) in PLANTED.items() if not any(f"src/{f}:" in v and words in v for v in found)]
    wrong = [v for v in found if any(f"src/{f}:" in v for f in HONEST)]
    return checker.report_self_test("check_layers", missed, wrong)


if __name__ == "__main__":
    sys.exit(checker.main(__doc__, violations, self_test))
