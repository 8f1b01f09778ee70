"""What the tests of `airlock run` share: nodes and flows made of a few lines, and how they are run."""
import json
import os
import sys

from support import harness

ROOT = harness.ROOT
SECONDS = harness.SECONDS
MARK = "💡 Suggestions:"
NOT_INTERRUPTIBLE = "sum(range(10**15))"  # one call into C that looks at no signal

sys.path.insert(0, str(ROOT / "library"))  # for those who ask the node's steps one by one


def code_node(code, **params):
    return {"type": "code", "params": {"code": code, **params}}


def flow(*nodes, edges=None, **rest):
    document = {"nodes": [{"id": name, "type": "code", "params": {"code": code, **params}} for name, code, params in nodes], **rest}
    if edges is not None:
        document["edges"] = [dict(zip(("from", "to", "action"), edge)) for edge in edges]
    return document


class MinimalHost:
    """What the steps of a node need of a host, and no more: no clock and no store."""
    armed = False

    def began(self, timeout):
        pass

    def ended(self):
        return False

    def watched(self, what, *arguments):
        return what(*arguments)

    def failed(self, error):
        pass


class Runs(harness.Case):
    """Trusted nodes run with the user's environment and where the user is."""

    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "AIRLOCK_HOME": str(self.home), "NO_COLOR": "1"}

    def command(self, *words, stdin=None, cwd=None):
        done = self.airlock("run", *words, stdin=stdin, cwd=cwd)
        return done.returncode, done.out, done.err

    def run_it(self, document, *arguments, shared=None, name="node.json"):
        words = [self.write(name, document), "--format", "json", *arguments]
        if shared is not None:
            words += ["--shared", self.write("shared.json", shared)]
        code, out, err = self.command(*words)
        self.assertNotIn("bug in airlock", err)
        try:
            return code, json.loads(out), err
        except ValueError:
            self.fail(f"no JSON: exit {code}\n{out}\n{err}")

    def good(self, document, *arguments, **rest):
        code, report, err = self.run_it(document, *arguments, **rest)
        self.assertEqual((code, report["action"]), (0, "default"), (report, err))
        return report["shared"]

    def bad(self, document, *words, kind=None, phase=None, shared=None, arguments=()):
        """The node fails, and its error holds the words. Returns the report."""
        code, report, err = self.run_it(document, *arguments, shared=shared)
        self.assertEqual((code, report["action"]), (1, "error"), (report, err))
        for word in words:
            self.assertIn(word, report["shared"]["error"])
        if kind:
            self.assertEqual(report["failure"]["type"], kind)
        if phase:
            self.assertEqual(report["failure"]["phase"], phase)
        return report
