#!/usr/bin/env python3
"""Tests of `airlock gather` when something around it is wrong: odd repositories, stores that cannot be used, signals, many at once. AIRLOCK_SLOW_TESTS=1 adds two
that wait for a locked store, some minutes.

    tests/commands/gather_faults_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.gather import SECONDS, IS_ROOT, SLOW, Case
from support.processes import busy_cells, descendants, is_alive


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
            shutil.copy2(harness.AIRLOCK.parent / name, self.folder / name)
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
        self.assertIn("full", done.err)  # last: only the words are checked

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
        """A few seconds, then the run goes on without it; not that long for each of the probes."""
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


class Ends(Case):
    def start(self, *options):
        probes = [self.probe(f"p{i}", "(ctx.workspace / 'x').write_bytes(b'x' * 1_000_000)\nwhile True: pass") for i in range(2)]
        command = self.place.command(["gather", self.repo, *[word for one in probes for word in ("--probe", one)], "--jobs", "2", *options])
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment, cwd=self.folder)
        self.addCleanup(harness.end, process)
        harness.wait_for(lambda: len(busy_cells(process.pid)) == 2, "two probes at work")
        return process, descendants(process.pid)

    def assert_gone(self, processes):
        self.assertGreaterEqual(len(processes), 4)
        harness.wait_for(lambda: not any(map(is_alive, processes)), "the end of all processes")

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
            time.sleep(0.06 + number * 0.006)  # the moment of the signal is what is tested
            below = descendants(process.pid)
            process.kill()
            process.wait()
            harness.wait_for(lambda: not any(map(is_alive, below)), "the end of all processes")
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
        # Of two that kept the same key at once, one has written for nothing: removed, and not reported as damage.
        self.assertEqual({one["damage"] for one in verified.report["removed"]} - {"orphaned"}, set())
        self.assertEqual(len(self.airlock("runs", "--last", "1000", "--format", "json").report["runs"]), 101)

    def test_eight_first_runs_at_once(self):
        command = self.place.command(["gather", self.repo, "--probe", self.probe(), "--format", "json"])
        all_ = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.place.environment) for _ in range(8)]
        for process in all_:
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual((process.returncode, err), (0, b""))
        verified = self.airlock("cache", "verify", "--format", "json")
        self.assertEqual((verified.code, verified.report["sound"]), (0, 2))  # what it said of itself, and its output
        # Those that took another number of milliseconds and came later have written for nothing.
        self.assertEqual({one["damage"] for one in verified.report["removed"]} - {"orphaned"}, set())


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
