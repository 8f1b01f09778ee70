"""An event loop without a selector. What waits in a session is only ever a host function, a sleep or a thread, so the loop waits for the next
result on the cell's own socket, or until the next timer; while there are other threads it looks up often."""
import asyncio
import asyncio.base_events
import asyncio.events
import threading

import _airlock_session as wire
from airlock_session import functions


class Deadlock(Exception):
    """Every task waits, and nothing is left that could wake one: without us it would be until the time is up."""


LOOK_EVERY = 0.001  # seconds, for what other threads have left
WORDS = "every task waits, and there is nothing left that could wake one"


class Waiter:
    """In the place of a selector."""

    def select(self, timeout):
        if threading.active_count() > 1:
            timeout = LOOK_EVERY if timeout is None else min(timeout, LOOK_EVERY)
        if functions.futures:
            functions.receive(timeout)
        elif timeout is None:
            raise Deadlock
        elif timeout > 0:
            wire.sleep(timeout)
        return []

    def close(self):
        pass


class Loop(asyncio.base_events.BaseEventLoop):
    def __init__(self):
        super().__init__()
        self._selector = Waiter()

    def _process_events(self, events):
        """There are none: results are taken as they come."""

    def _write_to_self(self):
        """Wakes the loop out of another thread; one that sleeps here looks again by itself."""

    def run_in_executor(self, executor, func, *args):
        """Where there are no threads, the work is done here and now."""
        if executor is not None or wire.has_threads:
            return super().run_in_executor(executor, func, *args)
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except StopIteration as error:
            future.set_exception(RuntimeError(f"StopIteration: {error}"))
        except Exception as error:
            future.set_exception(error)
        return future

    async def shutdown_default_executor(self):
        """Waits for what its threads are at; without one of its own."""
        self._executor_shutdown_called = True
        if self._default_executor is not None:
            self._default_executor.shutdown(wait=True)


class Policy(asyncio.events.BaseDefaultEventLoopPolicy):
    _loop_factory = Loop

    def get_child_watcher(self):
        raise NotImplementedError("there are no processes here")


run_alone = asyncio.run


def run(main, *, debug=None):
    """asyncio.run(), also in a piece that waits at its top level: our own loop stands still meanwhile."""
    outer = asyncio.events._get_running_loop()
    if not isinstance(outer, Loop):
        return run_alone(main, debug=debug)
    task = asyncio.current_task(outer)
    asyncio.events._set_running_loop(None)
    asyncio.tasks._leave_task(outer, task)
    try:
        return run_alone(main, debug=debug)
    finally:
        asyncio.tasks._enter_task(outer, task)
        asyncio.events._set_running_loop(outer)
        asyncio.set_event_loop(outer)


def install():
    asyncio.set_event_loop_policy(Policy())
    asyncio.run = run


class Runner:
    """One loop for all pieces of a session: a task that one piece has started goes on when another waits."""

    def __init__(self):
        self.loop = None

    def run_until_complete(self, task):
        """A deadlock is raised where the task waits."""
        try:
            return self.loop.run_until_complete(task)
        except Deadlock:
            pass
        waits_for = task._fut_waiter
        if waits_for is None or waits_for.done():
            raise RuntimeError(WORDS)
        waits_for.set_exception(RuntimeError(WORDS))
        return self.loop.run_until_complete(task)

    def run(self, coroutine):
        if self.loop is None or self.loop.is_closed():
            self.loop = Loop()
        asyncio.set_event_loop(self.loop)
        task = self.loop.create_task(coroutine)
        try:
            return self.run_until_complete(task)
        except BaseException:
            if not task.done():  # interrupted: what was at work ends, other tasks stay
                task.cancel()
                for _ in range(100):
                    if task.done():
                        break
                    self.loop.call_soon(self.loop.stop)
                    self.loop.run_forever()
            raise
