#!/usr/bin/env python3
"""Checks that what stands in one place stands nowhere else, and that the documents for contributors name what is there.

    tools/check_tables.py [--root DIR]     exit 1 and one line per violation
    tools/check_tables.py --self-test      plants violations in a copy and expects each to be found

A provider of models is named in src/llm/providers alone, a wall in src/jail/walls.cc alone: whoever else needs one asks the table or says
the enumerator. Unit tests may say what users see. In CONTRIBUTING.md each recipe ("### Add …") has a table whose first column is the files
to touch; NAME in a path stands for any name. Tests that a recipe names have to exist, and a recipe has no more files than was promised.
Every --gtest_filter there and in tests/README.md fits a suite. Classes of ASCII bytes are those of src/base/ascii.h.
"""
import pathlib
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import checker  # noqa: E402

ROOT = checker.ROOT
SOURCES = {".cc", ".h", ".c"}
# Comments and text. Text first: two slashes in an address are no comment.
TOKEN = re.compile(r'"((?:[^"\\\n]|\\.)*)"|//[^\n]*|/\*.*?\*/', re.DOTALL)
PROVIDERS, WALLS = "src/llm/providers", "src/jail/walls.cc"
PROVIDER_ROW = re.compile(r'const Provider providers::(k\w+) = \{\s*\.name = "(\w+)".*?\.key_variable = "(\w*)"', re.DOTALL)
WALL_ROW = re.compile(r'Wall\{\s*WallId::k\w+,\s*"([a-z-]+)"')
# Where a wall of one word ("limits") can be meant; elsewhere the word has other meanings.
WALL_ROOMS = ("src/jail/", "src/guest/", "src/run/", "src/engine/doctor/")
# The words that paths are made of: no provider is meant there.
VOCABULARY = "src/rules/"
# A shell command in an example is no provider of ours.
EXAMPLE = re.compile(r"\bollama run MODEL\b")

# {recipe: the most files that it may name}
RECIPES = {"a vet rule": 5, "a command": 6, "a provider of models": 4, "a wall": 6}
RECIPE = re.compile(r"^### Add ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
DOCUMENTS = ("CONTRIBUTING.md", "tests/README.md")
IN_QUOTES = re.compile(r"`([^`]+)`")
FILTER = re.compile(r"--gtest_filter='?(\w+)")
SUITE = re.compile(r"^TEST(?:_F|_P)?\((\w+),", re.MULTILINE)

ASCII = "src/base/ascii.h"
# c >= 'a' && …, and what depends on the locale.
HAND_WRITTEN = re.compile(r"[<>]=?\s*'[azAZ09fF]'|<cctype>|\b(?:std::)?(?:is(?:alpha|alnum|digit|xdigit|lower|upper|space)|to(?:lower|upper))\(")


def literals(text):
    """(line, content) of every string literal outside of comments."""
    for match in TOKEN.finditer(text):
        if match[1] is not None:
            yield text.count("\n", 0, match.start()) + 1, match[1]


def provider_rows(root):
    for path in sorted((root / PROVIDERS).glob("*.cc")):
        for match in PROVIDER_ROW.finditer(path.read_text(encoding="utf-8")):
            yield path, match[1], match[2], match[3]


def named_elsewhere(root):
    providers = [name for _, _, name, _ in provider_rows(root)]
    walls = WALL_ROW.findall((root / WALLS).read_text(encoding="utf-8"))
    if len(providers) < 3 or len(walls) < 15:
        yield f"{PROVIDERS}, {WALLS}: the tables were not understood; the check looked at nothing"
        return
    provider = re.compile(rf"\b({'|'.join(providers)})\b", re.IGNORECASE)
    wall = re.compile(rf"(?<![\w-])({'|'.join(name for name in walls if '-' in name)})(?![\w-])")
    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in SOURCES and not p.stem.endswith("_test")):
        file = path.relative_to(root).as_posix()
        for line, text in literals(path.read_text(encoding="utf-8")):
            found = None if file.startswith((PROVIDERS + "/", VOCABULARY)) else provider.search(EXAMPLE.sub("", text))
            if found:
                yield f"{file}:{line}: names the provider '{found[1]}': ask the table in {PROVIDERS}"
            if file == WALLS:
                continue
            found = wall.search(text)
            name = found[1] if found else text if text in walls and file.startswith(WALL_ROOMS) else None
            if name:
                yield f"{file}:{line}: names the wall '{name}': say its WallId (src/jail/walls.h)"


def unlisted_providers(root):
    header = (root / PROVIDERS / "providers.h").read_text(encoding="utf-8")
    listed = re.search(r"kAll = \{([^}]*)\}", header)[1]
    document = (root / "docs/models.md").read_text(encoding="utf-8")
    for path, row, name, variable in provider_rows(root):
        if not re.search(rf"&{row}\b", listed):
            yield f"{path.relative_to(root).as_posix()}: {row} is not in kAll of {PROVIDERS}/providers.h"
        if f"`{name}`" not in document:
            yield f"docs/models.md: the provider `{name}` is not among those that can be set"
        if variable and f"`{variable}`" not in document:
            yield f"docs/models.md: {variable}, the usual variable of {name}, is not told"


def is_there(root, path):
    return any(root.glob(path.replace("NAME", "*"))) if "NAME" in path else (root / path).exists()


def recipe_troubles(root):
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    recipes = dict(RECIPE.findall(text))
    for name in RECIPES.keys() - recipes.keys():
        yield f"CONTRIBUTING.md: there is no recipe 'Add {name}'"
    for name, body in recipes.items():
        rows = [IN_QUOTES.findall(line.split("|")[1]) for line in body.splitlines() if line.startswith("| `")]
        files = [path for row in rows for path in row]
        most = RECIPES.get(name)
        if most is None:
            yield f"CONTRIBUTING.md: Add {name}: a recipe that tools/check_tables.py does not know"
        elif not 0 < len(files) <= most:
            yield f"CONTRIBUTING.md: Add {name}: {len(files)} files, where 1 to {most} were promised"
        mentioned = files + re.findall(r"\b(?:tests|docs|tools)/[\w/]+\.(?:py|md)", body)
        for path in dict.fromkeys(mentioned):
            if not is_there(root, path):
                yield f"CONTRIBUTING.md: Add {name}: there is no {path}"


def filters_without_suite(root):
    suites = {suite for path in (root / "src").rglob("*_test.cc") for suite in SUITE.findall(path.read_text(encoding="utf-8"))}
    for document in DOCUMENTS:
        for number, line in enumerate((root / document).read_text(encoding="utf-8").splitlines(), 1):
            for suite in FILTER.findall(line):
                if suite not in suites:
                    yield f"{document}:{number}: there is no unit test {suite}"


def hand_written_ascii(root):
    for path in sorted(p for p in (root / "src").rglob("*") if p.suffix in SOURCES):
        file = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if file != ASCII and HAND_WRITTEN.search(line.split("//")[0]):
                yield f"{file}:{number}: a class of ASCII bytes written by hand: {ASCII} has them"


def violations(root):
    yield from named_elsewhere(root)
    yield from unlisted_providers(root)
    yield from recipe_troubles(root)
    yield from filters_without_suite(root)
    yield from hand_written_ascii(root)


PLANTED = [
    ("src/engine/planted.cc", 'bool a = name == "openai";\n', "names the provider 'openai'"),
    ("src/present/cli/planted.cc", 'auto a = "https://api.anthropic.com";  // b\n', "names the provider 'anthropic'"),
    ("src/run/planted.h", 'auto a = "raise the wall empty-root";\n', "names the wall 'empty-root'"),
    ("src/guest/planted.cc", 'walls.emplace_back("limits");\n', "names the wall 'limits'"),
    (PROVIDERS + "/planted.cc", 'constinit const Provider providers::kNew = {\n    .name = "newcomer",\n    .key_variable = "NEW_KEY",\n',
     "kNew is not in kAll"),
    (PROVIDERS + "/planted.cc", None, "the provider `newcomer` is not among"),
    (PROVIDERS + "/planted.cc", None, "NEW_KEY, the usual variable of newcomer"),
    ("CONTRIBUTING.md", "\n### Add a wing\n\n| file | what |\n|---|---|\n| `src/wings/NAME.cc` | all |\n\n"
     "    build/core_tests --gtest_filter='Wings.*'\n    python3 tests/wings_test.py\n", "there is no src/wings/NAME.cc"),
    ("CONTRIBUTING.md", None, "there is no unit test Wings"),
    ("CONTRIBUTING.md", None, "there is no tests/wings_test.py"),
    ("tests/README.md", "build/core_tests --gtest_filter='Windows.*'\n", "there is no unit test Windows"),
    ("src/model/planted.cc", "bool a = c >= 'a' && c <= 'z';\n", "src/model/planted.cc:1: a class of ASCII bytes"),
    ("src/wire/planted_test.cc", "auto a = std::tolower(c);\n", "src/wire/planted_test.cc:1: a class of ASCII bytes"),
    ("CONTRIBUTING.md", None, "a recipe that tools/check_tables.py does not know"),
]
HONEST = {
    "src/present/cli/honest.cc": '// as openai does\nauto a = "  ollama run MODEL | airlock";\nauto b = "limits";\nauto c = "openai_key";\nbool d = is_lower(c);  // c >= \'a\'\n',
    "src/rules/infer/honest.cc": 'auto a = " gateway openai server ";\n',
    "src/run/honest_test.cc": 'EXPECT_EQ(name, "empty-root");\n',
}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for part in ("src", "docs", "tests", "tools"):
            shutil.copytree(ROOT / part, root / part)
        shutil.copy(ROOT / "CONTRIBUTING.md", root)
        before = set(violations(root))
        for file, text in [*HONEST.items(), *((file, text) for file, text, _ in PLANTED if text)]:
            with (root / file).open("a", encoding="utf-8") as out:
                out.write(text)
        found = set(violations(root)) - before
    missed = [words for file, _, words in PLANTED if not any(words in line for line in found)]
    wrong = [line for line in found if any(line.startswith(file) for file in HONEST)]
    return checker.report_self_test("check_tables", missed, wrong)


if __name__ == "__main__":
    sys.exit(checker.main(__doc__, violations, self_test))
