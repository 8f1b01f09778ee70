"""A client of `airlock serve`, over pipes or a socket: says what it is told to, in any bytes, and hears everything in order."""
import itertools
import json
import queue
import socket
import struct
import subprocess
import threading

from support import harness


class Client:
    """`heard` has every message so far, in order; an answer is waited for by its id, whatever comes before it."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.heard = []
        self.ids = itertools.count(1)
        self.lines = queue.Queue()
        self.thread = threading.Thread(target=self.listen, daemon=True)

    def begin(self):
        self.thread.start()
        return self

    def listen(self):
        try:
            for line in self.reader:
                self.lines.put(line)
        except (OSError, ValueError):
            pass
        self.lines.put(None)

    # What is said.
    def write(self, data):
        self.writer.write(data)
        self.writer.flush()

    def send(self, **message):
        self.write(json.dumps(message).encode() + b"\n")

    def ask(self, what, **members):
        """The id of the request."""
        number = members.pop("id", None) or next(self.ids)
        self.send(id=number, do=what, **members)
        return number

    # What is heard.
    def next(self, seconds=harness.SECONDS):
        """The next message; None at the end."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise AssertionError(f"nothing was heard for {seconds} s; before that: {str(self.heard[-3:])[:500]}") from None
        if line is None:
            self.lines.put(None)
            return None
        self.heard.append(json.loads(line))
        return self.heard[-1]

    def until(self, wanted):
        """The first message for which `wanted` is true, among those that were heard and those to come."""
        for message in self.heard:
            if wanted(message):
                return message
        while (message := self.next()) is not None:
            if wanted(message):
                return message
        raise AssertionError(f"the stream ended before it: {str(self.heard[-3:])[:500]}")

    def answer_to(self, number):
        return self.until(lambda message: message.get("id") == number and ("result" in message or "error" in message))

    def event(self, number, kind, nth=0):
        """The nth event of this kind."""
        def count():
            return [message for message in self.heard if message.get("id") == number and message.get("event") == kind]
        while len(count()) <= nth:
            if self.next() is None:
                raise AssertionError(f"the stream ended before an event '{kind}'")
        return count()[nth]

    def rest(self):
        """Everything up to the end."""
        while self.next() is not None:
            pass
        return self.heard

    # Requests whose answer is waited for.
    def request(self, what, **members):
        return self.answer_to(self.ask(what, **members))

    def open(self, **members):
        answer = self.request("open", **members)
        if "result" not in answer:
            raise AssertionError(answer)
        return answer["result"]["session"]

    def run(self, code, session=None, answers=None, **members):
        """The result of a piece. `answers`: name of a host function -> what answers it, with its arguments."""
        if session is not None:
            members["session"] = session
        number = self.ask("run", code=code, **members)
        seen = len(self.heard)
        while True:
            while seen < len(self.heard):
                message = self.heard[seen]
                seen += 1
                if message.get("id") != number:
                    continue
                if message.get("event") == "call" and answers is not None:
                    self.answer(number, message, answers)
                if "error" in message:
                    raise AssertionError(message)
                if "result" in message:
                    return message["result"]
            if self.next() is None:
                raise AssertionError("the stream ended before the result")

    def answer(self, number, call, answers):
        given = call["arguments"]
        try:
            value = answers[call["name"]](*given.get("args", ()), **given.get("kwargs", {}))
            self.send(id=number, do="answer", call=call["call"], value=value)
        except Exception as error:
            self.send(id=number, do="answer", call=call["call"], error={"type": type(error).__name__, "message": str(error)})


class Case(harness.Case):
    """A test with servers of its own, and clients that have been greeted."""

    def serve(self, *options, **more):
        """A server over pipes and its client, which has `process`."""
        process = self.start("serve", "--stdio", *options, **{"stdin": subprocess.PIPE, **more})
        return self.client_of(process)

    def client_of(self, process):
        client = Client(process.stdout, process.stdin).begin()
        client.process = process
        self.assertEqual(client.next()["protocol"], 1)
        return client

    def serve_socket(self, *options):
        """A server at a path: (its process, the path)."""
        path = self.folder / "socket"
        process = self.start("serve", "--socket", path, *options)
        self.wait_for(lambda: path.exists() or process.poll() is not None, "a socket")
        return process, path

    def connect(self, path, is_greeted=True):
        connection = socket.socket(socket.AF_UNIX)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", self.SECONDS, 0))  # nobody reads: no hang
        connection.connect(str(path))
        self.addCleanup(connection.close)
        client = Client(connection.makefile("rb"), connection.makefile("wb")).begin()
        client.connection = connection
        if is_greeted:
            self.assertEqual(client.next()["protocol"], 1)
        return client

    def end_of(self, client, code=0):
        """Closes its input, hears the rest, and waits for the server's end."""
        client.process.stdin.close()
        heard = client.rest()
        self.assertEqual(client.process.wait(timeout=self.SECONDS), code)
        return heard

    def assert_fine(self, result, value=None):
        self.assertIsNone(result["error"], result)
        if value is not None:
            self.assertEqual(result["value"], value)

    def assert_ended(self, result, kind, state_lost=None):
        self.assertIsNotNone(result["error"], str(result)[:1000])
        self.assertEqual(result["error"]["kind"], kind, str(result)[:1000])
        if state_lost is not None:
            self.assertEqual(result["state_lost"], state_lost, result["error"])


class SessionCase(Case):
    """A test of sessions: one server, and pieces that run in a session of their own unless they name one."""

    def setUp(self):
        super().setUp()
        self.client = self.serve()

    def open(self, **members):
        return self.client.open(**{"timeout": 20, "deadline": 60, **members})

    def run_piece(self, code, session=None, **members):
        return self.client.run(code, session or self.open(), **members)

    def assert_goes_on(self, session, has_lost=None):
        """The next piece of this session works."""
        got = self.client.run("40 + 2", session)
        self.assert_fine(got, 42)
        if has_lost is not None:
            self.assertEqual(got["state_lost"], has_lost)
