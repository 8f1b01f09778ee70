"""The one harness. `Case` is a test with a folder, a state and an environment of its own, and the one way to run airlock; `main` is
how a test file runs: which tests, with which program, and the last line `N passed, N failed[, N skipped]`.

    tests/FOLDER/X_test.py [--airlock build/airlock] [NAME…]     only the tests whose names contain one of NAME

A test with several failing sub-tests is one failure. No test at all is a failure.
"""
import argparse
import contextlib
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
AIRLOCK = pathlib.Path(os.environ.get("AIRLOCK", ROOT / "build" / "airlock"))
SECONDS = 60  # seconds; a safety net against hangs, not a measure of speed
IS_SANITIZED = bool(os.environ.get("AIRLOCK_SANITIZED"))  # the program takes far more address space and time
# Whoever starts the tests may ignore these (nohup, a shell's &), which programs inherit; tests send them and wait for the end.
for _number in (signal.SIGHUP, signal.SIGINT):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)

LOOK_AGAIN = 0.005  # seconds between two looks at what is waited for


def wait_for(condition, what="it", seconds=SECONDS):
    """The first true value of `condition()`. What must come is waited for; no test sleeps for a fixed time."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what} did not happen in {seconds} s")
        time.sleep(LOOK_AGAIN)
    return found


@functools.cache
def has_user_namespaces():
    """Without them, as in a chroot, a session has neither /data nor /out."""
    return subprocess.run(["unshare", "--user", "--map-root-user", "true"], capture_output=True).returncode == 0


def needs_files(test):
    """A test of what a session reads in /data or writes to /out."""
    @functools.wraps(test)
    def asked(self, *given):
        if not has_user_namespaces():
            self.skipTest("this host has no user namespaces, so sessions have no files")
        return test(self, *given)
    return asked


def start(*words, program=None, before=(), **options):
    """A process of airlock, with the words of another command before it when there are any (`prlimit`, `unshare`)."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([*map(str, before), program or AIRLOCK, *(word if isinstance(word, bytes) else str(word) for word in words)], **options)


def finish(process, given=None, seconds=SECONDS):
    """Waits for its end: `returncode`, `stdout` and `stderr` as bytes, `out` and `err` as texts."""
    try:
        stdout, stderr = process.communicate(given, timeout=seconds)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    done = subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)
    done.out, done.err = ((stream or b"").decode("utf-8", "replace") for stream in (stdout, stderr))
    for word in ("terminate called", "Sanitizer", "bug in airlock"):
        if word in done.err:
            raise AssertionError(done.err)
    return done


def airlock(*words, stdin=None, seconds=SECONDS, **options):
    """Runs it to its end. `stdin` is what it is given to read (bytes or a text), or what subprocess takes."""
    given = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin
    if isinstance(given, bytes):
        options["stdin"] = subprocess.PIPE
    elif given is not None:
        options["stdin"], given = given, None
    return finish(start(*words, **options), given, seconds)


def end(process):
    """Whatever a test has left of it."""
    if process.poll() is None:
        process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            with contextlib.suppress(BrokenPipeError):  # what was not taken any more
                stream.close()
    process.wait()


def remove(folder):
    subprocess.run(["rm", "-rf", "--", str(folder)], check=False)  # any depth, any name


class Case(unittest.TestCase):
    """A test with a folder of its own. What airlock keeps is in `home`; of the machine's environment it sees nothing."""
    maxDiff = 4000
    SECONDS = SECONDS

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="airlock-test-"))
        self.addCleanup(remove, self.folder)
        self.home = self.folder / "state"
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8", "AIRLOCK_HOME": str(self.home)}

    def write(self, name, content, mode=None):
        """Bytes, a text, or what becomes JSON; the path of the file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (bytes, str)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape"))
        if mode:
            path.chmod(mode)
        return path

    def start(self, *words, **options):
        """A process of airlock that the test goes on with; it does not outlive the test."""
        process = start(*words, **{"cwd": self.folder, "env": self.environment, **options})
        self.addCleanup(end, process)
        return process

    def finish(self, process, given=None):
        return finish(process, given, self.SECONDS)

    def airlock(self, *words, code=None, **options):
        """Runs it to its end; `code` is the exit code that it must have."""
        done = airlock(*words, **{"cwd": self.folder, "env": self.environment, "seconds": self.SECONDS, **options})
        if code is not None:
            self.assertEqual(done.returncode, code, done.out[-2000:] + done.err)
        return done

    def json(self, *words, code=0, **options):
        """The report of a command that has one in JSON."""
        return json.loads(self.airlock(*words, "--format", "json", code=code, **options).out)

    def wait_for(self, condition, what="it"):
        return wait_for(condition, what, self.SECONDS)

    def assert_refused(self, done, *words, code=2):
        """One complaint in words, and nothing on standard output."""
        self.assertEqual((done.returncode, done.out), (code, ""), done.err)
        self.assertRegex(done.err, r"\Aairlock: ")
        for word in words:
            self.assertIn(word, done.err)


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
