#!/usr/bin/env python3
"""Tests of `airlock gather` against what a stranger's texts, patterns and ignore files may cost: every probe has its execution, and time and memory
stay bounded outside of the chamber too.

    tests/hostile/gather_bounds_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.gather import OK, Case, Done, Together


class TextsOfAnyKind(Together):
    """One probe each; whatever it says, it has its execution, and so have all the others."""
    RAISES = {
        "nul": r"'a\x00b'", "only_nul": r"'\x00' * 5000", "surrogate": r"'\ud800 \udfff'", "escaped_bytes": r"'\udcff\udc80'", "controls": r"'\x1b[2J\x07\x9b\x7f'",
        "turned": r"'\u202etxt.exe\u2066'", "huge": r"'x' * 20_000_000", "lines": r"'one\ntwo\r\nthree\u2028four'", "private_use": r"'\ue000\U0010ffff'", "empty": "''",
    }
    BODIES = {
        **{f"raise_{name}": (f"raise ValueError({text})",) for name, text in RAISES.items()},
        **{f"print_{name}": (f"print({text}[:3000].encode('utf-8', 'surrogateescape' if 'udc' in {text!r} else 'replace').decode('utf-8', 'replace'))\nraise KeyError(1)",)
           for name, text in RAISES.items()},
        **{f"warn_{name}": (f"return ProbeOutput({{}}, warnings=[{text}[:9000]], errors=[{text}[:9000]])",) for name, text in RAISES.items()},
        **{f"key_{name}": (f"return ProbeOutput({{{text}[:9000]: 1}})",) for name, text in RAISES.items()},
        **{f"artifact_{name}": (f"return ProbeOutput({{}}, [{text}[:9000]])",) for name, text in RAISES.items()},
        "type_name": (r"raise type('E\x00\x1b', (Exception,), {})('x')",),
        "log": (r"ctx.logger.warning('a\x00b \ud800'.encode('utf-8', 'replace').decode()); raise ValueError('x\x00')",),
        "raw_bytes": (r"os.write(2, b'\xff\xfe\x00\x1b[2J'); raise ValueError('\x00')",),
        "fine": (OK,),
    }

    def check(self, name):
        self.assertIn(self.done.code, (0, 1), self.done.err)
        self.assertNotIn("bug", self.done.err)
        one = self.done.execution(name)
        self.assertIn(one["status"], ("ran", "failed"))
        output = self.done.report["outputs"][name]
        for text in (one["reason"] or "", *output["errors"], *output["warnings"], json.dumps(output["schema_slice"], ensure_ascii=False)):
            self.assertLess(len(text), 10_000)
            if name.startswith(("raise", "print", "type", "raw", "log")):
                for obeyed in "\0\x1b\x07\x7f\x9b\u202e\u2066":
                    self.assertNotIn(obeyed, text)
        if name.startswith(("raise", "print", "type", "raw", "log")):
            self.assertEqual(one["status"], "failed")

    def test_all_have_their_execution(self):
        self.assertEqual(set(self.done.statuses()), set(self.BODIES))
        self.assertEqual(self.done.status("fine"), "ran")
        self.assertIn(r"ValueError: a\x00b", self.done.execution("raise_nul")["reason"])

    def test_they_are_recorded(self):
        runs = self.shared.airlock("runs", self.done.report["run_id"], "--format", "json")
        self.assertEqual({one["probe"] if isinstance(one, dict) else one for one in runs.report["executions"]} >= set(self.BODIES), True, runs.out[:500])
        text = self.shared.airlock("runs", self.done.report["run_id"])
        self.assertFalse(set(text.out) & set("\0\x1b\x07\x7f\x9b\u202e"))

    def test_a_terminal_obeys_nothing(self):
        probes = [self.shared.folder / f"{name}.py" for name in self.BODIES if name.startswith(("raise", "print", "raw"))]
        done = self.shared.gather(*probes, form="text", options=("--no-cache", "--jobs", "4"), seconds=120)
        self.assertFalse(set(done.out + done.err) & set("\0\x1b\x07\x7f\x9b\u202e\u2066"))


TextsOfAnyKind.make_tests("says", TextsOfAnyKind.check)


class Executions(Case):
    def test_a_probe_that_fails_in_every_step_and_two_of_one_name(self):
        probes = [self.probe("fine"), self.probe("other", file="same1.py"), self.probe("other", file="same2.py"), self.probe("repository", file="taken.py"),
                  self.place.file("syntax.py", "def ("), self.place.file("empty.py", ""), self.place.file("nul.py", b"x = 1\0"),
                  self.place.file("loads.py", "raise ValueError('a\\x00b')\n"),
                  self.probe("describes", attributes="name = property(lambda self: 1 / 0)"), self.probe("named", attributes="name = 'a\\x00b'"),
                  self.probe("version", attributes="version = 'a\\x00b'"), self.probe("inputs", attributes="declared_inputs = ['a\\x00b', '\\ud800'.encode('utf-8', 'replace').decode()]"),
                  self.probe("brace", attributes="declared_inputs = ['{a,b']"),
                  self.probe("applying", attributes="def applies(self, repo, task):\n    raise ValueError('a\\x00b')"),
                  self.probe("keyed", attributes="def cache_key(self, repo, task):\n    return 'a\\x00b'")]
        done = self.gather(*probes)
        self.assertNotIn("bug", done.err)
        self.assertEqual(len(done.statuses()), len(probes), done.statuses())
        self.assertEqual((done.status("fine"), done.status("other"), done.status("other-2")), ("ran", "ran", "failed"))
        self.assertEqual(done.status("keyed"), "ran")
        for name in done.statuses():
            self.assertIn("schema_slice", done.report["outputs"].get(name, {"schema_slice": {}}))

    def test_a_store_that_fails_in_the_middle(self):
        """Tables that are gone, and a cache that became a file, while probes run."""
        spoils = {
            "runs": lambda: sqlite3.connect(self.home / "airlock.db").executescript("DROP TABLE findings; DROP TABLE executions;"),
            "cache": lambda: (subprocess.run(["rm", "-rf", self.home / "cache"], check=True), (self.home / "cache").write_text("x")),
            "all": lambda: (self.home / "airlock.db").write_bytes(b"not a database" * 1000),
        }
        for name, spoil in spoils.items():
            with self.subTest(name):
                subprocess.run(["rm", "-rf", self.home], check=True)
                first = self.probe("first", run="return ProbeOutput({'a': 1})")
                self.gather(first)
                spoil()
                done = self.gather(first, self.probe("second"), options=("--jobs", "1"))
                self.assertEqual(done.code, 0, done.err)
                self.assertEqual(set(done.statuses()), {"first", "second"})
                self.assertIn(done.status("second"), ("ran",))
                self.assertEqual(done.report["outputs"]["second"]["schema_slice"], {"ok": 1})


class Bounds(Case):
    IN_MEMORY = True

    def measured(self, *arguments, seconds=120):
        """With the most memory that it ever had."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        reads = ("import resource, subprocess, sys\nd = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL)\n"
                 "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\nsys.exit(d.returncode)\n")
        done = subprocess.run([sys.executable, "-c", reads, *map(os.fsdecode, self.place.command(arguments))], cwd=self.folder, env=self.place.environment,
                              capture_output=True, timeout=seconds)
        self.assertGreaterEqual(before, 0)
        err, _, peak = done.stderr.decode().rstrip("\n").rpartition("\n")
        return Done(done.returncode, done.stdout, err.encode(), 0, int(peak))

    def test_patterns_of_many_forms_over_long_names(self):
        here = self.repo
        for _ in range(8):
            here = here / ("x" * 200)
        here.mkdir(parents=True)
        for number in range(6):
            (here / f"f{number}.txt").write_text("hi")
        patterns = "declared_inputs = ['{,}' * 8 + '*?' * 230 + 'z?' + str(i) + '*' for i in range(200)]\ntimeout_seconds = 60\n"
        done = self.measured("gather", self.repo, "--probe", self.probe(attributes=patterns), "--probe", self.probe("other"), "--jobs", "1", "--format", "json")
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertEqual(done.statuses(), {"p": "ran", "other": "ran"})
        self.assertLess(done.peak_kb, 250_000)

    def test_ignore_files_of_a_stranger(self):
        here, text = self.repo, (("*a" * 2000 + "*\n") * 262)[:1024 * 1024]
        for _ in range(30):
            (here / ".gitignore").write_text(text)
            (here / "f.txt").write_text("x")
            here = here / "d"
            here.mkdir()
        done = self.measured("gather", self.repo, "--format", "json")
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertLess(done.peak_kb, 250_000)
        self.assertEqual(done.facts("repository")["files"], 61)
        for name in ("repository", "language_detection"):
            output = done.report["outputs"][name]
            self.assertEqual(output["confidence"], "medium")
            self.assertRegex(output["warnings"][0], r"^Not all ignore rules are used.*first in \.gitignore")
        self.assertRegex(self.gather(form="text").out, r"warning +Not all ignore rules are used")

    def test_ignore_files_of_honest_people_are_used_whole(self):
        (self.repo / ".gitignore").write_text("".join(f"build-{i}/\n*.o{i}\n" for i in range(2000)))
        (self.repo / "x.o1999").write_text("x")
        done = self.gather(self.probe())
        self.assertEqual(done.report["outputs"]["repository"]["warnings"], [])
        self.assertEqual(done.facts("repository")["files"], 2)

    def test_which_phase_ran_out_of_time(self):
        (self.repo / "large").write_bytes(b"")
        os.truncate(self.repo / "large", 1 << 40)  # holes: reading it takes for ever
        done = self.gather(self.probe("reads", attributes="declared_inputs = ['large']\ntimeout_seconds = 0.5"), self.probe("other", attributes="declared_inputs = ['a.py']"))
        self.assert_failed(done, "reads", r"TimeoutError: Timed out after 0\.5s while its declared inputs were read")
        self.assertEqual(done.status("other"), "ran")
        done = self.gather(self.probe("reads", attributes="declared_inputs = ['large']"), options=("--timeout", "0.5"))
        self.assert_failed(done, "reads", r"TimeoutError: Timed out after 0\.5s while its declared inputs were read")
        done = self.gather(self.probe("asks", attributes="def applies(self, repo, task):\n    while True: pass"), options=("--timeout", "0.5"))
        self.assert_failed(done, "asks", r"TimeoutError: .*0\.5s while it was asked whether it applies")
        done = self.gather(self.probe("runs", run="while True: pass"), options=("--timeout", "0.5", "--no-cache"))
        self.assert_failed(done, "runs", r"TimeoutError: Execution timed out after 0\.5s")

    def test_a_repository_that_was_not_seen_whole_gives_no_key(self):
        for number in range(60_000):
            os.close(os.open(self.repo / f"f{number}", os.O_CREAT | os.O_WRONLY))
        done = self.gather(self.probe(), options=("--timeout", "0.01"))
        repository = done.report["outputs"]["repository"]
        self.assertEqual((done.facts("repository")["was_cut"], repository["confidence"]), (True, "low"))
        self.assertRegex(repository["warnings"][0], "Time was up while the repository was walked")
        self.assertIsNone(done.execution("p")["key"])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
