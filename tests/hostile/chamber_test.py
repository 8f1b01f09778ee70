#!/usr/bin/env python3
"""Guests that misbehave, with the scan left out: what the chamber makes of each. Needs only python3 and a built airlock.

    tests/hostile/chamber_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed` (and `, N skipped` when some could not run).
"""
import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.forging import HANDS

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60  # seconds; a safety net against hangs, not a measure of speed


def hosts():
    """The ids of all processes of this airlock's host program."""
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(AIRLOCK.parent / "airlock-host"):
                found.add(int(entry.name))
        except OSError:
            continue
    return found


def parent_of(process):
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


class Case(harness.Case):
    def reading(self):
        """Options for a policy with a module that asks the system for a file; in a plain cell nothing does."""
        (self.folder / "reads.toml").write_text('extends = "extractor"\nname = "reads"\n[modules.pwd]\nwhy = "reads a file, which is denied"\n'
                                                'attributes = ["getpwnam"]\n')
        return "--policy", "reads.toml"

    def command(self, code, *options, paths=("/a/b",), name="guest.py", form="json"):
        (self.folder / name).write_text(code)
        words = ["validate", name, "--no-scan", "--format", form, *options]
        for path in paths:
            words += ["--path", path]
        return words

    def run_guest(self, code, *options, before=(), **more):
        return self.airlock(*self.command(code, *options, **more), before=before)

    def results(self, code, *options, **more):
        done = self.run_guest(code, *options, **more)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode())
        report = json.loads(done.stdout)
        self.assertIsNotNone(report["test_results"], report["retry_context"])
        return report["test_results"]["results"]

    def result(self, body, *options, **more):
        """Of extract(path) with this body, or of a whole program that has its own."""
        code = body if "def extract" in body else "def extract(path: str) -> dict:\n" + "".join(
            f"    {line}\n" for line in body.splitlines()) + "    return {}\n"
        return self.results(code, *options, **more)[0]


class Deadlines(Case):
    def assert_late(self, body):
        started = time.monotonic()
        got = self.result(body, "--timeout", "0.4")
        self.assertEqual((got["error_type"], got["error"]), ("TimeoutError", "Execution timed out after 0.4s"), got)
        self.assertLess(time.monotonic() - started, 20)

    def test_busy_loop(self):
        self.assert_late("while True: pass")

    def test_one_long_multiplication(self):
        self.assert_late("return {'n': 10 ** 10 ** 8 % 7}")

    def test_exploding_pattern(self):
        self.assert_late("import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')\nreturn {}")

    def test_loop_in_finally(self):
        self.assert_late("try:\n    return {}\nfinally:\n    while True: pass")

    def test_loop_that_swallows_everything(self):
        self.assert_late("while True:\n    try:\n        while True: pass\n    except BaseException: pass")

    def test_endless_text_of_an_exception(self):
        self.assert_late("class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E()")

    def test_endless_loading(self):
        self.assert_late("while True: pass\ndef extract(path: str) -> dict:\n    return {}")

    def test_endless_destructor(self):
        self.assert_late("class D:\n    def __del__(self):\n        while True: pass\nD()\nreturn {}")


class Memory(Case):
    def assert_full(self, body, limit=100):
        got = self.result(body, "--memory", str(limit), "--timeout", "20")
        self.assertEqual(got["error_type"], "MemoryError", got)
        self.assertIn(f"{limit} MB", got["error"])

    def test_one_large_allocation(self):
        self.assert_full("return {'n': len(bytearray(10 ** 9))}")

    def test_slow_growth(self):
        self.assert_full("kept = []\nwhile True: kept.append(bytearray(1000))")

    def test_growing_bytes(self):
        self.assert_full("b = b'x'\nwhile True: b += b")

    def test_growing_text(self):
        self.assert_full("s = 'x'\nwhile True: s += s")

    def test_growing_list(self):
        self.assert_full("l = [0]\nwhile True: l += l")

    def test_growing_dict(self):
        self.assert_full("d = {}\nn = 0\nwhile True:\n    d[n] = n\n    n += 1")

    def test_another_limit_is_named(self):
        self.assert_full("return {'n': len(bytearray(10 ** 9))}", limit=30)

    def test_what_the_limit_allows_is_there(self):
        got = self.result("return {'n': len(bytearray(70 * 10 ** 6))}")
        self.assertEqual(got["result"], {"n": 70000000}, got)

    def test_memory_that_runs_out_costs_one_sample(self):
        code = ("def extract(path: str) -> dict:\n    if path == '/bad': return {'n': len(bytearray(10 ** 9))}\n"
                "    return {'path': path}\n")
        got = self.results(code, paths=["/one", "/bad", "/two"])
        self.assertEqual([one["success"] for one in got], [True, False, True])


class Output(Case):
    def test_flood_of_output_is_bounded(self):
        done = self.run_guest("def extract(path: str) -> dict:\n    for i in range(200000): print('x' * 100)\n    return {}\n")
        self.assertLess(len(done.stdout), 400_000)

    def test_large_result(self):
        got = self.result("return {'a': 'x' * 2_000_000}")
        self.assertEqual(got["error_type"], "OutputLimitError", got)

    def test_large_result_of_a_cell_that_can_hold_it(self):
        got = self.result("return {'a': ['x' * 1000] * 100000}")
        self.assertEqual(got["error_type"], "OutputLimitError", got)

    def test_deep_result(self):
        got = self.result("d = {}\nfor i in range(100000): d = {'d': d}\nreturn d")
        self.assertFalse(got["success"])
        self.assertNotEqual(got["error_type"], "CrashError", got)

    def test_circular_result(self):
        got = self.result("d = {}\nd['d'] = d\nreturn d")
        self.assertFalse(got["success"])
        self.assertNotEqual(got["error_type"], "CrashError", got)

    def test_output_is_kept_when_it_fails(self):
        got = self.result("print('before')\nraise ValueError('no')")
        self.assertEqual((got["stdout"], got["error_type"], got["error"]), ("before\n", "ValueError", "no"))

    def test_escapes_never_reach_a_terminal(self):
        code = ("def extract(path: str) -> dict:\n    print('\\x1b]0;owned\\x07\\x1b[2J')\n"
                "    raise ValueError('\\x1b[31mred\\u202e\\x9b2J')\n")
        for form in ("text", "json"):
            out = self.run_guest(code, form=form).stdout.decode()
            for raw in ("\x1b", "\x07", "\x9b", "\u202e"):
                self.assertNotIn(raw, out)


class Endings(Case):
    def test_recursion(self):
        got = self.result("def f(n): return f(n + 1)\nreturn {'n': f(0)}")
        self.assertEqual(got["error_type"], "RecursionError", got)

    def test_recursion_through_the_interpreter(self):
        got = self.result("class A:\n    def __repr__(self): return repr([self])\nreturn {'n': repr(A())}")
        self.assertEqual(got["error_type"], "RecursionError", got)

    def test_exception_has_its_line(self):
        got = self.result("def extract(path: str) -> dict:\n    x = 1\n    return {'n': x / 0}\n")
        self.assertEqual((got["error_type"], got["error_line"]), ("ZeroDivisionError", 3))

    def test_exception_in_a_helper_has_the_innermost_line(self):
        got = self.result("def inner(p):\n    return p[99999]\n\ndef extract(path: str) -> dict:\n    return {'a': inner(path)}\n")
        self.assertEqual((got["error_type"], got["error_line"]), ("IndexError", 2))
        self.assertEqual([step["line"] for step in got["traceback"]], [5, 2])

    def test_module_that_fails_to_load(self):
        got = self.result("1 / 0\ndef extract(path: str) -> dict:\n    return {}\n")
        self.assertEqual((got["error_type"], got["error_line"]), ("ZeroDivisionError", 1))

    def test_kinds_of_base_exception(self):
        for kind in ("SystemExit(0)", "KeyboardInterrupt()", "GeneratorExit()", "BaseException('x')"):
            with self.subTest(kind=kind):
                got = self.result(f"raise {kind}")
                if got["error_type"] == "NameError":
                    self.skipTest(f"{kind} is not among the builtins")
                self.assertEqual(got["error_type"], kind.partition("(")[0], got)

    def test_wrong_type(self):
        got = self.result("return path.split('/')")
        self.assertEqual((got["error_type"], got["error"]), ("TypeError", "extract() returned list, expected dict"))

    def test_state_ends_with_the_cell(self):
        code = ("seen = []\ndef extract(path: str) -> dict:\n    seen.append(path)\n    if path == '/die':\n"
                "        while True: pass\n    return {'n': len(seen)}\n")
        got = self.results(code, "--timeout", "0.5", paths=["/a", "/b", "/die", "/c"])
        self.assertEqual([one["result"] for one in got], [{"n": 1}, {"n": 2}, None, {"n": 1}])
        self.assertEqual(got[2]["error_type"], "TimeoutError")

    def test_denial_is_reported_although_swallowed(self):
        code = ("import pwd\ndef extract(path: str) -> dict:\n    try:\n        pwd.getpwnam('root')\n"
                "    except Exception:\n        pass\n    return {'fine': True}\n")
        got = self.result(code, *self.reading())
        self.assertEqual((got["success"], got["error_type"], got["error_line"]), (False, "SandboxViolation", 4), got)
        self.assertRegex(got["error"], r"openat at line 4")

    def test_crash(self):
        code = "import ctypes\ndef extract(path: str) -> dict:\n    if path == '/a': ctypes.string_at(8)\n    return {}\n"
        got = self.results(code, "--policy", "node", paths=["/a", "/b"])
        self.assertEqual((got[0]["error_type"], got[1]["success"]), ("CrashError", True), got)
        self.assertIn("signal 11", got[0]["error"])


class Faults(Case):
    LOOP = "def extract(path: str) -> dict:\n    while path == '/slow': pass\n    return {'path': path}\n"

    def start_loop(self):
        before = hosts()
        process = self.start(*self.command(self.LOOP, "--timeout", "6", paths=["/slow", "/after"]))

        def busy_cell():
            chain = [one for one in sorted(hosts() - before) if self.depth(one, process.pid) > 0]
            return max((one for one in chain if self.is_busy(one)), key=lambda one: self.depth(one, process.pid), default=None)
        cell = self.wait_for(busy_cell, "a cell at work")
        return process, cell, parent_of(cell)

    @staticmethod
    def depth(process, ancestor):
        count = 0
        try:
            while process > 1:
                if process == ancestor:
                    return count
                process, count = parent_of(process), count + 1
        except OSError:
            pass
        return 0

    @staticmethod
    def is_busy(process):
        try:
            # A cell: behind a filter, as a vetter is, but started by another host; and it is at work.
            status = pathlib.Path(f"/proc/{process}/status").read_text()
            words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            return "Seccomp:\t2" in status and parent_of(process) in hosts() and int(words[11]) >= 5
        except OSError:
            return False

    def test_killed_cell_costs_one_sample(self):
        process, cell, _ = self.start_loop()
        os.kill(cell, signal.SIGKILL)
        out, err = process.communicate(timeout=SECONDS)
        got = json.loads(out)["test_results"]["results"]
        self.assertEqual((process.returncode, got[1]["success"]), (1, True), err)
        # Either said, or tried again in a new cell, where this guest runs into its deadline.
        self.assertIn(got[0]["error_type"], ("CrashError", "TimeoutError"))

    def test_killed_zygote_is_said(self):
        process, cell, zygote = self.start_loop()
        os.kill(zygote, signal.SIGKILL)
        out, err = process.communicate(timeout=SECONDS)
        self.assertIn(process.returncode, (1, 3), err)
        if process.returncode == 3:
            self.assertIn(b"the chamber is gone", err)
            self.assertEqual(out, b"")
        self.assert_gone({cell, zygote})

    def test_killed_airlock_takes_all_along(self):
        process, cell, zygote = self.start_loop()
        process.kill()
        self.assert_gone({cell, zygote})

    def test_interrupt_takes_all_along(self):
        process, cell, zygote = self.start_loop()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(SECONDS), 130)
        self.assert_gone({cell, zygote})

    def assert_gone(self, processes):
        self.wait_for(lambda: not hosts() & processes, "the end of all processes")

    def test_sixteen_at_once(self):
        code = "def extract(path: str) -> dict:\n    return {'path': path}\n"
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            done = list(pool.map(lambda i: self.run_guest(code, name=f"g{i}.py", paths=[f"/p/{i}"]), range(16)))
        for i, one in enumerate(done):
            self.assertEqual(one.returncode, 0, one.stderr)
            self.assertEqual(json.loads(one.stdout)["test_results"]["results"][0]["result"], {"path": f"/p/{i}"})

    def test_nothing_is_left_behind(self):
        def places():
            return {str(one) for folder in ("/tmp", "/dev/shm", "/run") for one in pathlib.Path(folder).iterdir()
                    if "airlock" in one.name and "airlock-test-" not in one.name} | {
                line.split()[1] for line in pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()[1:]}
        before, processes = places(), hosts()
        self.result("while True: pass", "--timeout", "0.2")
        self.result("return {'n': len(bytearray(10 ** 9))}")
        self.assertEqual(hosts() - processes, set())
        new = places() - before
        self.wait_for(lambda: not new & places(), f"that {new} goes away")  # others work on this machine too; what is theirs goes


class Doctor(Case):
    def diagnose(self, *prefix):
        done = self.airlock("doctor", "--format", "json", before=prefix)
        return done.returncode, json.loads(done.stdout)

    def test_no_attack_succeeds_here(self):
        code, report = self.diagnose()
        self.assertEqual((code, report["acceptable"]), (0, True), report)
        for wall in report["walls"]:
            with self.subTest(wall=wall["name"]):
                self.assertNotEqual(wall["state"], "BREACHED", wall)
                self.assertEqual(bool(wall["tried"]), wall["stands"], wall)
                self.assertEqual(wall["remedy"] is None, wall["stands"] or wall["needed"], wall)

    def test_without_user_namespaces_the_tier_is_lower_and_holds(self):
        prefix = ["unshare", "-Ur", "sh", "-c", "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv "
                  "--bounding-set=-all --inh-caps=-all --ambient-caps=-all \"$@\"", "sh"]
        if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
            self.skipTest("this host has no user namespaces to test in")
        code, report = self.diagnose(*prefix)
        self.assertEqual(code, 0, report)
        self.assertIn(report["tier"], ("reduced", "minimal"))
        missing = {wall["name"] for wall in report["walls"] if not wall["stands"]}
        self.assertLessEqual({"pid-namespace", "net-namespace", "empty-root"}, missing)
        self.assertNotIn("BREACHED", {wall["state"] for wall in report["walls"]})

    def test_text_says_the_tier(self):
        self.assertRegex(self.airlock("doctor").out.splitlines()[-1], r"^Tier: (full|reduced|minimal) \(")


# A step of the lock-down each, as tests/support/lesser_host.py refuses it, and what the message must name.
STEPS = {
    "filters": (["seccomp=ENOSYS", "prctl/22=EINVAL"], "seccomp"),
    "loading a filter": (["seccomp/1=EPERM", "prctl/22=EPERM"], "load the seccomp filter"),
    "the limit on files": (["prlimit64/-/1=EPERM"], "forbid writing files"),
    "the limit on processor time": (["prlimit64/-/0=EPERM"], "limit processor time"),
    "the limit on mapped memory": (["prlimit64/-/9=EPERM"], "limit mapped memory"),
    "dying with the parent": (["prctl/1=EPERM"], "die with the parent"),
    "no new privileges": (["prctl/38=EINVAL"], "forbid new privileges"),
    "no dumps": (["prctl/4=EPERM"], "forbid dumps"),
    "ambient capabilities": (["prctl/47=EINVAL"], "capabilities"),
    "capabilities": (["capset=EPERM"], "drop all capabilities"),
    "Landlock, begun and then refused": (["landlock_restrict_self=EPERM"], "Landlock"),
    "namespaces, for another reason than that there are none": (["unshare=ENOMEM"], "leave the host's namespaces"),
    "closing descriptors": (["close_range=EPERM"], "ended before its walls stood"),
    "a handle on the zygote": (["pidfd_open=EPERM"], "watch"),
}
NEEDS_NAMESPACES = {
    "the host's name, for another reason": (["sethostname=ENOMEM"], "forget the host's name"),
    "mounting, for another reason": (["mount=ENOMEM"], "empty the root"),
    "the new root": (["pivot_root=EPERM"], "empty the root"),
    "letting go of the host's root": (["umount2=EPERM"], "let go of the host's root"),
    "letting go of the host's root, which is only said": (["umount2=SUCCESS"], "it is still there, above the new one"),
}
MINIMAL = ["unshare=EPERM", "landlock_create_ruleset=ENOSYS"]
NO_FILTERS = ["seccomp=ENOSYS", "prctl/22=EINVAL"]


class LesserHosts(Case):
    """The kernel refuses single steps of the lock-down, from outside of airlock: a filter that it inherits."""
    HONEST = "def extract(path: str) -> dict:\n    return {'path': path}\n"

    def setUp(self):
        super().setUp()
        if self.run_on(["capset=EPERM"], [], program="true").returncode == 125:
            self.skipTest("this machine cannot pretend to be a lesser host")

    def run_on(self, denied, words, program=None):
        return self.airlock(*words, program=program, before=[sys.executable, ROOT / "tests" / "support" / "lesser_host.py", *denied, "--"])

    def assert_nothing_is_run(self, denied, named):
        (self.folder / "paths").write_text("/a/b\n")
        for words in (self.command(self.HONEST), ["extract", "guest.py", "paths"]):
            done = self.run_on(denied, words)
            said = done.stderr.decode()
            self.assertEqual((done.returncode, done.stdout), (3, b""), said)
            self.assertIn(named, said)
            self.assertIn("No code is run where a wall cannot be raised.", said)
            self.assertIn("airlock doctor", said)

    def test_a_step_that_fails_ends_the_run(self):
        for name, (denied, named) in STEPS.items():
            with self.subTest(step=name):
                self.assert_nothing_is_run(denied, named)

    def test_a_step_that_fails_in_a_namespace_ends_the_run(self):
        if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
            self.skipTest("this host has no user namespaces")
        for name, (denied, named) in NEEDS_NAMESPACES.items():
            with self.subTest(step=name):
                self.assert_nothing_is_run(denied, named)

    def test_without_filters_no_command_goes_on(self):
        self.assert_nothing_is_run(NO_FILTERS, "seccomp")
        check = self.run_on(NO_FILTERS, ["check", "guest.py"])
        self.assertEqual((check.returncode, check.stdout), (3, b""), check.stderr)
        doctor = self.run_on(NO_FILTERS, ["doctor"])
        text = doctor.stdout.decode()
        self.assertEqual(doctor.returncode, 3, text)
        self.assertIn("The chamber could not be made: ", text)
        self.assertIn("CONFIG_SECCOMP_FILTER", text)
        self.assertRegex(text.splitlines()[-1], r"^Tier: none \(")
        report = json.loads(self.run_on(NO_FILTERS, ["doctor", "--format", "json"]).stdout)
        self.assertEqual((report["acceptable"], report["tier"]), (False, "none"))
        self.assertIn("seccomp", report["trouble"])

    def test_a_host_that_gives_no_powers_in_namespaces_still_runs(self):
        """As distributions do that let everyone make namespaces and then allow nothing in them."""
        if subprocess.run(["unshare", "-Ur", "true"], capture_output=True).returncode != 0:
            self.skipTest("this host has no user namespaces")
        done = self.run_on(["mount=EPERM", "sethostname=EPERM"], self.command(self.HONEST))
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["test_results"]["results"][0]["result"]), (0, {"path": "/a/b"}))
        self.assertTrue({"pid-namespace", "net-namespace", "landlock", "seccomp"} <= set(report["walls"]), report["walls"])
        self.assertFalse({"empty-root", "uts-namespace"} & set(report["walls"]), report["walls"])

    def test_unrestricted_python_needs_a_root_of_its_own(self):
        for denied in (["mount=EPERM"], ["unshare=EPERM"]):
            with self.subTest(denied=denied):
                done = self.run_on(denied, self.command(self.HONEST, "--policy", "node"))
                self.assertEqual((done.returncode, done.stdout), (3, b""), done.stderr)
                self.assertIn(b"root of its own", done.stderr)

    def test_the_minimal_tier_works(self):
        done = self.run_on(MINIMAL, self.command(self.HONEST))
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["test_results"]["results"][0]["result"]), (0, {"path": "/a/b"}))
        self.assertIn("seccomp", report["walls"])
        self.assertFalse({"landlock", "empty-root", "net-namespace"} & set(report["walls"]))

    def test_the_minimal_tier_contains_an_attack(self):
        canary = self.folder / "canary"
        canary.write_text("a canary that sings")
        for body in (f"return {{'it': Path({str(canary)!r}).read_text()}}",
                     f"Path({str(canary)!r}).unlink()", f"Path({str(canary)!r}).write_text('gone')"):
            code = f"from pathlib import Path\ndef extract(path: str) -> dict:\n    {body}\n    return {{}}\n"
            done = self.run_on(MINIMAL, self.command(code))
            [got] = json.loads(done.stdout)["test_results"]["results"]
            self.assertEqual((done.returncode, got["success"], got["error_type"]), (1, False, "PermissionError"), got)
            self.assertNotIn(b"a canary that sings", done.stdout)
        self.assertEqual(canary.read_text(), "a canary that sings")

    def test_the_minimal_tier_denies_what_a_module_asks_for(self):
        done = self.run_on(MINIMAL, self.command("import pwd\ndef extract(path: str) -> dict:\n    return {'n': pwd.getpwnam('root').pw_uid}\n",
                                                 *self.reading()))
        [got] = json.loads(done.stdout)["test_results"]["results"]
        self.assertEqual((done.returncode, got["success"], got["error_type"]), (1, False, "SandboxViolation"), got)
        self.assertIn("openat at line 3", got["error"])

    def test_the_minimal_tier_keeps_its_clock_and_its_count(self):
        for body, kind in (("while True: pass", "TimeoutError"), ("return {'n': len(bytearray(10 ** 9))}", "MemoryError")):
            code = f"def extract(path: str) -> dict:\n    {body}\n    return {{}}\n"
            done = self.run_on(MINIMAL, self.command(code, "--timeout", "0.4" if kind == "TimeoutError" else "20"))
            self.assertEqual(json.loads(done.stdout)["test_results"]["results"][0]["error_type"], kind)

    def test_the_doctor_says_minimal(self):
        done = self.run_on(MINIMAL, ["doctor", "--format", "json"])
        report = json.loads(done.stdout)
        self.assertEqual((done.returncode, report["tier"], report["acceptable"]), (0, "minimal", True), report)
        for wall in report["walls"]:
            self.assertIn(wall["state"], ("holds", "missing"), wall)
            self.assertTrue(wall["stands"] or wall["remedy"], wall)

    def test_a_host_that_limits_more_is_no_lesser_host(self):
        for limit in ("--cpu=1000", f"--data={400 * 10 ** 6}", f"--stack={4 * 2 ** 20}", "--core=0", "--memlock=0"):
            with self.subTest(limit=limit):
                done = self.run_guest(self.HONEST, before=["prlimit", limit])
                self.assertEqual(done.returncode, 0, done.stderr)


class LastWords(Case):
    """What a cell noted before it ended is still reported."""

    def test_what_was_printed_is_kept_when_time_is_up_and_the_line_is_named(self):
        got = self.result("print('so far')\nn = 0\nwhile True:\n    n = n + 1", "--timeout", "0.4")
        self.assertEqual((got["error_type"], got["stdout"]), ("TimeoutError", "so far\n"), got)
        self.assertIn(got["error_line"], (4, 5), got)

    def test_a_denial_that_was_swallowed_is_told_though_time_was_up(self):
        got = self.result("import pwd\ntry:\n    pwd.getpwnam('root')\nexcept Exception:\n    pass\n"
                          "while True: pass", "--timeout", "0.4", *self.reading())
        self.assertEqual((got["error_type"], got["error_line"]), ("SandboxViolation", 4), got)
        self.assertIn("openat at line 4 (TimeoutError: Execution timed out after 0.4s)", got["error"])

    def test_a_denial_before_the_process_left_is_told(self):
        got = self.result("import os\nprint('bye')\ntry:\n    os.fork()\nexcept OSError:\n    pass\nos._exit(7)", "--policy", "node")
        self.assertEqual((got["error_type"], got["stdout"]), ("SandboxViolation", "bye\n"), got)
        self.assertIn("exited with code 7", got["error"])

    def test_a_flood_of_output_is_a_verdict(self):
        got = self.result("while True:\n    try:\n        print('x' * 100000)\n    except Exception:\n        pass")
        self.assertEqual((got["error_type"], got["error"]), ("OutputLimitError", "More than 10 MB were printed"), got)
        self.assertEqual(len(got["stdout"]), 64 * 1024)


# What code with native access can say on its socket: a frame is a length and a body.
TALK = HANDS + """
import os
def extract(path: str) -> dict:
"""


class Liars(Case):
    """A cell that was taken over: what it can say is bounded, and harms its own path alone."""

    def talk(self, body, *options, **more):
        return self.result(TALK + "".join(f"    {line}\n" for line in body.splitlines()) + "    return {}\n",
                           "--policy", "node", "--timeout", "2", *options, **more)

    def test_limits_are_held_outside_too(self):
        for name, body in {"result": "send(outcome(ticket_of(path), b'{\"a\":\"' + b'x' * 2000000 + b'\"}'))",
                           "output": "send(outcome(ticket_of(path), b'{}', out=b'x' * 1000000))",
                           "error": "send(outcome(ticket_of(path), b'{}', error=b'x' * 10))"}.items():
            with self.subTest(name):
                got = self.talk(body)
                self.assertEqual((got["success"], got["error_type"]), (False, "CrashError"), str(got)[:300])

    def test_descriptors_are_not_kept(self):
        rights = "(20).to_bytes(8, 'little') + (1).to_bytes(4, 'little') * 2 + bytes(8)"  # SOL_SOCKET, SCM_RIGHTS, descriptor 0
        body = f"os._exit(7 if send_bytes(b'x', control={rights}) else 8)"
        got = self.talk(body)
        self.assertIn("code 7", got["error"])

    def test_a_socket_that_is_closed_is_no_death(self):
        got = self.talk("os.close(0)\nwhile True: pass")
        self.assertEqual((got["error_type"], got["error"]),
                         ("CrashError", "No result from subprocess: what it sent is not a result"), got)

    def bulk(self, body, paths, *options):
        (self.folder / "bulk.py").write_text(TALK + "".join(f"    {line}\n" for line in body.splitlines()) + "    return {'p': path}\n")
        (self.folder / "paths").write_text("".join(f"{path}\n" for path in paths))
        done = self.airlock("extract", "bulk.py", "paths", "--policy", "node", *options)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_frames_without_end_do_not_stop_the_clock(self):
        paths = [f"p{n}" for n in range(40)]
        rows = self.bulk("while path == 'p10':\n    send(rows(NONE, 0))", paths, "--timeout", "1", "--jobs", "2")
        self.assertEqual([row["path"] for row in rows], paths)
        self.assertEqual([row["path"] for row in rows if not row["ok"]], ["p10"])

    def test_a_garbled_frame_costs_its_own_path(self):
        paths = [f"p{n}" for n in range(600)]
        rows = self.bulk("if path == 'p500':\n    send(b'')", paths, "--jobs", "1")
        self.assertEqual([row["path"] for row in rows if not row["ok"]], ["p500"])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
