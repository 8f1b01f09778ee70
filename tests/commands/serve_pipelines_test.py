#!/usr/bin/env python3
"""The commands as requests of `airlock serve`: check, validate, admit, infer, extract, and what is kept. Each says what the command says, refuses what it
cannot understand by name, can be cancelled, and many are under way at once.

    tests/commands/serve_pipelines_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import contextlib
import json
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import drafts, harness, processes, serving

AIRLOCK = harness.AIRLOCK
HEAD = "def extract(path: str) -> dict:\n"
HONEST = HEAD + "    return {'name': path.rsplit('/', 1)[-1], 'length': len(path)}\n"
REFUSED = "import os\n" + HEAD + "    return {'here': os.getcwd()}\n"
ENDLESS = HEAD + "    while path:\n        pass\n    return {}\n"
ENDLESS_BODY = "while True:\n    pass\n" + HONEST
PATHS = ["/data/ABC/2024/report.csv", "/data/XYZ/2023/data.csv"]
# Nothing in a cell asks the system for anything; here is a policy with a module that does.
READS = 'extends = "extractor"\nname = "reads"\n[modules.pwd]\nwhy = "reads a file, which is denied"\nattributes = ["getpwnam"]\n'
DENIED = "import pwd\n" + HEAD + "    if 'bad' in path:\n        pwd.getpwnam('root')\n    return {'n': len(path)}\n"
SETS = HEAD + "    return {'all': list({'alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'})}\n"
# How many paths this cell has seen.
COUNTS = "SEEN = []\n\n\n" + HEAD + "    while 'hang' in path:\n        pass\n    SEEN.append(path)\n    return {'n': len(SEEN)}\n"


def kill(process):
    """It may have gone with another one."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


class Case(serving.Case):
    def setUp(self):
        super().setUp()
        self.client = self.serve(*self.OPTIONS)

    OPTIONS = ()

    def result(self, what, **members):
        answer = self.client.request(what, **members)
        self.assertIn("result", answer, answer)
        return answer["result"]

    def error(self, what, **members):
        answer = self.client.request(what, **members)
        self.assertIn("error", answer, str(answer)[:500])
        return answer["error"]

    def assert_usage(self, what, word, **members):
        error = self.error(what, **members)
        self.assertEqual(error["type"], "Usage", error)
        self.assertIn(word, error["message"])

    def without_times(self, report):
        report = {**report, "elapsed_ms": 0}
        if report["test_results"]:
            for one in report["test_results"]["results"]:
                one["execution_time_ms"] = 0
        return report


class Check(Case):
    def test_it_says_what_the_command_says(self):
        for source, words in ((HONEST, ()), (REFUSED, ()), ("x = 1\n", ()), ("x = 1\n", ("--no-signature",)), ("def (", ()),
                              (f"Here it is:\n```python\n{HONEST}```\n", ())):
            with self.subTest(source=source, words=words):
                # Standard input is an answer, as a source is.
                report = json.loads(self.airlock("check", "-", "--format", "json", *words, stdin=source).out)
                said = self.result("check", source=source, **({"signature": False} if words else {}))
                self.assertEqual(said, {**report["files"][0], "file": "<source>"})

    def test_a_policy_is_one_of_the_servers(self):
        self.assertEqual(self.result("check", source=REFUSED, policy="node", signature=False)["verdict"], "accepted")
        self.assert_usage("check", "there is no policy 'probe' here", source=HONEST, policy="probe")
        (self.folder / "p.toml").write_text(READS)
        self.assert_usage("check", "there is no policy", source=HONEST, policy=str(self.folder / "p.toml"))

    def test_members_that_are_wrong_are_named(self):
        self.assert_usage("check", "'source'")
        self.assert_usage("check", "'source'", source=None)
        self.assert_usage("check", "'source'", source=["x"])
        self.assert_usage("check", "'signature'", source=HONEST, signature="yes")
        self.assert_usage("check", "'policy'", source=HONEST, policy=5)
        self.assert_usage("check", "did you mean 'signature'", source=HONEST, signatur=True)
        self.assert_usage("chekc", "did you mean 'check'", source=HONEST)

    def test_a_text_that_is_too_long_is_refused_and_costs_nothing(self):
        said = self.result("check", source="# " + "x" * 30_000_000)
        self.assertEqual((said["verdict"], [one["rule"] for one in said["findings"]]), ("refused", ["AL104"]))
        self.assertEqual(self.result("check", source=HONEST)["verdict"], "accepted")

    def test_any_text_has_a_verdict(self):
        for source in ("", "\0", "x\0y", "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "(" * 100_000, "-" * 200_000 + "1"):
            with self.subTest(source=source[:10]):
                self.assertEqual(self.result("check", source=source)["verdict"], "refused")

    def test_a_vetter_that_was_killed_is_replaced(self):
        self.assertEqual(self.result("check", source=HONEST)["verdict"], "accepted")
        for one, _ in processes.descendants(self.client.process.pid):
            kill(one)
        for _ in range(3):
            self.assertEqual(self.result("check", source=HONEST)["verdict"], "accepted")


class Validate(Case):
    OPTIONS = ("--policies", "node,extractor,reads.toml")

    def setUp(self):
        harness.Case.setUp(self)
        self.write("reads.toml", READS)
        self.client = self.serve(*self.OPTIONS)

    def command(self, source, paths, *words):
        """What the command says. A source is an answer, and so is standard input."""
        given = [word for path in paths for word in ("--path", path)]
        return json.loads(self.airlock("validate", "-", *given, "--format", "json", *words, stdin=source).out)

    def test_it_says_what_the_command_says(self):
        clever = HEAD + "    print('seen', path)\n    return {'n': 10 ** 30, 'text': 'ä\\u2028\\x1b'}\n"
        keeps = "seen = []\n" + HEAD + "    seen.append(path)\n    return {'count': len(seen)}\n"
        fails = HEAD + "    if 'XYZ' in path:\n        raise KeyError('client')\n    return {}\n"
        for source in (HONEST, REFUSED, clever, keeps, fails, SETS, "x = 1\n", "1 / 0\n" + HONEST, HEAD + "    return [1]\n"):
            with self.subTest(source=source):
                want, got = self.command(source, PATHS), self.result("validate", source=source, paths=PATHS)
                self.assertEqual(self.without_times(got), self.without_times(want))

    def test_each_path_that_fails_costs_only_its_own_result(self):
        source = ("import re\n" + HEAD + "    if 'slow' in path:\n        while path:\n            pass\n"
                  "    if 'deep' in path:\n        return extract(path)\n    return {'n': len(path)}\n")
        report = self.result("validate", source=source, paths=["/a", "/slow", "/b", "/deep", "/c"], timeout=0.5)
        self.assertEqual([one["error_type"] for one in report["test_results"]["results"]], [None, "TimeoutError", None, "RecursionError", None])
        self.assertIn("timed out after 0.5s", report["test_results"]["results"][1]["error"])

    def test_a_denied_call_is_put_down_to_its_path(self):
        report = self.result("validate", source=DENIED, paths=["/a", "/bad", "/c"], policy="reads")
        self.assertEqual([one["error_type"] for one in report["test_results"]["results"]], [None, "SandboxViolation", None])
        self.assertIn("at line 4", report["test_results"]["results"][1]["error"])

    def test_memory_is_what_was_asked_for(self):
        source = HEAD + "    return {'n': len('x' * 150_000_000)}\n"
        for megabytes, is_valid in ((100, False), (300, True), (100, False), (300, True)):
            with self.subTest(megabytes=megabytes):
                self.assertEqual(self.result("validate", source=source, paths=["/a"], memory_mb=megabytes)["valid"], is_valid)

    def test_no_scan_and_explore(self):
        report = self.result("validate", source=REFUSED, paths=["/a"], scan=False)
        self.assertEqual(report["stage_reached"], "sandbox")
        source = HEAD + "    return {'year': int(path.split('/')[3])}\n"
        report = self.result("validate", source=source, paths=PATHS, explore=60)
        self.assertTrue(report["valid"])
        self.assertEqual(report["quality_warnings"], self.command(source, PATHS, "--explore", "60")["quality_warnings"])

    def test_members_that_are_wrong_are_named(self):
        for members, word in (({"paths": PATHS}, "'source'"), ({"source": HONEST}, "'paths'"), ({"source": HONEST, "paths": []}, "'paths'"),
                              ({"source": HONEST, "paths": "/a"}, "'paths'"), ({"source": HONEST, "paths": ["/a", 1]}, "'paths'"),
                              ({"source": HONEST, "paths": ["/a\0b"]}, "NUL"), ({"source": HONEST, "paths": ["/a"] * 10_001}, "10,000"),
                              ({"source": HONEST, "paths": ["/" + "a" * 1024 * 1024]}, "1 MiB"),
                              ({"source": HONEST, "paths": PATHS, "timeout": 0}, "'timeout'"), ({"source": HONEST, "paths": PATHS, "timeout": "5"}, "'timeout'"),
                              ({"source": HONEST, "paths": PATHS, "memory_mb": 5000}, "'memory_mb'"), ({"source": HONEST, "paths": PATHS, "explore": -1}, "'explore'"),
                              ({"source": HONEST, "paths": PATHS, "scan": 0}, "'scan'"), ({"source": HONEST, "paths": PATHS, "memory_m": 5}, "did you mean 'memory_mb'"),
                              ({"source": HONEST, "paths": PATHS, "policy": "reads.toml"}, "there is no policy")):
            with self.subTest(word=word):
                self.assert_usage("validate", word, **members)

    def test_one_that_is_cancelled_ends_at_once_and_the_next_one_is_fine(self):
        for source in (ENDLESS, ENDLESS_BODY):
            with self.subTest(source=source):
                number = self.client.ask("validate", source=source, paths=PATHS, timeout=600)
                pid = self.client.process.pid
                self.wait_for(lambda: processes.busy_cells(pid), "a cell at work")
                start = time.monotonic()
                self.client.send(id=number, do="cancel")
                self.assertEqual(self.client.answer_to(number)["error"]["type"], "Cancelled")
                self.assertLess(time.monotonic() - start, 5)
                self.assertTrue(self.result("validate", source=HONEST, paths=PATHS)["valid"])

    def test_a_zygote_that_was_killed_is_replaced(self):
        for _ in range(2):
            self.assertTrue(self.result("validate", source=SETS, paths=["/a"])["test_results"]["passed"])
            for one, _ in processes.descendants(self.client.process.pid):
                kill(one)

    def test_nothing_is_left_of_one_that_was_under_way(self):
        self.client.ask("validate", source=ENDLESS, paths=PATHS, timeout=600)
        pid = self.client.process.pid
        self.wait_for(lambda: processes.busy_cells(pid), "a cell at work")
        family = processes.descendants(pid)
        self.client.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.client.process.wait(timeout=self.SECONDS), 0)
        self.wait_for(lambda: not any(processes.is_alive(one) for one in family), "the end of all")


class ManyAtOnce(Case):
    OPTIONS = ("--workers", "8")

    def test_eight_validations_with_answers_of_their_own(self):
        sources = {HEAD + f"    return {{'n': {i}, 'path': path}}\n": i for i in range(8)}
        for _ in range(3):
            asked = {self.client.ask("validate", source=source, paths=[f"/{i}/{n}" for n in range(5)]): i for source, i in sources.items()}
            for number, i in asked.items():
                report = self.client.answer_to(number)["result"]
                self.assertEqual([one["result"] for one in report["test_results"]["results"]], [{"n": i, "path": f"/{i}/{n}"} for n in range(5)])

    def test_those_that_end_badly_spoil_nothing_for_the_others(self):
        crash = HEAD + "    return {'n': len('x' * 10 ** 12)}\n"
        kinds = [HONEST, crash, ENDLESS, REFUSED] * 6
        asked = [self.client.ask("validate", source=source, paths=["/a", "/b"], timeout=0.3) for source in kinds]
        want = {HONEST: [None, None], crash: ["MemoryError"] * 2, ENDLESS: ["TimeoutError"] * 2, REFUSED: None}
        for source, number in zip(kinds, asked):
            results = self.client.answer_to(number)["result"]["test_results"]
            self.assertEqual(results and [one["error_type"] for one in results["results"]], want[source])

    def test_one_worker_does_them_one_after_the_other_and_a_host_call_frees_it(self):
        client = self.serve("--workers", "1")
        slow = client.ask("validate", source=ENDLESS, paths=["/a"], timeout=600)
        waiting = client.ask("check", source=HONEST)
        self.assertEqual(client.request("ping")["result"], {})
        client.send(id=waiting, do="cancel")
        self.assertEqual(client.answer_to(waiting)["error"]["type"], "Cancelled")
        client.send(id=slow, do="cancel")
        client.answer_to(slow)
        piece = client.ask("run", code="f()", functions=[{"name": "f"}])
        call = client.event(piece, "call")
        self.assertEqual(client.request("check", source=HONEST)["result"]["verdict"], "accepted")
        client.send(id=piece, do="answer", call=call["call"], value=7)
        self.assertEqual(client.answer_to(piece)["result"]["value"], 7)


class Admit(Case):
    DOCUMENT = {"schema_slice": {"a": [1, 2.5, "text", None, True]}, "raw_artifacts": [], "confidence": "high", "duration_ms": 1, "warnings": [], "errors": []}

    def test_it_says_what_the_command_says(self):
        secret = {**self.DOCUMENT, "schema_slice": {"github_token": "x"}}
        for document, words, members in ((self.DOCUMENT, (), {}), (secret, (), {}), ({"a": 1}, (), {}), ({"a": "/repo/x/y"}, ("--bare", "--root", "/repo"), {"bare": True, "root": "/repo"}),
                                         ([1], ("--bare",), {"bare": True}), (None, (), {}), ("text", (), {})):
            with self.subTest(document=document):
                want = json.loads(self.airlock("admit", "-", *words, "--format", "json", stdin=json.dumps(document)).out)
                self.assertEqual(self.result("admit", document=document, **members), want)

    def test_numbers_keep_all_their_digits(self):
        self.client.write(b'{"id": 1, "do": "admit", "bare": true, "document": {"n": 18446744073709551615, "m": 0.1}}\n')
        self.assertEqual(self.client.answer_to(1)["result"], {"n": 18446744073709551615, "m": 0.1})

    def test_members_that_are_wrong_are_named(self):
        self.assert_usage("admit", "'document'")
        self.assert_usage("admit", "'bare'", document={}, bare=1)
        self.assert_usage("admit", "'root'", document={}, root=["/"])
        self.assert_usage("admit", "knows no 'file'", document={}, file="/etc/passwd")


class Infer(Case):
    def test_a_rule_with_its_fields(self):
        said = self.result("infer", paths=[f"/data/client{i % 7}/20{i % 20 + 10}/report_{i}.csv" for i in range(60)])
        self.assertEqual(set(said), {"yaml", "confidence", "fields"})
        self.assertIn("version: 1", said["yaml"])
        self.assertGreater(said["confidence"], 50)
        self.assertIn("integer", {field["type"] for field in said["fields"]})

    def test_a_hint_names_a_field(self):
        said = self.result("infer", paths=[f"/data/client{i}/x.csv" for i in range(30)], hint="segment(-2) = client_name")
        self.assertIn("client_name", {field["name"] for field in said["fields"]})

    def test_members_that_are_wrong_are_named(self):
        self.assert_usage("infer", "'paths'")
        self.assert_usage("infer", "'paths'", paths=[])
        self.assert_usage("infer", "'paths'", paths={"a": 1})
        self.assert_usage("infer", "'hint'", paths=["/a/b"], hint="x" * 501)
        self.assert_usage("infer", "'hint'", paths=["/a/b"], hint=True)
        self.error("infer", paths=["", ""])


class Extract(Case, drafts.Case):
    def rows_of_command(self, *words):
        return [json.loads(line) for line in self.airlock("extract", *words, "-0", stdin="\0".join(drafts.PATHS + ["/short", ""])).out.splitlines()]

    def test_a_source_gives_the_rows_of_the_command(self):
        want = self.rows_of_command("e.py")
        self.assertEqual(self.result("extract", extractor=drafts.CODE, paths=drafts.PATHS + ["/short", ""])["rows"][:len(want)], want)

    def test_one_row_for_each_path_whatever_happens(self):
        source = HEAD + "    if 'slow' in path:\n        return {'n': len('x' * 10 ** 12)}\n    return {'path': path}\n"
        paths = ["/a\nb", "/slow", "/ü", "/" + "a" * 2_000_000, ""] + [f"/{i}" for i in range(3000)]
        rows = self.result("extract", extractor=source, paths=paths)["rows"]
        self.assertEqual([row["path"] for row in rows], [path[:1024 * 1024] for path in paths])
        self.assertEqual([row["error"]["type"] for row in rows if not row["ok"]], ["MemoryError", "InputLimitError"])

    def test_refused_code_runs_nothing_and_says_why(self):
        said = self.result("extract", extractor=REFUSED, paths=["/a"])
        self.assertEqual((said["rows"], said["refused"]["verdict"]), ([], "refused"))
        self.assertEqual(said["refused"], self.result("check", source=REFUSED))

    def test_approved_ones_by_name(self):
        self.approve()
        self.approve("r.yaml", "clients")
        for name, word in (("sales", "sales"), ("sales@1", "sales@1"), ("clients", "clients")):
            with self.subTest(name=name):
                rows = self.result("extract", extractor=name, paths=drafts.PATHS)["rows"]
                self.assertEqual(rows, [json.loads(line) for line in self.airlock("extract", word, stdin="\n".join(drafts.PATHS)).out.splitlines()])

    def test_one_that_is_disabled_or_altered_is_refused(self):
        self.approve()
        self.airlock("extractors", "disable", "sales", code=0)
        error = self.error("extract", extractor="sales", paths=["/a"])
        self.assertEqual((error["type"], "is disabled" in error["message"]), ("Refused", True))
        self.airlock("extractors", "enable", "sales", code=0)
        self.sql("UPDATE extractors SET text = text || '# more'")
        error = self.error("extract", extractor="sales", paths=["/a"])
        self.assertEqual((error["type"], "does not hold" in error["message"]), ("Refused", True))

    def test_a_request_names_no_file(self):
        for name in ("e.py", "./e.py", str(self.folder / "e.py"), "r.yaml", "-", ""):
            with self.subTest(name=name):
                self.assert_usage("extract", "no request names a file", extractor=name, paths=["/a"])
        self.assert_usage("extract", "there is no approved extractor", extractor="nosuch", paths=["/a"])

    def test_members_that_are_wrong_are_named(self):
        self.assert_usage("extract", "'extractor'", paths=["/a"])
        self.assert_usage("extract", "'paths'", extractor=drafts.CODE)
        self.assert_usage("extract", "NUL", extractor=drafts.CODE, paths=["/a\0"])
        self.assert_usage("extract", "knows no 'policy'", extractor=drafts.CODE, paths=["/a"], policy="node")

    def test_one_that_is_cancelled_ends_at_once(self):
        number = self.client.ask("extract", extractor=HEAD + "    while 'z' not in path:\n        pass\n    return {}\n", paths=["/a"] * 1000)
        pid = self.client.process.pid
        self.wait_for(lambda: processes.busy_cells(pid), "a cell at work")
        self.client.send(id=number, do="cancel")
        self.assertEqual(self.client.answer_to(number)["error"]["type"], "Cancelled")
        self.assertTrue(self.result("extract", extractor=drafts.CODE, paths=drafts.PATHS)["rows"][0]["ok"])

    # ---- rules as text

    def test_rules_come_as_text(self):
        rules = (self.folder / "r.yaml").read_text()
        want = self.rows_of_command("r.yaml")
        self.assertEqual(self.result("extract", rules=rules, paths=drafts.PATHS + ["/short", ""])["rows"][:len(want)], want)
        error = self.error("extract", rules="version: 1\nrules:\n  - extract: 5\n", paths=["/a"])
        self.assertEqual((error["type"], "line 3" in error["message"]), ("Refused", True), error)
        self.assert_usage("extract", "both 'extractor' and 'rules'", rules=rules, extractor=drafts.CODE, paths=["/a"])
        self.assert_usage("extract", "'rules'", rules=5, paths=["/a"])

    # ---- one client, many batches

    def numbers(self, client, source=COUNTS, paths=("/a", "/b")):
        return [row["data"]["n"] if row["ok"] else row["error"]["type"] for row in client.request("extract", extractor=source, paths=list(paths))["result"]["rows"]]

    def test_what_is_loaded_stays_for_the_next_batch(self):
        self.assertEqual([self.numbers(self.client) for _ in range(3)], [[1, 2], [3, 4], [5, 6]])
        self.assertEqual(self.numbers(self.client, COUNTS + "# another\n"), [1, 2])

    def test_it_is_the_clients_own(self):
        _, path = self.serve_socket()
        first, second = self.connect(path), self.connect(path)
        self.assertEqual([self.numbers(one) for one in (first, second, first)], [[1, 2], [1, 2], [3, 4]])

    def test_a_path_that_ends_its_cell_costs_itself(self):
        self.assertEqual(self.numbers(self.client), [1, 2])
        before, hung, after = self.numbers(self.client, paths=("/c", "/hang", "/d"))
        self.assertEqual((type(before), hung, type(after)), (int, "TimeoutError", int))
        self.assertEqual(self.numbers(self.client), [after + 1, after + 2])

    def test_cells_that_are_killed_between_two_batches(self):
        self.assertEqual(self.numbers(self.client), [1, 2])
        for process, _ in processes.descendants(self.client.process.pid):
            if processes.is_locked(process):
                kill(process)
        self.assertEqual(self.numbers(self.client), [1, 2])
        self.assertEqual(self.numbers(self.client), [3, 4])


class Schema(Case, drafts.Case):
    def columns(self, **members):
        told = self.result("schema", **members)
        return told["said_by"], [f"{one['name']}:{one['type']}{'?' if one['nullable'] else ''}" for one in told["columns"]]

    def test_rows_of_a_program_say_it(self):
        source = HEAD + "    return {'n': len(path), 'half': len(path) / 2, 'ok': True, 'parts': path.split('/'), 'x': 1 if 'b' in path else None}\n"
        self.assertEqual(self.columns(extractor=source, paths=["/a", "/bb"]),
                         ("rows", ["n:integer", "half:number", "field_ok:boolean", "parts:json", "x:integer?"]))

    def test_rules_say_it_without_a_path(self):
        rules = "version: 1\nrules:\n  - name: days\n    extract:\n      day: { from: segment(-2), type: date }\n"
        self.assertEqual(self.columns(rules=rules), ("rules", ["day:date"]))

    def test_approved_ones_have_samples(self):
        self.approve()
        self.approve("r.yaml", "clients")
        self.assertEqual(self.columns(extractor="sales")[0], "rows")
        self.assertTrue(self.columns(extractor="sales")[1])
        self.assertEqual(self.columns(extractor="clients")[0], "rules")

    def test_what_cannot_be_said(self):
        self.assertEqual(self.result("schema", extractor=REFUSED, paths=["/a"])["refused"], self.result("check", source=REFUSED))
        self.assert_usage("schema", "'paths' has no path", extractor=HONEST)
        self.assert_usage("schema", "more than 10,000", extractor=HONEST, paths=["/a"] * 10_001)
        self.assert_usage("schema", "NUL", extractor=HONEST, paths=["/a\0"])
        self.assert_usage("schema", "knows no 'rows'", extractor=HONEST, rows=[])
        self.assertEqual(self.columns(extractor=HEAD + "    return {'n': int(path)}\n", paths=["/a"]), ("rows", []))


class Kept(Case, drafts.Case):
    """What is in the store, as the commands list it."""

    def test_drafts_extractors_and_runs(self):
        self.assertEqual((self.result("drafts"), self.result("extractors"), self.result("runs")), ({"drafts": []}, {"extractors": []}, {"runs": []}))
        self.airlock("drafts", "add", "e.py", "--samples", "p.txt", code=0)
        self.approve()
        self.write("repository/a.py", "x = 1\n")
        for _ in range(2):
            self.airlock("gather", "repository", code=0)
        for what in ("drafts", "extractors", "runs"):
            with self.subTest(what):
                said = self.result(what)
                self.assertTrue(said[what])
                self.assertEqual(said, self.json(what))
        self.assertEqual(len(self.result("runs", last=1)["runs"]), 1)

    def test_what_they_do_not_know(self):
        self.assert_usage("drafts", "knows no 'id_of'", id_of="x")
        self.assert_usage("runs", "'last'", last=0)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
