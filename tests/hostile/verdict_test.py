#!/usr/bin/env python3
"""Guests that try to write their own verdict, one crime each. Nothing here passes; and where the code is native, what it was denied is
counted all the same.

The crimes that need native code run under the policies `node` and `probe`, which grant it: through ctypes they reach the cell's socket,
the ticket of the question that is being answered, and the notes that the cell shares with airlock."""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness
from support.forging import HANDS


class Case(harness.Case):
    SECONDS = 120

    def guest(self, body, before=""):
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        (self.folder / "guest.py").write_text(HANDS + before + "\ndef extract(path: str) -> dict:\n" + lines + "    return {}\n")

    def validate(self, body, before="", paths=("/first.csv",)):
        self.guest(body, before)
        words = [word for path in paths for word in ("--path", path)]
        done = self.airlock("validate", "guest.py", "--policy", "node", "--timeout", "10", "--format", "json", *words)
        report = json.loads(done.out)
        self.assertEqual((done.returncode, report["valid"]), (1, False), report)
        return report["test_results"]["results"]

    def line(self, piece):
        text = (self.folder / "guest.py").read_text()
        return text[:text.index(piece)].count("\n") + 1


class Forged(Case):
    def assert_garbled(self, result):
        self.assertEqual((result["success"], result["result"], result["error_type"]), (False, None, "CrashError"), result)
        self.assertIn("what it sent is not a result", result["error"])

    def test_an_answer_without_the_ticket(self):
        [got] = self.validate("send(outcome(NONE))\nwhile True:\n    time.sleep(1)")
        self.assert_garbled(got)

    def test_tickets_are_not_guessed_one_after_the_other(self):
        [got] = self.validate("for i in range(1000):\n    send(outcome(i.to_bytes(8, 'little')))\nreturn {}")
        self.assert_garbled(got)

    def test_an_answer_while_the_module_is_being_loaded(self):
        [got] = self.validate("return {}", before="\nsend(outcome(NONE))\n")
        self.assert_garbled(got)

    def test_an_answer_ahead_of_the_next_question(self):
        first, second = self.validate("if path == '/first.csv':\n    send(outcome(NONE))\nreturn {'honest': 1}",
                                      paths=("/first.csv", "/second.csv"))
        self.assert_garbled(first)
        self.assertEqual(second["result"], {"honest": 1})

    def test_the_ticket_of_an_earlier_question(self):
        _, second = self.validate("global old\nif path == '/first.csv':\n    old = ticket_of(path)\n    return {}\nsend(outcome(old))\nreturn {}",
                                  paths=("/first.csv", "/second.csv"))
        self.assert_garbled(second)

    def test_an_answer_that_is_given_twice(self):
        # Its own ticket can be read by native code; the second answer is one too many, wherever it is found.
        [got] = self.validate("send(outcome(ticket_of(path)))\nreturn {}")
        self.assertIn("what it sent is not a result", got["error"])

    def test_more_words_than_an_answer(self):
        [got] = self.validate("send(outcome(NONE)[:5])\nreturn {}")
        self.assert_garbled(got)

    def test_a_socket_that_is_closed(self):
        [got] = self.validate("libc.close(0)\nwhile True:\n    time.sleep(1)")
        self.assert_garbled(got)

    def test_a_socket_that_is_shut(self):
        [got] = self.validate("libc.shutdown(0, 2)\nwhile True:\n    time.sleep(1)")
        self.assert_garbled(got)

    def test_out_of_band_data(self):
        [got] = self.validate("send(b'x', 0x4041)\nreturn {}")
        self.assertEqual(got["error_type"], "SandboxViolation")
        self.assertIn(f"sendmsg at line {self.line('sent = libc.sendmsg')}", got["error"])

    def test_results_with_a_key_twice_or_a_number_that_is_none(self):
        for value in ('{"a":1,"a":2}', '{"a":1e999}', '{"a":NaN}', '{"a":1}{}', '{"a":1},"b":{}', '[1]', '{"a":"\\ud800"}'):
            with self.subTest(value):
                [got] = self.validate(f"send(outcome(ticket_of(path), {value.encode()!r}))\nwhile True:\n    time.sleep(1)")
                self.assertEqual((got["success"], got["error_type"]), (False, "CrashError"), got)
                self.assertIn("is not a result", got["error"])


class Denied(Case):
    def assert_denied(self, result, call, line=None):
        self.assertEqual((result["success"], result["result"], result["error_type"]), (False, None, "SandboxViolation"), result)
        self.assertRegex(result["error"], f"System call denied: .*{call}" + (f" at line {line}" if line else ""))

    def test_what_was_swallowed(self):
        [got] = self.validate("try:\n    socket.socket()\nexcept OSError:\n    pass\nreturn {}")
        self.assert_denied(got, "socket", self.line("        socket.socket()\n    except OSError:\n        pass\n    return {}"))

    def test_behind_an_answer_of_its_own(self):
        # The result of native code is its own word; that it was denied something is not.
        [got] = self.validate("be_denied()\nsend(outcome(ticket_of(path)))\nwhile True:\n    time.sleep(1)")
        self.assert_denied(got, "socket")

    def test_after_an_answer_of_its_own(self):
        self.validate("send(outcome(ticket_of(path)))\nwhile True:\n    be_denied()")

    def test_while_the_module_is_being_loaded(self):
        [got] = self.validate("return {}", before="\nbe_denied()\n")
        self.assert_denied(got, "socket")

    def test_in_a_finalizer(self):
        [got] = self.validate("class Last:\n    def __del__(self):\n        be_denied()\nlast = Last()\nreturn {}")
        self.assert_denied(got, "socket")

    def test_a_thread(self):
        [got] = self.validate("import threading\nother = threading.Thread(target=be_denied)\nother.start()\nother.join()\nreturn {}")
        self.assert_denied(got, "socket")

    def test_behind_many_that_imports_excuse(self):
        # A module that is none, and whose denied calls look like an import's: they are listed only, and hide nothing.
        fake = ("import socket\ndef work():\n    for _ in range(200):\n        try:\n            socket.socket()\n        except OSError: pass\nclass Loader:\n    create_module = lambda self, spec: None\n    exec_module = lambda self, module: work()\n"
                "class Finder:\n    find_spec = lambda self, name, path, target=None: util.spec_from_loader(name, Loader()) if name == 'fake' else None\nsys.meta_path.insert(0, Finder())\n")
        before = f"import sys, importlib.util as util\nexec(compile({fake!r}, '/usr/lib/fake.py', 'exec'))\n"
        [got] = self.validate("sys.modules.pop('fake', None)\nimport fake\nlibc.ptrace(0, 0, 0, 0)\nreturn {}", before=before)
        self.assert_denied(got, "ptrace")

    def test_with_deaf_handlers(self):
        [got] = self.validate("for one in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP, signal.SIGSYS}:\n    signal.signal(one, signal.SIG_IGN)\nbe_denied()\nreturn {}")
        self.assert_denied(got, "socket")

    def test_with_notes_that_are_overwritten(self):
        body = ("print('HERE ARE THE NOTES')\nlibc.mmap.restype = ctypes.c_void_p\nlibc.mmap.argtypes = [ctypes.c_void_p] + [ctypes.c_size_t] * 5\n"
                "at = libc.mmap(None, 4096, 3, 0x22, 2 ** 64 - 1, 0) & ~0xFFF\nfound = False\nbe_denied()\n"
                "for page in range(at - (1 << 26), at + (1 << 31), 4096):\n"
                "    if is_readable(page) and b'HERE ARE THE NOTES' in ctypes.string_at(page, 4096) and ctypes.string_at(page, 8)[1:] == bytes(7):\n"
                "        ctypes.memset(page, 0, 1024)\n        found = True\nif not found:\n    raise LookupError('no notes')\nreturn {}")
        [got] = self.validate(body)
        self.assert_denied(got, "socket")
        self.assertNotIn("LookupError", got["error"])

    def test_a_flood_ends_the_cell_and_costs_one_result(self):
        flooded, honest = self.validate("while path == '/flood':\n    be_denied()\nreturn {'honest': 1}", paths=("/flood", "/after"))
        self.assert_denied(flooded, "socket")
        self.assertIn("it was ended after 1000 denied calls", re.sub(r"\b10[0-9][0-9]\b", "1000", flooded["error"]))
        self.assertEqual(honest["result"], {"honest": 1})

    def test_calls_that_no_table_knows(self):
        [got] = self.validate("libc.syscall(1000)\nreturn {}")
        self.assert_denied(got, "call 1000")

    def test_the_calls_of_uprobes_which_kernels_let_pass(self):
        # Newer kernels keep 335 and 336 out of every filter; from anywhere but the kernel's own trampoline they do nothing, or end the process.
        for number in (335, 336):
            with self.subTest(number):
                self.guest(f"return {{'answer': libc.syscall({number})}}")
                done = self.airlock("validate", "guest.py", "--policy", "node", "--format", "json", "--path", "/a")
                [got] = json.loads(done.out)["test_results"]["results"]
                if got["success"]:
                    self.assertEqual(got["result"], {"answer": -1})
                else:
                    self.assertIn(got["error_type"], ("CrashError", "SandboxViolation"))

    def test_in_pure_python(self):
        # Under the extractor's policy, with the scan left out: the notes are read by airlock, whatever the answer says.
        (self.folder / "pure.py").write_text(
            "import pwd\ndef extract(path: str) -> dict:\n    try:\n        pwd.getpwnam('root')\n    except Exception:\n        pass\n    return {}\n")
        (self.folder / "reads.toml").write_text('extends = "extractor"\nname = "reads"\n[modules.pwd]\nwhy = "reads a file, which is denied"\n'
                                                'attributes = ["getpwnam"]\n')
        done = self.airlock("validate", "pure.py", "--policy", "reads.toml", "--no-scan", "--format", "json", "--path", "/a", "--path", "/b")
        for got in json.loads(done.out)["test_results"]["results"]:
            self.assert_denied(got, "openat", 4)


class Rows(Case):
    def extract(self, body, paths, before=""):
        self.guest(body, before)
        done = self.airlock("extract", "guest.py", "--policy", "node", "--timeout", "10", "-", stdin="".join(f"{path}\n" for path in paths))
        got = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([row["path"] for row in got], list(paths))
        return got

    def test_rows_without_the_ticket(self):
        for row in self.extract("send(rows(NONE, 1))\nreturn {}", ["/a", "/b"]):
            self.assertEqual((row["ok"], row["error"]["type"]), (False, "CrashError"), row)

    def test_rows_for_paths_that_were_not_begun(self):
        # With the ticket, which native code can read: all of the batch at once. It stays with the first path, so the others are not begun
        # whenever airlock comes to read the rows; rows of its own for paths that it has begun would be its own word.
        body = ("if path == '/a':\n    memory = heap()\n    at = memory.find(text(b'/a') + text(b'/b') + text(b'/c'))\n"
                "    send(rows(memory[at - 12:at - 4], 3))\n    while True: time.sleep(1)\nreturn {'honest': path}")
        got = self.extract(body, ["/a", "/b", "/c"])
        self.assertEqual(got[0]["ok"], False, got)
        self.assertEqual([row["data"] for row in got[1:]], [{"honest": "/b"}, {"honest": "/c"}])

    def test_only_the_row_of_the_path_that_was_denied_fails(self):
        paths = [f"/{i}" for i in range(300)]
        for row in self.extract("if int(path[1:]) % 50 == 7:\n    be_denied()\nreturn {'n': path}", paths):
            is_denied = int(row["path"][1:]) % 50 == 7
            self.assertEqual(row["ok"], not is_denied, row)
            if is_denied:
                self.assertRegex(row["error"]["message"], "socket at line")

    def test_each_of_many_rows_that_were_denied_a_call_fails(self):
        """They come faster than rows are read: what one path was denied leaves no less room for the next."""
        for row in self.extract("if int(path[1:]) % 3 != 1:\n    be_denied()\nreturn {'n': path}", [f"/{i}" for i in range(1200)]):
            self.assertEqual(row["ok"], int(row["path"][1:]) % 3 == 1, row)

    # Whatever becomes of a cell after a denied call, and however its code behaves when it is asked again.
    def failed_of(self, body, paths, before="", options=()):
        self.guest(body, before)
        done = self.airlock("extract", "guest.py", "--policy", "node", "--timeout", "10", *(options or ("--jobs", "1")), "-",
                            stdin="".join(f"{path}\n" for path in paths))
        return done, [row["path"] for row in map(json.loads, done.out.splitlines()) if not row["ok"]]

    def test_a_denied_call_before_memory_runs_out(self):
        paths = [f"/{i}" for i in range(30)]
        _, failed = self.failed_of("if path == '/20':\n    be_denied()\n    raise MemoryError\nreturn {}", paths)
        self.assertEqual(failed, ["/20"])

    def test_a_denied_call_before_words_that_make_no_sense(self):
        paths = [f"/{i}" for i in range(30)]
        body = "SEEN.append(path)\nif path == '/20' and len(SEEN) > 1:\n    be_denied()\n    send(b'junk')\nreturn {}"
        _, failed = self.failed_of(body, paths, "SEEN = []")
        self.assertGreaterEqual(len(failed), 1, failed)

    def test_a_denied_call_behind_the_last_row(self):
        # With the ticket it answers for itself, and goes on while another cell keeps the job alive.
        body = ("if path == '/slow':\n    time.sleep(1)\n    return {}\n"
                "memory = heap()\nat = memory.find(text(path.encode()))\nsend(rows(memory[at - 12:at - 4], 1))\n"
                "time.sleep(0.2)\nbe_denied()\nreturn {}")
        done, failed = self.failed_of(body, ["/quick-one"] * 8 + ["/slow"] * 8, options=("--jobs", "2"))
        self.assertTrue(failed or done.returncode == 1, done.out + done.err)

    def test_a_flood_costs_its_own_row(self):
        got = self.extract("while path == '/b':\n    be_denied()\nreturn {}", ["/a", "/b", "/c"])
        self.assertEqual([row["ok"] for row in got], [True, False, True], got)
        self.assertEqual(got[1]["error"]["type"], "SandboxViolation")


class Nodes(Case):
    def run_node(self, code, sandbox=True):
        node = {"type": "code", "sandbox": sandbox, "params": {"inputs": {"data": 1}, "code": code}}
        (self.folder / "node.json").write_text(json.dumps(node))
        done = self.airlock("run", "node.json", "--format", "json")
        return done.returncode, json.loads(done.out)

    def test_a_denied_call_that_was_swallowed_is_an_error_with_the_line_of_the_node(self):
        code, got = self.run_node("data: int\nimport socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass\nresult: int = 1")
        self.assertEqual((code, got["action"]), (1, "error"), got)
        self.assertNotIn("result", got["shared"])
        error = got["shared"]["error"]
        self.assertIn("System call denied: socket at line 4", error)
        self.assertLess(error.index("line 4"), error.index("Suggestions"))

    def test_a_denied_call_that_was_raised_has_the_same_line(self):
        _, got = self.run_node("data: int\nimport socket\n\n\n\nsocket.socket()\nresult: int = 1")
        self.assertIn("socket at line 6", got["shared"]["error"])

    def test_a_result_that_would_bring_keys_of_its_own(self):
        # The result is a text in the answer of our own program, which the node's code can replace.
        forge = ("data: int\nimport json\njson.dumps = lambda *a, **k: '1,\"error\":\"forged\"'\nresult: int = 1")
        code, got = self.run_node(forge)
        self.assertEqual((code, got["action"]), (1, "error"), got)
        self.assertIn("Result cannot leave the sandbox", got["shared"]["error"])

    def test_honest_nodes_pass(self):
        code, got = self.run_node("data: int\nimport asyncio\nasync def one():\n    return data\nresult: int = asyncio.run(one())")
        self.assertEqual((code, got["shared"].get("result")), (0, 1), got)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
