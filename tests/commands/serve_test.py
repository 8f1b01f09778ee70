#!/usr/bin/env python3
"""`airlock serve` as its clients meet it: every message of docs/protocol.md, many at once, and clients that are wrong or slow, who cost
nobody else anything. How it all ends: serve_ends_test.py.

    tests/commands/serve_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes, serving

AIRLOCK = harness.AIRLOCK
MIB = 1024 * 1024
SPIN = "while True: pass"
ADD = [{"name": "add", "doc": "Adds.", "signature": {"parameters": [{"name": "a", "kind": "ordinary"}, {"name": "b", "kind": "ordinary", "default": "1"}]}}]
ASYNC = [{"name": "fetch", "async": True}]


class Case(serving.Case):
    def assert_usage(self, answer, *words):
        self.assertEqual(answer.get("error", {}).get("type"), "Usage", answer)
        for word in words:
            self.assertIn(word, answer["error"]["message"])

    def assert_alive(self, client):
        self.assertEqual(client.request("ping")["result"], {})


class Messages(Case):
    def test_the_server_speaks_first_and_says_its_version(self):
        client = self.serve()
        self.assertEqual(set(client.heard[0]), {"protocol", "version"})
        heard = self.end_of(client)
        self.assertEqual(heard[-1], {"event": "closing"})

    def test_ping(self):
        client = self.serve()
        self.assertEqual(client.request("ping", id="a text"), {"id": "a text", "result": {}})
        self.assertEqual(client.request("ping", id=-1.5), {"id": -1.5, "result": {}})

    def test_a_piece_has_every_member_of_a_result(self):
        client = self.serve()
        session = client.open()
        got = client.run("print('a')\n[1, 2]", session)
        self.assertEqual(set(got), {"value", "shown", "stdout", "stderr", "calls", "denials", "artifacts", "elapsed_ms", "state_lost", "error"})
        self.assertEqual((got["value"], got["shown"], got["stdout"], got["error"], got["state_lost"]), ([1, 2], "[1, 2]", "a\n", None, False))

    def test_names_stay(self):
        client = self.serve()
        session = client.open()
        client.run("import math\ndef f(x):\n    return math.floor(x) + n", session, inputs={"n": 40})
        self.assert_fine(client.run("f(2.5)", session), 42)
        self.assert_fine(client.run("n", session), 40)

    def test_two_sessions_share_nothing(self):
        client = self.serve()
        one, other = client.open(), client.open()
        client.run("secret = 1", one)
        self.assertEqual(client.run("secret", other)["error"]["type"], "NameError")

    def test_a_piece_without_a_session_leaves_nothing(self):
        client = self.serve()
        self.assert_fine(client.run("x = 5\nx", memory_mb=64, timeout=3), 5)
        self.assertEqual(client.run("x")["error"]["type"], "NameError")

    def test_prints_come_before_the_answer_and_in_order(self):
        client = self.serve()
        session = client.open(functions=ADD)
        number = client.ask("run", session=session, prints=True, code="import sys\nprint('one')\nprint('two', file=sys.stderr)\nadd(1)\nprint('three')")
        call = client.event(number, "call")
        texts = [(m["stream"], m["text"]) for m in client.heard if m.get("event") == "printed"]
        self.assertEqual(texts, [("stdout", "one\n"), ("stderr", "two\n")], "what was printed before a call is heard before it")
        client.send(id=number, do="answer", call=call["call"], value=None)
        result = client.answer_to(number)["result"]
        self.assertEqual((result["stdout"], result["stderr"]), ("one\nthree\n", "two\n"))
        self.assertEqual("".join(m["text"] for m in client.heard if m.get("stream") == "stdout"), "one\nthree\n")

    def test_prints_come_while_the_piece_runs(self):
        client = self.serve()
        number = client.ask("run", session=client.open(timeout=60), prints=True, code=f"print('at work')\n{SPIN}")
        self.assertEqual(client.event(number, "printed")["text"], "at work\n")
        client.ask("cancel", id=number)
        self.assert_ended(client.answer_to(number)["result"], "cancelled", state_lost=False)

    def test_no_prints_unless_asked(self):
        client = self.serve()
        client.run("print(1)", client.open())
        self.assertFalse([m for m in client.heard if "event" in m])

    def test_a_host_function_is_called_with_its_arguments(self):
        client = self.serve()
        session = client.open(functions=ADD)
        got = client.run("add(1, b=2)", session, answers={"add": lambda a, b: a + b})
        self.assert_fine(got, 3)
        self.assertEqual([(c["name"], c["ended"]) for c in got["calls"]], [("add", "returned")])
        shown = client.run("import inspect\nstr(inspect.signature(add)), add.__doc__, add.__name__", session)
        self.assertEqual(shown["value"], ["(a, b=1)", "Adds.", "add"])

    def test_what_a_host_function_raises_is_raised_inside(self):
        client = self.serve()
        session = client.open(functions=ADD)

        def missing(a, b=1):
            raise KeyError("tea")
        code = "try:\n    add(1)\nexcept KeyError as error:\n    told = error.args[0]\ntold"
        self.assertIn("tea", client.run(code, session, answers={"add": missing})["value"])

        class Elsewhere(Exception):
            pass

        def strange(a, b=1):
            raise Elsewhere("far")
        got = client.run("add(1)", session, answers={"add": strange})
        self.assertEqual((got["error"]["kind"], got["error"]["type"], got["error"]["message"]), ("raised", "Elsewhere", "far"))
        self.assertEqual(got["calls"][0]["ended"], "raised")

    def test_many_calls_are_answered_in_reverse_order(self):
        client = self.serve()
        number = client.ask("run", session=client.open(functions=ASYNC), code="import asyncio\nawait asyncio.gather(*[fetch(i) for i in range(20)])")
        calls = [client.event(number, "call", i) for i in range(20)]
        for call in reversed(calls):
            client.send(id=number, do="answer", call=call["call"], value=call["arguments"]["args"][0] * 10)
        self.assert_fine(client.answer_to(number)["result"], [i * 10 for i in range(20)])

    def test_a_second_answer_is_dropped(self):
        client = self.serve()
        number = client.ask("run", session=client.open(functions=ADD), code="[add(1), add(2)]")
        call = client.event(number, "call")["call"]
        for value in ("first", "second"):
            client.send(id=number, do="answer", call=call, value=value)
        client.send(id=number, do="answer", call=client.event(number, "call", 1)["call"], value="third")
        self.assert_fine(client.answer_to(number)["result"], ["first", "third"])

    def test_an_answer_to_a_call_that_is_over_is_dropped(self):
        client = self.serve()
        session = client.open(functions=ADD)
        number = client.ask("run", session=session, code="add(1)")
        call = client.event(number, "call")["call"]
        client.send(id=number, do="answer", call=call, value=1)
        client.answer_to(number)
        for one in (call, call + 1, 0, 4_000_000_000):
            client.send(id=number, do="answer", call=one, value=2)
            client.send(id="never", do="answer", call=one, value=2)
        self.assert_fine(client.run("add(7)", session, answers={"add": lambda a: a}), 7)

    def test_answers_that_are_none(self):
        client = self.serve()
        session = client.open(functions=ADD)
        number = client.ask("run", session=session, code="add(1)")
        call = client.event(number, "call")["call"]
        for wrong in ({"value": 1}, {"call": "x", "value": 1}, {"call": -1, "value": 1}, {"call": call}, {"call": call, "error": "text"},
                      {"call": call, "value": 1, "error": {"type": "E", "message": ""}}):
            client.heard.clear()
            client.send(id=number, do="answer", **wrong)
            self.assert_usage(client.next())
        client.heard.clear()
        client.send(id=number, do="answer", call=call, value=5)
        self.assert_fine(client.answer_to(number)["result"], 5)

    def test_a_result_that_is_too_deep_or_too_large_is_raised_inside(self):
        client = self.serve()
        session = client.open(functions=ADD)
        deep = 1
        for _ in range(75):
            deep = [deep]
        for value in (deep, "x" * (9 * MIB)):
            got = client.run("add(1)", session, answers={"add": lambda a, value=value: value})
            self.assertEqual((got["error"]["type"], got["state_lost"]), ("TypeError", False))
        self.assert_fine(client.run("len(add(1))", session, answers={"add": lambda a: "x" * (7 * MIB)}), 7 * MIB)

    def test_cancel_keeps_the_session(self):
        client = self.serve()
        session = client.open(timeout=60)
        client.run("kept = 1", session)
        number = client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}")
        client.event(number, "printed")
        client.ask("cancel", id=number)
        got = client.answer_to(number)["result"]
        self.assert_ended(got, "cancelled", state_lost=False)
        self.assert_fine(client.run("kept", session), 1)

    def test_cancel_that_comes_with_its_piece_keeps_the_session(self):
        client = self.serve()
        session = client.open(timeout=60)
        client.run("kept = 1", session)
        for _ in range(40):
            number = client.ask("run", session=session, code=SPIN)
            client.ask("cancel", id=number)
            answer = client.answer_to(number)
            if "result" in answer:  # it had its turn already
                self.assert_ended(answer["result"], "cancelled", state_lost=False)
            else:
                self.assertEqual(answer["error"]["type"], "Cancelled")
        self.assert_fine(client.run("kept", session), 1)

    def test_cancel_of_a_piece_that_waits_for_a_host_function(self):
        client = self.serve()
        session = client.open(functions=ADD)
        number = client.ask("run", session=session, code="kept = 3\nadd(1)")
        client.event(number, "call")
        client.ask("cancel", id=number)
        got = client.answer_to(number)["result"]
        self.assert_ended(got, "cancelled", state_lost=False)
        self.assertEqual([c["ended"] for c in got["calls"]], ["unanswered"])
        self.assert_fine(client.run("kept", session), 3)

    def test_cancel_of_a_piece_that_waits_for_its_turn(self):
        client = self.serve()
        session = client.open(timeout=60)
        first = client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}")
        client.event(first, "printed")
        second = client.ask("run", session=session, code="never = 1")
        client.ask("cancel", id=second)
        client.ask("cancel", id=first)
        client.answer_to(first)
        self.assertIn("cancel", json.dumps(client.answer_to(second)))
        self.assertEqual(client.run("never", session)["error"]["type"], "NameError")

    def test_cancel_at_once_is_heard(self):
        """Before the piece has even been judged."""
        client = self.serve()
        session = client.open(timeout=600, deadline=600)
        for _ in range(20):
            number = client.ask("run", session=session, code=SPIN)
            client.ask("cancel", id=number)
            self.assertIn("cancel", json.dumps(client.answer_to(number)))
        for _ in range(5):
            number = client.ask("run", code=SPIN, timeout=600)
            client.ask("cancel", id=number)
            self.assertIn("cancel", json.dumps(client.answer_to(number)))

    def test_cancel_of_what_is_done_or_never_was(self):
        client = self.serve()
        session = client.open()
        number = client.ask("run", session=session, code="1")
        client.answer_to(number)
        for one in (number, 99999, "never"):
            client.ask("cancel", id=one)
        self.assert_fine(client.run("2", session), 2)

    def test_close(self):
        client = self.serve()
        session = client.open()
        self.assertEqual(client.request("close", session=session)["result"], {"closed": True})
        self.assertEqual(client.request("close", session=session)["result"], {"closed": False})
        self.assert_usage(client.request("run", session=session, code="1"), "no session")

    def test_close_ends_the_piece_that_runs_and_those_that_wait(self):
        client = self.serve()
        session = client.open(timeout=600)
        first = client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}")
        client.event(first, "printed")
        second = client.ask("run", session=session, code=SPIN)
        self.assert_alive(client)
        self.assertEqual(client.request("close", session=session)["result"], {"closed": True})
        self.assert_ended(client.answer_to(first)["result"], "cancelled")
        self.assertNotIn('"error": null', json.dumps(client.answer_to(second)))

    def test_null_stands_for_a_member_that_is_missing(self):
        client = self.serve()
        names = ("policy", "timeout", "deadline", "memory_mb", "output_bytes", "max_calls", "functions", "files", "strict")
        session = client.open(**dict.fromkeys(names))
        self.assert_fine(client.run("1", session, inputs=None, timeout=None, prints=None), 1)
        answer = client.request("run", code="2", session=None)
        self.assertEqual(answer.get("result", {}).get("value"), 2, answer)

    def test_a_strict_session_fails_at_a_denied_call(self):
        code = "import socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass\n1"
        client = self.serve()
        got = client.run(code, client.open())
        self.assert_fine(got, 1)
        self.assertEqual(got["denials"], [{"call": "socket", "line": 3}])
        self.assert_ended(client.run(code, client.open(strict=True)), "violation")

    def test_each_limit_has_its_own_end(self):
        client = self.serve()
        session = client.open(timeout=0.3, memory_mb=64, deadline=20, functions=ADD)
        self.assert_ended(client.run(SPIN, session), "timeout", state_lost=True)
        self.assertTrue(client.run("1", session)["state_lost"])
        self.assertFalse(client.run("1", session)["state_lost"])
        self.assert_ended(client.run("x = bytearray(10 ** 9)", session), "memory", state_lost=False)
        self.assert_ended(client.run("while True: print('x' * 100000)", session, timeout=60), "output")
        self.assert_ended(client.run("1 / 0", session), "raised")
        self.assert_ended(client.run("def", session), "raised")
        self.assert_ended(client.run("import ctypes\nctypes.string_at(0)", session), "crashed", state_lost=True)
        got = client.run("add(1)", client.open(functions=ADD, timeout=0.3, deadline=0.6))
        self.assert_ended(got, "deadline", state_lost=True)

    def test_waiting_for_a_host_function_does_not_count(self):
        client = self.serve()
        number = client.ask("run", session=client.open(timeout=0.2, functions=ADD), code="add(1)")
        call = client.event(number, "call")["call"]
        waiting = client.ask("run", session=client.open(timeout=0.6), code=SPIN)
        client.answer_to(waiting)  # far more than its own time has gone by
        client.send(id=number, do="answer", call=call, value=9)
        self.assert_fine(client.answer_to(number)["result"], 9)


class BadLines(Case):
    def test_lines_that_are_no_requests(self):
        client = self.serve()
        lines = [b"text", b"{", b"[]", b"1", b"null", b'"text"', b"{}", b'{"id": null, "do": "ping"}', b'{"id": [], "do": "ping"}', b'{"id": {}, "do": "ping"}',
                 b'{"id": true, "do": "ping"}', b'{"do": "ping"}', b'{"id": 1, "id": 2, "do": "ping"}', b'{"id": 1, "do": "ping"} x',
                 b'{"id": 1, "do": "ping"}{"id": 2, "do": "ping"}', b'{"id": 1, "do": "ping", }', b"{'id': 1}", b'{"id": NaN, "do": "ping"}',
                 b'{"id": 1, "do": "ping", "x": \xff}', b'{"id": "\xff\xfe", "do": "ping"}', b'{"id": 1, "do": "pi\x00ng"}', b"\x00", b'{"id": "\xed\xa0\x80"}',
                 b"[" * 100_000, b'{"id": 1, "do": "run", "inputs": ' + b'{"a":' * 90 + b"1" + b"}" * 90 + b"}", b'{"id": "' + b"x" * 300 + b'", "do": "ping"}',
                 b"\xef\xbb\xbf" + b'{"id": 1, "do": "ping"}', b'{"id": 01, "do": "ping"}']
        for line in lines:
            with self.subTest(line=line[:60]):
                client.heard.clear()
                client.write(line + b"\n")
                answer = client.next()
                self.assert_usage(answer)
                self.assertIsNone(answer["id"])
        self.assert_alive(client)

    def test_requests_that_are_wrong(self):
        client = self.serve()
        session = client.open(functions=ADD)
        wrong = [("", {}), ("fly", {}), (None, {}), (5, {}), ("run", {}), ("run", {"code": 5}), ("run", {"code": None}), ("run", {"code": ["1"]}),
                 ("run", {"code": "1", "session": 5}), ("run", {"code": "1", "session": "0" * 24}), ("run", {"code": "1", "session": session, "inputs": []}),
                 ("run", {"code": "1", "session": session, "inputs": "x"}), ("run", {"code": "1", "session": session, "timeout": "x"}),
                 ("run", {"code": "1", "session": session, "timeout": 0}), ("run", {"code": "1", "session": session, "timeout": -1}),
                 ("run", {"code": "1", "session": session, "timeout": 1e300}), ("run", {"code": "1", "session": session, "prints": 1}),
                 ("run", {"code": "1", "session": session, "memory_mb": 5}), ("run", {"code": "1", "session": session, "cod": 5}),
                 ("open", {"policy": "nobody"}), ("open", {"policy": "extractor"}), ("open", {"policy": 5}), ("open", {"policy": "/etc/passwd"}),
                 ("open", {"timeout": []}), ("open", {"memory_mb": 0}), ("open", {"memory_mb": 1e9}), ("open", {"max_calls": -1}), ("open", {"output_bytes": 1e12}),
                 ("open", {"functions": {}}), ("open", {"functions": [5]}), ("open", {"functions": [{}]}), ("open", {"functions": [{"name": 5}]}),
                 ("open", {"functions": [{"name": "f", "signature": {"parameters": [{"name": "1x", "kind": "ordinary"}]}}]}),
                 ("open", {"functions": [{"name": "f", "signature": {"parameters": 5}}]}), ("open", {"strict": "yes"}), ("open", {"unknown": 1}),
                 ("close", {}), ("close", {"session": 1}), ("close", {"session": session, "x": 1})]
        for what, members in wrong:
            with self.subTest(what=what, members=str(members)[:80]):
                self.assert_usage(client.request(what, **members))
        self.assert_fine(client.run("1", session), 1)

    def test_an_id_that_is_under_way_is_not_taken_again(self):
        client = self.serve()
        session = client.open(timeout=60)
        client.send(id="twice", do="run", session=session, prints=True, code=f"print(1)\n{SPIN}")
        client.event("twice", "printed")
        client.send(id="twice", do="run", session=session, code="2")
        wrong = client.until(lambda message: message.get("id", "") is None and "error" in message)
        self.assertIn('"twice"', wrong["error"]["message"])
        client.heard.clear()
        client.send(id="twice", do="cancel")
        self.assert_ended(client.answer_to("twice")["result"], "cancelled")
        client.heard.clear()
        self.assert_fine(client.run("3", session, id="twice"), 3)

    def test_more_than_256_under_way(self):
        client = self.serve()
        session = client.open(timeout=60, functions=ADD)
        client.send(id="first", do="run", session=session, code="add(1)")
        call = client.event("first", "call")["call"]
        numbers = [client.ask("run", session=session, code="1") for _ in range(255)]
        self.assert_usage(client.request("run", session=session, code="1"), "256")
        self.assert_alive(client)
        client.send(id="first", do="answer", call=call, value=None)
        for number in numbers:
            self.assert_fine(client.answer_to(number)["result"], 1)

    def test_blank_lines_and_carriage_returns(self):
        client = self.serve()
        client.write(b"\n\r\n   \n\t\n" + b'{"id": 1, "do": "ping"}\r\n')
        self.assertEqual(client.next(), {"id": 1, "result": {}})

    def test_a_line_in_single_bytes(self):
        client = self.serve()
        for byte in b'{"id": 1, "do": "ping"}\n':
            client.write(bytes([byte]))
        self.assertEqual(client.next(), {"id": 1, "result": {}})

    def test_half_a_line_then_the_end(self):
        client = self.serve()
        client.write(b'{"id": 1, "do": "run", "code": "while')
        self.assertEqual(self.end_of(client)[-1], {"event": "closing"})

    def test_a_line_of_more_than_64_mib_costs_only_its_sender(self):
        server, path = self.serve_socket()
        other = self.connect(path)
        session = other.open()
        client = self.connect(path)
        with contextlib.suppress(OSError):  # it need not be read to its end
            for _ in range(66):
                client.write(b"x" * MIB)
        with contextlib.suppress(AssertionError, OSError):
            client.rest()
        self.assert_usage(client.heard[1], "64 MiB")
        self.assert_fine(other.run("1", session), 1)
        self.assertIsNone(server.poll())

    def test_a_large_line_that_is_fine(self):
        client = self.serve()
        self.assert_usage(client.request("run", code="1", inputs={"x": "y" * (20 * MIB)}), "inputs")
        self.assert_fine(client.run("len(x)", inputs={"x": "y" * (7 * MIB)}), 7 * MIB)


class ManyAtOnce(Case):
    def test_one_that_waits_does_not_hold_up_another(self):
        client = self.serve()
        slow, quick = client.open(functions=ADD, deadline=600), client.open()
        waiting = client.ask("run", session=slow, code="add(1)")
        call = client.event(waiting, "call")["call"]
        for i in range(10):
            self.assert_fine(client.run(f"{i}", quick), i)
        self.assertFalse([m for m in client.heard if m.get("id") == waiting and "result" in m])
        client.send(id=waiting, do="answer", call=call, value="late")
        self.assert_fine(client.answer_to(waiting)["result"], "late")

    def test_64_sessions_open_and_8_at_work(self):
        client = self.serve()
        sessions = [client.open(timeout=600, deadline=600) for _ in range(64)]
        busy = [client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}") for session in sessions[:8]]
        for number in busy:
            client.event(number, "printed")
        client.ask("cancel", id=busy[0])
        self.assert_ended(client.answer_to(busy[0])["result"], "cancelled")
        numbers = [client.ask("run", session=session, code=f"{i}") for i, session in enumerate(sessions[8:])]
        for i, number in enumerate(numbers):
            self.assert_fine(client.answer_to(number)["result"], i)
        self.assertFalse([m for m in client.heard if m.get("id") in busy[1:] and "result" in m], "those that are at work go on")
        for number in busy[1:]:
            client.ask("cancel", id=number)
        for number in busy[1:]:
            self.assert_ended(client.answer_to(number)["result"], "cancelled")

    def test_pieces_of_one_session_run_in_the_order_of_the_requests(self):
        client = self.serve()
        session = client.open()
        client.run("seen = []", session)
        numbers = [client.ask("run", session=session, code=f"seen.append({i})\nlist(seen)") for i in range(50)]
        for i, number in enumerate(numbers):
            self.assert_fine(client.answer_to(number)["result"], list(range(i + 1)))

    def test_a_client_that_does_not_read(self):
        """Its piece prints a mebibyte into nowhere; another client does not notice; when it reads again, all is there."""
        server, path = self.serve_socket()
        other = self.connect(path)
        session = other.open()
        deaf = socket.socket(socket.AF_UNIX)
        self.addCleanup(deaf.close)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(str(path))
        deaf.sendall(b'{"id": 1, "do": "run", "prints": true, "timeout": 60, "code": "for i in range(1024): print(chr(97 + i % 26) * 1023)"}\n')
        for i in range(20):
            self.assert_fine(other.run(f"{i}", session), i)
        client = serving.Client(deaf.makefile("rb"), deaf.makefile("wb")).begin()
        result = client.answer_to(1)["result"]
        self.assertEqual(len(result["stdout"]), MIB)
        self.assertEqual("".join(m["text"] for m in client.heard if m.get("event") == "printed"), result["stdout"])
        self.assertIsNone(server.poll())


class Rude(Case):
    """What a client does wrong costs only itself."""

    def deaf(self, path):
        """A client that never reads."""
        one = socket.socket(socket.AF_UNIX)
        self.addCleanup(one.close)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(str(path))
        return one

    def test_who_does_not_read_is_not_read_from(self):
        process = self.start("serve", "--stdio", stdin=subprocess.PIPE)
        flood = processes.Flood(process.stdin, b"{\n")
        self.wait_for(lambda: processes.is_full(process.stdout) and flood.is_held_up(), "lines that nobody reads")
        self.assertLess(flood.written, flood.most)
        if not harness.IS_SANITIZED:
            self.assertLess(processes.resident_bytes(process.pid), 150 * MIB)
        process.kill()

    def test_prints_that_nobody_reads_hold_up_nobody(self):
        _, path = self.serve_socket("--workers", "1")
        deaf = self.deaf(path)
        for i in range(40):
            deaf.sendall(json.dumps({"id": i, "do": "run", "prints": True, "code": "print('x' * 900000)"}).encode() + b"\n")
        other = self.connect(path)
        session = other.open()
        for i in range(20):
            self.assert_fine(other.run(f"{i}", session), i)

    def test_mistakes_that_nobody_reads_hold_up_nobody(self):
        _, path = self.serve_socket("--workers", "1")
        deaf = self.deaf(path)
        deaf.sendall(b'{"id": 1, "do": "run", "code": "import time; time.sleep(1)"}\n')
        deaf.sendall(b'{"id": 1, "do": "run", "code": "2"}\n' * 3000)
        self.assert_fine(self.connect(path).run("1"), 1)

    def test_pieces_that_wait_take_no_threads_of_others(self):
        _, path = self.serve_socket()
        for _ in range(2):
            client = self.connect(path)
            session = client.open(functions=[{"name": "f"}], deadline=600)
            for i in range(256):
                client.send(id=1000 + i, do="run", session=session, code="f()")
            client.event(1000, "call")
        self.assert_fine(self.connect(path).run("1"), 1)

    def test_a_malformed_answer_is_none_to_the_piece(self):
        client = self.serve()
        session = client.open(functions=ADD)
        number = client.ask("run", session=session, code="add(1)")
        call = client.event(number, "call")
        client.send(id=number, do="answer", call=call["call"])
        self.assertIn("an answer has", client.until(lambda message: message.get("id", "") is None and "error" in message)["error"]["message"])
        client.send(id=number, do="answer", call=call["call"], value=None, error={"type": "KeyError", "message": "tea"})
        self.assertEqual(client.answer_to(number)["result"]["error"]["type"], "KeyError")

    def test_more_results_than_the_guest_looks_at(self):
        client = self.serve()
        session = client.open(functions=ASYNC, timeout=3)
        number = client.ask("run", session=session, code="import asyncio\ntasks = [asyncio.create_task(fetch()) for _ in range(40)]\nawait asyncio.sleep(0)\n" + SPIN)
        for i in range(40):
            client.send(id=number, do="answer", call=client.event(number, "call", i)["call"], value="x" * 4 * MIB)
        self.assert_ended(client.answer_to(number)["result"], "timeout", state_lost=True)
        with open(f"/proc/{client.process.pid}/status", encoding="utf-8") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
        self.assertLess(peak, 4_000_000 if harness.IS_SANITIZED else 400_000)

    def test_files_that_cannot_be_shown_are_a_mistake_of_the_client(self):
        client = self.serve()
        session = client.open()
        for _ in range(3):
            self.assert_usage(client.request("open", files={"a": "/proc/self/status"}))
        self.assert_usage(client.request("open", functions=[{"name": "f", "doc": "x" * 17 * MIB}]))
        self.assert_usage(client.request("open", functions=[{"name": "class"}]))
        self.assert_usage(client.request("open", files={"a": "/etc/host\0name"}))
        self.assert_fine(client.run("1", session), 1)
        started = [pid for pid, _ in processes.descendants(client.process.pid) if processes.parent(pid) == client.process.pid]
        self.assertEqual(len([pid for pid in started if b"zygote" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]), 1)

    @harness.needs_files
    def test_a_file_that_was_saved_anew_is_shown_to_the_next_cell(self):
        client = self.serve()
        path = self.write("a.csv", "old")
        session = client.open(files={"a.csv": str(path)}, timeout=0.2)
        self.assert_fine(client.run("open('/data/a.csv').read()", session), "old")
        self.write("new", "new").rename(path)
        self.assert_ended(client.run(SPIN, session), "timeout", state_lost=True)
        self.assert_fine(client.run("open('/data/a.csv').read()", session), "new")


class Words(Case):
    """What a piece says about itself, and what it may rely on."""

    def setUp(self):
        super().setUp()
        self.client = self.serve()

    @harness.needs_files
    def test_texts_and_names_are_utf8(self):
        path = self.write("bücher.csv", "Grüße")
        session = self.client.open(files={"bücher.csv": str(path)})
        code = "import os\nopen('/out/größe.txt', 'w').write(open('/data/bücher.csv').read())\n[os.listdir('/data'), os.listdir('/out'), open('/out/größe.txt').read()]"
        result = self.client.run(code, session)
        self.assert_fine(result, [["bücher.csv"], ["größe.txt"], "Grüße"])
        self.assertEqual(list(result["artifacts"]), ["größe.txt"])

    def test_a_deadline_that_is_given_holds(self):
        session = self.client.open(deadline=0.4, functions=ADD)
        result = self.client.run("add(1)", session)
        self.assert_ended(result, "deadline", state_lost=True)
        self.assertIn("0.4 s", result["error"]["message"])

    def test_a_timeout_that_is_given_to_a_piece_holds_beyond_the_usual_deadline(self):
        session = self.client.open(functions=ADD)
        self.assert_fine(self.client.run("add(1)", session, answers={"add": lambda a: a}, timeout=90), 1)

    def test_a_line_is_of_this_piece(self):
        session = self.client.open(timeout=0.3)
        self.client.run("\n\n\n\ndef spin():\n    while True: pass", session)
        self.assertEqual(self.client.run("1\nspin()", session)["error"]["line"], 2)

    def test_a_denied_call_of_an_earlier_line_is_no_violation_of_this_one(self):
        session = self.client.open()
        self.client.run("import socket\n\n\ndef ask():\n    try: socket.socket()\n    except OSError: pass", session)
        self.assert_ended(self.client.run("ask()\n\n\n\n1 / 0", session), "raised", state_lost=False)
        self.assert_ended(self.client.run("ask()\nraise PermissionError('mine')", session), "raised", state_lost=False)
        self.assert_ended(self.client.run("socket.socket()", session), "violation", state_lost=False)

    def test_after_a_denied_call_that_was_caught_an_end_is_what_it_is(self):
        caught = "import os\ntry: os.fork()\nexcept OSError: pass\n"
        for rest, how, kind, line in (("while True: pass", "timeout", "TimeoutError", 4), ("os._exit(3)", "crashed", "CrashError", None)):
            with self.subTest(rest):
                got = self.client.run(caught + rest, timeout=1)
                self.assert_ended(got, how, state_lost=True)
                self.assertEqual((got["error"]["type"], got["error"]["line"]), (kind, line), got)
                self.assertEqual([one["call"] for one in got["denials"]], ["clone"])

    def test_a_piece_may_be_empty(self):
        for code in ("", "\n", "   ", "\n\n\t\n", "\ufeff", "# nothing"):
            with self.subTest(repr(code)):
                got = self.client.run(code)
                self.assertEqual((got["error"], got["value"], got["shown"]), (None, None, None), got)

    def test_a_value_that_is_too_large_or_too_deep_says_so(self):
        for code, words in (("'x' * 8388608", "larger than 8388608 bytes"), ("x = []\nfor i in range(70): x = [x]\nx", "deeper than 64 levels")):
            got = self.client.run(code)
            self.assertEqual((got["error"], got["value"]), (None, None))
            self.assertIn(words, got["stderr"])
        got = self.client.run("lambda: 1")  # no JSON at all: as ever
        self.assertEqual((got["value"], got["stderr"]), (None, ""))

    def test_a_value_that_cannot_be_shown_is_no_failure(self):
        for code, shown in (("10 ** 5000", "<int without repr: ValueError: "), ("class A:\n    def __repr__(self): raise KeyError('k')\nA()", "<A without repr: KeyError: 'k'>")):
            got = self.client.run(code)
            self.assertIsNone(got["error"], got)
            self.assertTrue(got["shown"].startswith(shown), got["shown"])
        got = self.client.run("class A:\n    def __repr__(self): raise SystemExit(4)\nA()")
        self.assertEqual(got["error"]["type"], "SystemExit")

    def test_code_beyond_all_bounds_is_refused_with_its_size(self):
        got = self.client.run("1+" * 5_000_000 + "1")
        self.assertIn("10000", json.dumps(got))
        self.assertEqual(self.client.run("1")["value"], 1)

    def test_a_task_that_waits_is_told_when_its_piece_ends(self):
        session = self.client.open(functions=ASYNC)
        number = self.client.ask("run", session=session, code="import asyncio\ntask = asyncio.create_task(fetch())\nawait asyncio.sleep(0)")
        self.assert_fine(self.client.answer_to(number)["result"])
        result = self.client.run("await task", session)
        self.assert_ended(result, "raised", state_lost=False)
        self.assertIn("ended before it was answered", result["error"]["message"])

    def test_asyncio_run_in_a_piece_that_waits(self):
        code = "import asyncio\nasync def f(n):\n    await asyncio.sleep(0.001)\n    return n\n[await f(1), asyncio.run(f(2)), await f(3)]"
        self.assert_fine(self.client.run(code), [1, 2, 3])

    def test_a_flood_that_is_caught_is_one_all_the_same(self):
        code = "for i in range(80):\n    try:\n        print('x' * 1000000)\n    except BaseException:\n        pass"
        self.assert_ended(self.client.run(code, timeout=60), "output")

    def test_names_that_all_stand_on(self):
        session = self.client.open()
        self.assert_usage(self.client.request("run", session=session, code="1", inputs={"__builtins__": 5}), "__builtins__")
        self.assert_fine(self.client.run("len([1])", session), 1)

    def test_pieces_are_counted_again_when_they_go_on(self):
        client = self.serve("--workers", "1")
        sessions = [client.open(functions=ADD) for _ in range(3)]
        code = "add(1)\nimport time\nbegin = time.monotonic()\nwhile time.monotonic() < begin + 0.1: pass\n[begin, time.monotonic()]"
        numbers = [client.ask("run", session=one, code=code) for one in sessions]
        for number in numbers:
            client.send(id=number, do="answer", call=client.event(number, "call")["call"], value=1)
        times = sorted(client.answer_to(number)["result"]["value"] for number in numbers)
        for before, after in zip(times, times[1:]):
            self.assertGreaterEqual(after[0], before[1])


class Idle(Case):
    def test_a_session_that_nobody_uses_is_closed(self):
        client = self.serve("--idle", "1")
        session = client.open()
        self.assert_fine(client.run("1", session), 1)
        cells = [one for one in processes.descendants(client.process.pid) if processes.is_locked(one[0])]
        self.assertTrue(cells)
        # A look with a request would be a use.
        self.wait_for(lambda: any(not processes.is_alive(one) for one in cells), "the end of its cell")
        self.assert_usage(client.request("run", session=session, code="1"), "no session")

    def test_a_session_at_work_is_not_idle(self):
        client = self.serve("--idle", "1")
        used, unused = client.open(functions=ADD, deadline=600), client.open()
        number = client.ask("run", session=used, code="add(1)")
        call = client.event(number, "call")["call"]
        # While the other one has been closed, this one was at work for as long.
        self.wait_for(lambda: self.is_gone(client, unused), "the end of the unused one")
        client.send(id=number, do="answer", call=call, value=1)
        self.assert_fine(client.answer_to(number)["result"], 1)

    def is_gone(self, client, session):
        cells = [one for one in processes.descendants(client.process.pid) if processes.is_locked(one[0])]
        if not hasattr(self, "most"):
            self.most = len(cells)
        self.most = max(self.most, len(cells))
        return len(cells) < self.most and "error" in client.request("run", session=session, code="1")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
