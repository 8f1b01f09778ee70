#!/usr/bin/env python3
"""Tests of `airlock cache` and `airlock runs` as their users meet them: what they print, and what they say about a store
that is damaged, locked, linked, full, or from a newer airlock. Needs only python3 and a built airlock.

    tests/commands/store_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import hashlib
import json
import os
import pathlib
import resource
import sqlite3
import stat
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60
APPLICATION = 0x414C636B


def tables():
    """The steps that make the tables, and how many they are, from the source: the tests fill a store as airlock would."""
    source = (ROOT / "src/store/migrations.h").read_text(encoding="utf-8")
    lines = source.partition("kMigrations = {")[2].partition("};")[0].splitlines()
    steps = [line.strip() for line in lines if line.strip().startswith('"')]
    return "".join(line.rstrip(",").strip('"') for line in steps), sum(line.endswith(",") for line in steps)


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.file = self.home / "airlock.db"

    def connect(self):
        is_new = not self.file.exists()
        self.home.mkdir(mode=0o700, exist_ok=True)
        database = sqlite3.connect(self.file)
        self.addCleanup(database.close)
        if is_new:
            sql, version = tables()
            database.executescript(f"{sql} PRAGMA application_id={APPLICATION}; PRAGMA user_version={version};")
        return database

    def put(self, key, value, probe="language_detection"):
        digest = hashlib.sha256(value).hexdigest()
        blob = self.home / "cache" / "blobs" / digest[:2] / digest
        now = int(time.time() * 1000)
        with self.connect() as database:
            database.execute("INSERT INTO cache VALUES (?, ?, ?, ?, ?, ?)", (key, digest, len(value), now, now, probe))
        blob.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        blob.write_bytes(value)
        return blob

    def add_run(self, run_id, started=1763200000123, finished=1763200005000, executions=()):
        with self.connect() as database:
            database.execute("INSERT INTO runs VALUES (?, ?, ?, 'widget', 'audit')", (run_id, started, finished))
            for probe, status, reason in executions:
                number = database.execute("INSERT INTO executions (run, probe, status, key, reason, duration_ms) "
                                          "VALUES (?, ?, ?, 'k', ?, 12)", (run_id, probe, status, reason)).lastrowid
                database.execute("INSERT INTO findings (execution, fingerprint, pattern) VALUES (?, '0123abcd', 'jwt')", (number,))


class Cache(Case):
    def test_a_store_that_is_not_there_is_empty_and_is_not_made(self):
        self.assertEqual(self.json("cache", "show")["entries"], 0)
        self.assertEqual(self.json("cache", "clear"), {"entries": 0, "bytes": 0})
        self.assertEqual(self.json("cache", "verify"), {"sound": 0, "removed": []})
        self.assertEqual(self.json("runs"), {"runs": []})
        self.assertFalse(self.home.exists())

    def test_show_counts_by_probe(self):
        self.put("a", b"x" * 2048)
        self.put("b", b"yy", probe="repository")
        shown = self.json("cache", "show")
        self.assertEqual((shown["entries"], shown["bytes"]), (2, 2050))
        self.assertEqual(shown["probes"], [{"name": "language_detection", "entries": 1, "bytes": 2048},
                                           {"name": "repository", "entries": 1, "bytes": 2}])
        text = self.airlock("cache", "show").out
        self.assertIn("2 entries, 2.0 KiB (at most 1.0 GiB; unused for 30 days, an entry goes)\n", text)
        self.assertIn("  language_detection  1 entry, 2.0 KiB\n  repository          1 entry, 2 B\n", text)

    def test_clear_removes_entries_and_files(self):
        blob = self.put("a", b"value")
        self.assertEqual(self.airlock("cache", "clear").out, "removed 1 entry, 5 B\n")
        self.assertFalse(blob.exists())
        self.assertEqual(self.json("cache", "show")["entries"], 0)

    def test_verify_of_a_sound_cache_accepts(self):
        self.put("a", b"value")
        done = self.airlock("cache", "verify")
        self.assertEqual((done.returncode, done.out), (0, "1 entry is sound, nothing was damaged\n"))

    def test_verify_lists_and_removes_damage_once(self):
        self.put("good", b"good")
        self.put("altered", b"altered").write_bytes(b"ALTERED")
        self.put("cut", b"cut short").write_bytes(b"cut")
        self.put("missing", b"missing").unlink()
        linked = self.put("linked", b"linked")
        linked.unlink()
        (self.folder / "secret").write_bytes(b"linked")
        linked.symlink_to(self.folder / "secret")
        found = self.json("cache", "verify", code=1)
        self.assertEqual(found["sound"], 1)
        self.assertEqual({entry["key"]: entry["damage"] for entry in found["removed"]},
                         {"altered": "altered", "cut": "altered", "missing": "missing", "linked": "not_a_file"})
        self.assertEqual(self.json("cache", "verify"), {"sound": 1, "removed": []})
        self.assertTrue((self.folder / "secret").exists())

    def test_a_file_of_no_entry_is_tidied_and_is_no_alarm(self):
        blob = self.put("good", b"good")
        orphan = blob.parent / ("0" * 64)
        orphan.write_bytes(b"x")
        found = self.json("cache", "verify")
        self.assertEqual([entry["damage"] for entry in found["removed"]], ["orphaned"])
        self.assertFalse(orphan.exists())

    def test_names_from_strangers_cannot_command_a_terminal(self):
        self.put("k", b"value", probe="evil\x1b[2Jprobe\nsecond line")
        done = self.airlock("cache", "show")
        self.assertNotIn("\x1b", done.out)
        self.assertEqual(done.out.count("\n"), 3)

    def test_eight_at_once_do_not_disturb_each_other(self):
        for number in range(20):
            self.put(f"key{number}", b"x" * number)
        words = ["show", "verify"] * 4
        running = [subprocess.Popen([str(AIRLOCK), "cache", word, "--format", "json"], env=self.environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE) for word in words]
        for word, process in zip(words, running):
            out, err = process.communicate(timeout=SECONDS)
            self.assertEqual((process.returncode, err), (0, b""), word)
            self.assertEqual(json.loads(out)["sound" if word == "verify" else "entries"], 20)

    def test_help_has_an_example(self):
        for arguments in (["cache"], ["cache", "show"], ["cache", "clear"], ["cache", "verify"], ["runs"]):
            done = self.airlock(*arguments, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example:\n  airlock ", done.out)

    def test_a_request_that_makes_no_sense_is_refused(self):
        for arguments in (["cache"], ["cache", "shwo"], ["cache", "show", "--format", "xml"], ["cache", "show", "extra"],
                          ["runs", "--last", "0"], ["runs", "--last", "-1"], ["runs", "a", "b"]):
            self.assert_refused(self.airlock(*arguments), "--help")


class Runs(Case):
    def test_the_newest_comes_first(self):
        self.add_run("01aaaaaaaa0000000000000000", executions=[("language", "ran", None), ("other", "failed", "it died")])
        self.add_run("01bbbbbbbb0000000000000000", finished=None)
        runs = self.json("runs")["runs"]
        self.assertEqual([run["run_id"][:10] for run in runs], ["01bbbbbbbb", "01aaaaaaaa"])
        self.assertEqual(runs[1]["counts"], {"ran": 1, "cache_hit": 0, "skipped": 0, "failed": 1})
        self.assertEqual((runs[1]["started"], runs[0]["finished"]), ("2025-11-15T09:46:40.123Z", None))
        self.assertEqual(len(self.json("runs", "--last", "1")["runs"]), 1)
        self.assertEqual(self.airlock("runs").out,
                         "01bbbbbbbb0000000000000000  2025-11-15 09:46:40  widget  audit: nothing ran (unfinished)\n"
                         "01aaaaaaaa0000000000000000  2025-11-15 09:46:40  widget  audit: 1 ran, 1 failed\n")

    def test_one_run_is_shown_with_everything(self):
        self.add_run("01aaaaaaaa0000000000000000", executions=[("language", "cache_hit", None), ("other", "failed", "it died")])
        run = self.json("runs", "01AAAA")
        self.assertEqual(run["executions"]["other"],
                         {"status": "failed", "key": "k", "reason": "it died", "duration_ms": 12,
                          "findings": [{"fingerprint": "0123abcd", "pattern": "jwt"}]})
        text = self.airlock("runs", "01aaaaaaaa0000000000000000").out
        self.assertIn("language  cache hit  12 ms\n          redacted jwt 0123abcd\n", text)
        self.assertIn("other     failed     12 ms  it died\n", text)

    def test_a_run_that_is_not_there_or_not_the_only_one_is_said(self):
        self.assert_refused(self.airlock("runs", "01"), "there is no run '01'")
        self.add_run("01aaaaaaaa0000000000000000")
        self.add_run("01bbbbbbbb0000000000000000")
        self.assert_refused(self.airlock("runs", "zz"), "there is no run 'zz'", "airlock runs")
        self.assert_refused(self.airlock("runs", "01"), "more than one run begins with '01'")
        self.assert_refused(self.airlock("runs", ""), "there is no run ''")

    def test_a_time_that_no_calendar_has_is_still_shown(self):
        self.add_run("01aaaaaaaa0000000000000000", started=2 ** 62, finished=-5)
        self.assertEqual(self.json("runs", "01")["repository"], "widget")
        self.assertEqual(self.airlock("runs", "01").returncode, 0)


class Places(Case):
    def test_the_state_is_where_the_environment_says(self):
        for change, place in (({"AIRLOCK_HOME": str(self.folder / "a")}, "a"),
                              ({"XDG_DATA_HOME": str(self.folder / "x")}, "x/airlock"),
                              ({"AIRLOCK_HOME": ""}, ".local/share/airlock"),
                              ({"XDG_DATA_HOME": "relative"}, ".local/share/airlock")):
            environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **change}
            shown = json.loads(self.airlock("cache", "show", "--format", "json", env=environment).out)
            self.assertEqual(shown["folder"], str(self.folder / place / "cache"), change)

    def test_without_a_home_it_says_what_to_set(self):
        self.assert_refused(self.airlock("cache", "show", env={"PATH": "/usr/bin:/bin"}), "AIRLOCK_HOME")

    def test_everything_is_for_this_user_alone(self):
        self.put("k", b"value")
        os.chmod(self.home, 0o755)
        os.chmod(self.file, 0o644)
        self.assertEqual(self.airlock("cache", "verify").returncode, 0)
        self.assertEqual(stat.S_IMODE(self.home.stat().st_mode), 0o700)
        for entry in self.home.iterdir():
            self.assertEqual(stat.S_IMODE(entry.stat().st_mode), 0o700 if entry.is_dir() else 0o600, entry)

    def test_links_are_refused(self):
        self.put("k", b"value")
        real = self.folder / "real"
        self.home.rename(real)
        self.home.symlink_to(real)
        self.assert_refused(self.airlock("cache", "show"), str(self.home), "symbolic link")
        self.home.unlink()
        real.rename(self.home)
        self.file.rename(real)
        self.file.symlink_to(real)
        self.assert_refused(self.airlock("cache", "show"), str(self.file), "symbolic link")
        self.file.unlink()
        real.rename(self.file)
        (self.home / "cache").rename(real)
        (self.home / "cache").symlink_to(real)
        self.assert_refused(self.airlock("cache", "clear"), "symbolic link")
        self.assertTrue(any((real / "blobs").iterdir()))

    def test_a_folder_that_others_can_write_to_is_refused(self):
        self.put("k", b"value")
        os.chmod(self.home, 0o777)
        self.assert_refused(self.airlock("cache", "show"), "others can write to it", "chmod 700")


class Faults(Case):
    COMMANDS = (["cache", "show"], ["cache", "verify"], ["cache", "clear"], ["runs"], ["runs", "01"])

    def test_a_store_of_a_newer_airlock_is_refused_and_not_changed(self):
        self.put("k", b"value")
        with self.connect() as database:
            database.execute("PRAGMA user_version = 99")
        before = self.file.read_bytes()
        for command in self.COMMANDS:
            self.assert_refused(self.airlock(*command), "newer airlock", "99", str(self.file))
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_store_of_another_program_is_refused_and_not_changed(self):
        self.home.mkdir(mode=0o700)
        with sqlite3.connect(self.file) as database:
            database.execute("CREATE TABLE theirs (a)")
        before = self.file.read_bytes()
        self.assert_refused(self.airlock("cache", "clear"), "not airlock's")
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_damaged_store_is_reported_and_kept(self):
        self.put("k", b"value")
        for damage in (b"not a database" * 1000, self.file.read_bytes()[:5000], b"x"):
            self.file.write_bytes(damage)
            for command in self.COMMANDS:
                self.assert_refused(self.airlock(*command), "is damaged", str(self.file), "Nothing was deleted", "mv ")
            self.assertEqual(self.file.read_bytes(), damage)

    def test_damage_in_the_middle_is_found_by_verify(self):
        for number in range(300):
            self.put(f"key{number:040}", b"%d" % number)
        whole = self.file.read_bytes()
        self.file.write_bytes(whole[:-8192] + b"\xee" * 8192)
        self.assert_refused(self.airlock("cache", "verify"), "is damaged")

    def test_a_store_in_use_is_waited_for(self):
        self.put("k", b"value")
        writer = self.connect()
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN IMMEDIATE")
        waiting = subprocess.Popen([str(AIRLOCK), "cache", "clear"], env=self.environment, stdout=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            waiting.wait(0.5)
        self.assertEqual(self.airlock("cache", "show").returncode, 0)  # reading does not wait
        writer.rollback()
        self.assertEqual(waiting.communicate(timeout=SECONDS)[0], b"removed 1 entry, 5 B\n")

    def test_a_disk_without_room_is_an_error_in_words(self):
        self.put("k", b"value")
        for number in range(200):
            self.add_run(f"01{number:024}", executions=[("p", "ran", "x" * 100)])

        def no_room():
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        done = self.airlock("cache", "clear", preexec_fn=no_room)
        self.assert_refused(done, str(self.file))
        self.assertEqual(self.json("cache", "show")["entries"], 1)

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_a_store_that_cannot_be_read_is_an_error_in_words(self):
        self.put("k", b"value")
        os.chmod(self.file, 0)
        self.assert_refused(self.airlock("cache", "show"), str(self.file))

    def test_something_else_in_place_of_the_store_is_refused(self):
        self.home.write_text("a file")
        self.assert_refused(self.airlock("cache", "clear", env={**self.environment, "AIRLOCK_HOME": str(self.file)}))
        self.home.unlink()
        self.file.mkdir(parents=True, mode=0o700)
        self.assert_refused(self.airlock("cache", "show"), "not a file")
        self.file.rmdir()
        os.mkfifo(self.file)
        self.assert_refused(self.airlock("cache", "show"), "not a file")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
