#!/usr/bin/env python3
"""`airlock run`: code nodes and flows, as whole commands.

    tests/run_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The first class has one test for each of the 25 criteria that the code node must meet, by number. The last line is `N passed, N failed`.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parent.parent
AIRLOCK = harness.AIRLOCK
SECONDS = 60  # a safety net against hangs, not a measure
MARK = "💡 Suggestions:"
NOT_INTERRUPTIBLE = "sum(range(10**15))"  # one call into C that looks at no signal

sys.path.insert(0, str(ROOT / "library"))
from airlock_node import node as contract  # noqa: E402
from airlock_node import reading  # noqa: E402


def code_node(code, **params):
    return {"type": "code", "params": {"code": code, **params}}


def flow(*nodes, edges=None, **rest):
    document = {"nodes": [{"id": name, "type": "code", "params": {"code": code, **params}} for name, code, params in nodes], **rest}
    if edges is not None:
        document["edges"] = [dict(zip(("from", "to", "action"), edge)) for edge in edges]
    return document


class Alone:
    """The host's part of the contract, for the steps on their own."""
    armed = False

    def began(self, timeout):
        pass

    def ended(self):
        pass

    def failed(self, error):
        pass


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="airlock-run-")))
        self.environment = {**os.environ, "AIRLOCK_HOME": str(self.folder / "home"), "NO_COLOR": "1"}

    def command(self, *arguments, stdin=None, cwd=None):
        done = subprocess.run([str(AIRLOCK), "run", *map(str, arguments)], input=stdin, capture_output=True, timeout=SECONDS, cwd=cwd,
                              env=self.environment)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def write(self, name, document):
        path = self.folder / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    def run_it(self, document, *arguments, shared=None, name="node.json"):
        words = [self.write(name, document), "--format", "json", *arguments]
        if shared is not None:
            words += ["--shared", self.write("shared.json", shared)]
        code, out, err = self.command(*words)
        self.assertNotIn("bug in airlock", err)
        try:
            return code, json.loads(out), err
        except ValueError:
            self.fail(f"no JSON: exit {code}\n{out}\n{err}")

    def good(self, document, *arguments, **rest):
        code, report, err = self.run_it(document, *arguments, **rest)
        self.assertEqual((code, report["action"]), (0, "default"), (report, err))
        return report["shared"]

    def bad(self, document, *words, kind=None, phase=None, shared=None, arguments=()):
        """The node fails, and its error holds the words. Returns the report."""
        code, report, err = self.run_it(document, *arguments, shared=shared)
        self.assertEqual((code, report["action"]), (1, "error"), (report, err))
        for word in words:
            self.assertIn(word, report["shared"]["error"])
        if kind:
            self.assertEqual(report["failure"]["type"], kind)
        if phase:
            self.assertEqual(report["failure"]["phase"], phase)
        return report


class Criteria(Runs):
    def test_01_type_annotation_extraction(self):
        self.assertEqual(reading.read("data: list\nresult: dict = {}", "x")[1], {"data": "list", "result": "dict"})

    def test_02_all_inputs_validated(self):
        self.bad(code_node("result: int = 1", inputs={"data": "${x}"}), "Input 'data' missing type annotation in code. Add: data: <type>",
                 kind="ValueError", phase="prep", shared={"x": 1})

    def test_03_result_annotation_required(self):
        self.bad(code_node("result = 1"), "Code must declare result type annotation: result: <type> = ...", kind="ValueError", phase="prep")

    def test_04_simple_type_validation(self):
        self.assertEqual(self.good(code_node("data: list\nresult: int = len(data)", inputs={"data": [1, 2, 3]}))["result"], 3)
        self.bad(code_node("data: list\nresult: int = len(data)", inputs={"data": {"a": 1}}), "Input 'data' expects list but received dict",
                 kind="TypeError", phase="prep")

    def test_05_complex_type_outer_validation(self):
        for value in ([{"a": 1}], [1, 2]):
            self.good(code_node("data: list[dict]\nresult: int = len(data)", inputs={"data": value}))

    def test_06_namespace_injection(self):
        self.assertEqual(self.good(code_node("count: int\nresult: int = count + 1", inputs={"count": 5}))["result"], 6)

    def test_07_stdout_capture(self):
        self.assertEqual(self.good(code_node('print("hello")\nresult: int = 1'))["stdout"], "hello\n")

    def test_08_stderr_capture(self):
        self.assertEqual(self.good(code_node('import sys; sys.stderr.write("warn")\nresult: int = 1'))["stderr"], "warn")

    def test_09_result_capture(self):
        self.assertEqual(self.good(code_node("result: int\nresult = 42"))["result"], 42)

    def test_10_result_type_validation(self):
        self.bad(code_node('result: int = "text"'), "Result declared as int but code returned str", MARK, kind="TypeError", phase="post")
        with self.assertRaises(TypeError):
            ready = contract.prep({}, {"code": 'result: int = "text"'})
            contract.post(ready, contract.execute(ready, Alone()))

    def test_11_missing_result(self):
        self.bad(code_node("result: int"), "Code must set 'result' variable. Add: result = <your_value>", kind="ValueError", phase="exec")
        with self.assertRaises(ValueError):
            contract.execute(contract.prep({}, {"code": "result: int"}), Alone())

    def test_12_syntax_error_handling(self):
        report = self.bad(code_node("x = 1\nresult = ["), "line 2", "'[' was never closed", "result = [", kind="SyntaxError", phase="prep")
        self.assertEqual(report["failure"]["line"], 2)

    def test_13_name_error_handling(self):
        self.bad(code_node("value = 1\nresult: int = valeu"), "Error: Undefined variable 'valeu'. Ensure all variables are defined in code or provided as inputs",
                 "line 2", "result: int = valeu", "Did you mean 'value'?", kind="NameError", phase="exec")

    def test_14_timeout_enforcement(self):
        started = time.monotonic()
        report = self.bad(code_node("print('before')\nwhile True: pass\nresult: int = 1", timeout=0.5),
                          "Python code execution timed out after 0.5 seconds", kind="TimeoutError", phase="exec")
        self.assertLess(time.monotonic() - started, 3)
        self.assertLess(abs(report["duration_ms"] - 500), 300)
        self.assertEqual(report["shared"]["stdout"], "before\n")

    def test_15_import_allowed(self):
        self.assertEqual(self.good(code_node("import json; result: str = json.dumps({})"))["result"], "{}")

    def test_16_import_error_handling(self):
        self.bad(code_node("import nonexistent_module\nresult: int = 1"),
                 "Error: Module 'nonexistent_module' not found. Install with: pip install nonexistent_module", kind="ModuleNotFoundError")

    def test_17_empty_code_rejection(self):
        for empty in ("", "  \n"):
            self.bad(code_node(empty), "Code parameter cannot be empty", kind="ValueError", phase="prep")

    def test_18_negative_timeout_rejection(self):
        self.bad(code_node("result: int = 1", timeout=-5), "Timeout must be positive number, got -5", kind="ValueError", phase="prep")

    def test_19_type_mismatch_suggestions(self):
        self.bad(code_node("data: list\nresult: list = data[:10]", inputs={"data": "${fetch.result}"}), "Template: ${fetch.result}", MARK, "data: dict",
                 shared={"fetch": {"result": {"a": 1}}})

    def test_20_no_builtins_restriction(self):
        self.assertTrue(self.good(code_node("result: bool = hasattr(__builtins__, 'open') and open is __builtins__.open"))["result"])

    def test_21_requires_field_storage(self):
        self.good(code_node("result: int = 1", requires=["pandas", "not-there"]))

    def test_22_multiple_inputs(self):
        self.assertEqual(self.good(code_node("a: int\nb: int\nresult: int = a + b", inputs={"a": 1, "b": 2}))["result"], 3)

    def test_23_ast_handles_complex_types(self):
        self.assertEqual(reading.read("x: list[dict[str, Any]]\nresult: int = 1", "x")[1]["x"], "list[dict[str, Any]]")

    def test_24_action_on_success(self):
        self.assertEqual(self.run_it(code_node("result: int = 1"))[1]["action"], "default")

    def test_25_action_on_error(self):
        self.assertEqual(self.run_it(code_node("result: int = 1 / 0"))[1]["action"], "error")


class Types(Runs):
    def test_bool_is_an_int_and_an_int_is_a_float(self):
        self.good(code_node("a: int\nb: float\nresult: float = a + b", inputs={"a": True, "b": 2}))

    def test_unknown_names_are_not_checked_and_need_not_exist(self):
        for name in ("Any", "object", "DataFrame", "Optional[int]", "int | None", "list[int] | None"):
            self.good(code_node(f"x: {name}\nresult: object = x", inputs={"x": "text"}))

    def test_json_text_is_read_where_a_list_or_dict_is_declared(self):
        self.assertEqual(self.good(code_node("x: list\nresult: list = x", inputs={"x": "[1, 2]"}))["result"], [1, 2])
        self.assertEqual(self.good(code_node("x: str\nresult: str = x", inputs={"x": "[1, 2]"}))["result"], "[1, 2]")
        self.bad(code_node("x: list\nresult: list = x", inputs={"x": "{}"}), "Input 'x' expects list but received str")

    def test_strict_types_name_the_first_bad_element(self):
        for declared, value, where in [
            ("list[int]", [1, "a"], "x[1]: expected int, got str"),
            ("dict[str, list[int]]", {"a": [1], "b": [None]}, "x['b'][0]: expected int, got None"),
            ("Optional[list[str]]", ["a", 1], "x[1]: expected str, got int"),
            ("int | str", 1.5, "x: expected int | str, got float"),
            ("Literal['a', 'b']", "c", "x: expected Literal['a', 'b'], got 'c'"),
        ]:
            with self.subTest(declared=declared):
                self.bad({**code_node(f"x: {declared}\nresult: int = 1", inputs={"x": value}), "strict_types": True}, where, phase="prep")

    def test_strict_types_let_pass_what_fits(self):
        for declared, value in [("list[int]", [1]), ("Optional[int]", None), ("dict[str, Any]", {"a": object.__name__}), ("Literal[1]", 1),
                                ("list[dict[str, int | None]]", [{"a": None}])]:
            self.good(code_node(f"x: {declared}\nresult: int = 1", inputs={"x": value}, strict_types=True))

    def test_strict_types_of_the_result_know_the_codes_own_classes(self):
        code = ("from typing import TypedDict\nclass Row(TypedDict):\n    n: int\n    s: str\nresult: list[Row] = [{'n': 1, 's': 'a'}, {'n': 'x', 's': 'a'}]\n"
                "pair: tuple[int, str] = (1, 'a')")
        self.bad(code_node(code, strict_types=True), "result[1]['n']: expected int, got str", phase="post")
        self.bad(code_node("result: tuple[int, str] = (1, 2)", strict_types=True), "result[1]: expected str, got int")
        self.bad(code_node("result: tuple[int, str] = (1,)", strict_types=True), "expected tuple of 2, got tuple of 1")
        self.good(code_node("result: list[int] = ['a']"))


class Templates(Runs):
    SHARED = {"a": {"b": [{"c": 7}], "s": "text", "d d": 1}, "n": 5}

    def value(self, template, declared="object"):
        return self.good(code_node(f"x: {declared}\nresult: object = x", inputs={"x": template}), shared=self.SHARED)["result"]

    def test_a_whole_template_keeps_its_type(self):
        self.assertEqual(self.value("${a.b}"), [{"c": 7}])
        self.assertEqual(self.value("${ n }"), 5)

    def test_it_walks(self):
        self.assertEqual(self.value("${a.b[0].c}"), 7)
        self.assertEqual(self.value("${a.b[-1].c}"), 7)
        self.assertEqual(self.value("${a['d d']}"), 1)

    def test_inside_of_text_it_is_text(self):
        self.assertEqual(self.value("n=${n}, s=${a.s}, b=${a.b}"), 'n=5, s=text, b=[{"c": 7}]')

    def test_inside_of_lists_and_dicts_it_is_resolved_too(self):
        self.assertEqual(self.value({"k": ["${n}", {"z": "${a.s}"}]}), {"k": [5, {"z": "text"}]})

    def test_two_dollars_are_an_escape(self):
        self.assertEqual(self.value("$${n} ${n}"), "${n} 5")

    def test_one_that_leads_nowhere_says_what_exists(self):
        self.bad(code_node("x: int\nresult: int = x", inputs={"x": "${a.bb[0]}"}), "${a.bb[0]}", "it has: b, s, d d", "Did you mean ${a.b[0]}?",
                 shared=self.SHARED, phase="prep")
        self.bad(code_node("x: int\nresult: int = x", inputs={"x": "${a.b[3]}"}), "it is a list of 1", shared=self.SHARED)
        self.bad(code_node("x: int\nresult: int = x", inputs={"x": "${}"}), "is not a path", shared=self.SHARED)


class Messages(Runs):
    def test_a_traceback_shows_the_users_lines_and_none_of_ours(self):
        code = "import json\ndef read(text):\n    return json.loads(text)\n\nresult: dict = read('{')"
        report = self.bad(code_node(code), "Error: Code execution failed: Expecting property name", "line 5, in <module>", "line 3, in read",
                          "return json.loads(text)", "^^^^", "JSONDecodeError")
        self.assertNotIn("airlock", report["shared"]["error"])
        self.assertEqual(report["failure"]["line"], 3)

    def test_the_package_of_a_module_with_another_name(self):
        # The modules need not be missing here: what counts is the name that import could not find.
        for module, package in [("cv2_", "cv2_"), ("sklearn.not_there", "scikit-learn")]:
            code = f"raise ModuleNotFoundError(\"No module named '{module}'\", name='{module}')\nresult: int = 1"
            self.bad(code_node(code), f"pip install {package}")
        for module, package in [("yaml", "PyYAML"), ("cv2", "opencv-python"), ("PIL", "Pillow"), ("bs4", "beautifulsoup4"), ("dotenv", "python-dotenv")]:
            from airlock_node import packages
            self.assertEqual(packages.package_of(module), package)

    def test_output_before_a_failure_is_kept(self):
        report = self.bad(code_node("import sys\nprint('a')\nprint('b', file=sys.stderr)\nresult: int = {}['k']"), "'k'", ".get(")
        self.assertEqual((report["shared"]["stdout"], report["shared"]["stderr"]), ("a\n", "b\n"))

    def test_several_missing_annotations_are_all_named(self):
        self.bad(code_node("result = 1", inputs={"a": 1, "b": 2}), "Input 'a' missing type annotation", "b: <type>")


class Capture(Runs):
    def test_all_ways_of_printing_are_in_order(self):
        code = ("import ctypes, os, subprocess, sys\nprint('1 print', end='|')\nos.write(1, b'2 os|')\nsubprocess.run(['printf', '3 child|'])\n"
                "ctypes.CDLL(None).printf(b'4 C|')\nsys.stdout.buffer.write(b'5 buffer|')\nos.system('printf \"6 shell|\"')\nprint('7')\nresult: int = 1")
        self.assertEqual(self.good(code_node(code))["stdout"], "1 print|2 os|3 child|4 C|5 buffer|6 shell|7\n")

    def test_it_is_bounded_with_a_mark(self):
        shared = self.good(code_node("for i in range(300):\n    print('é' * 5000)\nresult: int = 1"))
        self.assertLess(len(shared["stdout"].encode()), 1024 * 1024 + 200)
        self.assertTrue(shared["stdout"].endswith("\n[output cut off: 1048576 of 3000300 bytes are kept]\n"))
        self.assertNotIn("�", shared["stdout"])

    def test_a_flood_is_held_off(self):
        report = self.bad(code_node("import os\nwhile True: os.write(1, b'x' * 1000000)\nresult: int = 1", timeout=1), "timed out after 1 seconds")
        self.assertIn("[output cut off:", report["shared"]["stdout"])

    def test_what_is_no_text_is_shown_as_far_as_it_is(self):
        shared = self.good(code_node("import os\nos.write(1, b'a\\xffb')\nprint('\\ud800')\nresult: int = 1"))
        self.assertEqual(shared["stdout"], "a�b\\ud800\n")

    def test_threads_of_an_earlier_node_do_not_print_into_the_next(self):
        noisy = ("import threading, time\ndef go():\n    while True:\n        print('NOISE')\n        time.sleep(0.001)\n"
                 "threading.Thread(target=go, daemon=True).start()\ntime.sleep(0.02)\nresult: int = 1")
        quiet = "import time\ntime.sleep(0.1)\nprint('mine')\nresult: int = 2"
        shared = self.good(flow(("noisy", noisy, {}), ("quiet", quiet, {})))
        self.assertIn("NOISE", shared["noisy"]["stdout"])
        self.assertEqual(shared["quiet"]["stdout"], "mine\n")

    def test_children_of_an_earlier_node_do_not_print_into_the_next(self):
        leaves = "import subprocess\nsubprocess.Popen(['sh', '-c', 'sleep 0.1; echo LATE'])\nresult: int = 1"
        shared = self.good(flow(("leaves", leaves, {}), ("next", "import time\ntime.sleep(0.3)\nresult: int = 2", {})))
        self.assertEqual(shared["next"]["stdout"], "")


class Timeouts(Runs):
    def test_code_that_sleeps_is_stopped(self):
        report = self.bad(code_node("import time\nprint('a')\ntime.sleep(60)\nresult: int = 1", timeout=0.3), "timed out after 0.3 seconds")
        self.assertEqual((report["shared"]["stdout"], report["failure"]["line"]), ("a\n", 3))

    def test_one_long_call_into_c_is_stopped(self):
        started = time.monotonic()
        report = self.bad(code_node(f"print('a', flush=True)\nx = {NOT_INTERRUPTIBLE}\nresult: int = 1", timeout=0.3),
                          "Python code execution timed out after 0.3 seconds", MARK, kind="TimeoutError")
        self.assertLess(time.monotonic() - started, 5)
        self.assertEqual(report["shared"]["stdout"], "a\n")

    def test_code_that_swallows_the_exception_is_stopped(self):
        code = "import time\ndef work():\n    while True:\n        try:\n            time.sleep(0.01)\n        except BaseException:\n            continue\nwork()\nresult: int = 1"
        self.bad(code_node(code, timeout=0.3), "timed out after 0.3 seconds")

    def test_except_exception_does_not_stop_it(self):
        code = "import time\nfor i in range(100):\n    try:\n        time.sleep(10)\n    except Exception:\n        pass\nresult: int = 1"
        report = self.bad(code_node(code, timeout=0.3), "timed out")
        self.assertEqual(report["failure"]["line"], 4)

    def test_a_repr_without_end_costs_only_itself(self):
        code = "class Slow:\n    def __repr__(self):\n        while True: pass\nresult: object = Slow()"
        self.assertEqual(self.good(code_node(code))["result"], {"$type": "Slow", "repr": "(no repr: it took too long)"})

    def test_bad_timeouts(self):
        for given, words in [(0, "got 0"), (-1.5, "got -1.5"), ("soon", "got soon"), (True, "got True"), (None, "got None"), ([1], "got [1]"),
                             (float("nan"), "got nan"), (float("inf"), "got inf"), (-float("inf"), "got -inf")]:
            with self.subTest(timeout=given):
                code, report, _ = self.run_it(code_node("result: int = 1", timeout=given))
                self.assertEqual((code, report["action"]), (1, "error"))
                self.assertIn(f"Timeout must be positive number, {words}", report["shared"]["error"])


    def test_writing_down_a_large_result_is_not_on_the_nodes_time(self):
        code = "import time\nend = time.monotonic() + 0.9\nrows = [{'n': i, 's': 'x' * 20} for i in range(400000)]\nwhile time.monotonic() < end: pass\nresult: list = rows"
        self.assertEqual(len(self.good(code_node(code, timeout=2))["result"]), 400000)

    def test_a_wait_between_two_tries_can_be_interrupted(self):
        node = self.write("node.json", code_node("import os\nos._exit(1)\nresult: int = 1", max_retries=2, wait=600))
        started = subprocess.Popen([str(AIRLOCK), "run", str(node)], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            started.communicate(timeout=0.5)
        started.send_signal(signal.SIGINT)
        started.communicate(timeout=5)
        self.assertEqual(started.returncode, 130)


class Misbehaving(Runs):
    """Each: the supervisor alive, clear words, the right exit code."""

    def test_closing_stdout_loses_nothing_that_was_printed(self):
        self.assertEqual(self.good(code_node("import sys\nprint('a')\nsys.stdout.close()\nresult: int = 1"))["stdout"], "a\n")
        self.assertEqual(self.good(code_node("import os\nprint('a')\nos.close(1)\nos.close(2)\nresult: int = 1"))["stdout"], "a\n")

    def test_replacing_stdout_is_for_that_node_only(self):
        first = "import io, sys\nsys.stdout = io.StringIO()\nprint('gone')\nresult: int = 1"
        shared = self.good(flow(("first", first, {}), ("second", "print('here')\nresult: int = 1", {})))
        self.assertEqual(shared["second"]["stdout"], "here\n")

    def test_os_exit(self):
        report = self.bad(code_node("import os\nprint('a', flush=True)\nos._exit(7)\nresult: int = 1"), "the process ended with exit code 7", MARK)
        self.assertEqual(report["shared"]["stdout"], "a\n")

    def test_system_exit_and_keyboard_interrupt(self):
        self.bad(code_node("import sys\nsys.exit(2)\nresult: int = 1"), "SystemExit(2)", "line 2")
        self.bad(code_node("raise KeyboardInterrupt\nresult: int = 1"), "KeyboardInterrupt was raised in the code")

    def test_threads_that_go_on(self):
        code = ("import threading, time\ndef go():\n    while True:\n        print('x')\n        time.sleep(0.001)\n"
                "for _ in range(3): threading.Thread(target=go).start()\nresult: int = 1")
        self.assertEqual(self.good(code_node(code))["result"], 1)

    def test_a_fork_is_not_a_second_answer(self):
        shared = self.good(code_node("import os\nchild = os.fork() == 0\nprint('child' if child else 'parent')\nif not child: os.wait()\nresult: bool = child"))
        self.assertEqual(sorted(shared["stdout"].split()), ["child", "parent"])
        self.assertIs(shared["result"], False)

    def test_recursion_limits(self):
        self.good(flow(("low", "import sys\nsys.setrecursionlimit(40)\nresult: int = 1", {}),
                       ("next", "def f(n): return n and f(n - 1)\nresult: int = f(500)", {})))
        self.bad(code_node("def f(n): return f(n + 1)\nresult: int = f(0)"), "maximum recursion depth exceeded", kind="RecursionError")
        self.bad(code_node("import sys\nsys.setrecursionlimit(10**8)\nx = []\nfor _ in range(10**6): x = [x]\nresult: int = hash(str(x))", timeout=20),
                 "Code execution failed")

    def test_deleting_the_result(self):
        self.bad(code_node("result: int = 1\ndel result"), "Code must set 'result' variable")

    def test_a_result_that_holds_itself(self):
        result = self.good(code_node("result: dict = {'a': 1}\nresult['me'] = result"))["result"]
        self.assertEqual(result["a"], 1)
        self.assertEqual(result["me"]["$type"], "dict")
        self.assertEqual(self.good(code_node("import sys\nresult: object = sys.modules[__name__]"))["result"]["$type"], "module")

    def test_a_crash_of_the_interpreter(self):
        report = self.bad(code_node("import ctypes\nprint('a')\nctypes.string_at(0)\nresult: int = 1"), "the interpreter crashed: signal 11")
        self.assertEqual(report["shared"]["stdout"], "a\n")

    def test_closing_and_writing_to_descriptors_that_are_not_its_own(self):
        self.bad(code_node("import os\nos.closerange(3, 1000)\nresult: int = 1"), "Code execution failed")
        self.bad(code_node("import os\nos.write(3, b'x' * 100)\nresult: int = 1"), "Code execution failed")

    def test_what_a_node_changes_for_the_process_is_put_back(self):
        first = ("import os, sys\nos.chdir('/')\nos.environ['AIRLOCK_TEST'] = '1'\nsys.path.insert(0, '/nowhere')\nsys.settrace(lambda *a: None)\n"
                 "left = 1\nresult: str = os.getcwd()")
        second = "import os, sys\nresult: list = [os.getcwd(), 'AIRLOCK_TEST' in os.environ, '/nowhere' in sys.path, 'left' in globals()]"
        shared = self.good(flow(("first", first, {}), ("second", second, {})))
        self.assertEqual(shared["first"]["result"], "/")
        self.assertEqual(shared["second"]["result"][1:], [False, False, False])
        self.assertNotEqual(shared["second"]["result"][0], "/")

    def test_reading_standard_input_says_that_it_is_empty(self):
        self.bad(code_node("result: str = input()"), "EOF when reading a line", "Standard input is empty in a node")

    def test_nothing_is_left_behind(self):
        mark = f"{os.getpid()}.{time.monotonic_ns()}"
        for last in ("result: int = 1", "import os\nos._exit(1)", "while True: pass"):
            self.run_it(code_node(f"import subprocess\nsubprocess.Popen(['sleep', '9{mark}'])\n{last}\nresult: int = 1", timeout=0.5))
            left = [one for one in pathlib.Path("/proc").glob("[0-9]*/cmdline") if mark.encode() in read_or_nothing(one)]
            self.assertEqual(left, [])


def read_or_nothing(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


class BadInput(Runs):
    def refused(self, document, *words, name="node.json", code=1):
        status, report, err = self.run_it(document, name=name)
        self.assertEqual((status, report["action"]), (code, "error"), report)
        for word in words:
            self.assertIn(word, report["shared"]["error"])

    def test_not_json(self):
        self.refused("{", "not JSON at line 1", code=2)
        self.refused("", "not JSON", code=2)
        self.refused("nodes: [", "not YAML at line 1", name="flow.yaml", code=2)
        self.refused("[" * 100000, "nested deeper than 200 levels", code=2)
        status, out, err = self.command(self.folder / "nowhere.json")
        self.assertEqual(status, 2)
        self.assertIn("nowhere.json", err)
        self.folder.joinpath("latin.json").write_bytes(b'{"type": "\xff"}')
        self.assertEqual(self.command(self.folder / "latin.json")[0], 2)

    def test_wrong_shapes(self):
        for document, words in [([], "this is a list"), ({}, 'A node has "type"'), ({"type": 5}, 'A node has "type"'), ({"nodes": []}, '"nodes" must be a list of 1'),
                                ({"nodes": [5]}, "node 1 must be an object"), ({"nodes": [{"type": "code"}]}, "node 1 has no id"),
                                ({"type": "code", "params": []}, '"params" must be an object'), (code_node(5), "Code parameter cannot be empty"),
                                (code_node("result: int = 1", inputs=[]), "Inputs must be an object"),
                                (code_node("result: int = 1", inputs={"a b": 1}), "it is not a Python name"),
                                (code_node("result: int = 1", sandbox="yes"), '"sandbox" must be true or false'),
                                (code_node("result: int = 1", max_retries=-1), '"max_retries" must be a whole number'),
                                (code_node("result: int = 1", wait="long"), '"wait" must be a number of seconds'),
                                (code_node("result: int = 1", inputs={"x": float("nan")}), "NaN or infinity")]:
            with self.subTest(document=document):
                self.refused(document, words)

    def test_unknown_types_keys_and_parameters(self):
        self.refused({"type": "cod"}, "Unknown node type 'cod'. Did you mean 'code'? Known: code, extractor, probe")
        self.refused(code_node("result: int = 1", timout=5), "'timout'. Did you mean 'timeout'?")
        self.refused({"nodes": [{"id": "a", "typ": "code", "type": "code"}]}, "Unknown key of a node 'typ'. Did you mean 'type'?")
        self.refused({"nodes": [{"id": "a", "type": "code"}], "edgs": []}, "Unknown key of a flow 'edgs'. Did you mean 'edges'?")

    def test_ids_and_edges(self):
        one = ("a", "result: int = 1", {})
        self.refused(flow(one, one), "Two nodes have the id 'a'")
        self.refused(flow(one, ("bee", "result: int = 1", {}), edges=[("a", "be")]), "there is no node 'be'. Did you mean 'bee'?")
        self.refused(flow(one, edges=[("a", 5)]), "must be the id of a node")
        self.refused({"nodes": [{"id": "a b", "type": "code"}]}, "A node's id")
        self.refused(flow(one, start="z"), "there is no node 'z'")

    def test_code_of_10_mb(self):
        self.bad(code_node("#" + "x" * 10_000_000 + "\nresult: int = 1"), "the limit is 1048576", phase="prep")

    def test_inputs_of_100_mb(self):
        shared = self.good(code_node("x: str\nresult: int = len(x)", inputs={"x": "y" * 100_000_000}))
        self.assertEqual(shared["result"], 100_000_000)

    def test_a_result_of_100_mb_is_shown_by_its_beginning(self):
        shared = self.good(flow(("big", "result: str = 'x' * 100_000_000", {}), ("use", "s: str\nresult: int = len(s)", {"inputs": {"s": "${big.result}"}})))
        self.assertEqual(shared["big"]["result"]["$type"], "str")
        self.assertEqual(shared["use"]["result"], 100_000_000)

    def test_aliases_that_explode(self):
        bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(8))
        self.refused(bomb, "its aliases make more than", name="flow.yaml", code=2)

    def test_usage(self):
        self.assertEqual(self.command()[0], 2)
        status, out, err = self.command("--help")
        self.assertEqual(status, 0)
        self.assertIn("Example:", out)
        node = self.write("node.json", code_node("result: int = 1"))
        self.assertIn("Did you mean --shared?", self.command(node, "--sharde", "x")[2])
        self.assertEqual(self.command(node, "--shared", self.write("list.json", [1]))[0], 2)
        self.assertEqual(self.command(node, "--resume", "x")[0], 2)


class Flows(Runs):
    STEP = "result: int = 1"

    def trace(self, document, action="default", code=0, **rest):
        status, report, err = self.run_it(document, **rest)
        self.assertEqual((status, report["action"]), (code, action), (report, err))
        return [step["id"] for step in report["trace"]]

    def test_objects_pass_as_they_are(self):
        make = "class Thing: pass\nthing = Thing()\nresult: object = thing\nprint(id(thing))"
        use = "thing: object\nthing.seen = True\nprint(id(thing))\nresult: str = type(thing).__name__"
        shared = self.good(flow(("make", make, {}), ("use", use, {"inputs": {"thing": "${make.result}"}})))
        self.assertEqual(shared["use"]["result"], "Thing")
        self.assertEqual(shared["make"]["stdout"], shared["use"]["stdout"])
        self.assertEqual(shared["make"]["result"]["$type"], "Thing")

    def test_pandas_passes_without_a_copy(self):
        document = json.loads((ROOT / "examples/flows/pandas_pass_through.json").read_text(encoding="utf-8"))
        code, report, _ = self.run_it(document)
        if "Module 'pandas' not found" in report["shared"]["frame"].get("error", ""):
            self.skipTest("pandas is not installed")
        self.assertEqual(code, 0)
        shared = report["shared"]
        self.assertEqual(shared["frame"]["stdout"], shared["same"]["stdout"])
        self.assertEqual(shared["same"]["result"], {"rows": 3, "mean": 2.0})

    def test_edges_choose_by_action(self):
        fails = flow(("a", "result: int = 1 / 0", {}), ("b", self.STEP, {}), ("c", "e: str\nresult: str = e[:6]", {"inputs": {"e": "${a.error}"}}),
                     edges=[("a", "b", "default"), ("a", "c", "error")])
        self.assertEqual(self.trace(fails), ["a", "c"])

    def test_an_error_without_an_edge_ends_the_flow(self):
        self.assertEqual(self.trace(flow(("a", "result: int = 1 / 0", {}), ("b", self.STEP, {})), "error", 1), ["a"])

    def test_code_can_choose_an_edge(self):
        document = flow(("a", "n: int\naction: str = 'many' if n > 3 else 'default'\nresult: int = n", {"inputs": {"n": "${n}"}}),
                        ("few", self.STEP, {}), ("many", self.STEP, {}), edges=[("a", "few"), ("a", "many", "many")])
        self.assertEqual(self.trace(document, shared={"n": 9}), ["a", "many"])
        self.assertEqual(self.trace(document, shared={"n": 1}), ["a", "few"])

    def test_an_action_that_is_no_text_is_an_error(self):
        for action in ("5", "''", "'a\\0'", "'\\ud800'"):
            document = flow(("a", f"action: str = {action}\nresult: int = 1", {}), ("b", self.STEP, {}), edges=[("a", "b", "other")])
            status, report, _ = self.run_it(document)
            self.assertEqual(status, 1)
            self.assertIn("Action must be text", report["shared"]["a"]["error"])

    def test_odd_characters_travel(self):
        make = "class T:\n    def __repr__(self): return 'a\\0\\ud800'\nresult: dict = {'\\ud800': 1, 't': T(), 'n': 'x\\0y'}"
        use = {"inputs": {"x": "${make.result.nope}"}}
        for extra in ({}, {"sandbox": True}):
            status, report, _ = self.run_it(flow(("make", make, {}), ("use", "x: int\nresult: int = 1", {**use, **extra})))
            self.assertEqual(report["shared"]["make"]["result"]["n"], "x\0y")
            self.assertIn("could not be resolved", report["shared"]["use"]["error"])
        self.bad(code_node("raise ValueError('\\ud800\\0')\nresult: int = 1"), "Code execution failed")

    def test_a_variable_called_action_means_nothing_without_such_an_edge(self):
        self.assertEqual(self.trace(flow(("a", "action: str = 'buy'\nresult: int = 1", {}), ("b", self.STEP, {}))), ["a", "b"])

    def test_a_loop_ends_when_a_node_says_so(self):
        count = "n: int\nresult: int = n + 1\naction: str = 'again' if result < 4 else 'default'"
        document = flow(("count", count, {"inputs": {"n": "${count.result}"}}), ("done", self.STEP, {}),
                        edges=[("count", "count", "again"), ("count", "done")])
        self.assertEqual(self.trace(document, shared={"count": {"result": 0}}), ["count"] * 4 + ["done"])

    def test_an_endless_loop_is_stopped(self):
        document = flow(("a", self.STEP, {}), ("b", self.STEP, {}), edges=[("a", "b"), ("b", "a")], max_steps=7)
        status, report, _ = self.run_it(document)
        self.assertEqual((status, report["action"], len(report["trace"])), (1, "error", 7))
        self.assertIn("stopped after 7 steps", report["error"])

    def test_branches_run_in_order_and_meet_once(self):
        document = flow(*((name, self.STEP, {}) for name in ("a", "b", "b2", "b3", "c")), ("d", "x: int\ny: int\nresult: int = x + y",
                        {"inputs": {"x": "${b3.result}", "y": "${c.result}"}}),
                        edges=[("a", "b"), ("a", "c"), ("b", "b2"), ("b2", "b3"), ("b3", "d"), ("c", "d")])
        self.assertEqual(self.trace(document), ["a", "b", "b2", "b3", "c", "d"])

    def test_a_start_node_and_a_warning_for_those_that_never_run(self):
        status, report, err = self.run_it(flow(("a", self.STEP, {}), ("b", self.STEP, {}), edges=[], start="b"))
        self.assertEqual([step["id"] for step in report["trace"]], ["b"])
        self.assertIn("node 'a': No edge leads here", err)

    def test_yaml(self):
        text = "nodes:\n  - id: a\n    type: code\n    params:\n      code: |\n        print('yes')\n        result: int = 0x10\n  - {id: b, type: code, params: {inputs: {n: '${a.result}', t: yes}, code: \"n: int\\nt: str\\nresult: str = t * n\"}}\n"
        self.assertEqual(self.good(text, name="flow.yaml")["b"]["result"], "yes" * 16)

    def test_templates_are_checked_before_anything_runs(self):
        ran = self.folder / "ran"
        touch = f"open({str(ran)!r}, 'w').close()\nresult: int = 1"
        def use(template):
            return {"inputs": {"x": template}}
        for other, words in [(("b", "x: int\nresult: int = x", use("${c.result}")), "names 'c', which is neither a node nor in the shared store"),
                             (("b", "x: int\nresult: int = x", use("${a.resul}")), "Did you mean 'result'?"),
                             (("b", "x: int\nresult: int = x", use("${b.result}")), "The templates form a cycle: 'b' uses 'b'")]:
            with self.subTest(words=words):
                status, report, _ = self.run_it(flow(("a", touch, {}), other))
                self.assertEqual((status, report["action"], report["trace"]), (1, "error", []))
                self.assertIn(words, report["shared"]["error"])
        circle = flow(("a", touch, use("${b.result}")), ("b", self.STEP, use("${a.result}")), edges=[("a", "b"), ("b", "a")])
        self.assertIn("cycle: 'a' uses 'b' uses 'a'", self.run_it(circle)[1]["shared"]["error"])
        late = flow(("a", touch, use("${b.result}")), ("b", self.STEP, {}))
        self.assertIn("no edge leads from 'b' to 'a'", self.run_it(late)[1]["shared"]["error"])
        self.assertFalse(ran.exists())

    def test_after_a_kill_the_store_is_as_it_was_before_the_node(self):
        make = "class Thing: pass\nt = Thing()\nt.xs = [1, 2]\nresult: object = t"
        use = {"inputs": {"t": "${make.result}"}}
        for end in (NOT_INTERRUPTIBLE, "__import__('os')._exit(3)", "__import__('ctypes').string_at(0)"):
            with self.subTest(end=end):
                bad = f"t: object\nt.xs.append(99)\nprint('partial', flush=True)\n{end}\nresult: int = 1"
                after = "t: object\ne: str\no: str\nresult: list = [t.xs, type(t).__name__, e[:6], o]"
                document = flow(("make", make, {}), ("bad", bad, {**use, "timeout": 0.3}),
                                ("after", after, {"inputs": {**use["inputs"], "e": "${bad.error}", "o": "${bad.stdout}"}}),
                                edges=[("make", "bad"), ("bad", "after", "error")])
                shared = self.good(document)
                self.assertEqual(shared["after"]["result"], [[1, 2], "Thing", "Error:", "partial\n"])

    def test_retries(self):
        count = self.folder / "count"
        code = f"import pathlib\np = pathlib.Path({str(count)!r})\nn = len(p.read_text()) if p.exists() else 0\np.write_text('x' * (n + 1))\n"
        flaky = code + "if n < 2: raise OSError('busy')\nresult: int = n"
        self.assertEqual(self.good(code_node(flaky, max_retries=3, wait=0.01))["result"], 2)
        count.unlink()
        self.bad(code_node(flaky, max_retries=2), "busy")
        count.unlink()
        dies = code + "import os\nif n < 2: os._exit(1)\nresult: int = n"
        self.assertEqual(self.good(code_node(dies, max_retries=3))["result"], 2)

    def test_environment_folder_and_packages_are_the_users(self):
        self.environment["AIRLOCK_TEST_WORD"] = "hello"
        (self.folder / "beside_me.py").write_text("WORD = 'beside'\n", encoding="utf-8")
        code = "import beside_me, os, sys\nresult: list = [os.environ['AIRLOCK_TEST_WORD'], beside_me.WORD, any(p.endswith('dist-packages') for p in sys.path)]"
        node = self.write("node.json", code_node(code))
        status, out, err = self.command(node, "--format", "json", cwd=self.folder)
        self.assertEqual(json.loads(out)["shared"]["result"], ["hello", "beside", True])

    def test_what_is_no_json_is_shown_and_stays_native(self):
        code = ("import datetime\nresult: dict = {'when': datetime.date(2024, 1, 2), 'set': {1}, 't': (1, 2), 1: 'int key', 'nan': float('nan'), 'b': b'x',"
                " 'big': 10**30}")
        use = "d: dict\nresult: list = [type(d['when']).__name__, type(d['t']).__name__, d[1]]"
        shared = self.good(flow(("make", code, {}), ("use", use, {"inputs": {"d": "${make.result}"}})))
        self.assertEqual(shared["make"]["result"], {"when": {"$type": "datetime.date", "repr": "datetime.date(2024, 1, 2)"},
                                                    "set": {"$type": "set", "repr": "{1}"}, "t": [1, 2], "1": "int key",
                                                    "nan": {"$type": "float", "repr": "nan"}, "b": {"$type": "bytes", "repr": "b'x'"}, "big": 10**30})
        self.assertEqual(shared["use"]["result"], ["date", "tuple", "int key"])

    def test_names_like_secrets_are_values_like_others(self):
        self.assertEqual(self.good(code_node("result: dict = {'token': 'abc', 'password': 'x'}"))["result"], {"token": "abc", "password": "x"})


class Recorded(Runs):
    def recorded(self, document, *arguments, code=0):
        status, report, err = self.run_it(document, *arguments, name="flow.json")
        self.assertEqual(status, code, (report, err))
        return report, err

    def test_a_flow_is_recorded(self):
        report, _ = self.recorded(flow(("a", "result: int = 1", {}), ("b", "result: int = 1 / 0", {})), code=1)
        done = subprocess.run([str(AIRLOCK), "runs", report["run"]], capture_output=True, env=self.environment, timeout=SECONDS)
        text = done.stdout.decode()
        self.assertIn("flow.json", text)
        self.assertIn("1 ran, 1 failed", text)
        self.assertIn("division by zero", text)

    def test_resume_goes_on_after_the_last_good_node(self):
        count = self.folder / "count"
        first = f"import pathlib\np = pathlib.Path({str(count)!r})\np.write_text((p.read_text() if p.exists() else '') + 'x')\nresult: dict = {{'n': 1.5, 's': 'a\\n\"b\"'}}"
        broken = flow(("first", first, {}), ("second", "d: dict\nresult: float = d['m']", {"inputs": {"d": "${first.result}"}}))
        report, _ = self.recorded(broken, code=1)
        mended = flow(("first", first, {}), ("second", "d: dict\nresult: float = d['n']", {"inputs": {"d": "${first.result}"}}))
        again, err = self.recorded(mended, "--resume", report["run"][:12])
        self.assertIn("going on after 1 kept steps", err)
        self.assertEqual(count.read_text(), "x")
        self.assertEqual(again["shared"]["second"]["result"], 1.5)
        self.assertEqual(again["shared"]["first"]["result"], {"n": 1.5, "s": 'a\n"b"'})
        self.assertTrue(again["trace"][0]["kept"])

    def test_what_is_no_json_runs_again_and_says_so(self):
        for result, words in [("{1, 2}", "its result is not JSON alone"), ("'/home/someone/x.csv'", "a path of this host"),
                              ("{'github_token': 'x'}", "its result was not kept")]:
            with self.subTest(result=result):
                document = flow(("first", f"result: object = {result}", {}), ("second", "result: int = 1 / 0", {}))
                report, _ = self.recorded(document, code=1)
                again, err = self.recorded(document, "--resume", report["run"], code=1)
                self.assertIn("node 'first' runs again", err)
                self.assertIn(words, err)

    def test_a_changed_node_runs_again(self):
        report, _ = self.recorded(flow(("a", "result: int = 1", {}), ("b", "result: int = 2", {})))
        again, err = self.recorded(flow(("a", "result: int = 5", {}), ("b", "result: int = 2", {})), "--resume", report["run"])
        self.assertIn("node 'a' runs again: it has been changed", err)
        self.assertEqual(again["shared"]["a"]["result"], 5)

    def test_unknown_runs_and_other_stores(self):
        document = flow(("a", "result: int = 1", {}))
        report, _ = self.recorded(document)
        status, _, err = self.run_it(document, "--resume", "zzz", name="flow.json")
        self.assertEqual(status, 2)
        self.assertIn("there is no run 'zzz'", err)
        status, _, err = self.run_it(document, "--resume", report["run"], shared={"other": 1}, name="flow.json")
        self.assertEqual(status, 2)
        self.assertIn("began with another shared store", err)

    def test_a_store_that_cannot_be_written_does_not_stop_a_flow(self):
        (self.folder / "home").write_text("in the way", encoding="utf-8")
        _, err = self.recorded(flow(("a", "result: int = 1", {})))
        self.assertIn("this run is not recorded", err)


class Sandboxed(Runs):
    def node(self, code, **params):
        return {**code_node(code, **params), "sandbox": True}

    def test_the_same_contract(self):
        shared = self.good(self.node("xs: list\nprint('hello')\nimport json, statistics\nresult: float = statistics.mean(xs)", inputs={"xs": [1, 2]}))
        self.assertEqual((shared["result"], shared["stdout"]), (1.5, "hello\n"))
        self.bad(self.node("result: int = 'x'"), "Result declared as int but code returned str")
        self.bad(self.node("xs: list\nresult: int = 1", inputs={"xs": {}}), "Input 'xs' expects list but received dict")
        self.bad(self.node("result: int = nope"), "Undefined variable 'nope'", "line 1")
        self.bad(self.node("result: int = 1", timeout=-5), "Timeout must be positive number, got -5")
        self.bad(self.node("x ="), "line 1")

    def test_no_files_no_network_no_processes(self):
        for code in ("open('/etc/passwd').read()", "open('/tmp/x', 'w')", "import socket; socket.create_connection(('127.0.0.1', 1))",
                     "import subprocess; subprocess.run(['true'])", "import os; os.fork()"):
            with self.subTest(code=code):
                self.bad(self.node(f"{code}\nresult: int = 1"), "Code execution failed")
        self.assertEqual(self.good(self.node("import os\nresult: dict = dict(os.environ)"))["result"], {})

    def test_timeouts_and_crashes(self):
        report = self.bad(self.node(f"print('a')\nx = {NOT_INTERRUPTIBLE}\nresult: int = 1", timeout=0.3), "timed out after 0.3 seconds")
        self.assertEqual(report["shared"]["stdout"], "a\n")
        self.bad(self.node("import ctypes\nctypes.string_at(0)\nresult: int = 1"), "Code execution failed")
        self.bad(self.node("x = 'x' * 10**10\nresult: int = 1"), "Code execution failed")

    def test_json_in_json_out(self):
        self.bad(self.node("result: set = {1}"), "Result cannot leave the sandbox")
        document = flow(("make", "class T: pass\nresult: object = T()", {}), ("use", "t: object\nresult: int = 1", {"inputs": {"t": "${make.result}"}, "sandbox": True}))
        status, report, _ = self.run_it(document)
        self.assertEqual(status, 1)
        self.assertIn("a sandboxed node takes JSON", report["shared"]["use"]["error"])

    def test_between_nodes_of_a_flow(self):
        document = flow(("a", "result: list = [1, 2]", {}), ("b", "xs: list\nresult: int = sum(xs)", {"inputs": {"xs": "${a.result}"}, "sandbox": True}),
                        ("c", "n: int\nresult: int = n * 2", {"inputs": {"n": "${b.result}"}}))
        self.assertEqual(self.good(document)["c"]["result"], 6)

    def test_what_comes_in_is_not_read_as_a_template_again(self):
        document = flow(("a", "result: str = '$' + '{a.result}'", {}), ("b", "s: str\nresult: str = s", {"inputs": {"s": "${a.result}"}, "sandbox": True}))
        self.assertEqual(self.good(document)["b"]["result"], "${a.result}")


class OtherTypes(Runs):
    def test_an_extractor_makes_rows_of_paths(self):
        document = flow(("list", "result: list = ['/a/2024/x.csv', '/b/y']", {}), ("n", "rows: list\nresult: int = sum(r['ok'] for r in rows)", {"inputs": {"rows": "${rows.result}"}}))
        document["nodes"].insert(1, {"id": "rows", "type": "extractor", "params": {
            "paths": "${list.result}", "code": "def extract(path: str) -> dict:\n    return {'year': int(path.split('/')[2])}\n"}})
        shared = self.good(document)
        self.assertEqual(shared["rows"]["result"][0], {"path": "/a/2024/x.csv", "ok": True, "data": {"year": 2024}})
        self.assertEqual(shared["rows"]["result"][1]["error"]["type"], "ValueError")
        self.assertEqual(shared["n"]["result"], 1)

    def test_an_extractor_that_is_refused_is_not_run(self):
        document = {"type": "extractor", "params": {"paths": ["/a"], "code": "import os\ndef extract(path: str) -> dict:\n    return {}\n"}}
        self.bad(document, "The extractor is refused; nothing of it was run", "'os'")
        self.bad({"type": "extractor", "params": {"paths": 5, "code": "def extract(path: str) -> dict:\n    return {}\n"}}, '"paths" must be a list')
        self.bad({"type": "extractor", "params": {"paths": []}}, 'either "extractor" (a file) or "code"')


    PROBE = ("from airlock.probe import Probe, ProbeOutput\nclass P(Probe):\n    name = 'names'\n"
             "    def run(self, repo, ctx):\n        return ProbeOutput({'files': sorted(p.name for p in repo.root.iterdir())})\n")

    def test_probes_report_on_a_repository(self):
        repository = self.folder / "repository"
        repository.mkdir()
        (repository / "a.py").write_text("x = 1\n")
        (self.folder / "names.py").write_text(self.PROBE)
        document = flow(("where", f"result: str = {str(repository)!r}", {}),
                        ("count", "files: list\nresult: int = len(files)", {"inputs": {"files": "${facts.result.outputs.names.schema_slice.files}"}}))
        document["nodes"].insert(1, {"id": "facts", "type": "probe", "params": {
            "repository": "${where.result}", "probes": [str(self.folder / "names.py")]}})
        shared = self.good(document)
        self.assertEqual(shared["facts"]["result"]["executions"]["names"]["status"], "ran")
        self.assertEqual(shared["facts"]["result"]["outputs"]["language_detection"]["schema_slice"]["main_language"], "Python")
        self.assertEqual(shared["count"]["result"], 1)

    def test_probes_that_fail_are_an_error_with_the_report(self):
        (self.folder / "bad.py").write_text(self.PROBE.replace("'files'", "'password'"))
        document = {"type": "probe", "params": {"repository": str(self.folder), "probes": [str(self.folder / "bad.py")]}}
        self.bad(document, "No probe has an output", "SecretLikelyFieldNameError: password at")
        self.bad({"type": "probe", "params": {}}, '"repository"')
        self.bad({"type": "probe", "params": {"repository": str(self.folder / "none")}}, "none")
        self.bad({"type": "probe", "params": {"repository": ".", "probes": [str(self.folder / "none.py")]}}, "none.py")
        self.bad({"type": "probe", "params": {"repository": ".", "timeout": 0}}, '"timeout"')


class Checked(Runs):
    def test_nothing_is_run(self):
        ran = self.folder / "ran"
        status, report, _ = self.run_it(code_node(f"open({str(ran)!r}, 'w')\nresult: int = 1"), "--check")
        self.assertEqual((status, report["action"], report["problems"]), (0, "default", []))
        self.assertFalse(ran.exists())

    def test_everything_that_can_be_said_is_said(self):
        document = flow(("a", "result: dict = {}", {}), ("b", "x: list\nk: str\nresult: int = 1", {"inputs": {"x": "${a.result}", "k": 5}}), ("c", "x =", {}),
                        ("d", "result: int = 1", {"inputs": {"n": 1}}), ("e", "s: int\nresult: int = 1", {"inputs": {"s": "${a.stdout}"}, "sandbox": True}))
        status, report, _ = self.run_it(document, "--check")
        self.assertEqual(status, 1)
        said = {(one["node"], one["line"]): one["message"] for one in report["problems"]}
        self.assertIn("Syntax error at line 1", said[("c", 1)])
        messages = "\n".join(one["message"] for one in report["problems"])
        for words in ("Input 'x' expects list but 'a' gives dict", "Input 'k' expects str but received int", "Input 'n' missing type annotation",
                      "Input 's' expects int but 'a' gives str"):
            self.assertIn(words, messages)

    def test_in_words(self):
        status, out, _ = self.command(self.write("node.json", code_node("result: int = 1")), "--check")
        self.assertEqual((status, out), (0, "no problem found in 1 node\n"))


class Screens(Runs):
    def test_text(self):
        status, out, _ = self.command(self.write("node.json", code_node("print('hi \\x1b[31m')\nresult: list = [1, 2]")))
        self.assertEqual(status, 0)
        self.assertRegex(out, r"^✓ default  [\d.]+ ms\n  result \[1,2\]\n  stdout\n    hi \\x1b\[31m\n$")

    def test_watch_tells_each_node(self):
        status, out, err = self.command(self.write("flow.json", flow(("a", "result: int = 1", {}), ("b", "result: int = 1 / 0", {}))), "--watch")
        self.assertRegex(err, r"✓ a  default  [\d.]+ ms\n✗ b  error  [\d.]+ ms\n")
        self.assertNotIn("\x1b", err)

    def test_standard_input(self):
        status, out, _ = self.command("-", "--format", "json", stdin=json.dumps(code_node("result: int = 1")).encode())
        self.assertEqual(json.loads(out)["shared"]["result"], 1)

    def test_an_interrupt_ends_everything(self):
        for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
            ready = self.folder / f"ready{code}"
            node = self.write("node.json", code_node(f"import subprocess, time\nchild = subprocess.Popen(['sleep', '100'])\nopen({str(ready)!r}, 'w').write(str(child.pid))\n"
                                                     "while True:\n    try:\n        time.sleep(100)\n    except BaseException:\n        pass\nresult: int = 1"))
            started = subprocess.Popen([str(AIRLOCK), "run", str(node)], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            end = time.monotonic() + SECONDS
            while not (ready.exists() and ready.read_text()) and time.monotonic() < end:
                time.sleep(0.01)
            started.send_signal(number)
            started.communicate(timeout=SECONDS)
            self.assertEqual(started.returncode, code)
            self.assertTrue(gone(int(ready.read_text())))

    def test_a_killed_supervisor_takes_the_host_along(self):
        ready = self.folder / "ready"
        node = self.write("node.json", code_node(f"import os, time\nopen({str(ready)!r}, 'w').write(str(os.getpid()))\nwhile True:\n    try:\n        time.sleep(1)\n"
                                                 "    except BaseException:\n        pass\nresult: int = 1"))
        started = subprocess.Popen([str(AIRLOCK), "run", str(node)], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + SECONDS
        while not (ready.exists() and ready.read_text()) and time.monotonic() < end:
            time.sleep(0.01)
        started.kill()
        started.wait()
        self.assertTrue(gone(int(ready.read_text())))


def gone(process):
    """Within good time."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        try:
            if pathlib.Path(f"/proc/{process}/stat").read_text().split(") ")[1][0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
