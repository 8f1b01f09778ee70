#!/usr/bin/env python3
"""The built-in policies against the interpreter that will run the code, and the tool that says so against mistakes.

    tests/scan/policy_derivation_test.py [NAME…]      NAME: part of a test's name
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

TOOLS = str(harness.ROOT / "tools")
sys.path.insert(0, TOOLS)
sys.dont_write_bytecode = True
import shown_policy  # noqa: E402

# Words that people and programs rely on.
REQUIRED_MODULES = {
    "os": "Full 'os' module blocked (use 'os.path' for path operations)",
    "sys": "System access not allowed in extractors",
    "subprocess": "Shell execution not allowed",
    "socket": "Network access not allowed",
    "urllib.request": "Network requests not allowed",
    "http": "HTTP access not allowed",
    "pickle": "Deserialization not allowed",
    "io": "File I/O not allowed (extractor receives path as string)",
    "open": "File I/O not allowed",
    "shutil": "File operations not allowed",
    "tempfile": "Temp file creation not allowed",
}
REQUIRED_BUILTINS = {
    "exec": "Dynamic code execution not allowed",
    "eval": "Dynamic code execution not allowed",
    "compile": "Dynamic code execution not allowed",
    "__import__": "Dynamic imports not allowed",
    "open": "File I/O not allowed",
    "input": "Interactive input not allowed",
    "breakpoint": "Debugging not allowed",
}
REQUIRED_WHITELIST = {"pathlib", "os.path", "re", "string", "fnmatch", "datetime", "time", "typing", "collections",
                  "collections.abc", "dataclasses", "enum", "json", "math", "uuid", "base64", "hashlib", "urllib.parse"}


class Derivation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = shown_policy.document("extractor", harness.AIRLOCK)

    def derive(self, question, document=None):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "extractor.json")
            with open(file, "w", encoding="utf-8") as stream:
                json.dump(document or self.document, stream)
            return subprocess.run([sys.executable, os.path.join(TOOLS, "derive_policy.py"), question, file], capture_output=True, text=True)

    def test_no_allowed_path_leads_out(self):
        done = self.derive("--check")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("none leads out", done.stdout)

    def test_planted_mistakes_are_found(self):
        done = self.derive("--self-test")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_name_that_the_interpreter_offers_is_decided_on(self):
        done = self.derive("--propose")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_planted_module_fails_the_check(self):
        planted = copy.deepcopy(self.document)
        module = next(row for row in planted["modules"] if row["name"] == "json")
        module["groups"][0]["names"].append("codecs")
        done = self.derive("--check", planted)
        self.assertEqual(done.returncode, 1)
        self.assertIn("json.codecs: is the module codecs", done.stdout)


class Data(unittest.TestCase):
    def setUp(self):
        self.policy = shown_policy.load("extractor", harness.AIRLOCK)

    def test_the_modules_are_the_whitelist_people_were_promised_and_future_features(self):
        self.assertEqual(set(self.policy.modules), REQUIRED_WHITELIST | {"__future__"})

    def test_refusals_have_the_promised_words(self):
        for name, words in REQUIRED_MODULES.items():
            self.assertEqual(self.policy.lists["refused_modules"][name][0], words)
        for name, words in REQUIRED_BUILTINS.items():
            self.assertEqual(self.policy.lists["refused_builtins"][name][0], words)

    def test_alternatives_for_modules_name_no_refused_module(self):
        refused = set(self.policy.lists["refused_modules"])
        for name, (_, instead) in self.policy.lists["refused_modules"].items():
            first = instead.split()[0].strip(",") if instead else ""
            self.assertNotIn(first, refused, name)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
