"""How a file of whole-command tests is run: which tests, with which program, and the last line `N passed, N failed[, N skipped]`.

    tests/FOLDER/X_test.py [--airlock build/airlock] [NAME…]     only the tests whose names contain one of NAME

A test with several failing sub-tests is one failure. No test at all is a failure.
"""
import argparse
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AIRLOCK = pathlib.Path(os.environ.get("AIRLOCK", ROOT / "build" / "airlock"))


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


def main(description, **asides):
    """Runs the tests of the file that was started; its AIRLOCK and the one here are set to the program. Returns the exit code.

    An aside is what the file does instead of testing: `scores=print_scores` makes `--scores [WORD…]` call it with the words."""
    global AIRLOCK
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--airlock", type=pathlib.Path, default=AIRLOCK)
    parser.add_argument("names", nargs="*", metavar="NAME")
    for word in asides:
        parser.add_argument(f"--{word}", nargs="*", metavar="WORD")
    arguments = parser.parse_args()
    file = sys.modules["__main__"]
    program = arguments.airlock.resolve()
    if not program.is_file():
        print(f"there is no program {program}: run scripts/build first\n0 passed, 1 failed")
        return 1
    with tempfile.TemporaryDirectory(prefix="programs-", dir=program.parent) as folder:
        os.chmod(folder, 0o755)  # other users run them too
        AIRLOCK = file.AIRLOCK = own_programs(program, pathlib.Path(folder))
        for word, function in asides.items():
            if (given := getattr(arguments, word)) is not None:
                function(*given)
                return 0
        return run(file, arguments.names)


def own_programs(program, folder):
    """Under a name of this file's own: its processes are told from those of other tests at the same time."""
    for name in (program.name, "airlock-host"):
        if (program.parent / name).exists():
            os.link(program.parent / name, folder / name)
    return folder / program.name


def run(file, names):
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in names] or None
    outcome = unittest.TextTestRunner(sys.stdout, resultclass=Outcome, verbosity=1).run(loader.loadTestsFromModule(file))
    skipped = {test.id() for test, _ in outcome.skipped} - outcome.bad
    for test, reason in outcome.skipped:
        print(f"skipped: {test.id()}: {reason}")
    passed = outcome.testsRun - len(outcome.bad) - len(skipped)
    print(f"{passed} passed, {len(outcome.bad)} failed" + (f", {len(skipped)} skipped" if skipped else ""), flush=True)
    return 1 if outcome.bad or not outcome.testsRun else 0
