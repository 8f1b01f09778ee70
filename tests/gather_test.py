#!/usr/bin/env python3
"""Tests of `airlock gather` as its users meet it, by somebody who wants it to fail: real repositories, real probes, most of
them hostile. Needs only python3 and a built airlock.

    tests/gather_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

Cases that only differ in what a probe returns or does share one run of gather with all of them in it: what one does must not
cost another's execution. AIRLOCK_SLOW_TESTS=1 adds two that wait for a locked store, some minutes. The last line is
`N passed, N failed`.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent
AIRLOCK = harness.AIRLOCK
SECONDS = 60  # a safety net against hangs, not a measure
BUILT_IN = {"language_detection", "repository"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
IS_ROOT = os.geteuid() == 0
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # for what only makes many files
SLOW = os.environ.get("AIRLOCK_SLOW_TESTS") == "1"

OK = "return ProbeOutput({'ok': 1})"


def probe_source(run=OK, name="p", attributes="", head=""):
    return ("import os, sys, time\nfrom airlock.probe import Probe, ProbeOutput\n" + head + "\n\n"
            f"class It(Probe):\n    name = {name!r}\n" + textwrap.indent(attributes, "    ") +
            "\n\n    def run(self, repo, ctx):\n" + textwrap.indent(run, "        ") + "\n")


def descendants(pid):
    """Every process below `pid`, as (pid, start time): a number that is used again is another process."""
    parents = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append((int(entry), fields[19]))
    found, waiting = [], [pid]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += [one for one, _ in below]
    return found


def is_alive(process):
    try:
        fields = pathlib.Path(f"/proc/{process[0]}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == process[1] and fields[0] != "Z"


class Done:
    """What came of one run."""

    def __init__(self, code, out, err, took, peak_kb=0):
        self.code, self.raw, self.took, self.peak_kb = code, out, took, peak_kb
        self.out, self.err = out.decode("utf-8"), err.decode("utf-8")

    @property
    def report(self):
        return json.loads(self.out)

    def execution(self, name):
        return self.report["executions"][name]

    def status(self, name):
        return self.execution(name)["status"]

    def statuses(self):
        return {name: one["status"] for name, one in self.report["executions"].items() if name not in BUILT_IN}

    def facts(self, name):
        return self.report["outputs"][name]["schema_slice"]


class Place:
    """A folder with a repository, a state and probes in it."""

    def __init__(self, in_memory=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airlock-gather-", dir=MEMORY if in_memory else None))
        self.home = self.folder / "state"
        self.repo = self.folder / "repo"
        self.repo.mkdir()
        (self.repo / "a.py").write_text("print(1)\n")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8",
                            "AIRLOCK_HOME": str(self.home), "CANARY_VARIABLE": "canary"}

    def remove(self):
        subprocess.run(["rm", "-rf", "--", str(self.folder)], check=False)  # any depth

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def probe(self, name="p", run=OK, attributes="", head="", file=None):
        return self.file(file or name + ".py", probe_source(run, name, attributes, head))

    def command(self, arguments):
        return [os.fsencode(AIRLOCK)] + [one if isinstance(one, bytes) else os.fsencode(str(one)) for one in arguments]

    def airlock(self, *arguments, seconds=SECONDS, cwd=None, environment=None):
        start = time.monotonic()
        process = subprocess.Popen(self.command(arguments), stdin=subprocess.DEVNULL, cwd=cwd or self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment or self.environment)
        try:
            out, err = process.communicate(timeout=seconds)
        except BaseException:
            process.kill()
            process.communicate()
            raise
        return Done(process.returncode, out, err, time.monotonic() - start)

    def gather(self, *probes, repo=None, options=(), form="json", **more):
        named = [word for one in probes for word in ("--probe", one)]
        return self.airlock("gather", repo if repo is not None else self.repo, *named, *options, "--format", form, **more)


class Case(unittest.TestCase):
    maxDiff = 4000
    IN_MEMORY = False

    def setUp(self):
        self.place = Place(self.IN_MEMORY)
        self.addCleanup(self.place.remove)
        self.folder, self.repo, self.home = self.place.folder, self.place.repo, self.place.home
        self.probe, self.gather, self.airlock = self.place.probe, self.place.gather, self.place.airlock

    def assert_failed(self, done, name, *words):
        """Failed by its own fault: said in words, with an output of low confidence, and nothing else is harmed."""
        self.assertIn(done.code, (0, 1), done.err)
        self.assertEqual(done.err, "")
        one = done.execution(name)
        self.assertEqual(one["status"], "failed", one)
        output = done.report["outputs"][name]
        self.assertEqual((output["schema_slice"], output["raw_artifacts"], output["confidence"]), ({}, [], "low"))
        self.assertTrue(output["errors"][0].startswith(one["reason"][:100]), (output, one))
        for word in words:
            self.assertRegex(one["reason"], word)

    def assert_ran(self, done, name="p"):
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertEqual(done.execution(name)["status"], "ran", done.execution(name))

    def assert_refused(self, done, *words):
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertRegex(done.err, r"\Aairlock: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.err)


class Together(Case):
    """Many probes in one run; each is a test of its own."""
    BODIES = {}
    OPTIONS = ()

    @classmethod
    def prepare(cls, place):
        pass

    @classmethod
    def sources(cls):
        return {name: probe_source(body, name) for name, (body, *_) in cls.BODIES.items()}

    @classmethod
    def setUpClass(cls):
        cls.shared = Place()
        cls.addClassCleanup(cls.shared.remove)
        cls.prepare(cls.shared)
        probes = [cls.shared.file(name + ".py", text) for name, text in cls.sources().items()]
        cls.before = sorted(path.name for path in cls.shared.folder.iterdir())
        cls.done = cls.shared.gather(*probes, options=("--jobs", "4", *cls.OPTIONS), seconds=120)

    @classmethod
    def make_tests(cls, kind, check):
        for name, case in cls.BODIES.items():
            setattr(cls, f"test_{kind}_{name}", lambda self, name=name, case=case: check(self, name, *case[1:]))


# ── 1. The contract ──────────────────────────────────────────────────────────────────────────────


class Contract(Case):
    def test_the_report_has_the_shape_of_the_contract(self):
        done = self.gather(self.probe())
        self.assert_ran(done)
        report = done.report
        self.assertEqual(list(report), ["run_id", "executions", "outputs"])
        self.assertRegex(report["run_id"], r"\A[0-9a-z]{26}\Z")
        self.assertEqual(list(report["executions"]), ["language_detection", "repository", "p"])
        for one in report["executions"].values():
            self.assertEqual(list(one), ["status", "key", "reason", "duration_ms"])
            self.assertIsNone(one["reason"])
            self.assertIs(type(one["duration_ms"]), int)
        self.assertRegex(report["executions"]["p"]["key"], r"\A[0-9a-f]{64}\Z")
        self.assertIsNone(report["executions"]["repository"]["key"])
        self.assertEqual(set(report["outputs"]), set(report["executions"]))
        self.assertEqual(set(report["outputs"]["p"]),
                         {"schema_slice", "raw_artifacts", "confidence", "duration_ms", "warnings", "errors"})
        self.assertEqual(report["outputs"]["p"]["schema_slice"], {"ok": 1})

    def test_the_four_statuses_and_their_exit_code(self):
        probes = [self.probe("hit"), self.probe("new", attributes="cache_strategy = 'none'"),
                  self.probe("left", attributes="applies_to_tasks = ['audit']"), self.probe("bad", "raise ValueError('no')")]
        self.gather(probes[0])
        done = self.gather(*probes)
        self.assertEqual(done.code, 0)
        self.assertEqual(done.statuses(), {"hit": "cache_hit", "new": "ran", "left": "skipped", "bad": "failed"})
        self.assertEqual(done.execution("left"), {"status": "skipped", "key": None, "duration_ms": 0,
                                                  "reason": "applies to the tasks audit; this one is default"})
        self.assertEqual(done.execution("bad")["reason"], "ValueError: no (line 10)")
        self.assertNotIn("left", done.report["outputs"])
        self.assertIsNone(done.execution("new")["key"])

    def test_exit_1_when_all_that_was_asked_for_failed(self):
        done = self.gather(self.probe(run="raise ValueError"))
        self.assertEqual(done.code, 1)
        self.assertEqual(done.report["outputs"]["repository"]["confidence"], "high")

    def test_without_probes_the_built_in_ones_answer(self):
        done = self.gather()
        self.assertEqual((done.code, set(done.report["outputs"])), (0, BUILT_IN))
        self.assertEqual(done.facts("language_detection"),
                         {"languages": {"Python": {"files": 1, "bytes": 9}}, "main_language": "Python"})

    def test_exit_0_when_all_were_skipped(self):
        self.assertEqual(self.gather(self.probe(attributes="applies_to_tasks = []")).code, 0)

    def test_text_is_the_default_and_has_no_colour(self):
        done = self.airlock("gather", self.repo, "--probe", self.probe(run="return ProbeOutput({'licence': 'MIT'})"),
                            "--probe", self.probe("bad", "print('last words')\nraise ValueError('oh no')"))
        self.assertEqual(done.code, 0)
        self.assertRegex(done.out, r"\Arepo  task default  run [0-9a-z]{26}\n")
        self.assertRegex(done.out, r'\n  ✓ ran        p  \d+ ms  confidence high\n      licence  "MIT"\n')
        self.assertRegex(done.out, r"\n  ✗ failed     bad  \d+ ms  confidence low\n      ValueError: oh no \(line 11\)\n      \| last words\n")
        self.assertTrue(done.out.endswith("\n3 probes with facts, 1 failed\n"))
        self.assertNotIn("\x1b", done.out)

    def test_nothing_a_probe_says_commands_a_terminal(self):
        evil = r"\x1b[2J\x1b]0;t\x07\r\u202e\n\n✓ ran  forged"
        done = self.gather(
            self.probe("a", f"print('{evil}')\nreturn ProbeOutput({{'k{evil}': 'v{evil}', 'n': ['{evil}']}}, warnings=['{evil}'], errors=['{evil}'])"),
            self.probe("b", f"print('{evil}')\nraise ValueError('{evil}')"), options=("--task", "t\x1b[2J\n"), form="text")
        self.assertNotRegex(done.out, "[\x00-\x09\x0b-\x1f\x7f\u202e]")
        self.assertNotIn("\n✓ ran  forged", done.out)

    def test_output_is_the_same_report_in_a_file(self):
        done = self.gather(self.probe(), options=("--output", self.folder / "facts.json"))
        self.assert_ran(done)
        self.assertEqual((self.folder / "facts.json").read_text(), done.out)
        text = self.gather(self.probe(), options=("--output", self.folder / "again.json"), form="text")
        self.assertIn("cache hit", text.out)
        self.assertEqual(json.loads((self.folder / "again.json").read_text())["executions"]["p"]["status"], "cache_hit")

    def test_output_that_cannot_be_written_is_exit_2_and_the_report_came(self):
        for option, words in (("--output", "write "), ("--artifacts", "make the folder ")):
            with self.subTest(option):
                done = self.gather(self.probe(), options=(option, self.folder / "no" / "such" / "x"))
                self.assertEqual(done.code, 2)
                self.assertEqual(done.err, f"airlock: {words}{self.folder}/no/such/x: No such file or directory\n")
                self.assertEqual(done.facts("p"), {"ok": 1})

    def test_a_log_that_cannot_be_opened_is_a_bad_request(self):
        self.assert_refused(self.gather(self.probe(), options=("--log", self.folder / "no" / "log")), "write the log", "no/log")

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full here")
    def test_a_log_or_report_that_is_lost_is_said(self):
        for option in ("--output", "--log"):
            with self.subTest(option):
                done = self.gather(self.probe(), options=(option, "/dev/full"))
                self.assertEqual(done.facts("p"), {"ok": 1})
                self.assertRegex(done.err, r"\Aairlock: write [^\n]*/dev/full: No space left on device\n\Z")
                self.assertEqual(done.code, 2)

    def test_the_log_has_a_line_for_each_probe(self):
        probes = [self.probe("hit"), self.probe("left", attributes="applies_to_tasks = ['x']"), self.probe("bad", "1 / 0"),
                  self.probe("found", f"return ProbeOutput({{'v': '{TOKEN}'}})")]
        self.gather(probes[0])
        log = self.folder / "log"
        log.write_text("before\n")
        done = self.gather(*probes, options=("--log", log))
        first, *lines = log.read_text().splitlines()
        self.assertEqual(first, "before")
        events = {line["probe"]: line for line in map(json.loads, lines)}
        self.assertEqual({name: line["event"] for name, line in events.items()},
                         {"language_detection": "probe.success", "repository": "probe.success", "hit": "probe.cache_hit",
                          "left": "probe.skip", "bad": "probe.failure", "found": "probe.success"})
        self.assertEqual({line["run_id"] for line in events.values()}, {done.report["run_id"]})
        self.assertEqual(events["bad"]["reason"], "ZeroDivisionError: division by zero (line 10)")
        self.assertRegex(events["found"]["findings"][0]["fingerprint"], r"\A[0-9a-f]{8}\Z")
        self.assertRegex(events["hit"]["time"], r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")
        self.assertNotIn(TOKEN, log.read_text())

    def test_the_log_can_go_to_stderr(self):
        done = self.gather(self.probe(), options=("--log", "-"))
        self.assertEqual([json.loads(line)["probe"] for line in done.err.splitlines()], ["language_detection", "repository", "p"])

    def test_the_task_reaches_applies(self):
        probe = self.probe(attributes="def applies(self, repo, task): return task.type == 'upgrade' and task.options == {}")
        self.assertEqual(self.gather(probe).execution("p")["reason"], "its applies() says that it does not apply here")
        self.assert_ran(self.gather(probe, options=("--task", "upgrade")))

    def test_a_task_in_any_bytes(self):
        for task in (b"\xff\xfe", "ü".encode(), b"", b"x" * 5000):
            with self.subTest(task):
                done = self.gather(self.probe(attributes="cache_strategy = 'none'"), options=("--task", task))
                self.assert_ran(done)
                self.assertEqual(self.airlock("runs", done.report["run_id"]).code, 0)

    def test_cache_dir_and_no_cache(self):
        kept = ("--cache", self.folder / "kept")
        self.assert_ran(self.gather(self.probe(), options=kept))
        self.assertEqual(self.gather(self.probe(), options=kept).status("p"), "cache_hit")
        self.assertEqual(self.gather(self.probe()).status("p"), "ran")  # another cache
        done = self.gather(self.probe(), options=("--no-cache",))
        self.assertEqual((done.status("p"), done.execution("p")["key"]), ("ran", None))
        for path in [self.folder / "kept", *(self.folder / "kept").rglob("*")]:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700 if path.is_dir() else 0o600, path)

    def test_a_cache_inside_the_repository_is_no_part_of_it(self):
        kept = ("--cache", self.repo / ".airlock-cache")
        self.assert_ran(self.gather(self.probe(), options=kept))
        self.assertEqual(self.gather(self.probe(), options=kept).status("p"), "cache_hit")

    def test_usage_mistakes(self):
        probe = self.probe()
        for arguments, words in (
                ((), ("REPO is required",)), ((self.folder / "nope",), ("open the folder", "nope", "No such file")),
                ((probe,), ("open the folder", "p.py", "Not a directory")), (("/dev/null",), ("Not a directory",)), (("",), ("No such file",)),
                ((self.repo, "--probe", "nope.py"), ("read nope.py", "No such file")),
                ((self.repo, "--probe", self.folder), ("read ", "not a file")),
                ((self.repo, "--probe"), ("--probe",)), ((self.repo, "--wat"), ("--wat",)),
                ((self.repo, "--format", "xml"), ("--format", "xml")),
                ((self.repo, "--cache", "x", "--no-cache"), ("--cache", "--no-cache")),
                ((self.repo, "--jobs", "0"), ("--jobs",)), ((self.repo, "--jobs", "many"), ("--jobs",)),
                ((self.repo, "--timeout", "0"), ("--timeout",)), ((self.repo, "--timeout", "-1"), ("--timeout",)),
                ((self.repo, "--timeout", "inf"), ("--timeout",)), ((self.repo, "--memory", "0"), ("--memory",)),
                ((self.repo, *["--probe", probe] * 201), ("at most 200 probes",))):
            with self.subTest(arguments[:4]):
                self.assert_refused(self.airlock("gather", *arguments), *words)
        self.assertFalse(self.home.exists())

    def test_a_limit_that_is_no_number_is_refused(self):
        for option in ("--timeout", "--memory"):
            with self.subTest(option):
                self.assert_refused(self.gather(self.probe(), options=(option, "nan")), option)

    def test_help_has_an_example(self):
        done = self.airlock("gather", "--help")
        self.assertEqual(done.code, 0)
        self.assertIn("Example:\n  airlock gather ", done.out)

    def test_the_examples_run(self):
        probes = [ROOT / "examples" / "probes" / name for name in ("licences.py", "python_imports.py")]
        (self.repo / "LICENSE").write_text("MIT License\n")
        (self.repo / "b.py").write_text("# SPDX-License-Identifier: Apache-2.0\nimport os, requests\n")
        done = self.gather(*probes)
        self.assertEqual((done.code, set(done.statuses().values())), (0, {"ran"}))
        self.assertEqual(self.gather(ROOT / "examples" / "probes" / "settings.py").status("settings"), "failed")
        self.assertEqual(done.facts("licences"), {"files": {"LICENSE": "MIT"}, "spdx": {"Apache-2.0": 1}})
        self.assertEqual(done.facts("python_imports"), {"modules": 2, "outside_the_standard_library": {"requests": 1}})

    def test_no_isolation_is_exit_3_and_nothing_ran(self):
        copy = self.folder / "airlock"
        shutil.copy2(AIRLOCK, copy)  # and no airlock-host beside it
        done = subprocess.run([copy, "gather", self.repo, "--probe", self.probe()], env=self.place.environment, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), r"\Aairlock: ")


# ── 2. Bad returns ───────────────────────────────────────────────────────────────────────────────


def deep(expression):
    return f"return ProbeOutput({{'a': [{{'b': {expression}}}]}})"


AT = r" at \(schema_slice, a, 0, b\)"
NAMED = r"\ASecretLikelyFieldNameError: \S+ at \(schema_slice, a, 0, b, "


class Returns(Together):
    BODIES = {
        "bytes": (deep("b'x'"), r"\AJSONValueError: bytes" + AT),
        "bytearray": (deep("bytearray(b'x')"), r"\AJSONValueError: bytearray" + AT),
        "callable": (deep("len"), r"\AJSONValueError: builtin_function_or_method" + AT),
        "lambda": (deep("lambda: 1"), r"\AJSONValueError: function" + AT),
        "class": (deep("str"), r"\AJSONValueError: type" + AT),
        "set": (deep("{1}"), r"\AJSONValueError: set" + AT),
        "frozenset": (deep("frozenset()"), r"\AJSONValueError: frozenset" + AT),
        "tuple": (deep("(1,)"), r"\AJSONValueError: tuple" + AT),
        "decimal": (deep("__import__('decimal').Decimal(1)"), r"\AJSONValueError: Decimal" + AT),
        "datetime": (deep("__import__('datetime').datetime(2020, 1, 1)"), r"\AJSONValueError: datetime" + AT),
        "path": (deep("repo.root"), r"\AJSONValueError: PosixPath" + AT),
        "nan": (deep("float('nan')"), r"\AJSONValueError: a number that is not finite" + AT),
        "infinity": (deep("float('inf')"), r"\AJSONValueError: a number that is not finite" + AT),
        "minus_infinity": (deep("-float('inf')"), r"\AJSONValueError: a number that is not finite" + AT),
        "complex": (deep("1j"), r"\AJSONValueError: complex" + AT),
        "key_of_int": (deep("{1: 2}"), r"\AJSONValueError: a key of type int" + AT),
        "key_of_none": (deep("{None: 2}"), r"\AJSONValueError: a key of type NoneType" + AT),
        "key_of_bool": (deep("{True: 2}"), r"\AJSONValueError: a key of type bool" + AT),
        "object": (deep("object()"), r"\AJSONValueError: object" + AT),
        "str_subclass": (deep("type('Text', (str,), {})('x')"), r"\AJSONValueError: Text" + AT),
        "int_subclass": (deep("type('Number', (int,), {})(1)"), r"\AJSONValueError: Number" + AT),
        "dict_subclass": (deep("__import__('collections').OrderedDict()"), r"\AJSONValueError: OrderedDict" + AT),
        "list_subclass": (deep("type('Many', (list,), {})()"), r"\AJSONValueError: Many" + AT),
        "enumeration": (deep("__import__('enum').IntEnum('E', 'A')(1)"), r"\AJSONValueError: E" + AT),
        "cyclic_list": ("a = []\na.append(a)\nreturn ProbeOutput({'a': [a]})", r"\A\w+Error: .*(deep|itself)"),
        "cyclic_dict": ("a = {}\na['x'] = a\nreturn ProbeOutput({'a': [a]})", r"\A\w+Error: .*(deep|itself)"),
        "very_deep": ("a = 1\nfor _ in range(100000): a = [a]\nreturn ProbeOutput({'a': a})", r"\A\w+Error: .*deep"),
        "one_too_deep": ("a = 1\nfor _ in range(127): a = [a]\nreturn ProbeOutput({'a': a})", r"\ADepthError: This is nested more than 128 levels"),
        "half_a_pair": (deep(r"'\ud800'"), "surrogate"),
        "half_a_pair_in_a_key": (deep(r"{'\udfff': 1}"), "surrogate"),
        "nul": (deep(r"'a\0b'"), r"\AEncodingError: There is a NUL character here\. .*" + AT),
        "too_large_a_number": (deep("2 ** 64"), r"\AJSONValueError: This number is out of range.*" + AT),
        "too_small_a_number": (deep("-2 ** 63 - 1"), r"\AJSONValueError: This number is out of range.*" + AT),
        "five_thousand_digits": (deep("10 ** 5000"), "digits|out of range"),
        "token": (deep("{'github_token': 1}"), r"\ASecretLikelyFieldNameError: github_token at \(schema_slice, a, 0, b, github_token\)\Z"),
        "token_full_width": (deep(r"{'\uff47ithub_\uff54oken': 1}"), NAMED),
        "token_zero_width": (deep(r"{'github_to\u200bken': 1}"), NAMED + r"github_to<U\+200B>ken\)"),
        "token_soft_hyphen": (deep(r"{'PASS\u00adWORD': 1}"), NAMED),
        "token_accents": (deep(r"{'githu\u0301b_to\u0301ken': 1}"), NAMED),
        "token_mathematical": (deep(r"{'\U0001d42d\U0001d428\U0001d424\U0001d41e\U0001d427': 1}"), NAMED),
        "token_upper_case": (deep("{'API-KEY': 1}"), NAMED),
        "tokenizer": (deep("{'tokenizer': 1}"), NAMED),
        "text_of_5_mb": ("return ProbeOutput({'a': 'x' * 5_000_000})", r"\ASizeError: This string has 5000000 bytes.* at \(schema_slice, a\)"),
        "40_mb_in_pieces": ("return ProbeOutput({'a': ['x' * 1_000_000] * 40})", r"\A(OutputLimit|Size)Error: .*larger than 33554432 bytes"),
        "long_key": ("return ProbeOutput({'x' * 600: 1})", r"\ASizeError: This key has 600 bytes"),
        "confidence_unknown": ("return ProbeOutput({}, confidence='unknown')", r"\AConfidenceError: .* at \(confidence\)"),
        "confidence_true": ("return ProbeOutput({}, confidence=True)", r"\AConfidenceError: .*boolean.* at \(confidence\)"),
        "confidence_none": ("return ProbeOutput({}, confidence=None)", r"\AConfidenceError: .*null.* at \(confidence\)"),
        "confidence_upper_case": ("return ProbeOutput({}, confidence='High')", r"\AConfidenceError: .* at \(confidence\)"),
        "confidence_list": ("return ProbeOutput({}, confidence=['high'])", r"\AConfidenceError: .*list.* at \(confidence\)"),
        "slice_list": ("return ProbeOutput([])", r"\AJSONValueError: 'schema_slice' must be an object; this is a list"),
        "slice_none": ("return ProbeOutput(None)", r"\AJSONValueError: 'schema_slice' must be an object; this is null"),
        "artifacts_text": ("return ProbeOutput({}, 'abc')", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is a string"),
        "artifacts_number": ("return ProbeOutput({}, [1])", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; .* at \(raw_artifacts, 0\)"),
        "artifacts_none": ("return ProbeOutput({}, None)", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is null"),
        "artifacts_dict": ("return ProbeOutput({}, {'a': 1})", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is an object"),
        "artifacts_bytes": ("return ProbeOutput({}, [b'a'])", r"\AJSONValueError: bytes at \(raw_artifacts, 0\)"),
        "duration_text": ("return ProbeOutput({}, duration_ms='1')", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_negative": ("return ProbeOutput({}, duration_ms=-1)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_fraction": ("return ProbeOutput({}, duration_ms=1.5)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_true": ("return ProbeOutput({}, duration_ms=True)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_none": ("return ProbeOutput({}, duration_ms=None)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_nan": ("return ProbeOutput({}, duration_ms=float('nan'))", r"\AJSONValueError: a number that is not finite at \(duration_ms\)"),
        "warnings_text": ("return ProbeOutput({}, warnings='abc')", r"\AJSONValueError: 'warnings' must be a list of strings; this is a string"),
        "warnings_number": ("return ProbeOutput({}, warnings=[1])", r"\AJSONValueError: 'warnings' must be a list of strings; .* at \(warnings, 0\)"),
        "errors_none": ("return ProbeOutput({}, errors=None)", r"\AJSONValueError: 'errors' must be a list of strings; this is null"),
        "errors_tuple": ("return ProbeOutput({}, errors=('a',))", r"\AJSONValueError: tuple at \(errors\)"),
        "no_probe_output": ("return {'schema_slice': {}}", r"\AContractError: run\(\) returned dict, expected ProbeOutput"),
        "nothing": ("pass", r"\AContractError: run\(\) returned NoneType, expected ProbeOutput"),
        "a_generator": ("yield ProbeOutput({})", r"\AContractError: run\(\) returned generator, expected ProbeOutput"),
        "an_exception": ("return ValueError('x')", r"\AContractError: run\(\) returned ValueError, expected ProbeOutput"),
        "fields_taken_out": ("a = ProbeOutput({})\ndel a.__dict__['confidence']\ndel a.__dict__['schema_slice']\nreturn a", r"\AAttributeError: "),
        "a_property_that_raises": ("class Odd(ProbeOutput):\n    schema_slice = property(lambda self: 1 / 0, lambda self, value: None)\nreturn Odd({})",
                                   r"\AZeroDivisionError: "),
        "a_type_named_like_a_secret": (f"return ProbeOutput({{'a': type('{TOKEN}', (), {{}})()}})",
                                       r"\AJSONValueError: <REDACTED:fingerprint=[0-9a-f]{8}> at \(schema_slice, a\)"),
        "a_key_that_is_a_secret": (f"return ProbeOutput({{'token_{TOKEN}': 1}})", r"\ASecretLikelyFieldNameError: \S*<REDACTED:fingerprint=[0-9a-f]{8}>"),
        "artifact_missing": ("return ProbeOutput({}, ['no.txt'])", r"\AArtifactError: 'no.txt': there is no such file in the output folder"),
        "artifact_folder": ("(ctx.output_dir / 'd').mkdir()\nreturn ProbeOutput({}, ['d'])", r"\AArtifactError: 'd': it is no file"),
        "artifact_link": ("os.symlink('/etc/passwd', ctx.output_dir / 'l')\nreturn ProbeOutput({}, ['l'])", r"\APermissionError: "),
        "artifact_link_inside": ("(ctx.output_dir / 't').write_text('x')\nos.link(ctx.output_dir / 't', ctx.output_dir / 'l')\nos.symlink('t', ctx.output_dir / 's')\n"
                                 "return ProbeOutput({}, ['s'])", r"\APermissionError: "),
        "artifact_of_the_repository": ("return ProbeOutput({}, [repo.root / 'a.py'])", r"\AArtifactError: .*it does not lie in the output folder"),
        "artifact_absolute": ("return ProbeOutput({}, ['/etc/passwd'])", r"\AArtifactError: '/etc/passwd': it does not lie in the output folder"),
        "artifact_above": ("(ctx.workspace / 'x').write_text('x')\nreturn ProbeOutput({}, ['../workspace/x'])", r"\AArtifactError: .*it does not lie in the output folder"),
        "artifact_above_again": ("(ctx.output_dir / 'd').mkdir()\nreturn ProbeOutput({}, [ctx.output_dir / 'd/../../workspace/x'])", r"\AArtifactError: "),
        "artifact_empty_name": ("return ProbeOutput({}, [''])", r"\AArtifactError: "),
        "artifact_odd_name": (r"return ProbeOutput({}, ['a\0b'])", r"\AEncodingError: .* at \(raw_artifacts, 0\)"),
        "artifact_long_name": ("return ProbeOutput({}, ['x' * 5000])", r"\A(Artifact|Size)Error: "),
        "artifact_fifo": ("os.mkfifo(ctx.output_dir / 'f')\nreturn ProbeOutput({}, ['f'])", r"mknod|ArtifactError"),
        "artifact_of_70_mb": ("with open(ctx.output_dir / 'b', 'wb') as file:\n    for _ in range(70): file.write(b'x' * 1_000_000)\nreturn ProbeOutput({}, ['b'])",
                              "larger than 64 MiB|too large|size limit"),
        "artifacts_too_many": ("(ctx.output_dir / 'a').write_text('x')\nreturn ProbeOutput({}, ['a'] * 1001)", r"\AArtifactError: more than 1000 artifacts"),
        "artifact_named_like_a_secret": (f"(ctx.output_dir / '{TOKEN}').write_text('x')\nreturn ProbeOutput({{}}, ['{TOKEN}'])",
                                         r"\AArtifactError: the name of an artifact holds a path or a secret"),
    }

    def test_all_of_them_are_there_and_the_run_is_judged_refused(self):
        self.assertEqual(self.done.code, 1)
        self.assertEqual(set(self.done.statuses()), set(self.BODIES))
        self.assertNotIn(TOKEN, self.done.out)

    def test_every_wrong_place_is_named(self):
        done = self.gather(self.probe(run="return ProbeOutput({'a': b'1', 'b': [{1}, {'token': 2}], 'c': ()})"))
        errors = done.report["outputs"]["p"]["errors"]
        self.assertEqual(sorted(errors), ["JSONValueError: bytes at (schema_slice, a)", "JSONValueError: set at (schema_slice, b, 0)",
                                          "JSONValueError: tuple at (schema_slice, c)"])

    def test_half_a_pair_is_said_as_the_door_says_it(self):
        """The author knows no Result['output']; the contract calls this an EncodingError, with a place like every other."""
        self.assert_failed(self.done, "half_a_pair", r"\AEncodingError: .*" + AT)

    def test_500_mb_of_text(self):
        """The limit is what went wrong, not a system call that nobody made."""
        done = self.gather(self.probe(run="return ProbeOutput({'a': 'x' * 500_000_000})"),
                           self.probe("more", "return ProbeOutput({'a': ['x' * 1_000_000] * 500})"))
        self.assert_failed(done, "more", r"\A(OutputLimit|Size)Error: ")
        self.assert_failed(done, "p", r"\A(OutputLimit|Size|Memory)Error: ")

    def test_an_awaitable_that_never_ends(self):
        text = ("import asyncio\nfrom airlock.probe import Probe\nclass It(Probe):\n    name = 'p'\n    timeout_seconds = 0.3\n"
                "    async def run(self, repo, ctx):\n        await asyncio.Event().wait()\n")
        self.assert_failed(self.gather(self.place.file("p.py", text)), "p", r"\ATimeoutError: Execution timed out after 0\.3s")

    def test_as_deep_as_is_allowed(self):
        """128 levels: the document, the slice, and 126 lists."""
        done = self.gather(self.probe(run="a = 1\nfor _ in range(126): a = [a]\nreturn ProbeOutput({'a': a})"))
        self.assert_ran(done)

    def test_a_reason_is_not_cut_inside_a_character(self):
        done = self.gather(self.probe(run="raise ValueError('x' + 'é' * 900)"), self.probe("q", "raise ValueError('€' * 900)"))
        for name in ("p", "q"):
            self.assertNotIn("\ufffd", done.execution(name)["reason"])

    def test_equal_keys_after_normalisation_are_both_kept(self):
        facts = r"{'e\u0301': 1, '\u00e9': 2, '/home/ann/x': 3, '/home/bob/x': 4}"
        done = self.gather(self.probe(run=f"return ProbeOutput({{'a': {facts}}})"))
        self.assert_ran(done)
        self.assertEqual(sorted(done.facts("p")["a"].values()), [1, 2, 3, 4])
        self.assertNotRegex(done.out, "ann|bob")

    def test_good_values_come_back_as_they_were(self):
        facts = {"t": True, "n": None, "i": -2 ** 63, "u": 2 ** 64 - 1, "f": 1.5, "e": "", "l": [], "d": {}, "ü": "€ \U0001f600", "references_secrets": 3,
                 "exp": 1e300, "a\"b\\c": "\t\n"}
        done = self.gather(self.probe(run=f"return ProbeOutput({facts!r}, confidence='medium', duration_ms=7, warnings=['w'], errors=['e'])"))
        self.assert_ran(done)
        output = done.report["outputs"]["p"]
        self.assertEqual(output, {"schema_slice": facts, "raw_artifacts": [], "confidence": "medium", "duration_ms": 7, "warnings": ["w"], "errors": ["e"]})

    def test_a_key_may_have_a_line_end_as_at_the_door(self):
        """`airlock admit` takes it, and names of files are keys often enough."""
        done = self.gather(self.probe(run=r"return ProbeOutput({'sizes': {'new\nline.py': 1}})"))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"sizes": {"new\nline.py": 1}})

    def test_relative_paths_are_facts_and_stay(self):
        """/output and /workspace are places inside; ../output/app.js of a build script is none of them."""
        paths = ["lib/repository/x.py", "src/output/b", "./workspace/c", "../output/app.js", "../../workspace/lib", "../repository/x", "http://h/repository/y",
                 "/repository2/a", "output/a"]
        done = self.gather(self.probe(run=f"return ProbeOutput({{'p': {paths!r}}})"))
        self.assertEqual(done.facts("p")["p"], paths)

    def test_secrets_and_homes_in_facts_warnings_and_errors(self):
        said = f"{TOKEN} /home/ann/x.py /Users/ann/y file:///root/z {self.repo}/a.py"
        done = self.gather(self.probe(run=f"return ProbeOutput({{'v': [{said!r}], {'/home/ann/k'!r}: 1}}, warnings=[{said!r}], errors=[{said!r}])"))
        self.assert_ran(done)
        self.assertNotRegex(done.out, f"{TOKEN}|ann|/root|{self.folder}")
        self.assertEqual(len(re.findall(r"<REDACTED:fingerprint=[0-9a-f]{8}> x\.py y \S*z a\.py", done.out)), 3)


Returns.make_tests("returns", lambda self, name, *words: self.assert_failed(self.done, name, *words))


class Artifacts(Case):
    WRITES = (f"(ctx.output_dir / 'sub').mkdir()\n(ctx.output_dir / 'sub' / 'a.bin').write_bytes(b'\\xff\\x00 {TOKEN} /home/ann/x ' + bytes(repo.root) + b'/a.py\\r\\n')\n"
              "(ctx.output_dir / 'plain').write_bytes(bytes(range(256)))\n(ctx.output_dir / 'empty').touch()\n"
              "return ProbeOutput({'n': 3}, ['sub/a.bin', ctx.output_dir / 'plain', str(ctx.output_dir / 'empty')])")

    def check(self, folder):
        files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        self.assertEqual(set(files), {"p/sub/a.bin", "p/plain", "p/empty"})
        self.assertRegex(files["p/sub/a.bin"].read_bytes(), rb"\A\xff\x00 <REDACTED:fingerprint=[0-9a-f]{8}> x a\.py\r\n\Z")
        self.assertEqual(files["p/plain"].read_bytes(), bytes(range(256)))
        self.assertEqual(files["p/empty"].read_bytes(), b"")
        for path in files.values():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_they_are_written_redacted_and_come_back_on_a_hit(self):
        for status in ("ran", "cache_hit"):
            done = self.gather(self.probe(run=self.WRITES), options=("--artifacts", self.folder / status))
            self.assertEqual((done.code, done.status("p")), (0, status))
            self.assertEqual(done.report["outputs"]["p"]["raw_artifacts"], ["sub/a.bin", "plain", "empty"])
            self.check(self.folder / status)

    def test_without_a_folder_for_them_it_is_said(self):
        done = self.gather(self.probe(run=self.WRITES), form="text")
        self.assertEqual(done.err, "airlock: the artifacts are not written anywhere: --artifacts DIR does that\n")
        self.assertTrue(done.out.endswith("3 probes with facts, 3 artifacts\n"))

    def test_a_link_in_the_folder_for_them_is_not_followed(self):
        (self.folder / "victim").mkdir()
        (self.folder / "to").mkdir()
        (self.folder / "to" / "p").symlink_to(self.folder / "victim")
        done = self.gather(self.probe(run=self.WRITES), options=("--artifacts", self.folder / "to"))
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, r"\Aairlock: in .*/to: ")
        self.assertEqual(list((self.folder / "victim").iterdir()), [])

    def test_artifacts_that_are_not_named_are_not_kept(self):
        run = "(ctx.output_dir / 'left').write_text('x')\nreturn ProbeOutput({})"
        self.assert_ran(self.gather(self.probe(run=run), options=("--artifacts", self.folder / "to")))
        self.assertEqual(list((self.folder / "to").rglob("*")), [])

    def usage_of(self, run=OK, head=""):
        """What airlock has used, or the largest of what it has waited for."""
        command = self.place.command(["gather", self.repo, "--probe", self.probe(run=run, head=head), "--no-cache", "--format", "json"])
        with open(self.folder / "report", "wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=self.place.environment)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
        return usage

    def test_holes_do_not_fill_the_memory_of_the_host(self):
        """The output folder has 128 MiB. Files of holes have any size: 1000 of 64 MiB would be 64 GB in airlock's memory."""
        run = ("for i in range(6):\n    with open(ctx.output_dir / f'f{i}', 'wb') as file: file.truncate(60 << 20)\n"
               "return ProbeOutput({}, [f'f{i}' for i in range(6)])")
        self.assertLess(self.usage_of(run).ru_maxrss, 300 * 1024)

    def test_one_file_named_often_does_not_fill_the_memory_of_the_host(self):
        run = "with open(ctx.output_dir / 'f', 'wb') as file: file.truncate(60 << 20)\nreturn ProbeOutput({}, ['f'] * 6)"
        self.assertLess(self.usage_of(run).ru_maxrss, 300 * 1024)

    def test_a_description_does_not_fill_the_memory_of_the_host(self):
        """It is some short texts. One of 30 MB is not to be made into objects, for each of the jobs."""
        head = "import airlock._answer\nairlock._answer.describe = lambda probe: {'name': [[]] * 10_000_000}\n"
        self.assertLess(self.usage_of(head=head).ru_maxrss, 400 * 1024)

    def test_many_findings_do_not_hold_up_the_run(self):
        """60,000 tokens are 2.5 MB; 64 MiB may come. Whatever is done with each must not depend on how many there are."""
        run = ("import random, string\nchance = random.Random(1)\nwith open(ctx.output_dir / 'a', 'w') as file:\n"
               "    for _ in range(60_000): file.write('ghp_' + ''.join(chance.choices(string.ascii_letters + string.digits, k=36)) + '\\n')\n"
               "return ProbeOutput({}, ['a'])")
        self.assertLess(self.usage_of(run).ru_utime, 2.5, "seconds of processor time")


# ── 3. Bad behaviour ─────────────────────────────────────────────────────────────────────────────


class Behaviour(Together):
    OPTIONS = ("--timeout", "20")
    BODIES = {
        "prints_a_gigabyte": ("for _ in range(1000): print('x' * 1_000_000)\n" + OK, r"\AOutputLimitError: More than 10 MB were printed"),
        "prints_to_stderr": ("sys.stderr.write('x' * 100_000_000)\n" + OK, r"\AOutputLimitError: More than 10 MB were printed"),
        "writes_to_tmp": ("open('/tmp/canary', 'w')\n" + OK, "FileNotFoundError|PermissionError|Read-only"),
        "writes_to_the_root": ("open('/canary', 'w')\n" + OK, "Read-only|PermissionError"),
        "writes_beside_its_folder": ("open(ctx.output_dir / '../canary', 'w')\n" + OK, "Read-only|PermissionError"),
        "writes_into_the_repository": ("(repo.root / 'canary').write_text('x')\n" + OK, r"\AOSError: \[Errno 30\] Read-only file system"),
        "changes_the_repository": ("open(repo.root / 'a.py', 'a')\n" + OK, r"\AOSError: \[Errno 30\] Read-only file system"),
        "empties_the_repository": ("os.truncate(repo.root / 'a.py', 0)\n" + OK, "Read-only|denied|not permitted"),
        "removes_from_the_repository": ("os.unlink(repo.root / 'a.py')\n" + OK, "Read-only|denied|not permitted"),
        "writes_by_a_link": ("open(repo.root / 'out_file', 'w')\n" + OK, "Read-only|No such file|denied"),
        "follows_a_link_to_a_file": ("return ProbeOutput({'t': (repo.root / 'out_file').read_text()})", r"\AFileNotFoundError: "),
        "follows_a_relative_link": ("return ProbeOutput({'t': (repo.root / 'out_relative').read_text()})", r"\AFileNotFoundError: "),
        "follows_a_link_to_a_folder": ("return ProbeOutput({'t': os.listdir(repo.root / 'out_folder')})", r"\AFileNotFoundError: "),
        "follows_a_link_to_etc": ("return ProbeOutput({'t': (repo.root / 'out_etc').read_text()})", r"\AFileNotFoundError: "),
        "climbs": ("return ProbeOutput({'t': (repo.root / '../../etc/passwd').read_text()})", r"\AFileNotFoundError: "),
        "opens_a_socket": ("import socket\nsocket.socket()\n" + OK, r"\ASandboxViolation: System call denied: socket at line \d+"),
        "connects_to_the_repository": ("import socket\nsocket.socket(socket.AF_UNIX).connect(str(repo.root / 'socket'))\n" + OK, r"\ASandboxViolation: System call denied: socket"),
        "asks_for_a_name": ("import socket\nsocket.getaddrinfo('localhost', 80)\n" + OK, "denied|gaierror"),
        "forks": ("os.fork()\n" + OK, r"\ASandboxViolation: System call denied: clone at line \d+"),
        "starts_a_thread": ("import threading\nthreading.Thread(target=print).start()\n" + OK, r"\ASandboxViolation: System call denied: clone3? at line \d+"),
        "execs": ("os.execv('/usr/bin/python3', ['python3'])\n" + OK, r"\ASandboxViolation: System call denied: execve at line \d+"),
        "runs_a_program": ("import subprocess\nsubprocess.run(['/bin/true'])\n" + OK, r"\ASandboxViolation: System call denied: "),
        "ptrace_by_ctypes": ("import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\n" + OK, r"\ASandboxViolation: System call denied: ptrace at line \d+"),
        "mount_by_ctypes": ("import ctypes\nctypes.CDLL(None).mount(b'none', b'/repository', b'tmpfs', 0, None)\n" + OK, r"\ASandboxViolation: System call denied: mount"),
        "swallows_the_refusal": ("try:\n    import socket\n    socket.socket()\nexcept BaseException: pass\n" + OK, r"\ASandboxViolation: System call denied: socket"),
        "segmentation_fault": ("import ctypes\nctypes.string_at(0)", r"\ACrashError: .*signal 11 \(Segmentation fault\)"),
        "abort": ("os.abort()", "signal"),
        "kills_itself": ("os.kill(os.getpid(), 9)\n" + OK, r"\ASandboxViolation: System call denied: kill"),
        "kills_everybody": ("os.kill(-1, 9)\n" + OK, r"\ASandboxViolation: System call denied: kill"),
        "os_exit": ("os._exit(0)", r"\ACrashError: .*it exited with code 0"),
        "sys_exit": ("sys.exit(0)", r"\ASystemExit: 0 \(line 9\)"),
        "system_exit": ("raise SystemExit('bye')", r"\ASystemExit: bye \(line 9\)"),
        "keyboard_interrupt": ("raise KeyboardInterrupt", r"\AKeyboardInterrupt\b.*\(line 9\)"),
        "generator_exit": ("raise GeneratorExit('x')", r"\AGeneratorExit: x \(line 9\)"),
        "base_exception": ("raise BaseException('x')", r"\ABaseException: x \(line 9\)"),
        "an_exception_that_cannot_be_shown": ("class Odd(Exception):\n    def __str__(self): raise self\nraise Odd", r"\AOdd: "),
        "recursion": ("def again(): return again()\nagain()", r"\ARecursionError: "),
        "all_memory": ("a = []\nwhile True: a.append(bytearray(10_000_000))", r"\AMemoryError: Memory limit of 512 MB reached"),
        "fork_at_exit": ("import atexit\natexit.register(os.fork)\nraise ValueError('x')", r"\AValueError: x"),
        "accounts": ("return ProbeOutput({'t': open('/etc/passwd').read()})", r"\AFileNotFoundError: "),
        "proc": ("return ProbeOutput({'t': os.listdir('/proc')})", r"\AFileNotFoundError: "),
        "environ_in_proc": ("return ProbeOutput({'t': open('/proc/self/environ').read()})", r"\AFileNotFoundError: "),
        "the_root": ("return ProbeOutput({'t': os.listdir('/')})", r"\APermissionError: "),
        "the_home": ("return ProbeOutput({'t': os.listdir(HOME)})", r"\AFileNotFoundError: "),
        "the_state": ("return ProbeOutput({'t': os.listdir(HOME + '/state')})", r"\AFileNotFoundError: "),
        "other_probes_source": ("return ProbeOutput({'t': open(HOME + '/forks.py').read()})", r"\AFileNotFoundError: "),
        "a_device": ("return ProbeOutput({'t': open(repo.root / 'zero', 'rb').read(4).hex()})", r"\A(PermissionError|FileNotFoundError): "),
        "a_fifo": ("os.open(repo.root / 'fifo', os.O_RDONLY | os.O_NONBLOCK)\nraise ValueError('opened')", r"."),
    }

    @classmethod
    def prepare(cls, place):
        outside = place.folder / "outside"
        outside.mkdir()
        (outside / "text").write_text("OUTSIDE")
        for name, target in (("out_file", outside / "text"), ("out_folder", outside), ("out_relative", "../outside/text"), ("out_etc", "/etc/passwd")):
            (place.repo / name).symlink_to(target)
        os.mkfifo(place.repo / "fifo")
        cls.listener = socket.socket(socket.AF_UNIX)
        cls.addClassCleanup(cls.listener.close)
        here = os.getcwd()
        os.chdir(place.repo)  # a socket's name is short
        cls.listener.bind("socket")
        os.chdir(here)
        cls.listener.listen()
        if IS_ROOT:
            try:
                os.mknod(place.repo / "zero", stat.S_IFCHR | 0o666, os.makedev(1, 5))
            except OSError:
                pass

    @classmethod
    def sources(cls):
        return {name: probe_source(body, name, head=f"HOME = {str(cls.shared.folder)!r}\n").replace("\n\n\nclass", "\nclass", 1)
                for name, (body, *_) in cls.BODIES.items()}

    def test_nothing_was_written_anywhere(self):
        self.assertEqual(sorted(path.name for path in self.shared.folder.iterdir()), sorted([*self.before, "state"]))
        self.assertEqual((self.shared.repo / "a.py").read_text(), "print(1)\n")
        self.assertEqual((self.shared.folder / "outside" / "text").read_text(), "OUTSIDE")
        self.assertFalse((self.shared.repo / "canary").exists() or os.path.exists("/tmp/canary") or os.path.exists("/canary"))
        self.assertNotIn("OUTSIDE", self.done.out)
        self.assertNotIn("root:", self.done.out)

    HONEST = """
        import asyncio, bz2, configparser, csv, difflib, glob, gzip, hashlib, io, logging, lzma, mmap, multiprocessing, pickle, platform, random
        import secrets, shutil, sqlite3, tarfile, tempfile, tokenize, tomllib, uuid, xml.etree.ElementTree as tree, zipfile
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
            file.write(b'x')
        with zipfile.ZipFile(ctx.output_dir / 'a.zip', 'w') as file:
            file.writestr('a', 'b')
        with zipfile.ZipFile(ctx.output_dir / 'a.zip') as file:
            file.extractall(ctx.workspace / 'zip')
        with tarfile.open(ctx.output_dir / 'a.tgz', 'w:gz') as file:
            file.add(ctx.output_dir / 'a.zip', 'a.zip')
        with tarfile.open(ctx.output_dir / 'a.tgz') as file:
            file.extractall(ctx.workspace / 'tar')
        base = sqlite3.connect(ctx.workspace / 'x.db')
        base.execute('create table a(b)')
        base.execute('insert into a values (1)')
        base.commit()
        base.close()
        base = sqlite3.connect(f'file:{repo.root}/t.db?mode=ro', uri=True)
        rows = base.execute('select * from a').fetchall()
        shutil.copytree(repo.root / 'sub', ctx.workspace / 'sub')
        shutil.rmtree(ctx.workspace / 'sub')
        shutil.copy2(repo.root / 'a.py', ctx.output_dir / 'a.py')
        with open(repo.root / 'a.py', 'rb') as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            first = memory[:1].decode()
        ctx.logger.info('seen')
        platform.platform(), uuid.uuid4(), random.random(), secrets.token_hex(), hashlib.sha256(b'x'), lzma.compress(b'x'), pickle.dumps([1])
        tomllib.loads('a = 1'), tree.fromstring('<a/>'), glob.glob(str(repo.root / '*')), list(tokenize.tokenize(io.BytesIO(b'a = 1').readline))
        async def both():
            return await asyncio.gather(asyncio.sleep(0.001, 1), asyncio.sleep(0.001, 2))
        return ProbeOutput({'rows': [list(row) for row in rows], 'first': first, 'both': asyncio.run(both())})
    """

    def test_what_honest_probes_do_with_the_standard_library(self):
        (self.repo / "sub").mkdir()
        (self.repo / "sub" / "b").write_text("b")
        base = sqlite3.connect(self.repo / "t.db")
        base.execute("create table a(b)")
        base.execute("insert into a values (7)")
        base.commit()
        base.close()
        done = self.gather(self.probe(run=textwrap.dedent(self.HONEST)))
        self.assert_ran(done)
        self.assertEqual((done.facts("p")["rows"], done.facts("p")["both"]), ([[7]], [1, 2]))

    def test_the_environment_is_empty(self):
        done = self.gather(self.probe(run="return ProbeOutput({'e': dict(os.environ), 'a': sys.argv, 'u': os.getuid() > 0, 'h': os.uname().nodename})"))
        self.assertEqual(done.facts("p"), {"e": {"TMPDIR": "."}, "a": [""], "u": True, "h": "cell"})  # its workspace

    def test_its_folders_are_there_empty_and_its_own(self):
        run = ("for folder in (ctx.output_dir, ctx.workspace):\n    assert os.listdir(folder) in ([], ['cache']), folder\n    (folder / 'mine').write_text('x')\n"
               "return ProbeOutput({'o': os.listdir(ctx.output_dir)})")
        done = self.gather(self.probe("one", run), self.probe("two", run, "requires = ['one']"), self.probe("three", run, "requires = ['one']"))
        self.assertEqual(done.statuses(), {"one": "ran", "two": "ran", "three": "ran"}, done.out)

    def test_the_cache_folder_of_the_context_is_a_folder(self):
        """ProbeContext(cache_dir, output_dir, workspace, …): all three are folders of the probe's own."""
        done = self.gather(self.probe(run="(ctx.cache_dir / 'x').write_text('y')\nreturn ProbeOutput({'is': ctx.cache_dir.is_dir()})"))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"is": True})

    def test_a_folder_that_is_full_is_an_error_that_can_be_handled(self):
        run = ("import errno\nfull = {}\nfor place in ('output_dir', 'workspace'):\n    try:\n        for i in range(200):\n"
               "            with open(getattr(ctx, place) / f'f{i}', 'wb') as file: file.write(b'x' * 4_000_000)\n"
               "    except OSError as error:\n        full[place] = errno.errorcode[error.errno]\nreturn ProbeOutput(full)")
        before = shutil.disk_usage(self.folder).free
        done = self.gather(self.probe(run=run))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"output_dir": "ENOSPC", "workspace": "ENOSPC"})
        self.assertLess(before - shutil.disk_usage(self.folder).free, 300 << 20)  # others use this disk, too

    def test_a_file_that_grows_too_large_is_an_error_that_can_be_handled(self):
        """As in every Python: OSError, not the end by a signal."""
        run = ("try:\n    with open(ctx.workspace / 'f', 'wb') as file:\n        for _ in range(300): file.write(b'x' * 1_000_000)\n"
               "except OSError as error:\n    return ProbeOutput({'errno': error.errno})\nreturn ProbeOutput({})")
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_memory_that_was_given_back_costs_nothing(self):
        run = "try:\n    a = bytearray(900_000_000)\nexcept MemoryError:\n    return ProbeOutput({'caught': True})"
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_memory_is_what_was_asked_for(self):
        run = "a = bytearray(150_000_000)\n" + OK
        self.assert_failed(self.gather(self.probe(run=run), options=("--memory", "100")), "p", r"\AMemoryError: Memory limit of 100 MB reached")
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_a_probe_that_hangs_has_its_own_deadline(self):
        swallows = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
        done = self.gather(self.probe("a", "time.sleep(60)", "timeout_seconds = 0.3"), self.probe("b", swallows, "timeout_seconds = 0.4"),
                           self.probe("c", "sum(range(10 ** 12))", "timeout_seconds = 0.5"), self.probe("d"))
        self.assertLess(done.took, 10)
        for name, seconds in (("a", "0.3"), ("b", "0.4"), ("c", "0.5")):
            self.assert_failed(done, name, rf"\ATimeoutError: Execution timed out after {seconds}s")
        self.assertEqual(done.status("d"), "ran")

    def test_timeout_is_a_cap_on_what_a_probe_says(self):
        done = self.gather(self.probe(run="time.sleep(60)", attributes="timeout_seconds = 86400"), options=("--timeout", "0.5"))
        self.assertLess(done.took, 10)
        self.assert_failed(done, "p", r"\ATimeoutError: Execution timed out after 0\.5s")

    def test_timeout_is_a_cap_on_loading_and_on_questions(self):
        """--timeout: no probe gets more seconds, whatever it does with them."""
        probes = [self.place.file("body.py", "while True: pass\n"), self.probe("asks", attributes="def applies(self, repo, task):\n    time.sleep(60)"),
                  self.place.file("says.py", "import time\nfrom airlock.probe import Probe\nclass It(Probe):\n    @property\n    def name(self): time.sleep(60)\n")]
        try:
            done = self.gather(*probes, options=("--timeout", "0.5", "--jobs", "3"), seconds=6)
        except subprocess.TimeoutExpired:
            self.fail("a probe that was given 0.5 s has more than 6 s")
        self.assertEqual(set(done.statuses().values()), {"failed"})

    def test_what_it_printed_is_shown_scrubbed_when_it_failed(self):
        done = self.gather(self.probe(run=f"print('{TOKEN} /home/ann/x')\nctx.logger.info('logged')\n1 / 0"), form="text")
        self.assertRegex(done.out, r"\| <REDACTED:fingerprint=[0-9a-f]{8}> x\n")
        self.assertIn("| INFO logged\n", done.out)

    def test_waiting_probes_do_not_hold_more_memory_than_the_jobs_have(self):
        """--jobs 1 and --memory 200: what has described itself and waits must not keep its memory, or 200 probes need 100 GB."""
        probes = [self.probe(f"p{i}", head="held = bytearray(b'x') * 150_000_000") for i in range(6)]
        process = subprocess.Popen(self.place.command(["gather", self.repo, *[w for p in probes for w in ("--probe", p)], "--jobs", "1", "--memory", "200"]),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.place.environment)
        peak = 0
        while process.poll() is None:
            now = 0
            for pid, _ in descendants(process.pid):
                try:
                    found = re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
                except OSError:
                    continue
                now += int(found[1]) if found else 0
            peak = max(peak, now)
            time.sleep(0.02)
        self.assertEqual(process.returncode, 0)
        self.assertLess(peak // 1024, 450, "MB at once")


def check_behaviour(self, name, *words):
    if name == "a_device" and not (self.shared.repo / "zero").exists():
        self.skipTest("a device can only be made by root")
    self.assert_failed(self.done, name, *words)


Behaviour.make_tests("probe", check_behaviour)

FORGE = textwrap.dedent("""
    import ctypes, struct
    libc = ctypes.CDLL(None, use_errno=True)
    libc.sendmsg.restype = ctypes.c_ssize_t
    class Part(ctypes.Structure):
        _fields_ = [("at", ctypes.c_char_p), ("size", ctypes.c_size_t)]
    class Envelope(ctypes.Structure):
        _fields_ = [("name", ctypes.c_void_p), ("name_size", ctypes.c_uint), ("parts", ctypes.POINTER(Part)), ("count", ctypes.c_size_t),
                    ("control", ctypes.c_void_p), ("control_size", ctypes.c_size_t), ("flags", ctypes.c_int)]
    def text(value): return struct.pack("<I", len(value)) + value
    def outcome(value=b"", success=1, kind=b"", error=b"", out=b"", err=b""):
        return (b"O" + bytes([success]) + text(value) + text(kind) + text(error) + struct.pack("<II", 0, 0) + text(out) + text(err)
                + struct.pack("<II", 0, 0))
    def send(message):
        data = struct.pack("<I", len(message)) + message
        while data:
            part = Part(data[:65536], min(len(data), 65536))
            sent = libc.sendmsg(0, ctypes.byref(Envelope(None, 0, ctypes.pointer(part), 1, None, 0, 0)), 0x4000)
            if sent > 0: data = data[sent:]
            elif ctypes.get_errno() != 11: raise OSError(ctypes.get_errno())
    def say(message):
        send(message)
        time.sleep(20)
""")
DOCUMENT = '{"schema_slice":{"a":1},"raw_artifacts":[],"confidence":"high","duration_ms":1,"warnings":[],"errors":[]}'


class Forged(Case):
    """The guest's end of the wire is in the guest's hands: with ctypes it says whatever it wants."""
    IN_MEMORY = True

    def say(self, value, **more):
        return self.gather(self.probe(run=f"say(outcome({value}))", head=FORGE, attributes="timeout_seconds = 5", **more), self.probe("other"))

    def test_an_answer_of_its_own_is_judged_like_any_other(self):
        done = self.say(repr(f'{{"output":{DOCUMENT}}}'.encode()))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"a": 1})

    def test_bytes_that_are_no_answer(self):
        cases = ((b"", "not understood"), (b"7", "not understood"), (b"null", "not understood"), (b'{"output":nonsense', "not understood"),
                 (b'{"output":nonsense}', "JSONValueError"), (b'{"output":}', "JSONValueError"), (b'{"output":{}}', "MissingFieldError"),
                 (b'{"output":' + DOCUMENT.encode() + b',"x":1}', "JSONValueError"),
                 (b'{"output":' + DOCUMENT.replace('"high"', '"' + "h" * 100000 + '"').encode() + b"}", "ConfidenceError"),
                 (b'{"output":' + DOCUMENT.replace('"errors":[]', '"errors":[],"judgement":"bad"').encode() + b"}", "UnknownFieldError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":1,"a":2').encode() + b"}", "DuplicateKeyError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', r'"a":"\ud800"').encode() + b"}", "EncodingError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":NaN').encode() + b"}", "JSONValueError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":1e999').encode() + b"}", "JSONValueError"),
                 (b'{"refused":[]}', "not understood"), (b'{"refused":5}', "not understood"), (b'{"refused":[1,{"path":5,"what":6}]}', "JSONValueError"),
                 (b'{"wrong":5}', "not understood"), (b'{"wrong":"' + TOKEN.encode() + b'"}', "REDACTED"))
        probes = [self.probe(f"p{number}", f"say(outcome({value!r}))", "timeout_seconds = 5", FORGE) for number, (value, _) in enumerate(cases)]
        done = self.gather(*probes, self.probe("other"), options=("--jobs", "4"))
        for number, (value, words) in enumerate(cases):
            with self.subTest(value[:80]):
                self.assert_failed(done, f"p{number}", words)
        self.assertEqual(done.status("other"), "ran")
        self.assertNotIn(TOKEN, done.out)

    def test_messages_that_are_none(self):
        messages = (r"b''", r"b'O'", r"b'O\x01\xff\xff\xff\xff'", r"b'Z' * 100", r"outcome(b'\xff\xfe')", r"outcome(b'', 7)")
        probes = [self.probe(f"p{number}", f"say({message})", "timeout_seconds = 5", FORGE) for number, message in enumerate(messages)]
        done = self.gather(*probes, self.probe("other"))
        for number, message in enumerate(messages):
            with self.subTest(message):
                self.assert_failed(done, f"p{number}", r"\ACrashError: .*not a result")
        self.assertEqual(done.status("other"), "ran")

    def test_a_message_that_is_too_long(self):
        """A length of 4 GB is announced, and nothing comes."""
        run = "data = struct.pack('<I', 0xfffffff0)\npart = Part(data, 4)\nlibc.sendmsg(0, ctypes.byref(Envelope(None, 0, ctypes.pointer(part), 1, None, 0, 0)), 0x4000)\ntime.sleep(20)"
        done = self.gather(self.probe(run=run, head=FORGE, attributes="timeout_seconds = 5"), self.probe("other"))
        self.assert_failed(done, "p", r"\ACrashError: .*not a result")
        self.assertEqual(done.status("other"), "ran")

    def test_a_failure_of_its_own_words(self):
        done = self.say(f"b'', 0, b'Err' * 100000, b'{TOKEN} /home/ann/x' * 1000, b'out' * 100000, b'err'")
        self.assert_failed(done, "p", r"\AErr")
        self.assertNotRegex(done.out, f"{TOKEN}|ann")

    def assert_survives(self, done, words):
        self.assertGreaterEqual(done.code, 0, "airlock itself was ended by a signal: one probe took all the others along")
        self.assert_failed(done, "p", words)
        self.assertIn(done.status("other"), ("ran", "cache_hit"))

    def test_deep_nesting_in_a_refusal_does_not_end_airlock(self):
        for before, after in ((b'{"refused":[{"what":', b'}]}'), (b'{"refused":[{"path":', b',"what":"x"}]}'), (b'{"wrong":', b'}'), (b'{"output":', b'}')):
            with self.subTest(before):
                done = self.say(f"{before!r} + b'[' * 200000 + b']' * 200000 + {after!r}")
                self.assert_survives(done, "Error: ")

    def test_deep_nesting_in_a_description_does_not_end_airlock(self):
        head = ("import os, time\n" + FORGE + "send(outcome(b''))\n"
                "send(outcome(b'{\"probe\":' + b'[' * 200000 + b']' * 200000 + b'}'))\ntime.sleep(20)\n")
        done = self.gather(self.place.file("p.py", head), self.probe("other"))
        self.assert_survives(done, "ContractError: ")

    def test_descriptions_are_checked_outside_again(self):
        good = {"name": "fine", "version": "1", "schema_version": "1", "layer": "", "tier": "base", "cache_strategy": "none", "applies_to_tasks": ["*"],
                "applies_to_languages": ["*"], "requires": [], "declared_inputs": [], "timeout_seconds": 1}
        for change, words in (({"name": "../../x"}, "'name' must be"), ({"name": 5}, "'name' must be text"), ({"name": "a\u202eb"}, "'name' must be"),
                              ({"timeout_seconds": -1}, "timeout_seconds"), ({"timeout_seconds": 1e300}, "timeout_seconds"), ({"timeout_seconds": "1"}, "timeout_seconds"),
                              ({"tier": "root"}, "'tier' must be"), ({"cache_strategy": 1}, "'cache_strategy' must be"), ({"requires": "x"}, "'requires' must be"),
                              ({"declared_inputs": [["x"]]}, "'declared_inputs' must hold"), ({"requires": ["x"] * 201}, "'requires' must be"), ({"layer": None}, "'layer' must be")):
            with self.subTest(change):
                text = f"import airlock._answer\nfrom airlock.probe import Probe\nairlock._answer.describe = lambda probe: {({**good, **change})!r}\nclass It(Probe): pass\n"
                self.assert_failed(self.gather(self.place.file("liar.py", text)), "liar", r"\AContractError: ", re.escape(words))


class Tampers(Together):
    """With what stands beside it in the cell."""
    BODIES = {
        "extra_field": ("run = lambda probe, request: {'output': {**GOOD, 'judgement': 1}}", r"\AUnknownFieldError: "),
        "no_fields": ("run = lambda probe, request: {'output': {}}", r"\AMissingFieldError: "),
        "a_number": ("run = lambda probe, request: {'output': 5}", r"\AJSONValueError: "),
        "huge_confidence": ("run = lambda probe, request: {'output': {**GOOD, 'confidence': 'high' * 100000}}", r"\AConfidenceError: "),
        "bytes": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': b'x'}}}", r"Error: "),
        "nan": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': float('nan')}}}", r"Error: "),
        "a_token": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': {'token': 1}}}}", r"\ASecretLikelyFieldNameError: token at "),
        "no_check": ("not_json = lambda value: []\ncontract.ProbeOutput = object", r"Error: "),
        "another_key": ("run = lambda probe, request: {'result': GOOD}", r"\AContractError: its answer is not understood"),
        "both": ("run = lambda probe, request: {'x': 1, 'output': GOOD}", r"\AContractError: its answer is not understood"),
        "none": ("run = lambda probe, request: None", r"Error: "),
        "text": ("run = lambda probe, request: '{\"output\": {}}'", r"Error: "),
        "odd_refusals": ("run = lambda probe, request: {'refused': [{'path': [[1, {'a': 2}], None], 'what': 'é' * 100}, 7, None]}", r"\AJSONValueError: "),
        "a_secret_refusal": (f"run = lambda probe, request: {{'refused': [{{'path': ['{TOKEN}'], 'what': '/home/ann/x'}}]}}", r"\AJSONValueError: x at \(<REDACTED"),
        "a_long_complaint": ("run = lambda probe, request: {'wrong': 'é' * 5000 + '\\x1b[2J'}", r"\AContractError: é"),
        "json_loads": ("json.loads = lambda text: {}", r"Error: "),
        "json_gone": ("import sys\nsys.modules['json'] = None\ndel sys.modules['airlock._answer'].json", r"Error: "),
        "artifact_above": ("run = lambda probe, request: {'output': {**GOOD, 'raw_artifacts': ['../workspace/x']}}", r"\AArtifactError: "),
        "artifact_number": ("run = lambda probe, request: {'output': {**GOOD, 'raw_artifacts': [7]}}", r"\AJSONValueError: "),
    }

    @classmethod
    def sources(cls):
        head = ("import airlock._answer as answer\nGOOD = {'schema_slice': {}, 'raw_artifacts': [], 'confidence': 'high', 'duration_ms': 1, 'warnings': [], 'errors': []}\n"
                "answer.GOOD = GOOD\nexec(BODY, vars(answer))\n")
        return {name: probe_source("return ProbeOutput({'a': b'x'})", name, head=head.replace("BODY", repr(body))) for name, (body, *_) in cls.BODIES.items()}

    def test_applies_that_is_forged(self):
        heads = {"words": "answer.bool = lambda value: 'yes'", "numbers": "answer.str = lambda value: 5",
                 "another": "loads = answer.json.loads\nanswer.json.loads = lambda text: {**loads(text), 'do': 'describe'}",
                 "unknown": "loads = answer.json.loads\nanswer.json.loads = lambda text: {**loads(text), 'do': loads(text)['do'].replace('applies', 'lie')}"}
        asks = "def applies(self, repo, task):\n    return True"
        done = self.gather(*[self.probe(name, attributes=asks, head="import airlock._answer as answer\n" + head) for name, head in heads.items()])
        for name in ("words", "another", "numbers"):
            self.assert_failed(done, name, r"Error: ")
        self.assert_failed(done, "unknown", r"\AContractError: unknown question lie")


Tampers.make_tests("tampering", lambda self, name, *words: self.assert_failed(self.done, name, *words))


def described(attributes, run=OK):
    return ("import time\nfrom airlock.probe import Probe, ProbeOutput\nclass It(Probe):\n    name = 'x'\n" + textwrap.indent(attributes, "    ") +
            "\n    def run(self, repo, ctx):\n        " + run + "\n")


SECONDS_WRONG = r"\AContractError: 'timeout_seconds' must be a number above 0, at most 86400\Z"


class Descriptions(Together):
    """What a probe says about itself, or its file is. The execution has the name of the file."""
    BODIES = {
        "name_slashes": (described("name = 'a/b'"), r"\AContractError: 'name' must be 1 to 64 of a-z, 0-9, _ and -, not 'a/b'"),
        "name_above": (described("name = '../../x'"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_upper_case": (described("name = 'Probe'"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_empty": (described("name = ''"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_of_10_mb": (described("name = 'x' * 10_000_000"), r"\AContractError: its answer is too large"),
        "name_of_65": (described("name = 'x' * 65"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_of_two_lines": (described("name = 'a\\nb'"), r"\AContractError: 'name' must be one line"),
        "name_number": (described("name = 7"), r"\AContractError: 'name' must be text, not int"),
        "name_that_raises": (described("@property\ndef name(self): raise ValueError('no')"), r"\AValueError: no \(line 6\)"),
        "timeout_negative": (described("timeout_seconds = -1"), SECONDS_WRONG), "timeout_nan": (described("timeout_seconds = float('nan')"), SECONDS_WRONG),
        "timeout_infinite": (described("timeout_seconds = float('inf')"), SECONDS_WRONG), "timeout_huge": (described("timeout_seconds = 10 ** 400"), SECONDS_WRONG),
        "timeout_zero": (described("timeout_seconds = 0"), SECONDS_WRONG), "timeout_text": (described("timeout_seconds = '5'"), SECONDS_WRONG),
        "timeout_true": (described("timeout_seconds = True"), SECONDS_WRONG),
        "inputs_bracket": (described("declared_inputs = ['[']"), r"\AContractError: .*'\['.*bracket"),
        "inputs_brace": (described("declared_inputs = ['{a,b']"), r"\AContractError: .*brace"),
        "inputs_empty": (described("declared_inputs = ['']"), r"\AContractError: .*empty"),
        "inputs_text": (described("declared_inputs = '*.py'"), r"\AContractError: 'declared_inputs' must be a list of texts"),
        "inputs_number": (described("declared_inputs = [1]"), r"\AContractError: 'declared_inputs' must be a list of texts"),
        "inputs_many": (described("declared_inputs = ['a'] * 201"), r"\AContractError: 'declared_inputs' must be a list of at most 200 texts"),
        "inputs_long": (described("declared_inputs = ['a' * 501]"), r"\AContractError: 'declared_inputs' must hold short texts"),
        "tier_unknown": (described("tier = 'first'"), r"\AContractError: 'tier' must be \"base\" or \"task_specific\""),
        "tier_none": (described("tier = None"), r"\AContractError: 'tier' must be text, not NoneType"),
        "strategy_unknown": (described("cache_strategy = 'forever'"), r"\AContractError: 'cache_strategy' must be \"content\" or \"none\""),
        "version_number": (described("version = 2"), r"\AContractError: 'version' must be text, not int"),
        "requires_text": (described("requires = 'abc'"), r"\AContractError: 'requires' must be a list of texts"),
        "tasks_text": (described("applies_to_tasks = 'abc'"), r"\AContractError: 'applies_to_tasks' must be a list of texts"),
        "init_raises": (described("def __init__(self): raise ValueError('no')"), r"\AValueError: no \(line 5\)"),
        "init_wants_more": (described("def __init__(self, more): pass"), r"\ATypeError: .*'more'"),
        "memory_of_a_list": (described("@property\ndef requires(self): return ['p'] * 10 ** 8"), r"\AMemoryError: "),
        "two_probes": ("from airlock.probe import Probe\nclass A(Probe): name = 'a'\nclass B(Probe): name = 'b'\n", r"\AContractError: 2 probes in this file \(A, B\); put each into its own"),
        "no_probe": ("x = 1\n", r"\AContractError: no class in this file derives from airlock\.probe\.Probe"),
        "empty_file": ("", r"\AAL103: "), "only_prose": ("Here is your probe! I hope it helps.\n", r"\AAL103: "),
        "syntax_error": ("def f(:\n", r"\AAL101: invalid syntax \(line 1\)"),
        "import_error": ("import no_such_module\n", r"\AModuleNotFoundError: No module named 'no_such_module' \(line 1\)"),
        "import_of_names": ("from airlock.probe import NoSuch\n", r"\AImportError: "),
        "socket_at_import": ("import socket\nsocket.socket()\n", r"\ASandboxViolation: System call denied: socket at line 2"),
        "exits_at_import": ("import os\nos._exit(3)\n", r"\ACrashError: .*it exited with code 3"),
        "raises_at_import": ("raise SystemExit(0)\n", r"\ASystemExit: 0 \(line 1\)"),
        "prints_at_import": ("while True: print('x' * 1_000_000)\n", r"\AOutputLimitError: "),
        "memory_at_import": ("a = [bytearray(10_000_000) for _ in range(100)]\n", r"\AMemoryError: "),
        "binary": ("\x00\x01\x02", r"\AAL107: "), "large_source": ("#" + "x" * 300_000 + "\n", r"\AAL104: The source has 300002 bytes; the limit is 262144"),
        "run_missing": ("from airlock.probe import Probe\nclass It(Probe): name = 'run_missing'\n", r"\ANotImplementedError: a probe defines run\(self, repo, ctx\)"),
        "run_number": ("from airlock.probe import Probe\nclass It(Probe):\n    name = 'run_number'\n    run = 5\n", r"\ATypeError: 'int' object is not callable"),
        "run_takes_nothing": ("from airlock.probe import Probe\nclass It(Probe):\n    name = 'run_takes_nothing'\n    def run(self): pass\n", r"\ATypeError: "),
        "applies_raises": (described("name = 'applies_raises'\ndef applies(self, repo, task): raise ValueError('bad')"), r"\AValueError: bad \(line 6\)"),
        "key_raises": (described("name = 'key_raises'\ndef cache_key(self, repo, task): raise KeyError('k')"), r"\AKeyError: 'k' \(line 6\)"),
        "key_of_40_mb": (described("name = 'key_of_40_mb'\ndef cache_key(self, repo, task): return 'x' * 40_000_000"), r"Error: .*larger than"),
    }

    @classmethod
    def sources(cls):
        """Those that fail only when they run have said their name: that of their file."""
        return {name: text.replace("name = 'x'\n    declared_inputs", f"name = {name!r}\n    declared_inputs") for name, (text, *_) in cls.BODIES.items()}

    def test_a_model_s_answer_is_cleaned_first(self):
        done = self.gather(self.place.file("p.py", "Sure! Here it is:\n```python\n" + probe_source() + "```\nEnjoy."))
        self.assert_ran(done)

    def test_the_name_of_a_built_in_probe_is_taken(self):
        for name in sorted(BUILT_IN):
            done = self.gather(self.probe(name, file="mine.py"), self.probe("fine"))
            [failed] = [one for one in done.report["executions"].values() if one["status"] == "failed"]
            self.assertEqual(failed["reason"], f"ContractError: another probe is called '{name}' already; give the one in mine.py another name")
            self.assertEqual((done.code, done.status(name)), (0, "ran"))
            self.assertIn(done.status("fine"), ("ran", "cache_hit"))

    def test_a_class_that_others_derive_from_is_no_second_probe(self):
        text = probe_source(name="base").replace("class It(Probe)", "class Common(Probe)") + "\nclass It(Common):\n    name = 'p'\n"
        self.assert_ran(self.gather(self.place.file("p.py", text)))


Descriptions.make_tests("description", lambda self, name, *words: self.assert_failed(self.done, name, *words))


# ── 4. The coordinator ───────────────────────────────────────────────────────────────────────────


class Coordinator(Case):
    SEES = "return ProbeOutput({'l': repo.detected_languages, 'commit': repo.git_commit, 'c': repo.config, 'x': ctx.config})"

    def test_base_probes_come_first_and_enrich_the_snapshot(self):
        probes = [self.probe("sees", self.SEES, "cache_strategy = 'none'"), self.probe("klingon", attributes="applies_to_languages = ['klingon']"),
                  self.probe("base", "return ProbeOutput({'detected_languages': {'Klingon': 42, 'Minus': -1, 'Text': 'x'}})", "tier = 'base'"),
                  self.probe("go", attributes="applies_to_languages = ['Go', 'Rust']"), self.probe("py", attributes="applies_to_languages = ['PYTHON']")]
        for _ in range(2):  # the second time from the cache
            done = self.gather(*probes)
            self.assertEqual(done.facts("sees"), {"l": {"Klingon": 42, "Python": 9}, "commit": None, "c": {}, "x": {}})
            self.assertIn(done.status("klingon"), ("ran", "cache_hit"))
            self.assertIn(done.status("py"), ("ran", "cache_hit"))
            self.assertEqual(done.execution("go")["reason"], "applies to Go, Rust; this repository has no file of that language")
        self.assertEqual(done.status("base"), "cache_hit")

    def test_a_base_probe_that_lies_about_languages_harms_nobody(self):
        for slice_ in ("{'detected_languages': 7}", "{'detected_languages': {'x' * 500: 2 ** 64 - 1, '': 0}}", "{'detected_languages': [1]}",
                       "{'detected_languages': {f'l{i}': i for i in range(20000)}}"):
            with self.subTest(slice_):
                done = self.gather(self.probe("base", f"return ProbeOutput({slice_})", "tier = 'base'"), self.probe("p", self.SEES, "cache_strategy = 'none'"))
                self.assert_ran(done)
                self.assertEqual(done.facts("p")["l"]["Python"], 9)

    def test_requirements_are_met_first_whatever_the_order(self):
        order = self.folder / "log"
        probes = [self.probe("a", attributes="requires = ['b', 'language_detection']"), self.probe("b", attributes="requires = ['c']"),
                  self.probe("c", "time.sleep(0.2)\n" + OK)]
        done = self.gather(*probes, options=("--jobs", "4", "--log", order))
        self.assertEqual(done.statuses(), {"a": "ran", "b": "ran", "c": "ran"})
        self.assertEqual([json.loads(line)["probe"] for line in order.read_text().splitlines()][2:], ["c", "b", "a"])
        self.assertEqual(list(done.report["executions"])[2:], ["a", "b", "c"])

    def test_cycles_are_refused_by_name_and_others_run(self):
        done = self.gather(*[self.probe(name, attributes=f"requires = [{needs!r}]") for name, needs in ("ab", "bc", "ca", "da", "hh")], self.probe("fine"))
        self.assertEqual({name: one["reason"] for name, one in done.report["executions"].items() if name not in BUILT_IN}, {
            "a": "ContractError: the requirements a → b → c → a are a cycle", "b": "ContractError: the requirements b → c → a → b are a cycle",
            "c": "ContractError: the requirements c → a → b → c are a cycle", "d": "requires 'a', which failed",
            "h": "ContractError: the requirements h → h are a cycle", "fine": None})
        self.assertEqual((done.code, done.status("d")), (0, "skipped"))

    def test_requirements_that_are_not_met(self):
        done = self.gather(self.probe("dies", "os._exit(1)"), self.probe("left", attributes="applies_to_tasks = ['x']"), self.probe("a", attributes="requires = ['dies']"),
                           self.probe("b", attributes="requires = ['left']"), self.probe("c", attributes="requires = ['nowhere']"), self.probe("d", attributes="requires = ['c']"),
                           self.probe("e", attributes="tier = 'base'\nrequires = ['fine']"), self.probe("f", attributes="requires = ['lef']"), self.probe("fine"))
        self.assertEqual({name: (one["status"], one["reason"]) for name, one in done.report["executions"].items() if name in "abcdef"}, {
            "a": ("skipped", "requires 'dies', which failed"), "b": ("skipped", "requires 'left', which was skipped"),
            "c": ("skipped", "requires 'nowhere', which is not among the probes"), "d": ("skipped", "requires 'c', which was skipped"),
            "e": ("failed", "ContractError: a base probe runs first and cannot require 'fine', which is no base probe"),
            "f": ("skipped", "requires 'lef', which is not among the probes; did you mean 'left'?")})
        self.assertEqual(done.status("fine"), "ran")

    def test_a_probe_is_not_advised_to_require_itself(self):
        done = self.gather(self.probe("licences", attributes="requires = ['licence']"))
        self.assertEqual(done.execution("licences")["reason"], "requires 'licence', which is not among the probes")

    def test_an_empty_list_is_skipped_in_words(self):
        done = self.gather(self.probe("a", attributes="applies_to_tasks = []"), self.probe("b", attributes="applies_to_languages = []"))
        self.assertEqual(done.statuses(), {"a": "skipped", "b": "skipped"})
        for name in "ab":
            self.assertNotIn(" ;", done.execution(name)["reason"])

    def test_an_applies_that_must_be_awaited_is_not_taken_for_yes(self):
        """Beside `async def run` it is written easily, and a coroutine is true."""
        done = self.gather(self.probe(attributes="async def applies(self, repo, task): return False"))
        self.assertIn(done.status("p"), ("skipped", "failed"))

    def test_two_files_with_one_name(self):
        done = self.gather(self.probe("same", file="a.py"), self.probe("same", file="b.py"))
        self.assertEqual(done.statuses(), {"same": "ran", "same-2": "failed"})
        self.assertEqual(done.execution("same-2")["reason"], "ContractError: another probe is called 'same' already; give the one in b.py another name")

    def test_a_file_that_never_said_its_name_takes_nobody_else_s(self):
        """One failure never stops another: broken a.py must not cost the probe `a` of another file its execution."""
        done = self.gather(self.place.file("a.py", "def (:\n"), self.probe("a", file="b.py"))
        self.assertEqual(sorted(done.statuses().values()), ["failed", "ran"])
        self.assertEqual((done.code, done.status("a")), (0, "ran"))

    def test_a_name_that_was_made_up_takes_nobody_else_s(self):
        done = self.gather(self.probe("same", file="a.py"), self.probe("same", file="b.py"), self.probe("same-2", file="c.py"))
        self.assertEqual(sorted(done.statuses().values()), ["failed", "ran", "ran"])
        self.assertEqual(done.status("same-2"), "ran")

    def test_the_same_file_twice(self):
        probe = self.probe()
        done = self.gather(probe, probe)
        self.assertEqual(sorted(done.statuses().values()), ["failed", "ran"])

    def test_thirty_probes_at_four_jobs(self):
        bodies = [OK, "1 / 0", "return None", "os._exit(1)", "return ProbeOutput({'token': 1})"]
        probes = [self.probe(f"p{i}", bodies[i % 5], f"requires = ['p{i - 5}']" if i % 5 == 0 and i else "") for i in range(30)]
        done = self.gather(*probes, options=("--jobs", "4"))
        self.assertEqual(done.code, 0)
        self.assertEqual(done.statuses(), {f"p{i}": "failed" if i % 5 else "ran" for i in range(30)})

    def test_the_number_of_probes_is_not_a_number_of_descriptors(self):
        """As 200 probes with 1024, the usual limit. Exit 3 would say that nothing was run, when most of them were loaded."""
        probes = [self.probe(f"p{i}") for i in range(30)]
        command = self.place.command(["gather", self.repo, *[word for one in probes for word in ("--probe", one)], "--jobs", "2", "--format", "json"])
        done = subprocess.run(command, env=self.place.environment, capture_output=True, timeout=SECONDS,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual({one["status"] for one in json.loads(done.stdout)["executions"].values()}, {"ran"})

    def test_plain_and_async_run(self):
        text = probe_source("await asyncio.sleep(0.01)\nreturn ProbeOutput({'a': 1})", head="import asyncio").replace("    def run", "    async def run")
        done = self.gather(self.place.file("p.py", text))
        self.assert_ran(done)
        self.assertGreaterEqual(done.report["outputs"]["p"]["duration_ms"], 10)

    def test_a_slow_one_does_not_hold_up_the_others(self):
        done = self.gather(self.probe("slow", "time.sleep(1.5)\n" + OK), *[self.probe(f"p{i}") for i in range(4)], options=("--jobs", "2", "--log", self.folder / "log"))
        self.assertEqual(set(done.statuses().values()), {"ran"})
        self.assertEqual(json.loads((self.folder / "log").read_text().splitlines()[-1])["probe"], "slow")


class Keys(Case):
    IN_MEMORY = True

    def status_after(self, *changes, attributes="declared_inputs = ['in/*.txt']", name="p", **more):
        """Runs the probe, makes the changes one after the other, and says what each run after them was."""
        (self.repo / "in").mkdir(exist_ok=True)
        (self.repo / "in" / "one.txt").write_text("1")
        self.assertEqual(self.gather(self.probe(name, attributes=attributes)).status(name), "ran")
        said = []
        for change in changes:
            probe = change() or self.probe(name, attributes=attributes)
            said.append(self.gather(probe, **more).status(name))
        return said

    def test_what_makes_a_probe_run_again(self):
        inside = self.repo / "in"
        self.assertEqual(self.status_after(
            lambda: None, lambda: inside.joinpath("one.txt").write_text("2") and None, lambda: inside.joinpath("two.txt").write_text("") and None,
            lambda: inside.joinpath("two.txt").unlink(), lambda: inside.joinpath("one.txt").rename(inside / "other.txt") and None,
            lambda: (self.repo / "a.py").write_text("2") and None, lambda: (self.repo / "new").write_text("2") and None,
            lambda: os.utime(inside / "other.txt", (1, 1)), lambda: inside.joinpath("other.txt").chmod(0o755)),
            ["cache_hit", "ran", "ran", "cache_hit", "ran", "cache_hit", "cache_hit", "cache_hit", "cache_hit"])

    def test_a_change_of_the_probe(self):
        inputs = "declared_inputs = ['in/*.txt']\n"
        self.assertEqual(self.status_after(
            lambda: self.probe(attributes=inputs + "version = '2'"), lambda: self.probe(attributes=inputs + "version = '2'\nschema_version = '2'"),
            lambda: self.probe(attributes=inputs + "# another source"), lambda: self.probe(attributes=inputs + "def cache_key(self, repo, task): return task.type"),
            lambda: self.probe(attributes=inputs, file="elsewhere.py"), lambda: self.probe(attributes=inputs)),
            ["ran", "ran", "ran", "ran", "ran", "cache_hit"])

    def test_the_probe_s_own_key_is_a_part(self):
        self.assertEqual(self.status_after(lambda: None, attributes="def cache_key(self, repo, task): return task.type", options=("--task", "other")), ["ran"])

    def test_a_change_of_one_probe_never_invalidates_another(self):
        self.gather(self.probe("a"), self.probe("b"))
        done = self.gather(self.probe("a", attributes="version = '2'"), self.probe("b"))
        self.assertEqual(done.statuses(), {"a": "ran", "b": "cache_hit"})

    def test_without_declared_inputs_every_file_is_one(self):
        self.assertEqual(self.status_after(lambda: (self.repo / "a.py").write_text("2") and None, lambda: None, lambda: (self.repo / "new").write_text("") and None,
                                           attributes=""), ["ran", "cache_hit", "ran"])

    def test_git_ignored_inputs_count(self):
        (self.repo / ".gitignore").write_text("in/\n")
        self.assertEqual(self.status_after(lambda: None, lambda: (self.repo / "in" / "one.txt").write_text("2") and None), ["cache_hit", "ran"])

    def test_a_link_that_leads_elsewhere_is_another_input(self):
        (self.repo / "one").write_text("1")
        (self.repo / "two").write_text("2")
        (self.repo / "config").symlink_to("one")
        probe = self.probe(run="return ProbeOutput({'is': (repo.root / 'config').read_text()})", attributes="declared_inputs = ['config']")
        self.assertEqual(self.gather(probe).facts("p"), {"is": "1"})
        (self.repo / "config").unlink()
        (self.repo / "config").symlink_to("two")
        self.assertEqual(self.gather(probe).facts("p"), {"is": "2"})

    def test_an_input_that_changes_during_the_run_is_not_kept_as_what_it_was(self):
        (self.repo / "in").write_text("old")
        probe = self.probe(run="time.sleep(1)\nreturn ProbeOutput({'is': (repo.root / 'in').read_text()})", attributes="declared_inputs = ['in']")
        change = threading.Timer(0.7, lambda: (self.repo / "in").write_text("new"))
        change.start()
        first = self.gather(probe).facts("p")
        change.join()
        if first != {"is": "new"}:
            self.skipTest("it did not change during the run")
        (self.repo / "in").write_text("old")
        self.assertEqual(self.gather(probe).facts("p"), {"is": "old"})

    def test_patterns_do_not_hold_up_the_run(self):
        """The coordinator matches them, with no deadline: 200 patterns of 240 stars and 100,000 files would be an hour."""
        for number in range(100):
            (self.repo / ("a" * 200 + str(number))).touch()
        probe = self.probe(attributes="declared_inputs = ['*a' * 240 + f'b{i}' for i in range(200)]")
        process = subprocess.Popen(self.place.command(["gather", self.repo, "--probe", probe]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.place.environment)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        self.assertLess(usage.ru_utime, 1.5, "seconds of processor time")

    def test_cache_strategy_none(self):
        self.assertEqual(self.status_after(lambda: None, lambda: None, attributes="cache_strategy = 'none'"), ["ran", "ran"])

    def test_failures_are_never_cached(self):
        for name, run in (("raises", "1 / 0"), ("refused", "return ProbeOutput({'token': 1})"), ("late", "time.sleep(9)"), ("gone", "return ProbeOutput({}, ['no'])")):
            probe = self.probe(name, run, "timeout_seconds = 0.2" if name == "late" else "")
            for _ in range(2):
                self.assertEqual(self.gather(probe).status(name), "failed")
        kept = [path.read_text() for path in self.blobs()]
        self.assertEqual([one for one in kept if not one.startswith('{"probe":')], [])  # descriptions only

    def blobs(self):
        return [path for path in (self.home / "cache" / "blobs").rglob("*") if path.is_file()]

    def test_damage_is_a_miss_and_nobody_hears_of_it(self):
        probe = self.probe(run="(ctx.output_dir / 'a').write_text('artifact')\nreturn ProbeOutput({'ok': 1}, ['a'])")

        def alter(path): path.write_bytes(path.read_bytes()[::-1])
        def cut(path): path.write_bytes(path.read_bytes()[:-1])
        def link(path):
            path.rename(self.folder / "elsewhere")
            path.symlink_to(self.folder / "elsewhere")
        for damage in (alter, cut, pathlib.Path.unlink, link, lambda path: path.write_bytes(b""), lambda path: path.write_bytes(b"x" * 1_000_000)):
            for number in range(3):  # the description, the document, and the artifact
                self.place.airlock("cache", "clear")
                shutil.rmtree(self.home / "cache", ignore_errors=True)
                self.assertEqual(self.gather(probe).status("p"), "ran")
                self.assertEqual(len(self.blobs()), 3)
                damage(sorted(self.blobs())[number])
                done = self.gather(probe, options=("--artifacts", self.folder / "to"))
                self.assertIn(done.status("p"), ("ran", "cache_hit"))
                self.assertEqual(done.facts("p"), {"ok": 1})
                self.assertEqual((self.folder / "to" / "p" / "a").read_text(), "artifact")
        self.assertEqual(self.gather(probe).status("p"), "cache_hit")

    def test_a_cache_that_says_what_the_door_refuses_is_not_believed(self):
        """Somebody who can write the cache cannot make it speak: what is kept is judged again."""
        done = self.gather(self.probe())
        key = done.execution("p")["key"]
        for lie in (b'{"schema_slice":{"github_token":1},"raw_artifacts":[],"confidence":"high","duration_ms":1,"warnings":[],"errors":[]}', b"no JSON", b"[" * 100000,
                    b'{"schema_slice":{},"raw_artifacts":["../x"],"confidence":"high","duration_ms":1,"warnings":[],"errors":[]}'):
            with self.subTest(lie[:40]):
                digest = hashlib.sha256(lie).hexdigest()
                blob = self.home / "cache" / "blobs" / digest[:2] / digest
                blob.parent.mkdir(mode=0o700, exist_ok=True)
                blob.write_bytes(lie)
                blob.chmod(0o600)
                database = sqlite3.connect(self.home / "airlock.db")
                with database:
                    database.execute("UPDATE cache SET blob = ?, size = ? WHERE key = ?", (digest, len(lie), key))
                database.close()
                again = self.gather(self.probe())
                self.assert_ran(again)
                self.assertEqual(again.facts("p"), {"ok": 1})


# ── 5. Repositories ──────────────────────────────────────────────────────────────────────────────


class Repositories(Case):
    IN_MEMORY = True
    LISTS = "return ProbeOutput({'n': sorted(os.fsencode(one).hex() for one in os.listdir(repo.root))})"

    def facts(self, done):
        self.assert_ran(done)
        return done.facts("repository")

    def test_links_that_lead_in_circles(self):
        for name, target in (("loop", "loop"), ("up", ".."), ("self", "."), ("there", "back"), ("back", "there"), ("gone", "nowhere")):
            (self.repo / name).symlink_to(target)
        facts = self.facts(self.gather(self.probe(run=self.LISTS)))
        self.assertEqual((facts["files"], facts["folders"], facts["bytes"]), (7, 0, 9))

    def test_names_that_are_not_utf_8(self):
        here = os.fsencode(self.repo)
        os.mkdir(here + b"/\xff")
        for name in (b"\xff\xfe.py", b"\xff/setup.py", b"new\nline.py", b"\x1b[2J.csproj", "ü.py".encode()):
            with open(os.path.join(here, name), "w"):
                pass
        for options in ((), ("--no-cache",)):
            done = self.gather(self.probe(run=self.LISTS), options=options)
            facts = self.facts(done)
            self.assertEqual(facts["manifests"], ["\\x1b[2J.csproj", "\\xff/setup.py"])
            self.assertEqual(done.facts("language_detection")["languages"]["Python"]["files"], 5)
            self.assertIn(b"\xff\xfe.py".hex(), done.facts("p")["n"])
        self.assertEqual(self.gather(self.probe(run=self.LISTS)).status("p"), "cache_hit")

    def test_what_is_no_file(self):
        os.mkfifo(self.repo / "fifo.py")
        os.mkfifo(self.repo / ".gitignore")
        os.mkfifo(self.repo / "package.json")
        with socket.socket(socket.AF_UNIX) as listener:
            here = os.getcwd()
            os.chdir(self.repo)
            listener.bind("socket.py")
            os.chdir(here)
            if IS_ROOT:
                os.mknod(self.repo / "device.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
            facts = self.facts(self.gather(self.probe(run=self.LISTS)))
        self.assertEqual((facts["files"], facts["manifests"]), (1, []))

    def test_git_that_is_odd(self):
        for make in (lambda: (self.repo / ".git").write_text("gitdir: /etc\n"), lambda: (self.repo / ".git").symlink_to("/root"),
                     lambda: os.mkfifo(self.repo / ".git"), lambda: ((self.repo / ".git").mkdir(), os.mkfifo(self.repo / ".git" / "HEAD")),
                     lambda: ((self.repo / ".git").mkdir(), (self.repo / ".git" / "HEAD").write_text("ref: ../../../../etc/passwd\n")),
                     lambda: ((self.repo / ".git").mkdir(), (self.repo / ".git" / "HEAD").write_bytes(b"\xff" * 1000))):
            make()
            facts = self.facts(self.gather(self.probe(attributes="cache_strategy = 'none'")))
            self.assertIsNone(facts["git_commit"])
            subprocess.run(["rm", "-rf", self.repo / ".git"], check=True)

    def test_the_commit_of_a_git_repository(self):
        def git(*words):
            return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.repo, check=True, capture_output=True).stdout.decode().strip()
        if not shutil.which("git"):
            self.skipTest("there is no git here")
        git("init", "-q")
        git("add", ".")
        git("commit", "-qm", "one")
        done = self.gather(self.probe(run="return ProbeOutput({'git_commit': repo.git_commit})"))
        self.assertEqual(self.facts(done)["git_commit"], git("rev-parse", "HEAD"))
        self.assertEqual(done.facts("p")["git_commit"], git("rev-parse", "HEAD"))

    def test_a_thousand_levels(self):
        here = os.open(self.repo, os.O_RDONLY)
        for _ in range(1000):
            os.mkdir("d", dir_fd=here)
            deeper = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = deeper
        os.close(os.open("deep.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.close(here)
        done = self.gather(self.probe())
        facts = self.facts(done)
        self.assertEqual((facts["files"], facts["unreadable_folders"]), (1, 1))
        self.assertLess(done.took, 10)

    def test_an_empty_repository(self):
        (self.repo / "a.py").unlink()
        done = self.gather(self.probe(run=self.LISTS))
        self.assertEqual(self.facts(done)["files"], 0)
        self.assertEqual((done.facts("p"), done.facts("language_detection")), ({"n": []}, {"languages": {}, "main_language": None}))

    def test_any_name_of_a_repository(self):
        probe = self.probe(run="return ProbeOutput({'n': len(list(repo.root.iterdir()))})", attributes="cache_strategy = 'none'")
        for name in (b"with space", b"new\nline", b"\xff\xfe", b"quo'te\"", b"-dash", "ünï".encode(), b"back\\slash", b"colon:comma,equals=", b"%s%n", b"x" * 200):
            with self.subTest(name):
                path = os.path.join(os.fsencode(self.folder), name)
                os.mkdir(path)
                done = self.gather(probe, repo=path)
                self.assert_ran(done)
                self.assertEqual(done.facts("p"), {"n": 0})
                self.assertEqual(self.airlock("runs", done.report["run_id"], "--format", "json").report["run_id"], done.report["run_id"])
                if name in (b"new\nline", b"\xff\xfe"):
                    text = self.gather(probe, repo=path, form="text")
                    self.assertRegex(text.out.splitlines()[0], r"\A(new\\nline|\\xff\\xfe)  task default  run ")

    def test_the_ways_to_name_one_repository(self):
        (self.folder / "link").symlink_to(self.repo)
        probe = self.probe(run=f"return ProbeOutput({{'p': [{str(self.repo / 'a.py')!r}, 'file://' + {str(self.repo / 'a.py')!r}]}})")
        self.assert_ran(self.gather(probe))
        for repo, cwd in ((self.folder / "link", None), ("repo", None), (".", self.repo), ("repo/../repo//", None), ("link/.", None), ("..", self.repo / "in")):
            with self.subTest(str(repo)):
                if cwd:
                    (self.repo / "in").mkdir(exist_ok=True)
                done = self.gather(probe, repo=repo, cwd=cwd)
                self.assertEqual((done.code, done.status("p")), (0, "cache_hit"))
                self.assertEqual(done.facts("p"), {"p": ["a.py", "a.py"]})
                fresh = self.gather(probe, repo=repo, cwd=cwd, options=("--no-cache",))
                self.assertEqual(fresh.facts("p"), {"p": ["a.py", "a.py"]})

    def test_the_name_by_which_it_was_called_is_scrubbed_too(self):
        (self.folder / "link").symlink_to(self.repo)
        probe = self.probe(run=f"return ProbeOutput({{'p': {str(self.folder / 'link' / 'a.py')!r}}})")
        self.assertEqual(self.gather(probe, repo=self.folder / "link").facts("p"), {"p": "a.py"})

    def test_a_hundred_thousand_files(self):
        for number in range(100):
            folder = self.repo / f"d{number}"
            folder.mkdir()
            here = os.open(folder, os.O_RDONLY)
            for file in range(1000):
                os.close(os.open(f"f{file}.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
            os.close(here)
        done = self.gather(self.probe(attributes="declared_inputs = ['d7/*.py']"))
        self.assertEqual(self.facts(done)["files"], 100001)
        self.assertLess(done.took, 15)
        self.assertEqual(self.gather(self.probe(attributes="declared_inputs = ['d7/*.py']")).status("p"), "cache_hit")

    @unittest.skipUnless(IS_ROOT, "only root can become somebody else")
    def test_folders_that_cannot_be_read_by_somebody_who_is_not_root(self):
        for name in ("airlock", "airlock-host"):
            shutil.copy2(AIRLOCK.parent / name, self.folder / name)
        self.folder.chmod(0o755)
        (self.folder / "mine").mkdir()
        os.chown(self.folder / "mine", 65534, 65534)
        (self.repo / "closed").mkdir(mode=0o700)
        (self.repo / "closed" / "x.py").write_text("x")
        (self.repo / "shut.py").write_text("x")
        (self.repo / "shut.py").chmod(0o600)
        tries = ("said = {}\nfor name in ('closed', 'shut.py'):\n    try:\n        said[name] = os.listdir(repo.root / name) if name == 'closed' else open(repo.root / name).read()\n"
                 "    except OSError as error:\n        said[name] = error.errno\nreturn ProbeOutput(said)")
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", self.folder / "airlock", "gather", self.repo, "--probe", self.probe(run=tries), "--format", "json"]
        environment = {**self.place.environment, "AIRLOCK_HOME": str(self.folder / "mine" / "state"), "HOME": str(self.folder / "mine")}
        statuses = []
        for _ in range(2):
            done = subprocess.run(command, env=environment, cwd="/", capture_output=True, timeout=SECONDS)
            if done.returncode == 3:
                self.skipTest("nobody can have a chamber here: " + done.stderr.decode())
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            report = json.loads(done.stdout)
            statuses.append(report["executions"]["p"]["status"])
            self.assertEqual(report["outputs"]["p"]["schema_slice"], {"closed": 13, "shut.py": 13})
            self.assertEqual(report["outputs"]["repository"]["schema_slice"]["unreadable_folders"], 1)
        self.assertEqual(statuses, ["ran", "cache_hit"])
        self.repo.chmod(0o700)
        done = subprocess.run(command, env=environment, cwd="/", capture_output=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(done.stderr.decode(), r"\Aairlock: .*Permission denied\n\Z")


# ── 6. A store that is no use ────────────────────────────────────────────────────────────────────


class Faults(Case):
    def assert_only_said(self, done, *words):
        """The outputs are whole; what could not be kept is said, a line for each of the two things."""
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual((done.status("p"), done.facts("p")), ("ran", {"ok": 1}))
        lines = done.err.splitlines()
        self.assertIn(len(lines), (1, 2), done.err)
        for line in lines:
            self.assertRegex(line, r"\Aairlock: (this run is not recorded(, and nothing is cached)?|nothing is cached|not all of this run is recorded|not everything is cached): ")
        for word in words:
            self.assertIn(word, done.err)

    def test_the_state_is_a_link(self):
        (self.folder / "real").mkdir(mode=0o700)
        self.home.symlink_to(self.folder / "real")
        self.assert_only_said(self.gather(self.probe()), "symbolic link")
        self.assertEqual(list((self.folder / "real").iterdir()), [])

    def test_the_state_is_a_file(self):
        self.home.write_text("mine")
        self.assert_only_said(self.gather(self.probe()), "Not a directory")
        self.assertEqual(self.home.read_text(), "mine")

    def test_others_can_write_to_the_state(self):
        self.home.mkdir()
        self.home.chmod(0o777)
        self.assert_only_said(self.gather(self.probe()), "others can write to it")

    def test_it_is_no_database(self):
        self.home.mkdir(mode=0o700)
        (self.home / "airlock.db").write_bytes(b"no database" * 1000)
        self.assert_only_said(self.gather(self.probe()), "is damaged", "Nothing was deleted")
        self.assertEqual((self.home / "airlock.db").read_bytes(), b"no database" * 1000)

    def test_it_is_from_a_newer_airlock(self):
        self.gather(self.probe())
        database = sqlite3.connect(self.home / "airlock.db")
        database.execute("PRAGMA user_version = 99")
        database.commit()
        database.close()
        self.assert_only_said(self.gather(self.probe()), "newer airlock")

    def test_a_table_is_missing(self):
        self.gather(self.probe())
        database = sqlite3.connect(self.home / "airlock.db")
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute("DROP TABLE cache")
        database.execute("DROP TABLE findings")
        database.execute("DROP TABLE executions")
        database.commit()
        database.close()
        self.assert_only_said(self.gather(self.probe()))

    def test_there_is_no_home(self):
        self.assert_only_said(self.gather(self.probe(), environment={"PATH": "/usr/bin:/bin"}), "AIRLOCK_HOME")

    def test_a_cache_folder_that_is_none(self):
        (self.folder / "file").write_text("mine")
        (self.folder / "link").symlink_to(self.folder / "nowhere")
        for place in ("/dev/null/x", self.folder / "file", self.folder / "link"):
            done = self.gather(self.probe(), options=("--cache", place))
            self.assert_only_said(done, "nothing is cached")
            self.assertEqual(len(done.err.splitlines()), 1)

    def test_the_blobs_are_somewhere_else(self):
        self.gather(self.probe())
        (self.folder / "victim").mkdir()
        for what in ("cache/blobs", "cache"):
            subprocess.run(["rm", "-rf", self.home / what], check=True)
            (self.home / what).symlink_to(self.folder / "victim")
            self.assert_only_said(self.gather(self.probe()), "symbolic link")
            (self.home / what).unlink()
            self.assertEqual(list((self.folder / "victim").iterdir()), [])

    def mount(self, *options):
        self.home.mkdir(mode=0o700, exist_ok=True)
        if not IS_ROOT or subprocess.run(["mount", *options, self.home], capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.home], capture_output=True)

    def fill(self):
        try:
            with open(self.home / "config.toml", "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
        except OSError:
            pass

    def test_a_disk_that_is_full_from_the_start(self):
        self.mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none")
        self.fill()
        self.assert_only_said(self.gather(self.probe()), "the disk is full")
        (self.home / "config.toml").unlink()
        self.assert_ran(self.gather(self.probe()))
        self.assertEqual(self.gather(self.probe()).status("p"), "cache_hit")

    def test_a_disk_that_is_full_now(self):
        self.mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none")
        self.gather(self.probe("other"))
        self.fill()
        done = self.gather(self.probe())
        self.assert_only_said(done)
        (self.home / "config.toml").unlink()
        self.assert_ran(self.gather(self.probe()))
        self.assertEqual(self.airlock("cache", "verify").code, 0)
        self.assertIn("full", done.err)  # last: it is about words only

    def test_a_disk_that_has_no_room_for_one_output(self):
        self.mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none")
        done = self.gather(self.probe(), self.probe("large", "return ProbeOutput({'a': ['words ' * 100_000] * 5})"))
        self.assertEqual((done.code, done.status("large")), (0, "ran"))
        self.assertRegex(done.err, r"\Aairlock: not everything is cached: [^\n]*(full|No space left)[^\n]*\n\Z")
        self.assertEqual(self.gather(self.probe()).status("p"), "cache_hit")
        self.assertEqual(self.airlock("cache", "verify").code, 0)

    def test_a_disk_that_cannot_be_written_to(self):
        self.gather(self.probe("other"))
        self.mount("--bind", str(self.home))
        subprocess.run(["mount", "-o", "remount,ro,bind", self.home], check=True)
        self.assert_only_said(self.gather(self.probe()), "Read-only file system")

    def test_a_store_in_use_is_waited_for(self):
        self.gather(self.probe("other"))
        writer = sqlite3.connect(self.home / "airlock.db", isolation_level=None, check_same_thread=False)
        writer.execute("BEGIN IMMEDIATE")
        timer = threading.Timer(1, lambda: (writer.rollback(), writer.close()))
        timer.start()
        done = self.gather(self.probe())
        timer.join()
        self.assert_ran(done)
        self.assertGreater(done.took, 0.9)
        self.assertEqual(self.gather(self.probe()).status("p"), "cache_hit")

    @unittest.skipUnless(SLOW, "it waits for minutes: AIRLOCK_SLOW_TESTS=1")
    def test_a_store_that_stays_locked_costs_its_patience_once(self):
        """30 s, then the run goes on without it; not 30 s for each of the probes."""
        self.gather(self.probe("other"))
        writer = sqlite3.connect(self.home / "airlock.db", isolation_level=None)
        self.addCleanup(writer.close)
        writer.execute("BEGIN IMMEDIATE")
        done = self.gather(self.probe(), self.probe("q"), self.probe("r"), seconds=300)
        self.assert_only_said(done, "is locked")
        self.assertLess(done.took, 50)

    @unittest.skipUnless(SLOW, "it waits for minutes: AIRLOCK_SLOW_TESTS=1")
    def test_a_lock_that_is_never_given_back_is_not_waited_for_for_ever(self):
        self.gather(self.probe("other"))
        with open(self.home / "airlock.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                self.assert_only_said(self.gather(self.probe(), seconds=75))
            except subprocess.TimeoutExpired:
                self.fail("it waits for another process without end and without a word")


# ── 7. Records ───────────────────────────────────────────────────────────────────────────────────


class Records(Case):
    def test_what_is_recorded(self):
        run = f"(ctx.output_dir / 'a').write_text('{TOKEN} /home/ann/x')\nreturn ProbeOutput({{'v': '{TOKEN}', 'p': '/home/ann/y'}}, ['a'])"
        probes = [self.probe(run=run), self.probe("bad", f"raise ValueError('{TOKEN} in /home/ann/z of {self.repo}')"), self.probe("left", attributes="applies_to_tasks = ['x']"),
                  self.probe("refused", f"return ProbeOutput({{'token_{TOKEN}': 1, '/home/ann/k': b''}})")]
        done = self.gather(*probes, options=("--task", "audit"))
        run_id = done.report["run_id"]
        shown = self.airlock("runs", run_id, "--format", "json").report
        self.assertEqual((shown["repository"], shown["task"]), ("repo", "audit"))
        self.assertIsNotNone(shown["finished"])
        for name, one in done.report["executions"].items():
            self.assertEqual({key: shown["executions"][name][key] for key in one}, one)
        [finding] = shown["executions"]["p"]["findings"]
        self.assertEqual(set(finding), {"fingerprint", "pattern"})
        self.assertIn(f"<REDACTED:fingerprint={finding['fingerprint']}>", done.facts("p")["v"])
        [listed] = self.airlock("runs", "--format", "json").report["runs"]
        self.assertEqual(listed["counts"], {"ran": 3, "cache_hit": 0, "skipped": 1, "failed": 2})
        text = self.airlock("runs", run_id).out
        self.assertIn(f"redacted {finding['pattern']} {finding['fingerprint']}", text)
        kept = [path for path in self.home.rglob("*") if path.is_file()]
        self.assertGreaterEqual(len(kept), 3)
        for path in kept:
            for secret in (TOKEN, TOKEN[4:20], "/home/ann", str(self.folder), self.folder.name):
                self.assertNotIn(secret.encode(), path.read_bytes(), path)
        self.assertNotRegex(done.out + text, f"{TOKEN}|/home/ann")

    def test_everything_is_for_this_user_alone(self):
        self.gather(self.probe())
        for path in [self.home, *self.home.rglob("*")]:
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700 if path.is_dir() else 0o600, path)

    def test_what_was_redacted_is_recorded_for_a_hit_too(self):
        probe = self.probe(run=f"return ProbeOutput({{'v': '{TOKEN}'}})")
        first = self.gather(probe).report["run_id"]
        done = self.gather(probe)
        self.assertEqual(done.status("p"), "cache_hit")
        findings = [self.airlock("runs", run, "--format", "json").report["executions"]["p"]["findings"] for run in (first, done.report["run_id"])]
        self.assertEqual(findings[1], findings[0])


# ── 8. Ends and crowds ───────────────────────────────────────────────────────────────────────────


class Ends(Case):
    def start(self, *options):
        probes = [self.probe(f"p{i}", "(ctx.workspace / 'x').write_bytes(b'x' * 1_000_000)\ntime.sleep(60)") for i in range(2)]
        command = self.place.command(["gather", self.repo, *[word for one in probes for word in ("--probe", one)], "--jobs", "2", *options])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment, cwd=self.folder)
        deadline = time.monotonic() + 20
        while len(below := descendants(process.pid)) < 6 and time.monotonic() < deadline:  # two chambers: host, zygote, cell
            time.sleep(0.02)
        time.sleep(0.3)
        return process, descendants(process.pid) or below

    def assert_gone(self, processes):
        self.assertGreaterEqual(len(processes), 4)
        deadline = time.monotonic() + 5
        while (left := [one for one in processes if is_alive(one)]) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(left, [])

    def assert_nothing_left(self, *more):
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"repo", "state", "p0.py", "p1.py", *more})
        self.assertEqual(list((self.home / "cache" / "new").iterdir()), [])
        kept = [path.read_text() for path in (self.home / "cache" / "blobs").rglob("*") if path.is_file()]
        self.assertEqual([one for one in kept if not one.startswith('{"probe":')], [])  # descriptions only
        self.assertEqual(self.airlock("cache", "verify").code, 0)
        self.assertIn("(unfinished)", self.airlock("runs").out)
        self.assert_ran(self.gather(self.probe("after")), "after")

    def test_control_c(self):
        process, below = self.start("--output", "facts.json", "--artifacts", "artifacts")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=10)
        self.assertEqual((process.returncode, out, err), (130, b"", b"\nairlock: interrupted\n"))
        self.assert_gone(below)
        self.assert_nothing_left()

    def test_sigterm(self):
        process, below = self.start("--output", "facts.json")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.communicate(timeout=10)[0], b"")
        self.assertIn(process.returncode, (-signal.SIGTERM, 143))
        self.assert_gone(below)
        self.assert_nothing_left()

    def test_kill_9(self):
        process, below = self.start("--output", "facts.json")
        process.kill()
        process.communicate(timeout=10)
        self.assert_gone(below)
        self.assert_nothing_left()

    def test_kill_9_at_any_moment(self):
        probe = self.probe(run="(ctx.output_dir / 'a').write_bytes(b'x' * 500_000)\nreturn ProbeOutput({'t': time.time()}, ['a'])", attributes="cache_strategy = 'content'")
        for number in range(24):
            (self.repo / "a.py").write_text(f"{number}")
            process = subprocess.Popen(self.place.command(["gather", self.repo, "--probe", probe]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.place.environment)
            time.sleep(0.06 + number * 0.006)
            below = descendants(process.pid)
            process.kill()
            process.wait()
            deadline = time.monotonic() + 5
            while any(map(is_alive, below)) and time.monotonic() < deadline:
                time.sleep(0.005)
            self.assertEqual([one for one in below if is_alive(one)], [])
        verified = self.airlock("cache", "verify", "--format", "json")
        self.assertEqual(verified.code, 0, verified.out)
        self.assertIn(self.gather(probe).status("p"), ("ran", "cache_hit"))
        self.assertEqual(self.gather(probe).status("p"), "cache_hit")

    def test_output_to_a_pipe_that_nobody_reads(self):
        process = subprocess.Popen(self.place.command(["gather", self.repo, "--probe", self.probe(run="return ProbeOutput({'a': ['words ' * 1000] * 500})"), "--format", "json"]),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment)
        process.stdout.close()
        self.assertRegex(process.stderr.read().decode(), r"\A(airlock: [^\n]+\n)?\Z")
        process.stderr.close()
        self.assertGreaterEqual(process.wait(10), 0)


class Crowds(Case):
    IN_MEMORY = True

    def test_two_at_once_fifty_times(self):
        """On one cache; each round has new inputs, so both run and both keep."""
        probe = self.probe(run="(ctx.output_dir / 'a').write_bytes((repo.root / 'a.py').read_bytes() * 1000)\nreturn ProbeOutput({'n': (repo.root / 'a.py').read_text()}, ['a'])")
        command = self.place.command(["gather", self.repo, "--probe", probe, "--format", "json", "--jobs", "1"])
        seen = {"ran": 0, "cache_hit": 0}
        for number in range(50):
            (self.repo / "a.py").write_text(str(number))
            both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment) for _ in range(2)]
            for process in both:
                out, err = process.communicate(timeout=SECONDS)
                self.assertEqual((process.returncode, err), (0, b""))
                report = json.loads(out)
                self.assertEqual(report["outputs"]["p"]["schema_slice"], {"n": str(number)})
                seen[report["executions"]["p"]["status"]] += 1
        self.assertGreaterEqual(seen["ran"], 50)
        self.assertEqual(self.gather(probe).status("p"), "cache_hit")
        verified = self.airlock("cache", "verify", "--format", "json")
        self.assertEqual((verified.code, verified.report["sound"]), (0, 101))  # fifty outputs with an artifact, one description
        # Of two that kept the same key at once, one has written for nothing: tidied, and no alarm.
        self.assertEqual({one["damage"] for one in verified.report["removed"]} - {"orphaned"}, set())
        self.assertEqual(len(self.airlock("runs", "--last", "1000", "--format", "json").report["runs"]), 101)

    def test_eight_first_runs_at_once(self):
        command = self.place.command(["gather", self.repo, "--probe", self.probe(), "--format", "json"])
        all_ = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment) for _ in range(8)]
        for process in all_:
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(self.airlock("cache", "verify").out, "2 entries are sound, nothing was damaged\n")  # what it said of itself, and its output


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
