#!/usr/bin/env python3
"""What is judged is the text as it stands: programs that hide in what cleaning would cut away, limits that are met on purpose, encodings,
names that look like options, links that lead out of a folder, and reports of any length.

    tests/hostile/as_it_stands_test.py [--airlock build/airlock] [NAME…]
"""
import codecs
import encodings
import encodings.aliases
import json
import os
import pathlib
import pkgutil
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness

AIRLOCK = harness.AIRLOCK
ROOT = harness.ROOT
SECONDS = 120  # seconds; a safety net against hangs, not a measure of speed

HONEST = "def extract(path: str) -> dict:\n    return {'name': path.rpartition('/')[2]}\n"
FENCE = f"\n```python\n{HONEST}```\n"
HIDDEN = "import os\nos.system('true')\n"
ANSWER = f"Sure, here it is:\n{FENCE}\nIt takes the name.\n"


class Case(harness.Case):
    def write(self, name, content=HONEST):
        super().write(name, content)
        return name

    def check(self, *arguments, stdin=b""):
        done = self.airlock("check", "--format", "json", *arguments, stdin=stdin)
        self.assertIn(done.returncode, (0, 1), done.err)
        return json.loads(done.out)["files"]

    def rules(self, entry):
        return [one["rule"] for one in entry["findings"] if one["severity"] == "error"]

    def assert_refused_everywhere(self, text, rule=None):
        """As a file, as an answer in a file, on standard input, and by `clean` never the fence inside."""
        self.write("x.py", text)
        self.write("x.txt", text)
        raw = text if isinstance(text, bytes) else text.encode()
        for entry in (*self.check("--", "x.py", "x.txt"), *self.check("-", stdin=raw)):
            self.assertEqual(entry["verdict"], "refused", entry)
            self.assertFalse(entry["cleaned"], entry)
            if rule:
                self.assertIn(rule, self.rules(entry))
        self.assertNotEqual(self.airlock("clean", "x.txt").out, HONEST)


class Polyglots(Case):
    """Python as it stands, with an honest program in one of its strings."""

    def test_between_braces_brackets_and_quotes(self):
        for text in (f'{{"answer": """{FENCE}"""}}\n{HIDDEN}{HONEST}\n{{}}\n', f'["""{FENCE}"""]\n{HIDDEN}{HONEST}[1]\n', f'"a"\n"""{FENCE}"""\n{HIDDEN}{HONEST}\n"b"',
                     f'"""{FENCE}"""\n{HIDDEN}{HONEST}', f"python\nNOTES = '''{FENCE}'''\n{HIDDEN}{HONEST}", f"Sorry\nNOTES = '''{FENCE}'''\n{HIDDEN}{HONEST}"):
            with self.subTest(text[:30]):
                self.assert_refused_everywhere(text, "AL201")

    def test_an_answer_in_json_is_unwrapped_and_a_file_is_not(self):
        answer = json.dumps({"code": HONEST})
        [entry] = self.check("-", stdin=answer.encode())
        self.assertEqual((entry["verdict"], entry["cleaned"], entry["code"]), ("accepted", True, HONEST))
        self.write("x.py", answer)
        [entry] = self.check("x.py")
        self.assertEqual((entry["verdict"], entry["cleaned"], entry["code"]), ("refused", False, answer))

    def test_what_only_another_python_reads(self):
        for line in ("type extract = int\n", "def other[T](x: T) -> T: return x\n", "x = f'{'a'}'\n", "try: pass\nexcept* A: pass\nexcept B: pass\n"):
            with self.subTest(line):
                self.write("x.py", HONEST + line)
                [entry] = self.check("x.py")
                self.assertEqual((entry["verdict"], entry["stage"]), ("refused", "syntax"))
                self.assertEqual(entry["code"], HONEST + line)


class Limits(Case):
    """Each met by text that Python might read, with a fence in it."""

    def test_no_limit_makes_an_answer_of_a_text(self):
        docstring = f'"""{FENCE}"""\n'
        deep = "".join(" " * at + "if 1:\n" for at in range(120)) + " " * 120 + "pass\n"
        for name, text in (("brackets", "x = " + "(" * 300 + "1" + ")" * 300 + "\n"), ("indentation", deep), ("unary", "x = " + "-" * 50_000 + "1\n"), ("digits", f"x = {'9' * 5000}\n"),
                           ("size", "#" * 300_000 + "\n"), ("f-string", "x = f'{1:{2:{3}}}'\n"), ("power", "x = " + "2**" * 30_000 + "1\n")):
            for whole in (docstring + HIDDEN + text + HONEST, text + docstring + HIDDEN + HONEST):
                with self.subTest(name):
                    self.assert_refused_everywhere(whole)

    def test_a_long_answer_with_a_short_program_is_an_answer(self):
        answer = "This sentence explains what the code will do.\n" * 7000 + FENCE
        [entry] = self.check("-", stdin=answer.encode())
        self.assertEqual((entry["verdict"], entry["cleaned"], entry["code"]), ("accepted", True, HONEST))


class Encodings(Case):
    def test_every_encoding_that_python_has(self):
        names = set(encodings.aliases.aliases) | set(encodings.aliases.aliases.values()) | {one.name for one in pkgutil.iter_modules(encodings.__path__)}
        wrong = []
        for name in sorted(names):
            try:
                found = codecs.lookup(name)
            except LookupError:
                continue
            if found._is_text_encoding and found.name not in ("utf-8", "utf-8-sig"):
                wrong.append(name.replace("_", "-"))
        self.assertGreater(len(wrong), 300)
        for number, name in enumerate(wrong):
            self.write(f"e/{number}.txt", f"# -*- coding: {name} -*-\n'''{FENCE}'''\n{HIDDEN}{HONEST}")
        entries = self.check("--", *(f"e/{number}.txt" for number in range(len(wrong))))
        for name, entry in zip(wrong, entries):
            if name in ("ascii", "us-ascii"):  # of text that is ASCII they say nothing new
                self.assertIn("AL201", self.rules(entry), name)
            else:
                self.assertEqual((self.rules(entry), entry["code"]), (["AL109"], ""), name)

    def test_on_the_first_two_lines_in_every_form(self):
        for head in ("# coding: latin-1\n", "#!/usr/bin/python3\n# vim: set fileencoding=latin-1 :\n", "\n#coding=latin-1\n", "\x0c# coding: latin-1\n", "\ufeff# coding: latin-1\n",
                     "# coding: latin-1\r\n", "# coding: iso-8859-1-unix\n"):
            with self.subTest(head):
                self.assert_refused_everywhere(f"{head}'''{FENCE}'''\n{HIDDEN}{HONEST}", "AL109")

    def test_a_heading_is_none(self):
        [entry] = self.check("-", stdin=f"# Decoding: the plan\n{FENCE}".encode())
        self.assertEqual((entry["verdict"], entry["cleaned"]), ("accepted", True))


class Names(Case):
    def test_the_name_decides_in_every_command(self):
        self.write("x.py", ANSWER)
        self.write("x.txt", ANSWER)
        self.write("paths", "/data/a.csv\n")
        for command in (("validate", "x.py", "--path", "/data/a.csv"), ("extract", "x.py", "paths"), ("approve", "./x.py", "--name", "names", "--samples", "paths"),
                        ("drafts", "add", "x.py", "--samples", "paths")):
            with self.subTest(command):
                self.assertEqual(self.airlock(*command).returncode, 1)
                answer = self.airlock(*(one.replace("x.py", "x.txt") for one in command))
                self.assertEqual(answer.returncode, 0, answer.out + answer.err)
        self.write("flow.json", json.dumps({"nodes": [{"id": "a", "type": "extractor", "params": {"extractor": "x.py", "paths": ["/data/a.csv"]}}]}))
        self.assertEqual(self.airlock("run", "flow.json").returncode, 1)
        self.assertIn("Only cleaning", self.airlock("run", "flow.json", "--check").out)

    def test_a_file_that_needs_cleaning_is_refused_and_told_how(self):
        for text in (ANSWER, f"Here:\n\n{HONEST}", HONEST + "\nThis takes the name of the file.\n", HONEST.replace("'", "’"), HONEST.replace("    ", "\u00a0\u00a0\u00a0 ")):
            self.write("x.py", text)
            [entry] = self.check("x.py")
            self.assertEqual((entry["verdict"], self.rules(entry), entry["code"]), ("refused", ["AL108"], text))
            self.assertIn("airlock clean", entry["findings"][-1]["suggestion"])
            [entry] = self.check("--answer", "x.py")
            self.assertEqual((entry["verdict"], entry["cleaned"], entry["code"].strip()), ("accepted", True, HONEST.strip()))
            done = self.airlock("clean", "--", "x.py")
            self.assertEqual((done.returncode, done.out), (0, entry["code"]), done.err)

    def test_a_mark_and_line_ends_are_no_cleaning(self):
        self.write("x.py", "\ufeff" + HONEST.replace("\n", "\r\n"))
        [entry] = self.check("x.py")
        self.assertEqual((entry["verdict"], entry["cleaned"], entry["code"]), ("accepted", False, HONEST))

    def test_what_was_cleaned_is_called_that(self):
        self.write("x.txt", ANSWER)
        self.write("y.py")
        self.assertEqual(self.airlock("check", "x.txt").out.splitlines()[-1], "x.txt: accepted after cleaning")
        self.assertEqual(self.airlock("check", "y.py").out, "y.py: accepted\n")
        self.assertEqual(self.airlock("check", "x.txt", "y.py").out.splitlines()[-1], "2 files: 2 accepted (1 of them after cleaning), 0 refused")
        [run] = json.loads(self.airlock("check", "--format", "sarif", "x.txt", "y.py").out)["runs"]
        self.assertEqual([one.get("properties") for one in run["artifacts"]], [{"cleaned": True}, None])

    def test_clean_says_that_there_is_nothing(self):
        for text in (b"", b"I cannot help with that.\n", b"```python\n```\n", b"def f(:\n"):
            done = self.airlock("clean", stdin=text)
            self.assertEqual((done.returncode, done.out), (1, ""), text)
            self.assertTrue(done.err)
        self.assertEqual(self.airlock("clean", "none.txt").returncode, 2)

    def test_names_that_look_like_options(self):
        os.makedirs(self.folder / "--policy=d")
        self.write("d/policy", 'extends = "node"\nname = "x"\n')
        self.write("--policy=d/policy", "#!/usr/bin/env python3\n" + HONEST)
        self.write("evil.py", HIDDEN + HONEST)
        self.write("-x.py")
        done = self.airlock("check", "--", "--policy=d/policy", "evil.py", "-x.py")
        self.assertEqual(done.returncode, 1, done.out + done.err)
        self.assertIn("3 files: 2 accepted, 1 refused", done.out)

    def test_the_hook_ends_its_options(self):
        [entry] = [line.partition(":")[2].split() for line in (ROOT / ".pre-commit-hooks.yaml").read_text().splitlines() if line.strip().startswith("entry:")]
        self.assertEqual(entry, ["airlock", "check", "--"])
        self.write("--format=json", "#!/usr/bin/env python3\n" + HONEST)
        self.assertEqual(self.airlock(*entry[1:], "--format=json").out, "--format=json: accepted\n")


class Folders(Case):
    def test_links_that_lead_out_are_not_followed(self):
        self.write("secret.txt", "key = 'hunter2-deploy-key'\n")
        self.write("s/src/a.py")
        for name, target in (("environ.py", "/proc/self/environ"), ("up.py", "../../secret.txt"), ("absolute.py", self.folder / "secret.txt"), ("loop.py", "loop.py"), ("none.py", "nowhere"),
                             ("magic.py", "/proc/self/fd/0")):
            os.symlink(target, self.folder / "s" / "src" / name)
        os.symlink("..", self.folder / "s" / "src" / "folder")
        self.environment["CI_DEPLOY_KEY"] = "hunter2-deploy-key"
        for arguments in ((), ("--format", "json"), ("--format", "sarif"), ("--format", "github")):
            done = self.airlock("check", *arguments, "s/src")
            self.assertEqual(done.returncode, 0, done.out + done.err)
            self.assertNotIn("hunter2", done.out + done.err)
            self.assertEqual(done.err.count("link leads"), 7, done.err)

    def test_links_that_stay_inside_are_judged(self):
        self.write("s/a.py", HIDDEN + HONEST)
        os.symlink("a.py", self.folder / "s" / "b.py")
        entries = self.check("s")
        self.assertEqual([(one["file"], one["verdict"]) for one in entries], [("s/a.py", "refused"), ("s/b.py", "refused")])

    def test_what_is_no_file_is_passed_over(self):
        self.write("s/a.py")
        os.mkfifo(self.folder / "s" / "pipe.py")
        done = self.airlock("check", "s")
        self.assertEqual((done.returncode, done.out), (0, "s/a.py: accepted\n"))
        self.assertIn("pipe.py: it is not a file", done.err)

    @unittest.skipIf(os.geteuid() == 0 and not pathlib.Path("/usr/bin/setpriv").exists(), "needs another user")
    def test_folders_that_cannot_be_listed_are_said(self):
        self.write("s/a.py")
        self.write("s/closed/b.py")
        (self.folder / "s" / "closed").chmod(0)
        self.addCleanup((self.folder / "s" / "closed").chmod, 0o700)
        self.folder.chmod(0o755)
        (self.folder / "bin").mkdir()
        for name in ("airlock", "airlock-host"):
            shutil.copy2(AIRLOCK.parent / name, self.folder / "bin" / name)
        command = [str(self.folder / "bin" / "airlock"), "check", "s"]
        if os.geteuid() == 0:
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(b"list s/closed/: Permission denied", done.stderr)
        self.assertIn(b"s/a.py: accepted", done.stdout)


class Length(Case):
    """Reports are written as they come: what is held does not grow with the number of files."""

    def peak(self, *arguments):
        """KiB that airlock itself held, and what it wrote."""
        file = self.folder / "report"
        with open(file, "wb") as out:
            process = subprocess.Popen([str(AIRLOCK), *arguments], stdout=out, stderr=subprocess.DEVNULL, cwd=self.folder, env=self.environment)
            _, status, used = os.wait4(process.pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1)
        return used.ru_maxrss, file.read_bytes()

    def test_memory_does_not_grow_with_the_number_of_files(self):
        text = (HIDDEN + HONEST + "# " + "x" * 40_000 + "\n").encode()
        for number in range(700):
            self.write(f"few/{number}.py" if number < 100 else f"many/{number}.py", text)
        for arguments in ((), ("--format", "json"), ("--format", "github"), ("--format", "sarif")):
            few, _ = self.peak("check", *arguments, "few")
            many, report = self.peak("check", *arguments, "many", "few")
            # Kept would be 600 more times raw, code and verdict: 48 MiB, more than any of its processes needs.
            self.assertLess(many - few, 12 * 1024, arguments)
            if "json" in arguments or "sarif" in arguments:
                json.loads(report)

    def test_the_order_is_that_of_the_names(self):
        for number in range(300):
            self.write(f"s/{number:03}.py", "#" * (200_000 if number % 37 == 0 else 1) + "\n" + HONEST)
        entries = self.check("s", "s/007.py", "s")
        names = [f"s/{number:03}.py" for number in range(300)]
        self.assertEqual([one["file"] for one in entries], [*names, "s/007.py", *names])

    def test_a_reader_that_leaves_ends_it(self):
        for number in range(300):
            self.write(f"s/{number:03}.py", HIDDEN + HONEST)
        done = subprocess.run(["sh", "-c", f"{AIRLOCK} check --format json s | head -n 3; true"], capture_output=True, timeout=SECONDS, cwd=self.folder, env=self.environment)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertNotIn(b"terminate", done.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
