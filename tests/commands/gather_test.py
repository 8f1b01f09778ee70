#!/usr/bin/env python3
"""Tests of `airlock gather` as its users meet it: the report and the options, who runs when, what is kept and recorded.

    tests/commands/gather_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import hashlib
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes
from support.gather import ROOT, SECONDS, BUILT_IN, TOKEN, OK, probe_source, Case


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

    def test_output_that_cannot_be_written_is_said_before_a_probe_runs(self):
        os.mkfifo(self.folder / "pipe")
        for option, name, words in (("--output", "no/such/x", "write {}: No such file or directory"),
                                    ("--output", "pipe", "write {}: it is a pipe, not a file"),
                                    ("--artifacts", "no/such/x", "make the folder {}: No such file or directory"),
                                    ("--artifacts", "pipe", "make the folder {}: Not a directory")):
            with self.subTest(option, name=name):
                done = self.gather(self.probe(), options=(option, self.folder / name))
                self.assertEqual((done.code, done.out), (2, ""))
                self.assertEqual(done.err, f"airlock: {words.format(self.folder / name)}\n")

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
        shutil.copy2(harness.AIRLOCK, copy)  # and no airlock-host beside it
        done = subprocess.run([copy, "gather", self.repo, "--probe", self.probe()], env=self.place.environment, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), r"\Aairlock: ")


# ── 2. Bad returns ───────────────────────────────────────────────────────────────────────────────


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
                       f"{{'detected_languages': {{f'l{{i}}': i for i in range({2000 if harness.IS_SANITIZED else 20000})}}}}"):
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
        log, go = self.folder / "log", self.repo / "go"
        probes = [self.probe("slow", f"while not (repo.root / 'go').exists(): time.sleep(0.01)\n{OK}"), *[self.probe(f"p{i}") for i in range(4)]]
        process = harness.start(*self.place.command(["gather", self.repo, *[word for one in probes for word in ("--probe", one)], "--jobs", "2", "--log", log,
                                                     "--format", "json"])[1:], cwd=self.folder, env=self.place.environment)
        self.addCleanup(harness.end, process)
        harness.wait_for(lambda: log.exists() and len(log.read_text().splitlines()) == 6, "the others")  # two are built in
        go.touch()
        done = harness.finish(process)
        self.assertEqual({one["status"] for name, one in json.loads(done.out)["executions"].items() if name not in BUILT_IN}, {"ran"})
        self.assertEqual(json.loads(log.read_text().splitlines()[-1])["probe"], "slow")


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
        # It loops until it sees the change; a key without the change was made before it began.
        run = "end = time.monotonic() + 30\nwhile (text := (repo.root / 'in').read_text()) == 'old' and (repo.root / 'wait').exists() and time.monotonic() < end: pass\n"
        probe = self.probe(run=run + "return ProbeOutput({'is': text})", attributes="declared_inputs = ['in']")
        (self.repo / "wait").touch()
        process = harness.start(*self.place.command(["gather", self.repo, "--probe", probe, "--format", "json"])[1:], cwd=self.folder, env=self.place.environment)
        self.addCleanup(harness.end, process)
        harness.wait_for(lambda: processes.busy_cells(process.pid), "the probe at work")
        (self.repo / "in").write_text("new")
        self.assertEqual(json.loads(harness.finish(process).out)["outputs"]["p"]["schema_slice"], {"is": "new"})
        (self.repo / "in").write_text("old")
        (self.repo / "wait").unlink()
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
        """Whoever can write to the cache cannot inject facts: what is kept is judged again."""
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


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
