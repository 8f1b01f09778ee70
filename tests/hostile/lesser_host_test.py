#!/usr/bin/env python3
"""Odd hosts: something is mounted on the root, or the limits of the shell are low. The walls hold, or the command says what is in the way. Needs only python3 and a built airlock.

    tests/hostile/lesser_host_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed` (and `, N skipped` when some could not run).
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
SECONDS = 60  # seconds; a safety net against hangs, not a measure of speed
STACK = 'for i in $(seq "$0"); do mount --bind / / || exit 125; done; exec "$@"'
# What can be seen of the host through "/..": nothing.
LOOK = ("import os\nfound = []\nfor path in ('/../etc/passwd', '/../../etc/hostname', '../etc/hostname', '/../proc/self/exe', '/../root'):\n"
        "    for ask in (os.stat, os.lstat, os.readlink):\n        try:\n            found.append((path, str(ask(path))))\n        except OSError:\n            pass\n")
NODE = {"type": "code", "sandbox": True, "params": {"code": LOOK + "result: list = found"}}
EXTRACTOR = "def extract(path: str) -> dict:\n" + "".join(f"    {line}\n" for line in LOOK.splitlines()) + "    return {'found': found}\n"
HONEST = "def extract(path: str) -> dict:\n    return {'path': path}\n"


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.environment["PATH"] += ":/usr/sbin:/sbin"

    def done(self, words):
        return subprocess.run([str(one) for one in words], cwd=self.folder, env=self.environment, capture_output=True, timeout=SECONDS)


class StackedMounts(Case):
    """Whatever is mounted on the host's root, and however often: the way up from the cell's root leads nowhere."""

    def setUp(self):
        super().setUp()
        if self.stacked(1, ["true"]).returncode != 0:
            self.skipTest("this user cannot mount anything here")

    def stacked(self, levels, words):
        return self.done(["unshare", "-m", "sh", "-c", STACK, levels, *words])

    def test_a_sandboxed_node_sees_nothing_above_its_root(self):
        node = self.write("node.json", NODE)
        for levels in (0, 1, 2, 5):
            with self.subTest(levels=levels):
                done = self.stacked(levels, [harness.AIRLOCK, "run", node, "--format", "json"])
                self.assertEqual(done.returncode, 0, (done.stdout, done.stderr))
                self.assertEqual(json.loads(done.stdout)["shared"]["result"], [])

    def test_an_extractor_sees_nothing_above_its_root(self):
        extractor = self.write("guest.py", EXTRACTOR)
        for levels in (1, 2, 5):
            with self.subTest(levels=levels):
                done = self.stacked(levels, [harness.AIRLOCK, "validate", extractor, "--no-scan", "--policy", "node", "--path", "/a", "--format", "json"])
                self.assertEqual(json.loads(done.stdout)["test_results"]["results"][0]["result"], {"found": []}, done.stderr)

    def test_the_doctor_finds_no_breach(self):
        for levels in (1, 5):
            with self.subTest(levels=levels):
                done = self.stacked(levels, [harness.AIRLOCK, "doctor", "--format", "json"])
                report = json.loads(done.stdout)
                self.assertEqual((done.returncode, report["acceptable"]), (0, True), report)
                self.assertNotIn("BREACHED", {wall["state"] for wall in report["walls"]})
                tried = {one["crime"] for wall in report["walls"] if wall["name"] == "empty-root" for one in wall["tried"]}
                self.assertIn("climb-above", tried)

    def test_a_root_that_cannot_be_let_go_of_stops_every_command(self):
        self.write("guest.py", HONEST)
        self.write("paths", "/a/b\n")
        node, probe = self.write("node.json", NODE), ROOT / "examples" / "probes" / "licences.py"
        lesser = [sys.executable, ROOT / "tests" / "support" / "lesser_host.py", "umount2=SUCCESS", "--"]
        if self.done([*lesser, "true"]).returncode == 125:
            self.skipTest("this machine cannot pretend to be a lesser host")
        for words in (["run", node], ["validate", "guest.py", "--path", "/a"], ["extract", "guest.py", "paths"],
                      ["gather", ROOT / "examples" / "repository", "--probe", probe, "--no-cache"], ["doctor"]):
            with self.subTest(command=words[0]):
                done = self.stacked(1, [*lesser, harness.AIRLOCK, *words])
                self.assertEqual(done.returncode, 3, (done.stdout, done.stderr))
                self.assertIn("let go of the host's root", (done.stdout + done.stderr).decode())


class LowLimits(Case):
    """What the shell allows is too little: the message names the limit and what is needed. It is no bug of airlock's, and nothing that `airlock doctor` would know."""

    def setUp(self):
        super().setUp()
        self.trusted = self.write("node.json", {"type": "code", "params": {"code": "result: int = 1"}})
        self.walled = self.write("walled.json", {"type": "code", "sandbox": True, "params": {"code": "result: int = 1"}})
        self.write("guest.py", HONEST)

    def limited(self, option, value, words):
        return self.done(["sh", "-c", f"ulimit {option} {value} && exec \"$@\"", "sh", harness.AIRLOCK, *words])

    def commands(self):
        return (["run", self.trusted], ["run", self.walled], ["validate", "guest.py", "--path", "/a"], ["check", "guest.py"])

    def assert_named(self, option, value, what):
        """Each command either works, or says why not. At least one does not, or the test tests nothing."""
        self.assertGreater(self.refused(option, value, what), 0)

    def refused(self, option, value, what, endings=(0, 3)):
        """How many commands said so. `endings` are the exit codes that may be."""
        refused = 0
        for words in self.commands():
            with self.subTest(f"ulimit {option} {value}", command=words[:2]):
                done = self.limited(option, value, words)
                said = done.stderr.decode()
                self.assertIn(done.returncode, endings, said)
                self.assertNotIn("bug in airlock", said)
                self.assertNotIn("airlock doctor", said)
                if done.returncode == 3:
                    refused += 1
                    self.assertIn(what, said)
                    self.assertIn(f"(ulimit {option})", said)
                    self.assertIn("are needed", said)
        return refused

    def test_descriptors(self):
        for value in (6, 10):
            self.assert_named("-n", value, f"open files: {value} ")
        for words in self.commands():  # fewer than a cell would get are no reason to refuse
            done = self.limited("-n", 40, words)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_stack(self):
        # How much of it the kernel leaves to a program is random. With 24 KB the kernel may end it before it can say anything.
        refused = self.refused("-s", 28, "stack: 28 KB") + self.refused("-s", 24, "stack: 24 KB", (0, 3, -signal.SIGSEGV, 139))
        self.assertGreater(refused, 0)

    def test_address_space(self):
        for megabytes in (16, 18):
            self.assert_named("-v", megabytes * 1024, f"address space: {megabytes} MB")

    def test_data(self):
        self.assert_named("-d", 5 * 1024, "data segment: 5 MB")

    def test_files(self):
        for blocks, kilobytes in ((0, 0), (2, 1)):  # sh counts in halves of a kilobyte
            self.assert_named("-f", blocks, f"size of a file: {kilobytes} KB")

    def test_what_a_node_prints_is_a_file_too(self):
        node = self.write("prints.json", {"type": "code", "params": {"code": "print('x' * 100_000)\nresult: int = 1"}})
        done = self.limited("-f", 64, ["run", node])
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("ulimit -f", done.stdout.decode())

    def test_processes(self):
        if os.geteuid() != 0:
            self.skipTest("another user is needed whose processes can be counted")
        user = ["setpriv", "--reuid=60321", "--regid=60321", "--clear-groups", "prlimit", "--nproc=1"]
        self.environment["AIRLOCK_HOME"] = "/nonexistent/airlock"
        for name in ("airlock", "airlock-host"):
            shutil.copy(harness.AIRLOCK.parent / (harness.AIRLOCK.name if name == "airlock" else name), self.folder / name)
        (self.folder / "paths").write_text("/a/b1/c.csv\n/a/b2/c.csv\n/a/b3/c.csv\n")
        for words in (*self.commands(), ["wizard", "--batch", "--samples", "paths"]):
            with self.subTest(command=words[:2]):
                done = self.done([*user, self.folder / "airlock", *words])
                said = done.stderr.decode()
                self.assertEqual(done.returncode, 3, said)
                self.assertIn("processes of this user: 1 (ulimit -u), where at least 64 are needed", said)

    def test_what_starts_threads_or_opens_files_itself_names_it_too(self):
        (self.folder / "paths").write_text("/a/b1/c.csv\n/a/b2/c.csv\n/a/b3/c.csv\n")
        (self.folder / "repo").mkdir()
        for option, value, words, what in (("-d", 1000, ["wizard", "--batch", "--samples", "paths"], "data segment: 0 MB"),
                                           ("-n", 4, ["extract", "guest.py", "paths"], "open files: 4 "),
                                           ("-n", 4, ["gather", "repo"], "open files: 4 ")):
            with self.subTest(command=words[0]):
                done = self.limited(option, value, words)
                said = done.stderr.decode()
                self.assertEqual(done.returncode, 3, said)
                self.assertNotIn("bug in airlock", said)
                self.assertIn(f"{what}", said)
                self.assertIn(f"(ulimit {option})", said)

    def test_no_node_is_blamed_for_a_limit(self):
        for value in range(4, 17):
            with self.subTest(value):
                done = self.limited("-n", value, ["run", "--trusted", self.trusted])
                said = (done.stdout + done.stderr).decode()
                if done.returncode != 0:
                    self.assertIn(f"open files: {value} (ulimit -n)", said)
                self.assertNotIn("leave out os._exit()", said)

    def test_a_doctor_who_may_not_do_much_says_so(self):
        """Beside its report, or in it: how many files are open at once, and so which of its tries fails, is not the same each time."""
        for value in (12, 13, 40):
            done = self.limited("-n", value, ["doctor"])
            self.assertIn(f"open files: {value} (ulimit -n)", (done.stdout + done.stderr).decode())
        self.assertNotIn("ulimit", self.limited("-n", 1024, ["doctor"]).stderr.decode())

    def test_the_doctor_names_it_too(self):
        done = self.limited("-f", 0, ["doctor", "--format", "json"])
        self.assertEqual(done.returncode, 3)
        self.assertIn("size of a file: 0 KB (ulimit -f)", json.loads(done.stdout)["trouble"])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
