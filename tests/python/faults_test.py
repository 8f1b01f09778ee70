#!/usr/bin/env python3
"""What goes wrong around the Python package: wrong arguments, programs that are not there or of another version, hosts without isolation,
an engine that dies, forks, signals, the end of the program. Each is a clear error, and nothing is left behind.

    tests/python/faults_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import ast
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, package, processes
from support.package import CRASH, EXTRACTOR, SPIN

import airlock

AIRLOCK = harness.AIRLOCK
NAN = float("nan")
HUGE = 10 ** 400  # more than a float holds


class Arguments(package.Case):
    """Wrong ones are a Usage at the call, which names the argument, what was given and what is wanted."""

    def setUp(self):
        super().setUp()
        self.one = self.pool()

    def test_of_a_pool(self):
        for name, values in {"policy": (3, None, b"node", ["node"], "\0", "\0.toml"), "packages": ("numpy", 5, [1], ["no name"], ["a,b"], [None]),
                             "packages_from": (3, object(), "\0"), "workers": (0, -1, 1.5, "2", True, 5000)}.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    for kind in (airlock.Pool, airlock.AsyncPool):
                        self.assert_usage(lambda: kind(**{name: value}), name, type(value).__name__ if not isinstance(value, list) else "")

    def test_of_a_pool_that_the_engine_knows_better(self):
        for options, words in (({"policy": "nosuch"}, "nosuch"), ({"packages": ["nosuch_package"]}, "nosuch_package"),
                               ({"packages_from": "/nosuch/folder"}, "/nosuch/folder"), ({"policy": "/nosuch/mine.toml"}, "/nosuch/mine.toml")):
            with self.subTest(**options):
                self.assert_usage(lambda: airlock.Pool(**options), words)

    def test_of_a_session(self):
        os.mkdir(self.folder / "folder")
        wrong = {"timeout": (0, -1, NAN, "5", True, float("inf"), [], HUGE), "deadline": (0, "x", HUGE), "memory_mb": (0, 0.5, 10 ** 9, "256", HUGE),
                 "output_bytes": (-1, 1.5, 10 ** 12), "max_calls": (-1, "many"), "strict": (1, "yes"),
                 "functions": ([len], len, {"a b": len}, {"for": len}, {3: len}, {"f": 3}, {"f": None}),
                 "files": ("x", ["x"], {"a/b": __file__}, {"": __file__}, {"..": __file__}, {3: __file__}, {"a": 3}, {"a": "/nosuch"}, {"a": "\0"}, {"a": self.folder / "folder"})}
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_usage(lambda: self.one.session(**{name: value}), name)
                    self.assert_usage(lambda: self.one.run("1", **{name: value}), name)
                    self.assert_usage(lambda: airlock.AsyncPool().session(**{name: value}), name)

    def test_of_a_piece(self):
        session = self.session(self.one)
        deep = []
        for _ in range(100):
            deep = [deep]
        wrong = {"code": (3, None, b"1", "\ud800"), "timeout": (0, "5", NAN, HUGE), "on_print": (3, "print"),
                 "inputs": ([1], "x", {"a b": 1}, {3: 1}, {"class": 1}, {"None": 1}, {"a": {1}}, {"a": NAN}, {"a": object()}, {"a": {"b": [b"x"]}}, {"a": {1: 2}}, {"a": deep}, {"a": "\ud800"})}
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=str(value)[:40]):
                    self.assert_usage(lambda: session.run(**{"code": "1", name: value}), name)
        with self.assertRaises(airlock.Usage) as caught:
            session.run("1", inputs={"rows": [{"day": object()}]})
        self.assertIn("object is not a JSON value at ['rows'][0]['day']", str(caught.exception))
        self.assertEqual(session.run("1").value, 1)

    def test_of_check_and_validate(self):
        for name, values in {"source": (3, None, b"x", "\ud800"), "policy": (3, "nosuch"), "signature": (1, "no")}.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_usage(lambda: self.one.check(**{"source": "x", name: value}), name)
        wrong = {"source": (3,), "paths": ("/a", 3, [], [3], [None], ["a\0b"], ["\udcff"], {"/a"}.__len__), "policy": (None, "nosuch", "\0"), "timeout": (0, "x", None, HUGE),
                 "memory_mb": (0, "x"), "explore": (-1, 1.5, "x"), "scan": (0, None)}
        for name, values in wrong.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_usage(lambda: self.one.validate(**{"source": EXTRACTOR, "paths": ["/a"], name: value}), "policy" if name == "policy" else name)

    def test_of_extract_admit_and_infer(self):
        for value in (3, None, "", b"x\n", "nosuch", "/nosuch/x.py", ["x"], "\ud800\n", "\0.py", "\0"):
            with self.subTest(extractor=value):
                self.assert_usage(lambda: list(self.one.extract(value, ["/a"])), "extractor")
        for value in (3, None, "/a", b"/a", [3], ["/a", None]):
            with self.subTest(paths=value):
                self.assert_usage(lambda: list(self.one.extract(EXTRACTOR, value)), "paths")
        for name, values in {"root": (3, object(), "\0"), "bare": (1, None)}.items():
            for value in values:
                with self.subTest(name=name, value=value):
                    self.assert_usage(lambda: self.one.admit(**{"document": {}, name: value}), name)
        for name, values in {"paths": (3, "/a", [], [None]), "hint": (3, "x" * 1000)}.items():
            for value in values:
                with self.subTest(name=name, value=str(value)[:20]):
                    self.assert_usage(lambda: self.one.infer(**{"paths": ["/a/b"], name: value}), name)

    def test_more_than_fits_into_a_line(self):
        for call in (lambda: self.one.check("x" * (65 << 20)), lambda: self.one.run("1", inputs={"x": "y" * (65 << 20)})):
            self.assert_usage(call, "at most")
        self.assertEqual(self.one.run("1").value, 1)

    def test_a_document_that_is_no_json_is_refused(self):
        for document, kind, path in (({"a": b"x"}, "JSONValueError", ["a"]), ({"a": [(1,)]}, "JSONValueError", ["a", 0]), ({1: 2}, "JSONValueError", []),
                                     ({"a": NAN}, "JSONValueError", ["a"]), ({"token": 1}, "SecretLikelyFieldNameError", ["token"]), ({"a": {len}}, "JSONValueError", ["a"])):
            with self.assertRaises(airlock.Refused) as caught:
                self.one.admit(document, bare=True)
            self.assertEqual([(one["type"], one["path"]) for one in caught.exception.errors], [(kind, path)])


class Programs(package.Case):
    def test_no_program_to_be_found(self):
        if (package.PACKAGE / "airlock" / "bin" / "airlock").exists():
            self.skipTest("the programs are in this package")
        self.set_environment(AIRLOCK_PROGRAM=None, PATH=str(self.folder))
        self.assert_usage(airlock.Pool, "not found", "PATH", "AIRLOCK_PROGRAM")

    def test_one_that_is_named_and_is_none(self):
        for path in (self.folder / "nosuch", self.folder, self.write("text", "x")):
            self.set_environment(AIRLOCK_PROGRAM=str(path))
            self.assert_usage(airlock.Pool, str(path))

    def test_one_on_the_path(self):
        os.symlink(harness.AIRLOCK, self.folder / "airlock")
        self.set_environment(AIRLOCK_PROGRAM=None, PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(self.pool().run("1").value, 1)

    def test_an_older_and_a_newer_one(self):
        for protocol, which in ((0, "program"), (2, "package")):
            self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", f"""echo '{{"protocol": {protocol}, "version": "9.8.7"}}'\ncat > /dev/null\n""")))
            self.assert_usage(airlock.Pool, "9.8.7", f"protocol {protocol}", "protocol 1", airlock.__version__, f"the {which} is the older one")

    def test_one_that_is_something_else(self):
        for text in ("echo hello\n", "echo '[1]'\n", "echo '{\"a\": 1}'\ncat > /dev/null\n"):
            self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", text)))
            self.assert_usage(airlock.Pool, "is no airlock")
        self.set_environment(AIRLOCK_PROGRAM=str(self.write("broken", "\x7fELF", mode=0o755)))
        self.assert_usage(airlock.Pool, "cannot be started")

    def test_one_that_ends_at_once(self):
        for code, kind in ((2, airlock.Usage), (3, airlock.NoIsolation), (70, airlock.SessionLost)):
            self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", f"echo 'airlock: these words' >&2\nexit {code}\n")))
            with self.assertRaises(kind) as caught:
                airlock.Pool()
            self.assertTrue(str(caught.exception).startswith("these words"))

    def test_a_host_without_isolation(self):
        lesser = harness.ROOT / "tests" / "support" / "lesser_host.py"
        for call in ("seccomp=EPERM", "prctl/38=EPERM", "unshare=EPERM"):
            with self.subTest(call):
                self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", f'exec {sys.executable} {lesser} {call} -- {harness.AIRLOCK} "$@"\n')))
                with self.assertRaises(airlock.NoIsolation) as caught:
                    airlock.Pool().run("print('ran')")
                self.assertIn("airlock doctor", str(caught.exception))

    def test_one_that_speaks_nonsense_later(self):
        self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", """echo '{"protocol": 1, "version": "1"}'\nread line\necho nonsense\ncat > /dev/null\n""")))
        pool = self.pool()
        with self.assertRaises(airlock.SessionLost) as caught:
            pool.run("1")
        self.assertIn("cannot be understood", str(caught.exception))


class Deaths(package.Case):
    def test_the_child_is_killed_in_the_middle_of_100_calls(self):
        pool = self.pool()
        began = threading.Semaphore(0)
        first = self.child_of(pool)

        def work(number):
            with pool.session(timeout=600, deadline=600, functions={"begin": began.release}) as session:
                session.run(f"begin()\n{SPIN}")

        def kill():
            for _ in range(8):  # as many as run at once
                began.acquire()
            os.kill(first, signal.SIGKILL)
        killer = threading.Thread(target=kill)
        killer.start()
        results = self.in_threads(100, work)
        killer.join()
        self.assertEqual({type(one) for one in results}, {airlock.SessionLost}, results[:3])
        self.assertEqual([one for one in results if "SIGKILL" not in str(one)], [])
        self.assertEqual(pool.run("1").value, 1)
        self.assertNotEqual(self.child_of(pool), first)

    def test_the_child_is_killed_while_nobody_calls(self):
        pool = self.pool()
        session = pool.session()
        os.kill(self.child_of(pool), signal.SIGKILL)
        self.wait_for(lambda: not pool._engine.connection.is_alive)
        with self.assertRaises(airlock.SessionLost):
            session.run("1")
        session.close()
        self.assertEqual(pool.run("1").value, 1)

    def test_the_child_is_killed_in_the_middle_of_rows(self):
        pool = self.pool()
        rows = pool.extract(EXTRACTOR, (f"/p/{number}" for number in range(10 ** 9)))
        next(rows)
        os.kill(self.child_of(pool), signal.SIGKILL)
        with self.assertRaises(airlock.SessionLost):
            for _ in rows:
                pass
        self.assertEqual(len(list(pool.extract(EXTRACTOR, ["/a"]))), 1)

    def test_a_cell_that_is_killed_costs_its_session_alone(self):
        pool = self.pool()
        one, other = self.session(pool), self.session(pool)
        other.run("kept = 1")
        with self.assertRaises(airlock.Crashed):
            one.run(CRASH)
        self.assertEqual(other.run("kept").value, 1)

    def test_kill_9_of_the_program_ends_the_child_and_its_cells(self):
        process = self.program(f"""
            import airlock
            pool = airlock.Pool()
            with pool.session(timeout=600, deadline=600) as session:
                session.run("print('at work')\\n{SPIN}", on_print=lambda text: print(text, flush=True))
        """)
        self.assertEqual(process.stdout.readline(), b"at work\n")
        found = processes.descendants(process.pid)
        self.assertGreater(len(found), 1)
        process.kill()
        self.assert_nothing_left(found)

    def test_a_closed_pool(self):
        pool = self.pool()
        session = pool.session()
        found = processes.descendants(os.getpid())
        pool.close()
        pool.close()
        self.assert_nothing_left(found)
        for call in (lambda: pool.run("1"), pool.session, lambda: pool.check("x"), lambda: pool.admit({}), lambda: list(pool.extract(EXTRACTOR, ["/a"])),
                     lambda: pool.validate(EXTRACTOR, ["/a"]), lambda: pool.infer(["/a"])):
            self.assert_usage(call, "this pool is closed")
        with self.assertRaises(airlock.SessionLost):
            session.run("1")
        session.close()

    def test_closing_a_pool_whose_engine_was_stopped(self):
        with unittest.mock.patch("airlock._connection.END_SECONDS", 0.2):
            pool = self.pool()
            pool.run("1")
            found = processes.descendants(os.getpid())
            os.kill(self.child_of(pool), signal.SIGSTOP)
            pool.close()
        self.assert_nothing_left(found)

    def test_closing_a_pool_ends_what_others_wait_for(self):
        pool = self.pool()
        session = pool.session(timeout=600, deadline=600)
        results = self.in_threads(1, lambda number: session.run(f"print(1)\n{SPIN}", on_print=lambda text: threading.Thread(target=pool.close).start()))
        self.assertIsInstance(results[0], airlock.SessionLost)
        self.assertIn("closed", str(results[0]))

    def test_a_closed_session(self):
        session = self.session()
        session.close()
        session.close()
        self.assert_usage(lambda: session.run("1"), "this session is closed")

    def test_closing_a_session_ends_its_piece(self):
        session = self.session(timeout=600, deadline=600)
        results = self.in_threads(1, lambda number: session.run(f"print(1)\n{SPIN}", on_print=lambda text: threading.Thread(target=session.close).start()))
        self.assertIsInstance(results[0], airlock.SessionLost)

    def test_a_thousand_sessions_at_once(self):
        pool = self.pool()
        open_sessions = self.in_threads(1000, lambda number: pool.session())
        self.assertEqual({type(one) for one in open_sessions}, {airlock.Session}, [one for one in open_sessions if not isinstance(one, airlock.Session)][:3])
        outs = self.in_threads(1000, lambda number: open_sessions[number].run("n * 2", inputs={"n": number}))
        self.assertEqual([out.value for out in outs], [number * 2 for number in range(1000)])

    def test_pickling(self):
        pool = self.pool()
        for one in (pool, pool.session(), airlock.AsyncPool(), airlock.AsyncPool().session()):
            with self.assertRaises(TypeError) as caught:
                pickle.dumps(one)
            self.assertIn("cannot be pickled", str(caught.exception))


class Forks(package.Case):
    def test_a_pool_of_the_parent_is_not_used_by_the_child(self):
        done = self.run_program("""
            import os, airlock
            pool = airlock.Pool()
            session = pool.session()
            session.run("kept = 1")
            mine = pool._engine.connection.child
            if os.fork() == 0:
                print("child", pool.run("2").value, pool._engine.connection.child != mine, airlock.run("3").value, flush=True)
                for call in (lambda: session.run("1"),):
                    try:
                        call()
                    except airlock.Usage as error:
                        print("forked" in str(error), flush=True)
                session.close()
                raise SystemExit(0)  # with all that happens at exit
            print("status", os.wait()[1])
            print("parent", session.run("kept").value, pool.run("4").value, pool._engine.connection.child == mine)
        """)
        self.assertEqual(done.out, "child 2 True 3\nTrue\nstatus 0\nparent 1 4 True\n", done.err)
        self.assertEqual(done.err, "")

    def test_fork_in_the_middle_of_calls(self):
        done = self.run_program("""
            import os, threading, airlock
            pool = airlock.Pool()
            end = threading.Event()
            counts = []
            def work():
                count = 0
                with pool.session(functions={"f": lambda x: x}) as session:
                    while not end.is_set() or count < 5:
                        assert session.run("f(1)").value == 1
                        count += 1
                counts.append(count)
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for number in range(10):
                child = os.fork()
                if child == 0:
                    code = 0 if pool.run("1 + 1").value == 2 else 1
                    pool.close()
                    os._exit(code)
                assert os.waitpid(child, 0)[1] == 0
            end.set()
            for thread in threads:
                thread.join()
            print(len(counts))
        """)
        self.assertEqual((done.out, done.err), ("4\n", ""))

    def test_fork_in_the_middle_of_rows(self):
        """Rows that were asked for by the parent are no child's: it is told so, and neither waits nor takes them away."""
        done = self.run_program("""
            import os, airlock
            pool = airlock.Pool()
            source = "def extract(path: str) -> dict:\\n    return {'n': len(path)}\\n"
            for taken in (1, 64, 100):
                rows = pool.extract(source, (f"/{number}" for number in range(20_000)))
                for _ in range(taken):
                    next(rows)
                if os.fork() == 0:
                    try:
                        print(len(list(rows)), flush=True)
                    except airlock.Usage as error:
                        print("forked" in str(error), flush=True)
                    os._exit(0)
                print(os.wait()[1], len(list(rows)) + taken, flush=True)
        """)
        self.assertEqual((done.out, done.err), ("True\n0 20000\n" * 3, ""))

    def test_fork_while_a_piece_is_waited_for(self):
        done = self.run_program("""
            import os, threading, airlock
            pool = airlock.Pool()
            forked = threading.Event()
            def fork(text):
                if os.fork() != 0:
                    forked.set()
            try:
                print(pool.run("print(1)\\nwait()\\n2", functions={"wait": forked.wait}, on_print=fork).value, os.wait()[1], flush=True)
            except airlock.Usage as error:
                print("forked" in str(error), flush=True)
                os._exit(0)
        """)
        self.assertEqual((done.out, done.err), ("True\n2 0\n", ""))

    def test_multiprocessing(self):
        done = self.run_program("""
            import multiprocessing, airlock
            def work(number):
                return airlock.run("n * 2", inputs={"n": number}).value
            if __name__ == "__main__":
                print(airlock.run("1").value)
                for method in ("fork", "spawn"):
                    with multiprocessing.get_context(method).Pool(2) as workers:
                        print(workers.map(work, range(4)))
        """)
        self.assertEqual((done.out, done.err), ("1\n[0, 2, 4, 6]\n[0, 2, 4, 6]\n", ""))


class Threads(package.Case):
    """There may be none to be had: what needs one is an error, and what does not goes on."""

    def none(self, *names):
        """None of these names can be started."""
        start = threading.Thread.start

        def refuse(thread):
            if thread.name in names:
                raise RuntimeError("can't start new thread")
            start(thread)
        return unittest.mock.patch("threading.Thread.start", refuse)

    def test_for_functions(self):
        async def later():
            return 2
        session = self.session(functions={"now": lambda: 1, "later": later, "gives": lambda: later()})
        for code, names in (("now()", ["airlock-function"]), ("await later()", ["airlock-loop", "airlock-function"]), ("gives()", ["airlock-loop"])):
            with self.subTest(code), self.none(*names):
                with self.assertRaises(airlock.GuestError) as caught:
                    session.run(code)
                self.assertEqual((caught.exception.type, caught.exception.message), ("RuntimeError", "can't start new thread"))
        self.assertEqual([session.run(code).value for code in ("now()", "await later()", "gives()")], [1, 2, 2])

    def test_for_the_engine(self):
        for name in ("airlock-start", "airlock-reader"):
            pool = self.pool()
            os.kill(self.child_of(pool), signal.SIGKILL)
            self.wait_for(lambda: not pool._engine.connection.is_alive)
            with self.subTest(name):
                with self.none(name):
                    for _ in range(2):
                        with self.assertRaisesRegex(airlock.SessionLost, "can't start new thread"):
                            pool.run("1")
                self.assertEqual(pool.run("1").value, 1)
        self.assertEqual([one for one in processes.descendants(os.getpid()) if processes.is_alive(one) and one[0] == self.child_of(pool)][1:], [])

    def test_for_requests_that_wait_their_turn(self):
        pool = self.pool()
        with self.none("airlock-writer"):
            values = self.in_threads(300, lambda number: pool.run("n", inputs={"n": number}).value)
        self.assertEqual(values, list(range(300)))

    def test_idle_ones_end_with_their_pool(self):
        async def later():
            return 2
        pool = self.pool()
        self.assertEqual(pool.run("[now(), await later()]", functions={"now": lambda: 1, "later": later}).value, [1, 2])
        pool.close()
        self.wait_for(lambda: not [one for one in threading.enumerate() if one.name.startswith("airlock-")], "the end of the threads")


class Odd(package.Case):
    """An engine that speaks the right protocol, and says what nobody understands: an Error that says so."""

    def test_answers_without_what_they_must_have(self):
        calls = (lambda pool: pool.run("1"), lambda pool: pool.session(), lambda pool: pool.check("x"), lambda pool: pool.validate(EXTRACTOR, ["/a"]), lambda pool: pool.infer(["/a"]),
                 lambda pool: list(pool.extract(EXTRACTOR, ["/a"])))
        for answer in ('"result": {}', '"result": 3', '"result": null', '"error": {}', '"error": "words"', '"other": 1'):
            self.set_environment(AIRLOCK_PROGRAM=str(self.script("other", f"""echo '{{"protocol": 1, "version": "1"}}'
number=0
while read line; do number=$((number + 1)); echo '{{"id": '$number', {answer}}}'; done
""")))
            pool = self.pool()
            for number, call in enumerate(calls):
                with self.subTest(answer=answer, call=number), self.assertRaises(airlock.Error) as caught:
                    call(pool)
                self.assertIn("a bug in airlock", str(caught.exception))


class Ends(package.Case):
    """At the end of the program: no hang, no noise, nothing left."""

    def assert_quiet(self, text, out="", code=0):
        done = self.run_program("import os, sys, threading, time, airlock\n" + text, code=code)
        self.assertEqual((done.out, done.err), (out, ""))

    def test_everything_left_open(self):
        self.assert_quiet("pool = airlock.Pool()\nsession = pool.session()\nsession.run('1')\nairlock.run('1')\nrows = pool.extract('def extract(path):\\n    return {}\\n', map(str, range(10**9)))\nnext(rows)\n")

    def test_a_thread_that_waits(self):
        self.assert_quiet(f"pool = airlock.Pool()\nbegun = threading.Event()\n"
                          f"threading.Thread(target=lambda: pool.run('f()\\n{SPIN}', functions={{'f': begun.set}}, timeout=600, deadline=600), daemon=True).start()\nbegun.wait()\n")

    def test_threads_that_go_on(self):
        source = "def extract(path: str) -> dict:\\n    return {}\\n"
        self.assert_quiet(f"pool = airlock.Pool()\nbegun = threading.Semaphore(0)\n"
                          f"def rows():\n    for row in pool.extract('{source}', map(str, range(10**9))):\n        begun.release()\n"
                          f"def pieces():\n    with pool.session() as session:\n        while True:\n            session.run('1')\n            begun.release()\n"
                          f"def runs():\n    while True:\n        pool.run('1')\n        begun.release()\n"
                          f"for work in (rows, pieces, runs):\n    threading.Thread(target=work, daemon=True).start()\n    begun.acquire()\n")

    def test_what_runs_at_exit_is_answered(self):
        """From Python 3.12 on no thread can be started then: what needs one is told so, and nothing waits for ever."""
        done = self.run_program("""
            import atexit, airlock
            pool = airlock.Pool()
            def late():
                print(pool.run("1").value)
                for call in (lambda: pool.run("f()", functions={"f": lambda: 2}), lambda: airlock.run("3")):
                    try:
                        print(call().value)
                    except airlock.Error as error:
                        print("can't create new thread" in str(error))
            atexit.register(late)
        """)
        self.assertRegex(done.out, r"\A1\n(2|True)\n(3|True)\n\Z")
        self.assertEqual(done.err, "")

    def test_a_function_that_never_returns(self):
        self.assert_quiet("pool = airlock.Pool()\ntry:\n    pool.run('f()', functions={'f': threading.Event().wait}, deadline=0.2)\nexcept airlock.Timeout:\n    print('over')\n", "over\n")

    def test_sys_exit_and_an_exception(self):
        self.assert_quiet("airlock.run('1')\nsys.exit(3)\n", code=3)

    def test_a_pool_that_nobody_has_any_more(self):
        pool = self.pool()
        child = self.child_of(pool)
        self.doCleanups_of(pool)
        del pool
        self.wait_for(lambda: processes.is_gone(child), "the end of its engine")

    def doCleanups_of(self, pool):
        self._cleanups = [one for one in self._cleanups if getattr(one[0], "__self__", None) is not pool]

    def test_ctrl_c_cancels_the_piece_and_keeps_the_session(self):
        process = self.program(f"""
            import airlock, signal
            signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run where a shell has it ignored
            with airlock.Pool() as pool, pool.session(timeout=600, deadline=600) as session:
                session.run("kept = 1")
                try:
                    session.run("print('at work')\\n{SPIN}", on_print=lambda text: print(text, flush=True))
                except KeyboardInterrupt:
                    print(session.run("kept").value)
        """, start_new_session=True)
        self.assertEqual(process.stdout.readline(), b"at work\n")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
        done = self.finish(process)
        self.assertEqual((done.returncode, done.out, done.err), (0, "1\n", ""))

    def test_a_terminal_that_goes_away(self):
        process = self.program("import airlock\npool = airlock.Pool()\nprint('ready', flush=True)\ninput()\n", start_new_session=True)
        process.stdout.readline()
        found = processes.descendants(process.pid)
        os.killpg(process.pid, signal.SIGHUP)
        process.wait()
        self.assert_nothing_left(found)


class Package(package.Case):
    """What the package promises about itself."""

    def files(self):
        found = sorted((package.PACKAGE / "airlock").glob("*.py"))
        self.assertGreater(len(found), 10)
        return found

    def test_python_3_9_reads_it(self):
        for path in [*self.files(), *sorted((harness.ROOT / "examples" / "python").glob("*.py"))]:
            ast.parse(path.read_bytes(), str(path), feature_version=(3, 9))

    def test_every_file_says_what_it_is(self):
        for path in self.files():
            self.assertTrue(ast.get_docstring(ast.parse(path.read_bytes())), path)

    def test_it_needs_the_standard_library_alone(self):
        from airlock._model_text import MODULES
        known = {*MODULES, "__future__"}
        frameworks = {"pandas", "dask", "distributed", "numpy"}  # of adapters, when they are used
        for path in self.files():
            for node in ast.walk(ast.parse(path.read_bytes())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
                for name in names:
                    self.assertIn(name.partition(".")[0], known | (frameworks if path.stem in frameworks | {"_frames"} else set()), path)

    def test_help_shows_an_example(self):
        done = subprocess.run([sys.executable, "-c", "import airlock; help(airlock)"], env={**self.environment, "PYTHONPATH": str(package.PACKAGE), "PAGER": "cat"},
                              capture_output=True, text=True, check=True)
        for words in ("with airlock.Pool() as pool:", "class AsyncPool", "for_model", "Opens a session."):
            self.assertIn(words, done.stdout)

    def test_help_explains_every_argument(self):
        """Of what one calls first; and shows types as one writes them."""
        import inspect
        for function, more in ((airlock.run, ""), (airlock.Pool.session, ""), (airlock.Session.run, ""), (airlock.Pool, airlock.Pool.__init__.__doc__ or "")):
            for name in inspect.signature(function).parameters:
                if name != "self":
                    self.assertIn(name, (function.__doc__ + more).replace("`", ""), f"{function.__qualname__}({name})")
        for function in (airlock.run, airlock.extract, airlock.Pool, airlock.AsyncPool.run, airlock.Session.run, airlock.Error):
            self.assertNotIn("'Optional", str(inspect.signature(function)))

    def test_every_public_name_has_a_doc_string(self):
        for name in airlock.__all__:
            if name == "__version__":
                continue
            one = getattr(airlock, name)
            self.assertTrue(one.__doc__, name)
            for member, value in vars(one).items() if isinstance(one, type) else ():
                if callable(value) and not member.startswith("_"):
                    self.assertTrue(value.__doc__, f"{name}.{member}")

    def test_the_probes_contract_is_the_one_inside(self):
        self.assertEqual(airlock.probe.Probe.tier, "task_specific")
        self.assertFalse((harness.ROOT / "library" / "airlock" / "probe.py").exists())

    def test_importing_it_starts_nothing(self):
        done = self.run_program("import sys, threading, airlock\nprint(threading.active_count(), {'asyncio', 'difflib', 'logging'} & set(sys.modules))", env={"AIRLOCK_PROGRAM": "/nosuch"})
        self.assertEqual(done.out, "1 set()\n")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
