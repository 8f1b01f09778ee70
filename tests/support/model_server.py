"""A local HTTP server that speaks the streaming protocols of Ollama, OpenAI-compatible servers and Anthropic, and misbehaves
on request. For tests; needs only python3.

    with ModelServer("ollama", [answer("def extract…"), status(429, retry_after="2"), half("def")]) as server:
        server.url            # http://127.0.0.1:PORT: the endpoint to set
        server.requests       # every question so far: Request(method, path, headers, json, system, user)
        server.listings       # how often the list of models was asked for

Each question takes the next answer of the list; the last one is given again and again. Without a list every question is
answered with "Hello".  `models` are the models that the server lists and has: another name is a 404, as the real ones give it.
"""
import collections
import http.server
import json
import socket
import struct
import threading
import time

PATHS = {"ollama": "/api/chat", "openai": "/v1/chat/completions", "anthropic": "/v1/messages"}
LISTS = {"ollama": "/api/tags", "openai": "/v1/models", "anthropic": "/v1/models"}
TYPES = {"ollama": "application/x-ndjson", "openai": "text/event-stream", "anthropic": "text/event-stream"}

Request = collections.namedtuple("Request", "method path headers json system user")


class Answer:
    """What the server does with one question: `act(handler, protocol, request)`."""

    def __init__(self, act):
        self.act = act


# ---- the protocols, as the real servers speak them

def pieces_of(text, size=7):
    return [text[at:at + size] for at in range(0, len(text), size)] or [""]


def ollama_stream(text, model, usage, reason):
    for piece in pieces_of(text):
        yield {"model": model, "created_at": "2025-01-01T00:00:00.000000Z",
               "message": {"role": "assistant", "content": piece}, "done": False}
    last = {"model": model, "created_at": "2025-01-01T00:00:01.000000Z", "message": {"role": "assistant", "content": ""},
            "done_reason": reason, "done": True, "total_duration": 1000000, "load_duration": 1000}
    if usage:
        last |= {"prompt_eval_count": usage[0], "eval_count": usage[1]}
    yield last


def openai_stream(text, model, usage, reason):
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1735689600, "model": model}
    yield head | {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}], "usage": None}
    for piece in pieces_of(text):
        yield head | {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}], "usage": None}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], "usage": None}
    if usage:
        yield head | {"choices": [], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1],
                                               "total_tokens": sum(usage)}}
    yield "[DONE]"


def anthropic_stream(text, model, usage, reason):
    reason = {"stop": "end_turn", "length": "max_tokens"}.get(reason, reason)
    message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": model, "stop_reason": None}
    if usage:
        message["usage"] = {"input_tokens": usage[0], "output_tokens": 1}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield {"type": "ping"}
    for piece in pieces_of(text):
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
    yield {"type": "content_block_stop", "index": 0}
    last = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}}
    if usage:
        last["usage"] = {"output_tokens": usage[1]}
    yield last
    yield {"type": "message_stop"}


STREAMS = {"ollama": ollama_stream, "openai": openai_stream, "anthropic": anthropic_stream}


def frame(protocol, event):
    """One event as bytes on the line."""
    text = event if isinstance(event, str) else json.dumps(event)
    if protocol == "ollama":
        return text.encode() + b"\n"
    if protocol == "anthropic" and isinstance(event, dict):
        return f"event: {event['type']}\ndata: {text}\n\n".encode()
    return f"data: {text}\n\n".encode()


def stream(protocol, text, model="test", usage=(11, 7), reason="stop"):
    """A whole answer, as the list of its frames."""
    return [frame(protocol, event) for event in STREAMS[protocol](text, model, usage, reason)]


def error_body(protocol, kind, message):
    if protocol == "ollama":
        return {"error": message}
    if protocol == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}}
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}


# ---- what a server may do with a question

def answer(text, usage=(11, 7), reason="stop"):
    """An honest, streamed answer. `usage`: (tokens of the prompt, of the answer), or None: the server does not say."""
    return Answer(lambda handler, protocol, request: handler.send_frames(
        stream(protocol, text, request.json.get("model", ""), usage, reason)))


def whole(text, usage=(11, 7)):
    """The answer in one JSON document: a server that does not stream. For openai and anthropic."""
    def act(handler, protocol, request):
        counts = usage or (0, 0)
        if protocol == "anthropic":
            body = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
                    "usage": {"input_tokens": counts[0], "output_tokens": counts[1]}}
        else:
            body = {"object": "chat.completion", "usage": {"prompt_tokens": counts[0], "completion_tokens": counts[1]},
                    "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
        handler.send_body(200, "application/json", json.dumps(body, indent=2).encode())
    return Answer(act)


def status(code, message="", kind="error", **headers):
    """An error in the protocol's own form; headers as retry_after="5"."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(lambda handler, protocol, request: handler.send_body(
        code, "application/json", json.dumps(error_body(protocol, kind, message)).encode(), names))


def raw(body, content_type="text/plain", code=200, **headers):
    """Any bytes."""
    body = body.encode() if isinstance(body, str) else body
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(lambda handler, protocol, request: handler.send_body(code, content_type, body, names))


def prose(text="Sure! Here is your extractor.\nIt does what you asked for."):
    return raw(text)


def html(text="<!DOCTYPE html><html><body>Please log in</body></html>"):
    return raw(text, "text/html; charset=utf-8")


def nothing():
    """200 and not a byte."""
    return raw(b"", "application/json")


def empty():
    """The protocol, spoken well, with an answer that has no text."""
    return answer("")


def half(text="def extract(path"):
    """The first half of an answer, then the connection is closed in good order."""
    def act(handler, protocol, request):
        frames = stream(protocol, text + " and what nobody will read")
        handler.send_frames(frames[:len(frames) // 2])
    return Answer(act)


def cut_line(text="def extract(path"):
    """Closed in the middle of a line."""
    def act(handler, protocol, request):
        joined = b"".join(stream(protocol, text + " and more"))
        handler.send_frames([joined[:len(joined) // 2 - 3]])
    return Answer(act)


def broken_chunk():
    """Says that more bytes follow than come, then closes."""
    def act(handler, protocol, request):
        handler.send_head(200, TYPES[protocol], {"Content-Length": "100000"})
        for piece in stream(protocol, "half of it")[:2]:
            handler.wfile.write(piece)
        handler.wfile.flush()
        handler.close_connection = True
    return Answer(act)


def failing(message="the model crashed", kind="overloaded_error"):
    """Begins well, then says in the protocol that it cannot go on."""
    def act(handler, protocol, request):
        begun = stream(protocol, "def extract(path): # and more that never comes")[:3]
        handler.send_frames([*begun, frame(protocol, error_body(protocol, kind, message))])
    return Answer(act)


def silence():
    """Takes the question and says nothing, until the server is closed or the client has gone."""
    return Answer(lambda handler, protocol, request: handler.wait())


def stall(text="def extract"):
    """Begins to answer, then says nothing more."""
    def act(handler, protocol, request):
        handler.send_frames(stream(protocol, text)[:2], is_last=False)
        handler.wait()
    return Answer(act)


def drip(text, seconds=0.05):
    """An honest answer, a frame at a time with a pause in between."""
    def act(handler, protocol, request):
        handler.send_frames(stream(protocol, text), pause=seconds)
    return Answer(act)


def flood(size=10 * 1024 * 1024):
    """An answer of so many bytes in good form."""
    def act(handler, protocol, request):
        one = b"".join(stream(protocol, "x" * 60000)[1:-3])
        handler.send_frames(one for _ in range(size // 60000 + 1))
    return Answer(act)


def long_line(size=10 * 1024 * 1024):
    """So many bytes and no end of a line."""
    return Answer(lambda handler, protocol, request: handler.send_frames(
        [b'{"message":{"content":"'] + [b"x" * 65536] * (size // 65536)))


def invalid_json():
    return Answer(lambda handler, protocol, request: handler.send_frames(
        [frame(protocol, '{"choices": [}, "message": {"content": "x"')] + stream(protocol, "late")))


def deep_json(depth=100000):
    return Answer(lambda handler, protocol, request: handler.send_frames([frame(protocol, '{"a":' * depth)]))


def invalid_utf8():
    return Answer(lambda handler, protocol, request: handler.send_frames(
        [piece.replace(b"hello", b"h\xff\xfeo") for piece in stream(protocol, "hello")]))


def wrong_type(text="Hello"):
    """A good answer under the wrong name."""
    return Answer(lambda handler, protocol, request: handler.send_frames(
        stream(protocol, text), content_type="application/octet-stream"))


def redirect(to="http://127.0.0.1:9/elsewhere", code=307):
    return raw(b"", "text/plain", code, Location=to)


def reset():
    """The connection is reset before a byte of the answer."""
    return Answer(lambda handler, protocol, request: handler.reset())


def reset_midway(text="def extract"):
    def act(handler, protocol, request):
        handler.send_frames(stream(protocol, text)[:2], is_last=False)
        time.sleep(0.05)  # so that what was sent arrives before the reset overtakes it
        handler.reset()
    return Answer(act)


def hang_up():
    """Closed without a word."""
    def act(handler, protocol, request):
        handler.close_connection = True
    return Answer(act)


def not_http():
    def act(handler, protocol, request):
        handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
        handler.close_connection = True
    return Answer(act)


# ---- the server

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        server = self.server.owner
        server.note("listings", Request("GET", self.path, dict(self.headers), None, "", ""))
        if self.path.partition("?")[0] != LISTS[server.protocol] or server.models is None:
            self.send_body(404, "text/plain", b"404 page not found")
        elif server.protocol == "ollama":
            self.send_json(200, {"models": [{"name": name, "model": name, "size": 1} for name in server.models]})
        else:
            self.send_json(200, {"object": "list", "data": [{"id": name, "type": "model"} for name in server.models]})

    def do_POST(self):
        server = self.server.owner
        request = self.read_request()
        if self.path != PATHS[server.protocol]:
            self.send_body(404, "text/plain", b"404 page not found")
            return
        answer_now = server.take(request)
        if server.models is not None and not server.has(request.json.get("model")):
            self.send_json(404, self.missing(server.protocol, request.json.get("model")))
            return
        answer_now.act(self, server.protocol, request)

    @staticmethod
    def missing(protocol, name):
        return {"ollama": lambda: {"error": f"model '{name}' not found"},
                "openai": lambda: error_body("openai", "model_not_found", f"The model `{name}` does not exist"),
                "anthropic": lambda: error_body("anthropic", "not_found_error", f"model: {name}")}[protocol]()

    def read_request(self):
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        texts = {message["role"]: message["content"] for message in body.get("messages", [])}
        return Request("POST", self.path, {name.lower(): value for name, value in self.headers.items()}, body,
                       body.get("system", texts.get("system", "")), texts.get("user", ""))

    def send_json(self, code, value):
        self.send_body(code, "application/json", json.dumps(value).encode())

    def send_body(self, code, content_type, body, headers=None):
        self.send_head(code, content_type, {"Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def send_head(self, code, content_type, headers):
        self.send_response(code)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def send_frames(self, frames, content_type=None, pause=0, is_last=True):
        """Chunked, as the real servers stream."""
        self.send_head(200, content_type or TYPES[self.server.owner.protocol], {"Transfer-Encoding": "chunked"})
        for piece in frames:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
            if pause and self.server.owner.closing.wait(pause):
                return
        if is_last:
            self.wfile.write(b"0\r\n\r\n")

    def wait(self):
        """Until the server closes or the client has gone."""
        self.connection.settimeout(0.05)
        while not self.server.owner.closing.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.server.owner.note("gone", time.monotonic())
        self.close_connection = True

    def reset(self):
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass  # the client has gone, or we have reset it

    def finish(self):
        try:
            super().finish()
        except (OSError, ValueError):
            pass


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request, client_address):
        pass


class ModelServer:
    def __init__(self, protocol, answers=None, models=("test",), context=None):
        """`models`: None, and the server lists none and takes every name. `context`: an ssl.SSLContext for https."""
        self.protocol = protocol
        self.answers = list(answers) if answers else [answer("Hello")]
        self.models = None if models is None else list(models)
        self.requests = []
        self.listings = []
        self.gone = []  # when clients left in the middle of a silence
        self.closing = threading.Event()
        self.lock = threading.Lock()
        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.listener.owner = self
        if context:
            self.listener.socket = context.wrap_socket(self.listener.socket, server_side=True)
        scheme = "https" if context else "http"
        self.url = f"{scheme}://127.0.0.1:{self.listener.server_address[1]}"
        self.thread = threading.Thread(target=self.listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *problem):
        self.closing.set()
        self.listener.shutdown()
        self.listener.server_close()
        self.thread.join()

    def note(self, what, value):
        with self.lock:
            getattr(self, what).append(value)

    def take(self, request):
        with self.lock:
            self.requests.append(request)
            return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def has(self, name):
        return name in self.models or (self.protocol == "ollama" and f"{name}:latest" in self.models)

    @property
    def environment(self):
        """The variables that point airlock here."""
        return {"AIRLOCK_MODEL_PROVIDER": self.protocol, "AIRLOCK_MODEL_ENDPOINT": self.url,
                "AIRLOCK_MODEL": (self.models or ["test"])[0]}
