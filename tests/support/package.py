"""Tests of the Python package: the one of this tree, with the program under test, in this process or in one of its own."""
import os
import pathlib
import subprocess
import sys
import textwrap
import threading

from support import harness, processes

PACKAGE = harness.ROOT / "python"
if PACKAGE.is_dir():
    sys.path.insert(0, str(PACKAGE))
else:  # the tests stand alone, and the wheel is installed
    import airlock
    PACKAGE = pathlib.Path(airlock.__file__).resolve().parents[1]

SPIN = "while True: pass"
CRASH = "import faulthandler\nfaulthandler._read_null()"
EXTRACTOR = "def extract(path: str) -> dict:\n    return {'length': len(path)}\n"


class Case(harness.Case):
    """A test with pools of its own. `airlock` is the package."""

    def setUp(self):
        super().setUp()
        self.set_environment(AIRLOCK_PROGRAM=str(harness.AIRLOCK), AIRLOCK_HOME=str(self.home))

    def set_environment(self, **variables):
        """Of this process; None takes one away."""
        for name, value in variables.items():
            before = os.environ.get(name)
            self.addCleanup(os.environ.__setitem__ if before is not None else os.environ.pop, *((name, before) if before is not None else (name, None)))
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    def pool(self, **options):
        import airlock
        pool = airlock.Pool(**options)
        self.addCleanup(pool.close)
        return pool

    def child_of(self, pool):
        """The process id of its engine."""
        return pool._engine.connection.child

    def session(self, pool=None, **options):
        session = (pool or self.pool()).session(**options)
        self.addCleanup(session.close)
        return session

    def assert_usage(self, call, *words):
        import airlock
        with self.assertRaises(airlock.Usage) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))

    def program(self, text, *words, before=(), python=sys.executable, **options):
        """A program of its own that imports the package; its process."""
        path = self.write("program.py", textwrap.dedent(text))
        environment = {**self.environment, "PYTHONPATH": str(PACKAGE), "AIRLOCK_PROGRAM": str(harness.AIRLOCK), "PYTHONWARNINGS": "error", **options.pop("env", {})}
        process = subprocess.Popen([*before, python, path, *map(str, words)], cwd=self.folder, env=environment,
                                   **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
        self.addCleanup(harness.end, process)
        return process

    def run_program(self, text, *words, code=0, **options):
        done = self.finish(self.program(text, *words, **options))
        self.assertEqual(done.returncode, code, done.out + done.err)
        return done

    def assert_nothing_left(self, found):
        self.wait_for(lambda: not [one for one in found if processes.is_alive(one)], "the end of all that was started")

    def in_threads(self, count, work):
        """What work(number) gives or raises, for each of so many threads at once."""
        results = [None] * count

        def one(number):
            try:
                results[number] = work(number)
            except BaseException as error:
                results[number] = error
        threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(self.SECONDS)
            self.assertFalse(thread.is_alive(), "a thread still waits")
        return results

    def script(self, name, text):
        """A program of a shell, to stand in for airlock."""
        return self.write(name, "#!/bin/sh\n" + text, mode=0o755)


def folder(path):
    return pathlib.Path(path).resolve().parent
