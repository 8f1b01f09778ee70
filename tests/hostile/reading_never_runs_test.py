#!/usr/bin/env python3
"""Reading never runs: every command that looks is handed a canary in every place that Python can hide one, and nothing happens.

    tests/hostile/reading_never_runs_test.py [--airlock build/airlock] [NAME…]

A canary is an expression that writes a file into a folder of its own. Controls show that each of them does write when its text is
really run: by a trusted node of `airlock run`, which is what "run" means.
"""
import json
import pathlib
import py_compile
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

AIRLOCK = harness.AIRLOCK
SECONDS = 120  # seconds; a safety net against hangs, not a measure of speed

# CANARY stands for an expression. `run`: executing the module wakes it. `eval`: only who evaluates a text of it would.
PLACES = {
    "call": ("run", "CANARY"),
    "annotation": ("run", "class C:\n    x: CANARY = 1"),
    "annotation_of_the_module": ("run", "x: CANARY = 1"),
    "annotation_as_text": ("eval", "x: 'CANARY' = 1"),
    "annotation_as_text_inside": ("eval", "x: list['CANARY'] = []"),
    "annotation_in_a_subscript": ("run", "x: dict[str, CANARY] = {}"),
    "annotation_in_a_union": ("run", "x: int | type(CANARY) = 1"),
    "annotation_annotated": ("run", "from typing import Annotated\nx: Annotated[int, CANARY] = 1"),
    "annotation_lambda": ("run", "x: (lambda: CANARY)() = 1"),
    "annotation_walrus": ("run", "x: (y := CANARY) = 1"),
    "annotation_attribute": ("run", "x: CANARY.real = 1"),
    "annotation_comprehension": ("run", "x: [CANARY for _ in (1,)] = 1"),
    "parameter": ("run", "def f(x: CANARY): pass"),
    "returns": ("run", "def f() -> CANARY: pass"),
    "default": ("run", "def f(x=CANARY): pass"),
    "keyword_default": ("run", "def f(*, x=CANARY): pass"),
    "lambda_default": ("run", "f = lambda x=CANARY: x"),
    "decorator": ("run", "@(lambda f, c=CANARY: f)\ndef f(): pass"),
    "class_decorator": ("run", "@(lambda f, c=CANARY: f)\nclass C: pass"),
    "base_class": ("run", "class C(type('B', (), {'x': CANARY})): pass"),
    "metaclass": ("run", "class C(metaclass=[type, CANARY][0]): pass"),
    "class_keyword": ("run", "class B:\n    def __init_subclass__(cls, **named): pass\nclass C(B, x=CANARY): pass"),
    "class_body": ("run", "class C:\n    CANARY"),
    "f_string": ("run", "x = f'{CANARY}'"),
    "f_string_format": ("run", "x = f'{1:{CANARY}}'"),
    "match_subject": ("run", "match CANARY:\n    case _: pass"),
    "match_guard": ("run", "match 1:\n    case x if CANARY: pass"),
    "match_pattern": ("run", "class P:\n    @property\n    def v(self): return CANARY\nmatch P():\n    case P(v=1): pass"),
    "type_comment": ("eval", "x = 1  # type: CANARY"),
    "docstring": ("eval", "'''\n>>> CANARY\n```python\nCANARY\n```\n'''"),
    "format_template": ("eval", "x = '${CANARY} {CANARY} %(CANARY)s'"),
    "comprehension": ("run", "x = [CANARY for _ in (1,)]"),
    "with": ("run", "import contextlib\nwith contextlib.nullcontext(CANARY): pass"),
    "except": ("run", "try:\n    raise ValueError\nexcept [ValueError, CANARY][0]: pass"),
    "assert": ("run", "assert CANARY"),
    "star_import": ("run", "from canary_module import *"),
    "slice": ("run", "x = 'abc'[0 if CANARY else 1:]"),
    "global_in_a_class": ("run", "class C:\n    global y\n    y = CANARY"),
    "coding": ("run", "# coding: utf-8\nCANARY"),
}
EXTRACT = "\n\n\ndef extract(path: str) -> dict:\n    return {'path': path}\n"


class Case(harness.Case):
    SECONDS = 120

    def setUp(self):
        super().setUp()
        self.nest, self.work, self.home = self.folder / "nest", self.folder / "work", self.folder / "user"
        for folder in (self.nest, self.work, self.home):
            folder.mkdir()
        self.environment.update(HOME=str(self.home), NO_COLOR="1")

    def write(self, name, content):
        return super().write(f"work/{name}", content)

    def airlock(self, *words, **options):
        return super().airlock(*words, cwd=self.work, **options)

    def canary(self, name):
        """An expression that writes `name` into the nest, and is a number."""
        return f'__import__("pathlib").Path("{self.nest / name}").write_text("x")'

    def source(self, name):
        return PLACES[name][1].replace("CANARY", self.canary(name)) + "\n"

    def flown(self):
        return sorted(one.name for one in self.nest.iterdir())

    def look(self, *arguments, codes=(0, 1), **options):
        """A command that looks: it has judged what it was given, and nothing has happened."""
        done = self.airlock(*arguments, **options)
        self.assertIn(done.returncode, codes, f"{arguments}\n{done.out[-1500:]}\n{done.err[-1500:]}")
        self.assertEqual(self.flown(), [], f"{arguments} ran what it was to read")
        return done

    def lay_traps(self):
        """Modules under names that Python itself would load, wherever it might look for them."""
        def trap(name):  # with what is there before Python has found its library
            return f'import posix\nposix.close(posix.open("{self.nest / name}", posix.O_CREAT | posix.O_WRONLY))\n'

        for name in ("sitecustomize", "usercustomize", "re", "json", "ast", "typing", "codecs", "site", "os", "warnings", "unicodedata", "canary_module",
                     "airlock_node", "encodings"):
            self.write(f"{name}.py", trap(f"beside_{name}"))
        for name in ("encodings", "airlock_node", "airlock", "collections", "importlib"):
            self.write(f"{name}/__init__.py", trap(f"package_{name}"))
        self.write("startup.py", trap("startup"))
        site = self.home / ".local" / "lib" / "python3.11" / "site-packages"
        site.mkdir(parents=True)
        (site / "canary.pth").write_text(trap("pth").replace("\n", "; ", 1), encoding="utf-8")
        (site / "usercustomize.py").write_text(trap("user_site"), encoding="utf-8")
        # Compiled code beside harmless text, valid for every text.
        hidden = self.write("hidden.py", trap("compiled"))
        py_compile.compile(str(hidden), cfile=str(self.work / "__pycache__" / "hidden.cpython-311.pyc"),
                           invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
        self.write("hidden.py", "x = 1" + EXTRACT)
        self.environment.update(PYTHONPATH=str(self.work), PYTHONSTARTUP=str(self.work / "startup.py"), PYTHONINSPECT="1",
                                PYTHONBREAKPOINT="canary_module.x", PYTHONDEVMODE="1", PYTHONUSERBASE=str(self.home / ".local"))


class Controls(Case):
    """What is not run in the other tests does run here."""

    def run_trusted(self, code):
        self.write("node.json", {"type": "code", "params": {"code": code}})
        done = self.airlock("run", "node.json", "--format", "json")
        self.assertEqual(done.returncode, 0, done.out + done.err)

    def test_every_canary_flies_when_its_text_is_run(self):
        self.write("canary_module.py", self.canary("star_import") + "\n")
        lines = []
        for name, (wakes, _) in PLACES.items():
            text = self.source(name) if wakes == "run" else self.canary(name)
            lines.append(f"exec({text!r}, {{'__name__': 'm'}})")
        self.run_trusted("\n".join(lines) + "\nresult: int = 1\n")
        self.assertEqual(self.flown(), sorted(PLACES))

    def test_the_traps_beside_the_files_are_real(self):
        self.lay_traps()
        environment = dict(self.environment)
        for key in ("PYTHONINSPECT", "PYTHONDEVMODE"):
            environment.pop(key)
        subprocess.run([sys.executable, "-c", "import canary_module, hidden"], cwd=self.work, env=environment, capture_output=True, timeout=SECONDS)
        self.assertTrue(self.flown(), "python3 itself must fall for these")


class Files(Case):
    def lay(self, ending):
        for name in PLACES:
            self.write(f"sources/{name}{ending}", self.source(name) + EXTRACT)
            self.write(f"answers/{name}.txt", f"Here it is:\n\n```python\n{self.source(name)}{EXTRACT}```\n")

    def test_check(self):
        self.lay(".py")
        for arguments in ((), ("--format", "json"), ("--format", "sarif"), ("--format", "github"), ("--policy", "node"), ("--no-signature",),
                          ("--answer",), ("--policy", "probe", "--no-signature")):
            with self.subTest(arguments):
                self.look("check", *arguments, "--", "sources", *sorted((self.work / "answers").iterdir()))

    def test_check_and_clean_of_standard_input(self):
        for name in PLACES:
            with self.subTest(name):
                text = (self.source(name) + EXTRACT).encode()
                self.look("check", "-", stdin=text)
                done = self.look("clean", stdin=b"Here:\n```python\n" + text + b"```\n")
                self.assertEqual(done.stdout, text)

    def test_with_traps_all_around(self):
        self.lay_traps()
        for name in ("annotation", "call", "star_import"):
            self.write(f"{name}.py", self.source(name) + EXTRACT)
        names = [one.name for one in sorted(self.work.glob("*.py"))]
        self.look("check", "--", *names)
        self.look("check", "--policy", "node", ".")
        self.look("clean", "--", "hidden.py")
        self.look("policy", "show", "extractor")
        self.write("node.json", {"nodes": [{"id": "a", "type": "code", "params": {"code": "import canary_module, hidden\nx: 'canary_module.X'\nresult: int = 1",
                                                                                 "inputs": {"x": 1}, "requires": ["canary_module"]}},
                                           {"id": "b", "type": "code", "sandbox": True, "params": {"code": "import re, json\nresult: re.Pattern = 1"}},
                                           {"id": "c", "type": "extractor", "params": {"extractor": "hidden.py", "paths": ["a"]}}]})
        self.look("run", "node.json", "--check")

    def test_policies(self):
        canary = self.canary("toml")
        text = (f"extends = 'extractor'\nname = '{canary}'\nsummary = '${{{canary}}}'\n\n[modules.csv]\nwhy = '{canary}'\nattributes = ['reader']\n\n"
                "[modules.canary_module]\nwhy = 'a module beside'\nattributes = ['*']\n")
        self.lay_traps()
        self.write("mine.toml", text)
        self.write("x.py", "import canary_module\n" + EXTRACT)
        self.look("policy", "show", "mine.toml", codes=(0, 1, 2))
        self.look("check", "--policy", "mine.toml", "--", "x.py", codes=(0, 1, 2))


class Nodes(Case):
    """`airlock run FILE --check`."""

    def documents(self, **more):
        """Each place as a node of its own: as its code, and in what an input and the result are declared as."""
        nodes = []
        for name in PLACES:
            nodes.append({"id": name, "type": "code", **more, "params": {"code": self.source(name) + "\nresult: int = 1"}})
            declared = self.canary(name)
            for form, annotation in (("bare", declared), ("quoted", repr(declared)), ("inside", f"list[{declared}]"), ("union", f"int | {declared}"),
                                     ("nested", f"'list[{declared}]'"), ("called", f"(lambda: {declared})()"), ("attribute", f"({declared}).real"),
                                     ("literal", f"Literal[{declared}]"), ("annotated", f"Annotated[int, {declared}]"), ("item", f"[{declared}][0]")):
                if name in ("annotation", "call"):
                    nodes.append({"id": f"{name}_{form}", "type": "code", **more,
                                  "params": {"inputs": {"data": [1]}, "code": f"data: {annotation}\nresult: {annotation} = 1\naction: {annotation} = 'x'"}})
        return {"nodes": nodes, "edges": []}

    def test_code_nodes(self):
        for more in ({}, {"strict_types": True}, {"sandbox": True}, {"sandbox": True, "strict_types": True}):
            with self.subTest(more):
                self.write("flow.json", self.documents(**more))
                self.look("run", "flow.json", "--check")
                self.look("run", "flow.json", "--check", "--format", "json")

    def test_types_from_one_node_to_the_next(self):
        for strict in (False, True):
            nodes = []
            for number, (given, wanted) in enumerate(((self.canary("given"), "int"), ("int", self.canary("wanted")), (repr(self.canary("text")), "list[int]"),
                                                      (f"list[{self.canary('in')}]", f"dict[str, {self.canary('out')}]"))):
                nodes.append({"id": f"a{number}", "type": "code", "params": {"code": f"result: {given} = 1"}})
                nodes.append({"id": f"b{number}", "type": "code", "strict_types": strict,
                              "params": {"inputs": {"x": f"${{a{number}.result}}", "y": f"n ${{a{number}.result[0]}}"}, "code": f"x: {wanted}\ny: {wanted}\nresult: int = 1"}})
            self.write("flow.json", {"nodes": nodes, "edges": [{"from": one["id"], "to": two["id"]} for one, two in zip(nodes, nodes[1:])]})
            self.look("run", "flow.json", "--check")

    def test_templates(self):
        canary = self.canary("template")
        for template in (f"${{{canary}}}", f"${{a[{canary}]}}", f"${{a.__class__.{canary}}}", f"$${{{canary}}}", f"${{a.result['{canary}']}}", "${a.result.__class__}"):
            for kind in ({}, {"sandbox": True}):
                with self.subTest(template, **kind):
                    self.write("flow.json", {"nodes": [{"id": "a", "type": "code", "params": {"code": "result: dict = {}"}},
                                                       {"id": "b", "type": "code", **kind, "params": {"inputs": {"x": template, "y": {"z": [template]}},
                                                                                                     "code": "x: str\ny: dict\nresult: int = 1"}}],
                                             "edges": [{"from": "a", "to": "b"}]})
                    self.look("run", "flow.json", "--check")
                    self.look("run", "flow.json", "--check", "--format", "json")

    def test_extractors_and_probes(self):
        for name in PLACES:
            self.write(f"{name}.py", self.source(name) + EXTRACT)
        nodes = [{"id": f"{kind}_{name}", "type": "extractor", "params": {"paths": ["/a"], kind: f"{name}.py" if kind == "extractor" else self.source(name) + EXTRACT}}
                 for name in list(PLACES)[::3] for kind in ("extractor", "code")]
        nodes += [{"id": f"probe_{name}", "type": "probe", "params": {"repository": ".", "probes": [f"{name}.py"]}} for name in PLACES]
        self.write("flow.json", {"nodes": nodes, "edges": []})
        self.look("run", "flow.json", "--check")

    def test_yaml_documents(self):
        path = self.nest / "yaml"
        for text in (f"type: code\nparams: !!python/object/apply:os.system ['touch {path}']\n",
                     f"type: code\nparams:\n  code: !!python/object/new:subprocess.Popen [['touch', '{path}']]\n",
                     f"type: code\nparams:\n  code: !!python/name:os.system\n  inputs: {{x: !!python/object/apply:eval ['{self.canary('yaml')}']}}\n",
                     f"nodes:\n  - {{id: a, type: code, params: {{code: \"result: int = 1\", inputs: {{x: !!js/function 'touch {path}'}}}}}}\n"):
            with self.subTest(text):
                self.write("flow.yaml", text)
                self.look("run", "flow.yaml", "--check", codes=(0, 1, 2))
                self.look("run", "flow.yaml", "--check", "--shared", "flow.yaml", codes=(0, 1, 2))


class Others(Case):
    def rule(self):
        canary = self.canary("rule")
        return (f"name: orders\nversion: 1\ndescription: '{canary}'\npattern:\n  regex: '{canary}'\nextract:\n"
                f"  x: !!python/object/apply:eval ['{canary}']\n")

    def test_rules(self):
        path = self.nest / "rule"
        self.write("rule.yaml", self.rule())
        self.write("tag.yaml", f"!!python/object/apply:os.system ['touch {path}']\n")
        self.write("paths.txt", "/data/a/2024/x.csv\n/data/b/2023/y.csv\n")
        for file in ("rule.yaml", "tag.yaml"):
            for arguments in (("check", file), ("show", file), ("test", file, "paths.txt"), ("explain", file, "/data/a/2024/x.csv")):
                with self.subTest(arguments):
                    self.look("rules", *arguments, codes=(0, 1, 2))

    def test_infer(self):
        paths = "".join(f"/data/{self.canary('path')}/{year}/${{{self.canary('path')}}}.csv\n" for year in (2022, 2023, 2024))
        self.look("infer", "--hint", self.canary("hint"), stdin=paths.encode(), codes=(0, 1, 2))

    def test_compare_of_rules(self):
        self.write("rule.yaml", self.rule())
        self.write("paths.txt", "/data/a/2024/x.csv\n")
        for name in ("call", "annotation", "default", "class_body"):
            self.write("x.py", self.source(name) + EXTRACT)
            self.look("compare", "rule.yaml", "x.py", "paths.txt", codes=(0, 1, 2))

    def test_drafts_and_extractors(self):
        # What passes validation can hold a canary only as text.
        text = f"# type: {self.canary('comment')}\nNOTE = {self.canary('text')!r}\n\n\ndef extract(path: str) -> dict:\n    '''{self.canary('doc')}'''\n    return {{'path': path}}\n"
        self.write("x.py", text)
        self.write("paths.txt", f"/data/{self.canary('path')}/x.csv\n")
        added = self.airlock("drafts", "--format", "json", "add", "x.py", "--samples", "paths.txt")
        self.assertEqual(added.returncode, 0, added.out + added.err)
        listed = json.loads(self.airlock("drafts", "--format", "json").out)
        [draft] = listed["drafts"] if isinstance(listed, dict) else listed
        self.look("drafts", "show", draft["id"])
        self.look("drafts", "--format", "json", "show", draft["id"])
        approved = self.airlock("approve", "x.py", "--name", "notes", "--samples", "paths.txt")
        self.assertEqual(approved.returncode, 0, approved.out + approved.err)
        self.assertEqual(self.flown(), [])
        for arguments in (("show", "notes"), ("list",), ("history", "notes"), ("verify",)):
            self.look("extractors", *arguments)

    def test_models(self):
        config = self.folder / "state"
        config.mkdir(exist_ok=True)
        (config / "config.toml").write_text(f"[model]\nname = '{self.canary('model')}'\n", encoding="utf-8")
        self.lay_traps()
        self.look("ai", "status", codes=(0, 1, 2))
        self.look("ai", "log", codes=(0, 1, 2))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
