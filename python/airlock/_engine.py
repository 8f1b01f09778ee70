"""The core of a pool: which child there is, and the operations on it, each once, as steps (see _steps.py) that both faces drive.

The child is started with the first use and, when it has ended, with the next one. After a fork the child process has none and starts its
own. Thread-safe; the face says how inboxes are made and where coroutine functions run."""
from __future__ import annotations

import atexit
import base64
import copy
import os
import threading
import weakref
from typing import Any, Callable, Dict, List, Mapping, Optional

from . import _arguments as arguments
from . import errors
from ._connection import Connection, Message, Request, begin_the_end, wait_for_the_end
from ._functions import Calls, Workers, waiting_here
from ._program import find_program
from ._steps import UNDERSTOOD, Inbox, LoopInbox, Steps, ThreadInbox, Wait, expect
from ._values import NotJson, as_json
from .errors import Error, Refused, SessionLost, Usage
from .results import Check, Out, Report, Rule

IDLE = 1_000_000  # seconds: sessions end with their `with`, not by themselves
CANCEL_SECONDS = 10.0  # for a piece to end that was cancelled; the engine kills one that does not heed it long before
MOST_SAMPLES = 10_000
DEFAULTS = {"timeout": 5.0, "memory_mb": 256}
MOST_EARLIER, LONGEST_EARLIER = 200, 16 * 1024  # pieces, and characters of one, that are remembered for for_model()

ENDINGS = {"raised": errors.GuestError, "refused": errors.Refused, "timeout": errors.Timeout, "deadline": errors.Timeout, "memory": errors.MemoryLimit,
           "output": errors.OutputLimit, "violation": errors.Violation, "crashed": errors.Crashed, "cancelled": errors.SessionLost}
# Of a piece that ends with no words of its own.
STOPPED = {"cancelled": "the piece was stopped: its session or its pool was closed"}


class Engine:
    def __init__(self, policy: Any, packages: Any, packages_from: Any, workers: Any, is_async: bool) -> None:
        self.policy = arguments.policy_name(policy)
        self.packages, options = arguments.pool_options(policy, packages, packages_from, workers)
        self._options = ["--idle", str(IDLE), *options]
        self.workers = workers
        self.is_async = is_async
        self.make_inbox: Callable[[], Inbox] = LoopInbox if is_async else ThreadInbox
        self._is_closed = False
        self.begin_again()
        engines.add(self)

    def begin_again(self) -> None:
        """With nothing: at first, and in a child of a fork, where the locks may be held by threads that are not there."""
        self._lock = threading.RLock()  # the collector of garbage may close a pool at any moment, in any thread
        self._connection: Optional[Connection] = None
        self._starting: Optional[List[Inbox]] = None  # who waits for the start that is under way
        self.functions = Workers()

    # ---- the child

    def connected(self) -> Steps[Connection]:
        inbox: Optional[Inbox] = None
        if self._is_closed:
            wait_for_the_end()
            raise Usage("this pool is closed")
        with self._lock:
            connection = self._connection
            if connection is not None and connection.is_alive:
                return connection
            inbox = self.make_inbox()
            if self._starting is None:
                self._starting = [inbox]
                try:
                    threading.Thread(target=self._start, name="airlock-start", daemon=True).start()
                except RuntimeError as error:
                    self._starting = None
                    raise SessionLost(f"the engine could not be started: {error}") from None
            else:
                self._starting.append(inbox)
        message = yield Wait(inbox)
        assert message is not None
        if "failed" in message:
            raise copy.copy(message["failed"])
        started: Connection = message["connection"]
        return started

    def _start(self) -> None:
        message: Message
        try:
            message = {"connection": Connection.start(find_program(), self._options)}
        except Error as error:
            message = {"failed": error}
        except BaseException as error:
            message = {"failed": SessionLost(f"the engine could not be started: {type(error).__name__}: {error}")}
        with self._lock:
            self._connection = message.get("connection")
            waiting, self._starting = self._starting or [], None
            is_closed = self._is_closed
        if is_closed and self._connection is not None:
            self._connection.close(waits=False)
        for inbox in waiting:
            inbox.post(message)

    def close(self, waits: bool = True, is_exit: bool = False) -> None:
        with self._lock:
            self._is_closed = True
            connection = self._connection
        if connection is not None:
            connection.close(waits, is_exit)
        self.functions.close()

    def close_steps(self) -> Steps[None]:
        """The same, for who must not block."""
        inbox = self.make_inbox()

        def close() -> None:
            self.close()
            inbox.post({})
        try:
            threading.Thread(target=close, name="airlock-close", daemon=True).start()
        except RuntimeError:
            close()
        yield Wait(inbox)

    def forget_connection(self) -> None:
        """In a child of a fork."""
        connection = self._connection
        self.begin_again()
        if connection is not None:
            connection.forget()

    @property
    def connection(self) -> Optional[Connection]:
        return self._connection

    # ---- requests

    def ask(self, members: Dict[str, Any], texts: Mapping[str, str] = {}) -> Steps[Any]:
        """One question, one result."""
        return expect((yield from self.hear(members, texts)))

    def hear(self, members: Dict[str, Any], texts: Mapping[str, str] = {}) -> Steps[Optional[Message]]:
        """One question; the message that ends it."""
        connection = yield from self.connected()
        inbox = self.make_inbox()
        request = send(connection, members, inbox, texts)
        try:
            return (yield Wait(inbox))
        except BaseException:
            connection.cancel(request)
            raise

    def check(self, source: Any, policy: Any, signature: Any) -> Steps[Check]:
        told = yield from self.ask({"do": "check", "source": arguments.text("source", source), "policy": arguments.policy_name(policy),
                                    "signature": arguments.flag("signature", signature)})
        with UNDERSTOOD:
            return Check(told["verdict"] == "accepted", told["stage"], told["findings"], told["code"], told["cleaned"], told.get("sha256", ""))

    def validate(self, source: Any, paths: Any, policy: Any, timeout: Any, memory_mb: Any, explore: Any, scan: Any) -> Steps[Report]:
        members = {"do": "validate", "source": arguments.text("source", source), "paths": arguments.paths("paths", paths, MOST_SAMPLES),
                   "policy": arguments.policy_name(policy), "timeout": arguments.number("timeout", timeout),
                   "memory_mb": arguments.number("memory_mb", memory_mb, 1, 4000, above=False),
                   "explore": arguments.whole("explore", explore, 0, 10_000), "scan": arguments.flag("scan", scan)}
        told = yield from self.ask(members)
        with UNDERSTOOD:
            return Report(**{name: told[name] for name in Report.__dataclass_fields__})

    def admit(self, document: Any, root: Any, bare: Any) -> Steps[Dict[str, Any]]:
        members = {"do": "admit", "bare": arguments.flag("bare", bare)}
        if root is not None:
            members["root"] = os.path.abspath(arguments.file_path("root", root))
        try:
            text = as_json(document, MOST_DOCUMENT_LEVELS, tuples=False)
        except NotJson as problem:
            raise Refused("the document is no JSON: " + str(problem), errors=[
                {"type": kind, "path": path, "message": what[:1].upper() + what[1:] + "."} for kind, path, what in problem.problems]) from None
        message = yield from self.hear(members, {"document": text})
        told: Dict[str, Any] = expect(message)
        with UNDERSTOOD:
            # Beside the document: any can be admitted, also one that looks like a refusal.
            if message is not None and message["admitted"] is False:
                raise Refused("; ".join(f"{one['type']}: {one['message']}" for one in told["errors"][:5]), errors=told["errors"])
            return told

    def infer(self, paths: Any, hint: Any) -> Steps[Rule]:
        members = {"do": "infer", "paths": arguments.paths("paths", paths, 10_000_000), "hint": arguments.maybe_text("hint", hint)}
        told = yield from self.ask(members)
        with UNDERSTOOD:
            return Rule(told["yaml"], told["confidence"], told["fields"])

    def run(self, code: Any, inputs: Any, functions: Any, files: Any, on_print: Any, limits: Mapping[str, Any]) -> Steps[Out]:
        """A piece in a session of its own."""
        session = SessionCore(self, functions, files, limits)
        return (yield from session.run(code, inputs, None, on_print, is_single=True))


class SessionCore:
    """A session, as steps. One piece at a time."""

    def __init__(self, engine: Engine, functions: Any, files: Any, limits: Mapping[str, Any]) -> None:
        self.engine = engine
        self._functions, self._told = arguments.functions(functions)
        self._files = arguments.files(files)
        self._limits = arguments.limits(limits)
        self._inputs: Dict[str, str] = {}
        self._earlier: List[str] = []  # pieces, for the names that they set
        self._pid = os.getpid()
        self._busy = threading.Lock()
        self._name: Optional[str] = None
        self._connection: Optional[Connection] = None
        self._lost: Optional[str] = None
        self._is_closed = False

    def describe(self) -> str:
        limits = {**DEFAULTS, **self._limits}
        return arguments_text(self._told, self._inputs, list(self._files), self.engine.packages, limits)

    def _members(self) -> Dict[str, Any]:
        """Of `open`."""
        members: Dict[str, Any] = {"policy": self.engine.policy, **self._limits}
        if self._told:
            members["functions"] = self._told
        if self._files:
            members["files"] = self._files
        return members

    def open(self) -> Steps[None]:
        if self._name is not None:
            return
        connection = yield from self.engine.connected()
        inbox = self.engine.make_inbox()
        request = send(connection, {"do": "open", **self._members()}, inbox)
        try:
            told = expect((yield Wait(inbox)))
            with UNDERSTOOD:
                name = str(told["session"])
        except Error:
            raise
        except BaseException as error:
            # Whoever wanted it has gone; it may be open already, or soon.
            request.post = lambda message: connection.abandon(message["result"]["session"]) if "result" in message else None
            if not isinstance(error, GeneratorExit) and not inbox.is_empty():
                request.post((yield Wait(inbox, 0.0)) or {})
            raise
        self._connection, self._name = connection, name
        self._forgotten = weakref.finalize(self, abandon, connection, name)
        self._forgotten.atexit = False

    def run(self, code: Any, inputs: Any, timeout: Any, on_print: Any, is_single: bool = False) -> Steps[Out]:
        members: Dict[str, Any] = {"do": "run", "code": arguments.text("code", code)}
        text, kinds = arguments.inputs(inputs)
        texts = {} if text is None else {"inputs": text}
        if timeout is not None:
            members["timeout"] = arguments.number("timeout", timeout)
        on_print = arguments.on_print(on_print)
        if on_print is not None:
            members["prints"] = True
        self._take()
        try:
            if is_single:
                members = {**self._members(), **members}
                connection = yield from self.engine.connected()
            else:
                yield from self.open()
                assert self._connection is not None
                connection, members["session"] = self._connection, self._name
            result = yield from self._piece(connection, members, texts, LinePrinter(on_print) if on_print else None)
        finally:
            self._busy.release()
        return self._outcome(members["code"], kinds, result, is_single)

    def _take(self) -> None:
        """Or says why not."""
        if self._pid != os.getpid():
            raise Usage(f"this session was opened by process {self._pid}, and this is {os.getpid()}, forked from it: open a session here")
        if self in waiting_here.get() and self._busy.locked():
            raise Usage("a host function cannot run a piece in the session that waits for it; open another session for that")
        if not self._busy.acquire(blocking=False):
            raise Usage("this session is running a piece already, for another thread or task: a session runs one at a time. "
                        "Open one session for each")
        if self._is_closed or self._lost is not None or (self._connection is not None and self._connection.has_ended):
            self._busy.release()
            if self._is_closed:
                raise Usage("this session is closed")
            wait_for_the_end()
            end = self._connection.end if self._connection is not None else ""
            raise SessionLost(self._lost or f"{end}, and this session with it; open another session")

    def _piece(self, connection: Connection, members: Dict[str, Any], texts: Mapping[str, str], printer: Optional["LinePrinter"]) -> Steps[Dict[str, Any]]:
        """Until its result, or what it ended with."""
        inbox = self.engine.make_inbox()
        calls = Calls(connection, self._functions, self.engine.functions, running_loop(self.engine), self) if self._functions else None
        request = send(connection, members, inbox, texts, calls)
        is_over = False
        try:
            while True:
                message = yield Wait(inbox)
                if message is None or message.get("event") != "printed":
                    break
                if printer is not None:
                    printer.take(message)
            is_over = True
            if printer is not None:
                printer.finish()
        except GeneratorExit:
            self._lose(connection, request)
            raise
        except BaseException:
            if not is_over:
                if calls is not None:
                    calls.end()
                yield from self._cancel(connection, request, inbox)
            raise
        finally:
            if calls is not None:
                calls.end()
        try:
            result: Dict[str, Any] = expect(message)
            return result
        except Usage as error:
            if "there is no session" not in error.message:
                raise
            raise SessionLost(error.message) from None

    def _cancel(self, connection: Connection, request: Request, inbox: Inbox) -> Steps[None]:
        """The piece ends, and the session stays; or the session is lost."""
        connection.cancel(request)
        message: Optional[Message] = None
        try:
            while True:
                message = yield Wait(inbox, CANCEL_SECONDS)
                if message is None or "event" not in message:
                    return
        finally:
            if message is None or "event" in message:
                self._lose(connection, request)

    def _lose(self, connection: Connection, request: Request) -> None:
        self._lost = "a piece was cancelled, and nobody waited for its end; open another session"
        connection.cancel(request)
        if self._name is not None:
            connection.abandon(self._name)

    def _outcome(self, code: str, inputs: Dict[str, str], result: Dict[str, Any], is_single: bool) -> Out:
        with UNDERSTOOD:
            out, ended = out_of(result), result["error"]
            kind = "" if ended is None else str(ended["kind"])
        if out.state_lost:
            self._earlier.clear()
            self._inputs.clear()
        if inputs:
            self._inputs.update(inputs)
        if len(self._earlier) < MOST_EARLIER and len(code) < LONGEST_EARLIER:
            self._earlier.append(code)
        if ended is None:
            return out
        from ._model_text import defined_names
        about = {"code": code, "functions": self._told, "inputs": dict(self._inputs), "files": list(self._files), "packages": self.engine.packages,
                 "memory_mb": self._limits.get("memory_mb", DEFAULTS["memory_mb"]), "defined": defined_names("\n".join(self._earlier)), "is_single": is_single}
        raise ENDINGS.get(kind, Error)(
            ended.get("message") or STOPPED.get(kind, ""), out=out, type=ended.get("type", ""), line=ended.get("line"), traceback=ended.get("traceback") or "",
            findings=ended.get("findings"), denials=out.denials, signal=ended.get("signal"), about=about)

    def close(self) -> Steps[None]:
        """A piece that still runs is ended. Twice is once."""
        if self._is_closed or self._pid != os.getpid():
            self._is_closed = True
            return
        self._is_closed = True
        connection, name = self._connection, self._name
        if connection is None or name is None or not connection.is_alive:
            return
        self._forgotten.detach()
        inbox = self.engine.make_inbox()
        try:
            send(connection, {"do": "close", "session": name}, inbox)
            yield Wait(inbox)
        except SessionLost:
            pass  # closed with its engine


MOST_DOCUMENT_LEVELS = 78  # a line may have 80, and two of them are the request's


def send(connection: Connection, members: Dict[str, Any], inbox: Inbox, texts: Mapping[str, str] = {}, calls: Optional[Calls] = None) -> Request:
    try:
        return connection.ask(members, inbox.post, texts, calls.take if calls else None, is_nested=bool(waiting_here.get()))
    except NotJson as problem:
        raise Usage(f"{members['do']}: {problem}") from None


def running_loop(engine: Engine) -> Any:
    """Where coroutine functions of this caller run; None: on the pool's own."""
    if not engine.is_async:
        return None
    import asyncio
    return asyncio.get_running_loop()


def arguments_text(told: List[Dict[str, Any]], inputs: Dict[str, str], files: List[str], packages: List[str], limits: Mapping[str, Any]) -> str:
    from ._describe import text_about
    return text_about(told, inputs, files, packages, limits["timeout"], int(limits["memory_mb"]))


def abandon(connection: Connection, session: str) -> None:
    if connection.is_alive:
        connection.abandon(session)


def out_of(result: Mapping[str, Any]) -> Out:
    artifacts = result["artifacts"]
    return Out(result["value"], result["shown"], result["stdout"], result["stderr"], result["calls"],
               {name: base64.b64decode(text) for name, text in artifacts.items()} if artifacts else {}, result["denials"], result["elapsed_ms"],
               result["state_lost"], result.get("artifacts_left_out") or [])


class LinePrinter:
    """Calls the user's function once for each line, both streams in their order."""

    def __init__(self, on_print: Callable[[str], Any]) -> None:
        self._on_print = on_print
        self._begun: Dict[str, str] = {}  # of each stream: a line without its end

    def take(self, message: Message) -> None:
        stream = message["stream"]
        *lines, rest = (self._begun.pop(stream, "") + message["text"]).split("\n")
        if rest:
            self._begun[stream] = rest
        for line in lines:
            self._on_print(line)

    def finish(self) -> None:
        for line in self._begun.values():
            self._on_print(line)


engines: "weakref.WeakSet[Engine]" = weakref.WeakSet()


def after_fork() -> None:
    for engine in list(engines):
        engine.forget_connection()


def at_exit() -> None:
    begin_the_end()
    for engine in list(engines):
        engine.close(is_exit=True)


os.register_at_fork(after_in_child=after_fork)
atexit.register(at_exit)
