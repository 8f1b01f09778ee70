#!/usr/bin/env python3
"""`airlock.AsyncPool`: the same with await; cancellation, loops that are closed, many at once, a notebook's running loop.

    tests/python/async_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import asyncio
import contextvars
import gc
import os
import pathlib
import signal
import sys
import threading
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, package, processes
from support.package import EXTRACTOR, SPIN

import airlock

AIRLOCK = harness.AIRLOCK
HEEDLESS = "print(1)\nsum(range(10 ** 15))"  # one call of C code: nothing can be raised in it


class Case(package.Case):
    def go(self, main):
        """Runs main(pool) to its end."""
        async def whole():
            async with airlock.AsyncPool() as pool:
                return await asyncio.wait_for(main(pool), harness.SECONDS)
        return asyncio.run(whole())


class Calls(Case):
    def test_everything_with_await(self):
        async def main(pool):
            async with pool.session(functions={"add": lambda a, b: a + b}) as session:
                out = await session.run("print('x')\nadd(1, n)", inputs={"n": 2}, on_print=printed.append)
                self.assertEqual((out.value, out.stdout), (3, "x\n"))
                self.assertIn("def add(a, b): ...", session.describe())
            self.assertEqual((await pool.run("5")).value, 5)
            self.assertFalse((await pool.check("import os\n")).accepted)
            report = await pool.validate(EXTRACTOR, ["/a/b"])
            self.assertEqual((report.valid, report.test_results["passed"]), (True, 1))
            self.assertEqual(await pool.admit({"a": 1}, bare=True), {"a": 1})
            with self.assertRaises(airlock.Refused):
                await pool.admit({"token": 1}, bare=True)
            self.assertIn("version: 1", (await pool.infer(["/d/2023/a.csv", "/d/2024/b.csv"])).yaml)
            self.assertEqual([row["data"]["length"] async for row in pool.extract(EXTRACTOR, ["/a", "/bc"])], [2, 3])
        printed = []
        self.go(main)
        self.assertEqual(printed, ["x"])

    def test_functions_run_on_the_callers_loop(self):
        who = contextvars.ContextVar("who")

        async def where():
            await asyncio.sleep(0)
            return [asyncio.get_running_loop() is loop, who.get()]

        async def main(pool):
            nonlocal loop
            loop = asyncio.get_running_loop()
            who.set("ann")
            async with pool.session(functions={"where": where}) as session:
                self.assertEqual((await session.run("await where()")).value, [True, "ann"])
        loop = None
        self.go(main)

    def test_ordinary_functions_do_not_block_the_loop(self):
        go_on = threading.Event()

        async def main(pool):
            async with pool.session(functions={"wait": lambda: go_on.wait(harness.SECONDS)}) as session:
                piece = asyncio.ensure_future(session.run("wait()"))
                await pool.run("1")  # meanwhile
                self.assertFalse(piece.done())
                go_on.set()
                self.assertTrue((await piece).value)
        self.go(main)

    def test_a_thousand_sessions_gathered(self):
        async def one(pool, number):
            async with pool.session() as session:
                return (await session.run("n + 1", inputs={"n": number})).value

        async def main(pool):
            return await asyncio.gather(*(one(pool, number) for number in range(1000)))
        self.assertEqual(self.go(main), list(range(1, 1001)))

    def test_one_session_twice_at_once(self):
        async def main(pool):
            async with pool.session(functions={"wait": asyncio.sleep}) as session:
                results = await asyncio.gather(session.run("await wait(0.1)"), session.run("2"), return_exceptions=True)
                self.assertIsInstance(results[1], airlock.Usage)
                self.assertIsInstance(results[0], airlock.Out)
        self.go(main)

    def test_a_function_that_runs_the_session_again(self):
        async def again():
            return (await session.run("1")).value

        async def main(pool):
            nonlocal session
            async with pool.session(functions={"again": again}) as session:
                with self.assertRaises(airlock.GuestError) as caught:
                    await session.run("await again()")
                self.assertEqual(caught.exception.type, "Usage")
        session = None
        self.go(main)

    def test_wrong_arguments(self):
        async def main(pool):
            for call in (lambda: pool.run(3), lambda: pool.check(None), lambda: pool.validate(EXTRACTOR, "x"), lambda: pool.infer([]), lambda: pool.run("1", inputs=[])):
                with self.assertRaises(airlock.Usage):
                    await call()
            self.assert_usage(lambda: pool.extract(EXTRACTOR, 3), "paths")
        self.go(main)


class Cancelling(Case):
    def test_a_cancelled_piece_leaves_the_session(self):
        async def main(pool):
            async with pool.session(timeout=600, deadline=600) as session:
                await session.run("kept = 1")
                begun = asyncio.Event()
                piece = asyncio.ensure_future(session.run(f"print(1)\n{SPIN}", on_print=lambda text: begun.set()))
                await begun.wait()
                piece.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await piece
                self.assertEqual((await session.run("kept")).value, 1)
        self.go(main)

    def test_a_piece_that_does_not_heed_it_loses_its_state_and_no_more(self):
        async def main(pool):
            async with pool.session(timeout=600, deadline=600) as session:
                begun = asyncio.Event()
                piece = asyncio.ensure_future(session.run(HEEDLESS, on_print=lambda text: begun.set()))
                await begun.wait()
                piece.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await piece
                out = await session.run("1")
                self.assertEqual((out.value, out.state_lost), (1, True))
        self.go(main)

    def test_cancelled_twice_the_session_is_told_lost(self):
        async def main(pool):
            async with pool.session(timeout=600, deadline=600) as session:
                begun = asyncio.Event()
                piece = asyncio.ensure_future(session.run(HEEDLESS, on_print=lambda text: begun.set()))
                await begun.wait()
                piece.cancel()
                await asyncio.sleep(0)  # it is told
                piece.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await piece
                with self.assertRaises(airlock.SessionLost):
                    await session.run("1")
            self.assertEqual((await pool.run("2")).value, 2)
        self.go(main)

    def test_wait_for(self):
        async def main(pool):
            async with pool.session(timeout=600, deadline=600) as session:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(session.run(SPIN), 0.2)
                self.assertEqual((await session.run("3")).value, 3)
        self.go(main)

    def test_a_function_under_way_when_its_piece_is_cancelled(self):
        async def main(pool):
            async with pool.session(functions={"hang": hang}) as session:
                piece = asyncio.ensure_future(session.run("kept = 4\nawait hang()"))
                await begun.wait()
                piece.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await piece
                self.assertEqual((await session.run("kept")).value, 4)

        async def hang():
            begun.set()
            await asyncio.sleep(3600)

        async def whole():
            nonlocal begun
            begun = asyncio.Event()
            async with airlock.AsyncPool() as pool:
                await asyncio.wait_for(main(pool), harness.SECONDS)
        begun = None
        asyncio.run(whole())

    def test_a_cancelled_piece_cancels_its_functions(self):
        async def main(pool):
            begun, ended = asyncio.Event(), asyncio.Event()

            async def hang():
                begun.set()
                try:
                    await asyncio.sleep(3600)
                finally:
                    ended.set()
            async with pool.session(functions={"hang": hang}) as session:
                piece = asyncio.ensure_future(session.run("await hang()"))
                await begun.wait()
                piece.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await piece
                await ended.wait()
        self.go(main)

    def test_an_open_that_is_cancelled_leaves_no_session(self):
        async def main(pool):
            for _ in range(1100):  # more than the engine has room for
                session = pool.session()
                opening = asyncio.ensure_future(session.__aenter__())
                await asyncio.sleep(0)
                opening.cancel()
                await asyncio.gather(opening, return_exceptions=True)
            self.assertEqual((await pool.run("1")).value, 1)
            async with pool.session() as session:
                self.assertEqual((await session.run("2")).value, 2)
        self.go(main)

    def test_other_requests_are_cancelled_too(self):
        async def main(pool):
            source = f"def extract(path):\n    {SPIN}\n    return {{}}\n"
            for call in (lambda: pool.validate(source, ["/a"] * 100, timeout=600), lambda: pool.run(SPIN, timeout=600, deadline=600)):
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(call(), 0.2)
            connection = pool._engine.connection
            while connection._under_way:
                await asyncio.sleep(0.01)
        self.go(main)


class Loops(Case):
    def test_a_session_keeps_its_pool(self):
        async def main():
            session = airlock.AsyncPool().session()
            gc.collect()
            self.assertEqual((await session.run("1")).value, 1)
            await session.close()
        asyncio.run(main())

    def test_what_a_coroutine_function_raises_is_raised_inside(self):
        class Own(BaseException):
            pass

        async def fails(number):
            raise (SystemExit(4), Own("far"), ValueError("no"))[number]

        async def main(pool):
            async with pool.session(functions={"fails": fails}) as session:
                for number, name in enumerate(("SystemExit", "Own", "ValueError")):
                    with self.assertRaises(airlock.GuestError) as caught:
                        await session.run(f"await fails({number})")
                    self.assertEqual(caught.exception.type, name)
        self.go(main)

    def test_a_second_loop(self):
        pool = airlock.AsyncPool()
        self.addCleanup(pool._engine.close)
        for number in range(3):
            self.assertEqual(asyncio.run(pool.run("n", inputs={"n": number})).value, number)

    def test_a_loop_that_is_closed_in_the_middle(self):
        """Whatever was under way is forgotten, and the pool goes on."""
        pool = airlock.AsyncPool()
        self.addCleanup(pool._engine.close)

        async def fetch():
            raise AssertionError("never")
        session = pool.session(functions={"fetch": fetch}, timeout=20)
        loop = asyncio.new_event_loop()
        loop.run_until_complete(session.run("kept = 1"))
        piece = loop.create_task(session.run("try:\n    await fetch()\nexcept RuntimeError as error:\n    told = str(error)"))
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
        piece._log_destroy_pending = False
        del piece
        self.assertEqual(asyncio.run(pool.run("2")).value, 2)

    def test_the_engine_dies_and_the_next_call_starts_another(self):
        async def main(pool):
            async with pool.session(timeout=600, deadline=600) as session:
                begun = asyncio.Event()
                pieces = [asyncio.ensure_future(session.run(f"print(1)\n{SPIN}", on_print=lambda text: begun.set()))]
                pieces += [asyncio.ensure_future(pool.run(SPIN, timeout=600, deadline=600)) for _ in range(99)]
                await begun.wait()
                os.kill(self.child_of(pool), signal.SIGKILL)
                results = await asyncio.gather(*pieces, return_exceptions=True)
                self.assertEqual({type(one) for one in results}, {airlock.SessionLost})
            self.assertEqual((await pool.run("1")).value, 1)
        self.go(main)

    def test_a_closed_pool(self):
        async def main(pool):
            await pool.close()
            await pool.close()
            with self.assertRaises(airlock.Usage):
                await pool.run("1")
        self.go(main)
        self.assertFalse([one for one in processes.descendants(os.getpid()) if processes.is_alive(one)])

    def test_a_start_that_fails_is_told_to_everybody(self):
        self.set_environment(AIRLOCK_PROGRAM="/nosuch")

        async def main():
            pool = airlock.AsyncPool()
            results = await asyncio.gather(*(pool.run("1") for _ in range(10)), return_exceptions=True)
            self.assertEqual({type(one) for one in results}, {airlock.Usage})
            self.assertEqual(len(set(map(id, results))), 10)
        asyncio.run(main())

    def test_the_other_pool_in_a_running_loop(self):
        """As in a notebook: a loop runs in the main thread."""
        async def main():
            async def later(x):
                await asyncio.sleep(0.001)
                return x
            with airlock.Pool() as pool, pool.session(functions={"later": later}) as session:
                self.assertEqual(session.run("await later(5)").value, 5)
                self.assertEqual(airlock.run("6").value, 6)
        asyncio.run(main())


class Rows(Case):
    def test_paths_may_be_asynchronous(self):
        async def paths():
            for number in range(500):
                yield f"/{number}"
                if number % 100 == 0:
                    await asyncio.sleep(0)

        async def main(pool):
            return [row["path"] async for row in pool.extract(EXTRACTOR, paths())]
        self.assertEqual(self.go(main), [f"/{number}" for number in range(500)])

    def test_asynchronous_paths_may_depend_on_rows(self):
        """The next path is known when the row of the last one is there."""
        async def main(pool):
            known = asyncio.Queue()
            known.put_nowait("/x")

            async def paths():
                while (path := await known.get()) is not None:
                    yield path
            got = []
            async for row in pool.extract(EXTRACTOR, paths()):
                got.append(row["path"])
                known.put_nowait(row["path"] + "x" if len(got) < 20 else None)
            return got
        self.assertEqual(self.go(main), ["/" + "x" * number for number in range(1, 21)])

    def test_what_asynchronous_paths_raise_is_raised_after_the_rows_before(self):
        async def raises(count):
            for number in range(count):
                yield f"/{number}"
            raise KeyError("mine")

        async def has_none(count):
            for number in range(count):
                yield f"/{number}"
            yield 5

        async def main(pool):
            for make, kind in ((raises, KeyError), (has_none, airlock.Usage)):
                for count in (0, 1, 100, 3000):
                    got = []
                    with self.assertRaises(kind):
                        async for row in pool.extract(EXTRACTOR, make(count)):
                            got.append(row["path"])
                    self.assertEqual(got, [f"/{number}" for number in range(count)])
            with self.assertRaises(airlock.Refused):
                async for row in pool.extract("import os\ndef extract(path):\n    return {}\n", raises(3)):
                    pass
        self.go(main)

    def test_many_rows_leave_the_loop_to_others(self):
        """Between two turns of another task there are few paths, and few rows."""
        taken = rows = 0
        seen = []

        def paths():
            nonlocal taken
            for number in range(20_000):
                taken += 1
                yield f"/{number}"

        async def others():
            while True:
                seen.append((taken, rows))
                await asyncio.sleep(0)

        async def main(pool):
            nonlocal rows
            task = asyncio.ensure_future(others())
            async for _ in pool.extract(EXTRACTOR, paths()):
                rows += 1
            task.cancel()
        with unittest.mock.patch("airlock.async_pool.Turn.LONGEST", -1.0):  # seconds: each look at the clock is a turn of others
            self.go(main)
        self.assertEqual((taken, rows), (20_000, 20_000))
        self.assertLess(max(after - before for one, other in zip(seen, seen[1:]) for before, after in zip(one, other)), 1000)

    def test_leaving_asynchronous_paths_in_the_middle(self):
        async def main(pool):
            ended = asyncio.Event()

            async def paths():
                try:
                    yield "/a"
                    await asyncio.Event().wait()
                finally:
                    ended.set()
            rows = pool.extract(EXTRACTOR, paths())
            self.assertEqual((await rows.__anext__())["path"], "/a")
            await rows.aclose()
            await ended.wait()
        self.go(main)

    def test_leaving_in_the_middle(self):
        async def main(pool):
            rows = pool.extract(EXTRACTOR, (f"/{number}" for number in range(10 ** 9)))
            async for row in rows:
                break
            await rows.aclose()
            connection = pool._engine.connection
            while connection._under_way:
                await asyncio.sleep(0.01)
            return row
        self.assertEqual(self.go(main)["path"], "/0")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
