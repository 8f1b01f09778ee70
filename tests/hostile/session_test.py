#!/usr/bin/env python3
"""Sessions with hostile guests, one crime each. A piece can hurt itself and its own session, and nothing else: it ends with a word that says
how, the next piece runs, and the next session is a fresh one.

    tests/hostile/session_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

Under the policy `node` guests have ctypes: they reach the cell's socket, the ticket of the piece that runs, and the memory that the cell
shares with airlock. What stands in the way is the kernel, and that nobody believes a cell.
"""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes, serving
from support.forging import HANDS

AIRLOCK = harness.AIRLOCK
MIB = 1024 * 1024
SPIN = "while True: pass"
ADD = [{"name": "add"}]

# Messages of a session as the cell writes them.
FRAMES = HANDS + '''
def number(value):
    return value.to_bytes(4, "little")

def record(stream, data, length=None):
    return bytes([stream]) + number(len(data) if length is None else length) + data

def call_frame(call, name=b"add", arguments=b'{"args":[1],"kwargs":{}}', is_waiting=1):
    return b"c" + number(call) + bytes([is_waiting]) + text(name) + text(arguments)

def piece_ticket(piece):
    """Of the piece with this number, which runs now."""
    for found in re.finditer(rb"I(.{8})" + re.escape(number(piece)) + rb"(.{4})[c\\xe3]", heap(), re.DOTALL):
        if 0 < int.from_bytes(found[2], "little") < 1 << 20:
            return found[1]
    raise LookupError("the piece is not in memory")

def piece_outcome(ticket, bits=3, value=b'"forged"', shown=b"", kind=b"", error=b"", line=0, trace=b"", took=1, records=b""):
    return b"d" + ticket + bytes([bits]) + text(value) + text(shown) + text(kind) + text(error) + number(line) + text(trace) + number(took) + text(records)

def pages_with(marker):
    """Addresses at which it stands in pages that are mapped near a new one."""
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p] + [ctypes.c_size_t] * 5
    at, found = libc.mmap(None, 4096, 3, 0x22, 2 ** 64 - 1, 0) & ~0xFFF, []
    for page in range(at - (1 << 26), at + (1 << 30), 4096):
        if is_readable(page) and (place := ctypes.string_at(page, 4096).find(marker)) >= 0:
            found.append(page + place)
    return found
'''


class Case(serving.SessionCase):
    def assert_raised(self, code, kind, session=None, **members):
        got = self.run_piece(code, session, **members)
        self.assertIsNotNone(got["error"], str(got)[:500])
        self.assertEqual(got["error"]["type"], kind, str(got["error"])[:1000])
        return got


class Text(Case):
    def test_a_piece_of_ten_megabytes(self):
        session = self.open()
        for code in ("x = '" + "y" * 10_000_000 + "'", "x = 1\n" * 2_000_000, "#" * 10_000_000):
            self.assert_ended(self.run_piece(code, session), "refused", state_lost=False)
        self.assert_goes_on(session, has_lost=False)

    def test_a_large_piece_with_large_inputs(self):
        """Each is within its bounds; together they are one message."""
        session = self.open()
        code = "".join(f"a{i} = 'text {i}'\n" for i in range(10_000)) + "len(big)"
        got = self.run_piece(code, session, inputs={"big": "z" * (7 * MIB)})
        self.assert_fine(got, 7 * MIB)

    def test_a_nul(self):
        session = self.open()
        self.assertIsNotNone(self.run_piece("x = 1\0\ny = 2", session)["error"])
        self.assert_goes_on(session, has_lost=False)

    def test_what_is_not_utf8(self):
        session = self.open()
        self.assert_ended(self.lone_surrogate(session), "refused")
        self.assert_goes_on(session, has_lost=False)

    def lone_surrogate(self, session):
        """As an escape in JSON it could be sent; as Python it cannot be read. A refusal at either door will do."""
        self.client.heard.clear()
        self.client.ask("run", session=session, code="x = '\ud800'")
        answer = self.client.next()
        return answer.get("result") or {"error": {"kind": "refused"}, "state_lost": False}

    def test_deep_nesting(self):
        session = self.open()
        for code in ("(" * 50_000 + ")" * 50_000, "-" * 100_000 + "1", "x" + "[0]" * 50_000, "1" + "+1" * 200_000, "f(" * 5000 + ")" * 5000):
            self.assertIsNotNone(self.run_piece(code, session)["error"], code[:10])
        self.assert_goes_on(session, has_lost=False)


class Own(Case):
    """What a guest does to its own process and interpreter."""

    def test_descriptor_0_is_closed(self):
        for code in ("import os\nos.close(0)", "import os\nos.close(0)\nwhile True: pass", "import os\nos.closerange(0, 100)"):
            session = self.open()
            self.assert_ended(self.run_piece(code, session), "crashed", state_lost=True)
            self.assert_goes_on(session, has_lost=True)

    def test_descriptor_0_becomes_something_else(self):
        session = self.open()
        got = self.run_piece("import os\nos.close(0)\nopen('/out/x', 'w')\nos.listdir('/out')", session)
        self.assert_ended(got, "crashed", state_lost=True)
        self.assert_goes_on(session)

    def test_it_ends_itself(self):
        for code in ("import os\nos._exit(3)", "import os\nos.abort()", "import ctypes\nctypes.CDLL(None).exit(0)", "import ctypes\nctypes.string_at(1)"):
            session = self.open()
            self.assert_ended(self.run_piece(code, session), "crashed", state_lost=True)
            self.assert_goes_on(session, has_lost=True)

    def test_exit_is_an_exception(self):
        session = self.open()
        for code in ("raise SystemExit(3)", "exit()", "import sys\nsys.exit('x')", "raise GeneratorExit", "raise BaseException('x')"):
            got = self.run_piece(code, session)
            self.assertIsNotNone(got["error"], code)
            self.assertFalse(got["state_lost"], got)

    def test_signals_to_itself_are_denied(self):
        session = self.open()
        for code in ("import os\nos.kill(os.getpid(), 9)", "import signal\nsignal.raise_signal(19)", "import os\nos.kill(0, 19)", "import os\nos.killpg(0, 9)"):
            self.assert_ended(self.run_piece(code, session), "violation", state_lost=False)
        self.assert_goes_on(session, has_lost=False)

    def test_forks_are_denied(self):
        session = self.open()
        for code in ("import os\nos.fork()", "import subprocess\nsubprocess.run(['/bin/true'])", "import os\nos.posix_spawn('/bin/true', ['true'], {})",
                     "import os\nos.execv('/bin/true', ['true'])", "import multiprocessing\nmultiprocessing.Process(target=print).start()"):
            got = self.run_piece(code, session)
            self.assertIsNotNone(got["error"], code)
            self.assertTrue(got["denials"], got["error"])
        self.assert_goes_on(session, has_lost=False)

    def test_parts_of_python_are_replaced(self):
        """Those that a session does not stand on: it goes on."""
        for code in ("import builtins\nbuiltins.print = None", "import sys\nsys.stdout = sys.stderr = None", "import sys\ndel sys.stdout", "import json\njson.loads = None",
                     "import linecache\nlinecache.cache = None\nlinecache.getline = None", "import traceback\ntraceback.TracebackException = None\ntraceback.print_exception = None",
                     "import sys\nsys.modules.clear()", "import sys\nsys.modules['json'] = None", "globals().clear()", "import sys\nsys.settrace(lambda *a: 1 / 0)",
                     "import sys\nsys.setprofile(lambda *a: 1 / 0)", "import sys\nsys.excepthook = sys.unraisablehook = None\nraise ValueError",
                     "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)", "import gc\ngc.callbacks.append(lambda *a: 1 / 0)\ngc.collect()",
                     "import airlock_session.pieces as p\np.describe = None", "import airlock_session.pieces as p\np.describe.__code__ = (lambda e, n: 5).__code__",
                     "import sys\nsys.setswitchinterval(100)\nsys.set_int_max_str_digits(0)", "import sys\nsys.setrecursionlimit(50)"):
            session = self.open()
            with self.subTest(code=code[:60]):
                self.run_piece(code, session)
                for after in ("1 / 0", "x = [1]\nx", "print('y')", "import asyncio\nawait asyncio.sleep(0)"):
                    self.assertFalse(self.run_piece(after, session)["state_lost"])
                self.assert_goes_on(session, has_lost=False)

    def test_what_a_session_stands_on_is_broken(self):
        """It has broken its own session, and no other."""
        for code in ("import json\njson.decoder.JSONDecoder.decode = None", "import asyncio\nasyncio.set_event_loop = None", "import asyncio.base_events as b\nb.BaseEventLoop.run_until_complete = None",
                     "import builtins\nfor name in list(vars(builtins)):\n    if name != 'list': delattr(builtins, name)", "import airlock_session.pieces as p\np.run.__code__ = (lambda c, n, s, i: {1}).__code__",
                     "import airlock_session.pieces as p\np.module = p.runner = None", "import airlock_session.functions as f\nf.unclaimed = f.futures = None", "__builtins__ = {}",
                     "import sys\nsys.addaudithook(lambda *a: 1 / 0)", "import _airlock_session as w\nw.call = w.receive = None", "import airlock_session.pieces as p\np.run.__defaults__ = (1,)"):
            session = self.open(functions=ADD)
            with self.subTest(code=code[:60]):
                self.run_piece(code, session)
                for after in ("1 / 0", "x = [1]\nx", "print('y')", "import asyncio\nawait asyncio.sleep(0)", "add(1)"):
                    self.assertIn("error", self.client.run(after, session, answers={"add": lambda a: a}))
                self.assert_goes_on(self.open(), has_lost=False)

    def test_recursion_without_a_limit(self):
        session = self.open()
        got = self.run_piece("import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n):\n    return f(n + 1) + 1\nf(0)", session)
        self.assertIn(got["error"]["kind"], ("crashed", "memory", "raised", "timeout"), got["error"])
        self.assert_goes_on(session)
        got = self.run_piece("x = []\nfor _ in range(10 ** 6): x = [x]\nx", session)
        self.assertIn("error", got)
        got = self.run_piece("x = ()\nfor _ in range(10 ** 6): x = (x,)\nhash(x)", session)
        self.assertIsNotNone(got["error"])
        self.run_piece("1", session)
        self.assert_goes_on(session)


class Endless(Case):
    """Wherever it hangs, its time is up."""

    def assert_late(self, code, **members):
        session = self.open(timeout=0.5, **members)
        self.assert_ended(self.run_piece(code, session), "timeout", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    def test_in_its_own_code(self):
        for code in (SPIN, "import time\ntime.sleep(100)", "10 ** 10 ** 8 % 7", "import asyncio\nawait asyncio.sleep(100)", "while True:\n    try:\n        while True: pass\n    except BaseException: pass"):
            with self.subTest(code):
                self.assert_late(code)

    def test_in_a_destructor(self):
        self.assert_late("class D:\n    def __del__(self):\n        while True: pass\nD()\n1")
        self.assert_late("class D:\n    def __del__(self):\n        while True: pass\nd = D()\ndel d")
        # A last value is kept as _ until the next one takes its place: that piece pays for it.
        session = self.open(timeout=1)
        self.assertIsNone(self.run_piece("class D:\n    def __del__(self):\n        while True: pass\nD()", session)["error"])
        self.assert_ended(self.run_piece("1", session), "timeout")

    def test_in_its_repr(self):
        self.assert_late("class R:\n    def __repr__(self):\n        while True: pass\nR()")

    def test_in_the_text_of_an_exception(self):
        self.assert_late("class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E")

    def test_in_hooks(self):
        self.assert_late("import sys\nloop = compile('while True: pass', '<hook>', 'exec')\nsys.settrace(lambda *a: exec(loop))\ndef f(): pass\nf()")
        self.assert_late("import sys\ndef hook(*a):\n    while True: pass\nsys.addaudithook(hook)\n1")

    def test_after_it_has_said_that_it_waits(self):
        """Its own clock stands while it waits for a call; all of its time is bounded all the same."""
        session = self.open(timeout=0.3, deadline=600, functions=ADD)
        number = self.client.ask("run", session=session, code="import _airlock_session\n_airlock_session.call('add', {}, True)\n" + SPIN)
        self.client.event(number, "call")
        got = self.client.answer_to(number)["result"]
        self.assert_ended(got, "timeout", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    def test_frames_without_end_do_not_stop_the_clocks(self):
        session = self.open(timeout=0.5, deadline=2, functions=ADD)
        flood = FRAMES + "\nsend(call_frame(1))\nmany = (number(1) + b'w') * 10000\nwhile True: send_bytes(many)"
        number = self.client.ask("run", session=session, code=flood)
        self.client.event(number, "call")
        self.assertIn(self.client.answer_to(number)["result"]["error"]["kind"], ("timeout", "deadline"))
        self.assert_goes_on(session, has_lost=True)
        empty = FRAMES + "\nmany = (number(5) + b'o' + text(b'')) * 10000\nwhile True: send_bytes(many)"
        self.assert_ended(self.run_piece(empty, session), "timeout", state_lost=True)

    def test_frames_without_end_can_be_cancelled(self):
        session = self.open(timeout=600, deadline=600, functions=ADD)
        flood = FRAMES + "\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsend(call_frame(1))\nmany = (number(1) + b'w') * 10000\nwhile True: send_bytes(many)"
        number = self.client.ask("run", session=session, code=flood)
        self.client.event(number, "call")
        self.client.ask("cancel", id=number)
        self.assert_ended(self.client.answer_to(number)["result"], "cancelled", state_lost=True)
        self.assert_goes_on(session, has_lost=True)

    def test_prints_one_letter_at_a_time_to_both_streams(self):
        code = "import sys\nwhile True:\n    sys.stdout.write('a')\n    sys.stderr.write('b')"
        got = self.run_piece(code, self.open(timeout=1), prints=True)
        self.assertIn(got["error"]["kind"], ("timeout", "output"))
        self.assertLessEqual(len(got["stdout"]) + len(got["stderr"]), MIB + 300)

    def test_cancel_is_not_heeded(self):
        for code in ("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)", "import signal\nsignal.signal(signal.SIGINT, lambda *given: None)",
                     "import ctypes\nctypes.CDLL(None).signal(2, ctypes.c_void_p(1))"):
            session = self.open(timeout=600, deadline=600)
            number = self.client.ask("run", session=session, prints=True, code=f"{code}\nprint('at work')\n{SPIN}")
            self.client.event(number, "printed")
            self.client.ask("cancel", id=number)
            got = self.client.answer_to(number)["result"]
            self.assert_ended(got, "cancelled", state_lost=True)
            self.assertEqual(got["stdout"], "at work\n")
            self.assert_goes_on(session, has_lost=True)

    def test_only_who_was_cancelled_says_so(self):
        session = self.open()
        self.assert_ended(self.run_piece("raise KeyboardInterrupt", session), "raised", state_lost=False)
        self.assert_ended(self.run_piece("class OutputLimitError(Exception): pass\nraise OutputLimitError", session), "raised", state_lost=False)

    @harness.needs_files
    def test_nothing_moves_between_two_pieces(self):
        """A handler of its own for the signal that lets a cell go on, and an outcome that it has written itself: neither gives it time."""
        handler = "import signal\ndef spin(*given):\n    while True: pass\nsignal.signal(signal.SIGCONT, spin)\nopen('/out/x', 'w').write('1')"
        forged = FRAMES + "\nopen('/out/x', 'w').write('1')\nsend(piece_outcome(piece_ticket(1)))\nwhile True: pass"
        for name, code in (("handler", handler), ("outcome", forged)):
            with self.subTest(name):
                session = self.open(timeout=3)
                got = self.run_piece(code, session)
                self.assertEqual(got["artifacts"], {"x": "MQ=="}, got)
                # Those that have run a piece; spare ones wait, and will serve the piece below.
                cells = [one for one, _ in processes.descendants(self.client.process.pid) if processes.is_locked(one) and processes.state(one) == "T"]
                self.assertTrue(cells)
                before = sum(map(processes.processor_seconds, cells))
                # As long as another piece needs to run out of time, which is much.
                self.assert_ended(self.run_piece(SPIN, self.open(timeout=1)), "timeout")
                self.assertLess(sum(map(processes.processor_seconds, cells)) - before, 0.5, "no time of the processor was used")
                self.assert_ended(self.run_piece("1", session), "timeout")
                self.assert_goes_on(session, has_lost=True)


class Values(Case):
    def test_reprs_that_raise_or_are_none(self):
        session = self.open()
        for body, words in (("raise ValueError('x')", "<R without repr: ValueError: x>"), ("return 5", "<R without repr: TypeError: ")):
            got = self.run_piece(f"class R:\n    def __repr__(self):\n        {body}\nR()", session)
            self.assert_fine(got)
            self.assertTrue(got["shown"].startswith(words), got["shown"])
        # What the error says of itself is the guest's code as well.
        got = self.run_piece("class E(Exception):\n    def __str__(self): raise self\nclass R:\n    def __repr__(self): raise E\nR()", session)
        self.assertEqual((got["error"], got["shown"]), (None, "<R without repr: E: >"))
        got = self.run_piece("class R:\n    def __repr__(self):\n        return '\\ud800' * 3\nR()", session)
        self.assert_fine(got)
        self.assert_goes_on(session, has_lost=False)

    def test_a_repr_of_a_gigabyte(self):
        session = self.open()
        got = self.run_piece("class R:\n    def __repr__(self):\n        return 'x' * 1_000_000_000\nR()", session)
        self.assert_ended(got, "memory", state_lost=False)
        got = self.run_piece("class R:\n    def __repr__(self):\n        return 'x' * 100_000_000\nR()", session)
        self.assertLessEqual(len(got["shown"] or ""), 65 * 1024)
        self.assert_goes_on(session)

    def test_values_that_are_no_json(self):
        session = self.open()
        for code in ("x = []\nx.append(x)\nx", "float('nan')", "{1: 2}", "{1, 2}", "b'x'", "x = []\nfor _ in range(70): x = [x]\nx", "object()", "[float('inf')]",
                     "class D(dict):\n    def items(self):\n        return 5\nD(a=1)", "class S(str): pass\n{S('a'): 1}", "10 ** 5000", "'\\ud800'"):
            with self.subTest(code):
                got = self.run_piece(code, session)
                self.assertFalse(got["state_lost"])
        self.assert_goes_on(session, has_lost=False)

    def test_a_value_that_is_too_large_is_only_shown(self):
        got = self.run_piece("'x' * 9_000_000", self.open())
        self.assert_fine(got)
        self.assertIsNone(got["value"])
        self.assertLessEqual(len(got["shown"]), 65 * 1024)

    def test_exceptions_of_any_size(self):
        session = self.open()
        for code in ("raise ValueError('x' * 10 ** 7)", "raise type('E' * 10 ** 6, (Exception,), {})('x')", "class E(Exception):\n    def __str__(self):\n        return 5\nraise E",
                     "class E(Exception):\n    def __str__(self):\n        raise self\nraise E", "raise ExceptionGroup('g', [ValueError(i) for i in range(100000)])",
                     "e = ValueError()\nfor _ in range(100000):\n    n = ValueError()\n    n.__cause__ = e\n    e = n\nraise e",
                     "class M(type):\n    __name__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E", "raise ValueError('\\ud800')",
                     "e = ValueError()\ne.__context__ = ValueError()\ne.__context__.__context__ = e\nraise e"):
            with self.subTest(code[:50]):
                got = self.run_piece(code, session)
                self.assertIsNotNone(got["error"])
                self.assertLess(len(json.dumps(got)), 300_000)
        self.assert_goes_on(session)


class Calls(Case):
    def answering(self, code, session, **functions):
        return self.client.run(code, session, answers={"add": lambda *a, **k: len(a), **functions})

    def test_arguments_of_any_kind(self):
        session = self.open(functions=ADD, memory_mb=1000)
        for code, kind in (("add('x' * 100_000_000)", "ValueError"), ("x = []\nx.append(x)\nadd(x)", None), ("add({1, 2})", "TypeError"), ("add(float('nan'))", None),
                           ("add(object())", "TypeError"), ("x = 1\nfor _ in range(200): x = [x]\nadd(x)", None), ("add(**{'\\ud800': 1})", None), ("add('\\ud800')", None)):
            with self.subTest(code):
                got = self.answering(code, session)
                self.assertIsNotNone(got["error"], got)
                self.assertIn(got["error"]["type"], (kind,) if kind else ("ValueError", "TypeError", "RecursionError", "UnicodeEncodeError"), got["error"])
                self.assertEqual(got["calls"], [], "it costs no call")
        self.assert_goes_on(session, has_lost=False)

    def test_more_calls_than_allowed(self):
        session = self.open(functions=ADD, max_calls=5)
        got = self.answering("done = 0\nfor i in range(100):\n    add(i)\n    done = i", session)
        self.assertEqual((got["error"]["type"], len(got["calls"])), ("RuntimeError", 5))
        self.assert_fine(self.answering("done", session), 4)
        self.assert_fine(self.answering("add(1)", session), 1)

    def test_a_host_function_is_redefined(self):
        session = self.open(functions=ADD)
        self.assert_fine(self.answering("old = add\ndef add(x):\n    return 'mine'\nadd(1)", session), "mine")
        self.assert_fine(self.answering("old(1, 2)", session), 2)

    def test_from_a_destructor_and_after_the_piece(self):
        session = self.open(functions=ADD)
        code = "class D:\n    def __del__(self):\n        self.seen.append(add(1, 2, 3))\nseen = D.seen = []\nd = D()\ndel d\nseen"
        self.assert_fine(self.answering(code, session), [3])
        for code in ("import atexit\natexit.register(add, 1)", "import gc\ngc.callbacks.append(lambda *a: add(1))", "import signal\nsignal.signal(signal.SIGCONT, lambda *a: add(1))",
                     "import sys\nsys.addaudithook(lambda *a: None)", "import weakref\nclass A: pass\na = A()\nweakref.finalize(a, add, 1)"):
            with self.subTest(code):
                self.answering(code, session)
                got = self.answering("import gc\ngc.collect()\n5", session)
                self.assertFalse(got["state_lost"], got)

    def test_a_call_that_nobody_answers(self):
        session = self.open(functions=ADD, timeout=0.2, deadline=1)
        got = self.run_piece("add(1)", session)
        self.assert_ended(got, "deadline", state_lost=True)
        self.assertEqual([one["ended"] for one in got["calls"]], ["unanswered"])

    def test_names_that_nobody_gave(self):
        session = self.open(functions=ADD)
        code = ("import _airlock_session as wire, airlock_session.functions as f\n"
                "told = []\nfor name in ('open', 'os.system', '', 'add ', 'x' * 100000):\n    try:\n        f.call_and_wait(name, {'args': [], 'kwargs': {}})\n"
                "    except Exception as error:\n        told.append(type(error).__name__)\ntold")
        got = self.answering(code, session)
        self.assert_fine(got, ["NameError"] * 5)
        self.assertFalse([m for m in self.client.heard if m.get("event") == "call"], "nobody outside hears of them")


class Forged(Case):
    """Frames that the guest writes itself."""

    def assert_garbled(self, body, **members):
        session = self.open(functions=ADD, timeout=5, **members)
        got = self.client.run(FRAMES + "\n" + body, session)
        self.assertIsNotNone(got["error"], str(got)[:500])
        self.assertEqual((got["error"]["kind"], got["state_lost"], got["value"]), ("crashed", True, None), str(got)[:800])
        self.assert_goes_on(session, has_lost=True)
        return got

    def test_outcomes(self):
        self.assert_garbled("send(piece_outcome(NONE))\nwhile True: pass")
        self.assert_garbled("twice = piece_outcome(piece_ticket(1))\nsend_bytes((number(len(twice)) + twice) * 2)\nwhile True: pass")
        self.assert_garbled("send(piece_outcome(piece_ticket(1)) + b'x')\nwhile True: pass")

    def test_an_outcome_that_is_no_value_or_too_large(self):
        for outcome in ("value=b'{'", "value=b'\"' + b'x' * 9_000_000 + b'\"'", "value=b'[' * 200 + b']' * 200", "bits=7, shown=b'x' * 100_000", "bits=0, kind=b'k' * 1000",
                        "bits=0, kind=b'E', error=b'x' * 100_000", "bits=0, kind=b'E', trace=b'x' * 100_000", "kind=b'ValueError'", "value=b'\\xff'", "bits=255", "records=b'x'",
                        "records=record(5, b'x')", "records=record(0, b'x', 1000)", "records=record(0, b'x' * 2_000_000)"):
            with self.subTest(outcome):
                self.assert_garbled(f"send(piece_outcome(piece_ticket(1), {outcome}))\nwhile True: pass")

    def test_an_outcome_in_advance(self):
        session = self.open()
        self.run_piece(FRAMES, session)
        self.run_piece("ahead = piece_outcome(NONE)\nsend(piece_outcome(piece_ticket(2)))\nsend(ahead)\n1", session)
        # One that has something to say before it is asked is ended, now or then.
        got = self.run_piece("'honest'", session)
        self.assertIn((got["value"], got["state_lost"]), ((None, True), ("honest", True)), got)
        self.assert_goes_on(session)

    def test_frames_that_are_none(self):
        for body in ("send(b'')", "send(b'?')", "send(b's')", "send(b'K' + number(0))", "send(b'I' + NONE)", "send(b'O' + NONE)", "send_bytes(b'\\xff' * 4)",
                     "send_bytes(number(2 ** 31) + b'x')", "send(b'c')", "send(b'c' + number(1) + b'\\x07' + text(b'add') + text(b'{}'))", "send(b'o' + number(2 ** 32 - 1))",
                     "send(b'o' + text(record(9, b'x')))", "send(b'o' + text(b'abc'))", "send(b'w' + b'x')", "send(b'c' + number(1) + b'\\x00' + text(b'\\xff') + text(b'{}'))"):
            with self.subTest(body):
                self.assert_garbled(body + "\nwhile True: pass")

    def test_half_a_frame_then_nothing(self):
        session = self.open(timeout=0.5)
        self.assert_ended(self.run_piece(FRAMES + "\nsend_bytes(number(100) + b'c')\nwhile True: pass", session), "timeout", state_lost=True)
        self.assert_goes_on(session)

    def test_a_forged_call_is_a_call(self):
        session = self.open(functions=ADD)
        got = self.client.run(FRAMES + "\nsend(call_frame(77))\nreply = receive()\nreply[:1].decode()", session, answers={"add": lambda *a: 1})
        self.assert_fine(got, "a")
        self.assertEqual([(c["name"], c["ended"]) for c in got["calls"]], [("add", "returned")])

    def test_forged_calls_are_judged(self):
        for name, arguments in ((b"nobody", b"{}"), (b"add", b"["), (b"add", b"[]"), (b"add", b"{\"a\": 1, \"a\": 2}"), (b"add", b"\xff"), (b"add", b'{"args": NaN}'), (b"", b"{}")):
            session = self.open(functions=ADD)
            with self.subTest(name=name, arguments=arguments):
                self.client.heard.clear()
                got = self.client.run(FRAMES + f"\nsend(call_frame(7, {name!r}, {arguments!r}))\nreceive()[:1].decode()", session)
                self.assertIn(got["error"] and got["error"]["kind"], (None, "crashed"), got)
                self.assertFalse([m for m in self.client.heard if m.get("event") == "call"], "it is not passed on")

    def test_the_same_call_twice_and_too_many(self):
        self.assert_garbled("send(call_frame(1))\nsend(call_frame(1))\nwhile True: pass")
        self.assert_garbled("for i in range(10): send(call_frame(i))\nwhile True: pass", max_calls=5)

    def test_descriptors_that_come_along_are_not_kept(self):
        rights = "(20).to_bytes(8, 'little') + (1).to_bytes(4, 'little') * 2 + bytes(8)"
        count = len(os.listdir(f"/proc/{self.client.process.pid}/fd"))
        session = self.open()
        opened = len(os.listdir(f"/proc/{self.client.process.pid}/fd"))
        self.run_piece(FRAMES + f"\nfor _ in range(50): send_bytes(number(5) + b'o' + number(0), control={rights})\n1", session)
        self.assertLessEqual(len(os.listdir(f"/proc/{self.client.process.pid}/fd")), opened + 2, count)

    def test_more_is_printed_than_a_cell_prints(self):
        got = self.assert_garbled("for _ in range(40): send(b'o' + text(record(0, b'x' * 60000)))\nwhile True: pass")
        self.assertLessEqual(len(got["stdout"]), MIB + 300)

    def test_the_log_of_prints_is_scribbled_on(self):
        """The page that airlock reads while the piece runs: any number, any length."""
        find = FRAMES + ("\nimport sys, time\nprint('a marker ' + 'that nobody else has')\n"
                         "places = pages_with(b'a marker ' + b'that nobody else has')\n")
        for name, scribble in (("used", "ctypes.memset(at - 9, 0xff, 4)"), ("generation", "ctypes.memset(at - 13, 0x7f, 4)"), ("length", "ctypes.memset(at - 4, 0xff, 4)"),
                               ("stream", "ctypes.memset(at - 5, 0x55, 1)"), ("all", "ctypes.memset(at - 13, 0x41, 60000)")):
            session = self.open()
            with self.subTest(name):
                code = find + f"count = 0\nfor at in places:\n    if ctypes.string_at(at - 5, 1) == b'\\0':\n        count += 1\n        {scribble}\ntime.sleep(0.1)\nprint('more')\ncount"
                got = self.run_piece(code, session)
                self.assertLessEqual(len(got["stdout"]), MIB + 300)
                if got["error"] is None:
                    self.assertGreaterEqual(got["value"], 1, "it was found")
                self.run_piece("1", session)
                self.assert_goes_on(session)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
