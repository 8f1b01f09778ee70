#!/usr/bin/env python3
"""The Model Context Protocol over HTTP (`POST /mcp` of `airlock serve --http`), in both eras: who is let in, headers that must agree with the body, answers as
JSON and as streams of events, clients that leave or cancel; and clients that are wrong, who always get an answer."""
import base64
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import agents, harness, http_client, processes

HANDSHAKE, STATELESS, PREFIX = agents.HANDSHAKE, agents.STATELESS, agents.PREFIX
VERSIONS = [STATELESS, HANDSHAKE, "2025-06-18"]
BOTH = {"Accept": "application/json, text/event-stream"}
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
HEAD = "def extract(path: str) -> dict:\n"
HONEST = HEAD + "    return {'name': path.rsplit('/', 1)[-1]}\n"
ENDLESS_AFTER_MANY = HEAD + "    while path == 'last':\n        pass\n    return {}\n"
SPIN = "while True: pass"
MANY = [f"/data/{i % 100:03}/file{i}.csv" for i in range(30_000)]


def request(method, era=STATELESS, number=1, token=None, **params):
    """A message."""
    meta = {**(agents.meta() if era == STATELESS else {}), **({} if token is None else {"progressToken": token}), **params.pop("_meta", {})}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, **({"_meta": meta} if meta else {})}}


def call(tool, era=STATELESS, number=1, token=None, **arguments):
    return request("tools/call", era, number, token, name=tool, arguments=arguments)


def headers_for(message, era=STATELESS):
    """What a client of that era sends with it."""
    headers = {**BOTH, "MCP-Protocol-Version": era}
    if era == STATELESS:
        headers["Mcp-Method"] = message["method"]
        if message["method"] in NAMED:
            headers["Mcp-Name"] = message["params"][NAMED[message["method"]]]
    elif message["method"] == "initialize":
        del headers["MCP-Protocol-Version"]
    return headers


def events(reply):
    """The messages of a stream, which has nothing else in it."""
    *each, rest = reply.body.decode().split("\n\n")
    assert rest == "", rest
    assert all(event.startswith("event: message\ndata: ") for event in each), each
    return [json.loads(event.removeprefix("event: message\ndata: ")) for event in each]


class Case(http_client.Case):
    ERAS = (HANDSHAKE, STATELESS)

    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def post(self, body, headers, **more):
        return self.server.ask("POST", "/mcp", body, headers=headers, **more)

    def say(self, message, era=STATELESS, **headers):
        """As a client of that era; `headers` replace the usual ones (None: left out), with _ for -."""
        replaced = {name.replace("_", "-"): value for name, value in headers.items()}
        usual = {name: value for name, value in headers_for(message, era).items() if name.lower() not in {one.lower() for one in replaced}}
        return self.post(message, {**usual, **replaced})

    def result(self, message, era=STATELESS):
        reply = self.say(message, era)
        self.assertEqual((reply.status, reply.headers["content-type"]), (200, "application/json"), reply.body)
        answer = reply.json()
        self.assertEqual(answer["id"], message["id"])
        return answer["result"]

    def begin(self, message, era=STATELESS, server=None, **headers):
        """A connection on which it is asked."""
        line = (server or self.server).connect()
        line.send((server or self.server).text_of("POST", "/mcp", message, headers={**headers_for(message, era), **headers}))
        return line

    def assert_fault(self, reply, status, code, number=1):
        self.assertEqual((reply.status, reply.headers["content-type"]), (status, "application/json"), reply.body)
        answer = reply.json()
        self.assertEqual((answer["jsonrpc"], answer.get("id"), answer["error"]["code"]), ("2.0", number, code), answer)
        return answer["error"]

    def wait_until_busy(self):
        self.wait_for(lambda: self.server.count("airlock_http_requests_under_way") == 1, "the request")
        self.wait_for(lambda: processes.busy_cells(self.server.process.pid), "a guest that loops")

    def wait_until_idle(self):
        self.wait_for(lambda: self.server.count("airlock_http_requests_under_way") == 0, "the end of the request")


class Speaking(Case):
    def test_the_old_era_begins_with_initialize(self):
        hello = self.say(request("initialize", HANDSHAKE, protocolVersion=HANDSHAKE, capabilities={}, clientInfo={"name": "t", "version": "1"}), HANDSHAKE)
        self.assertEqual(hello.status, 200)
        self.assertEqual(hello.json()["result"]["protocolVersion"], HANDSHAKE)
        session = hello.headers["mcp-session-id"]
        self.assertRegex(session, r"\A[0-9a-f]{32}\Z")
        noted = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, {**BOTH, "MCP-Protocol-Version": HANDSHAKE, "Mcp-Session-Id": session})
        self.assertEqual((noted.status, noted.body), (202, b""))
        self.assertNotIn("content-type", noted.headers)
        listed = self.say(request("tools/list", HANDSHAKE), HANDSHAKE, Mcp_Session_Id=session)
        self.assertEqual(len(listed.json()["result"]["tools"]), 7)
        self.assertNotIn("mcp-session-id", listed.headers)
        self.assertEqual(self.result(request("ping", HANDSHAKE), HANDSHAKE), {})

    def test_an_initialize_that_fails_begins_nothing(self):
        reply = self.say(request("initialize", HANDSHAKE), HANDSHAKE)
        self.assert_fault(reply, 200, -32602)
        self.assertNotIn("mcp-session-id", reply.headers)

    def test_the_new_era_is_discovered_and_has_no_sessions(self):
        message = request("server/discover")
        reply = self.say(message, Mcp_Session_Id="anything", Last_Event_ID="7")
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.json()["result"]["supportedVersions"], VERSIONS)
        self.assertNotIn("mcp-session-id", reply.headers)

    def test_tools_in_both_eras(self):
        for era in self.ERAS:
            with self.subTest(era):
                self.assertEqual(len(self.result(request("tools/list", era), era)["tools"]), 7)
                ran = self.result(call("run_python", era, "a text", code="6 * 7"), era)
                self.assertEqual((ran["structuredContent"]["value"], ran["isError"]), (42, False))
                self.assertEqual("resultType" in ran, era == STATELESS)
                self.result(call("run_python", era, session="s", code="kept = 1"), era)
                self.assertEqual(self.result(call("run_python", era, session="s", code="kept + 1"), era)["structuredContent"]["value"], 2)
                failed = self.result(call("run_python", era, code="1/0"), era)
                self.assertTrue(failed["isError"])
                self.assertIn("contents", self.result(request("resources/read", era, uri="airlock://rules/AL203"), era))
                self.assertIn("messages", self.result(request("prompts/get", era, name="write_extractor", arguments={"paths": "/a/b.csv"}), era))

    def test_bodies_may_be_written_for_people(self):
        message = request("tools/list")
        reply = self.post(json.dumps(message, indent=4).replace("\n", "\r\n").encode(), headers_for(message))
        self.assertEqual(reply.status, 200)

    def test_progress_makes_a_stream_of_events(self):
        for era in self.ERAS:
            with self.subTest(era):
                reply = self.say(call("extract", era, 5, token="t", extractor=HONEST, paths=MANY), era)
                self.assertEqual((reply.status, reply.headers["content-type"], reply.headers["x-accel-buffering"]), (200, "text/event-stream", "no"))
                self.assertTrue(reply.is_whole)
                *told, answer = events(reply)
                self.assertTrue(told)
                self.assertEqual({(one["method"], one["params"]["progressToken"]) for one in told}, {("notifications/progress", "t")})
                amounts = [one["params"]["progress"] for one in told]
                self.assertEqual(amounts, sorted(set(amounts)))
                self.assertEqual((answer["id"], len(answer["result"]["structuredContent"]["rows"])), (5, len(MANY)))

    def test_who_asked_for_no_progress_or_has_none_gets_json(self):
        self.assertEqual(len(self.result(call("extract", extractor=HONEST, paths=MANY))["structuredContent"]["rows"]), len(MANY))
        self.assertEqual(self.result(call("run_python", token="t", code="1"))["structuredContent"]["value"], 1)

    def test_many_requests_on_one_connection(self):
        line = self.server.connect()
        for number in range(20):
            message = call("run_python", number=number, code=str(number))
            reply = self.server.ask("POST", "/mcp", message, line=line, headers=headers_for(message))
            self.assertEqual((reply.json()["id"], reply.json()["result"]["structuredContent"]["value"]), (number, number))


class Refusals(Case):
    def test_only_with_the_token_and_from_here(self):
        message = request("tools/list")
        for token in (False, "wrong"):
            self.assertEqual(self.post(message, headers_for(message), token=token).status, 401)
        for name, value in (("Origin", "http://evil.example"), ("Host", "evil.example")):
            self.assertEqual(self.post(message, {**headers_for(message), name: value}).status, 403)
        self.assertEqual(self.post(message, {**headers_for(message), "Origin": self.server.url}).status, 200)

    def test_only_post(self):
        for method in ("GET", "DELETE", "HEAD"):
            with self.subTest(method):
                reply = self.server.ask(method, "/mcp", headers=BOTH)
                self.assertEqual((reply.status, reply.headers["allow"]), (405, "POST, OPTIONS"))

    def test_a_client_takes_json_and_events(self):
        message = request("tools/list")
        for accept in (None, "application/json", "text/event-stream", "text/html", "application/json, text/event-stream;q=0"):
            with self.subTest(accept):
                self.assert_fault(self.say(message, Accept=accept), 406, -32600, None)
        self.assertEqual(self.say(message, Accept="*/*").status, 200)
        self.assertEqual(self.say(message, Content_Type="text/plain").status, 415)

    def test_headers_that_disagree_with_the_body(self):
        message = call("run_python", code="open('/out/x', 'w')")
        for wrong in ({"MCP-Protocol-Version": HANDSHAKE}, {"MCP-Protocol-Version": "1900-01-01"}, {"MCP-Protocol-Version": None}, {"Mcp-Method": "tools/list"},
                      {"Mcp-Method": "TOOLS/CALL"}, {"Mcp-Method": None}, {"Mcp-Name": "check_python"}, {"Mcp-Name": "Run_python"}, {"Mcp-Name": None},
                      {"Mcp-Name": "=?base64?eA==?="}, {"Mcp-Name": "=?base64?!!?="}):
            with self.subTest(wrong):
                fault = self.assert_fault(self.say(message, **{name.replace("-", "_"): value for name, value in wrong.items()}), 400, -32020)
                self.assertIn(list(wrong)[0].lower(), fault["message"])
        self.assertEqual(self.server.count("airlock_pieces_total"), 0)

    def test_a_header_that_stands_there_twice(self):
        message = request("tools/list")
        for name in ("Mcp-Method", "MCP-Protocol-Version"):
            text = self.server.text_of("POST", "/mcp", message, headers=headers_for(message))
            line = f"{name}: {headers_for(message)[name]}\r\n".encode()
            self.assertIn(line, text)
            self.assert_fault(self.server.say(text.replace(line, line * 2)), 400, -32020)

    def test_a_name_may_be_encoded(self):
        encoded = "=?base64?" + base64.b64encode(b"run_python").decode() + "?="
        self.assertEqual(self.say(call("run_python", code="1"), Mcp_Name=encoded).status, 200)
        uri = "airlock://rules/\u00e4"
        reply = self.say(request("resources/read", uri=uri), Mcp_Name="=?base64?" + base64.b64encode(uri.encode()).decode() + "?=")
        self.assert_fault(reply, 200, -32602)

    def test_versions_that_are_not_spoken(self):
        for version in ("1900-01-01", "2026-07-29", "x"):
            with self.subTest(version):
                new = self.say(request("tools/list", _meta={PREFIX + "protocolVersion": version}), MCP_Protocol_Version=version)
                self.assertEqual(self.assert_fault(new, 400, -32022)["data"], {"supported": VERSIONS, "requested": version})
                old = self.say(request("tools/list", HANDSHAKE), HANDSHAKE, MCP_Protocol_Version=version)
                self.assertEqual(self.assert_fault(old, 400, -32022)["data"], {"supported": VERSIONS, "requested": version})
        old_in_meta = self.say(request("tools/list", _meta={PREFIX + "protocolVersion": HANDSHAKE}), MCP_Protocol_Version=HANDSHAKE)
        self.assert_fault(old_in_meta, 400, -32022)
        self.assert_fault(self.say(request("tools/list", HANDSHAKE), HANDSHAKE, MCP_Protocol_Version=None), 400, -32020)
        note = self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, {**BOTH, "MCP-Protocol-Version": "x"})
        self.assert_fault(note, 400, -32022, None)

    def test_what_the_new_era_must_have_in_its_body(self):
        for era in ({}, {PREFIX + "protocolVersion": STATELESS}):
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": era}}
            self.assert_fault(self.post(message, headers_for(message)), 400, -32602)
        message = request("initialize", HANDSHAKE, protocolVersion=HANDSHAKE)
        self.assert_fault(self.post(message, headers_for(message)), 400, -32602)

    def test_methods_that_are_not_there(self):
        for method in ("no/such", "ping", "initialize", "subscriptions/listen"):
            self.assert_fault(self.say(request(method)), 404, -32601)
        self.assert_fault(self.say(request("no/such", HANDSHAKE), HANDSHAKE), 200, -32601)

    def test_what_is_wrong_inside_of_a_request_is_its_answer(self):
        for era in self.ERAS:
            self.assert_fault(self.say(call("no_such", era), era), 200, -32602)
            self.assertTrue(self.result(call("run_python", era, cod="1"), era)["isError"])

    def test_what_is_no_message(self):
        headers = {**BOTH, "MCP-Protocol-Version": STATELESS}
        cases = {b"": -32700, b"{": -32700, b"nonsense": -32700, b'{"a": 1, "a": 2}': -32700, b'"\xff"': -32700, b"[" * 100_000: -32700, b"7": -32600, b"[]": -32600,
                 json.dumps([request("tools/list"), request("tools/list", number=2)]).encode(): -32600, b"{}": -32600, b'{"jsonrpc": "1.0", "id": null}': -32600,
                 b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}': -32600, b'{"jsonrpc": "2.0", "id": [], "method": "tools/list"}': -32600}
        for body, code in cases.items():
            with self.subTest(body[:60]):
                self.assert_fault(self.post(body, headers), 400, code, None)
        self.assertEqual(self.say(request("tools/list")).status, 200)

    def test_notifications_and_responses_are_taken(self):
        for body in ({"method": "notifications/initialized"}, {"method": "notifications/no_such"}, {"id": 1, "result": {}},
                     {"method": "notifications/cancelled", "params": {"requestId": 1}}, {"method": "notifications/cancelled", "params": [1]}):
            for headers in ({}, {"MCP-Protocol-Version": HANDSHAKE}, {"MCP-Protocol-Version": STATELESS, "Mcp-Session-Id": "x"}):
                reply = self.post({"jsonrpc": "2.0", **body}, {**BOTH, **headers})
                self.assertEqual((reply.status, reply.body), (202, b""), body)


class Leaving(Case):
    def test_a_client_that_leaves_has_its_piece_ended(self):
        for era in self.ERAS:
            with self.subTest(era):
                self.server = self.serve()  # whose cells have not looped yet
                self.result(call("run_python", era, session="s", code="kept = 5"), era)
                line = self.begin(call("run_python", era, session="s", code=SPIN, timeout=600), era)
                self.wait_until_busy()
                line.close()
                self.wait_until_idle()
                self.assertEqual(self.result(call("run_python", era, session="s", code="kept"), era)["structuredContent"]["value"], 5)

    def test_a_client_that_leaves_in_the_middle_of_a_stream_stops_it(self):
        line = self.begin(call("extract", token=1, extractor=ENDLESS_AFTER_MANY, paths=[*MANY, "last"]))
        self.assertEqual(line.head()[0], 200)
        self.assertTrue(next(line.chunks()).startswith(b"event: message\ndata: "))
        line.close()
        self.wait_until_idle()

    def test_the_old_era_cancels_by_a_message(self):
        session = self.say(request("initialize", HANDSHAKE, protocolVersion=HANDSHAKE), HANDSHAKE).headers["mcp-session-id"]
        other = self.say(request("initialize", HANDSHAKE, protocolVersion=HANDSHAKE), HANDSHAKE).headers["mcp-session-id"]
        self.assertNotEqual(session, other)
        line = self.begin(call("run_python", HANDSHAKE, 3, code=SPIN, timeout=600), HANDSHAKE, **{"Mcp-Session-Id": session})
        self.wait_until_busy()
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}
        headers = {**BOTH, "MCP-Protocol-Version": HANDSHAKE}
        for not_theirs in ({}, {"Mcp-Session-Id": other}, {"Mcp-Session-Id": ""}):
            self.assertEqual(self.post(cancelled, {**headers, **not_theirs}).status, 202)
        self.assertEqual(self.post({**cancelled, "params": {"requestId": "3"}}, {**headers, "Mcp-Session-Id": session}).status, 202)
        busy = processes.busy_cells(self.server.process.pid)
        used = sum(map(processes.processor_seconds, busy))
        self.wait_for(lambda: sum(map(processes.processor_seconds, busy)) > used + 0.2, "more of it: only who asked can cancel")
        self.assertEqual(self.post(cancelled, {**headers, "Mcp-Session-Id": session}).status, 202)
        reply = line.reply()
        self.assertEqual((reply.status, reply.headers["content-type"], reply.body, reply.is_whole), (200, "text/event-stream", b"", True))
        self.wait_until_idle()

    def test_the_old_era_has_sessions_of_its_own(self):
        """Models choose the same names."""
        mine, yours = ({"Mcp-Session-Id": name} for name in ("a", "b"))

        def run(code, whose):
            reply = self.post(call("run_python", HANDSHAKE, code=code, session="main"), {**headers_for(call("run_python", HANDSHAKE), HANDSHAKE), **whose})
            return reply.json()["result"]["structuredContent"]
        run("secret = 7", mine)
        self.assertEqual(run("secret", mine)["value"], 7)
        self.assertEqual(run("secret", yours)["error"]["type"], "NameError")

    def test_the_server_ends_with_an_answer(self):
        line = self.begin(call("run_python", code=SPIN, timeout=600))
        self.wait_until_busy()
        self.assertEqual(self.server.end(), 0)
        self.assert_fault(line.reply(), 503, -32603)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
