#!/usr/bin/env python3
"""Tests of the files that commands are given and make: what is no file is said at once and never waited for, files beside an output follow no
link, a reader that stops reading does not hold a program that was told to stop, a read-only place says so.

    tests/commands/files_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import os
import pathlib
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes

SECONDS = 60  # seconds; a safety net against hangs, not a measure of speed
EXTRACTOR = "def extract(path: str) -> dict:\n    return {'path': path, 'n': len(path)}\n"
RULE = "version: 1\nrules:\n  - name: all\n    glob: '**/*'\n    extract:\n      file: { from: filename }\n"
PROBE = ("from airlock.probe import Probe, ProbeOutput\n\n\nclass P(Probe):\n    name = 'p'\n\n"
         "    def run(self, repo, ctx):\n        return ProbeOutput({'x': 1})\n")
NODE = {"type": "code", "params": {"inputs": {}, "code": "result: int = 1", "timeout": 30, "requires": []}}

# Every command that reads a file that it is told the name of, and where: FILE is that name.
READERS = {
    "check": ("check", "FILE"),
    "check python": ("check", "FILE.py"),
    "check policy": ("check", "e.py", "--policy", "FILE.toml"),
    "validate": ("validate", "FILE.py", "--path", "/a/b"),
    "validate samples": ("validate", "e.py", "--samples", "FILE"),
    "validate policy": ("validate", "e.py", "--path", "/a", "--policy", "FILE.toml"),
    "extract": ("extract", "FILE.py", "paths"),
    "extract rule": ("extract", "FILE.yaml", "paths"),
    "extract paths": ("extract", "e.py", "FILE"),
    "extract paths by rule": ("extract", "r.yaml", "FILE"),
    "extract policy": ("extract", "e.py", "paths", "--policy", "FILE.toml"),
    "run": ("run", "FILE.json"),
    "run flow": ("run", "FILE.yaml"),
    "run check": ("run", "FILE.json", "--check"),
    "run shared": ("run", "node.json", "--shared", "FILE"),
    "session": ("session", "FILE.py"),
    "session data": ("session", "--data", "FILE", "e.py"),
    "session policy": ("session", "--policy", "FILE.toml", "e.py"),
    "rules check": ("rules", "check", "FILE.yaml"),
    "rules show": ("rules", "show", "FILE.yaml"),
    "rules test": ("rules", "test", "FILE.yaml", "paths"),
    "rules test paths": ("rules", "test", "r.yaml", "FILE"),
    "rules explain": ("rules", "explain", "FILE.yaml", "/a/b"),
    "infer": ("infer", "FILE"),
    "compare rule": ("compare", "FILE.yaml", "e.py", "paths"),
    "compare extractor": ("compare", "r.yaml", "FILE.py", "paths"),
    "compare paths": ("compare", "r.yaml", "e.py", "FILE"),
    "distill": ("distill", "FILE.py", "--samples", "paths"),
    "distill paths": ("distill", "e.py", "--samples", "FILE"),
    "diff before": ("diff", "FILE.py", "e.py", "--samples", "paths"),
    "diff after": ("diff", "e.py", "FILE.yaml", "--samples", "paths"),
    "diff paths": ("diff", "e.py", "e.py", "--samples", "FILE"),
    "wizard": ("wizard", "--batch", "--samples", "FILE"),
    "drafts add": ("drafts", "add", "FILE.py", "--samples", "paths"),
    "drafts add samples": ("drafts", "add", "e.py", "--samples", "FILE"),
    "approve": ("approve", "FILE.py", "--name", "x", "--samples", "paths"),
    "approve samples": ("approve", "e.py", "--name", "x", "--samples", "FILE"),
    "admit": ("admit", "FILE"),
    "gather probe": ("gather", ".", "--probe", "FILE.py"),
    "policy show": ("policy", "show", "FILE.toml"),
}
# And every one that writes to a file with a name that it is told.
WRITERS = {
    "extract": ("extract", "e.py", "paths", "--output", "FILE.ndjson"),
    "extract csv": ("extract", "e.py", "paths", "--output", "FILE.csv"),
    "extract sqlite": ("extract", "e.py", "paths", "--output", "FILE.sqlite"),
    "run": ("run", "node.json", "--output", "FILE"),
    "gather": ("gather", "repo", "--output", "FILE"),
    "gather log": ("gather", "repo", "--log", "FILE"),
    "infer page": ("infer", "paths", "--report", "FILE"),
    "ai export": ("ai", "export", "FILE"),
}


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        for name, text in {"e.py": EXTRACTOR, "r.yaml": RULE, "probe.py": PROBE, "node.json": json.dumps(NODE), "repo/a.py": "x = 1\n",
                           "paths": "".join(f"/data/{i}/file{i}.csv\n" for i in range(50))}.items():
            self.write(name, text)


class NoFiles(Case):
    """A pipe, a socket, a device or a folder in the place of a file."""

    def made(self, ending):
        """Names of such things, as (word of the message, name)."""
        os.mkfifo(self.folder / ("pipe" + ending))
        with socket.socket(socket.AF_UNIX) as listener:
            here = os.getcwd()
            os.chdir(self.folder)  # a socket's name must be short
            listener.bind("socket" + ending)
            os.chdir(here)
        (self.folder / ("folder" + ending)).mkdir()
        (self.folder / ("device" + ending)).symlink_to("/dev/zero")
        return [("pipe", "pipe"), ("socket", "socket"), ("device", "device"), ("folder", "folder")]

    def no_file_is_said(self, words, is_to_be_read):
        ending = next(pathlib.PurePath(word).suffix for word in words if word.startswith("FILE"))
        for word, name in self.made(ending):
            if name == "folder" and words[0] in ("check", "infer"):
                continue  # these walk folders
            done = self.airlock(*[one.replace("FILE", name) for one in words])
            with self.subTest(name):
                self.assertIn(done.returncode, (1, 2), (done.stdout[:300], done.err))
                self.assertRegex(done.err + done.stdout.decode("utf-8", "replace"), rf"it is a {word}|ordinary file|{word}, not a file|it is not a file")
                if is_to_be_read and name == "pipe":
                    self.assertTrue(stat.S_ISFIFO((self.folder / (name + ending)).lstat().st_mode))

    @classmethod
    def make_tests(cls):
        for kind, table in (("reads", READERS), ("writes", WRITERS)):
            for name, words in table.items():
                setattr(cls, f"test_{kind}_{name.replace(' ', '_')}",
                        lambda self, words=words, kind=kind: self.no_file_is_said(words, kind == "reads"))

    def test_every_command_that_takes_a_file_is_here(self):
        told = {words[0] for words in (*READERS.values(), *WRITERS.values())}
        listed = {line.split()[0] for line in self.airlock("--help").stdout.decode().split("Commands:\n")[1].split("\nOptions")[0].splitlines() if line}
        self.assertEqual(listed - told, {"doctor", "cache", "runs", "extractors", "keys", "clean", "serve", "mcp", "review"} & listed)

    def test_a_report_that_cannot_be_written_is_said_before_a_node_runs(self):
        code = f"import pathlib\npathlib.Path({str(self.folder / 'ran')!r}).touch()\nresult: int = 1"
        self.write("touches.json", json.dumps({**NODE, "params": {**NODE["params"], "code": code}}))
        os.mkfifo(self.folder / "pipe")
        for output, words in (("pipe", "it is a pipe"), ("repo", "it is a folder"), ("none/report.json", "No such file or directory"), ("/proc/report.json", "write /proc")):
            with self.subTest(output):
                done = self.airlock("run", "touches.json", "--trusted", "--output", output)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(words, done.err)
                self.assertEqual(done.err.count("\n"), 1, done.err)
                self.assertFalse((self.folder / "ran").exists())
        self.assertEqual(self.airlock("run", "touches.json", "--trusted", "--output", "report.json").returncode, 0)
        self.assertTrue((self.folder / "ran").exists())

    def test_settings_and_state(self):
        (self.folder / "state").mkdir(mode=0o700)
        os.mkfifo(self.folder / "state" / "config.toml")
        done = self.airlock("ai", "status")
        self.assertIn("it is a pipe, not a file", done.err + done.stdout.decode())
        for name in ("airlock.db", "airlock.lock"):
            home = self.folder / f"home-{name}"
            home.mkdir(mode=0o700)
            os.mkfifo(home / name)
            done = self.airlock("runs", env={**self.environment, "AIRLOCK_HOME": str(home)})
            if name == "airlock.db":
                self.assertEqual(done.returncode, 2, done.err)

    def test_clean_takes_no_pipe_with_a_name(self):
        os.mkfifo(self.folder / "pipe")
        done = self.airlock("clean", "pipe")
        self.assertIn(done.returncode, (1, 2))  # a program without the command says so at once, too

    def test_paths_from_a_shells_pipes_are_read(self):
        for words, text in ((("extract", "e.py"), "<(printf '/a/b\\n/c\\n')"), (("extract", "r.yaml"), "<(printf '/a/b\\n/c\\n')"),
                            (("extract", "e.py"), "/dev/stdin < paths"), (("extract", "e.py"), "- < paths"), (("extract", "e.py"), "/dev/fd/3 3< paths"),
                            (("check",), "<(cat e.py)"), (("admit", "--bare"), "<(echo '{\"a\": 1}')"), (("infer",), "<(cat paths)"),
                            (("compare", "r.yaml", "e.py"), "<(cat paths)"), (("validate", "e.py", "--samples"), "<(cat paths)")):
            with self.subTest(words + (text,)):
                line = " ".join([str(harness.AIRLOCK), *words, text])
                done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, timeout=SECONDS, capture_output=True)
                self.assertIn(done.returncode, (0, 1) if words[0] == "compare" else (0,), done.stderr)
                self.assertTrue(done.stdout)

    def test_a_pipe_with_a_name_is_read_as_standard_input(self):
        os.mkfifo(self.folder / "pipe")
        line = f"(printf '/a\\n/b\\n' > pipe &) ; {harness.AIRLOCK} extract e.py - < pipe"
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=self.environment, timeout=SECONDS, capture_output=True)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 2), done.stderr)

    def test_an_output_to_a_descriptor_goes_there_and_nothing_is_replaced(self):
        before = os.readlink("/dev/stdout")
        with open(self.folder / "here", "wb") as here:
            done = self.airlock("gather", "repo", "--output", "/dev/fd/1", "--format", "json", stdout=here)
        self.assertEqual((done.returncode, os.readlink("/dev/stdout")), (0, before), done.err)
        self.assertEqual((self.folder / "here").read_text().count('"run_id"'), 2)
        self.assertEqual(self.airlock("gather", "repo", "--output", "/dev/null").returncode, 0)
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


class FilesBesideAnOutput(Case):
    ENDINGS = {"ndjson": (".partial", ".partial.state"), "csv": (".partial", ".partial.state", ".partial.csv"),
               "sqlite": (".partial", ".partial.state", ".partial.sqlite")}

    def rows(self, kind, name="rows"):
        file = self.folder / f"{name}.{kind}"
        if kind == "sqlite":
            with sqlite3.connect(file) as database:
                return database.execute("SELECT count(*) FROM rows").fetchone()[0]
        return len(file.read_text().splitlines()) - (kind == "csv")

    def test_no_link_in_their_place_is_followed(self):
        for kind, endings in self.ENDINGS.items():
            for ending in endings:
                for target in ("there", "not-there"):
                    with self.subTest((kind, ending, target)):
                        output = f"{target}{ending}.{kind}"
                        precious = self.write("there", "precious")
                        (self.folder / (output + ending)).symlink_to(self.folder / target)
                        for resume in ((), ("--resume",)):
                            self.airlock("extract", "e.py", "paths", "--output", output, *resume)
                            self.assertEqual(precious.read_text(), "precious")
                            self.assertFalse((self.folder / "not-there").exists())

    def test_a_planted_link_does_not_keep_a_job_from_its_output(self):
        for kind, endings in self.ENDINGS.items():
            for ending in endings[1:]:
                (self.folder / f"rows.{kind}{ending}").symlink_to("/etc/passwd")
            done = self.airlock("extract", "e.py", "paths", "--output", f"rows.{kind}")
            self.assertEqual((done.returncode, self.rows(kind)), (0, 50), done.err)
            self.assertEqual([one.name for one in self.folder.glob(f"rows.{kind}.*")], [])

    def test_a_link_in_the_place_of_the_output_is_replaced(self):
        for kind in self.ENDINGS:
            precious = self.write("precious", "precious")
            (self.folder / f"rows.{kind}").symlink_to(precious)
            done = self.airlock("extract", "e.py", "paths", "--output", f"rows.{kind}")
            self.assertEqual((done.returncode, self.rows(kind), precious.read_text()), (0, 50, "precious"), done.err)
            self.assertFalse((self.folder / f"rows.{kind}").is_symlink())

    def test_rows_are_nobody_elses_until_they_are_done(self):
        os.mkfifo(self.folder / "slow")
        for kind in self.ENDINGS:
            process = self.start("extract", "e.py", "-", "--output", f"rows.{kind}", stdin=subprocess.PIPE, umask=0o002)
            process.stdin.write(b"/a\n")
            process.stdin.flush()
            partial = self.folder / f"rows.{kind}.partial"
            self.wait_for(lambda: partial.exists() and partial.stat().st_size > 0, "a row")
            for name in (".partial", ".partial.state"):
                self.assertEqual(stat.S_IMODE((self.folder / f"rows.{kind}{name}").stat().st_mode), 0o600)
            process.communicate(b"/b\n", timeout=SECONDS)
            self.assertEqual(process.returncode, 0)
            self.assertEqual(stat.S_IMODE((self.folder / f"rows.{kind}").stat().st_mode), 0o664)
            self.assertEqual(self.rows(kind), 2)

    def begun(self, output):
        """A job that was killed after some rows."""
        process = self.start("extract", "e.py", "-", "--output", output, stdin=subprocess.PIPE)
        process.stdin.write(b"/data/0/file0.csv\n/data/1/file1.csv\n")
        process.stdin.flush()
        partial = self.folder / (output + ".partial")
        self.wait_for(lambda: partial.exists() and partial.read_bytes().count(b"\n") == 2, "two rows")
        process.kill()
        process.communicate()
        return partial

    def resume(self, output):
        with open(self.folder / "paths", "rb") as paths:
            return self.airlock("extract", "e.py", "-", "--output", output, "--resume", stdin=paths)

    def test_only_a_file_of_ones_own_is_gone_on_with(self):
        def linked(partial):
            partial.rename(self.folder / "elsewhere")
            partial.symlink_to("elsewhere")

        def writable(partial):
            partial.chmod(0o666)

        def named_twice(partial):
            os.link(partial, self.folder / "second")

        def piped(partial):
            partial.unlink()
            os.mkfifo(partial)

        def state_linked(partial):
            linked(pathlib.Path(f"{partial}.state"))
        spoilers = [(linked, "link"), (writable, "others can write"), (named_twice, "second name"), (piped, "pipe|not a file"), (state_linked, "link")]
        if os.geteuid() == 0:
            spoilers.append((lambda partial: os.chown(partial, 12345, -1), "another user"))
        for number, (spoil, words) in enumerate(spoilers):
            with self.subTest(words):
                partial = self.begun(f"rows{number}.ndjson")
                spoil(partial)
                done = self.resume(f"rows{number}.ndjson")
                self.assertEqual(done.returncode, 2, done.err)
                self.assertRegex(done.err, words)
                self.assertFalse((self.folder / f"rows{number}.ndjson").exists())
                for name in ("elsewhere", "second"):
                    (self.folder / name).unlink(missing_ok=True)

    def test_ones_own_is_gone_on_with(self):
        for kind in self.ENDINGS:
            self.begun(f"rows.{kind}")
            done = self.resume(f"rows.{kind}")
            self.assertEqual((done.returncode, self.rows(kind)), (0, 50), done.err)

    def test_a_folder_reached_through_a_link_is_fine(self):
        (self.folder / "real").mkdir()
        (self.folder / "way").symlink_to("real")
        for kind in self.ENDINGS:
            done = self.airlock("extract", "e.py", "paths", "--output", f"way/rows.{kind}")
            self.assertEqual((done.returncode, self.rows(kind, "real/rows")), (0, 50), done.err)

    def test_what_was_asked_of_a_model_is_its_owners(self):
        self.assertEqual(self.airlock("ai", "export", "log.ndjson", umask=0o000).returncode, 0)
        self.assertEqual(stat.S_IMODE((self.folder / "log.ndjson").stat().st_mode), 0o600)


class Signals(Case):
    """Nobody reads standard output, and the program is told to stop."""

    def stopped(self, number, *words, **options):
        process = self.start(*words, **options)
        # The pipe is full when the program sleeps in it: nothing more is read on this side.
        self.wait_for(lambda: processes.bytes_in(process.stdout) > 32768 and processes.is_still(process.pid), "a full pipe")
        self.assertIsNone(process.poll())
        process.send_signal(number)
        process.wait(SECONDS)
        out, err = process.communicate()
        return process.returncode, out, err

    def test_the_first_signal_ends_an_extraction(self):
        self.write("many", "".join(f"/data/{i}/file{i}.csv\n" for i in range(200000)))
        for extractor, jobs in (("e.py", "2"), ("r.yaml", "1"), ("r.yaml", "3")):
            for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
                with self.subTest((extractor, jobs, code)):
                    returned, out, err = self.stopped(number, "extract", extractor, "many", "--jobs", jobs)
                    self.assertEqual(returned, code, err)
                    self.assertTrue(out.endswith(b"\n"))
                    paths = [json.loads(line)["path"] for line in out.splitlines()]
                    self.assertEqual(paths, [f"/data/{i}/file{i}.csv" for i in range(len(paths))])

    def test_the_first_signal_ends_a_report(self):
        node = {**NODE, "params": {**NODE["params"], "code": "result: str = 'x' * 2000000"}}
        self.write("large.json", json.dumps(node))
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            returned, _, err = self.stopped(number, "run", "large.json", "--format", "json")
            self.assertIn(returned, (code, -number), err)

    def test_the_first_signal_ends_a_report_that_shares_its_pipe_with_what_is_said(self):
        self.write("large.json", json.dumps({"a": ["x" * 100] * 20000}))
        returned, out, _ = self.stopped(signal.SIGINT, "admit", "--bare", "large.json", stderr=subprocess.STDOUT)
        self.assertEqual(returned, 130)
        self.assertTrue(out.startswith(b'{"a":'), out[:100])
        self.assertNotIn(b"interrupted", out)


class ReadOnlyPlaces(Case):
    @unittest.skipUnless(os.geteuid() == 0, "mounting needs root")
    def test_a_state_folder_that_cannot_be_made_says_why(self):
        place = self.folder / "mounted"
        place.mkdir()
        script = f"mount -t tmpfs -o ro none {place} && exec \"$@\""
        if subprocess.run(["unshare", "-m", "sh", "-c", f"mount -t tmpfs -o ro none {place}"], capture_output=True).returncode != 0:
            self.skipTest("nothing can be mounted here")
        for below in ("state", "a/b/state"):
            environment = {**self.environment, "AIRLOCK_HOME": str(place / below)}
            for words, code in ((("gather", "repo"), 0), (("approve", "e.py", "--name", "x", "--samples", "paths"), 2)):
                done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", str(harness.AIRLOCK), *words], cwd=self.folder,
                                      env=environment, capture_output=True, timeout=SECONDS)
                self.assertEqual(done.returncode, code, done)
                self.assertIn(b"Read-only file system", done.stderr, done)
                self.assertIn(b"make the folder " + str(place / below.split("/")[0]).encode(), done.stderr)


NoFiles.make_tests()

if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
