"""How a file of whole-command tests is run: which tests, with which program, and the last line `N passed, N failed[, N skipped]`.

    tests/X_test.py [--airlock build/airlock] [NAME…]     only the tests whose names contain one of NAME

A test with several failing sub-tests is one failure. No test at all is a failure.
"""
import argparse
import os
import pathlib
import sys
import unittest

AIRLOCK = pathlib.Path(os.environ.get("AIRLOCK", pathlib.Path(__file__).resolve().parent.parent / "build" / "airlock"))


class Outcome(unittest.TextTestResult):
    """Knows which tests failed, each once."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.bad = set()

    def addFailure(self, test, error):
        self.bad.add(test.id())
        super().addFailure(test, error)

    def addError(self, test, error):
        self.bad.add(test.id())
        super().addError(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            self.bad.add(test.id())
        super().addSubTest(test, subtest, error)


def main(description):
    """Runs the tests of the file that was started, whose AIRLOCK is set to the program; returns the exit code."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--airlock", type=pathlib.Path, default=AIRLOCK)
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    file = sys.modules["__main__"]
    file.AIRLOCK = arguments.airlock.resolve()
    if not file.AIRLOCK.is_file():
        print(f"there is no program {file.AIRLOCK}: run scripts/build first\n0 passed, 1 failed")
        return 1
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in arguments.names] or None
    outcome = unittest.TextTestRunner(sys.stdout, resultclass=Outcome, verbosity=1).run(loader.loadTestsFromModule(file))
    skipped = {test.id() for test, _ in outcome.skipped} - outcome.bad
    for test, reason in outcome.skipped:
        print(f"skipped: {test.id()}: {reason}")
    passed = outcome.testsRun - len(outcome.bad) - len(skipped)
    print(f"{passed} passed, {len(outcome.bad)} failed" + (f", {len(skipped)} skipped" if skipped else ""), flush=True)
    return 1 if outcome.bad or not outcome.testsRun else 0
