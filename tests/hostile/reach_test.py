#!/usr/bin/env python3
"""What a cell of the policy `extractor` holds, with the scan left out: nothing that the policy does not grant.

    tests/hostile/reach_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

A walk over everything that guest code can reach (reach/walk.py), known ways out of sandboxes (reach/attacks.py), and honest code that uses
what is granted, compared with the installed Python. The same walk and the same ways under the policy `node`, where all of Python is there,
show that they find what they look for. The last line is `N passed, N failed`.
"""
import json
import pathlib
import re
import subprocess
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
REACH = ROOT / "tests" / "hostile" / "reach"
AIRLOCK = harness.AIRLOCK
SECONDS = 600  # seconds; a safety net against hangs, not a measure of speed
WALK = (REACH / "walk.py").read_text(encoding="utf-8")
ATTACKS = (REACH / "attacks.py").read_text(encoding="utf-8")
HONEST = (REACH / "honest.py").read_text(encoding="utf-8")
MORE = (REACH / "more.py").read_text(encoding="utf-8")
NAMES = re.findall(r"^def (attack_\w+)\(", ATTACKS, re.MULTILINE)
HEAD = "def extract(path: str) -> dict:\n"


class Case(harness.Case):
    SECONDS = SECONDS

    def results(self, code, *options, paths=("/a",)):
        (self.folder / "guest.py").write_text(code, encoding="utf-8")
        words = ["validate", "guest.py", "--no-scan", "--format", "json", "--timeout", "500", "--memory", "1500", *options]
        for path in paths:
            words += ["--path", path]
        done = self.airlock(*words)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        report = json.loads(done.stdout)
        self.assertIsNotNone(report["test_results"], report["retry_context"])
        return {one["path"]: one for one in report["test_results"]["results"]}

    def value(self, code, *options):
        one = self.results(code, *options)["/a"]
        self.assertTrue(one["success"], one)
        return one["result"]


class Walk(Case):
    def walk(self, *options, path="/a"):
        [one] = self.results(WALK, *options, paths=[path]).values()
        self.assertTrue(one["stdout"], one)
        return json.loads(one["stdout"].splitlines()[-1]), one

    def test_nothing_forbidden_is_reached(self):
        seen, one = self.walk()
        self.assertEqual(seen["found"], {})
        self.assertTrue(one["success"], one["error"])  # nothing that was called asked the system
        self.assertGreater(seen["objects"], 30000)
        self.assertGreater(seen["calls"], 20000)
        print(f"\n{seen['objects']} objects, {seen['calls']} calls, nothing forbidden", flush=True)

    def test_nor_is_it_by_calls_with_arguments(self):
        seen, one = self.walk(path="/arguments")
        self.assertEqual(seen["found"], {})
        self.assertTrue(one["success"], one["error"])
        self.assertGreater(seen["calls"], 100000)
        print(f"\n{seen['objects']} objects, {seen['calls']} calls with arguments, nothing forbidden", flush=True)

    def test_the_walk_finds_what_is_there(self):
        seen, _ = self.walk("--policy", "node")
        self.assertLessEqual({"builtins", "module", "code", "frame", "importer", "function", "class"}, set(seen["found"]), seen)
        print("\nunder node: " + ", ".join(f"{kind} {found['count']}" for kind, found in sorted(seen["found"].items())), flush=True)

    def test_what_is_left_lying_about_is_found(self):
        """One native function in the policy, and the walk names it."""
        (self.folder / "lost.toml").write_text('extends = "extractor"\nname = "lost"\n[modules._thread]\nwhy = "left in on purpose"\nattributes = ["start_new_thread"]\n')
        code = WALK.replace("import base64\n", "import _thread\nimport base64\n", 1).replace("for module in (base64,", "for module in (_thread, base64,")
        one = self.results(code, "--policy", "lost.toml")["/a"]
        seen = json.loads(one["stdout"].splitlines()[-1])
        self.assertIn("_thread start_new_thread", seen["found"]["function"]["ways"][0])


class Attacks(Case):
    def attack(self, *options):
        listed = ", ".join(f"{name!r}: {name}" for name in NAMES)
        kinds = WALK[:WALK.index("\n\ndef extract(")]
        got = self.results(f"{kinds}\n\n{ATTACKS}\n\nATTACKS = {{{listed}}}\n", *options, paths=NAMES)
        self.assertEqual(set(got), set(NAMES))
        return got

    def test_known_ways_out_lead_nowhere(self):
        got = self.attack()
        for name, one in got.items():
            with self.subTest(attack=name):
                self.assertTrue(one["success"], one)
                self.assertEqual(one["result"]["held"], "", one["result"]["what"])
                self.assertEqual(one["stdout"], "")
        self.assertGreater(len(got), 60)
        print(f"\n{len(got)} ways out lead nowhere", flush=True)

    def test_an_exception_keeps_nothing_that_the_library_looked_at(self):
        code = (f"import json\n{HEAD}    try:\n        json.nothing\n    except AttributeError as error:\n"
                "        return {'obj': error.obj, 'kept': list(error.__dict__), 'name': error.name}\n")
        self.assertEqual(self.value(code), {"obj": None, "kept": [], "name": "nothing"})

    def test_they_lead_out_of_a_whole_python(self):
        got = self.attack("--policy", "node")
        held = {name for name, one in got.items() if one["result"] and one["result"]["held"]}
        self.assertGreater(len(held), 60, {name: one["result"] or one["error"] for name, one in got.items() if name not in held})
        print(f"\n{len(held)} of {len(got)} hold something under node", flush=True)


class Honest(Case):
    """What is granted works as it does outside."""

    def outside(self, code):
        """What this very Python gives; as a module of that name, because records look themselves up."""
        module = types.ModuleType("extractor")
        sys.modules["extractor"] = module
        self.addCleanup(sys.modules.pop, "extractor")
        exec(compile(code, "extractor", "exec", dont_inherit=True), module.__dict__)
        return json.loads(json.dumps(module.extract("/a")))

    def compare(self, code, *options):
        got, expected = self.value(code, *options), self.outside(code)
        for key in expected:
            with self.subTest(key):
                self.assertEqual(got.get(key), expected[key])
        self.assertEqual(set(got), set(expected))
        return len(expected)

    def test_granted_modules_work_as_ever(self):
        self.assertGreater(self.compare(HONEST), 25)

    def test_modules_that_a_policy_adds_work_as_ever(self):
        modules = re.search(r"^import (.*)$", MORE, re.MULTILINE)[1].split(", ")
        text = "".join(f'[modules.{name}]\nwhy = "of use"\nattributes = ["*"]\n' for name in modules if name != "operator")
        text += '[modules.operator]\nwhy = "of use"\nattributes = ["add", "itemgetter"]\n'
        (self.folder / "more.toml").write_text(f'extends = "extractor"\nname = "more"\n{text}')
        self.assertGreater(self.compare(MORE, "--policy", "more.toml"), 10)


class Paths(Case):
    PURE = ("name", "parts", "as_posix", "joinpath", "match", "with_suffix", "is_absolute")

    def test_every_method_that_asks_for_files_says_so(self):
        plain = set(dir(pathlib.PurePath))
        asks = [name for name in vars(pathlib.Path) if name not in plain and not name.startswith("__")]
        self.assertIn("_scandir", asks)
        code = (f"from pathlib import Path, PosixPath\n{HEAD}    found = {{}}\n    for name in {asks!r}:\n        for made in (Path, PosixPath, Path('/a'), PosixPath('/a')):\n"
                "            try:\n                found[name] = repr(getattr(made, name)('x'))\n            except PermissionError as error:\n"
                "                found.setdefault(name, str(error))\n    return found\n")
        got = self.value(code)
        for name in asks:
            with self.subTest(method=name):
                self.assertTrue(got[name].startswith(f"there are no files here: Path.{name}"), got[name])
        print(f"\n{len(asks)} methods of Path say that there are no files", flush=True)

    def test_what_to_do_instead_is_said(self):
        code = (f"from pathlib import Path\n{HEAD}    try:\n        return {{'it': Path(path).exists()}}\n    except OSError as error:\n        return {{'it': str(error)}}\n")
        self.assertEqual(self.value(code)["it"], "there are no files here: Path.exists: Asks the file system; an extractor gets a name, not a file; "
                                                 "decide from the text, for example by path.suffix")


    def test_a_retry_is_told_for_every_method(self):
        """The words of the policy are among the sentences that a retry may say."""
        toml = (ROOT / "policies" / "extractor.toml").read_text(encoding="utf-8")
        names = [name for block in re.findall(r"\[\[class\.refuse\]\]\nnames = \[(.*?)\]", toml, re.DOTALL)
                 for name in re.findall(r'"(\w+)"', block) if hasattr(pathlib.Path, name)]
        self.assertGreater(len(names), 30)
        for name in names:
            with self.subTest(method=name):
                code = f"from pathlib import Path\n{HEAD}    return {{'it': Path(path).{name}('x')}}\n"
                (self.folder / "asks.py").write_text(code)
                done = subprocess.run([str(AIRLOCK), "validate", "asks.py", "--no-scan", "--path", "/a", "--format", "json"], cwd=self.folder,
                                      env=self.environment, capture_output=True, timeout=SECONDS)
                report = json.loads(done.stdout)
                self.assertIn(report["test_results"]["results"][0]["error"], report["retry_context"])
                self.assertIn(f"there are no files here: Path.{name}: ", report["retry_context"])


class Codecs(Case):
    def test_a_codec_is_one_of_those_that_were_loaded_or_unknown(self):
        code = (f"{HEAD}    found = {{}}\n    for name in ('utf-8', 'UTF8', 'latin-1', 'L1', 'cp1252', 'windows-1252', 'utf_16_le', 'ascii', 'us-ascii'):\n"
                "        found[name] = 'a'.encode(name).decode(name)\n    for name in ('os', 'sys', 'posix', 'importlib', 'mbcs', 'x.y', '..os', ''):\n"
                "        try:\n            found[name] = repr('a'.encode(name))\n        except LookupError as error:\n            found[name] = 'unknown'\n    return found\n")
        got = self.value(code)
        self.assertEqual({name for name, one in got.items() if one == "unknown"}, {"os", "sys", "posix", "importlib", "mbcs", "x.y", "..os", ""})
        self.assertEqual({one for one in got.values() if one != "unknown"}, {"a"})


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
