#!/usr/bin/env python3
"""Tests of `airlock infer`: rules from layouts of the real world, scored on paths that were not given.

    tests/infer_test.py [--airlock build/airlock] [NAME…]
    tests/infer_test.py --scores       a table: coverage, fields found with name, type and value, for each layout
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import layouts

ROOT = pathlib.Path(__file__).resolve().parent.parent
AIRLOCK = pathlib.Path(os.environ.get("AIRLOCK", ROOT / "build" / "airlock"))
SECONDS = 60


def run(*arguments, stdin=b"", cwd=None):
    if isinstance(stdin, str):
        stdin = stdin.encode("utf-8", "surrogateescape")
    return subprocess.run([str(AIRLOCK), *map(str, arguments)], input=stdin, capture_output=True, timeout=SECONDS, cwd=cwd)


def score(make, count=24, start=1):
    """Infers from `count` paths, extracts from 200 others: coverage, fields with the right value in every row that has
    them, and those whose value is there under another name."""
    r = random.Random(start)
    given = [make(r)[0] for _ in range(count)]
    fresh = [make(r) for _ in range(200)]
    inferred = run("infer", "--format", "json", stdin="\n".join(given) + "\n")
    report = json.loads(inferred.stdout)
    with tempfile.TemporaryDirectory() as folder:
        rule = pathlib.Path(folder, "rule.yaml")
        rule.write_text(report["yaml"], encoding="utf-8")
        done = run("extract", rule, "-", stdin="\n".join(path for path, _ in fresh) + "\n")
    rows = [json.loads(line) for line in done.stdout.decode().splitlines()]
    good = [(row["data"], fields) for row, (_, fields) in zip(rows, fresh) if row["ok"]]
    wanted = list(fresh[0][1])
    named = [f for f in wanted if good and all(data.get(f) == fields[f] and type(data.get(f)) is type(fields[f]) for data, fields in good)]
    valued = [f for f in wanted if good and all(fields[f] in [v for v in data.values() if type(v) is type(fields[f])] for data, fields in good)]
    return {"coverage": len(good) / len(fresh), "wanted": wanted, "named": named, "valued": valued, "report": report}


class Case(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airlock-infer-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def infer(self, paths, *arguments):
        done = run("infer", *arguments, stdin="".join(path + "\n" for path in paths), cwd=self.folder)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def report(self, paths, *arguments):
        code, out, err = self.infer(paths, "--format", "json", *arguments)
        return code, json.loads(out) if out else None, err


def main():
    global AIRLOCK
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--airlock", default=str(AIRLOCK))
    parser.add_argument("--scores", action="store_true")
    parser.add_argument("--show", help="the rule of one layout")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    AIRLOCK = pathlib.Path(arguments.airlock).resolve()
    if arguments.show:
        one = score(layouts.LAYOUTS[arguments.show])
        print(one["report"]["yaml"], "\n".join(one["report"]["unexplained"][:3]), {k: v for k, v in one.items() if k != "report"})
        return 0
    if arguments.scores:
        total = named = valued = 0
        for name, make in layouts.LAYOUTS.items():
            one = score(make)
            total, named, valued = total + len(one["wanted"]), named + len(one["named"]), valued + len(one["valued"])
            held = one["report"]["held_out"]["rate"]
            print(f"{name:16} coverage {one['coverage']:6.1%}  fields {len(one['named'])}/{len(one['wanted'])}"
                  f" (by value {len(one['valued'])})  confidence {one['report']['confidence']:3.0f}  held out {held:4.0%}"
                  f"  {'' if len(one['named']) == len(one['wanted']) else 'not: ' + ', '.join(sorted(set(one['wanted']) - set(one['named'])))}")
        print(f"all: {named}/{total} fields by name, type and value; {valued}/{total} by value")
        return 0
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    tests = [t for group in suite for t in group if not arguments.names or any(n in t.id() for n in arguments.names)]
    result = unittest.TextTestRunner(verbosity=1).run(unittest.TestSuite(tests))
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
