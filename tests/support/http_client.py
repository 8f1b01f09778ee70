"""A server of `airlock serve --http`, and a client that says any bytes and reads answers strictly, over a plain socket."""
import json
import queue
import re
import signal
import socket
import sys
import threading

from support import harness


class Reply:
    def __init__(self, status, headers, body, is_whole=True):
        self.status, self.headers, self.body, self.is_whole = status, headers, body, is_whole

    def json(self):
        return json.loads(self.body)

    def error(self):
        """The type of the error that every refusal has."""
        return self.json()["error"]["type"]


class Line:
    """One connection."""

    def __init__(self, address, seconds=harness.SECONDS):
        self.socket = socket.create_connection(address, timeout=seconds)
        self.buffer = b""

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        """False: nothing more comes."""
        try:
            got = self.socket.recv(65536)
        except ConnectionError:
            return False
        self.buffer += got
        return bool(got)

    def until(self, mark):
        while mark not in self.buffer:
            if not self.more():
                return None
        text, self.buffer = self.buffer.split(mark, 1)
        return text

    def exactly(self, size):
        while len(self.buffer) < size:
            if not self.more():
                return None
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data

    def chunks(self):
        """Each as it comes; None in place of the end of a body that is not whole."""
        while True:
            size = self.until(b"\r\n")
            data = None if size is None else self.exactly(int(size, 16))
            if data is None or self.until(b"\r\n") is None:
                yield None
                return
            if not data:
                return
            yield data

    def head(self):
        """(status, headers); None: the connection ended."""
        text = self.until(b"\r\n\r\n")
        if text is None:
            return None
        first, *rest = text.decode().split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1", first
        headers = {}
        for line in rest:
            name, value = line.split(": ", 1)
            assert name.lower() not in headers, f"{name} stands there twice"
            headers[name.lower()] = value
        return int(status), headers

    def reply(self, is_head=False):
        """The next answer; None: the connection ended without one."""
        found = self.head()
        if found is None:
            return None
        status, headers = found
        if is_head or status == 204 or status == 100:
            return Reply(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            parts = list(self.chunks())
            is_whole = None not in parts
            return Reply(status, headers, b"".join(part for part in parts if part is not None), is_whole)
        return Reply(status, headers, self.exactly(int(headers["content-length"])))

    def is_closed(self):
        """Waits for the server to end the connection; what it still says is in `buffer`."""
        while self.more():
            pass
        return True

    def close(self):
        self.socket.close()


class Served:
    """A running server: `address`, `token`, and what it says on standard error."""

    def __init__(self, process):
        self.process = process
        self.lines = queue.Queue()
        self.said = []
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        self.url = self.line_with("airlock: listening at ").split(" at ", 1)[1]
        host, port = re.fullmatch(r"http://(.+):(\d+)", self.url).groups()
        self.address = (host.strip("[]"), int(port))
        self.host = f"{host}:{port}"
        self.token_file = self.line_with("airlock: the token is in ").split(" in ", 1)[1]
        with open(self.token_file) as file:
            self.token = file.read().strip()

    def listen(self):
        try:
            for line in self.process.stderr:
                self.lines.put(line.decode().rstrip("\n"))
        except ValueError:  # the test is over
            pass
        self.lines.put(None)

    def line_with(self, words):
        """The first line that contains them, among those that were said and those to come."""
        for line in self.said:
            if words in line:
                return line
        while True:
            try:
                line = self.lines.get(timeout=harness.SECONDS)
            except queue.Empty:
                raise AssertionError(f"'{words}' was not said; but: {self.said[-5:]}") from None
            if line is None:
                raise AssertionError(f"'{words}' was not said before the end; but: {self.said[-5:]}")
            self.said.append(line)
            if words in line:
                return line

    def connect(self):
        return Line(self.address)

    def text_of(self, method, path, body=None, headers=(), token=True, **more):
        """A request as bytes. `body` that is no bytes becomes JSON; a header of `headers` replaces the usual one."""
        usual = {"Host": self.host}
        if token:
            usual["Authorization"] = f"Bearer {self.token if token is True else token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            usual["Content-Type"] = "application/json"
            usual["Content-Length"] = str(len(body))
        usual.update(dict(headers))
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in usual.items() if value is not None)]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")

    def ask(self, method, path, body=None, line=None, **more):
        """One request and its answer, on a connection of its own unless one is given."""
        own = line or self.connect()
        own.send(self.text_of(method, path, body, **more))
        reply = own.reply(is_head=method == "HEAD")
        if line is None:
            own.close()
        return reply

    def say(self, data):
        """Any bytes on a connection of their own; the answer, or None."""
        line = self.connect()
        line.send(data)
        reply = line.reply()
        line.close()
        return reply

    def count(self, name):
        """The value of a line of /metrics that begins with `name`."""
        for line in self.ask("GET", "/metrics").body.decode().splitlines():
            if line.startswith(name):
                return float(line.rsplit(" ", 1)[1])
        return 0.0

    def end(self):
        """Its exit code, after it was told to end; one that is not 0 comes with what it said last."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=harness.SECONDS)
        self.thread.join(harness.SECONDS)
        while not self.lines.empty():
            line = self.lines.get()
            if line is not None:
                self.said.append(line)
        if code != 0:
            print(f"the server ended with {code} and said", *self.said[-80:], sep="\n    ", file=sys.stderr)
        return code


class Case(harness.Case):
    def serve(self, *options, address="127.0.0.1:0"):
        return Served(self.start("serve", "--http", address, *options))
