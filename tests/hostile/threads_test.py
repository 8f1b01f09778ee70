#!/usr/bin/env python3
"""Threads behind the walls (`node`): every attack again from other threads than the first, and what only threads make possible: races for the
number of threads, for the answer, for files that are being read, threads that outlive their piece.

    tests/hostile/threads_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
    tests/hostile/threads_test.py --attacks FOLDER                       every program of a folder of attacks, in each setting
"""
import base64
import json
import os
import pathlib
import socket
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from hostile.node_test import ATTACKS, HONEST, IS_X86, NUMBERED, PREAMBLE
from hostile.session_test import FRAMES
from hostile.session_walls_test import PATHS, SECRETS, canaries, table
from support import harness, processes, serving

AIRLOCK = harness.AIRLOCK
MOST = 32  # threads of a cell, its first one too

# How an attack is made: `attack` is a function that answers with something true when it got through. Each setting is one piece or several,
# the last of which says whether it did.
HEAD = PREAMBLE + """
import threading, time
found = []
def try_it():
    try:
        found.append(bool(attack()))
    except BaseException as error:
        if isinstance(error, (NameError, SyntaxError)): print('a mistake of the attack:', error)
        found.append(False)
def begin(count, work=try_it):
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for one in threads: one.start()
    return threads
def wait_for(condition):
    while not condition(): time.sleep(0.001)
never = threading.Event()
gate = threading.Event()
def try_it_later():
    gate.wait()
    try_it()
def try_it_for_ever():
    while True:
        try_it()
        time.sleep(0.0005)
"""
SETTINGS = {
    "in a second thread, others alive": ["begin(3, never.wait)\nbegin(1)[0].join()\nany(found)"],
    "after the first has ended its part": ["begin(1, try_it_later)\ngate.set()\nany(found)", "wait_for(lambda: found)\nany(found)"],
    "in all threads at once": [f"threads = begin({MOST - 1}, try_it_later)\ngate.set()\nfor one in threads: one.join()\nany(found)"],
    "in a thread that outlives its piece": ["begin(1, try_it_for_ever)\nany(found)", "any(found)", "wait_for(lambda: len(found) > 1)\nany(found)"],
}


def bodies(canary):
    """Those of the tests of nodes, as the text of attack(). What stands in the root of a session is another matter."""
    for name, body in {**ATTACKS, **(NUMBERED if IS_X86 else {})}.items():
        if name != "look at the root":
            body = body.replace("HOST", socket.gethostname()).replace("CANARY", str(canary)).replace("REAL_CPUS", str(os.cpu_count()))
            yield name, "def attack():\n" + "".join(f"    {line}\n" for line in body.splitlines())


def breach_in(client, setting, attack, before="", **members):
    """How it broke out in a session of its own, or None. A cell that was ended has got nowhere."""
    session = client.open(**{"timeout": 5, "deadline": 20, **members})
    first, *others = SETTINGS[setting]
    said = []
    for code in (before + HEAD + attack + first, *others):
        said.append(client.run(code, session))
        if said[-1]["error"]:
            break
    client.request("close", session=session)
    client.heard.clear()
    if any(one["value"] is True for one in said):
        return f"it says so: {said[-1]['shown']}"
    if any(secret in json.dumps(said) for secret in SECRETS):
        return f"a secret of the host: {json.dumps(said)[:300]}"
    if any("a mistake of the attack" in one["stdout"] for one in said):
        return f"it was not tried: {said[-1]['stdout']}"
    if said[-1]["error"] and said[-1]["error"]["kind"] not in ("violation", "crashed", "timeout"):
        return f"it was not tried: {said[-1]['error']}"
    return None


class Case(serving.SessionCase):
    def stopped_cell(self):
        """The one that has run a piece and waits for the next."""
        def found():
            return [one for one, _ in processes.descendants(self.client.process.pid) if processes.is_locked(one) and processes.state(one) == "T"]
        [cell] = self.wait_for(found, "a cell that is stopped")
        return cell


class Again(Case):
    """The attacks of node_test.py."""

    def attack(self, setting):
        canary = self.folder / "canary"
        tried, breaches = 0, []
        for name, attack in bodies(canary):
            why = breach_in(self.client, setting, attack)
            tried += 1
            if why or canary.exists():
                breaches.append((name, why))
        print(f"\n{tried} attacks {setting}, {len(breaches)} breaches")
        self.assertEqual(breaches, [])

    def test_in_a_second_thread(self):
        self.attack("in a second thread, others alive")

    def test_after_the_first_has_ended_its_part(self):
        self.attack("after the first has ended its part")

    def test_in_all_threads_at_once(self):
        self.attack("in all threads at once")

    def test_in_a_thread_that_outlives_its_piece(self):
        self.attack("in a thread that outlives its piece")

    def test_where_one_denied_call_is_a_failure(self):
        """`validate`: all of them in one guest."""
        canary = self.folder / "canary"
        guest = self.write("guest.py", self.all_in_threads(canary) + "def extract(path: str) -> dict:\n    try_all()\n    return {}\n")
        report = self.json("validate", guest, "--policy", "node", "--no-scan", "--path", "/a", code=1)
        [result] = report["test_results"]["results"]
        self.assertEqual((result["error_type"], result["stdout"]), ("SandboxViolation", "through: []\n"), result)
        self.assertIn("socket at line", result["error"])
        self.assertFalse(canary.exists())

    def test_in_a_sandboxed_node(self):
        canary = self.folder / "canary"
        node = self.write("node.json", {"type": "code", "sandbox": True, "params": {"inputs": {}, "code": self.all_in_threads(canary) + "try_all()\nresult: int = 1"}})
        report = self.json("run", node, code=1)
        self.assertEqual((report["action"], report["shared"]["stdout"]), ("error", "through: []\n"), report)
        self.assertIn("System call denied", report["shared"]["error"])
        self.assertFalse(canary.exists())

    def all_in_threads(self, canary):
        """A guest's text with try_all(): one after the other, a thread each."""
        text = HEAD + "attacks = {}\n"
        for name, attack in bodies(canary):
            text += attack + f"attacks[{name!r}] = attack\n"
        return text + ("def try_all():\n    global attack\n    through = []\n    for name, attack in attacks.items():\n        found.clear()\n        begin(1)[0].join()\n"
                       "        if any(found): through.append(name)\n    print('through:', through)\n")

    def test_honest_programs_in_threads(self):
        of_the_first_thread = ("own signals", "masking signals", "frames", "all of a stream", "a temporary folder is refused")
        session = self.open(memory_mb=500)
        for name, (body, _) in HONEST.items():
            if name in of_the_first_thread:
                continue
            with self.subTest(name):
                code = "import threading\ngot = []\ndef work():\n" + "".join(f"    {line}\n" for line in body.splitlines())
                got = self.run_piece(code + "thread = threading.Thread(target=lambda: got.append(work()))\nthread.start()\nthread.join()\ngot", session)
                self.assert_fine(got, [{"ok": True}])
                self.assertEqual(got["denials"], [])


class Starting(Case):
    """Who is let through when threads are started, and how many."""

    THREAD = 0x3D0F00  # the flags that the C library gives
    FORMS = {"fork": 17, "vfork": 0x4111, "a process in the same memory": 0x100, "and its handlers": 0x900, "a thread with its own user": THREAD | 0x10000000, "with its own network": THREAD | 0x40000000,
             "with its own mounts": THREAD | 0x20000, "with its own processes": THREAD | 0x20000000, "with a parent that is ours": THREAD | 0x8000, "with a handle on it": THREAD | 0x1000,
             "that can be traced": THREAD | 0x2000, "that nobody traces": THREAD | 0x800000, "that sends a signal at its end": THREAD | 17, "with high bits": THREAD | 1 << 32, "with its own files": THREAD & ~0x400,
             "with its own folder": THREAD & ~0x200, "without a thread area": THREAD & ~0x80000, "into a group": THREAD | 1 << 33}

    def test_nothing_but_a_thread_from_many_threads_at_once(self):
        code = HEAD + f"forms = {self.FORMS!r}\n" + (
            "calls = {}\ndef attack():\n    for name, flags in forms.items():\n        answer = call(56, flags, 0, 0, 0, 0)\n        if answer == 0: call(60, 0)\n        if answer != -1: calls[name] = answer\n"
            "    return call(57) >= 0 or call(58) >= 0\nfor one in begin(8): one.join()\n[calls, any(found), len(found)]")
        got = self.run_piece(code)
        self.assert_fine(got, [{}, False, 8])
        self.assertEqual({one["call"] for one in got["denials"]}, {"clone", "fork", "vfork"})

    def test_memory_that_changes_while_the_call_is_judged(self):
        """clone3 has its flags in memory, which another thread changes all the time; clone has them in a register."""
        code = HEAD + ("given = (ctypes.c_uint64 * 11)()\ndef change():\n    while True:\n        given[0] = 0x10000000\n        given[0] = 0x3d0f00\nbegin(2, change)\n"
                       "[answers := {(call(435, given, 88), ctypes.get_errno()) for _ in range(3000)}, answers == {(-1, errno.ENOSYS)}][1]")
        got = self.run_piece(code)
        self.assert_fine(got, True)
        self.assertEqual(got["denials"], [])

    def test_never_more_than_32(self):
        """Threads that start threads at once, while others end."""
        code = HEAD + ("import _thread\nstarted = [0]\ndef hold():\n    never.wait()\ndef race():\n    gate.wait()\n    for _ in range(20):\n        for work in (hold, int):\n            try:\n"
                       "                _thread.start_new_thread(work, ())\n            except RuntimeError: pass\nthreads = begin(12, race)\ngate.set()\nfor one in threads: one.join()\n"
                       "for _ in range(40):\n    try:\n        _thread.start_new_thread(hold, ())\n    except RuntimeError: pass\n")
        session = self.open()
        self.assert_fine(self.run_piece(code, session))
        cell = self.stopped_cell()
        self.assertIn(len(processes_of(cell)), range(MOST // 2, MOST + 1), "those that hold are still there")

    def test_threads_that_do_not_come(self):
        """The kernel refuses them after they were let through: who waits for them keeps an eye on the clock."""
        code = HEAD + (f"def fail():\n    while True: call(56, {self.THREAD}, 0, 0, 0, -2 ** 63)\nbegin(20, fail)\nnever.wait()")
        session = self.open(timeout=0.5)
        self.assert_ended(self.run_piece(code, session), "timeout", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    def test_a_thread_without_a_stack(self):
        """It runs on that of its maker: what becomes of both is theirs, and the cell's alone."""
        session = self.open(timeout=1)
        got = self.run_piece(HEAD + f"call(56, {self.THREAD}, 0, 0, 0, 0)\nnever.wait()", session)
        self.assertIn(got["error"]["kind"], ("crashed", "timeout", "violation"))
        self.assert_goes_on(session, has_lost=True)


class Ends(Case):
    def test_the_first_thread_ends_and_others_go_on(self):
        session = self.open(timeout=0.5)
        cells = {one for one, _ in processes.descendants(self.client.process.pid)}
        self.assert_ended(self.run_piece(HEAD + "begin(3, never.wait)\ncall(60, 0)", session), "timeout", state_lost=True)
        self.assert_goes_on(session, has_lost=True)
        self.wait_for(lambda: not [one for one in cells if len(processes_of(one)) > 1], "the end of its threads")

    def test_a_thread_ends_the_process_around_its_answer(self):
        for delay in (0, 0.0001, 0.0003, 0.001):
            session = self.open()
            got = self.run_piece(HEAD + f"begin(1, lambda: (time.sleep({delay}), os._exit(0)))\n5", session)
            self.assertIn((got["value"], got["error"] and got["error"]["kind"]), ((5, None), (None, "crashed")))
            self.wait_for(lambda: got["state_lost"] or self.run_piece("import time\ntime.sleep(0.05)", session)["state_lost"], "the end of the process")
            self.assert_goes_on(session)

    def test_recursion_on_a_small_stack(self):
        for body in ("x = ()\n    for _ in range(10 ** 5): x = (x,)\n    hash(x)", "import re\n    re.match('(?:a|b)*?c', 'ab' * 10 ** 6)", "import ast\n    eval('-' * 10 ** 5 + '1')", "f = lambda n: f(n + 1) + 1\n    f(0)",
                     "class C:\n        __getattr__ = lambda self, name: getattr(self, name + 'x')\n    C().y", "import json\n    json.loads('[' * 10 ** 6)"):
            session = self.open(timeout=5)
            got = self.run_piece(f"import sys, threading\nsys.setrecursionlimit(20_000)\ndef work():\n    {body}\nthread = threading.Thread(target=work)\nthread.start()\nthread.join()", session)
            self.assertIn(got["error"] and got["error"]["kind"], (None, "crashed", "timeout", "memory"), got)
            self.assert_goes_on(session)

    def test_memory_is_that_of_all_threads(self):
        for name, take in (("bytearrays", "kept.append(bytearray(2 ** 20))"), ("maps", "at = libc.mmap(None, 2 ** 20, 3, 0x22, -1, 0)\n            if at == FAILED: return\n            ctypes.memset(at, 1, 2 ** 20)\n            kept.append(at)")):
            with self.subTest(name):
                code = HEAD + f"kept = []\ndef work():\n    gate.wait()\n    try:\n        while True:\n            {take}\n    except MemoryError: pass\nthreads = begin(20, work)\ngate.set()\nfor one in threads: one.join()\n"
                got = self.run_piece(code + "taken = len(kept)\nkept.clear()\ntaken", self.open(memory_mb=100))
                self.assert_fine(got)
                self.assertLessEqual(got["value"], 100)
                self.assertGreater(got["value"], 50)

    def test_stacks_are_memory(self):
        got = self.client.run(HEAD + "threading.stack_size(2 ** 26)\nstarted = 0\ntry:\n    while True:\n        begin(1, never.wait)\n        started += 1\nexcept RuntimeError: pass\nstarted", self.open(memory_mb=200))
        self.assert_fine(got)
        self.assertLessEqual(got["value"], 3)

    def test_signals_between_threads_are_denied(self):
        got = self.run_piece(HEAD + "import signal\nbegin(1, never.wait)\nother = threading.enumerate()[-1].native_id\n"
                             "[call(234, os.getpid(), other, 9), call(200, other, 9), call(62, os.getpid(), 9), call(129, os.getpid(), 9, None), call(297, os.getpid(), other, 9, None)]")
        self.assert_fine(got, [-1] * 5)
        self.assertEqual([one["call"] for one in got["denials"]], ["tgkill", "tkill", "kill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"])


def processes_of(pid):
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


class Answers(Case):
    """A thread that speaks while the first one does, or in its place. Native code can answer for itself, once; never for another piece."""

    def test_a_thread_that_never_stops_answering(self):
        session = self.open()
        self.assert_fine(self.run_piece(FRAMES + HEAD, session))
        got = self.run_piece("def work():\n    while True: send(piece_outcome(NONE))\nbegin(4, work)\nnever.wait(1)\n5", session)
        self.assert_ended(got, "crashed", state_lost=True)
        self.assertIsNone(got["value"])
        self.assert_goes_on(session, has_lost=True)

    def test_an_answer_that_was_prepared_for_the_next_piece(self):
        """The ticket of a piece is no other's: what is sent when the next one begins is garbled, or was in time for its own."""
        session = self.open()
        self.assert_fine(self.run_piece(FRAMES + HEAD, session))
        self.run_piece("ticket = piece_ticket(2)\ndef work():\n    while True:\n        send(piece_outcome(ticket))\n        time.sleep(0.0001)\nbegin(1, work)\n5", session)
        got = self.run_piece("time.sleep(0.05)\n'honest'", session)
        self.assertIn(got["value"], (None, "honest"))
        self.assertNotEqual(got["value"], "forged")
        self.assert_goes_on(session)

    def test_a_thread_answers_in_place_of_the_first(self):
        session = self.open()
        self.assert_fine(self.run_piece(FRAMES + HEAD, session))
        got = self.run_piece("ticket = piece_ticket(2)\nbegin(1, lambda: send(piece_outcome(ticket)))\nnever.wait(1)\n5", session)
        self.assertEqual((got["value"], got["state_lost"]), ("forged", False), "its own word, once")
        # The first one is still at its piece: what it says then is no answer to the next.
        self.assert_ended(self.run_piece("'honest'", session), "crashed", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    @harness.needs_files
    def test_threads_that_read_each_others_frames(self):
        """Of host functions: both threads want the next message."""
        session = self.open(functions=[{"name": "add"}], timeout=2)
        got = self.client.run(FRAMES + HEAD + "begin(3, receive)\nadd(1)", session, answers={"add": lambda a: a})
        self.assertIn(got["error"] and got["error"]["kind"], (None, "timeout", "crashed", "deadline", "raised"))
        self.assert_goes_on(session)


class Between(Case):
    """Nothing of a cell moves while it is not asked."""

    SPIN = "import hashlib\nbegin(6, lambda: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 10 ** 9))\nbegin(6, lambda: [None for _ in iter(int, 1)])\n"

    def test_every_thread_stands(self):
        session = self.open()
        self.assert_fine(self.run_piece(HEAD + self.SPIN, session))
        cell = self.stopped_cell()
        self.wait_for(lambda: all(state_of(cell, one) == "T" for one in processes_of(cell)), "that all threads stand")
        before = all_seconds(cell)
        self.assert_ended(self.run_piece("while True: pass", self.open(timeout=0.5)), "timeout")
        self.assertEqual(all_seconds(cell), before, "no time of the processor was used")

    @harness.needs_files
    def test_files_are_whole_though_threads_write_them(self):
        """Each is replaced as a whole, thousands of times a second: what is read is one of them."""
        code = HEAD + ("def work():\n    name, count = threading.get_ident(), 0\n    while True:\n        count += 1\n        with open(f'/out/.new{name}', 'wb') as file: file.write(b'%08d' % count * 20_000)\n"
                       "        os.rename(f'/out/.new{name}', f'/out/{name}')\nbegin(6, work)\nwait_for(lambda: len([one for one in os.listdir('/out') if one[0] != '.']) == 6)")
        session = self.open()
        for code in (code, "time.sleep(0.02)", "time.sleep(0.02)"):
            got = self.run_piece(code, session)
            self.assert_fine(got)
            whole = [base64.b64decode(data) for name, data in got["artifacts"].items() if not name.startswith(".")]
            self.assertTrue(whole)
            for data in whole:
                self.assertEqual((len(data), len({data[at:at + 8] for at in range(0, len(data), 8)})), (160_000, 1))

    def test_time_that_threads_use_while_the_first_one_waits_counts(self):
        session = self.client.open(timeout=0.5, deadline=50, functions=[{"name": "add"}])
        self.assert_ended(self.client.run(HEAD + self.SPIN + "add(1)", session), "timeout", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    def test_they_end_with_the_session(self):
        session = self.open()
        self.assert_fine(self.run_piece(HEAD + self.SPIN, session))
        cell = self.stopped_cell()
        self.client.request("close", session=session)
        self.wait_for(lambda: processes.is_gone(cell), "the end of the cell")


def state_of(process, thread):
    return processes.state(f"{process}/task/{thread}")


def all_seconds(process):
    return [processes.processor_seconds(f"{process}/task/{one}") for one in sorted(processes_of(process))]


class Denials(Case):
    """What is denied is put down to the thread that asked."""

    def test_the_line_is_that_of_the_thread(self):
        code = ("import socket, threading\ndef ask():\n    for _ in range(5):\n        try:\n            socket.socket()\n        except OSError: pass\n"
                "threads = [threading.Thread(target=ask) for _ in range(8)]\nfor one in threads: one.start()\nfor one in threads: one.join()")
        session = self.open(strict=True)
        for _ in range(2):
            got = self.run_piece(code, session)
            self.assert_ended(got, "violation", state_lost=False)
            self.assertEqual(got["denials"], [{"call": "socket", "line": 5}])

    @harness.needs_files
    def test_what_the_first_thread_imports_excuses_no_other(self):
        code = ("import os, socket, sys, threading\nsys.path.insert(0, '/out')\nopen('/out/slow.py', 'w').write('import threading\\nthreading.begun.set()\\nthreading.done.wait()')\n"
                "threading.begun, threading.done = threading.Event(), threading.Event()\ndef ask():\n    threading.begun.wait()\n    try:\n        socket.socket()\n    except OSError: pass\n"
                "    threading.done.set()\nthreading.Thread(target=ask).start()\nimport slow")
        got = self.run_piece(code, self.open(strict=True))
        self.assert_ended(got, "violation")
        self.assertEqual(got["denials"], [{"call": "socket", "line": 8}])

    @harness.needs_files
    def test_a_fake_import_excuses_what_libraries_ask_and_nothing_else(self):
        """Its own word, so little is gained by it: these five are listed, and everything else fails the piece."""
        calls = {"socket": 41, "ioctl": 16, "prctl": 157, "clone": 56, "vfork": 58, "fork": 57, "ptrace": 101, "execve": 59, "kill": 62, "connect": 42, "unshare": 272, "bpf": 321, "io_uring_setup": 425,
                 "userfaultfd": 323, "memfd_create": 319, "mount": 165, "keyctl": 250, "perf_event_open": 298, "process_vm_readv": 310, "pidfd_getfd": 438, "execveat": 322, "shmget": 29}
        for name, number in calls.items():
            with self.subTest(name):
                code = f"import sys\nopen('/out/fake.py', 'w').write('import ctypes\\nctypes.CDLL(None).syscall({number}, 0, 0, 0, 0, 0)')\nsys.path.insert(0, '/out')\nimport fake"
                got = self.run_piece(code, self.open(strict=True))
                self.assertEqual([one["call"] for one in got["denials"]], [name], got)
                self.assertEqual(got["error"] is None, name in ("socket", "ioctl", "prctl", "clone", "vfork"), got)

    def test_a_thread_that_is_denied_all_the_time(self):
        session = self.open(strict=True)
        self.run_piece(HEAD + "def attack():\n    import socket\n    socket.socket()\nbegin(1, try_it_for_ever)", session)
        for _ in range(3):
            got = self.run_piece("count = len(found)\nwait_for(lambda: len(found) > count + 3)", session)
            self.assert_ended(got, "violation", state_lost=False)

    def test_a_flood_of_all_threads(self):
        session = self.open()
        got = self.run_piece(HEAD + f"def work():\n    while True: call(101, 0, 0, 0, 0)\nbegin({MOST - 1}, work)\nnever.wait()", session)
        self.assert_ended(got, "violation", state_lost=True)
        self.assert_goes_on(session, has_lost=True)


def try_folder(folder, *packages):
    """Of a folder with index.tsv: each attack that the kernel alone must hold, in each setting; with packages warm when there are any."""
    folder = pathlib.Path(folder)
    process = harness.start("serve", "--stdio", *(["--packages", ",".join(packages)] if packages else []), program=AIRLOCK, stdin=-1)
    client = serving.Client(process.stdout, process.stdin).begin()
    client.next()
    for setting in SETTINGS:
        tried, breaches = 0, []
        for row in table(folder / "index.tsv"):
            if row["category"] != "kernel":
                continue
            before = canaries()
            program = (folder / row["file"]).read_text(encoding="utf-8") + f"\nPATHS = {PATHS!r}\n"
            why = breach_in(client, setting, program + "def attack():\n    return any((extract(path) or {}).get('breach') for path in PATHS)\n")
            tried += 1
            if why or canaries() - before:
                breaches.append((row["file"], why))
        print(f"{tried} attacks {setting}, {len(breaches)} breaches {breaches or ''}")
    process.stdin.close()
    process.wait()


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, attacks=try_folder))
