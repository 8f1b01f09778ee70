#!/usr/bin/env python3
"""Tests of `airlock extract` as its users meet it: rows in order whatever the code does, outputs, resuming, signals,
and input that is broken. Needs only python3 and a built airlock.

    tests/commands/extract_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import csv
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60

EXTRACTOR = """
import re
from pathlib import PurePosixPath

hoard = []


def extract(path: str) -> dict:
    p = PurePosixPath(path)
    if 'boom' in path:
        raise ValueError('boom')
    if 'spin' in path:
        while True:
            pass
    if 'regex' in path:
        re.match(r'(a+)+$', 'a' * 60 + 'b')
    if 'fat' in path:
        x = [0] * (10 ** 9)
    if 'hoard' in path:
        for i in range(40):
            hoard.append('x' * 1000000 + str(i))
    if 'list' in path:
        return list(p.parts)
    if 'big' in path:
        return {'text': 'x' * 3000000}
    if 'print' in path:
        print('hello')
    return {'name': p.name, 'depth': len(p.parts), 'digits': 2 ** 80, 'tags': ['a', {'b': None}]}
"""
SLOW = "def extract(path: str) -> dict:\n    return {'path': path, 'n': sum(i * i for i in range(20000))}\n"


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.write("e.py", EXTRACTOR)
        self.write("slow.py", SLOW)

    def write(self, name, content):
        super().write(name, content)
        return name

    def extract(self, *words, **options):
        return self.airlock("extract", *words, **options)

    def wait_for_rows(self, file, count):
        path = self.folder / file
        self.wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") >= count, f"{count} rows in {file}")

    def paths(self, count, name="paths"):
        return self.write(name, "".join(f"/data/{i}/file{i}.csv\n" for i in range(count)))

    def rows(self, paths, *arguments, extractor="e.py"):
        """One row for every path, in order; the rows."""
        done = self.extract(extractor, "-", *arguments, stdin="".join(p + "\n" for p in paths).encode())
        self.assertEqual(done.returncode, 0, done.err)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["path"] for row in rows], list(paths))
        return rows

    @staticmethod
    def children(pid):
        return [one for one, _ in processes.descendants(pid)]

    def assert_gone(self, pids):
        self.wait_for(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in pids), "the end of all processes")


class Rows(Case):
    def test_a_row_has_the_data(self):
        [row] = self.rows(["/a/x.csv"])
        self.assertEqual(row, {"path": "/a/x.csv", "ok": True,
                               "data": {"name": "x.csv", "depth": 3, "digits": 2 ** 80, "tags": ["a", {"b": None}]}})

    def test_every_fault_costs_only_its_own_row(self):
        faults = {"/boom": "ValueError", "/spin": "TimeoutError", "/regex": "TimeoutError", "/fat": "MemoryError",
                  "/list": "TypeError", "/big": "OutputLimitError"}
        paths = []
        for i in range(40):
            paths += [f"/fine/{i}", *(fault for k, fault in enumerate(faults) if i % 13 == k)]
        for jobs in (1, 3):
            rows = self.rows(paths, "--timeout", "0.3", "--jobs", jobs)
            for row in rows:
                self.assertEqual(row.get("error", {}).get("type"), faults.get(row["path"]), row)

    def test_a_timeout_says_how_long(self):
        [row] = self.rows(["/spin"], "--timeout", "0.5")
        self.assertEqual(row["error"]["message"], "Execution timed out after 0.5s")

    def test_memory_that_earlier_paths_hold_is_not_a_paths_fault(self):
        self.assertTrue(all(row["ok"] for row in self.rows([f"/hoard/{i}" for i in range(8)], "--jobs", 1)))

    def test_a_thousand_paths_that_all_fail_are_a_thousand_rows(self):
        rows = self.rows([f"/boom/{i}" for i in range(1000)])
        self.assertEqual({row["error"]["type"] for row in rows}, {"ValueError"})

    def test_many_paths_stay_in_order_with_many_jobs(self):
        rows = self.rows([f"/d/{i}/n{i}" for i in range(30000)], "--jobs", 4)
        self.assertTrue(all(row["data"]["name"] == f"n{i}" for i, row in enumerate(rows)))

    def test_code_that_cannot_be_loaded_answers_every_path(self):
        self.write("bad.py", "x = [1][2:3][0]\n\n\ndef extract(path: str) -> dict:\n    return {'x': x}\n")
        rows = self.rows(["/a", "/b"], extractor="bad.py")
        self.assertEqual([row["error"]["type"] for row in rows], ["IndexError"] * 2)

    def test_what_a_terminal_would_obey_is_spelt_out(self):
        odd = "\x7f\x80\x9b31m\x9d\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"
        self.write("odd.py", "def extract(path: str) -> dict:\n    if 'boom' in path:\n        raise ValueError(path)\n"
                             f"    return {{'a': {odd!a}, {odd!a}: [{odd!a}, 'é中—']}}\n")
        done = self.extract("odd.py", "-", stdin=f"/{odd}\n/boom{odd}\n".encode())
        self.assertEqual(done.returncode, 0, done.err)
        self.assertEqual([c for c in odd if not c.isalnum() and c.encode() in done.stdout], [])
        good, bad = (json.loads(line) for line in done.stdout.decode().split("\n") if line)
        self.assertEqual((good["path"], good["data"]), ("/" + odd, {"a": odd, odd: [odd, "é中—"]}))
        self.assertEqual((bad["path"], bad["error"]["message"]), ("/boom" + odd, "/boom" + odd))
        self.assertIn("é中—".encode(), done.stdout)

    def test_what_the_code_prints_goes_nowhere(self):
        done = self.extract("e.py", "-", stdin=b"/print\n")
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertNotIn("hello", done.err)


class Input(Case):
    def test_every_line_is_a_path_an_empty_one_too(self):
        self.assertEqual(len(self.rows(["/a", "", "/b", ""])), 4)

    def test_no_path_is_no_row(self):
        done = self.extract("e.py", "-")
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn("0 rows", done.err)

    def test_files_stand_one_after_the_other(self):
        done = self.extract("e.py", self.write("a", "/1\n/2"), self.write("b", "/3\n"))
        self.assertEqual([json.loads(line)["path"] for line in done.stdout.splitlines()], ["/1", "/2", "/3"])

    def test_with_nul_a_path_may_hold_a_newline(self):
        done = self.extract("e.py", "-0", "-", stdin=b"/a\nb\0/c\0")
        self.assertEqual([json.loads(line)["path"] for line in done.stdout.splitlines()], ["/a\nb", "/c"])

    def test_a_byte_order_mark_is_no_part_of_the_first_path(self):
        process = self.start("extract", "e.py", "-", stdin=subprocess.PIPE)
        for piece in (b"\xef", b"\xbb", b"\xbf/a", b"\n\xef\xbb\xbf/b\n"):  # as a slow writer sends it
            process.stdin.write(piece)
            process.stdin.flush()
            self.wait_for(lambda: processes.bytes_in(process.stdin) == 0, "a reader")
        out, error = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, error)
        self.assertEqual([json.loads(line)["path"] for line in out.splitlines()], ["/a", "\ufeff/b"])

    def test_bytes_that_are_not_utf8_survive(self):
        raw = [b"/\xff\xfe/x", b"/\xc3(", b"/\xed\xa0\x80", "/é\x1b[0m".encode(), b"/nul\0byte"]
        self.write("len.py", "def extract(path: str) -> dict:\n    return {'n': len(path)}\n")
        done = self.extract("len.py", "-", stdin=b"".join(path + b"\n" for path in raw))
        rows = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
        self.assertEqual([row["path"].encode("utf-8", "surrogateescape") for row in rows], raw)
        self.assertEqual([row["data"]["n"] for row in rows], [len(p.decode("utf-8", "surrogateescape")) for p in raw])
        self.assertNotIn(b"\x1b", done.stdout)

    def test_a_path_of_64_kilobytes_and_one_of_a_megabyte(self):
        paths = ["/a", "/" + "x" * 65536, "/b", "/" + "y" * 1000000, "/c"] * 3
        self.assertTrue(all(row["ok"] for row in self.rows(paths)))

    def test_a_line_that_is_too_long_is_one_row(self):
        done = self.extract("e.py", "-", stdin=b"/a\n" + b"x" * 5000000 + b"\n/b\n")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["ok"] for row in rows], [True, False, True])
        self.assertEqual(rows[1]["error"]["type"], "InputLimitError")

    def test_shards_are_the_whole(self):
        paths = [f"/{i}" for i in range(100)]
        shards = [[row["path"] for row in self.shard(paths, f"{i}/3")] for i in (1, 2, 3)]
        self.assertEqual(shards, [paths[i::3] for i in range(3)])

    def shard(self, paths, shard):
        done = self.extract("e.py", "-", "--shard", shard, stdin="".join(p + "\n" for p in paths).encode())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_slow_writer_gets_its_rows_at_once(self):
        process = self.start("extract", "e.py", "-", stdin=subprocess.PIPE)
        for i in range(3):
            process.stdin.write(f"/{i}\n".encode())
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["path"], f"/{i}")


class Requests(Case):
    def assert_bad_request(self, *arguments, words):
        done = self.extract(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.err)
        self.assertIn(words, done.err)

    def test_refused_code_is_not_run(self):
        self.write("bad.py", "import os\n\n\ndef extract(path: str) -> dict:\n    return {'n': os.getpid()}\n")
        done = self.extract("bad.py", "-", stdin=b"/a\n")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn("AL201", done.err)

    def test_bad_requests_say_what_is_wrong(self):
        self.paths(1)
        self.assert_bad_request("nowhere.py", "-", words="nowhere.py")
        self.assert_bad_request("e.py", "nowhere", words="nowhere")
        self.assert_bad_request("e.py", ".", words="folder")
        self.assert_bad_request("-", "-", words="not both")
        self.assert_bad_request("-", words="not both")
        self.assert_bad_request("rule.yaml", "-", words="No such file")
        self.assert_bad_request("some-name", "-", words="there is no approved extractor 'some-name'")
        for shard in ("0/3", "4/3", "1", "a/b", "/", "1/", "-1/3", "1/2/3"):
            self.assert_bad_request("e.py", "paths", "--shard=" + shard, words="--shard")
        self.assert_bad_request("e.py", "paths", "--resume", words="--output")
        self.assert_bad_request("e.py", "paths", "--output", "x.txt", words=".ndjson")
        self.assert_bad_request("e.py", "paths", "--output", "no/folder/x.csv", words="no/folder")

    def test_help_says_that_failed_rows_do_not_change_the_exit_code(self):
        done = self.extract("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"do not change that", done.stdout)

    def test_a_host_program_that_is_missing_is_no_isolation(self):
        (self.folder / "bin").mkdir()
        shutil.copy2(AIRLOCK, self.folder / "bin" / "airlock")
        done = subprocess.run([self.folder / "bin" / "airlock", "extract", "e.py", "-"], input=b"/a\n", cwd=self.folder,
                              env=self.environment, capture_output=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stdout), (3, b""))


class Outputs(Case):
    def test_csv_has_every_field_and_nothing_is_left_beside_it(self):
        self.write("f.py", "def extract(path: str) -> dict:\n    if path == '/x':\n        raise KeyError('x')\n"
                           "    if path == '/b':\n        return {'b': [1, {'c': None}], 'path': 'p,\"q'}\n"
                           "    return {'a': None, 'n': 2 ** 70, 't': True}\n")
        done = self.extract("f.py", "-", "--output", "o.csv", stdin=b"/a\n/x\n/b\n")
        self.assertEqual((done.returncode, done.stdout), (0, b""), done.err)
        rows = list(csv.reader((self.folder / "o.csv").open(newline="")))
        self.assertEqual(rows[0], ["path", "ok", "error_type", "error_message", "a", "n", "t", "b", "data.path"])
        self.assertEqual(rows[1:], [["/a", "true", "", "", "", str(2 ** 70), "true", "", ""],
                                    ["/x", "false", "KeyError", "'x'", "", "", "", "", ""],
                                    ["/b", "true", "", "", "", "", "", '[1,{"c":null}]', 'p,"q']])
        self.assertEqual(sorted(p.name for p in self.folder.glob("o.*")), ["o.csv"])

    def test_sqlite_has_a_table_of_rows(self):
        done = self.extract("e.py", "-", "--output", "o.sqlite", stdin=b"/a\n/boom\n/\xff\n")
        self.assertEqual(done.returncode, 0, done.err)
        rows = sqlite3.connect(self.folder / "o.sqlite").execute("SELECT path, ok, error_type, data FROM rows").fetchall()
        self.assertEqual([row[:3] for row in rows], [("/a", 1, None), ("/boom", 0, "ValueError"), (b"/\xff", 0, "TypeError")])
        self.assertEqual(json.loads(rows[0][3])["name"], "a")

    def test_a_file_that_was_there_stays_until_the_job_is_done(self):
        self.write("o.ndjson", "old\n")
        process = self.start("extract", "slow.py", self.paths(2000), "--output", "o.ndjson", "--jobs", 1)
        self.wait_for_rows("o.ndjson.partial", 10)
        self.assertEqual((self.folder / "o.ndjson").read_text(), "old\n")
        process.terminate()
        self.assertEqual(process.wait(SECONDS), 143)
        self.assertEqual((self.folder / "o.ndjson").read_text(), "old\n")


class Resuming(Case):
    def begin_and_kill(self, output, number):
        process = self.start("extract", "slow.py", self.paths(3000), "--output", output)
        self.wait_for_rows(output + ".partial", 100)
        children = self.children(process.pid)
        self.assertTrue(children)
        process.send_signal(number)
        code = process.wait(SECONDS)
        self.assert_gone(children)
        self.assertFalse((self.folder / output).exists())
        return code

    def resume(self, output, *arguments, extractor="slow.py"):
        return self.extract(extractor, "paths", "--output", output, "--resume", *arguments)

    def assert_whole(self, output):
        rows = [json.loads(line) for line in (self.folder / output).read_text().splitlines()]
        self.assertEqual([row["path"] for row in rows], (self.folder / "paths").read_text().splitlines())
        self.assertEqual(sorted(p.name for p in self.folder.glob(output + "*")), [output])

    def test_after_a_kill_nothing_is_lost_and_nothing_is_twice(self):
        for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number):
                self.assertEqual(self.begin_and_kill("o.ndjson", number), code)
                done = self.resume("o.ndjson")
                self.assertEqual(done.returncode, 0, done.err)
                self.assertIn("going on after", done.err)
                self.assert_whole("o.ndjson")
                (self.folder / "o.ndjson").unlink()

    def test_a_torn_row_is_written_again(self):
        self.begin_and_kill("o.ndjson", signal.SIGKILL)
        with (self.folder / "o.ndjson.partial").open("a") as partial:
            partial.write('{"path": "/torn')
        self.assertEqual(self.resume("o.ndjson").returncode, 0)
        self.assert_whole("o.ndjson")

    def test_another_job_is_refused_and_the_rows_are_kept(self):
        self.begin_and_kill("o.ndjson", signal.SIGKILL)
        before = (self.folder / "o.ndjson.partial").read_bytes()
        for arguments, extractor, words in (((), "e.py", "extractor"), (("--timeout", "9"), "slow.py", "timeout"),
                                            (("--shard", "1/2"), "slow.py", "shard"), (("-0",), "slow.py", "separator")):
            done = self.resume("o.ndjson", *arguments, extractor=extractor)
            self.assertEqual(done.returncode, 2, done.err)
            self.assertIn(words, done.err)
        done = self.extract("slow.py", "paths", "--output", "o.ndjson")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--resume", done.err)
        self.write("paths", "/other\n" * 3000)
        self.assertEqual(self.resume("o.ndjson").returncode, 2)
        self.write("paths", "/data/0/file0.csv\n")
        self.assertEqual(self.resume("o.ndjson").returncode, 2)
        self.assertEqual((self.folder / "o.ndjson.partial").read_bytes(), before)

    def test_two_jobs_do_not_write_to_one_file(self):
        process = self.start("extract", "slow.py", self.paths(3000), "--output", "o.ndjson")
        self.wait_for_rows("o.ndjson.partial", 10)
        done = self.resume("o.ndjson")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another airlock", done.err)
        self.assertEqual(process.wait(SECONDS), 0)
        self.assert_whole("o.ndjson")


class Faults(Case):
    def test_a_reader_that_goes_away_ends_the_job(self):
        process = self.start("extract", "e.py", self.paths(100000))
        process.stdout.readline()
        children = self.children(process.pid)
        process.stdout.close()
        self.assertEqual(process.wait(SECONDS), 2)
        self.assertIn(b"gone away", process.stderr.read())
        self.assert_gone(children)

    def test_threads_that_the_system_does_not_give_are_done_without(self):
        if harness.IS_SANITIZED:
            self.skipTest("a sanitizer needs more address space than this leaves")
        self.write("r.yaml", "version: 1\nrules:\n  - name: all\n    glob: '**/*'\n    extract:\n      file: { from: filename }\n")
        self.paths(20000)
        ends = set()
        for room in (150000, 200000, 300000, 400000):  # kilobytes; a thread takes 8 MB of them
            done = subprocess.run(["bash", "-c", f'ulimit -v {room}; exec "$0" extract r.yaml paths --jobs 64', str(AIRLOCK)], cwd=self.folder, env=self.environment,
                                  capture_output=True, timeout=SECONDS)
            ends.add(done.returncode)
            self.assertIn(done.returncode, (0, 2, 3), done.stderr)  # it works, or an error message says why not; never a signal
            self.assertEqual(done.stdout.count(b"\n") == 20000, done.returncode == 0)
        self.assertIn(0, ends)

    def test_a_full_disk_is_said(self):
        with open("/dev/full", "wb") as full:
            done = self.extract("e.py", self.paths(100), stdout=full)
        self.assertEqual(done.returncode, 2)
        self.assertIn("No space left", done.err)

    def test_a_zygote_or_cell_that_somebody_kills_costs_nothing(self):
        process = self.start("extract", "slow.py", self.paths(1500), "--output", "o.ndjson", "--jobs", 2)
        for count in (100, 400, 700):
            self.wait_for_rows("o.ndjson.partial", count)
            children = self.children(process.pid)
            os.kill(children[0] if count != 400 else children[-1], signal.SIGKILL)
        self.assertEqual(process.wait(SECONDS), 0)
        rows = [json.loads(line) for line in (self.folder / "o.ndjson").read_text().splitlines()]
        self.assertEqual(len(rows), 1500)
        self.assertTrue(all(row["ok"] for row in rows), [row for row in rows if not row["ok"]])

    def test_memory_stays_flat(self):
        def peak(count):
            process = self.start("extract", "e.py", self.paths(count), "--output", "o.ndjson")
            highest = 0
            while process.poll() is None:
                try:
                    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                    highest = max(highest, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")))
                except (OSError, TypeError):
                    pass
                time.sleep(0.01)
            self.assertEqual(process.returncode, 0)
            return highest
        small, large = peak(20000), peak(200000)
        self.assertLess(large, small * 1.3 + 4000)


class Screen(Case):
    """The progress line, as a terminal gets it."""

    def on_terminal(self, *arguments, **variables):
        """The exit code, and all that was written to a terminal on stderr."""
        terminal, end = pty.openpty()
        self.addCleanup(os.close, terminal)
        self.environment |= {"TERM": "xterm", **variables}
        process = self.start("extract", *arguments, stdout=subprocess.DEVNULL, stderr=end)
        os.close(end)
        written, until = b"", time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # the other end is closed: the job is done
                break
            if not piece:
                break
            written += piece
        return process.wait(SECONDS), written.decode().replace("\r\n", "\n")

    def test_a_line_is_written_over_with_rate_and_time_left(self):
        code, text = self.on_terminal("slow.py", self.paths(2000), "--jobs", 1)
        self.assertEqual(code, 0, text)
        *lines, last = text.split("\r\x1b[K")
        self.assertEqual(lines[0], "", "nothing stands before the first line")
        self.assertGreater(len(lines), 2, text)
        for line in lines[1:-1]:
            self.assertRegex(line, r"^[\d,]+ rows?, [\d,]+/s(?:, \d+:\d\d(?::\d\d)? left)?$")
        self.assertGreater(sum(line.endswith(" left") for line in lines), 1, text)
        counts = [int(line.split()[0].replace(",", "")) for line in lines[1:]]
        self.assertEqual(counts, sorted(counts))
        self.assertRegex(last, r"^airlock: 2,000 rows in [\d.]+ s \([\d,]+/s\), 0 failed\n$")
        self.assertNotIn("\n", "".join(lines), "one line, wiped at the end")

    def test_the_time_left_is_that_of_the_rows_not_of_what_was_read_ahead(self):
        _, text = self.on_terminal("slow.py", self.paths(2000), "--jobs", 1)
        seen = re.findall(r"([\d,]+) rows, ([\d,]+)/s, (\d+):(\d\d) left", text)
        self.assertTrue(seen, text)
        for rows, rate, minutes, seconds in seen:
            done, speed = int(rows.replace(",", "")), int(rate.replace(",", ""))
            expected = (2000 - done) / speed
            self.assertAlmostEqual(int(minutes) * 60 + int(seconds), expected, delta=1 + 0.2 * expected, msg=text)

    def test_from_a_pipe_nobody_knows_how_much_is_left(self):
        reader, writer = os.pipe()
        os.write(writer, b"/a/b\n" * 1000)
        os.close(writer)
        with open(reader, "rb") as paths:
            terminal, end = pty.openpty()
            self.addCleanup(os.close, terminal)
            self.environment["TERM"] = "xterm"
            process = self.start("extract", "slow.py", "-", "--jobs", 1, stdin=paths, stdout=subprocess.DEVNULL, stderr=end)
            os.close(end)
            self.assertEqual(process.wait(SECONDS), 0)
            text = os.read(terminal, 65536).decode()
        self.assertRegex(text, r"\x1b\[K[\d,]+ rows, [\d,]+/s\r")
        self.assertNotIn("left", text)

    def test_no_control_sequence_where_none_is_wanted(self):
        plain = r"^airlock: 500 rows in [\d.]+ s \([\d,]+/s\), 0 failed\n$"
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with self.subTest(variables=variables):
                self.environment.pop("NO_COLOR", None)
                code, text = self.on_terminal("slow.py", self.paths(500), "--jobs", 1, **variables)
                self.assertEqual(code, 0)
                self.assertRegex(text, plain)
        self.environment.pop("NO_COLOR", None)
        done = self.extract("slow.py", self.paths(500), "--jobs", 1)
        self.assertRegex(done.err, plain)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
