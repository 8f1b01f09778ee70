"""A proxy that adds the token to every request: for clients of `/mcp` that cannot send one. What it hands on is otherwise as it came, both ways."""
import contextlib
import re
import selectors
import socket
import socketserver
import threading

from support import harness

LARGEST_HEAD = 65536


def head_of(client):
    """(the head with its empty line, what came after it); None: the client left before that."""
    data = b""
    while b"\r\n\r\n" not in data:
        got = client.recv(65536) if len(data) < LARGEST_HEAD else b""
        if not got:
            return None
        data += got
    head, rest = data.split(b"\r\n\r\n", 1)
    return head + b"\r\n\r\n", rest


def with_token(head, token):
    """One request a connection: so no second head has to be found."""
    first, rest = re.sub(rb"(?im)^(connection|keep-alive|authorization):.*\r\n", b"", head).split(b"\r\n", 1)
    return first + b"\r\nAuthorization: Bearer " + token.encode() + b"\r\nConnection: close\r\n" + rest


def hand_on(client, server):
    """Both ways, until either leaves: then neither waits for the other."""
    other = {client: server, server: client}
    with selectors.DefaultSelector() as ready:
        for one in other:
            ready.register(one, selectors.EVENT_READ)
        while True:
            for key, _ in ready.select():
                data = key.fileobj.recv(65536)
                if not data:
                    return
                other[key.fileobj].sendall(data)


class Handler(socketserver.BaseRequestHandler):
    def handle(self):
        with contextlib.suppress(OSError):
            found = head_of(self.request)
            if found is None:
                return
            with socket.create_connection(self.server.behind, timeout=harness.SECONDS) as server:
                server.sendall(with_token(found[0], self.server.token) + found[1])
                hand_on(self.request, server)


class TokenProxy(socketserver.ThreadingTCPServer):
    """`port`: where it listens, on loopback. Ends with its `with`."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, behind, token):
        super().__init__(("127.0.0.1", 0), Handler)
        self.behind, self.token = behind, token
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()

    def __exit__(self, *_):
        self.shutdown()
        self.thread.join()
        self.server_close()
