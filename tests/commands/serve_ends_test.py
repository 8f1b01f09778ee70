#!/usr/bin/env python3
"""How `airlock serve` ends, and what others end: signals, clients and parents that go away, kill -9 to each process that does the work, two
servers on one socket, a client of another user. Nothing is left, and nobody pays for another.

    tests/commands/serve_ends_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import contextlib
import os
import pathlib
import pwd
import signal
import socket
import stat
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes, serving

AIRLOCK = harness.AIRLOCK
SPIN = "while True: pass"


class Case(serving.Case):
    def assert_usage(self, answer, *words):
        self.assertEqual(answer.get("error", {}).get("type"), "Usage", answer)
        for word in words:
            self.assertIn(word, answer["error"]["message"])


class Ends(Case):
    """Whoever ends: nothing is left."""

    def below(self, process):
        """Its processes, once all have been started."""
        found = self.wait_for(lambda: processes.descendants(process.pid), "a process of the engine")
        return found

    def assert_nothing_left(self, found):
        self.wait_for(lambda: not [one for one in found if processes.is_alive(one)], "the end of all that was started")

    def busy(self, client, **members):
        """A piece at work, and all processes below the server."""
        number = client.ask("run", session=client.open(timeout=600, deadline=600, **members), prints=True, code=f"print('at work')\n{SPIN}")
        client.event(number, "printed")
        return number

    def test_end_of_input_ends_all(self):
        client = self.serve()
        self.busy(client)
        found = self.below(client.process)
        self.assertIn({"event": "closing"}, self.end_of(client))
        self.assert_nothing_left(found)

    def test_signals_end_all(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            with self.subTest(number):
                client = self.serve()
                piece = self.busy(client)
                found = self.below(client.process)
                client.process.send_signal(number)
                heard = client.rest()
                self.assertIn({"event": "closing"}, heard)
                self.assert_ended(next(m for m in heard if m.get("id") == piece and "result" in m)["result"], "cancelled")
                self.assertEqual(client.process.wait(timeout=self.SECONDS), 130 if number == signal.SIGINT else 0)
                self.assert_nothing_left(found)

    def test_sigterm_tells_every_client_and_takes_the_socket_away(self):
        server, path = self.serve_socket()
        clients = [self.connect(path) for _ in range(3)]
        self.busy(clients[0])
        found = self.below(server)
        server.send_signal(signal.SIGTERM)
        for client in clients:
            self.assertIn({"event": "closing"}, client.rest())
        self.assertEqual(server.wait(timeout=self.SECONDS), 0)
        self.assertFalse(path.exists())
        self.assert_nothing_left(found)

    def test_sigterm_while_a_client_does_not_read(self):
        client = self.start("serve", "--stdio", stdin=subprocess.PIPE)
        client.stdin.write(b'{"id": 1, "do": "run", "prints": true, "timeout": 600, "code": "while True: print(1000 * chr(97))", "output_bytes": 33554432}\n')
        client.stdin.flush()
        self.wait_for(lambda: processes.is_full(client.stdout), "a full pipe")
        found = self.below(client)
        client.send_signal(signal.SIGTERM)
        self.assertEqual(client.wait(timeout=self.SECONDS), 0)
        self.assert_nothing_left(found)

    def test_sigkill_of_the_server_ends_its_children(self):
        client = self.serve()
        self.busy(client)
        client.open()
        found = self.below(client.process)
        self.assertGreaterEqual(len(found), 3)
        client.process.kill()
        client.process.wait()
        self.assert_nothing_left(found)

    def test_a_client_that_is_killed_ends_its_server(self):
        program = ("import json, subprocess, sys\n"
                   "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
                   "p.stdin.write(b'{\"id\": 1, \"do\": \"run\", \"timeout\": 600, \"prints\": true, \"code\": \"print(1)\\\\nwhile True: pass\"}\\n')\n"
                   "p.stdin.flush()\np.stdout.readline()\np.stdout.readline()\nprint(p.pid, flush=True)\nsys.stdin.read()\n")
        client = subprocess.Popen([sys.executable, "-c", program, str(AIRLOCK), "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment)
        self.addCleanup(harness.end, client)
        server = int(client.stdout.readline())
        found = processes.descendants(client.pid)
        self.assertIn(server, [one for one, _ in found])
        client.kill()
        client.wait()
        self.assert_nothing_left(found)

    def test_the_server_ends_with_its_parent_although_another_holds_the_pipe(self):
        """A process that was forked from the client before keeps its end of the pipe open: no end of file ever comes."""
        program = ("import os, subprocess, sys, time\n"
                   "p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
                   "p.stdout.readline()\n"
                   "sibling = os.fork()\n"
                   "if sibling == 0:\n    sys.stdin.read()\n    os._exit(0)\n"
                   "print(p.pid, sibling, flush=True)\nsys.stdin.read()\n")
        client = subprocess.Popen([sys.executable, "-c", program, str(AIRLOCK), "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment)
        self.addCleanup(harness.end, client)
        server, sibling = map(int, client.stdout.readline().split())
        found = [one for one in processes.descendants(client.pid) if one[0] != sibling]
        self.assertIn(server, [one for one, _ in found])
        holder = next(one for one in processes.descendants(client.pid) if one[0] == sibling)
        os.kill(client.pid, signal.SIGKILL)
        self.assert_nothing_left(found)
        self.assertTrue(processes.is_alive(holder), "it still held the pipe")

    def test_a_client_that_goes_away_takes_its_sessions_along_and_nothing_else(self):
        server, path = self.serve_socket()
        stays = self.connect(path)
        session = stays.open()
        stays.run("kept = 1", session)
        before = set(processes.descendants(server.pid))
        leaves = self.connect(path)
        self.busy(leaves)
        cells = [one for one in set(processes.descendants(server.pid)) - before if processes.processor_seconds(one[0]) >= 0]
        leaves.connection.shutdown(socket.SHUT_RDWR)
        leaves.connection.close()
        self.wait_for(lambda: not [one for one in cells if processes.is_alive(one) and processes.busy_cells(server.pid)], "the end of its piece")
        self.assert_fine(stays.run("kept", session), 1)


class Killed(Case):
    """kill -9 to each of the processes that do the work."""

    def children(self, client):
        return processes.descendants(client.process.pid)

    def test_the_cell(self):
        client = self.serve()
        session = client.open(timeout=600)
        number = client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}")
        client.event(number, "printed")
        cell = self.wait_for(lambda: processes.busy_cells(client.process.pid), "a busy cell")[0]
        os.kill(cell, signal.SIGKILL)
        got = client.answer_to(number)["result"]
        self.assert_ended(got, "crashed", state_lost=True)
        self.assertEqual((got["stdout"], got["error"]["signal"]), ("at work\n", 9))
        got = client.run("1", session)
        self.assert_fine(got, 1)
        self.assertTrue(got["state_lost"])

    def test_everything_below_the_server_while_a_piece_runs(self):
        client = self.serve()
        session = client.open(timeout=600)
        number = client.ask("run", session=session, prints=True, code=f"print('at work')\n{SPIN}")
        client.event(number, "printed")
        for pid, _ in self.children(client):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.assert_ended(client.answer_to(number)["result"], "crashed", state_lost=True)
        self.assert_fine(client.run("1", session), 1)
        self.assert_fine(client.run("2", client.open()), 2)

    def test_each_process_in_turn_while_nothing_runs(self):
        """A vetter, the zygote and its helper, a cell, a spare: the next request works, in the old session and in a new one."""
        client = self.serve()
        session = client.open()
        client.run("1", session)
        count = len(self.children(client))
        self.assertGreaterEqual(count, 3)
        for turn in range(count):
            found = self.children(client)
            if turn >= len(found):
                break
            with contextlib.suppress(ProcessLookupError):
                os.kill(found[turn][0], signal.SIGKILL)
            self.wait_for(lambda: not processes.is_alive(found[turn]), "its end")
            with self.subTest(turn=turn):
                answer = client.request("run", session=session, code="1")
                result = answer.get("result")
                self.assertTrue(result and (result["error"] is None or result["error"]["kind"] == "crashed"), answer)
                self.assert_fine(client.run("2", session), 2)
                self.assert_fine(client.run("3", client.open()), 3)

    def test_the_zygote_with_many_sessions(self):
        client = self.serve()
        sessions = [client.open() for _ in range(5)]
        for session in sessions:
            client.run("1", session)
        for pid, _ in self.children(client):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for session in sessions:
            self.assert_ended(client.run("1", session), "crashed", state_lost=True)
            self.assert_fine(client.run("2", session), 2)


class Sockets(Case):
    def test_its_mode_is_0600(self):
        _, path = self.serve_socket()
        about = path.stat()
        self.assertTrue(stat.S_ISSOCK(about.st_mode))
        self.assertEqual(stat.S_IMODE(about.st_mode), 0o600)

    def test_files_are_not_for_clients_of_the_socket(self):
        _, path = self.serve_socket()
        client = self.connect(path)
        self.assert_usage(client.request("open", files={"a": "/etc/hostname"}), "--allow-root")
        self.assert_usage(client.request("run", code="1", files={"a": "/etc/hostname"}), "--allow-root")

    def test_sessions_of_another_client_are_not_there(self):
        _, path = self.serve_socket()
        one, other = self.connect(path), self.connect(path)
        session = one.open()
        self.assert_usage(other.request("run", session=session, code="1"), "no session")
        self.assertEqual(other.request("close", session=session)["result"], {"closed": False})
        self.assert_fine(one.run("1", session), 1)

    def test_two_servers_on_one_path(self):
        server, path = self.serve_socket()
        self.assert_refused(self.airlock("serve", "--socket", path), "another server")
        self.assert_fine(self.connect(path).run("1"), 1)
        self.assertIsNone(server.poll())

    def test_of_servers_that_start_at_once_one_serves(self):
        """Also where an ended server has left its socket: none takes the place of one that is about to listen."""
        server, path = self.serve_socket()
        server.kill()
        server.wait()
        servers = [self.start("serve", "--socket", path) for _ in range(6)]
        self.wait_for(lambda: sum(one.poll() is None for one in servers) == 1, "one server")
        self.assertEqual(sorted(one.poll() for one in servers if one.poll() is not None), [2] * 5)
        self.assert_fine(self.connect(path).run("1"), 1)
        self.assertEqual([one.name for one in path.parent.glob("socket*")], ["socket"])

    def test_a_stale_socket_is_taken_over(self):
        server, path = self.serve_socket()
        server.kill()
        server.wait()
        self.assertTrue(path.exists())
        self.start("serve", "--socket", path)

        def is_served():
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as one:
                one.connect(str(path))
                return True
        self.wait_for(is_served, "a server")
        self.assert_fine(self.connect(path).run("1"), 1)

    def test_a_server_leaves_the_socket_of_another(self):
        """Somebody took its socket away and started another server there."""
        first, path = self.serve_socket()
        path.unlink()
        self.serve_socket()
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(timeout=self.SECONDS), 0)
        self.assert_fine(self.connect(path).run("1"), 1)

    def test_what_is_no_socket_is_left_alone(self):
        path = self.write("socket", "precious")
        self.assert_refused(self.airlock("serve", "--socket", path), "no socket")
        self.assertEqual(path.read_text(), "precious")

    def test_paths_that_cannot_be(self):
        self.assert_refused(self.airlock("serve", "--socket", self.folder / ("x" * 200)))
        self.assert_refused(self.airlock("serve", "--socket", "/nowhere/at/all"))
        self.assert_refused(self.airlock("serve"))

    @unittest.skipIf(os.geteuid() != 0, "only root can become another user")
    def test_a_client_of_another_user_is_refused(self):
        server, path = self.serve_socket()
        program = "import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.connect(sys.argv[1])\nprint(s.recv(100))\n"
        nobody = pwd.getpwnam("nobody")

        def as_nobody():
            return subprocess.run(["/usr/bin/python3", "-c", program, str(path)], user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=(), capture_output=True, timeout=self.SECONDS)
        self.folder.chmod(0o755)
        done = as_nobody()
        self.assertIn(b"PermissionError", done.stderr)
        # Even when somebody has opened the door: whoever is not this user hears nothing.
        path.chmod(0o666)
        self.assertEqual(as_nobody().stdout, b"b''\n")
        self.assert_fine(self.connect(path).run("1"), 1)
        self.assertIsNone(server.poll())

    def test_stdio_and_socket_at_once(self):
        path = self.folder / "socket"
        client = self.serve("--socket", path)
        other = self.connect(path)
        self.assert_fine(client.run("1"), 1)
        self.assert_fine(other.run("2"), 2)
        self.end_of(client)
        other.rest()
        self.assertFalse(path.exists())


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
