"""What the tests of `airlock gather` share: places with a repository, probes made of a few lines, reports that can be asked."""
import json
import os
import pathlib
import tempfile
import textwrap
import time
import unittest

from support import harness

ROOT = harness.ROOT
SECONDS = harness.SECONDS
BUILT_IN = {"language_detection", "repository"}
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
IS_ROOT = os.geteuid() == 0
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # for what only makes many files
SLOW = os.environ.get("AIRLOCK_SLOW_TESTS") == "1"

OK = "return ProbeOutput({'ok': 1})"


def probe_source(run=OK, name="p", attributes="", head=""):
    return ("import os, sys, time\nfrom airlock.probe import Probe, ProbeOutput\n" + head + "\n\n"
            f"class It(Probe):\n    name = {name!r}\n" + textwrap.indent(attributes, "    ") +
            "\n\n    def run(self, repo, ctx):\n" + textwrap.indent(run, "        ") + "\n")


class Done:
    """What came of one run."""

    def __init__(self, code, out, err, took, peak_kb=0):
        self.code, self.raw, self.took, self.peak_kb = code, out, took, peak_kb
        self.out, self.err = out.decode("utf-8"), err.decode("utf-8")

    @property
    def report(self):
        return json.loads(self.out)

    def execution(self, name):
        return self.report["executions"][name]

    def status(self, name):
        return self.execution(name)["status"]

    def statuses(self):
        return {name: one["status"] for name, one in self.report["executions"].items() if name not in BUILT_IN}

    def facts(self, name):
        return self.report["outputs"][name]["schema_slice"]


class Place:
    """A folder with a repository, a state and probes in it."""

    def __init__(self, in_memory=False):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airlock-test-", dir=MEMORY if in_memory else None))
        self.home = self.folder / "state"
        self.repo = self.folder / "repo"
        self.repo.mkdir()
        (self.repo / "a.py").write_text("print(1)\n")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8",
                            "AIRLOCK_HOME": str(self.home), "CANARY_VARIABLE": "canary"}

    def remove(self):
        harness.remove(self.folder)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def probe(self, name="p", run=OK, attributes="", head="", file=None):
        return self.file(file or name + ".py", probe_source(run, name, attributes, head))

    def command(self, arguments):
        return [os.fsencode(harness.AIRLOCK)] + [one if isinstance(one, bytes) else os.fsencode(str(one)) for one in arguments]

    def airlock(self, *arguments, seconds=SECONDS, cwd=None, environment=None):
        start = time.monotonic()
        done = harness.airlock(*(one if isinstance(one, bytes) else os.fsencode(str(one)) for one in arguments), seconds=seconds,
                               cwd=cwd or self.folder, env=environment or self.environment)
        return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - start)

    def gather(self, *probes, repo=None, options=(), form="json", **more):
        named = [word for one in probes for word in ("--probe", one)]
        return self.airlock("gather", repo if repo is not None else self.repo, *named, *options, "--format", form, **more)


class Case(unittest.TestCase):
    maxDiff = harness.Case.maxDiff
    IN_MEMORY = False

    def setUp(self):
        self.place = Place(self.IN_MEMORY)
        self.addCleanup(self.place.remove)
        self.folder, self.repo, self.home = self.place.folder, self.place.repo, self.place.home
        self.probe, self.gather, self.airlock = self.place.probe, self.place.gather, self.place.airlock

    def assert_failed(self, done, name, *words):
        """Failed by its own fault: said in words, with an output of low confidence, and nothing else is harmed."""
        self.assertIn(done.code, (0, 1), done.err)
        self.assertEqual(done.err, "")
        one = done.execution(name)
        self.assertEqual(one["status"], "failed", one)
        output = done.report["outputs"][name]
        self.assertEqual((output["schema_slice"], output["raw_artifacts"], output["confidence"]), ({}, [], "low"))
        self.assertTrue(output["errors"][0].startswith(one["reason"][:100]), (output, one))
        for word in words:
            self.assertRegex(one["reason"], word)

    def assert_ran(self, done, name="p"):
        self.assertEqual((done.code, done.err), (0, ""), done.out)
        self.assertEqual(done.execution(name)["status"], "ran", done.execution(name))

    def assert_refused(self, done, *words):
        self.assertEqual((done.code, done.out), (2, ""), done.err)
        self.assertRegex(done.err, r"\Aairlock: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.err)


class Together(Case):
    """Many probes in one run; each is a test of its own."""
    BODIES = {}
    OPTIONS = ()

    @classmethod
    def prepare(cls, place):
        pass

    @classmethod
    def sources(cls):
        return {name: probe_source(body, name) for name, (body, *_) in cls.BODIES.items()}

    @classmethod
    def setUpClass(cls):
        cls.shared = Place()
        cls.addClassCleanup(cls.shared.remove)
        cls.prepare(cls.shared)
        probes = [cls.shared.file(name + ".py", text) for name, text in cls.sources().items()]
        cls.before = sorted(path.name for path in cls.shared.folder.iterdir())
        cls.done = cls.shared.gather(*probes, options=("--jobs", "4", *cls.OPTIONS), seconds=120)

    @classmethod
    def make_tests(cls, kind, check):
        for name, case in cls.BODIES.items():
            setattr(cls, f"test_{kind}_{name}", lambda self, name=name, case=case: check(self, name, *case[1:]))

