#!/usr/bin/env python3
"""Tests of `airlock run` with flows: edges, templates between nodes, records and resuming, the sandbox, other types of nodes, --check and --watch.

    tests/commands/flows_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import json
import pathlib
import re
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes
from support.nodes import ROOT, NOT_INTERRUPTIBLE, code_node, flow, Runs


class Flows(Runs):
    STEP = "result: int = 1"

    def trace(self, document, action="default", code=0, **rest):
        status, report, err = self.run_it(document, **rest)
        self.assertEqual((status, report["action"]), (code, action), (report, err))
        return [step["id"] for step in report["trace"]]

    def test_objects_pass_as_they_are(self):
        make = "class Thing: pass\nthing = Thing()\nresult: object = thing\nprint(id(thing))"
        use = "thing: object\nthing.seen = True\nprint(id(thing))\nresult: str = type(thing).__name__"
        shared = self.good(flow(("make", make, {}), ("use", use, {"inputs": {"thing": "${make.result}"}})))
        self.assertEqual(shared["use"]["result"], "Thing")
        self.assertEqual(shared["make"]["stdout"], shared["use"]["stdout"])
        self.assertEqual(shared["make"]["result"]["$type"], "Thing")

    def test_pandas_passes_without_a_copy(self):
        document = json.loads((ROOT / "examples/flows/pandas_pass_through.json").read_text(encoding="utf-8"))
        code, report, _ = self.run_it(document)
        if "Module 'pandas' not found" in report["shared"]["frame"].get("error", ""):
            self.skipTest("pandas is not installed")
        self.assertEqual(code, 0)
        shared = report["shared"]
        self.assertEqual(shared["frame"]["stdout"], shared["same"]["stdout"])
        self.assertEqual(shared["same"]["result"], {"rows": 3, "mean": 2.0})

    def test_edges_choose_by_action(self):
        fails = flow(("a", "result: int = 1 / 0", {}), ("b", self.STEP, {}), ("c", "e: str\nresult: str = e[:6]", {"inputs": {"e": "${a.error}"}}),
                     edges=[("a", "b", "default"), ("a", "c", "error")])
        self.assertEqual(self.trace(fails), ["a", "c"])

    def test_an_error_without_an_edge_ends_the_flow(self):
        self.assertEqual(self.trace(flow(("a", "result: int = 1 / 0", {}), ("b", self.STEP, {})), "error", 1), ["a"])

    def test_code_can_choose_an_edge(self):
        document = flow(("a", "n: int\naction: str = 'many' if n > 3 else 'default'\nresult: int = n", {"inputs": {"n": "${n}"}}),
                        ("few", self.STEP, {}), ("many", self.STEP, {}), edges=[("a", "few"), ("a", "many", "many")])
        self.assertEqual(self.trace(document, shared={"n": 9}), ["a", "many"])
        self.assertEqual(self.trace(document, shared={"n": 1}), ["a", "few"])

    def test_an_action_that_is_no_text_is_an_error(self):
        for action in ("5", "''", "'a\\0'", "'\\ud800'"):
            document = flow(("a", f"action: str = {action}\nresult: int = 1", {}), ("b", self.STEP, {}), edges=[("a", "b", "other")])
            status, report, _ = self.run_it(document)
            self.assertEqual(status, 1)
            self.assertIn("Action must be text", report["shared"]["a"]["error"])

    def test_odd_characters_travel(self):
        make = "class T:\n    def __repr__(self): return 'a\\0\\ud800'\nresult: dict = {'\\ud800': 1, 't': T(), 'n': 'x\\0y'}"
        use = {"inputs": {"x": "${make.result.nope}"}}
        for extra in ({}, {"sandbox": True}):
            status, report, _ = self.run_it(flow(("make", make, {}), ("use", "x: int\nresult: int = 1", {**use, **extra})))
            self.assertEqual(report["shared"]["make"]["result"]["n"], "x\0y")
            self.assertIn("could not be resolved", report["shared"]["use"]["error"])
        self.bad(code_node("raise ValueError('\\ud800\\0')\nresult: int = 1"), "Code execution failed")

    def test_a_variable_called_action_means_nothing_without_such_an_edge(self):
        self.assertEqual(self.trace(flow(("a", "action: str = 'buy'\nresult: int = 1", {}), ("b", self.STEP, {}))), ["a", "b"])

    def test_a_loop_ends_when_a_node_says_so(self):
        count = "n: int\nresult: int = n + 1\naction: str = 'again' if result < 4 else 'default'"
        document = flow(("count", count, {"inputs": {"n": "${count.result}"}}), ("done", self.STEP, {}),
                        edges=[("count", "count", "again"), ("count", "done")])
        self.assertEqual(self.trace(document, shared={"count": {"result": 0}}), ["count"] * 4 + ["done"])

    def test_an_endless_loop_is_stopped(self):
        document = flow(("a", self.STEP, {}), ("b", self.STEP, {}), edges=[("a", "b"), ("b", "a")], max_steps=7)
        status, report, _ = self.run_it(document)
        self.assertEqual((status, report["action"], len(report["trace"])), (1, "error", 7))
        self.assertIn("stopped after 7 steps", report["error"])

    def test_branches_run_in_order_and_meet_once(self):
        document = flow(*((name, self.STEP, {}) for name in ("a", "b", "b2", "b3", "c")), ("d", "x: int\ny: int\nresult: int = x + y",
                        {"inputs": {"x": "${b3.result}", "y": "${c.result}"}}),
                        edges=[("a", "b"), ("a", "c"), ("b", "b2"), ("b2", "b3"), ("b3", "d"), ("c", "d")])
        self.assertEqual(self.trace(document), ["a", "b", "b2", "b3", "c", "d"])

    def test_a_start_node_and_a_warning_for_those_that_never_run(self):
        status, report, err = self.run_it(flow(("a", self.STEP, {}), ("b", self.STEP, {}), edges=[], start="b"))
        self.assertEqual([step["id"] for step in report["trace"]], ["b"])
        self.assertIn("node 'a': No edge leads here", err)

    def test_yaml(self):
        text = "nodes:\n  - id: a\n    type: code\n    params:\n      code: |\n        print('yes')\n        result: int = 0x10\n  - {id: b, type: code, params: {inputs: {n: '${a.result}', t: yes}, code: \"n: int\\nt: str\\nresult: str = t * n\"}}\n"
        self.assertEqual(self.good(text, name="flow.yaml")["b"]["result"], "yes" * 16)

    def test_templates_are_checked_before_anything_runs(self):
        ran = self.folder / "ran"
        touch = f"open({str(ran)!r}, 'w').close()\nresult: int = 1"
        def use(template):
            return {"inputs": {"x": template}}
        for other, words in [(("b", "x: int\nresult: int = x", use("${c.result}")), "names 'c', which is neither a node nor in the shared store"),
                             (("b", "x: int\nresult: int = x", use("${a.resul}")), "Did you mean 'result'?"),
                             (("b", "x: int\nresult: int = x", use("${b.result}")), "The templates form a cycle: 'b' uses 'b'")]:
            with self.subTest(words=words):
                status, report, _ = self.run_it(flow(("a", touch, {}), other))
                self.assertEqual((status, report["action"], report["trace"]), (1, "error", []))
                self.assertIn(words, report["shared"]["error"])
        circle = flow(("a", touch, use("${b.result}")), ("b", self.STEP, use("${a.result}")), edges=[("a", "b"), ("b", "a")])
        self.assertIn("cycle: 'a' uses 'b' uses 'a'", self.run_it(circle)[1]["shared"]["error"])
        late = flow(("a", touch, use("${b.result}")), ("b", self.STEP, {}))
        self.assertIn("no edge leads from 'b' to 'a'", self.run_it(late)[1]["shared"]["error"])
        self.assertFalse(ran.exists())

    def test_after_a_kill_the_store_is_as_it_was_before_the_node(self):
        make = "class Thing: pass\nt = Thing()\nt.xs = [1, 2]\nresult: object = t"
        use = {"inputs": {"t": "${make.result}"}}
        for end in (NOT_INTERRUPTIBLE, "__import__('os')._exit(3)", "__import__('ctypes').string_at(0)"):
            with self.subTest(end=end):
                bad = f"t: object\nt.xs.append(99)\nprint('partial', flush=True)\n{end}\nresult: int = 1"
                after = "t: object\ne: str\no: str\nresult: list = [t.xs, type(t).__name__, e[:6], o]"
                document = flow(("make", make, {}), ("bad", bad, {**use, "timeout": 0.3}),
                                ("after", after, {"inputs": {**use["inputs"], "e": "${bad.error}", "o": "${bad.stdout}"}}),
                                edges=[("make", "bad"), ("bad", "after", "error")])
                shared = self.good(document)
                self.assertEqual(shared["after"]["result"], [[1, 2], "Thing", "Error:", "partial\n"])

    def test_retries(self):
        count = self.folder / "count"
        code = f"import pathlib\np = pathlib.Path({str(count)!r})\nn = len(p.read_text()) if p.exists() else 0\np.write_text('x' * (n + 1))\n"
        flaky = code + "if n < 2: raise OSError('busy')\nresult: int = n"
        self.assertEqual(self.good(code_node(flaky, max_retries=3, wait=0.01))["result"], 2)
        count.unlink()
        self.bad(code_node(flaky, max_retries=2), "busy")
        count.unlink()
        dies = code + "import os\nif n < 2: os._exit(1)\nresult: int = n"
        self.assertEqual(self.good(code_node(dies, max_retries=3))["result"], 2)

    def test_environment_folder_and_packages_are_the_users(self):
        self.environment["AIRLOCK_TEST_WORD"] = "hello"
        (self.folder / "beside_me.py").write_text("WORD = 'beside'\n", encoding="utf-8")
        code = "import beside_me, os, sys\nresult: list = [os.environ['AIRLOCK_TEST_WORD'], beside_me.WORD, any(p.endswith('dist-packages') for p in sys.path)]"
        node = self.write("node.json", code_node(code))
        status, out, err = self.command(node, "--format", "json", cwd=self.folder)
        self.assertEqual(json.loads(out)["shared"]["result"], ["hello", "beside", True])

    def test_what_is_no_json_is_shown_and_stays_native(self):
        code = ("import datetime\nresult: dict = {'when': datetime.date(2024, 1, 2), 'set': {1}, 't': (1, 2), 1: 'int key', 'nan': float('nan'), 'b': b'x',"
                " 'big': 10**30}")
        use = "d: dict\nresult: list = [type(d['when']).__name__, type(d['t']).__name__, d[1]]"
        shared = self.good(flow(("make", code, {}), ("use", use, {"inputs": {"d": "${make.result}"}})))
        self.assertEqual(shared["make"]["result"], {"when": {"$type": "datetime.date", "repr": "datetime.date(2024, 1, 2)"},
                                                    "set": {"$type": "set", "repr": "{1}"}, "t": [1, 2], "1": "int key",
                                                    "nan": {"$type": "float", "repr": "nan"}, "b": {"$type": "bytes", "repr": "b'x'"}, "big": 10**30})
        self.assertEqual(shared["use"]["result"], ["date", "tuple", "int key"])

    def test_keys_that_are_one_in_json_are_an_error(self):
        for keys, words in (("{1: 'a', '1': 'b'}", 'the keys 1 and "1"'), ("{None: 1, 'null': 2}", 'None and "null"'), ("{'true': 1, True: 2}", '"true" and True'),
                            ("[{'deep': ({1.5: 1, '1.5': 2},)}]", '1.5 and "1.5"')):
            for extra in ({}, {"sandbox": True}):
                with self.subTest(keys, **extra):
                    report = self.bad({**code_node(f"print('kept')\nresult: object = {keys}"), **extra}, words, "one key in JSON", kind="TypeError", phase="post")
                    self.assertEqual((report["shared"].get("result"), report["shared"]["stdout"]), (None, "kept\n"))
        for keys, value in (("{1: 'a', '2': 'b', None: 3, 1.5: 4}", {"1": "a", "2": "b", "null": 3, "1.5": 4}), ("{(1, 2): 3}", None)):
            shared = self.good(code_node(f"result: dict = {keys}"))
            self.assertEqual(shared["result"] if value else None, value)
        after = flow(("make", "result: dict = {1: 2, '1': 3}", {}), ("after", "e: str\nresult: str = e", {"inputs": {"e": "${make.error}"}}), edges=[("make", "after", "error")])
        self.assertIn("one key in JSON", self.good(after)["after"]["result"])

    def test_names_like_secrets_are_values_like_others(self):
        self.assertEqual(self.good(code_node("result: dict = {'token': 'abc', 'password': 'x'}"))["result"], {"token": "abc", "password": "x"})


class Recorded(Runs):
    def recorded(self, document, *arguments, code=0):
        status, report, err = self.run_it(document, *arguments, name="flow.json")
        self.assertEqual(status, code, (report, err))
        return report, err

    def test_a_flow_is_recorded(self):
        report, _ = self.recorded(flow(("a", "result: int = 1", {}), ("b", "result: int = 1 / 0", {})), code=1)
        done = self.airlock("runs", report["run"])
        text = done.stdout.decode()
        self.assertIn("flow.json", text)
        self.assertIn("1 ran, 1 failed", text)
        self.assertIn("division by zero", text)

    def test_resume_goes_on_after_the_last_good_node(self):
        count = self.folder / "count"
        first = f"import pathlib\np = pathlib.Path({str(count)!r})\np.write_text((p.read_text() if p.exists() else '') + 'x')\nresult: dict = {{'n': 1.5, 's': 'a\\n\"b\"'}}"
        broken = flow(("first", first, {}), ("second", "d: dict\nresult: float = d['m']", {"inputs": {"d": "${first.result}"}}))
        report, _ = self.recorded(broken, code=1)
        mended = flow(("first", first, {}), ("second", "d: dict\nresult: float = d['n']", {"inputs": {"d": "${first.result}"}}))
        again, err = self.recorded(mended, "--resume", report["run"][:12])
        self.assertIn("going on after 1 kept step of run", err)
        self.assertEqual(count.read_text(), "x")
        self.assertEqual(again["shared"]["second"]["result"], 1.5)
        self.assertEqual(again["shared"]["first"]["result"], {"n": 1.5, "s": 'a\n"b"'})
        self.assertTrue(again["trace"][0]["kept"])

    def test_resume_after_airlock_itself_was_killed(self):
        slow = f"import os, time\nopen({str(self.folder / 'here')!r}, 'w').close()\nwhile not os.path.exists({str(self.folder / 'go')!r}): time.sleep(0.01)\nresult: int = 2"
        document = flow(("first", "print('once')\nresult: int = 1", {}), ("slow", slow, {}))
        started = self.start("run", self.write("flow.json", document), stdout=subprocess.DEVNULL)
        self.wait_for((self.folder / "here").exists)
        harness.end(started)
        (self.folder / "go").touch()
        listed = self.airlock("runs", "--format", "json").out
        run = re.search(r"\b01[0-9a-z]{24}\b", listed)[0]
        status, report, err = self.run_it(document, "--resume", run)
        self.assertEqual((status, [step.get("kept", False) for step in report["trace"]]), (0, [True, False]), err)
        self.assertIn("going on after 1 kept step of run", err)
        self.assertEqual(report["shared"]["first"]["stdout"], "once\n")

    def test_what_is_no_json_runs_again_and_says_so(self):
        for result, words in [("{1, 2}", "its result is not JSON alone"), ("'/home/someone/x.csv'", "a path of this host"),
                              ("{'github_token': 'x'}", "its result was not kept")]:
            with self.subTest(result=result):
                document = flow(("first", f"result: object = {result}", {}), ("second", "result: int = 1 / 0", {}))
                report, _ = self.recorded(document, code=1)
                again, err = self.recorded(document, "--resume", report["run"], code=1)
                self.assertIn("node 'first' runs again", err)
                self.assertIn(words, err)

    def test_a_changed_node_runs_again(self):
        report, _ = self.recorded(flow(("a", "result: int = 1", {}), ("b", "result: int = 2", {})))
        again, err = self.recorded(flow(("a", "result: int = 5", {}), ("b", "result: int = 2", {})), "--resume", report["run"])
        self.assertIn("node 'a' runs again: it has been changed", err)
        self.assertEqual(again["shared"]["a"]["result"], 5)

    def test_unknown_runs_and_other_stores(self):
        document = flow(("a", "result: int = 1", {}))
        report, _ = self.recorded(document)
        status, _, err = self.run_it(document, "--resume", "zzz", name="flow.json")
        self.assertEqual(status, 2)
        self.assertIn("there is no run 'zzz'", err)
        status, _, err = self.run_it(document, "--resume", report["run"], shared={"other": 1}, name="flow.json")
        self.assertEqual(status, 2)
        self.assertIn("began with another shared store", err)

    def test_a_store_that_cannot_be_written_does_not_stop_a_flow(self):
        self.home.write_text("in the way", encoding="utf-8")
        _, err = self.recorded(flow(("a", "result: int = 1", {})))
        self.assertIn("this run is not recorded", err)


class Sandboxed(Runs):
    def node(self, code, **params):
        return {**code_node(code, **params), "sandbox": True}

    def test_the_same_contract(self):
        shared = self.good(self.node("xs: list\nprint('hello')\nimport json, statistics\nresult: float = statistics.mean(xs)", inputs={"xs": [1, 2]}))
        self.assertEqual((shared["result"], shared["stdout"]), (1.5, "hello\n"))
        self.bad(self.node("result: int = 'x'"), "Result declared as int but code returned str")
        self.bad(self.node("xs: list\nresult: int = 1", inputs={"xs": {}}), "Input 'xs' expects list but received dict")
        self.bad(self.node("result: int = nope"), "Undefined variable 'nope'", "line 1")
        self.bad(self.node("result: int = 1", timeout=-5), "Timeout must be positive number, got -5")
        self.bad(self.node("x ="), "line 1")

    def test_no_files_no_network_no_processes(self):
        for code in ("open('/etc/passwd').read()", "open('/tmp/x', 'w')", "import socket; socket.create_connection(('127.0.0.1', 1))",
                     "import subprocess; subprocess.run(['true'])", "import os; os.fork()"):
            with self.subTest(code=code):
                self.bad(self.node(f"{code}\nresult: int = 1"), "Code execution failed")
        self.assertEqual(self.good(self.node("import os\nresult: dict = dict(os.environ)"))["result"], {})

    def test_timeouts_and_crashes(self):
        report = self.bad(self.node(f"print('a')\nx = {NOT_INTERRUPTIBLE}\nresult: int = 1", timeout=0.3), "timed out after 0.3 seconds")
        self.assertEqual(report["shared"]["stdout"], "a\n")
        self.bad(self.node("import ctypes\nctypes.string_at(0)\nresult: int = 1"), "Code execution failed")
        self.bad(self.node("x = 'x' * 10**10\nresult: int = 1"), "Code execution failed")

    def test_json_in_json_out(self):
        self.bad(self.node("result: set = {1}"), "Result cannot leave the sandbox")
        document = flow(("make", "class T: pass\nresult: object = T()", {}), ("use", "t: object\nresult: int = 1", {"inputs": {"t": "${make.result}"}, "sandbox": True}))
        status, report, _ = self.run_it(document)
        self.assertEqual(status, 1)
        self.assertIn("a sandboxed node takes JSON", report["shared"]["use"]["error"])

    def test_between_nodes_of_a_flow(self):
        document = flow(("a", "result: list = [1, 2]", {}), ("b", "xs: list\nresult: int = sum(xs)", {"inputs": {"xs": "${a.result}"}, "sandbox": True}),
                        ("c", "n: int\nresult: int = n * 2", {"inputs": {"n": "${b.result}"}}))
        self.assertEqual(self.good(document)["c"]["result"], 6)

    def test_what_comes_in_is_not_read_as_a_template_again(self):
        document = flow(("a", "result: str = '$' + '{a.result}'", {}), ("b", "s: str\nresult: str = s", {"inputs": {"s": "${a.result}"}, "sandbox": True}))
        self.assertEqual(self.good(document)["b"]["result"], "${a.result}")


class OtherTypes(Runs):
    def test_an_extractor_makes_rows_of_paths(self):
        document = flow(("list", "result: list = ['/a/2024/x.csv', '/b/y']", {}), ("n", "rows: list\nresult: int = sum(r['ok'] for r in rows)", {"inputs": {"rows": "${rows.result}"}}))
        document["nodes"].insert(1, {"id": "rows", "type": "extractor", "params": {
            "paths": "${list.result}", "code": "def extract(path: str) -> dict:\n    return {'year': int(path.split('/')[2])}\n"}})
        shared = self.good(document)
        self.assertEqual(shared["rows"]["result"][0], {"path": "/a/2024/x.csv", "ok": True, "data": {"year": 2024}})
        self.assertEqual(shared["rows"]["result"][1]["error"]["type"], "ValueError")
        self.assertEqual(shared["n"]["result"], 1)

    def test_an_extractor_that_is_refused_is_not_run(self):
        document = {"type": "extractor", "params": {"paths": ["/a"], "code": "import os\ndef extract(path: str) -> dict:\n    return {}\n"}}
        self.bad(document, "The extractor is refused; nothing of it was run", "'os'")
        self.bad({"type": "extractor", "params": {"paths": 5, "code": "def extract(path: str) -> dict:\n    return {}\n"}}, '"paths" must be a list')
        self.bad({"type": "extractor", "params": {"paths": []}}, 'either "extractor" (a file) or "code"')


    PROBE = ("from airlock.probe import Probe, ProbeOutput\nclass P(Probe):\n    name = 'names'\n"
             "    def run(self, repo, ctx):\n        return ProbeOutput({'files': sorted(p.name for p in repo.root.iterdir())})\n")

    def test_probes_report_on_a_repository(self):
        repository = self.folder / "repository"
        repository.mkdir()
        (repository / "a.py").write_text("x = 1\n")
        (self.folder / "names.py").write_text(self.PROBE)
        document = flow(("where", f"result: str = {str(repository)!r}", {}),
                        ("count", "files: list\nresult: int = len(files)", {"inputs": {"files": "${facts.result.outputs.names.schema_slice.files}"}}))
        document["nodes"].insert(1, {"id": "facts", "type": "probe", "params": {
            "repository": "${where.result}", "probes": [str(self.folder / "names.py")]}})
        shared = self.good(document)
        self.assertEqual(shared["facts"]["result"]["executions"]["names"]["status"], "ran")
        self.assertEqual(shared["facts"]["result"]["outputs"]["language_detection"]["schema_slice"]["main_language"], "Python")
        self.assertEqual(shared["count"]["result"], 1)

    def test_probes_that_fail_are_an_error_with_the_report(self):
        (self.folder / "bad.py").write_text(self.PROBE.replace("'files'", "'password'"))
        document = {"type": "probe", "params": {"repository": str(self.folder), "probes": [str(self.folder / "bad.py")]}}
        self.bad(document, "No probe has an output", "SecretLikelyFieldNameError: password at")
        self.bad({"type": "probe", "params": {}}, '"repository"')
        self.bad({"type": "probe", "params": {"repository": str(self.folder / "none")}}, "none")
        self.bad({"type": "probe", "params": {"repository": ".", "probes": [str(self.folder / "none.py")]}}, "none.py")
        self.bad({"type": "probe", "params": {"repository": ".", "timeout": 0}}, '"timeout"')


class Checked(Runs):
    def test_nothing_is_run(self):
        ran = self.folder / "ran"
        status, report, _ = self.run_it(code_node(f"open({str(ran)!r}, 'w')\nresult: int = 1"), "--check")
        self.assertEqual((status, report["action"], report["problems"]), (0, "default", []))
        self.assertFalse(ran.exists())

    def test_everything_that_can_be_said_is_said(self):
        document = flow(("a", "result: dict = {}", {}), ("b", "x: list\nk: str\nresult: int = 1", {"inputs": {"x": "${a.result}", "k": 5}}), ("c", "x =", {}),
                        ("d", "result: int = 1", {"inputs": {"n": 1}}), ("e", "s: int\nresult: int = 1", {"inputs": {"s": "${a.stdout}"}, "sandbox": True}))
        status, report, _ = self.run_it(document, "--check")
        self.assertEqual(status, 1)
        said = {(one["node"], one["line"]): one["message"] for one in report["problems"]}
        self.assertIn("Syntax error at line 1", said[("c", 1)])
        messages = "\n".join(one["message"] for one in report["problems"])
        for words in ("Input 'x' expects list but 'a' gives dict", "Input 'k' expects str but received int", "Input 'n' missing type annotation",
                      "Input 's' expects int but 'a' gives str"):
            self.assertIn(words, messages)

    def test_types_are_followed_through_templates(self):
        def check(given, declared, template, strict=False):
            document = flow(("a", f"result: {given} = None", {}), ("b", f"x: {declared}\nresult: int = 1", {"inputs": {"x": template}, "strict_types": strict}))
            return self.run_it(document, "--check")[0]

        for given, declared, template, strict in (("dict", "list", "${a['result']}", False), ("list[int]", "str", "${a.result[0]}", False),
                                                  ("int", "int", "n ${a.result}", False), ("Optional[int]", "list", "${a.result}", False),
                                                  ("list[int]", "list[str]", "${a.result}", True), ("tuple[int, str]", "tuple[int]", "${a.result}", True),
                                                  ("dict[str, list[int]]", "dict[str, list[str]]", "${a.result}", True), ("int", "None", "${a.result}", False)):
            with self.subTest(given=given, declared=declared):
                self.assertEqual(check(given, declared, template, strict), 1)
        for given, declared, template, strict in (("list[int]", "list[str]", "${a.result}", False), ("int | str", "str", "${a.result}", True),
                                                  ("list[int]", "float", "${a.result[0]}", True), ("str", "list", "${a.result}", True), ("Thing", "list", "${a.result}", True),
                                                  ("tuple[int, ...]", "tuple[int, int]", "${a.result}", True), ("int", "list", "[${a.result}]", False)):
            with self.subTest(given=given, declared=declared):
                self.assertEqual(check(given, declared, template, strict), 0)

    def test_extractors_and_probes_are_looked_at_too(self):
        for node, words in (({"type": "extractor", "params": {"paths": ["a"], "code": "import os\ndef extract(path: str) -> dict: return {}"}}, "refused"),
                            ({"type": "extractor", "params": {"paths": ["a"], "extractor": "/nowhere.py"}}, "No such file"),
                            ({"type": "extractor", "params": {"paths": 5, "code": "def extract(path: str) -> dict: return {}"}}, "must be a list of texts"),
                            ({"type": "probe", "params": {"probes": []}}, "repository"), ({"type": "probe", "params": {"repository": ".", "probes": ["/nowhere.py"]}}, "No such file")):
            with self.subTest(words):
                status, report, err = self.run_it({"nodes": [{"id": "one", **node}]}, "--check")
                self.assertEqual(status, 1, err)
                self.assertIn(words, report["shared"]["error"])

    def test_a_template_that_is_never_closed_is_a_warning(self):
        status, report, err = self.run_it(flow(("a", "x: str\nresult: str = x", {"inputs": {"x": "${a.b"}})), "--check")
        self.assertEqual((status, report["problems"][0]["severity"]), (0, "warning"), err)

    def test_in_words(self):
        status, out, _ = self.command(self.write("node.json", code_node("result: int = 1")), "--check")
        self.assertEqual((status, out), (0, "no problem found in 1 node\n"))


class Screens(Runs):
    def test_text(self):
        status, out, _ = self.command(self.write("node.json", code_node("print('hi \\x1b[31m')\nresult: list = [1, 2]")))
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^✓ default  [\d.]+ ms\n  result \[1,2\]\n  stdout\n    hi \\x1b\[31m\n$")

    def test_watch_tells_each_node(self):
        status, out, err = self.command(self.write("flow.json", flow(("a", "result: int = 1", {}), ("b", "result: int = 1 / 0", {}))), "--watch")
        self.assertRegex(err, r"✓ a  default  [\d.]+ ms\n✗ b  error  [\d.]+ ms\n")
        self.assertNotIn("\x1b", err)

    def test_standard_input(self):
        status, out, _ = self.command("-", "--format", "json", stdin=json.dumps(code_node("result: int = 1")).encode())
        self.assertEqual(json.loads(out)["shared"]["result"], 1)

    def test_the_report_is_written_to_a_file_too(self):
        out = self.folder / "report.json"
        path = self.write("flow.json", flow(("a", "result: int = 1", {})))
        status, printed, err = self.command(path, "--output", out)
        self.assertEqual((status, json.loads(out.read_text())["shared"]["a"]["result"]), (0, 1), err)
        self.assertIn("✓ a", printed)
        self.assertEqual(self.command(path, "--output", self.folder / "no" / "where.json")[0], 2)
        self.command(self.write("bad.json", {"nodes": 5}), "--output", out)
        self.assertEqual(json.loads(out.read_text())["action"], "error")

    def test_one_interrupt_is_enough_in_every_kind_of_node(self):
        probe = re.sub(r"(    def run\(self, [^\n]*\n)", r"\1        while True: pass\n", (ROOT / "examples/probes/licences.py").read_text())
        loop = "def extract(path: str) -> dict:\n    n = 0\n    for i in range(10**12):\n        n += i\n    return {'n': n}\n"
        ready = self.folder / "ready"
        waits = f"import time\nopen({str(ready)!r}, 'w').close()\ntime.sleep(60)\nresult: int = 1"
        for name, node in (("code", {"type": "code", "params": {"code": waits}}),
                           ("sandbox", {"type": "code", "sandbox": True, "params": {"code": "while True: pass\nresult: int = 1"}}),
                           ("extractor", {"type": "extractor", "params": {"paths": ["a"] * 9, "timeout": 60, "code": loop}}),
                           ("probe", {"type": "probe", "params": {"repository": str(ROOT / "examples/repository"), "probes": [str(self.write("probe.py", probe))]}})):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                with self.subTest(name, signal=number.name):
                    path = self.write("flow.json", {"nodes": [{"id": "one", **node}]})
                    ready.unlink(missing_ok=True)
                    started = self.start("run", path)
                    self.wait_for(lambda: ready.exists() or processes.busy_cells(started.pid), "the node's code at work")
                    started.send_signal(number)
                    done = self.finish(started)
                    self.assertEqual((done.returncode, done.out), (128 + number, ""), done.err)

    def test_a_folder_that_is_gone_or_cannot_be_read(self):
        path = self.write("flow.json", flow(("a", "result: int = 1", {}), ("b", "result: int = 2", {})))
        gone = self.folder / "gone"
        gone.mkdir()
        script = f"cd {gone} && rmdir {gone} && exec {harness.AIRLOCK} run {path}"
        done = subprocess.run(["sh", "-c", script], capture_output=True, env=self.environment, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_interrupt_ends_everything(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            ready = self.folder / f"ready{code}"
            node = self.write("node.json", code_node(f"import subprocess, time\nchild = subprocess.Popen(['sleep', '100'])\nopen({str(ready)!r}, 'w').write(str(child.pid))\n"
                                                     "while True:\n    try:\n        time.sleep(100)\n    except BaseException:\n        pass\nresult: int = 1"))
            started = self.start("run", node)
            child = int(self.wait_for(lambda: ready.exists() and ready.read_text()))
            started.send_signal(number)
            self.assertEqual(self.finish(started).returncode, code)
            self.wait_for(lambda: processes.is_gone(child), "its end")

    def test_a_killed_supervisor_takes_the_host_along(self):
        ready = self.folder / "ready"
        node = self.write("node.json", code_node(f"import os, time\nopen({str(ready)!r}, 'w').write(str(os.getpid()))\nwhile True:\n    try:\n        time.sleep(1)\n"
                                                 "    except BaseException:\n        pass\nresult: int = 1"))
        started = self.start("run", node)
        host = int(self.wait_for(lambda: ready.exists() and ready.read_text()))
        started.kill()
        self.wait_for(lambda: processes.is_gone(host), "its end")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
