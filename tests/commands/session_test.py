#!/usr/bin/env python3
"""`airlock session` without a terminal: pieces from files and from standard input, their output, files in and out, and mistakes in
the request. The prompt is tests/screens/prompt_test.py; sessions as such are tested through `airlock serve`.

    tests/commands/session_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness


class Session(harness.Case):
    def session(self, *words, code=0, **options):
        return self.airlock("session", *words, code=code, **options)


class Pieces(Session):
    """What is run, and what is said of it."""

    def test_names_of_one_file_are_there_for_the_next(self):
        first = self.write("first.py", "x = 20\nprint('first')\n")
        second = self.write("second.py", "print('second')\nx + 1\n")
        done = self.session(first, second)
        self.assertEqual((done.out, done.err), ("first\nsecond\n21\n", ""))

    def test_standard_input_is_read_when_nothing_is_named(self):
        self.assertEqual(self.session(stdin="sum(range(10))").out, "45\n")
        self.assertEqual(self.session("-", stdin="sum(range(10))").out, "45\n")
        self.assertEqual(self.session(stdin="").out, "")

    def test_marks_part_a_file_into_pieces(self):
        done = self.session(stdin="1 + 1\n# %% next\n2 + 2\n#%%\n3 + 3\n")
        self.assertEqual(done.out, "2\n4\n6\n")

    def test_the_first_failure_ends_it(self):
        done = self.session(stdin="print('a')\n# %%\nx = 1\n1 / 0\n# %%\nprint('never')\n", code=1)
        self.assertEqual(done.out, "a\n")
        self.assertIn("piece 2, line 3, in <module>\n    1 / 0\n", done.err)
        self.assertIn("ZeroDivisionError: division by zero\n", done.err)
        self.assertIn("standard input: the piece that begins in line 2 failed; what follows was not run", done.err)

    def test_streams_stay_apart(self):
        done = self.session(stdin="import sys\nprint('out')\nprint('err', file=sys.stderr)\n'value'")
        self.assertEqual((done.out, done.err), ("out\n'value'\n", "err\n"))

    def test_a_value_stands_on_a_line_of_its_own(self):
        self.assertEqual(self.session(stdin="print('a', end='')\n1").out, "a\n1\n")

    def test_what_is_printed_comes_at_once(self):
        process = self.start("session", stdin=subprocess.PIPE)
        process.stdin.write(b"print('now', flush=True)\nimport time\ntime.sleep(60)\n")
        process.stdin.close()
        self.assertEqual(process.stdout.readline(), b"now\n")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=self.SECONDS), 130)

    def test_the_guest_cannot_drive_the_terminal(self):
        done = self.session(stdin="import sys\nprint('a\\tb\\x1b]0;owned\\x07\\u202ec\\r')\nprint('\\x1b[2J', file=sys.stderr)\n"
                                  "class A:\n    def __repr__(self): return '\\x1b[31m'\nA()")
        self.assertEqual(done.out, "a\tb\\x1b]0;owned\\x07<U+202E>c\n\\x1b[31m\n")
        self.assertEqual(done.err, "\\x1b[2J\n")
        done = self.session(stdin="raise ValueError('\\x1b[2J')", code=1)
        self.assertIn("ValueError: \\x1b[2J\n", done.err)
        done = self.session("--format", "json", stdin="print('\\x9b2J\\u202e')")
        self.assertNotIn("\x9b", done.out)
        self.assertEqual(json.loads(done.out)["stdout"], "\x9b2J\u202e\n")

    def test_leaving_by_sys_exit(self):
        for piece, code, said in (("sys.exit()", 0, ""), ("sys.exit(0)", 0, ""), ("sys.exit(3)", 1, ""), ("sys.exit('no')", 1, "no\n")):
            with self.subTest(piece):
                done = self.session(self.write("a.py", f"import sys\n{piece}\n"), code=code)
                self.assertEqual((done.out, done.err), ("", said))

    def test_limits_have_an_end_each(self):
        done = self.session("--timeout", "0.3", stdin="while True: pass", code=1)
        self.assertIn("TimeoutError: Execution timed out after 0.3s", done.err)
        done = self.session("--memory", "40", stdin="x = bytearray(10**9)", code=1)
        self.assertIn("MemoryError", done.err)

    def test_a_denied_call_is_said(self):
        done = self.session(stdin="import socket\ntry:\n    socket.socket()\nexcept OSError: pass\n")
        self.assertIn("denied by the kernel: socket (line 3)", done.err)

    def test_json_has_a_line_for_each_piece(self):
        done = self.session("--format", "json", stdin="print('a')\n(1, 2)\n# %%\n1/0\n# %%\n3\n", code=1)
        first, second = map(json.loads, done.out.splitlines())
        self.assertEqual((first["value"], first["shown"], first["stdout"], first["error"]), ([1, 2], "(1, 2)", "a\n", None))
        self.assertEqual((second["error"]["kind"], second["error"]["type"]), ("raised", "ZeroDivisionError"))

    def test_a_syntax_error_shows_its_line(self):
        done = self.session(stdin="x = 1\ny = = 2\n", code=1)
        self.assertEqual(done.err, "  piece 1, line 2\n    y = = 2\n        ^\nSyntaxError: invalid syntax\n")

    def test_bytes_that_are_no_text(self):
        self.assertIn("not UTF-8", self.session(stdin=b"x = '\xff'\n", code=1).err)
        self.session(stdin=b"x = '\0'\n", code=1)
        self.session(self.write("large.py", "x = 1\n" * 100_000), code=1)


class Files(Session):
    """/data and /out."""

    @harness.needs_files
    def test_data_can_be_read_and_not_written(self):
        path = self.write("deep/orders.csv", "a,b\n1,2\n")
        done = self.session("--data", path, stdin="print(open('/data/orders.csv').read())\nopen('/data/orders.csv', 'w')", code=1)
        self.assertIn("a,b\n1,2\n", done.out)
        self.assertEqual(path.read_text(), "a,b\n1,2\n")

    @harness.needs_files
    def test_several_files(self):
        for name in ("a", "b"):
            self.write(name, name)
        piece = self.write("piece.py", "import os\nsorted(os.listdir('/data'))")
        self.assertEqual(self.session("--data", "a", "--data", "b", piece).out, "['a', 'b']\n")
        self.assertEqual(self.session(piece, "--data", "a").out, "['a']\n")

    @harness.needs_files
    def test_what_is_left_in_out_is_named(self):
        done = self.session(stdin="with open('/out/plot.png', 'wb') as file: file.write(bytes(12_000))\n# %%\n1")
        self.assertEqual((done.out, done.err), ("1\n", "/out/plot.png, 11.7 KiB\n"))

    @harness.needs_files
    def test_out_is_written(self):
        piece = "import os\nos.makedirs('/out/a/b')\nfor n in ('x', 'a/b/y'):\n    with open('/out/' + n, 'w') as f: f.write(n)\n"
        more = "# %%\nwith open('/out/x', 'w') as f: f.write('again')\n"
        done = self.session("--out", "made/", stdin=piece + more)
        self.assertEqual((self.folder / "made" / "x").read_text(), "again")
        self.assertEqual((self.folder / "made" / "a" / "b" / "y").read_text(), "a/b/y")
        self.assertIn("/out/x, 1 B → made/x\n", done.err)

    @harness.needs_files
    def test_a_file_that_was_there_is_left_alone(self):
        self.write("out/x", "mine")
        os.symlink("/etc", self.folder / "out" / "link")
        os.symlink(self.folder / "out" / "x", self.folder / "out" / "other")
        piece = "import os\nos.mkdir('/out/link')\nfor n in ('x', 'link/passwd2', 'other', 'new'):\n    with open('/out/' + n, 'w') as f: f.write('theirs')\n"
        done = self.session("--out", "out", stdin=piece, code=1)
        self.assertEqual((self.folder / "out" / "x").read_text(), "mine")
        self.assertEqual((self.folder / "out" / "new").read_text(), "theirs")
        self.assertFalse(pathlib.Path("/etc/passwd2").exists())
        self.assertEqual(done.err.count(": not written: "), 3, done.err)
        self.assertIn("/out/x, 6 B: not written: there is such a file already", done.err)

    @harness.needs_files
    def test_names_that_nobody_wants(self):
        piece = "for n in ('a\\nb', '\\x1b[2J', 'fine'):\n    with open('/out/' + n, 'w') as f: f.write('x')\n"
        done = self.session("--out", "out", stdin=piece, code=1)
        self.assertEqual(os.listdir(self.folder / "out"), ["fine"])
        self.assertNotIn("\x1b", done.err)
        self.assertEqual(done.err.count("not one for a file of yours"), 2)


class Mistakes(Session):
    """Requests that cannot be read: exit 2, in words, and nothing was run."""

    def test_words(self):
        self.assert_refused(self.airlock("session", "--polcy", "node"), "--policy")
        self.assert_refused(self.airlock("session", "missing.py"), "missing.py")
        self.assert_refused(self.airlock("session", self.folder), "folder")
        self.assert_refused(self.airlock("session", "--data", "missing.csv", stdin="1"), "missing.csv")
        self.assert_refused(self.airlock("session", "--data", self.folder, stdin="1"), "folder")
        self.assert_refused(self.airlock("session", "--timeout", "never", stdin="1"), "never")
        self.assert_refused(self.airlock("session", "--policy", "nobody", stdin="1"), "nobody")
        self.write("a/x", ""), self.write("b/x", "")
        self.assert_refused(self.airlock("session", "--data", "a/x", "--data", "b/x", stdin="1"), "two files are called 'x'")
        self.assert_refused(self.airlock("session", "--out", "a/x", stdin="1"), "a/x")

    def test_a_file_that_is_missing_is_known_before_anything_runs(self):
        self.assert_refused(self.airlock("session", self.write("a.py", "print('ran')"), "missing.py"), "missing.py")

    def test_a_policy_that_cannot_hold_a_session(self):
        self.assert_refused(self.airlock("session", "--policy", "extractor", stdin="1"), "'extractor' cannot hold a session", "'node'")

    def test_a_reader_that_goes_away(self):
        process = self.start("session", stdin=subprocess.PIPE)
        process.stdin.write(b"print('a', flush=True)\n# %%\nfor i in range(10**5): print('x' * 100)\n# %%\nprint(1)")
        process.stdout.close()
        process.stdin.close()
        process.stdout = None
        self.assertEqual(process.wait(timeout=self.SECONDS), 0)
        self.assertEqual(process.stderr.read(), b"")

    def test_standard_output_that_takes_nothing(self):
        with open("/dev/full", "wb") as full:
            done = self.session(stdin="print(1)", stdout=full, code=2)
        self.assertIn("No space left", done.err)
        done = self.airlock("session", stdin="print(1)", before=["sh", "-c", 'exec "$@" >&-', "sh"])
        self.assertEqual(done.returncode, 2, done.err)

    def test_no_isolation(self):
        lesser = [sys.executable, harness.ROOT / "tests" / "support" / "lesser_host.py"]
        for call in ("seccomp=EPERM", "prctl/38=EPERM", "unshare=EPERM"):
            with self.subTest(call):
                done = self.airlock("session", stdin="print('ran')", before=[*lesser, call, "--"])
                self.assert_refused(done, "airlock doctor", code=3)

    def test_help(self):
        done = self.session("--help")
        for word in ("--data", "--out", "--policy", "node", "# %%", "Ctrl-C"):
            self.assertIn(word, done.out)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
