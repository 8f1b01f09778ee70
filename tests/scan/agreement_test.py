#!/usr/bin/env python3
"""One policy, many walls: the scan, a cell's builtins and modules, and the kernel's filter say the same.

    tests/scan/agreement_test.py [--airlock build/airlock] [TEST…]

What the scan accepts is not denied when it runs; what it refuses is contained with --no-scan: absent in a cell, or of no use there.
"""
import collections
import concurrent.futures
import functools
import importlib
import json
import os
import pathlib
import re
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
CORPUS = ROOT / "tests" / "scan" / "corpus"
SECONDS = 120  # seconds; a safety net against hangs, not a measure of speed
PATHS = ["/data/CLIENT-ABC/2024/Q1/report_20240131_v2.csv", "a"]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import shown_policy  # noqa: E402

HEAD = "def extract(path: str) -> dict:\n"

# Builtins that the scan lets through in some forms only; any other builtin may stand as a value.
FORMS = {
    "delattr": "class Box: pass\n    box = Box()\n    box.size = 1\n    delattr(box, 'size')",
    "getattr": "getattr(path, 'upper')",
    "hasattr": "hasattr(path, 'upper')",
    "setattr": "class Bag: pass\n    bag = Bag()\n    setattr(bag, 'size', 1)",
    "super": "class Thing:\n        def __init__(self):\n            super().__init__()\n    Thing()",
    "type": "type(path)",
}
MODULE_FORMS = {
    "collections.abc": "collections.abc.Mapping",
    "collections.namedtuple": "collections.namedtuple('Pair', 'left right')",
    "dataclasses.dataclass": "@dataclasses.dataclass\n    class Record:\n        left: int",
    "enum.unique": "@enum.unique\n    class Colour(enum.Enum):\n        RED = 1",
    "typing.dataclass_transform": "@typing.dataclass_transform()\n    def record(kind): return kind",
    "typing.final": "@typing.final\n    class Last: pass",
    "typing.no_type_check": "@typing.no_type_check\n    def untyped(x): return x",
    "typing.runtime_checkable": "@typing.runtime_checkable\n    class Named(typing.Protocol):\n        name: str",
    "typing.NamedTuple": "class Pair(typing.NamedTuple):\n        left: int",
    "typing.TypedDict": "class Keys(typing.TypedDict):\n        left: int",
}
# Refused by name, and there all the same, because the interpreter's own statements or modules need them.
THERE = {
    "__build_class__": "the class statement calls it; it makes classes, as the statement does",
    "__import__": "the import statement calls it; it knows the policy's modules and no other",
    "__builtins__": "a dict of the policy's builtins",
    "__annotations__": "a dict of the guest's own",
    "__spec__": "None", "__loader__": "None", "__package__": "None or empty",
}


@functools.cache
def extractor_policy():
    return shown_policy.load("extractor", AIRLOCK)


def faces():
    """Refused, and there as an empty name, because a listed module stands in it or asks for it; with what they hold."""
    return {name: set(surface.attributes) for name, surface in extractor_policy().packages.items()} | {"_strptime": set()}


def programs(name):
    """(name, text) of each program in a corpus that defines extract."""
    parts = (CORPUS / f"{name}.txt").read_text(encoding="utf-8").split("\n#==== ")[1:]
    pairs = [part.partition("\n")[::2] for part in parts]
    return [pair for pair in pairs if re.search(r"^(?:async )?def extract\b", pair[1], re.MULTILINE)]


def use_of(module, name):
    """A statement that names it in a form that the scan can judge: not every class may be kept as a value."""
    is_class = isinstance(getattr(importlib.import_module(module), name), type)
    plain = f"def f(x: {module}.{name}): return x" if is_class else f"{module}.{name}"
    return MODULE_FORMS.get(f"{module}.{name}", plain)


class Case(harness.Case):
    SECONDS = SECONDS

    def setUp(self):
        super().setUp()
        self.canary = self.write("canary", "a canary that sings")
        self.environment["AIRLOCK_CANARY"] = "a canary that sings"

    def validate(self, name, text, *options, paths=PATHS):
        """The exit code and the whole report."""
        file = self.folder / f"{name}.py"
        file.write_text(text + "\n", encoding="utf-8")
        words = ["validate", file.name, "--format", "json", "--timeout", "5", *options]
        for path in paths:
            words += ["--path", path]
        done = self.airlock(*words)
        self.assertIn(done.returncode, (0, 1), f"{name}: {done.stderr.decode()}")
        return done.returncode, json.loads(done.stdout)

    def validate_all(self, pairs, *options, paths=PATHS):
        """(name, exit code, report) for each, two at a time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda pair: self.validate(*pair, *options, paths=paths), pairs))
        return [(name, code, report) for (name, _), (code, report) in zip(pairs, done, strict=True)]

    def results(self, name, text, *options, paths=PATHS):
        """By path; the code got as far as running."""
        _, report = self.validate(name, text, *options, paths=paths)
        self.assertIsNotNone(report["test_results"], f"{name}: {report['retry_context']}")
        return {one["path"]: one for one in report["test_results"]["results"]}


class AcceptedCodeRuns(Case):
    def test_honest_programs_meet_no_wall(self):
        count = 0
        for name, _, report in self.validate_all(programs("honest")):
            with self.subTest(program=name):
                self.assertIsNotNone(report["test_results"], report["retry_context"])
                for one in report["test_results"]["results"]:
                    self.assertNotIn(one["error_type"], ("SandboxViolation", "ImportError", "ModuleNotFoundError",
                                                         "NameError", "AttributeError", "CrashError"), one["error"])
            count += 1
        self.assertGreater(count, 200)
        print(f"\n{count} honest programs ran", flush=True)

    def test_every_name_of_a_listed_module_is_there(self):
        pairs = []
        for module, surface in extractor_policy().modules.items():
            if module == "__future__":  # words for the compiler; the import stands at the top or nowhere
                pairs.append((module, f"from __future__ import annotations\n{HEAD}    return {{'module': {module!r}}}\n"))
                continue
            lines = "".join(f"    {use_of(module, name)}\n" for name in surface.attributes)
            imports = "".join(f"    from {module} import {name} as n{i}\n" for i, name in enumerate(surface.attributes))
            pairs.append((module, f"import {module}\n{HEAD}{lines}{imports}    return {{'module': {module!r}}}\n"))
        for name, code, report in self.validate_all(pairs):
            with self.subTest(module=name):
                self.assertEqual((code, report["retry_context"]), (0, None))
                self.assertEqual(report["test_results"]["results"][0]["result"], {"module": name})
        names = sum(len(surface.attributes) for surface in extractor_policy().modules.values())
        self.assertGreater(names, 300)
        print(f"\n{names} names of {len(pairs)} modules are accepted and there", flush=True)

    def test_every_listed_builtin_is_there(self):
        allowed = extractor_policy().lists["builtins"]
        lines = "".join(f"    {FORMS.get(name, name)}\n" for name in allowed)
        got = self.results("builtins", f"{HEAD}{lines}    return {{'all': True}}\n")
        self.assertEqual(got[PATHS[0]]["result"], {"all": True}, got)
        self.assertGreater(len(allowed), 100)
        print(f"\n{len(allowed)} builtins are accepted and there", flush=True)

    def test_every_listed_attribute_of_a_path_works(self):
        calls = {"joinpath": "('x')", "is_relative_to": "('/data')", "match": "('*.csv')", "relative_to": "('/data')",
                 "with_name": "('x')", "with_stem": "('x')", "with_suffix": "('.x')", "as_posix": "()", "as_uri": "()",
                 "is_absolute": "()", "is_reserved": "()"}
        names = extractor_policy().classes["pathlib.Path"].attributes
        lines = "".join(f"    p.{name}{calls.get(name, '')}\n" for name in names)
        got = self.results("paths", f"from pathlib import Path\n{HEAD}    p = Path(path)\n{lines}    return {{'all': True}}\n",
                           paths=PATHS[:1])
        self.assertEqual(got[PATHS[0]]["result"], {"all": True}, got)

    # With plain values of many kinds, right and wrong: what comes out does not matter here, only that the kernel has nothing to deny.
    # Without the scan, because functions are handed around.
    def test_no_listed_function_needs_a_denied_call(self):
        values = ("()", "('/a/b.c',)", "(b'YWJj',)", "(1,)", "(1.5,)", "('a', 'b')", "(b'a', b'b')", "(1, 2)", "(['b', 'a', 'b'],)",
                  "('%Y %m %d %H %j %a %B %c %x %X %Z %z %s',)", "('2024-01-31', '%Y-%m-%d')", "('31 Jan 2024 UTC', '%d %b %Y %Z')",
                  "((2024, 1, 31, 1, 2, 3, 2, 31, 0),)", "(2024, 1, 31)", "('https://ü.example/ä?x=1#y',)", "('md5', b'x')",
                  "({'a': 1},)", "('[a-z]+', 'abc')", "('a', 'b', 'ascii')", "(str,)", "('N', 'a b')", "(path,)")
        methods = ("most_common", "copy", "isoformat", "timestamp", "astimezone", "ctime", "utcnow", "now", "today", "hexdigest",
                   "timetuple", "substitute", "safe_substitute", "geturl", "elements", "total", "as_uri")
        for module, surface in extractor_policy().modules.items():
            code = (f"import {module}\nVALUES = None\n\n\ndef try_it(function, depth, values):\n    for one in values:\n        try:\n"
                    "            made = function(*one)\n        except Exception:\n            continue\n"
                    "        if depth == 0:\n            continue\n"
                    f"        for name in {methods!r}:\n            if hasattr(made, name):\n"
                    "                try_it(getattr(made, name), 0, values)\n\n\n"
                    f"{HEAD}    values = [{', '.join(values)}]\n    function = getattr({module}, path)\n"
                    "    if callable(function):\n        try_it(function, 1, values)\n    return {}\n")
            got = self.results(f"use_{module}", code, "--no-scan", "--memory", "300", paths=surface.attributes)
            for name, one in got.items():
                with self.subTest(name=f"{module}.{name}"):
                    self.assertNotIn(one["error_type"], ("SandboxViolation", "AttributeError", "CrashError"), one["error"])


class RefusedCodeIsContained(Case):
    def test_modules_that_are_not_listed_cannot_be_imported(self):
        refused = [name for name in extractor_policy().lists["refused_modules"] if name not in extractor_policy().modules]
        code = (f"{HEAD}    try:\n        module = __import__(path)\n    except ImportError as error:\n"
                "        return {'refused': str(error)}\n    return {'got': repr(module)}\n")
        got = self.results("modules", code, "--no-scan", paths=[name for name in refused if name])
        for name, one in got.items():
            with self.subTest(module=name):
                self.assertTrue(one["success"], one)
                if name not in faces():
                    self.assertIn("refused", one["result"])
        self.assertGreater(len(got), 150)
        print(f"\n{len(got)} refused modules cannot be imported, or are empty", flush=True)

    def test_modules_that_only_hold_listed_ones_hold_nothing_else(self):
        for module, held in faces().items():
            names = dir(importlib.import_module(module))
            code = f"import {module} as module\n{HEAD}    return {{'there': hasattr(module, path)}}\n"
            got = self.results(f"face_{module}", code, "--no-scan", paths=names)
            there = {name for name, one in got.items() if one["result"] != {"there": False}}
            self.assertEqual({name for name in there if not name.startswith("__")}, held, module)

    def test_refused_names_of_listed_modules_are_absent(self):
        count = 0
        for module, surface in extractor_policy().modules.items():
            if not surface.refused:
                continue
            code = f"import {module}\n{HEAD}    return {{'there': hasattr({module}, path)}}\n"
            for name, one in self.results(f"face_{module}", code, "--no-scan", paths=list(surface.refused)).items():
                with self.subTest(name=f"{module}.{name}"):
                    self.assertEqual(one["result"], {"there": False}, one["error"])
                count += 1
        self.assertGreater(count, 100)
        print(f"\n{count} refused names of listed modules are absent", flush=True)

    def test_refused_builtins_are_absent_or_of_no_use(self):
        refused = list(extractor_policy().lists["refused_builtins"])
        lines = "".join(f"    if path == {name!r}:\n        return {{'value': {name}}}\n" for name in refused)
        got = self.results("builtins", f"{HEAD}{lines}    return {{}}\n", "--no-scan", paths=refused)
        absent = [name for name, one in got.items() if one["error_type"] == "NameError"]
        self.assertEqual(set(refused) - set(absent) - set(THERE), set(), "there, and not known to be of no use")
        use = (f"{HEAD}    kept = dict(__builtins__)\n    listed = {sorted(extractor_policy().lists['builtins'])!r}\n"
               "    rest = sorted(name for name in kept if name not in listed)\n"
               "    return {'rest': rest, 'spec': repr(__builtins__.get('__spec__')), 'loader': repr(__builtins__.get('__loader__'))}\n")
        [one] = self.results("rest", use, "--no-scan", paths=["/a"]).values()
        self.assertTrue(one["success"], one)
        self.assertLessEqual(set(one["result"]["rest"]), set(THERE), "builtins of a cell that the policy does not list")
        print(f"\n{len(absent)} refused builtins are absent", flush=True)

    def test_what_a_path_must_not_do_says_that_there_are_no_files(self):
        arguments = {"write_text": "'x'", "write_bytes": "b'x'", "rename": "other", "replace": "other", "chmod": "0", "lchmod": "0",
                     "symlink_to": "other", "hardlink_to": "other", "link_to": "other", "samefile": "other", "glob": "'*'",
                     "rglob": "'*'"}
        refused = [name for name in extractor_policy().classes["pathlib.Path"].refused]
        other = str(self.folder / "other")
        lines = "".join(f"    if path == {name!r}:\n        found = p.{name}({arguments.get(name, '')})\n" for name in refused)
        code = (f"from pathlib import Path\n{HEAD}    p = Path({str(self.canary)!r})\n    other = {other!r}\n    found = None\n{lines}"
                "    if path in ('iterdir', 'glob', 'rglob', 'walk'):\n        found = list(found)\n"
                "    return {'found': repr(found)}\n")
        got = self.results("path_operations", code, "--no-scan", paths=refused)
        for name, one in got.items():
            with self.subTest(operation=name):
                if hasattr(pathlib.Path, name):
                    self.assertEqual((one["error_type"], one["error"].partition(": ")[0]), ("PermissionError", "there are no files here"), one)
                    self.assertIn(f"Path.{name}", one["error"])
                else:  # of other versions of Python
                    self.assertEqual(one["error_type"], "AttributeError", one)
        self.assertEqual(self.canary.read_text(), "a canary that sings")
        self.assertFalse(pathlib.Path(other).exists())

    def attack(self, *options, each=1):
        """Runs the attacks without the scan and finds that nothing came back or stayed; what became of them, counted."""
        secrets = {"a canary that sings", pathlib.Path("/etc/passwd").read_text().partition("\n")[0]}
        secrets |= {name for name in (socket.gethostname(), os.uname().nodename) if len(name) > 3}
        pairs = programs("attacks")[::each]
        text = (CORPUS / "attacks.txt").read_text(encoding="utf-8")
        written = [pathlib.Path(file) for file in re.findall(r"/tmp/[\w./]+", text) if not pathlib.Path(file).exists()]
        kinds = collections.Counter()
        for name, code, report in self.validate_all(pairs, "--no-scan", *options, paths=PATHS[:1]):
            with self.subTest(attack=name):
                said = json.dumps([report["test_results"], report["quality_warnings"]], ensure_ascii=False)
                for secret in secrets:
                    self.assertNotIn(secret, said)
                self.assertEqual(code, 0 if report["valid"] else 1)
                for one in (report["test_results"] or {"results": []})["results"]:
                    kinds[one["error_type"] or "a result"] += 1
        self.assertEqual(self.canary.read_text(), "a canary that sings")
        self.assertEqual([file for file in written if file.exists()], [], "an attack wrote a file")
        self.assertGreater(sum(kinds.values()), 400 // each)
        print(f"\n{len(pairs)} attacks ran without the scan {' '.join(options)}: {dict(kinds.most_common())}", flush=True)
        return kinds

    def test_attacks_bring_nothing_back(self):
        self.assertEqual(self.attack()["SandboxViolation"], 0, "something in a cell asked the system")

    def test_the_kernel_alone_holds_them_too(self):
        # Under this policy a cell lacks nothing of Python: what does not happen is what the kernel denied.
        self.assertGreater(self.attack("--policy", "node", each=3)["SandboxViolation"], 5)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
