"""One child, `airlock serve --stdio`, and the conversation with it: one JSON document a line, both ways, over one socket.

Who does what:
(1) Whoever asks writes its own line. One thread for each connection reads, and gives each message to the request that it belongs to; it
    never writes and never runs code of the user's, so what the engine says is always heard.
(2) A request ends with exactly one message that has "result", "error" or "lost"; a request that is made after the end is refused.
(3) The engine takes 256 requests at once. More wait here; a few places are kept for requests that a host function makes, since those
    end before the piece that called it does.
(4) A line is written whole, or not at all, whatever interrupts the writer.
(5) The collector of garbage runs at any moment, in any thread, also in one that holds a lock of ours. What it finds (sessions and rows that
    nobody has any more) calls abandon() and cancel_soon(), which wait for no lock.
(6) Nothing here is used by a forked child: `forget()` is all that it may call.
(7) There may be no thread to be had (a limit, the end of the program): then the thread that reads writes, too.
"""
from __future__ import annotations

import collections
import itertools
import json
import os
import signal
import socket
import subprocess
import threading
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Type

from ._values import line_of
from .errors import Error, NoIsolation, SessionLost, Usage

PROTOCOL = 1
VERSION = "0.1.0"  # of this package; the engine says its own
MOST_REQUESTS = 256
KEPT_FOR_FUNCTIONS = 32
MOST_BYTES = 192 * 1024 * 1024  # of requests under way; the engine refuses more than 256 MiB
CHUNK = 256 * 1024
LAST_WORDS = 2000  # bytes of what the engine wrote to its standard error
ENDING = "the engine has ended"  # until its exit code is known
END_SECONDS = 5.0  # for the engine to end when it was told to; then it is killed

FORKED = "this was begun by the process that this one was forked from, and its engine answers there: begin it here again"

Message = Dict[str, Any]
Post = Callable[[Message], None]
OnCall = Callable[["Request", Message], None]


class Request:
    """One question under way. `post` takes its messages, in their order, in the reading thread."""
    __slots__ = ("number", "post", "on_call", "line", "is_nested", "is_sent", "is_cancelled")

    def __init__(self, number: int, post: Post, on_call: Optional[OnCall], line: bytes, is_nested: bool) -> None:
        self.number, self.post, self.on_call, self.line, self.is_nested = number, post, on_call, line, is_nested
        self.is_sent = self.is_cancelled = False


class Connection:
    """Made by start(). Safe to use from many threads."""

    def __init__(self, child: "subprocess.Popen[bytes]", ours: socket.socket, words: int, program: str) -> None:
        self.pid = os.getpid()
        self.program = program
        self._child, self._socket, self._words = child, ours, words
        self._ids = itertools.count(1)
        self._sending = threading.Lock()
        self._lock = threading.Lock()  # of the four below
        self._under_way: Dict[int, Request] = {}
        self._bytes = 0
        self._waiting: Deque[Request] = collections.deque()
        self._end: Optional[str] = None  # why there is nobody to ask any more
        self._is_closing = self._is_silent = False
        self._abandoned: Deque[str] = collections.deque()  # sessions that nobody has any more
        self._cancelled: Deque[Request] = collections.deque()  # to be told when the line is free
        self._pieces: List[bytes] = []  # of a line that is not whole yet
        self._reader = threading.Thread(target=self._read, name="airlock-reader", daemon=True)

    @classmethod
    def start(cls, program: str, options: Sequence[str]) -> "Connection":
        """Starts the child and hears its first line. Raises NoIsolation, Usage, SessionLost."""
        ours, theirs = socket.socketpair()
        words = os.memfd_create("airlock-stderr", os.MFD_CLOEXEC)
        try:
            # In a session of its own: Ctrl-C at a terminal is for the Python program, and cancels what that waits for.
            child = subprocess.Popen([program, "serve", "--stdio", *options], stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=words,
                                     start_new_session=True)
        except OSError as error:
            ours.close()
            os.close(words)
            raise Usage(f"{program} cannot be started: {error.strerror or error}") from None
        finally:
            theirs.close()
        connection = cls(child, ours, words, program)
        try:
            connection._greet()
            connection._reader.start()
        except BaseException:
            connection._reap(0)
            ours.close()
            os.close(words)
            raise
        return connection

    @property
    def is_alive(self) -> bool:
        return self._end is None

    @property
    def has_ended(self) -> bool:
        """And why is known."""
        return self._end is not None and self._end != ENDING

    @property
    def end(self) -> str:
        """Why there is nobody to ask any more."""
        return self._end or ""

    @property
    def child(self) -> int:
        """The process id of the engine."""
        return self._child.pid

    # ---- what is said

    def ask(self, members: Mapping[str, Any], post: Post, texts: Mapping[str, str] = {}, on_call: Optional[OnCall] = None, is_nested: bool = False) -> Request:
        """Raises NotJson, when it cannot be sent, and SessionLost, when there is nobody any more."""
        number = next(self._ids)
        request = Request(number, post, on_call, line_of({"id": number, **members}, texts), is_nested)
        if self._abandoned:
            self._close_abandoned()
        self._submit(request)
        return request

    def _submit(self, request: Request) -> None:
        with self._lock:
            end = self._end
            # While its exit code is awaited, a request waits for that as those under way do.
            if (end is None and not self._has_room(request)) or (end == ENDING and not self._is_silent):
                self._waiting.append(request)
                return
            if end is None:
                self._enter(request)
        if end is not None:
            wait_for_the_end()
            raise SessionLost(end)
        self._send_request(request)

    def _send_request(self, request: Request) -> None:
        self._send(request.line)
        request.is_sent = True
        if request.is_cancelled:  # before it was sent
            self._send(cancel_line(request))

    def answer(self, request: Request, call: int, members: Mapping[str, Any], texts: Mapping[str, str] = {}) -> None:
        """The result of a host function. One that nobody waits for any more is dropped by the engine."""
        self._send(line_of({"id": request.number, "do": "answer", "call": call, **members}, texts))

    def cancel(self, request: Request) -> None:
        """The request still ends with a message."""
        request.is_cancelled = True
        with self._lock:
            if request in self._waiting:
                self._waiting.remove(request)
                request.post({"error": {"type": "Cancelled", "message": "it was cancelled"}})
                return
        if request.is_sent and request.number in self._under_way:
            self._send(cancel_line(request))

    def cancel_soon(self, request: Request) -> None:
        """Of what nobody waits for: its last message is dropped. Waits for no lock."""
        request.post = forget_message
        request.is_cancelled = True
        self._cancelled.append(request)
        self._tell_cancelled()

    def _tell_cancelled(self) -> None:
        """Unless somebody writes just now, who does it then."""
        while self._cancelled and self._sending.acquire(blocking=False):
            try:
                request = self._cancelled.popleft()
                if request.is_sent and request.number in self._under_way:
                    self._write(cancel_line(request))
            except IndexError:
                pass
            finally:
                self._sending.release()

    def abandon(self, session: str) -> None:
        """A session that nobody has any more: closed with the next request. Waits for no lock."""
        self._abandoned.append(session)

    def _close_abandoned(self) -> None:
        while self._abandoned:
            try:
                name = self._abandoned.popleft()
            except IndexError:
                return
            number = next(self._ids)
            self._submit(Request(number, forget_message, None, line_of({"id": number, "do": "close", "session": name}), False))

    # Both with the lock.
    def _has_room(self, request: Request) -> bool:
        most = MOST_REQUESTS - 1 if request.is_nested else MOST_REQUESTS - KEPT_FOR_FUNCTIONS
        return len(self._under_way) < most and (not self._under_way or self._bytes + len(request.line) <= MOST_BYTES)

    def _enter(self, request: Request) -> None:
        self._under_way[request.number] = request
        self._bytes += len(request.line)

    def _send(self, line: bytes) -> None:
        with self._sending:
            self._write(line)
        if self._cancelled:
            self._tell_cancelled()

    def _write(self, line: bytes) -> None:
        """With the lock. Ends with the line as a whole. When the engine is gone, the reading thread says so to everybody."""
        # The counts are kept by C code alone: a KeyboardInterrupt comes before a send or after its count, never between.
        sent: List[int] = []
        interrupted: Optional[BaseException] = None
        while True:
            try:
                while sum(sent) < len(line):
                    sent.extend(map(self._socket.send, (memoryview(line)[sum(sent):],)))
                break
            except OSError:
                break
            except BaseException as error:
                interrupted = error
        if interrupted is not None:
            raise interrupted

    # ---- what is heard

    def _greet(self) -> None:
        line = self._first_line()
        try:
            hello = json.loads(line) if line else None
        except ValueError:
            hello = None
        if line and (not isinstance(hello, dict) or "protocol" not in hello):
            raise Usage(f"{self.program} is no airlock: its first line is {line[:80]!r}")
        if hello is None:
            raise self._failed_start()
        if hello["protocol"] != PROTOCOL:
            theirs = hello.get("version", "of an unknown version")
            older = isinstance(hello["protocol"], int) and hello["protocol"] < PROTOCOL
            raise Usage(f"{self.program} ({theirs}) speaks protocol {hello['protocol']}, and this package ({VERSION}) speaks protocol {PROTOCOL}: "
                        f"the {'program' if older else 'package'} is the older one. Install the same version of both")

    def _first_line(self) -> bytes:
        heard = b""
        while b"\n" not in heard and len(heard) < CHUNK:
            try:
                got = self._socket.recv(CHUNK)
            except OSError:
                return b""
            if not got:
                return b""
            heard += got
        line, _, rest = heard.partition(b"\n")
        self._pieces = [rest] if rest else []
        return line

    def _failed_start(self) -> Error:
        code = self._reap(END_SECONDS)
        words = self._last_words() or f"{self.program} serve --stdio ended with {ending(code)}, and said nothing"
        kind: Type[Error] = {2: Usage, 3: NoIsolation}.get(code, SessionLost)
        return kind(words[len("airlock: "):] if words.startswith("airlock: ") else words)

    def _read(self) -> None:
        why = ""
        try:
            while True:
                got = self._socket.recv(CHUNK)
                if not got:
                    break
                start, end = 0, got.find(b"\n")
                while end >= 0:
                    self._pieces.append(got[start:end])
                    line = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
                    self._pieces.clear()
                    self._take(parse(line))
                    start, end = end + 1, got.find(b"\n", end + 1)
                if start < len(got):
                    self._pieces.append(got[start:] if start else got)
        except OSError:
            pass
        except Exception as error:  # nonsense: there is no way to go on
            why = f"what it said cannot be understood ({type(error).__name__}: {error})"
        self._over(why)

    def _take(self, message: Message) -> None:
        if self._is_silent:
            return
        number = message.get("id")
        request = self._under_way.get(number) if isinstance(number, int) else None
        if "event" not in message:
            if number is None:
                raise ValueError(f"a request was not understood: {message}")
            if request is None:
                return
            following = self._leave(request)
            if following:  # written by the thread that reads only when there is no other
                try:
                    threading.Thread(target=self._send_all, args=(following,), name="airlock-writer", daemon=True).start()
                except RuntimeError:
                    self._send_all(following)
            request.post(message)
        elif request is not None:
            if message["event"] == "call" and request.on_call is not None:
                request.on_call(request, message)
            else:
                request.post(message)

    def _leave(self, request: Request) -> List[Request]:
        """Those that may be sent now."""
        following: List[Request] = []
        with self._lock:
            if self._under_way.pop(request.number, None) is None:
                return following
            self._bytes -= len(request.line)
            while self._waiting and self._has_room(self._waiting[0]):
                if self._waiting[0].is_cancelled:  # and nobody waits for it
                    self._waiting.popleft()
                    continue
                following.append(self._waiting.popleft())
                self._enter(following[-1])
        return following

    def _send_all(self, requests: List[Request]) -> None:
        for request in requests:
            self._send_request(request)

    # ---- the end

    def close(self, waits: bool = True, is_exit: bool = False) -> None:
        """The child ends, and everything in it. Whoever still waits gets a "lost"; at the end of the program, daemon threads alone still
        wait, and end as they are."""
        if self.pid != os.getpid():
            return
        self._is_silent = is_exit
        self._is_closing = True
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        if waits and threading.current_thread() is not self._reader:
            self._reader.join(END_SECONDS)
            if self._reader.is_alive():  # it was stopped, or hangs
                self._child.kill()
                self._reader.join(END_SECONDS)

    def forget(self) -> None:
        """In a child of a fork: the conversation is the parent's. What this thread waits for is its parent's, too."""
        self._child.returncode = 0  # it is no child of this process: nobody is to wait for it
        self._end = FORKED
        for request in [*self._under_way.values(), *self._waiting]:
            request.post({"error": {"type": "Usage", "message": FORKED}})
        self._under_way.clear()
        self._waiting.clear()
        self._abandoned.clear()
        self._socket.close()
        self._close_words()

    def _close_words(self) -> None:
        words, self._words = self._words, -1
        if words >= 0:
            os.close(words)

    def _over(self, why: str) -> None:
        """The last act of the reading thread."""
        with self._lock:
            self._end = ENDING
        code = self._reap(END_SECONDS if not why else 0)
        text = "the pool was closed"
        if not self._is_closing:
            words = self._last_words()
            text = f"the engine has ended ({why or ending(code)})" + (f": {words}" if words else "")
        with self._lock:
            self._end = text
            left = [*self._under_way.values(), *self._waiting]
            self._under_way.clear()
            self._waiting.clear()
        for request in left if not self._is_silent else ():
            request.post({"lost": text})
        with self._sending:
            self._socket.close()
        self._close_words()

    def _reap(self, seconds: float) -> int:
        try:
            return self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            self._child.kill()
            return self._child.wait()

    def _last_words(self) -> str:
        size = os.fstat(self._words).st_size
        text = os.pread(self._words, LAST_WORDS, max(0, size - LAST_WORDS)).decode("utf-8", "replace")
        return text.strip()


_is_end = threading.Event()  # of the program


def begin_the_end() -> None:
    _is_end.set()


def wait_for_the_end() -> None:
    """At the end of the program nothing is lost that daemon threads could tell anybody: they wait here until it is over. For a while: somebody
    may wait for them."""
    if _is_end.is_set() and threading.current_thread() is not threading.main_thread():
        threading.Event().wait(END_SECONDS)


def cancel_line(request: Request) -> bytes:
    return line_of({"id": request.number, "do": "cancel"})


def forget_message(message: Message) -> None:
    """Of a request that nobody waits for."""


def parse(line: bytes) -> Message:
    """A message. What guests put into it is theirs to choose, and costs nobody else the connection: an integer of more digits than Python
    reads becomes text, a piece's value that has one is none, and a call with one has a "problem"."""
    try:
        message: Message = json.loads(line)
        return message
    except ValueError:
        pass
    has_long = False

    def whole(digits: str) -> Any:
        nonlocal has_long
        try:
            return int(digits)
        except ValueError:
            has_long = True
            return digits
    message = json.loads(line.decode("utf-8", "replace"), parse_int=whole)
    if has_long and isinstance(message.get("result"), dict) and "value" in message["result"]:
        message["result"]["value"] = None
    elif has_long and message.get("event") == "call":
        message["problem"] = "an argument has an integer of more digits than Python reads"
    return message


def ending(code: int) -> str:
    """Of a process."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {-code}, {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
