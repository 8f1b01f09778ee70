#!/usr/bin/env python3
"""Tests of `airlock gather` with probes that lie: about themselves, to the inside end of gather, and on the socket.

    tests/hostile/gather_lies_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.forging import HANDS
from support.gather import BUILT_IN, TOKEN, OK, probe_source, Case, Together

FORGE = HANDS + textwrap.dedent("""
    QUESTION = '{"do":"run"'
    def say(message):
        send(message)
        time.sleep(20)
""")
DOCUMENT = '{"schema_slice":{"a":1},"raw_artifacts":[],"confidence":"high","duration_ms":1,"warnings":[],"errors":[]}'


class Forged(Case):
    """The guest controls its end of the socket: with ctypes it sends whatever it wants."""
    IN_MEMORY = True

    def say(self, value, **more):
        return self.gather(self.probe(run=f"say(outcome(ticket_of(QUESTION), {value}))", head=FORGE, attributes="timeout_seconds = 5", **more), self.probe("other"))

    def test_an_answer_of_its_own_is_judged_like_any_other(self):
        done = self.say(repr(f'{{"output":{DOCUMENT}}}'.encode()))
        self.assert_ran(done)
        self.assertEqual(done.facts("p"), {"a": 1})

    def test_bytes_that_are_no_answer(self):
        cases = ((b"", "not understood"), (b"7", "not understood"), (b"null", "not understood"), (b'{"output":nonsense', "not understood"),
                 (b'{"output":nonsense}', "JSONValueError"), (b'{"output":}', "JSONValueError"), (b'{"output":{}}', "MissingFieldError"),
                 (b'{"output":' + DOCUMENT.encode() + b',"x":1}', "JSONValueError"),
                 (b'{"output":' + DOCUMENT.replace('"high"', '"' + "h" * 100000 + '"').encode() + b"}", "ConfidenceError"),
                 (b'{"output":' + DOCUMENT.replace('"errors":[]', '"errors":[],"judgement":"bad"').encode() + b"}", "UnknownFieldError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":1,"a":2').encode() + b"}", "DuplicateKeyError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', r'"a":"\ud800"').encode() + b"}", "EncodingError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":NaN').encode() + b"}", "JSONValueError"),
                 (b'{"output":' + DOCUMENT.replace('"a":1', '"a":1e999').encode() + b"}", "JSONValueError"),
                 (b'{"refused":[]}', "not understood"), (b'{"refused":5}', "not understood"), (b'{"refused":[1,{"path":5,"what":6}]}', "JSONValueError"),
                 (b'{"wrong":5}', "not understood"), (b'{"wrong":"' + TOKEN.encode() + b'"}', "REDACTED"))
        probes = [self.probe(f"p{number}", f"say(outcome(ticket_of(QUESTION), {value!r}))", "timeout_seconds = 5", FORGE) for number, (value, _) in enumerate(cases)]
        done = self.gather(*probes, self.probe("other"), options=("--jobs", "4"))
        for number, (value, words) in enumerate(cases):
            with self.subTest(value[:80]):
                self.assert_failed(done, f"p{number}", words)
        self.assertEqual(done.status("other"), "ran")
        self.assertNotIn(TOKEN, done.out)

    def test_messages_that_are_none(self):
        messages = (r"b''", r"b'O'", r"b'O\x01\xff\xff\xff\xff'", r"b'Z' * 100", r"outcome(ticket_of(QUESTION), b'\xff\xfe')", r"outcome(ticket_of(QUESTION), b'', 7)", r"outcome(NONE, b'{}')")
        probes = [self.probe(f"p{number}", f"say({message})", "timeout_seconds = 5", FORGE) for number, message in enumerate(messages)]
        done = self.gather(*probes, self.probe("other"))
        for number, message in enumerate(messages):
            with self.subTest(message):
                self.assert_failed(done, f"p{number}", r"\ACrashError: .*not a result")
        self.assertEqual(done.status("other"), "ran")

    def test_a_message_that_is_too_long(self):
        """A length of 4 GB is announced, and nothing comes."""
        run = "send_bytes((0xfffffff0).to_bytes(4, 'little'))\ntime.sleep(20)"
        done = self.gather(self.probe(run=run, head=FORGE, attributes="timeout_seconds = 5"), self.probe("other"))
        self.assert_failed(done, "p", r"\ACrashError: .*not a result")
        self.assertEqual(done.status("other"), "ran")

    def test_a_failure_of_its_own_words(self):
        done = self.say(f"b'', 0, b'Err', b'{TOKEN} /home/ann/x' * 100, b'out' * 10000, b'err'")
        self.assert_failed(done, "p", r"\AErr")
        self.assertNotRegex(done.out, f"{TOKEN}|ann")

    def test_words_beyond_all_limits(self):
        done = self.say(f"b'', 0, b'Err' * 100000, b'{TOKEN} /home/ann/x' * 1000, b'out' * 100000, b'err'")
        self.assert_failed(done, "p", r"\ACrashError: .*not a result")
        self.assertNotRegex(done.out, f"{TOKEN}|ann")

    def assert_survives(self, done, words):
        self.assertGreaterEqual(done.code, 0, "airlock itself was ended by a signal: one probe took all the others along")
        self.assert_failed(done, "p", words)
        self.assertIn(done.status("other"), ("ran", "cache_hit"))

    def test_deep_nesting_in_a_refusal_does_not_end_airlock(self):
        for before, after in ((b'{"refused":[{"what":', b'}]}'), (b'{"refused":[{"path":', b',"what":"x"}]}'), (b'{"wrong":', b'}'), (b'{"output":', b'}')):
            with self.subTest(before):
                done = self.say(f"{before!r} + b'[' * 200000 + b']' * 200000 + {after!r}")
                self.assert_survives(done, "Error: ")

    def test_deep_nesting_in_a_description_does_not_end_airlock(self):
        head = ("import os, time\n" + FORGE + "send(outcome(ticket_of_load(), b''))\n"
                "send(outcome(receive()[1:9], b'{\"probe\":' + b'[' * 200000 + b']' * 200000 + b'}'))\ntime.sleep(20)\n")
        done = self.gather(self.place.file("p.py", head), self.probe("other"))
        self.assert_survives(done, "CrashError: What the process sent is not a result")

    def test_descriptions_are_checked_outside_again(self):
        good = {"name": "fine", "version": "1", "schema_version": "1", "layer": "", "tier": "base", "cache_strategy": "none", "applies_to_tasks": ["*"],
                "applies_to_languages": ["*"], "requires": [], "declared_inputs": [], "timeout_seconds": 1}
        for change, words in (({"name": "../../x"}, "'name' must be"), ({"name": 5}, "'name' must be text"), ({"name": "a\u202eb"}, "'name' must be"),
                              ({"timeout_seconds": -1}, "timeout_seconds"), ({"timeout_seconds": 1e300}, "timeout_seconds"), ({"timeout_seconds": "1"}, "timeout_seconds"),
                              ({"tier": "root"}, "'tier' must be"), ({"cache_strategy": 1}, "'cache_strategy' must be"), ({"requires": "x"}, "'requires' must be"),
                              ({"declared_inputs": [["x"]]}, "'declared_inputs' must hold"), ({"requires": ["x"] * 201}, "'requires' must be"), ({"layer": None}, "'layer' must be")):
            with self.subTest(change):
                text = f"import airlock._answer\nfrom airlock.probe import Probe\nairlock._answer.describe = lambda probe: {({**good, **change})!r}\nclass It(Probe): pass\n"
                self.assert_failed(self.gather(self.place.file("liar.py", text)), "liar", r"\AContractError: ", re.escape(words))


class Tampers(Together):
    """With what stands beside it in the cell."""
    BODIES = {
        "extra_field": ("run = lambda probe, request: {'output': {**GOOD, 'judgement': 1}}", r"\AUnknownFieldError: "),
        "no_fields": ("run = lambda probe, request: {'output': {}}", r"\AMissingFieldError: "),
        "a_number": ("run = lambda probe, request: {'output': 5}", r"\AJSONValueError: "),
        "huge_confidence": ("run = lambda probe, request: {'output': {**GOOD, 'confidence': 'high' * 100000}}", r"\AConfidenceError: "),
        "bytes": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': b'x'}}}", r"Error: "),
        "nan": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': float('nan')}}}", r"Error: "),
        "a_token": ("run = lambda probe, request: {'output': {**GOOD, 'schema_slice': {'a': {'token': 1}}}}", r"\ASecretLikelyFieldNameError: token at "),
        "no_check": ("not_json = lambda value: []\ncontract.ProbeOutput = object", r"Error: "),
        "another_key": ("run = lambda probe, request: {'result': GOOD}", r"\AContractError: its answer is not understood"),
        "both": ("run = lambda probe, request: {'x': 1, 'output': GOOD}", r"\AContractError: its answer is not understood"),
        "none": ("run = lambda probe, request: None", r"Error: "),
        "text": ("run = lambda probe, request: '{\"output\": {}}'", r"Error: "),
        "odd_refusals": ("run = lambda probe, request: {'refused': [{'path': [[1, {'a': 2}], None], 'what': 'é' * 100}, 7, None]}", r"\AJSONValueError: "),
        "a_secret_refusal": (f"run = lambda probe, request: {{'refused': [{{'path': ['{TOKEN}'], 'what': '/home/ann/x'}}]}}", r"\AJSONValueError: x at \(<REDACTED"),
        "a_long_complaint": ("run = lambda probe, request: {'wrong': 'é' * 5000 + '\\x1b[2J'}", r"\AContractError: é"),
        "json_loads": ("json.loads = lambda text: {}", r"Error: "),
        "json_gone": ("import sys\nsys.modules['json'] = None\ndel sys.modules['airlock._answer'].json", r"Error: "),
        "artifact_above": ("run = lambda probe, request: {'output': {**GOOD, 'raw_artifacts': ['../workspace/x']}}", r"\AArtifactError: "),
        "artifact_number": ("run = lambda probe, request: {'output': {**GOOD, 'raw_artifacts': [7]}}", r"\AJSONValueError: "),
    }

    @classmethod
    def sources(cls):
        head = ("import airlock._answer as answer\nGOOD = {'schema_slice': {}, 'raw_artifacts': [], 'confidence': 'high', 'duration_ms': 1, 'warnings': [], 'errors': []}\n"
                "answer.GOOD = GOOD\nexec(BODY, vars(answer))\n")
        return {name: probe_source("return ProbeOutput({'a': b'x'})", name, head=head.replace("BODY", repr(body))) for name, (body, *_) in cls.BODIES.items()}

    def test_applies_that_is_forged(self):
        heads = {"words": "answer.bool = lambda value: 'yes'", "numbers": "answer.str = lambda value: 5",
                 "another": "loads = answer.json.loads\nanswer.json.loads = lambda text: {**loads(text), 'do': 'describe'}",
                 "unknown": "loads = answer.json.loads\nanswer.json.loads = lambda text: {**loads(text), 'do': loads(text)['do'].replace('applies', 'lie')}"}
        asks = "def applies(self, repo, task):\n    return True"
        done = self.gather(*[self.probe(name, attributes=asks, head="import airlock._answer as answer\n" + head) for name, head in heads.items()])
        for name in ("words", "another", "numbers"):
            self.assert_failed(done, name, r"Error: ")
        self.assert_failed(done, "unknown", r"\AContractError: unknown question lie")


Tampers.make_tests("tampering", lambda self, name, *words: self.assert_failed(self.done, name, *words))


def described(attributes, run=OK):
    return ("import time\nfrom airlock.probe import Probe, ProbeOutput\nclass It(Probe):\n    name = 'x'\n" + textwrap.indent(attributes, "    ") +
            "\n    def run(self, repo, ctx):\n        " + run + "\n")


SECONDS_WRONG = r"\AContractError: 'timeout_seconds' must be a number above 0, at most 86400\Z"


class Descriptions(Together):
    """What a probe says about itself, or its file is. The execution has the name of the file."""
    BODIES = {
        "name_slashes": (described("name = 'a/b'"), r"\AContractError: 'name' must be 1 to 64 of a-z, 0-9, _ and -, not 'a/b'"),
        "name_above": (described("name = '../../x'"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_upper_case": (described("name = 'Probe'"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_empty": (described("name = ''"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_of_10_mb": (described("name = 'x' * 10_000_000"), r"\AContractError: its answer is too large"),
        "name_of_65": (described("name = 'x' * 65"), r"\AContractError: 'name' must be 1 to 64 "),
        "name_of_two_lines": (described("name = 'a\\nb'"), r"\AContractError: 'name' must be one line"),
        "name_number": (described("name = 7"), r"\AContractError: 'name' must be text, not int"),
        "name_that_raises": (described("@property\ndef name(self): raise ValueError('no')"), r"\AValueError: no \(line 6\)"),
        "timeout_negative": (described("timeout_seconds = -1"), SECONDS_WRONG), "timeout_nan": (described("timeout_seconds = float('nan')"), SECONDS_WRONG),
        "timeout_infinite": (described("timeout_seconds = float('inf')"), SECONDS_WRONG), "timeout_huge": (described("timeout_seconds = 10 ** 400"), SECONDS_WRONG),
        "timeout_zero": (described("timeout_seconds = 0"), SECONDS_WRONG), "timeout_text": (described("timeout_seconds = '5'"), SECONDS_WRONG),
        "timeout_true": (described("timeout_seconds = True"), SECONDS_WRONG),
        "inputs_bracket": (described("declared_inputs = ['[']"), r"\AContractError: .*'\['.*bracket"),
        "inputs_brace": (described("declared_inputs = ['{a,b']"), r"\AContractError: .*brace"),
        "inputs_empty": (described("declared_inputs = ['']"), r"\AContractError: .*empty"),
        "inputs_text": (described("declared_inputs = '*.py'"), r"\AContractError: 'declared_inputs' must be a list of texts"),
        "inputs_number": (described("declared_inputs = [1]"), r"\AContractError: 'declared_inputs' must be a list of texts"),
        "inputs_many": (described("declared_inputs = ['a'] * 201"), r"\AContractError: 'declared_inputs' must be a list of at most 200 texts"),
        "inputs_long": (described("declared_inputs = ['a' * 501]"), r"\AContractError: 'declared_inputs' must hold short texts"),
        "tier_unknown": (described("tier = 'first'"), r"\AContractError: 'tier' must be \"base\" or \"task_specific\""),
        "tier_none": (described("tier = None"), r"\AContractError: 'tier' must be text, not NoneType"),
        "strategy_unknown": (described("cache_strategy = 'forever'"), r"\AContractError: 'cache_strategy' must be \"content\" or \"none\""),
        "version_number": (described("version = 2"), r"\AContractError: 'version' must be text, not int"),
        "requires_text": (described("requires = 'abc'"), r"\AContractError: 'requires' must be a list of texts"),
        "tasks_text": (described("applies_to_tasks = 'abc'"), r"\AContractError: 'applies_to_tasks' must be a list of texts"),
        "init_raises": (described("def __init__(self): raise ValueError('no')"), r"\AValueError: no \(line 5\)"),
        "init_wants_more": (described("def __init__(self, more): pass"), r"\ATypeError: .*'more'"),
        "memory_of_a_list": (described("@property\ndef requires(self): return ['p'] * 10 ** 8"), r"\AMemoryError: "),
        "two_probes": ("from airlock.probe import Probe\nclass A(Probe): name = 'a'\nclass B(Probe): name = 'b'\n", r"\AContractError: 2 probes in this file \(A, B\); put each into its own"),
        "no_probe": ("x = 1\n", r"\AContractError: no class in this file derives from airlock\.probe\.Probe"),
        "empty_file": ("", r"\AAL103: "), "only_prose": ("Here is your probe! I hope it helps.\n", r"\AAL103: "),
        "syntax_error": ("def f(:\n", r"\AAL101: invalid syntax \(line 1\)"),
        "import_error": ("import no_such_module\n", r"\AModuleNotFoundError: No module named 'no_such_module' \(line 1\)"),
        "import_of_names": ("from airlock.probe import NoSuch\n", r"\AImportError: "),
        "socket_at_import": ("import socket\nsocket.socket()\n", r"\ASandboxViolation: System call denied: socket at line 2"),
        "exits_at_import": ("import os\nos._exit(3)\n", r"\ACrashError: .*it exited with code 3"),
        "raises_at_import": ("raise SystemExit(0)\n", r"\ASystemExit: 0 \(line 1\)"),
        "prints_at_import": ("while True: print('x' * 1_000_000)\n", r"\AOutputLimitError: "),
        "memory_at_import": ("a = [bytearray(10_000_000) for _ in range(100)]\n", r"\AMemoryError: "),
        "binary": ("\x00\x01\x02", r"\AAL107: "), "large_source": ("#" + "x" * 300_000 + "\n", r"\AAL104: The source has 300002 bytes; the limit is 262144"),
        "run_missing": ("from airlock.probe import Probe\nclass It(Probe): name = 'run_missing'\n", r"\ANotImplementedError: a probe defines run\(self, repo, ctx\)"),
        "run_number": ("from airlock.probe import Probe\nclass It(Probe):\n    name = 'run_number'\n    run = 5\n", r"\ATypeError: 'int' object is not callable"),
        "run_takes_nothing": ("from airlock.probe import Probe\nclass It(Probe):\n    name = 'run_takes_nothing'\n    def run(self): pass\n", r"\ATypeError: "),
        "applies_raises": (described("name = 'applies_raises'\ndef applies(self, repo, task): raise ValueError('bad')"), r"\AValueError: bad \(line 6\)"),
        "key_raises": (described("name = 'key_raises'\ndef cache_key(self, repo, task): raise KeyError('k')"), r"\AKeyError: 'k' \(line 6\)"),
        "key_of_40_mb": (described("name = 'key_of_40_mb'\ndef cache_key(self, repo, task): return 'x' * 40_000_000"), r"Error: .*larger than"),
    }

    @classmethod
    def sources(cls):
        """Those that fail only when they run have said their name: that of their file."""
        return {name: text.replace("name = 'x'\n    declared_inputs", f"name = {name!r}\n    declared_inputs") for name, (text, *_) in cls.BODIES.items()}

    def test_a_model_s_answer_is_cleaned_first_and_a_python_file_never(self):
        answer = "Sure! Here it is:\n```python\n" + probe_source() + "```\nEnjoy."
        self.assert_ran(self.gather(self.place.file("p.txt", answer)))
        [failed] = [one for one in self.gather(self.place.file("p.py", answer)).report["executions"].values() if one["status"] == "failed"]
        self.assertIn("Only cleaning would make this file Python", failed["reason"])

    def test_the_name_of_a_built_in_probe_is_taken(self):
        for name in sorted(BUILT_IN):
            done = self.gather(self.probe(name, file="mine.py"), self.probe("fine"))
            [failed] = [one for one in done.report["executions"].values() if one["status"] == "failed"]
            self.assertEqual(failed["reason"], f"ContractError: another probe is called '{name}' already; give the one in mine.py another name")
            self.assertEqual((done.code, done.status(name)), (0, "ran"))
            self.assertIn(done.status("fine"), ("ran", "cache_hit"))

    def test_a_class_that_others_derive_from_is_no_second_probe(self):
        text = probe_source(name="base").replace("class It(Probe)", "class Common(Probe)") + "\nclass It(Common):\n    name = 'p'\n"
        self.assert_ran(self.gather(self.place.file("p.py", text)))


Descriptions.make_tests("description", lambda self, name, *words: self.assert_failed(self.done, name, *words))


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
