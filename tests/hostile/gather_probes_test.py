#!/usr/bin/env python3
"""Tests of `airlock gather` with probes that return, leave and do what they should not. Cases that only differ in that share one run of gather
with all of them in it: what one does must not cost another's execution.

    tests/hostile/gather_probes_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import textwrap
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.gather import TOKEN, IS_ROOT, OK, probe_source, Case, Together
from support.processes import descendants


def deep(expression):
    return f"return ProbeOutput({{'a': [{{'b': {expression}}}]}})"


AT = r" at \(schema_slice, a, 0, b\)"
NAMED = r"\ASecretLikelyFieldNameError: \S+ at \(schema_slice, a, 0, b, "


class Returns(Together):
    BODIES = {
        "bytes": (deep("b'x'"), r"\AJSONValueError: bytes" + AT),
        "bytearray": (deep("bytearray(b'x')"), r"\AJSONValueError: bytearray" + AT),
        "callable": (deep("len"), r"\AJSONValueError: builtin_function_or_method" + AT),
        "lambda": (deep("lambda: 1"), r"\AJSONValueError: function" + AT),
        "class": (deep("str"), r"\AJSONValueError: type" + AT),
        "set": (deep("{1}"), r"\AJSONValueError: set" + AT),
        "frozenset": (deep("frozenset()"), r"\AJSONValueError: frozenset" + AT),
        "tuple": (deep("(1,)"), r"\AJSONValueError: tuple" + AT),
        "decimal": (deep("__import__('decimal').Decimal(1)"), r"\AJSONValueError: Decimal" + AT),
        "datetime": (deep("__import__('datetime').datetime(2020, 1, 1)"), r"\AJSONValueError: datetime" + AT),
        "path": (deep("repo.root"), r"\AJSONValueError: PosixPath" + AT),
        "nan": (deep("float('nan')"), r"\AJSONValueError: a number that is not finite" + AT),
        "infinity": (deep("float('inf')"), r"\AJSONValueError: a number that is not finite" + AT),
        "minus_infinity": (deep("-float('inf')"), r"\AJSONValueError: a number that is not finite" + AT),
        "complex": (deep("1j"), r"\AJSONValueError: complex" + AT),
        "key_of_int": (deep("{1: 2}"), r"\AJSONValueError: a key of type int" + AT),
        "key_of_none": (deep("{None: 2}"), r"\AJSONValueError: a key of type NoneType" + AT),
        "key_of_bool": (deep("{True: 2}"), r"\AJSONValueError: a key of type bool" + AT),
        "object": (deep("object()"), r"\AJSONValueError: object" + AT),
        "str_subclass": (deep("type('Text', (str,), {})('x')"), r"\AJSONValueError: Text" + AT),
        "int_subclass": (deep("type('Number', (int,), {})(1)"), r"\AJSONValueError: Number" + AT),
        "dict_subclass": (deep("__import__('collections').OrderedDict()"), r"\AJSONValueError: OrderedDict" + AT),
        "list_subclass": (deep("type('Many', (list,), {})()"), r"\AJSONValueError: Many" + AT),
        "enumeration": (deep("__import__('enum').IntEnum('E', 'A')(1)"), r"\AJSONValueError: E" + AT),
        "cyclic_list": ("a = []\na.append(a)\nreturn ProbeOutput({'a': [a]})", r"\A\w+Error: .*(deep|itself)"),
        "cyclic_dict": ("a = {}\na['x'] = a\nreturn ProbeOutput({'a': [a]})", r"\A\w+Error: .*(deep|itself)"),
        "very_deep": ("a = 1\nfor _ in range(100000): a = [a]\nreturn ProbeOutput({'a': a})", r"\A\w+Error: .*deep"),
        "one_too_deep": ("a = 1\nfor _ in range(127): a = [a]\nreturn ProbeOutput({'a': a})", r"\ADepthError: This is nested more than 128 levels"),
        "half_a_pair": (deep(r"'\ud800'"), "surrogate"),
        "half_a_pair_in_a_key": (deep(r"{'\udfff': 1}"), "surrogate"),
        "nul": (deep(r"'a\0b'"), r"\AEncodingError: There is a NUL character here\. .*" + AT),
        "too_large_a_number": (deep("2 ** 64"), r"\AJSONValueError: This number is out of range.*" + AT),
        "too_small_a_number": (deep("-2 ** 63 - 1"), r"\AJSONValueError: This number is out of range.*" + AT),
        "five_thousand_digits": (deep("10 ** 5000"), "digits|out of range"),
        "token": (deep("{'github_token': 1}"), r"\ASecretLikelyFieldNameError: github_token at \(schema_slice, a, 0, b, github_token\)\Z"),
        "token_full_width": (deep(r"{'\uff47ithub_\uff54oken': 1}"), NAMED),
        "token_zero_width": (deep(r"{'github_to\u200bken': 1}"), NAMED + r"github_to<U\+200B>ken\)"),
        "token_soft_hyphen": (deep(r"{'PASS\u00adWORD': 1}"), NAMED),
        "token_accents": (deep(r"{'githu\u0301b_to\u0301ken': 1}"), NAMED),
        "token_mathematical": (deep(r"{'\U0001d42d\U0001d428\U0001d424\U0001d41e\U0001d427': 1}"), NAMED),
        "token_upper_case": (deep("{'API-KEY': 1}"), NAMED),
        "tokenizer": (deep("{'tokenizer': 1}"), NAMED),
        "text_of_5_mb": ("return ProbeOutput({'a': 'x' * 5_000_000})", r"\ASizeError: This string has 5000000 bytes.* at \(schema_slice, a\)"),
        "40_mb_in_pieces": ("return ProbeOutput({'a': ['x' * 1_000_000] * 40})", r"\A(OutputLimit|Size)Error: .*larger than 33554432 bytes"),
        "long_key": ("return ProbeOutput({'x' * 600: 1})", r"\ASizeError: This key has 600 bytes"),
        "confidence_unknown": ("return ProbeOutput({}, confidence='unknown')", r"\AConfidenceError: .* at \(confidence\)"),
        "confidence_true": ("return ProbeOutput({}, confidence=True)", r"\AConfidenceError: .*boolean.* at \(confidence\)"),
        "confidence_none": ("return ProbeOutput({}, confidence=None)", r"\AConfidenceError: .*null.* at \(confidence\)"),
        "confidence_upper_case": ("return ProbeOutput({}, confidence='High')", r"\AConfidenceError: .* at \(confidence\)"),
        "confidence_list": ("return ProbeOutput({}, confidence=['high'])", r"\AConfidenceError: .*list.* at \(confidence\)"),
        "slice_list": ("return ProbeOutput([])", r"\AJSONValueError: 'schema_slice' must be an object; this is a list"),
        "slice_none": ("return ProbeOutput(None)", r"\AJSONValueError: 'schema_slice' must be an object; this is null"),
        "artifacts_text": ("return ProbeOutput({}, 'abc')", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is a string"),
        "artifacts_number": ("return ProbeOutput({}, [1])", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; .* at \(raw_artifacts, 0\)"),
        "artifacts_none": ("return ProbeOutput({}, None)", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is null"),
        "artifacts_dict": ("return ProbeOutput({}, {'a': 1})", r"\AJSONValueError: 'raw_artifacts' must be a list of strings; this is an object"),
        "artifacts_bytes": ("return ProbeOutput({}, [b'a'])", r"\AJSONValueError: bytes at \(raw_artifacts, 0\)"),
        "duration_text": ("return ProbeOutput({}, duration_ms='1')", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_negative": ("return ProbeOutput({}, duration_ms=-1)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_fraction": ("return ProbeOutput({}, duration_ms=1.5)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_true": ("return ProbeOutput({}, duration_ms=True)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_none": ("return ProbeOutput({}, duration_ms=None)", r"\AJSONValueError: 'duration_ms' must be a whole number"),
        "duration_nan": ("return ProbeOutput({}, duration_ms=float('nan'))", r"\AJSONValueError: a number that is not finite at \(duration_ms\)"),
        "warnings_text": ("return ProbeOutput({}, warnings='abc')", r"\AJSONValueError: 'warnings' must be a list of strings; this is a string"),
        "warnings_number": ("return ProbeOutput({}, warnings=[1])", r"\AJSONValueError: 'warnings' must be a list of strings; .* at \(warnings, 0\)"),
        "errors_none": ("return ProbeOutput({}, errors=None)", r"\AJSONValueError: 'errors' must be a list of strings; this is null"),
        "errors_tuple": ("return ProbeOutput({}, errors=('a',))", r"\AJSONValueError: tuple at \(errors\)"),
        "no_probe_output": ("return {'schema_slice': {}}", r"\AContractError: run\(\) returned dict, expected ProbeOutput"),
        "nothing": ("pass", r"\AContractError: run\(\) returned NoneType, expected ProbeOutput"),
        "a_generator": ("yield ProbeOutput({})", r"\AContractError: run\(\) returned generator, expected ProbeOutput"),
        "an_exception": ("return ValueError('x')", r"\AContractError: run\(\) returned ValueError, expected ProbeOutput"),
        "fields_taken_out": ("a = ProbeOutput({})\ndel a.__dict__['confidence']\ndel a.__dict__['schema_slice']\nreturn a", r"\AAttributeError: "),
        "a_property_that_raises": ("class Odd(ProbeOutput):\n    schema_slice = property(lambda self: 1 / 0, lambda self, value: None)\nreturn Odd({})",
                                   r"\AZeroDivisionError: "),
        "a_type_named_like_a_secret": (f"return ProbeOutput({{'a': type('{TOKEN}', (), {{}})()}})",
                                       r"\AJSONValueError: <REDACTED:fingerprint=[0-9a-f]{8}> at \(schema_slice, a\)"),
        "a_key_that_is_a_secret": (f"return ProbeOutput({{'token_{TOKEN}': 1}})", r"\ASecretLikelyFieldNameError: \S*<REDACTED:fingerprint=[0-9a-f]{8}>"),
        "artifact_missing": ("return ProbeOutput({}, ['no.txt'])", r"\AArtifactError: 'no.txt': there is no such file in the output folder"),
        "artifact_folder": ("(ctx.output_dir / 'd').mkdir()\nreturn ProbeOutput({}, ['d'])", r"\AArtifactError: 'd': it is no file"),
        "artifact_link": ("os.symlink('/etc/passwd', ctx.output_dir / 'l')\nreturn ProbeOutput({}, ['l'])", r"\APermissionError: "),
        "artifact_link_inside": ("(ctx.output_dir / 't').write_text('x')\nos.link(ctx.output_dir / 't', ctx.output_dir / 'l')\nos.symlink('t', ctx.output_dir / 's')\n"
                                 "return ProbeOutput({}, ['s'])", r"\APermissionError: "),
        "artifact_of_the_repository": ("return ProbeOutput({}, [repo.root / 'a.py'])", r"\AArtifactError: .*it does not lie in the output folder"),
        "artifact_absolute": ("return ProbeOutput({}, ['/etc/passwd'])", r"\AArtifactError: '/etc/passwd': it does not lie in the output folder"),
        "artifact_above": ("(ctx.workspace / 'x').write_text('x')\nreturn ProbeOutput({}, ['../workspace/x'])", r"\AArtifactError: .*it does not lie in the output folder"),
        "artifact_above_again": ("(ctx.output_dir / 'd').mkdir()\nreturn ProbeOutput({}, [ctx.output_dir / 'd/../../workspace/x'])", r"\AArtifactError: "),
        "artifact_empty_name": ("return ProbeOutput({}, [''])", r"\AArtifactError: "),
        "artifact_odd_name": (r"return ProbeOutput({}, ['a\0b'])", r"\AEncodingError: .* at \(raw_artifacts, 0\)"),
        "artifact_long_name": ("return ProbeOutput({}, ['x' * 5000])", r"\A(Artifact|Size)Error: "),
        "artifact_fifo": ("os.mkfifo(ctx.output_dir / 'f')\nreturn ProbeOutput({}, ['f'])", r"mknod|ArtifactError"),
        "artifact_of_70_mb": ("with open(ctx.output_dir / 'b', 'wb') as file:\n    for _ in range(70): file.write(b'x' * 1_000_000)\nreturn ProbeOutput({}, ['b'])",
                              "larger than 64 MiB|too large|size limit"),
        "artifacts_too_many": ("(ctx.output_dir / 'a').write_text('x')\nreturn ProbeOutput({}, ['a'] * 1001)", r"\AArtifactError: more than 1000 artifacts"),
        "artifact_named_like_a_secret": (f"(ctx.output_dir / '{TOKEN}').write_text('x')\nreturn ProbeOutput({{}}, ['{TOKEN}'])",
                                         r"\AArtifactError: the name of an artifact holds a path or a secret"),
    }

    def test_all_of_them_are_there_and_the_run_is_judged_refused(self):
        self.assertEqual(self.done.code, 1)
        self.assertEqual(set(self.done.statuses()), set(self.BODIES))
        self.assertNotIn(TOKEN, self.done.out)

    def test_every_wrong_place_is_named(self):
        done = self.gather(self.probe(run="return ProbeOutput({'a': b'1', 'b': [{1}, {'token': 2}], 'c': ()})"))
        errors = done.report["outputs"]["p"]["errors"]
        self.assertEqual(sorted(errors), ["JSONValueError: bytes at (schema_slice, a)", "JSONValueError: set at (schema_slice, b, 0)",
                                          "JSONValueError: tuple at (schema_slice, c)"])

    def test_half_a_pair_is_said_as_the_door_says_it(self):
        """The author knows no Result['output']; the contract calls this an EncodingError, with a place like every other."""
        self.assert_failed(self.done, "half_a_pair", r"\AEncodingError: .*" + AT)

    def test_500_mb_of_text(self):
        """The limit is what went wrong, not a system call that nobody made."""
        done = self.gather(self.probe(run="return ProbeOutput({'a': 'x' * 500_000_000})"),
                           self.probe("more", "return ProbeOutput({'a': ['x' * 1_000_000] * 500})"))
        self.assert_failed(done, "more", r"\A(OutputLimit|Size)Error: ")
        self.assert_failed(done, "p", r"\A(OutputLimit|Size|Memory)Error: ")

    def test_an_awaitable_that_never_ends(self):
        text = ("import asyncio\nfrom airlock.probe import Probe\nclass It(Probe):\n    name = 'p'\n    timeout_seconds = 0.3\n"
                "    async def run(self, repo, ctx):\n        await asyncio.Event().wait()\n")
        self.assert_failed(self.gather(self.place.file("p.py", text)), "p", r"\ATimeoutError: Execution timed out after 0\.3s")

    def test_as_deep_as_is_allowed(self):
        """128 levels: the document, the slice, and 126 lists."""
        done = self.gather(self.probe(run="a = 1\nfor _ in range(126): a = [a]\nreturn ProbeOutput({'a': a})"))
        self.assert_ran(done)

    def test_a_reason_is_not_cut_inside_a_character(self):
        done = self.gather(self.probe(run="raise ValueError('x' + 'é' * 900)"), self.probe("q", "raise ValueError('€' * 900)"))
        for name in ("p", "q"):
            self.assertNotIn("\ufffd", done.execution(name)["reason"])

    def test_equal_keys_after_normalisation_are_both_kept(self):
        facts = r"{'e\u0301': 1, '\u00e9': 2, '/home/ann/x': 3, '/home/bob/x': 4}"
        done = self.gather(self.probe(run=f"return ProbeOutput({{'a': {facts}}})"))
        self.assert_ran(done)
        self.assertEqual(sorted(done.facts("p")["a"].values()), [1, 2, 3, 4])
        self.assertNotRegex(done.out, "ann|bob")

    def test_good_values_come_back_as_they_were(self):
        facts = {"t": True, "n": None, "i": -2 ** 63, "u": 2 ** 64 - 1, "f": 1.5, "e": "", "l": [], "d": {}, "ü": "€ \U0001f600", "references_secrets": 3,
                 "exp": 1e300, "a\"b\\c": "\t\n"}
        done = self.gather(self.probe(run=f"return ProbeOutput({facts!r}, confidence='medium', duration_ms=7, warnings=['w'], errors=['e'])"))
        self.assert_ran(done)
        output = done.report["outputs"]["p"]
        self.assertEqual(output, {"schema_slice": facts, "raw_artifacts": [], "confidence": "medium", "duration_ms": 7, "warnings": ["w"], "errors": ["e"]})

    def test_a_key_may_have_a_line_end_as_at_the_door(self):
        """`airlock admit` takes it, and names of files are keys often enough."""
        done = self.gather(self.probe(run=r"return ProbeOutput({'sizes': {'new\nline.py': 1}})"))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"sizes": {"new\nline.py": 1}})

    def test_relative_paths_are_facts_and_stay(self):
        """/output and /workspace are places inside; ../output/app.js of a build script is none of them."""
        paths = ["lib/repository/x.py", "src/output/b", "./workspace/c", "../output/app.js", "../../workspace/lib", "../repository/x", "http://h/repository/y",
                 "/repository2/a", "output/a"]
        done = self.gather(self.probe(run=f"return ProbeOutput({{'p': {paths!r}}})"))
        self.assertEqual(done.facts("p")["p"], paths)

    def test_secrets_and_homes_in_facts_warnings_and_errors(self):
        said = f"{TOKEN} /home/ann/x.py /Users/ann/y file:///root/z {self.repo}/a.py"
        done = self.gather(self.probe(run=f"return ProbeOutput({{'v': [{said!r}], {'/home/ann/k'!r}: 1}}, warnings=[{said!r}], errors=[{said!r}])"))
        self.assert_ran(done)
        self.assertNotRegex(done.out, f"{TOKEN}|ann|/root|{self.folder}")
        self.assertEqual(len(re.findall(r"<REDACTED:fingerprint=[0-9a-f]{8}> x\.py y \S*z a\.py", done.out)), 3)


Returns.make_tests("returns", lambda self, name, *words: self.assert_failed(self.done, name, *words))


class Artifacts(Case):
    WRITES = (f"(ctx.output_dir / 'sub').mkdir()\n(ctx.output_dir / 'sub' / 'a.bin').write_bytes(b'\\xff\\x00 {TOKEN} /home/ann/x ' + bytes(repo.root) + b'/a.py\\r\\n')\n"
              "(ctx.output_dir / 'plain').write_bytes(bytes(range(256)))\n(ctx.output_dir / 'empty').touch()\n"
              "return ProbeOutput({'n': 3}, ['sub/a.bin', ctx.output_dir / 'plain', str(ctx.output_dir / 'empty')])")

    def check(self, folder):
        files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
        self.assertEqual(set(files), {"p/sub/a.bin", "p/plain", "p/empty"})
        self.assertRegex(files["p/sub/a.bin"].read_bytes(), rb"\A\xff\x00 <REDACTED:fingerprint=[0-9a-f]{8}> x a\.py\r\n\Z")
        self.assertEqual(files["p/plain"].read_bytes(), bytes(range(256)))
        self.assertEqual(files["p/empty"].read_bytes(), b"")
        for path in files.values():
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)

    def test_they_are_written_redacted_and_come_back_on_a_hit(self):
        for status in ("ran", "cache_hit"):
            done = self.gather(self.probe(run=self.WRITES), options=("--artifacts", self.folder / status))
            self.assertEqual((done.code, done.status("p")), (0, status))
            self.assertEqual(done.report["outputs"]["p"]["raw_artifacts"], ["sub/a.bin", "plain", "empty"])
            self.check(self.folder / status)

    def test_without_a_folder_for_them_it_is_said(self):
        done = self.gather(self.probe(run=self.WRITES), form="text")
        self.assertEqual(done.err, "airlock: the artifacts are not written anywhere: --artifacts DIR does that\n")
        self.assertTrue(done.out.endswith("3 probes with facts, 3 artifacts\n"))

    def test_a_link_in_the_folder_for_them_is_not_followed(self):
        (self.folder / "victim").mkdir()
        (self.folder / "to").mkdir()
        (self.folder / "to" / "p").symlink_to(self.folder / "victim")
        done = self.gather(self.probe(run=self.WRITES), options=("--artifacts", self.folder / "to"))
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, r"\Aairlock: in .*/to: ")
        self.assertEqual(list((self.folder / "victim").iterdir()), [])

    def test_artifacts_that_are_not_named_are_not_kept(self):
        run = "(ctx.output_dir / 'left').write_text('x')\nreturn ProbeOutput({})"
        self.assert_ran(self.gather(self.probe(run=run), options=("--artifacts", self.folder / "to")))
        self.assertEqual(list((self.folder / "to").rglob("*")), [])

    def usage_of(self, run=OK, head=""):
        """What airlock has used, or the largest of what it has waited for."""
        command = self.place.command(["gather", self.repo, "--probe", self.probe(run=run, head=head), "--no-cache", "--format", "json"])
        with open(self.folder / "report", "wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, env=self.place.environment)
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
        return usage

    def test_holes_do_not_fill_the_memory_of_the_host(self):
        """The output folder has 128 MiB. Files of holes have any size: 1000 of 64 MiB would be 64 GB in airlock's memory."""
        run = ("for i in range(6):\n    with open(ctx.output_dir / f'f{i}', 'wb') as file: file.truncate(60 << 20)\n"
               "return ProbeOutput({}, [f'f{i}' for i in range(6)])")
        self.assertLess(self.usage_of(run).ru_maxrss, 300 * 1024)

    def test_one_file_named_often_does_not_fill_the_memory_of_the_host(self):
        run = "with open(ctx.output_dir / 'f', 'wb') as file: file.truncate(60 << 20)\nreturn ProbeOutput({}, ['f'] * 6)"
        self.assertLess(self.usage_of(run).ru_maxrss, 300 * 1024)

    def test_a_description_does_not_fill_the_memory_of_the_host(self):
        """It is some short texts. One of 30 MB is not to be made into objects, for each of the jobs."""
        head = "import airlock._answer\nairlock._answer.describe = lambda probe: {'name': [[]] * 10_000_000}\n"
        self.assertLess(self.usage_of(head=head).ru_maxrss, 400 * 1024)

    def test_many_findings_do_not_hold_up_the_run(self):
        """60,000 tokens are 2.5 MB; 64 MiB may come. Whatever is done with each must not depend on how many there are."""
        run = ("import random, string\nchance = random.Random(1)\nwith open(ctx.output_dir / 'a', 'w') as file:\n"
               "    for _ in range(60_000): file.write('ghp_' + ''.join(chance.choices(string.ascii_letters + string.digits, k=36)) + '\\n')\n"
               "return ProbeOutput({}, ['a'])")
        self.assertLess(self.usage_of(run).ru_utime, 2.5, "seconds of processor time")


# ── 3. Bad behaviour ─────────────────────────────────────────────────────────────────────────────


class Behaviour(Together):
    OPTIONS = ("--timeout", "20")
    BODIES = {
        "prints_a_gigabyte": ("for _ in range(1000): print('x' * 1_000_000)\n" + OK, r"\AOutputLimitError: More than 10 MB were printed"),
        "prints_to_stderr": ("sys.stderr.write('x' * 100_000_000)\n" + OK, r"\AOutputLimitError: More than 10 MB were printed"),
        "writes_to_tmp": ("open('/tmp/canary', 'w')\n" + OK, "FileNotFoundError|PermissionError|Read-only"),
        "writes_to_the_root": ("open('/canary', 'w')\n" + OK, "Read-only|PermissionError"),
        "writes_beside_its_folder": ("open(ctx.output_dir / '../canary', 'w')\n" + OK, "Read-only|PermissionError"),
        "writes_into_the_repository": ("(repo.root / 'canary').write_text('x')\n" + OK, r"\AOSError: \[Errno 30\] Read-only file system"),
        "changes_the_repository": ("open(repo.root / 'a.py', 'a')\n" + OK, r"\AOSError: \[Errno 30\] Read-only file system"),
        "empties_the_repository": ("os.truncate(repo.root / 'a.py', 0)\n" + OK, "Read-only|denied|not permitted"),
        "removes_from_the_repository": ("os.unlink(repo.root / 'a.py')\n" + OK, "Read-only|denied|not permitted"),
        "writes_by_a_link": ("open(repo.root / 'out_file', 'w')\n" + OK, "Read-only|No such file|denied"),
        "follows_a_link_to_a_file": ("return ProbeOutput({'t': (repo.root / 'out_file').read_text()})", r"\AFileNotFoundError: "),
        "follows_a_relative_link": ("return ProbeOutput({'t': (repo.root / 'out_relative').read_text()})", r"\AFileNotFoundError: "),
        "follows_a_link_to_a_folder": ("return ProbeOutput({'t': os.listdir(repo.root / 'out_folder')})", r"\AFileNotFoundError: "),
        "follows_a_link_to_etc": ("return ProbeOutput({'t': (repo.root / 'out_etc').read_text()})", r"\AFileNotFoundError: "),
        "climbs": ("return ProbeOutput({'t': (repo.root / '../../etc/passwd').read_text()})", r"\AFileNotFoundError: "),
        "opens_a_socket": ("import socket\nsocket.socket()\n" + OK, r"\ASandboxViolation: System call denied: socket at line \d+"),
        "connects_to_the_repository": ("import socket\nsocket.socket(socket.AF_UNIX).connect(str(repo.root / 'socket'))\n" + OK, r"\ASandboxViolation: System call denied: socket"),
        "asks_for_a_name": ("import socket\nsocket.getaddrinfo('localhost', 80)\n" + OK, "denied|gaierror"),
        "forks": ("os.fork()\n" + OK, r"\ASandboxViolation: System call denied: clone at line \d+"),
        "starts_a_thread": ("import threading\nthreading.Thread(target=print).start()\n" + OK, r"\ASandboxViolation: System call denied: clone3? at line \d+"),
        "execs": ("os.execv('/usr/bin/python3', ['python3'])\n" + OK, r"\ASandboxViolation: System call denied: execve at line \d+"),
        "runs_a_program": ("import subprocess\nsubprocess.run(['/bin/true'])\n" + OK, r"\ASandboxViolation: System call denied: "),
        "ptrace_by_ctypes": ("import ctypes\nctypes.CDLL(None).ptrace(0, 0, 0, 0)\n" + OK, r"\ASandboxViolation: System call denied: ptrace at line \d+"),
        "mount_by_ctypes": ("import ctypes\nctypes.CDLL(None).mount(b'none', b'/repository', b'tmpfs', 0, None)\n" + OK, r"\ASandboxViolation: System call denied: mount"),
        "swallows_the_refusal": ("try:\n    import socket\n    socket.socket()\nexcept BaseException: pass\n" + OK, r"\ASandboxViolation: System call denied: socket"),
        "segmentation_fault": ("import ctypes\nctypes.string_at(0)", r"\ACrashError: .*signal 11 \(Segmentation fault\)"),
        "abort": ("os.abort()", "signal"),
        "kills_itself": ("os.kill(os.getpid(), 9)\n" + OK, r"\ASandboxViolation: System call denied: kill"),
        "kills_everybody": ("os.kill(-1, 9)\n" + OK, r"\ASandboxViolation: System call denied: kill"),
        "os_exit": ("os._exit(0)", r"\ACrashError: .*it exited with code 0"),
        "sys_exit": ("sys.exit(0)", r"\ASystemExit: 0 \(line 9\)"),
        "system_exit": ("raise SystemExit('bye')", r"\ASystemExit: bye \(line 9\)"),
        "keyboard_interrupt": ("raise KeyboardInterrupt", r"\AKeyboardInterrupt\b.*\(line 9\)"),
        "generator_exit": ("raise GeneratorExit('x')", r"\AGeneratorExit: x \(line 9\)"),
        "base_exception": ("raise BaseException('x')", r"\ABaseException: x \(line 9\)"),
        "an_exception_that_cannot_be_shown": ("class Odd(Exception):\n    def __str__(self): raise self\nraise Odd", r"\AOdd: "),
        "recursion": ("def again(): return again()\nagain()", r"\ARecursionError: "),
        "all_memory": ("a = []\nwhile True: a.append(bytearray(10_000_000))", r"\AMemoryError: Memory limit of 512 MB reached"),
        "fork_at_exit": ("import atexit\natexit.register(os.fork)\nraise ValueError('x')", r"\AValueError: x"),
        "accounts": ("return ProbeOutput({'t': open('/etc/passwd').read()})", r"\AFileNotFoundError: "),
        "proc": ("return ProbeOutput({'t': os.listdir('/proc')})", r"\AFileNotFoundError: "),
        "environ_in_proc": ("return ProbeOutput({'t': open('/proc/self/environ').read()})", r"\AFileNotFoundError: "),
        "the_root": ("return ProbeOutput({'t': os.listdir('/')})", r"\APermissionError: "),
        "the_home": ("return ProbeOutput({'t': os.listdir(HOME)})", r"\AFileNotFoundError: "),
        "the_state": ("return ProbeOutput({'t': os.listdir(HOME + '/state')})", r"\AFileNotFoundError: "),
        "other_probes_source": ("return ProbeOutput({'t': open(HOME + '/forks.py').read()})", r"\AFileNotFoundError: "),
        "a_device": ("return ProbeOutput({'t': open(repo.root / 'zero', 'rb').read(4).hex()})", r"\A(PermissionError|FileNotFoundError): "),
        "a_fifo": ("os.open(repo.root / 'fifo', os.O_RDONLY | os.O_NONBLOCK)\nraise ValueError('opened')", r"."),
    }

    @classmethod
    def prepare(cls, place):
        outside = place.folder / "outside"
        outside.mkdir()
        (outside / "text").write_text("OUTSIDE")
        for name, target in (("out_file", outside / "text"), ("out_folder", outside), ("out_relative", "../outside/text"), ("out_etc", "/etc/passwd")):
            (place.repo / name).symlink_to(target)
        os.mkfifo(place.repo / "fifo")
        cls.listener = socket.socket(socket.AF_UNIX)
        cls.addClassCleanup(cls.listener.close)
        here = os.getcwd()
        os.chdir(place.repo)  # a socket's name is short
        cls.listener.bind("socket")
        os.chdir(here)
        cls.listener.listen()
        if IS_ROOT:
            try:
                os.mknod(place.repo / "zero", stat.S_IFCHR | 0o666, os.makedev(1, 5))
            except OSError:
                pass

    @classmethod
    def sources(cls):
        return {name: probe_source(body, name, head=f"HOME = {str(cls.shared.folder)!r}\n").replace("\n\n\nclass", "\nclass", 1)
                for name, (body, *_) in cls.BODIES.items()}

    def test_nothing_was_written_anywhere(self):
        self.assertEqual(sorted(path.name for path in self.shared.folder.iterdir()), sorted([*self.before, "state"]))
        self.assertEqual((self.shared.repo / "a.py").read_text(), "print(1)\n")
        self.assertEqual((self.shared.folder / "outside" / "text").read_text(), "OUTSIDE")
        self.assertFalse((self.shared.repo / "canary").exists() or os.path.exists("/tmp/canary") or os.path.exists("/canary"))
        self.assertNotIn("OUTSIDE", self.done.out)
        self.assertNotIn("root:", self.done.out)

    HONEST = """
        import asyncio, bz2, configparser, csv, difflib, glob, gzip, hashlib, io, logging, lzma, mmap, multiprocessing, pickle, platform, random
        import secrets, shutil, sqlite3, tarfile, tempfile, tokenize, tomllib, uuid, xml.etree.ElementTree as tree, zipfile
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile() as file:
            file.write(b'x')
        with zipfile.ZipFile(ctx.output_dir / 'a.zip', 'w') as file:
            file.writestr('a', 'b')
        with zipfile.ZipFile(ctx.output_dir / 'a.zip') as file:
            file.extractall(ctx.workspace / 'zip')
        with tarfile.open(ctx.output_dir / 'a.tgz', 'w:gz') as file:
            file.add(ctx.output_dir / 'a.zip', 'a.zip')
        with tarfile.open(ctx.output_dir / 'a.tgz') as file:
            file.extractall(ctx.workspace / 'tar')
        base = sqlite3.connect(ctx.workspace / 'x.db')
        base.execute('create table a(b)')
        base.execute('insert into a values (1)')
        base.commit()
        base.close()
        base = sqlite3.connect(f'file:{repo.root}/t.db?mode=ro', uri=True)
        rows = base.execute('select * from a').fetchall()
        shutil.copytree(repo.root / 'sub', ctx.workspace / 'sub')
        shutil.rmtree(ctx.workspace / 'sub')
        shutil.copy2(repo.root / 'a.py', ctx.output_dir / 'a.py')
        with open(repo.root / 'a.py', 'rb') as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            first = memory[:1].decode()
        ctx.logger.info('seen')
        platform.platform(), uuid.uuid4(), random.random(), secrets.token_hex(), hashlib.sha256(b'x'), lzma.compress(b'x'), pickle.dumps([1])
        tomllib.loads('a = 1'), tree.fromstring('<a/>'), glob.glob(str(repo.root / '*')), list(tokenize.tokenize(io.BytesIO(b'a = 1').readline))
        async def both():
            return await asyncio.gather(asyncio.sleep(0.001, 1), asyncio.sleep(0.001, 2))
        return ProbeOutput({'rows': [list(row) for row in rows], 'first': first, 'both': asyncio.run(both())})
    """

    def test_what_honest_probes_do_with_the_standard_library(self):
        (self.repo / "sub").mkdir()
        (self.repo / "sub" / "b").write_text("b")
        base = sqlite3.connect(self.repo / "t.db")
        base.execute("create table a(b)")
        base.execute("insert into a values (7)")
        base.commit()
        base.close()
        done = self.gather(self.probe(run=textwrap.dedent(self.HONEST)))
        self.assert_ran(done)
        self.assertEqual((done.facts("p")["rows"], done.facts("p")["both"]), ([[7]], [1, 2]))

    def test_the_environment_is_empty(self):
        done = self.gather(self.probe(run="return ProbeOutput({'e': dict(os.environ), 'a': sys.argv, 'h': os.uname().nodename})"))
        self.assertEqual(done.facts("p"), {"e": {"TMPDIR": "."}, "a": [""], "h": "cell"})  # its workspace

    def test_its_folders_are_there_empty_and_its_own(self):
        run = ("for folder in (ctx.output_dir, ctx.workspace):\n    assert os.listdir(folder) in ([], ['cache']), folder\n    (folder / 'mine').write_text('x')\n"
               "return ProbeOutput({'o': os.listdir(ctx.output_dir)})")
        done = self.gather(self.probe("one", run), self.probe("two", run, "requires = ['one']"), self.probe("three", run, "requires = ['one']"))
        self.assertEqual(done.statuses(), {"one": "ran", "two": "ran", "three": "ran"}, done.out)

    def test_the_cache_folder_of_the_context_is_a_folder(self):
        """ProbeContext(cache_dir, output_dir, workspace, …): all three are folders of the probe's own."""
        done = self.gather(self.probe(run="(ctx.cache_dir / 'x').write_text('y')\nreturn ProbeOutput({'is': ctx.cache_dir.is_dir()})"))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"is": True})

    def test_a_folder_that_is_full_is_an_error_that_can_be_handled(self):
        run = ("import errno\nfull = {}\nfor place in ('output_dir', 'workspace'):\n    try:\n        for i in range(200):\n"
               "            with open(getattr(ctx, place) / f'f{i}', 'wb') as file: file.write(b'x' * 4_000_000)\n"
               "    except OSError as error:\n        full[place] = errno.errorcode[error.errno]\nreturn ProbeOutput(full)")
        before = shutil.disk_usage(self.folder).free
        done = self.gather(self.probe(run=run))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"output_dir": "ENOSPC", "workspace": "ENOSPC"})
        self.assertLess(before - shutil.disk_usage(self.folder).free, 300 << 20)  # others use this disk, too

    def test_a_file_that_grows_too_large_is_an_error_that_can_be_handled(self):
        """As in every Python: OSError, not the end by a signal."""
        run = ("try:\n    with open(ctx.workspace / 'f', 'wb') as file:\n        for _ in range(300): file.write(b'x' * 1_000_000)\n"
               "except OSError as error:\n    return ProbeOutput({'errno': error.errno})\nreturn ProbeOutput({})")
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_memory_that_was_given_back_costs_nothing(self):
        run = "try:\n    a = bytearray(900_000_000)\nexcept MemoryError:\n    return ProbeOutput({'caught': True})"
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_memory_is_what_was_asked_for(self):
        run = "a = bytearray(150_000_000)\n" + OK
        self.assert_failed(self.gather(self.probe(run=run), options=("--memory", "100")), "p", r"\AMemoryError: Memory limit of 100 MB reached")
        self.assert_ran(self.gather(self.probe(run=run)))

    def test_a_probe_that_hangs_has_its_own_deadline(self):
        swallows = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
        done = self.gather(self.probe("a", "time.sleep(60)", "timeout_seconds = 0.3"), self.probe("b", swallows, "timeout_seconds = 0.4"),
                           self.probe("c", "sum(range(10 ** 12))", "timeout_seconds = 0.5"), self.probe("d"))
        self.assertLess(done.took, 10)
        for name, seconds in (("a", "0.3"), ("b", "0.4"), ("c", "0.5")):
            self.assert_failed(done, name, rf"\ATimeoutError: Execution timed out after {seconds}s")
        self.assertEqual(done.status("d"), "ran")

    def test_timeout_is_a_cap_on_what_a_probe_says(self):
        done = self.gather(self.probe(run="time.sleep(60)", attributes="timeout_seconds = 86400"), options=("--timeout", "0.5"))
        self.assertLess(done.took, 10)
        self.assert_failed(done, "p", r"\ATimeoutError: Execution timed out after 0\.5s")

    def test_timeout_is_a_cap_on_loading_and_on_questions(self):
        """--timeout: no probe gets more seconds, whatever it does with them."""
        probes = [self.place.file("body.py", "while True: pass\n"), self.probe("asks", attributes="def applies(self, repo, task):\n    time.sleep(60)"),
                  self.place.file("says.py", "import time\nfrom airlock.probe import Probe\nclass It(Probe):\n    @property\n    def name(self): time.sleep(60)\n")]
        try:
            done = self.gather(*probes, options=("--timeout", "0.5", "--jobs", "3"), seconds=6)
        except subprocess.TimeoutExpired:
            self.fail("a probe that was given 0.5 s has more than 6 s")
        self.assertEqual(set(done.statuses().values()), {"failed"})

    def test_what_it_printed_is_shown_scrubbed_when_it_failed(self):
        done = self.gather(self.probe(run=f"print('{TOKEN} /home/ann/x')\nctx.logger.info('logged')\n1 / 0"), form="text")
        self.assertRegex(done.out, r"\| <REDACTED:fingerprint=[0-9a-f]{8}> x\n")
        self.assertIn("| INFO logged\n", done.out)

    def test_waiting_probes_do_not_hold_more_memory_than_the_jobs_have(self):
        """--jobs 1 and --memory 200: what has described itself and waits must not keep its memory, or 200 probes need 100 GB."""
        probes = [self.probe(f"p{i}", head="held = bytearray(b'x') * 150_000_000") for i in range(6)]
        process = subprocess.Popen(self.place.command(["gather", self.repo, *[w for p in probes for w in ("--probe", p)], "--jobs", "1", "--memory", "200"]),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.place.environment)
        peak = 0
        while process.poll() is None:
            now = 0
            for pid, _ in descendants(process.pid):
                try:
                    found = re.search(r"RssAnon:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())
                except OSError:
                    continue
                now += int(found[1]) if found else 0
            peak = max(peak, now)
            time.sleep(0.02)
        self.assertEqual(process.returncode, 0)
        self.assertLess(peak // 1024, 450, "MB at once")


def check_behaviour(self, name, *words):
    if name == "a_device" and not (self.shared.repo / "zero").exists():
        self.skipTest("a device can only be made by root")
    self.assert_failed(self.done, name, *words)


Behaviour.make_tests("probe", check_behaviour)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
