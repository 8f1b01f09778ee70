#!/usr/bin/env python3
"""The built-in policies against the interpreter that will run the code, and the tools that say so against mistakes.

    tests/scan/policy_derivation_test.py [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

TOOLS = str(harness.ROOT / "tools")
EXTRACTOR = str(harness.ROOT / "policies" / "extractor.toml")
sys.path.insert(0, TOOLS)
sys.dont_write_bytecode = True
import embed_policies  # noqa: E402

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


def tool(name, *arguments):
    return subprocess.run([sys.executable, os.path.join(TOOLS, name), *arguments], capture_output=True, text=True)


class Derivation(unittest.TestCase):
    def test_no_allowed_path_leads_out(self):
        done = tool("derive_policy.py", "--check", EXTRACTOR)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("none leads out", done.stdout)

    def test_planted_mistakes_are_found(self):
        done = tool("derive_policy.py", "--self-test", EXTRACTOR)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_name_that_the_interpreter_offers_is_decided_on(self):
        done = tool("derive_policy.py", "--propose", EXTRACTOR)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)

    def test_a_planted_module_fails_the_check_of_the_file(self):
        with open(EXTRACTOR, encoding="utf-8") as stream:
            text = stream.read()
        good = 'names = ["dumps", "loads", '
        self.assertIn(good, text)
        text = text.replace(good, good + '"codecs", ').replace('names = ["codecs", "decoder",', 'names = ["decoder",')
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "extractor.toml")
            with open(file, "w", encoding="utf-8") as stream:
                stream.write(text)
            done = tool("derive_policy.py", "--check", file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("json.codecs: is the module codecs", done.stdout)


class Data(unittest.TestCase):
    def setUp(self):
        self.policy = embed_policies.load_policy(EXTRACTOR)

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


class Embedding(unittest.TestCase):
    def mistakes(self, text):
        with self.assertRaises(embed_policies.Mistakes) as caught:
            embed_policies.parse_policy(text, "bad.toml")
        return str(caught.exception)

    def test_all_mistakes_are_reported_at_once(self):
        said = self.mistakes("""
            name = "bad"
            summary = "Bad"
            colour = "red"
            [limits]
            source_bytes = -1
            bracket_depth = 100
            tree_depth = 500
            [modules.re]
            why = ""
            [[modules.re.allow]]
            names = ["compile", "compile", "not a name"]
            why = "patterns"
            [[modules.re.refuse]]
            names = ["compile"]
            why = "no"
            [[builtin]]
            names = ["len"]
            """)
        for words in ("unknown key 'colour'", "'source_bytes' must be", "modules.re: 'why' is missing",
                      "'compile' is listed twice", "'not a name' is not a name",
                      "'compile' is both allowed and refused", "builtin: 'why' is missing"):
            self.assertIn(words, said)

    def test_text_that_is_not_toml_is_reported_with_its_place(self):
        self.assertIn("line 1", self.mistakes("name = 1 2\n"))

    def test_what_is_generated_is_the_same_every_time_and_quoted(self):
        policy = embed_policies.load_policy(EXTRACTOR)
        self.assertEqual(embed_policies.generated([policy]), embed_policies.generated([policy]))
        self.assertEqual(embed_policies.quote('a"\\\n\u00e91'), '"a\\"\\\\\\012\\303\\2511"')

    def test_a_bad_file_leaves_no_output(self):
        with tempfile.TemporaryDirectory() as folder:
            source, output = os.path.join(folder, "bad.toml"), os.path.join(folder, "out.cc")
            with open(source, "w", encoding="utf-8") as stream:
                stream.write("name = 1\n")
            done = tool("embed_policies.py", "--output", output, source)
            self.assertEqual(done.returncode, 1)
            self.assertIn("bad.toml: top level: 'name' must be text", done.stderr)
            self.assertFalse(os.path.exists(output))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
