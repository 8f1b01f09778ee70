#!/usr/bin/env python3
"""Tests of `airlock admit` as its users meet it: what passes, what is refused and where, what is taken out, and requests
that cannot be read. Needs only python3 and a built airlock.

    tests/commands/admit_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

ROOT = harness.ROOT
AIRLOCK = harness.AIRLOCK
SECONDS = 60
CANARY = "c4n4ry-v4lue"


def run(*arguments, data=b"", env=None):
    return subprocess.run([str(AIRLOCK), "admit", *map(str, arguments)], input=data, capture_output=True, timeout=SECONDS,
                          env=dict(os.environ, NO_COLOR="1", **(env or {})))


def output(slice_, **changed):
    document = {"schema_slice": slice_, "raw_artifacts": [], "confidence": "high", "duration_ms": 1, "warnings": [],
                "errors": []}
    return {name: value for name, value in (document | changed).items() if value is not ...}


def admit(document, *arguments):
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    done = run(*arguments, "-", data=data)
    return done.returncode, json.loads(done.stdout)


class Passing(unittest.TestCase):
    def test_an_honest_document_comes_out_as_it_went_in(self):
        document = output({"n": [0, -1, 1.5, 1e300, True, False, None, "ü😀\n\"\\"], "deep": {"a": {"b": [[{}]]}}},
                          warnings=["w"], errors=["e"], raw_artifacts=["raw/log.txt"], confidence="low")
        self.assertEqual(admit(document), (0, document))

    def test_numbers_keep_their_type(self):
        done = run("--bare", data=b'{"a":1.0,"b":1,"c":-0,"d":-0.0,"e":1e2,"f":18446744073709551615}')
        self.assertEqual(done.stdout, b'{"a":1.0,"b":1,"c":0,"d":-0.0,"e":100.0,"f":18446744073709551615}\n')

    def test_what_a_terminal_would_obey_or_hide_is_spelt_out(self):
        odd = "\x7f\x9b2J\u061c\u200b\u200e\u202e\u2066\ufeff"
        admitted = run("--bare", data=json.dumps({odd: [odd]}, ensure_ascii=False).encode())
        self.assertEqual(json.loads(admitted.stdout), {odd: [odd]})
        refused = run("--bare", data=json.dumps({odd: {"password" + odd: 1, "a": float("1e400")}}, ensure_ascii=False).encode())
        self.assertEqual((admitted.returncode, refused.returncode), (0, 1))
        for page in admitted.stdout, refused.stdout, refused.stderr:
            self.assertTrue(all(c.isprintable() or c == "\n" for c in page.decode()), page)

    def test_a_file_or_standard_input(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "x.json")
            file.write_text('{"a": 1}')
            self.assertEqual(run("--bare", file).stdout, b'{"a":1}\n')
        self.assertEqual(run("--bare", data=b'{"a": 1}').stdout, b'{"a":1}\n')
        self.assertEqual(run("--bare", "-", data=b'{"a": 1}').stdout, b'{"a":1}\n')

    def test_scrubbing_twice_changes_nothing(self):
        text = {"a": "/home/ann/x " + "gh" + "p_" + "aB3dE5fG7hJ9" * 3, "/tmp/k": ["pass" + "word=hunter2hunter2", "/root/y"]}
        first = run("--bare", data=json.dumps(text).encode())
        self.assertEqual(run("--bare", data=first.stdout).stdout, first.stdout)
        self.assertNotEqual(json.loads(first.stdout), text)


class Refusing(unittest.TestCase):
    def test_all_errors_with_their_places(self):
        code, report = admit(output({"a": [[{"password": 1}]], "b": {"x": {"api_key": 2}}}, confidence="High", extra=1,
                                    duration_ms=...))
        self.assertEqual(code, 1)
        self.assertFalse(report["admitted"])
        self.assertEqual([(error["type"], error["path"]) for error in report["errors"]], [
            ("SecretLikelyFieldNameError", ["schema_slice", "a", 0, 0, "password"]),
            ("SecretLikelyFieldNameError", ["schema_slice", "b", "x", "api_key"]),
            ("ConfidenceError", ["confidence"]),
            ("UnknownFieldError", ["extra"]),
            ("MissingFieldError", ["duration_ms"]),
        ])

    def test_no_value_is_ever_repeated(self):
        for data in [json.dumps(output({"token": CANARY})), json.dumps(output({}, confidence=CANARY)),
                     json.dumps(output(CANARY)), json.dumps([CANARY]), json.dumps(output({}, warnings=CANARY)),
                     json.dumps(output({}, duration_ms=CANARY)), json.dumps(output({}, extra={"y": CANARY})),
                     f"{{'a': '{CANARY}'}}", f'{{"a": {CANARY}}}', f'{{"a": "{CANARY}', f'{{"a": b"{CANARY}"}}',
                     f'{{"a": "{CANARY}", "a": "{CANARY}"}}', CANARY, f'{{}} {CANARY}', f'{{"a": "{CANARY}\\ud800"}}']:
            for arguments in ([], ["--bare"], ["--format", "text"]):
                done = run(*arguments, data=data.encode())
                if done.returncode == 0:
                    continue
                self.assertEqual(done.returncode, 1, data)
                self.assertNotIn(b"c4n4ry", done.stdout + done.stderr, data)

    def test_many_errors_are_counted(self):
        code, report = admit({"a": [{"token": 1}] * 1000}, "--bare")
        self.assertEqual((code, len(report["errors"]), report["more_errors"]), (1, 100, 900))

    def test_hostile_depth_and_width(self):
        for data in [b"[" * 1_000_000, b'{"a":' * 1_000_000, b"[" * 1_000_000 + b"]" * 1_000_000]:
            code, report = admit(data, "--bare")
            self.assertEqual(code, 1)
            self.assertIn("DepthError", {error["type"] for error in report["errors"]})
        wide = json.dumps({f"k{i}": i for i in range(300_000)}).encode()
        self.assertEqual(run("--bare", data=wide).returncode, 0)
        code, report = admit(wide[:-1] + b', "k7": 1}', "--bare")
        self.assertEqual([(error["type"], error["path"]) for error in report["errors"]], [("DuplicateKeyError", ["k7"])])

    def test_a_text_for_people(self):
        done = run("--format", "text", "-", data=json.dumps(output({"github_token": 1})).encode())
        self.assertEqual(done.returncode, 1)
        self.assertIn("schema_slice.github_token\n    SecretLikelyFieldNameError: 'github_token'", done.stdout.decode())
        self.assertTrue(done.stdout.decode().endswith("standard input: refused (1 error)\n"))

    def test_on_a_terminal_it_is_for_people(self):
        leader, follower = pty.openpty()
        try:
            with subprocess.Popen([str(AIRLOCK), "admit", "--bare"], stdin=subprocess.PIPE, stdout=follower,
                                  stderr=subprocess.DEVNULL, env=dict(os.environ, NO_COLOR="1")) as process:
                process.stdin.write(b'{"token":1}')
                process.stdin.close()
                process.wait(timeout=SECONDS)
            self.assertIn(b"refused (1 error)", os.read(leader, 65536))
        finally:
            os.close(leader)
            os.close(follower)


class Scrubbing(unittest.TestCase):
    def test_the_root_may_be_relative_or_a_link(self):
        with tempfile.TemporaryDirectory() as folder:
            real = pathlib.Path(folder).resolve() / "real"
            real.mkdir()
            link = pathlib.Path(folder, "link")
            link.symlink_to(real)
            document = {"a": f"{real}/x.py", "b": f"{link}/y.py"}
            for root in (link, os.path.relpath(link)):
                self.assertEqual(admit(document, "--bare", "--root", root), (0, {"a": "x.py", "b": "y.py"}))

    def test_a_root_that_is_everything_takes_nothing(self):
        self.assertEqual(admit({"a": "/etc/hosts"}, "--bare", "--root", "/"), (0, {"a": "/etc/hosts"}))

    def test_what_was_taken_out_is_said(self):
        secret = "gh" + "p_" + "aB3dE5fG7hJ9" * 3
        done = run("--bare", "--format", "text", data=json.dumps({"a": ["/home/ann/x", f"use {secret} now"]}).encode())
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.decode(), r'^\{"a":\["x","use <REDACTED:fingerprint=[0-9a-f]{8}> now"\]\}\n$')
        self.assertRegex(done.stderr.decode(),
                         r"a path was made relative in 1 string\nredacted github_personal_token at a\[1\]: now fingerprint [0-9a-f]{8}\n")
        self.assertNotIn(secret, done.stderr.decode())


class Requests(unittest.TestCase):
    def complaint(self, *arguments, data=b""):
        done = run(*arguments, data=data)
        self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
        return done.stderr.decode()

    def test_what_cannot_be_read(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("No such file", self.complaint(pathlib.Path(folder, "missing.json")))
            self.assertIn("not a file", self.complaint(folder))
        self.assertIn("--format", self.complaint("--format", "yaml"))
        self.assertIn("Did you mean --bare?", self.complaint("--bar"))
        self.assertIn("--max-size", self.complaint("--max-size", "0"))

    def test_an_empty_document_is_refused(self):
        for data in (b"", b" \n"):
            code, report = admit(data)
            self.assertEqual((code, report["errors"][0]["type"]), (1, "JSONValueError"))
            self.assertIn("empty", report["errors"][0]["message"])

    def test_a_document_that_is_too_large_says_how_to_raise_the_limit(self):
        data = b'{"a":["' + b"x" * 600_000 + b'","' + b"y" * 600_000 + b'"]}'
        done = run("--bare", "--max-size", "1", data=data)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(json.loads(done.stdout)["errors"][0]["type"], "SizeError")
        self.assertIn(b"--max-size", done.stderr)
        self.assertEqual(run("--bare", "--max-size", "2", data=data).returncode, 0)

    def test_help_has_an_example(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout.decode(), re.compile(r"Example:\n  .*airlock admit", re.DOTALL))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
