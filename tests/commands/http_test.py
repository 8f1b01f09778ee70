#!/usr/bin/env python3
"""`airlock serve --http` as its clients meet it: who is let in, the REST calls, bad input of every kind, clients that leave, the end."""
import json
import pathlib
import re
import resource
import shutil
import socket
import stat
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, http_client, json_schema, processes  # noqa: E402

AIRLOCK = harness.AIRLOCK
FINE = "def extract(path: str) -> dict:\n    return {\"name\": path.rsplit('/', 1)[-1]}\n"
BAD = "import os\n\ndef extract(path: str) -> dict:\n    return {\"x\": os.getcwd()}\n"


class Doors(http_client.Case):
    """Where it listens, and who is let in."""

    def test_the_token_is_in_a_file_of_this_user_alone_and_goes_with_the_server(self):
        server = self.serve()
        file = pathlib.Path(server.token_file)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertEqual(file.parent, self.home)
        self.assertRegex(server.token, r"\A[0-9a-f]{64}\Z")
        self.assertEqual(server.ask("GET", "/v1/runs").status, 200)
        self.assertEqual(server.end(), 0)
        self.assertFalse(file.exists())

    def test_a_token_can_be_the_users_own(self):
        own = self.write("token", "this-is-my-own-token\n", mode=0o600)
        server = self.serve("--token-file", own)
        self.assertEqual(server.token, "this-is-my-own-token")
        self.assertEqual(server.ask("GET", "/v1/runs").status, 200)
        self.assertEqual(server.end(), 0)
        self.assertTrue(own.exists())

    def test_a_token_file_that_others_can_read_or_that_is_none_is_refused(self):
        for name, content, mode in (("open", "this-is-my-own-token", 0o644), ("short", "abc", 0o600), ("blanks", "two words are no token", 0o600)):
            with self.subTest(name):
                path = self.write(name, content, mode=mode)
                self.assert_refused(self.airlock("serve", "--http", "127.0.0.1:0", "--token-file", path), name)
        self.assert_refused(self.airlock("serve", "--http", "127.0.0.1:0", "--token-file", self.folder / "none"), "none")

    def test_an_address_that_is_none_or_taken_is_refused(self):
        for address in ("nowhere", "example.com:80", "127.0.0.1:99999"):
            with self.subTest(address):
                self.assert_refused(self.airlock("serve", "--http", address), "HOST:PORT")
        server = self.serve()
        self.assert_refused(self.airlock("serve", "--http", server.host), "listen at")
        self.assert_refused(self.airlock("serve", "--socket", self.folder / "s", "--allow-host", "a"), "--http")
        self.assert_refused(self.airlock("serve", "--http", "0", "--allow-host", "a:80"), "without a port")

    def test_who_listens_beyond_this_machine_is_warned(self):
        server = self.serve(address="0.0.0.0:0")
        self.assertIn("TLS", server.line_with("warning"))
        self.assertEqual(server.ask("GET", "/healthz").status, 200)
        self.assertEqual(server.end(), 0)

    def test_several_doors_at_once(self):
        path = self.folder / "socket"
        server = self.serve("--socket", path)
        self.assertEqual(server.ask("GET", "/healthz").status, 200)
        self.assertTrue(path.exists())
        self.assertEqual(server.end(), 0)
        self.assertFalse(path.exists())

    def test_only_with_the_token(self):
        server = self.serve()
        for method, path in (("GET", "/v1/runs"), ("GET", "/metrics"), ("GET", "/v1/openapi.json"), ("DELETE", "/v1/sessions/x")):
            with self.subTest(path):
                for token in (False, "wrong", server.token[:-1], server.token + "0", server.token.upper()):
                    reply = server.ask(method, path, token=token)
                    self.assertEqual((reply.status, reply.error()), (401, "Unauthorized"), token)
                    self.assertIn("Bearer", reply.headers["www-authenticate"])
        self.assertEqual(server.ask("POST", "/v1/run", {"code": "1"}, token=False).status, 401)
        health = server.ask("GET", "/healthz", token=False)
        self.assertEqual((health.status, health.json()["status"]), (200, "ok"))

    def test_another_host_or_origin_is_turned_away(self):
        server = self.serve("--allow-host", "Airlock.Example")
        for headers, status in (({"Host": "evil.example"}, 403), ({"Host": f"evil.example:{server.address[1]}"}, 403), ({"Host": "airlock.example"}, 200),
                                ({"Host": "localhost"}, 200), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
                                ({"Origin": server.url}, 200), ({"Origin": f"http://localhost:{server.address[1]}"}, 403)):
            with self.subTest(headers):
                reply = server.ask("GET", "/v1/runs", headers=headers)
                self.assertEqual(reply.status, status)
                self.assertFalse([name for name in reply.headers if name.startswith("access-control")])

    def test_a_thousand_wrong_tokens_are_slowed_and_told_and_open_nothing(self):
        server = self.serve()
        statuses = []

        def guess(first):
            for number in range(first, first + 10):
                reply = server.ask("GET", "/v1/runs", token=f"{number:064x}")
                statuses.append(reply.status)

        threads = [threading.Thread(target=guess, args=(10 * index,)) for index in range(100)]  # more than are answered at once
        for thread in threads:
            thread.start()
        self.assertEqual(server.ask("GET", "/v1/runs").status, 200)  # the right one is not held up
        for thread in threads:
            thread.join()
        self.assertEqual(len(statuses), 1000)
        self.assertEqual(set(statuses) - {401, 429}, set())
        self.assertIn("127.0.0.1", server.line_with("wrong token 1000 times"))
        self.assertFalse([line for line in server.said if server.token in line or "0000000000" in line])


class Calls(http_client.Case):
    """The REST calls."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def post(self, path, body, **more):
        return self.server.ask("POST", path, body, **more)

    def test_check_says_what_the_command_says(self):
        good = self.post("/v1/check", {"source": FINE})
        self.assertEqual((good.status, good.headers["content-type"]), (200, "application/json"))
        self.assertEqual(good.json()["verdict"], "accepted")
        bad = self.post("/v1/check", {"source": BAD, "policy": "extractor", "signature": True})
        self.assertEqual((bad.status, bad.json()["verdict"]), (200, "refused"))
        self.assertEqual(bad.json()["findings"][0]["item"], "os")

    def test_validate_infer_and_admit(self):
        report = self.post("/v1/validate", {"source": FINE, "paths": ["/a/b.csv"]}).json()
        self.assertEqual((report["valid"], report["test_results"]["results"][0]["result"]), (True, {"name": "b.csv"}))
        rule = self.post("/v1/infer", {"paths": [f"/data/{year}/report.csv" for year in range(2000, 2020)]}).json()
        self.assertIn("rules", rule["yaml"])
        admitted = self.post("/v1/admit", {"document": {"a": 1}, "bare": True})
        self.assertEqual((admitted.status, admitted.json()), (200, {"a": 1}))
        refused = self.post("/v1/admit", {"document": {"github_token": "x"}, "bare": True})
        self.assertEqual((refused.status, refused.json()["admitted"]), (200, False))
        looks_refused = {"admitted": False, "errors": []}
        odd = self.post("/v1/admit", {"document": looks_refused, "bare": True})
        self.assertEqual(odd.json(), looks_refused)
        self.assertEqual([one.headers["airlock-admitted"] for one in (admitted, refused, odd)], ["true", "false", "true"])

    @harness.needs_files
    def test_run_and_sessions(self):
        alone = self.post("/v1/run", {"code": "a + 1", "inputs": {"a": 41}, "timeout": 20}).json()
        self.assertEqual((alone["value"], alone["error"]), (42, None))
        session = self.post("/v1/sessions", {"timeout": 20, "memory_mb": 128, "policy": "node", "packages": []}).json()["session"]
        self.assertRegex(session, r"\A[0-9a-f]{24}\Z")
        run = f"/v1/sessions/{session}/run"
        self.assertEqual(self.post(run, {"code": "b = 20"}).json()["error"], None)
        written = self.post(run, {"code": "open('/out/x.txt', 'w').write('hello')\nb + 1"}).json()
        self.assertEqual((written["value"], written["artifacts"]), (21, {"x.txt": "aGVsbG8="}))
        raised = self.post(run, {"code": "1/0"})
        self.assertEqual((raised.status, raised.json()["error"]["type"]), (200, "ZeroDivisionError"))
        closed = self.server.ask("DELETE", f"/v1/sessions/{session}")
        self.assertEqual((closed.status, closed.json()), (200, {"closed": True}))
        for reply in (self.server.ask("DELETE", f"/v1/sessions/{session}"), self.post(run, {"code": "1"})):
            self.assertEqual((reply.status, reply.error()), (404, "NotFound"))

    def test_pieces_of_one_session_run_one_after_the_other(self):
        session = self.post("/v1/sessions", {"timeout": 30}).json()["session"]
        self.post(f"/v1/sessions/{session}/run", {"code": "seen = []"})
        values = []

        def run(number):
            values.append(self.post(f"/v1/sessions/{session}/run", {"code": f"seen.append({number})\nlen(seen)"}).json()["value"])

        threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(values), list(range(1, 9)))

    def test_rows_come_line_by_line_or_as_one_document(self):
        paths = [f"/data/{number}.csv" for number in range(500)]
        body = {"extractor": FINE, "paths": paths}
        lines = self.post("/v1/extract", body)
        self.assertEqual((lines.status, lines.headers["content-type"], lines.is_whole), (200, "application/x-ndjson", True))
        rows = [json.loads(line) for line in lines.body.splitlines()]
        self.assertEqual([row["path"] for row in rows], paths)
        self.assertEqual(rows[7]["data"], {"name": "7.csv"})
        whole = self.post("/v1/extract", body, headers={"Accept": "application/json"})
        self.assertEqual((whole.headers["content-type"], whole.json()), ("application/json", {"rows": rows}))
        refused = self.post("/v1/extract", {"extractor": BAD, "paths": paths})
        self.assertEqual((refused.status, refused.headers["content-type"]), (200, "application/json"))
        self.assertEqual((refused.json()["rows"], refused.json()["refused"]["verdict"]), ([], "refused"))

    def test_a_large_answer_waits_for_a_slow_reader_and_holds_up_nobody(self):
        wide = "def extract(path: str) -> dict:\n    return {\"x\": \"a\" * 60000}\n"
        count = 60 if harness.IS_SANITIZED else 400  # the last one is read when the others have been, and nobody is waited for longer than 30 s
        slow = [self.server.connect() for _ in range(10)]  # more than there are workers
        for line in slow:
            line.send(self.server.text_of("POST", "/v1/extract", {"extractor": wide, "paths": [str(number) for number in range(count)]}))
            self.assertEqual(line.head()[0], 200)
        self.assertEqual(self.post("/v1/run", {"code": "6 * 7", "timeout": 30}).json()["value"], 42)
        for line in slow:
            data = b"".join(line.chunks())
            self.assertEqual(data.count(b"\n"), count)

    def test_lists(self):
        for path, key in (("/v1/drafts", "drafts"), ("/v1/extractors", "extractors"), ("/v1/runs", "runs")):
            reply = self.server.ask("GET", path)
            self.assertEqual((reply.status, reply.json()), (200, {key: []}))

    def test_what_cannot_be_understood_is_a_400_that_says_why(self):
        for path, body in (("/v1/check", {}), ("/v1/check", {"source": 1}), ("/v1/check", {"source": "x", "sorce": "y"}), ("/v1/check", {"source": "x", "policy": "none"}),
                           ("/v1/validate", {"source": FINE, "paths": []}), ("/v1/extract", {"extractor": "../../etc/passwd", "paths": ["a"]}),
                           ("/v1/extract", {"extractor": "unknown", "paths": ["a"]}), ("/v1/run", {"code": 1}), ("/v1/run", {"code": "1", "timeout": -1}),
                           ("/v1/run", {"code": "1", "files": {"a": "/etc/passwd"}}), ("/v1/sessions", {"packages": ["numpy"]}), ("/v1/sessions", {"files": {}}),
                           ("/v1/admit", {"root": "/"})):
            with self.subTest(path=path, body=body):
                reply = self.post(path, body)
                self.assertEqual(reply.status, 400, reply.body)
                self.assertIn(reply.error(), ("Usage", "Refused"))

    @harness.needs_files
    def test_files_below_the_root_of_a_server(self):
        self.write("orders.csv", "a,b")
        server = self.serve("--allow-root", self.folder)
        read = {"code": "open('/data/it').read()"}
        self.assertEqual(server.ask("POST", "/v1/run", {**read, "files": {"it": "orders.csv"}}).json()["value"], "a,b")
        session = server.ask("POST", "/v1/sessions", {"files": {"it": str(self.folder / "orders.csv")}}).json()["session"]
        self.assertEqual(server.ask("POST", f"/v1/sessions/{session}/run", read).json()["value"], "a,b")
        self.assertEqual(server.ask("POST", "/v1/run", {**read, "files": {"it": "/etc/hostname"}}).status, 400)

    def test_bodies_that_are_no_json_object_are_refused(self):
        for body in (b"", b"{", b"[]", b"1", b"null", b"{\"source\": \"\xff\"}", b"{\"source\": \"x\", \"source\": \"y\"}", b"{\"source\": \"a\nb\"}",
                     b"{\"source\": NaN}", b"[" * 100000, b"{\"a\":" * 500 + b"1" + b"}" * 500, b"\xef\xbb\xbf{}", b"{\"source\": \"x\"} {}"):
            with self.subTest(body[:40]):
                reply = self.post("/v1/check", body)
                self.assertEqual((reply.status, reply.error()), (400, "Usage"))
        spread = b"{\n  \"source\":\r\n    \"x = 1\"\n}\n"
        self.assertEqual(self.post("/v1/check", spread).status, 200)

    def test_methods_and_types(self):
        self.assertEqual(self.server.ask("GET", "/nothing").status, 404)
        wrong = self.server.ask("GET", "/v1/check")
        self.assertEqual((wrong.status, wrong.headers["allow"]), (405, "POST, OPTIONS"))
        self.assertEqual(self.server.ask("BREW", "/v1/check").status, 405)
        options = self.server.ask("OPTIONS", "/v1/runs", token=False)
        self.assertEqual((options.status, options.headers["allow"]), (204, "GET, HEAD, OPTIONS"))
        head = self.server.ask("HEAD", "/healthz")
        self.assertEqual((head.status, head.headers["content-length"]), (200, str(len(self.server.ask("GET", "/healthz").body))))
        self.assertEqual(self.post("/v1/check", {"source": "x"}, headers={"Content-Type": "text/plain"}).status, 415)
        self.assertEqual(self.post("/v1/check", {"source": "x"}, headers={"Content-Type": None}).status, 415)
        self.assertEqual(self.post("/v1/check", {"source": "x"}, headers={"Content-Encoding": "gzip"}).status, 415)
        self.assertEqual(self.server.ask("POST", "/v1/check").status, 411)
        self.assertEqual(self.server.ask("GET", "/v1/runs", b"{}").status, 413)

    def test_many_requests_on_one_connection_even_ahead_of_the_answers(self):
        line = self.server.connect()
        for number in range(3):
            self.assertEqual(self.server.ask("POST", "/v1/run", {"code": f"{number}", "timeout": 20}, line=line).json()["value"], number)
        line.send(b"".join(self.server.text_of("POST", "/v1/run", {"code": str(number), "timeout": 30}) for number in range(5))
                  + self.server.text_of("GET", "/healthz") * 300)
        self.assertEqual([line.reply().json()["value"] for _ in range(5)], list(range(5)))
        self.assertEqual({line.reply().status for _ in range(300)}, {200})
        line.send(self.server.text_of("GET", "/healthz", headers={"Connection": "close"}))
        self.assertEqual(line.reply().headers["connection"], "close")
        self.assertTrue(line.is_closed())

    def test_a_client_can_wait_for_the_word_before_it_sends_its_body(self):
        line = self.server.connect()
        text = self.server.text_of("POST", "/v1/check", {"source": FINE}, headers={"Expect": "100-continue"})
        head, body = text.split(b"\r\n\r\n", 1)
        line.send(head + b"\r\n\r\n")
        self.assertEqual(line.reply().status, 100)
        line.send(body)
        self.assertEqual(line.reply().json()["verdict"], "accepted")
        self.assertEqual(self.post("/v1/check", {"source": FINE}, headers={"Expect": "100-continue"}, token=False).status, 401)

    def test_answers_are_as_the_openapi_document_says(self):
        document = self.server.ask("GET", "/v1/openapi.json").json()
        self.assertEqual(document["openapi"], "3.1.0")
        session = self.post("/v1/sessions", {}).json()["session"]
        fine = {"extractor": FINE, "paths": ["/a"]}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        accept = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
        asked = {
            ("get", "/healthz"): [None], ("get", "/v1/openapi.json"): [None], ("get", "/v1/drafts"): [None], ("get", "/v1/extractors"): [None],
            ("get", "/v1/runs"): [None], ("post", "/v1/check"): [{"source": FINE}, {"source": BAD}, {"source": "def"}],
            ("post", "/v1/validate"): [{"source": FINE, "paths": ["/a"]}, {"source": BAD, "paths": ["/a"]}, {"source": "def extract(path: str) -> dict:\n    return 1\n", "paths": ["/a"]}],
            ("post", "/v1/extract"): [fine, {"extractor": BAD, "paths": ["/a"]}], ("post", "/v1/schema"): [fine],
            ("post", "/v1/infer"): [{"paths": [f"/d/{year}/x" for year in range(2000, 2012)]}],
            ("post", "/v1/admit"): [{"document": {"a": 1}, "bare": True}, {"document": {"api_key": 1}, "bare": True}],
            ("post", "/v1/run"): [{"code": "1"}, {"code": "1/0"}, {"code": "import socket\nsocket.socket()"}],
            ("post", "/v1/sessions"): [{}], ("post", "/v1/sessions/{id}/run"): [{"code": "print(1)"}, {"code": "def"}], ("delete", "/v1/sessions/{id}"): [None],
            ("post", "/mcp"): [message, {**message, "method": "ping"}, {**message, "id": "a", "method": "no/such"}],
        }
        described = {(method, path) for path, methods in document["paths"].items() for method in methods}
        self.assertEqual(described - set(asked), {("get", "/metrics")})
        for (method, path), bodies in asked.items():
            operation = document["paths"][path][method]
            answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
            json_schema.check_schema(answer)
            for body in bodies:
                with self.subTest(method=method, path=path, body=body):
                    if body is not None:
                        json_schema.check(body, operation["requestBody"]["content"]["application/json"]["schema"])
                    reply = self.server.ask(method.upper(), path.replace("{id}", session), body, headers=accept)
                    self.assertEqual(reply.status, 200, reply.body)
                    json_schema.check(reply.json(), answer)
        wrong = document["paths"]["/v1/check"]["post"]["responses"]["default"]["content"]["application/json"]["schema"]
        json_schema.check(self.post("/v1/check", {}).json(), wrong)
        wrong = document["paths"]["/mcp"]["post"]["responses"]["default"]["content"]["application/json"]["schema"]
        for headers in (accept, {**accept, "MCP-Protocol-Version": "1999-01-01"}, {"Content-Type": "text/plain"}):
            reply = self.post("/mcp", {"jsonrpc": "1.0"}, headers=headers)
            self.assertGreaterEqual(reply.status, 400)
            json_schema.check(reply.json(), wrong)
        self.assertIn("202", document["paths"]["/mcp"]["post"]["responses"])
        self.assertEqual(self.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=accept).status, 202)

    def test_metrics_count_what_happened(self):
        self.post("/v1/check", {"source": FINE})
        self.post("/v1/check", {})
        self.post("/v1/run", {"code": "import socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass"})
        self.server.ask("GET", "/etc/passwd")
        self.post("/v1/sessions", {})
        reply = self.server.ask("GET", "/metrics")
        self.assertTrue(reply.headers["content-type"].startswith("text/plain"))
        self.assertEqual(self.server.count('airlock_http_requests_total{route="/v1/check",method="POST",status="200"}'), 1)
        self.assertEqual(self.server.count('airlock_http_requests_total{route="/v1/check",method="POST",status="400"}'), 1)
        self.assertEqual(self.server.count('airlock_http_requests_total{route="none",method="GET",status="404"}'), 1)
        self.assertEqual(self.server.count('airlock_http_request_seconds_count{route="/v1/check"}'), 2)
        self.assertEqual(self.server.count("airlock_sessions_open"), 1)
        self.assertEqual(self.server.count("airlock_cells"), 1)
        self.assertGreaterEqual(self.server.count("airlock_denials_total"), 1)
        self.assertGreater(self.server.count("airlock_http_received_bytes_total"), 100)
        self.assertGreater(self.server.count("airlock_http_sent_bytes_total"), 1000)

    def test_the_log_has_a_line_for_each_request_and_nothing_of_what_is_in_it(self):
        session = self.post("/v1/sessions", {}).json()["session"]
        self.post(f"/v1/sessions/{session}/run?secret=query", {"code": "'secret-in-the-body'"})
        self.server.ask("GET", "/caf\u00e9/\x1b".encode().decode("latin-1").replace("\x1b", "%1b"))
        self.server.ask("POST", f"/v1/sessions/{session}/rum", {"code": "1"})
        self.server.ask("POST", f"/v1/sessions/{session}/run", {"code": "1"}, headers={"Host": "elsewhere"})
        self.server.ask("G" * 6000, "/healthz")
        line = self.server.line_with("/v1/sessions/{id}/run")
        self.assertRegex(line, r"\A\d{4}-\d\d-\d\dT[\d:.]+Z POST /v1/sessions/\{id\}/run 200 \d+ \d+\.\d\Z")
        self.assertEqual(self.server.end(), 0)
        log = "\n".join(self.server.said)
        for word in (self.server.token, session, "secret", "query"):
            self.assertNotIn(word, log)
        self.assertEqual(len([one for one in self.server.said if one.startswith("20")]), 6)


class Page(http_client.Case):
    """docs/http.md."""

    def test_the_lines_with_curl_work(self):
        if not shutil.which("curl"):
            self.skipTest("there is no curl here")
        text = (harness.ROOT / "docs" / "http.md").read_text(encoding="utf-8")
        script = re.search(r"<!-- curl -->\n```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[1]
        server = self.serve()
        script = re.sub(r"^curl .*$", r"\g<0>; echo", script, flags=re.MULTILINE)
        done = subprocess.run(["bash", "-euc", script], cwd=self.folder, timeout=self.SECONDS, capture_output=True,
                              env={"PATH": "/usr/bin:/bin", "URL": server.url, "TOKEN_FILE": server.token_file})
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines() if line]
        self.assertEqual(len(answers), 7, done.stdout)
        health, check, run, row, first, second, closed = answers
        self.assertEqual((health["status"], check["verdict"], run["value"]), ("ok", "accepted", 6))
        self.assertEqual((row["data"], first["error"], second["value"], closed), ({"client": "acme"}, None, 42, {"closed": True}))

    def test_every_address_is_on_the_page_and_in_the_document(self):
        server = self.serve()
        text = (harness.ROOT / "docs" / "http.md").read_text(encoding="utf-8")
        for path, methods in server.ask("GET", "/v1/openapi.json").json()["paths"].items():
            for method in methods:
                with self.subTest(path):
                    self.assertIn(path.replace("{id}", "ID"), text)
                    self.assertIn(f"{method.upper()} /", text)
                    allowed = server.ask("OPTIONS", path.replace("{id}", "x")).headers["allow"]
                    self.assertIn(method.upper(), allowed)


class BadInput(http_client.Case):
    """Whatever comes, the server answers or ends the connection, and goes on."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.addCleanup(self.still_serves)

    def still_serves(self):
        if self.server.process.poll() is None:
            self.assertEqual(self.server.ask("GET", "/healthz").status, 200)

    def test_lengths_that_can_be_read_in_two_ways_are_refused(self):
        head = f"POST /v1/check HTTP/1.1\r\nHost: {self.server.host}\r\nAuthorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\n"
        for lengths in ("Content-Length: 2\r\nContent-Length: 3\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n", "Content-Length: 2, 2\r\n",
                        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n",
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Content-Length: -1\r\n", "Content-Length: +2\r\n", "Content-Length: 2 \t3\r\n",
                        "Content-Length : 2\r\n", "Content-Length: 0x2\r\n", "Content-Length: 9999999999999999999999\r\n", "X: a\r\n Content-Length: 2\r\n"):
            with self.subTest(lengths):
                reply = self.server.say((head + lengths + "\r\n{}").encode())
                self.assertEqual((reply.status, reply.headers["connection"]), (400, "close"))
        for coding in ("xchunked", "identity", "gzip, chunked"):
            self.assertEqual(self.server.say((head + f"Transfer-Encoding: {coding}\r\n\r\n0\r\n\r\n").encode()).status, 501)

    def test_a_second_request_behind_a_refused_one_is_not_heard(self):
        line = self.server.connect()
        line.send(f"POST /v1/check HTTP/1.1\r\nHost: {self.server.host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode()
                  + self.server.text_of("GET", "/healthz"))
        self.assertEqual(line.reply().status, 400)
        self.assertIsNone(line.reply())

    def test_chunks_are_read_and_nonsense_in_them_is_refused(self):
        head = f"POST /v1/check HTTP/1.1\r\nHost: {self.server.host}\r\nAuthorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        body = json.dumps({"source": FINE}).encode()
        whole = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + 7]), body[at:at + 7]) for at in range(0, len(body), 7)) + b"0\r\n\r\n"
        self.assertEqual(self.server.say(head.encode() + whole).json()["verdict"], "accepted")
        for chunks in (b"-1\r\n{}\r\n0\r\n\r\n", b"zz\r\n{}\r\n", b"0x2\r\n{}\r\n0\r\n\r\n", b"1\r\n{}\r\n0\r\n\r\n", b"ffffffffffffffffff\r\n", b"2\r\n{}\r\n0\r\nX: y\r\n\r\n", b"2;" + b"a" * 9000):
            with self.subTest(chunks[:20]):
                self.assertEqual(self.server.say(head.encode() + chunks).status, 400)
        self.assertEqual(self.server.say(head.encode() + b"4000001\r\n").status, 413)

    def test_other_protocols_are_told_so(self):
        self.assertEqual(self.server.say(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00").status, 505)
        self.assertEqual(self.server.say(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n").status, 505)
        self.assertEqual(self.server.say(b"GET /healthz\r\n\r\n").status, 400)
        self.assertEqual(self.server.say(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100).status, 400)  # TLS
        self.assertEqual(self.server.say(b"GET /healthz HTTP/1.1\r\n\r\n").status, 400)
        self.assertEqual(self.server.say(b"GET /healthz HTTP/1.1\nHost: localhost\n\n").status, 400)
        self.assertEqual(self.server.say(b"\x00" * 70000).status, 400)

    def test_heads_have_a_limit(self):
        start = f"GET /healthz HTTP/1.1\r\nHost: {self.server.host}\r\n"
        self.assertEqual(self.server.say((start + "X: " + "a" * 20000 + "\r\n\r\n").encode()).status, 431)
        self.assertEqual(self.server.say((start + "X: a\r\n" * 100 + "\r\n").encode()).status, 431)
        self.assertEqual(self.server.say(f"GET /{'a' * 5000} HTTP/1.1\r\nHost: {self.server.host}\r\n\r\n".encode()).status, 414)

    def test_a_gigabyte_is_not_read(self):
        for size in (1 << 30, (64 << 20) + 1):
            reply = self.server.ask("POST", "/v1/check", b"{}", headers={"Content-Length": str(size)})
            self.assertEqual((reply.status, reply.error()), (413, "Usage"))
        line = self.server.connect()
        line.send(self.server.text_of("POST", "/v1/check", b"{", headers={"Content-Length": str(1 << 30)}))
        sent = 0
        try:
            while sent < 1 << 30:
                sent += line.socket.send(b" " * (1 << 20))
        except OSError:
            pass
        self.assertLess(sent, 1 << 30)
        if not harness.IS_SANITIZED:
            self.assertLess(processes.resident_bytes(self.server.process.pid), 300 << 20)

    def test_sixty_megabytes_are(self):
        source = "#" * (40 << 20)
        self.assertEqual(self.server.ask("POST", "/v1/check", {"source": source}).json()["verdict"], "refused")

    def test_half_a_request_and_slow_heads_are_ended(self):
        text = self.server.text_of("POST", "/v1/check", {"source": FINE})
        slow = [self.server.connect() for _ in range(3)]
        slow[0].send(text[:20])
        slow[1].send(text[:-5])
        self.assertEqual(slow[0].reply().status, 408)  # after ten seconds
        self.assertTrue(slow[0].is_closed())
        self.assertIsNone(slow[2].reply())  # it has said nothing, and hears nothing
        self.assertEqual(slow[1].reply().status, 408)  # a body has twice as long
        for cut in (1, 20, len(text) - 5):
            line = self.server.connect()
            line.send(text[:cut])
            line.close()

    def test_ten_thousand_connections_keep_nobody_out(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = min(hard if hard != resource.RLIM_INFINITY else 1 << 20, 10_300)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        lines = []
        self.addCleanup(lambda: [line.close() for line in lines])
        for _ in range(min(10_000, most - 300)):
            lines.append(self.server.connect())
            lines[-1].send(b"GET /healthz HTTP/1.1\r\n")  # and no more
        self.assertEqual(self.server.ask("GET", "/healthz").status, 200)
        self.assertEqual(self.server.ask("POST", "/v1/run", {"code": "1 + 1", "timeout": 30}).json()["value"], 2)
        self.assertLessEqual(self.server.count("airlock_http_connections_open"), 1024)

    def test_bodies_that_do_not_come_keep_nobody_out(self):
        """Where no token is asked for."""
        half = self.server.text_of("POST", "/sign-out", b"x", headers={"Content-Type": "application/x-www-form-urlencoded", "Content-Length": "60000"}, token=False)
        lines = []
        self.addCleanup(lambda: [line.close() for line in lines])
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 3000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        server = self.serve("--rate", "100000")
        for number in range(2000):
            lines.append(server.connect())
            lines[-1].send(half)
            if number % 100 == 99:
                self.assertEqual(server.ask("GET", "/healthz").status, 200)
        self.assertLessEqual(server.count("airlock_http_connections_open"), 1024)

    def test_who_asks_too_often_is_told_so(self):
        server = self.serve("--rate", "2")
        line = server.connect()
        line.send(server.text_of("GET", "/healthz") * 40)  # all of them are there at once
        replies = [line.reply() for _ in range(40)]
        late = [reply for reply in replies if reply.status == 429]
        self.assertEqual((late[0].error(), late[0].headers["retry-after"]), ("TooManyRequests", "1"))
        self.assertEqual({reply.status for reply in replies}, {200, 429})


class Leaving(http_client.Case):
    """Clients that go away, and the end of the server."""

    def wait_until_idle(self, server):
        self.wait_for(lambda: server.count("airlock_http_requests_under_way") == 0, "the end of the piece")

    def test_a_client_that_leaves_has_its_piece_ended(self):
        server = self.serve()
        session = server.ask("POST", "/v1/sessions", {"timeout": 3600}).json()["session"]
        for path, code in ((f"/v1/sessions/{session}/run", "while True: pass"), ("/v1/run", "import time\ntime.sleep(3600)")):
            with self.subTest(path):
                line = server.connect()
                line.send(server.text_of("POST", path, {"code": code, "timeout": 3600}))
                self.wait_for(lambda: server.count("airlock_http_requests_under_way") == 1, "the piece")
                line.close()
                self.wait_until_idle(server)
        self.assertRegex(server.line_with(" 499 "), "/v1/")
        self.assertEqual(server.ask("POST", f"/v1/sessions/{session}/run", {"code": "1", "timeout": 30}).json()["value"], 1)

    def test_a_client_that_leaves_in_the_middle_of_a_stream_stops_it(self):
        server = self.serve()
        wide = "def extract(path: str) -> dict:\n    return {\"x\": \"a\" * 60000}\n"
        line = server.connect()
        line.send(server.text_of("POST", "/v1/extract", {"extractor": wide, "paths": [str(number) for number in range(20000)]}))
        self.assertEqual(line.head()[0], 200)
        self.assertTrue(next(line.chunks()))
        line.close()
        self.wait_until_idle(server)

    def test_sigterm_under_load_ends_everything(self):
        server = self.serve()
        children = set(processes.descendants(server.process.pid))
        stop = threading.Event()
        seen = []

        def work():
            while not stop.is_set():
                try:
                    reply = server.ask("POST", "/v1/run", {"code": "sum(range(1000))", "timeout": 30})
                except OSError:
                    return
                seen.append(reply.status if reply else None)
                if reply is None:
                    return

        long = server.connect()
        long.send(server.text_of("POST", "/v1/run", {"code": "while True: pass", "timeout": 3600}))
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        self.wait_for(lambda: len(seen) > 20, "some work")
        children |= set(processes.descendants(server.process.pid))
        self.assertEqual(server.end(), 0)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertLessEqual(set(seen), {200, 503, None})
        ended = long.reply()
        if ended is not None:
            self.assertIn(ended.status, (200, 503))
        self.wait_for(lambda: not any(map(processes.is_alive, children)), "the end of every process")

    def test_an_unused_session_is_closed(self):
        server = self.serve("--idle", "1")
        session = server.ask("POST", "/v1/sessions", {}).json()["session"]
        self.wait_for(lambda: server.count("airlock_sessions_open") == 0, "its end")
        self.assertEqual(server.ask("POST", f"/v1/sessions/{session}/run", {"code": "1"}).status, 404)

    def test_a_reader_of_standard_error_who_sleeps_holds_up_nothing(self):
        read, write = socket.socketpair()
        self.addCleanup(read.close)
        process = self.start("serve", "--http", "127.0.0.1:0", stderr=write.fileno())
        write.close()
        text = b""
        while b" token is in " not in text or not text.endswith(b"\n"):
            text += read.recv(4096)
        port = int(text.split(b"127.0.0.1:")[1].split(b"\n")[0])
        line = http_client.Line(("127.0.0.1", port))
        for _ in range(18):  # far more lines than the socket holds
            line.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500)
            self.assertLessEqual({line.reply().status for _ in range(500)}, {200, 429})
        process.terminate()
        self.assertEqual(process.wait(timeout=self.SECONDS), 0)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
