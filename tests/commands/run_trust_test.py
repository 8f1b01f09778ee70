#!/usr/bin/env python3
"""What a user may rely on: `airlock run` says when code has the user's rights, records every run, and leaves nothing behind, however it ends.

    tests/commands/run_trust_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes
from support.nodes import SECONDS, code_node, flow, Runs

ONE = "airlock: 1 node runs with your rights"
HONEST = "result: int = 1"


class Case(Runs):
    def begin(self, document, *words, stdout=subprocess.DEVNULL):
        return self.start("run", self.write("flow.json", document), *words, stdout=stdout)

    def wait_for_file(self, path):
        return self.wait_for(lambda: path.exists() and path.read_text(), path.name)

    def assert_ends(self, process):
        self.wait_for(lambda: processes.is_gone(process), f"the end of {process}")

    def runs(self, *words):
        return self.json("runs", *words)


class Trust(Case):
    def said(self, document, *arguments):
        """What is on stderr, and on stdout without what depends on the clock."""
        status, out, err = self.command(self.write("flow.json", document), "--format", "json", *arguments)
        report = json.loads(out)
        for one in ("duration_ms", "run", "trace"):
            report.pop(one, None)
        return err, report, status

    def test_it_is_said_once_and_only_on_stderr(self):
        err, report, _ = self.said(code_node(HONEST))
        self.assertEqual(err.count("with your rights"), 1)
        self.assertTrue(err.startswith(ONE), err)
        for word in ("--sandbox", "--trusted"):
            self.assertIn(word, err)
        self.assertEqual(self.said(code_node(HONEST), "--trusted"), ("", report, 0))
        err = self.said(flow(("a", HONEST, {}), ("b", HONEST, {}), ("c", HONEST, {})), "--watch")[0]
        self.assertIn("3 nodes run with your rights", err)
        self.assertEqual(err.count("with your rights"), 1)

    def test_nodes_behind_walls_are_not_counted(self):
        mixed = flow(("a", HONEST, {}), ("b", HONEST, {"sandbox": True}), ("c", HONEST, {"sandbox": False}))
        self.assertIn("2 nodes run with your rights", self.said(mixed)[0])
        self.assertEqual(self.said(flow(("a", HONEST, {"sandbox": True})))[0], "")
        extractor = {"type": "extractor", "params": {"paths": ["/a"], "code": "def extract(path: str) -> dict:\n    return {}\n"}}
        self.assertEqual(self.said(extractor)[0], "")

    def test_nothing_is_said_where_nothing_runs(self):
        for document, arguments in ((code_node(HONEST), ["--check"]), (code_node(HONEST, wrong=1), []), ({"nodes": 5}, [])):
            self.assertNotIn("your rights", self.said(document, *arguments)[0])

    def test_all_nodes_can_be_walled_in(self):
        secret = self.write("secret.txt", "the user's own")
        look = f"import os\nresult: bool = os.path.exists({str(secret)!r})"
        document = flow(("a", look, {}), ("b", look, {"sandbox": False}), ("c", look, {"sandbox": True}))
        err, report, status = self.said(document, "--sandbox")
        self.assertEqual((err, status, [one["result"] for one in report["shared"].values()]), ("", 0, [False] * 3))
        self.assertEqual([one["result"] for one in self.said(document)[1]["shared"].values()], [True, True, False])
        self.assertEqual(self.said(code_node(look), "--sandbox")[1]["shared"]["result"], False)

    def test_the_two_answers_exclude_each_other(self):
        status, out, err = self.command(self.write("node.json", code_node(HONEST)), "--sandbox", "--trusted")
        self.assertEqual((status, out), (2, ""), err)

    def test_the_help_says_it_before_anything_else(self):
        out = self.command("--help")[1]
        self.assertLess(out.index("with your rights"), out.index("Usage:"))
        self.assertLess(out.index("--sandbox"), out.index("Usage:"))


class Recorded(Case):
    def last(self, name="flow.json"):
        run = self.runs()["runs"][0]
        self.assertEqual((run["repository"], run["task"]), (name, "run"))
        return run, self.runs(run["run_id"])["executions"]

    def test_a_node_alone(self):
        self.good(code_node(HONEST), name="node.json")
        run, executions = self.last("node.json")
        self.assertTrue(run["finished"])
        self.assertEqual({name: one["status"] for name, one in executions.items()}, {"node": "ran"})

    def test_nodes_of_every_kind_and_every_end(self):
        for document, status, words in ((code_node("result: int = 1 / 0"), "failed", "division by zero"), (code_node("result: int = 'x'"), "failed", "Result declared as int"),
                                        (code_node("while True: pass\nresult: int = 1", timeout=0.2), "failed", "timed out after 0.2 seconds"),
                                        (code_node("import os\nos._exit(3)\nresult: int = 1"), "failed", "exit code 3"), ({**code_node(HONEST), "sandbox": True}, "ran", ""),
                                        ({"type": "extractor", "params": {"paths": ["/a"], "code": "def extract(path: str) -> dict:\n    return {}\n"}}, "ran", "")):
            with self.subTest(words or status):
                self.run_it(document, name="flow.json")
                run, executions = self.last()
                self.assertTrue(run["finished"])
                self.assertEqual(executions["node"]["status"], status)
                self.assertIn(words, executions["node"]["reason"] or "")

    def test_standard_input_and_the_screen_and_a_resumed_flow(self):
        self.command("-", stdin=json.dumps(code_node(HONEST)).encode())
        self.assertEqual(self.last("standard input")[1]["node"]["status"], "ran")
        path = self.write("flow.json", flow(("a", HONEST, {}), ("b", "result: int = 1 / 0", {})))
        self.command(path, "--watch")
        run, executions = self.last()
        self.assertEqual({name: one["status"] for name, one in executions.items()}, {"a": "ran", "b": "failed"})
        self.command(path, "--resume", run["run_id"])
        again, executions = self.last()
        self.assertNotEqual(again["run_id"], run["run_id"])
        self.assertEqual(set(executions), {"a", "b"})

    def test_a_document_that_is_refused_is_no_run(self):
        self.command(self.write("flow.json", {"nodes": 5}))
        self.command(self.write("flow.json", code_node(HONEST)), "--check")
        self.assertEqual(self.runs()["runs"], [])

    def test_an_interrupted_run_says_so_and_is_over(self):
        ready = self.folder / "ready"
        slow = f"import time\nopen({str(ready)!r}, 'w').write('x')\ntime.sleep(100)\nresult: int = 1"
        with self.begin(flow(("a", HONEST, {}), ("slow", slow, {}))) as started:
            self.wait_for_file(ready)
            started.send_signal(signal.SIGTERM)
            self.assertEqual(started.wait(SECONDS), 143)
        run, executions = self.last()
        self.assertTrue(run["finished"])
        self.assertEqual({name: one["status"] for name, one in executions.items()}, {"a": "ran", "slow": "failed"})
        self.assertIn("interrupted by signal 15", executions["slow"]["reason"])

    def test_a_killed_run_is_there_unfinished(self):
        ready = self.folder / "ready"
        with self.begin(code_node(f"import time\nopen({str(ready)!r}, 'w').write('x')\ntime.sleep(100)\nresult: int = 1")) as started:
            self.wait_for_file(ready)
            started.kill()
        run, executions = self.last()
        self.assertEqual((run["finished"], executions), (None, {}))

    def test_a_store_in_trouble_costs_the_record_alone(self):
        self.home.write_text("in the way", encoding="utf-8")
        status, report, err = self.run_it(code_node(HONEST))
        self.assertEqual((status, report["shared"]["result"]), (0, 1))
        self.assertEqual(err.count("this run is not recorded"), 1, err)


class NothingLeft(Case):
    """What nodes start in their process group ends with airlock, also when that has no time to see to it."""

    def child_of(self, document):
        """The number of the child that the node has started, when airlock is dead."""
        with self.begin(document) as started:
            child = int(self.wait_for_file(self.folder / "child"))
            started.kill()
        return child

    def leaves(self, how="subprocess.Popen(['sleep', '1000']).pid"):
        return f"import os, subprocess, time\nn = {how}\nopen({str(self.folder / 'child')!r}, 'w').write(str(n))\ntime.sleep(1000)\nresult: int = 1"

    def test_a_child_of_a_node(self):
        self.assert_ends(self.child_of(code_node(self.leaves())))

    def test_a_child_that_heeds_no_signal(self):
        self.assert_ends(self.child_of(code_node(self.leaves("subprocess.Popen(['sh', '-c', 'trap : TERM INT HUP; while :; do sleep 1; done']).pid"))))

    def test_a_child_of_a_node_that_runs_in_the_copy(self):
        document = flow(("first", HONEST, {}), ("dies", "import os\nos._exit(1)\nresult: int = 1", {}), ("leaves", self.leaves(), {}),
                        edges=[("first", "dies"), ("dies", "leaves", "error")])
        self.assert_ends(self.child_of(document))

    def test_what_watches_is_no_child_of_the_node_and_goes_with_it(self):
        code = "import os\ntry:\n    found = os.waitpid(-1, os.WNOHANG)\nexcept ChildProcessError:\n    found = None\nresult: dict = {'found': found, 'group': os.getpgrp()}"
        result = self.good(code_node(code))["result"]
        self.assertIsNone(result["found"])
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                state, _, group = entry.read_text().rpartition(")")[2].split()[:3]
            except OSError:
                continue
            if int(group) == result["group"] and state != "Z":
                self.assert_ends(entry.parent.name)


class FullPipe(Case):
    def test_one_signal_is_enough_though_nobody_reads(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                ours, theirs = os.pipe()
                with self.begin(code_node("result: str = 'x' * 3_000_000"), "--format", "json", stdout=theirs) as started:
                    os.close(theirs)
                    self.wait_for(lambda: processes.is_full(ours), "a full pipe")
                    started.send_signal(number)
                    self.assertEqual(started.wait(SECONDS), 128 + number)
                    self.assertIn(b"interrupted", started.stderr.read())
                os.close(ours)

    def test_a_slow_reader_gets_all_of_it(self):
        with self.begin(code_node("result: str = 'x' * 3_000_000"), "--format", "json", stdout=subprocess.PIPE) as started:
            self.wait_for(lambda: processes.is_full(started.stdout), "a full pipe")
            self.assertEqual(len(json.loads(started.stdout.read())["shared"]["result"]), 3_000_000)
            self.assertEqual(started.wait(SECONDS), 0)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
