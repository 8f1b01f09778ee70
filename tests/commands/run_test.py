#!/usr/bin/env python3
"""`airlock run`: code nodes and flows, as whole commands.

    tests/commands/run_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The first class has one test for each of the 25 criteria that the code node must meet, by number. The last line is `N passed, N failed`.
"""
import os
import pathlib
import signal
import sys
import time


sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, processes
from support.nodes import MARK, NOT_INTERRUPTIBLE, code_node, flow, MinimalHost, Runs
from airlock_node import node as contract
from airlock_node import reading

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
            contract.post(ready, contract.execute(ready, MinimalHost()))

    def test_11_missing_result(self):
        self.bad(code_node("result: int"), "Code must set 'result' variable. Add: result = <your_value>", kind="ValueError", phase="exec")
        with self.assertRaises(ValueError):
            contract.execute(contract.prep({}, {"code": "result: int"}), MinimalHost())

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

    def test_strict_types_go_as_far_as_names_are_known(self):
        for declared, value, words in (("list[Missing] | int", "x", "x: expected list[Any] | int, got str"),
                                       ("dict[str, np.ndarray]", {"a": 1}, None), ("Missing[int]", 1, None), ("list['Missing']", [1], None)):
            with self.subTest(declared):
                document = {**code_node(f"x: {declared}\nresult: int = 1", inputs={"x": value}), "strict_types": True}
                if words:
                    self.bad(document, words, phase="prep")
                else:
                    self.good(document)

    def test_strict_types_that_hold_themselves(self):
        alias = "from typing import Union\nTree = Union[int, list['Tree']]\n"
        self.bad({**code_node(alias + "result: Tree = [1, [2, ['a']]]"), "strict_types": True}, "result[1][1][0]: expected")
        deep = alias + "x = 'a'\nfor _ in range(30): x = [x]\nresult: Tree = x"
        self.bad({**code_node(deep), "strict_types": True}, "got str")
        self.bad({**code_node("result: tuple[()] = (1,)"), "strict_types": True}, "tuple of 0")
        self.bad({**code_node("from collections import Counter\nresult: Counter[str] = Counter([1])"), "strict_types": True}, "result key 1: expected str")

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

    def test_odd_forms(self):
        shared = {"a": {"b": [1], "t": "text"}}
        for text, words in (("${.a}", "is not a path"), ("${a..b}", "is not a path"), ("${a.b[1]}", "no 1 in 'a.b'; it is a list of 1"), ("${a.b.__len__}", "no '__len__'"),
                            ("${a.t.x}", "its type is str"), ("${" + "a" * 100_000 + "}", "could not be resolved")):
            with self.subTest(text[:20]):
                error = self.bad(code_node("x: object\nresult: int = 1", inputs={"x": text}), words, shared=shared)["shared"]["error"]
                self.assertLess(len(error), 1000)

    def test_code_that_runs_when_it_is_looked_up(self):
        first = "class A:\n    @property\n    def x(self): raise OSError('no')\nresult: A = A()"
        status, report, err = self.run_it(flow(("a", first, {}), ("b", "x: object\nresult: int = 1", {"inputs": {"x": "${a.result.x}"}})))
        self.assertEqual(status, 1, err)
        self.assertIn("reading 'x' of 'a.result' raised OSError", report["shared"]["b"]["error"])

    def test_integers_of_any_size_keep_their_digits(self):
        big = 123456789012345678901234567890
        document = code_node("x: list\nresult: list = [one + 1 for one in x]", inputs={"x": [big, -big, 2**64 - 1, -2**63, 10**400]})
        self.assertEqual(self.good(document)["result"], [big + 1, 1 - big, 2**64, 1 - 2**63, 10**400 + 1])
        self.assertEqual(self.good(code_node("x: int\nresult: int = x", inputs={"x": "${n}"}), shared={"n": big})["result"], big)
        self.assertEqual(self.good(f"type: code\nparams:\n  inputs: {{x: -{big}}}\n  code: |\n    x: int\n    result: int = x\n", name="n.yaml")["result"], -big)

    def test_a_template_in_a_template_is_refused_and_says_what_to_do(self):
        shared = {"a": [1, 2], "i": 1}
        for text in ("${a[${i}]}", "x ${a[${i}]} y", "${a[${b[${i}]}]}"):
            with self.subTest(text):
                node = code_node("x: object\nresult: int = 1", inputs={"x": text})
                self.bad(node, "holds another template", "both as inputs", shared=shared)
                status, report, err = self.run_it({"nodes": [{"id": "one", **node}]}, shared=shared)
                self.assertEqual((status, report["trace"]), (1, []), err)
                self.assertIn("holds another template", report["shared"]["error"])
        for text, value in (("${ and ${i}", "${ and 1"), ("$${a[${i}]}", "${a[1]}"), ("${i}{${i}}", "1{1}")):
            with self.subTest(text):
                self.assertEqual(self.good(code_node("x: str\nresult: str = x", inputs={"x": text}), shared=shared)["result"], value)

    def test_nothing_lies_below_a_text_or_a_number(self):
        shared = {"s": "abc", "n": 5, "none": None}
        for path, words in (("s[0]", "there is no 0 in 's'; its type is str"), ("s.upper", "its type is str"), ("n.real", "its type is int"), ("none[0]", "its type is NoneType")):
            with self.subTest(path):
                self.bad(code_node("x: object\nresult: int = 1", inputs={"x": f"${{{path}}}"}), words, shared=shared)

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

    def test_the_line_is_the_one_that_python_counts(self):
        for before in ("x = 1\n\x0c\n", "x = 'a\u2028b\x0bc\x1cd\x85e'\n\n", "x = 1\r\n\r\n", "x = 1\r\r"):
            with self.subTest(before):
                self.bad(code_node(before + "y = 1/0\nresult: int = 1"), "line 3, in <module>\n    y = 1/0\n        ^^^")
        self.bad(code_node("x = (1 +\n     1/0)\nresult: int = x"), "line 2, in <module>\n    1/0)\n    ^^^")
        self.bad(code_node("x = '日本' + 1; y = 2\nresult: int = 1"), "x = '日本' + 1; y = 2\n        ^^^^^^^^^^\n")
        self.bad(code_node("if 1:\n\tx = 1 +\nresult: int = 1"), "line 2, column 9\n     x = 1 +\n            ^")

    def test_a_byte_order_mark_is_no_syntax_error(self):
        self.assertEqual(self.good(code_node("\ufeffresult: int = 1"))["result"], 1)
        self.good(code_node("\ufeffresult: int = 1"), "--check")

    def test_a_long_line_is_shown_where_it_failed(self):
        error = self.bad(code_node("x = [" + "1, " * 5000 + "1/0, " + "2, " * 5000 + "]\nresult: int = 1"), "1/0")["shared"]["error"]
        self.assertLess(len(error), 2000)
        self.assertLess(len(self.bad(code_node("x=" + "(" * 3000 + "\nresult: int = 1"), "too many nested")["shared"]["error"]), 2000)
        self.bad(code_node("x=" + "-" * 100_000 + "1\nresult: int = 1"), "nested too deeply")

    def test_did_you_mean(self):
        for code, words in (("def f():\n    valeu = 3\n    return value\nresult: int = f()", "Did you mean 'valeu'?"),
                            ("result: str = 'x'.uper()", "Did you mean 'upper'?"), ("import jsn\nresult: int = 1", "Did you mean 'json'?"),
                            ("from os import pathh\nresult: int = 1", "Did you mean 'path'?"),
                            ("n = 1\ndef f():\n    n += 1\nf()\nresult: int = n", "global n"),
                            ("import google.cloud.storage\nresult: int = 1", "pip install google-cloud-storage")):
            with self.subTest(code):
                self.bad(code_node(code), words)

    def test_a_traceback_that_the_code_prints_has_its_lines(self):
        shared = self.good(code_node("import traceback\ntry:\n    1 / 0\nexcept ZeroDivisionError: traceback.print_exc()\nresult: int = 1"))
        self.assertIn("\n    1 / 0\n", shared["stderr"])

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

    def test_threads_that_never_stop_printing_do_not_end_the_process(self):
        """print() borrows sys.stdout: with Python's own check of memory, one that was given back too early is noticed at once."""
        self.environment["PYTHONMALLOC"] = "debug"
        noisy = ("import io, sys, threading, time\nclass Own(io.StringIO):\n    def write(self, text):\n        time.sleep(0)\n        return super().write(text)\n"
                 "def go():\n    while True: print('NOISE')\nif {own}: sys.stdout = Own()\n"
                 "for _ in range(3): threading.Thread(target=go, daemon=True).start()\ntime.sleep(0.02)\nresult: int = 1")
        quiet = "import time\ntime.sleep(0.005)\nprint('mine')\nresult: int = 2"
        for own in (False, True):
            with self.subTest(own=own):
                shared = self.good(flow(("noisy", noisy.format(own=own), {}), *((f"quiet{i}", quiet, {}) for i in range(10))))
                self.assertEqual({entry["stdout"] for name, entry in shared.items() if name != "noisy"}, {"mine\n"})

    def test_a_stream_that_a_node_has_changed_is_not_the_next_ones(self):
        first = "import sys\nsys.stdout.write = lambda text: None\nprint('gone')\nresult: int = 1"
        shared = self.good(flow(("first", first, {}), ("second", "print('here')\nresult: int = 1", {})))
        self.assertEqual(shared["second"]["stdout"], "here\n")

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
        ready = self.folder / "ready"
        dies = f"import os\nopen({str(ready)!r}, 'w').write(str(os.getpid()))\nos._exit(1)\nresult: int = 1"
        started = self.start("run", self.write("node.json", code_node(dies, max_retries=2, wait=600)))
        host = self.wait_for(lambda: ready.exists() and ready.read_text())
        self.wait_for(lambda: processes.is_gone(host) and processes.is_still(started.pid), "the wait")
        started.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(started).returncode, 130)


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
        self.bad(code_node("import sys\nsys.setrecursionlimit(10**8)\nx = []\nfor _ in range(10**6): x = [x]\nresult: int = hash(str(x))", timeout=50),
                 "Code execution failed")

    def test_declarations_in_blocks_of_every_kind(self):
        for block in ("match 3:\n    case 3:\n        {}", "try:\n    raise ExceptionGroup('', [ValueError()])\nexcept* ValueError:\n    {}",
                      "if True:\n    match [1]:\n        case [one]:\n            {}"):
            for extra in ({}, {"sandbox": True}):
                with self.subTest(block, **extra):
                    self.assertEqual(self.good({**code_node(block.format("result: int = 7")), **extra})["result"], 7)

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
            # They were killed; the kernel takes a moment.
            self.wait_for(lambda: not any(mark.encode() in read_or_nothing(one) for one in pathlib.Path("/proc").glob("[0-9]*/cmdline")), "their end")


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
        self.refused('{"type": "code"}\0 {}', "a NUL byte at line 1, column 17", code=2)
        self.refused("type: code\n\0more: 1", "a control character (byte 0) at line 2", name="flow.yaml", code=2)
        self.refused("type: code\nparams: {code: 'result: int = 1'}\n\x04\nmore: 1", "a control character (byte 4) at line 3", name="flow.yaml", code=2)
        self.refused('{"type": "code", "params": {}, "type": "probe"}', "the key 'type' is there twice", code=2)
        self.refused('type: code\nparams: {code: "\\uD800"}', "invalid unicode", name="flow.yaml", code=2)
        self.refused("type: code\nparams: {code: x, timeout: 1e999}", "too large", name="flow.yaml", code=2)
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
                                (code_node("result: int = 1", inputs={"x": float("nan")}), "NaN or infinity"),
                                (code_node("result: int = 1", timeout=[float("nan")]), "NaN or infinity"), (code_node("result: int = 1", timeout={"a": [float("inf")]}), "NaN or infinity"),
                                (code_node("result: int = 1", timeout=10**30), "got one of 31 digits"), (code_node("result: int = 1", max_retries=10**30), '"max_retries" must be'),
                                (code_node("result: int = 1", max_retries=2**64 - 1), '"max_retries" must be'), (code_node("result: int = 1", max_retries=2**63), '"max_retries" must be'),
                                (code_node("result: int = 1", max_retries=1e300), '"max_retries" must be'), (code_node("result: int = 1", wait=1e300), '"wait" must be'),
                                (code_node("result: int = 1", wait=10**30), '"wait" must be'), (code_node("result: int = 1", wait=[1]), '"wait" must be'),
                                ({"nodes": [{"id": "a", "type": "code"}], "max_steps": 2**64 - 1}, '"max_steps" must be'), ({"nodes": [{"id": "a", "type": "code"}], "max_steps": 10**30}, '"max_steps" must be'),
                                ({"nodes": [{"id": "a", "type": "code"}], "max_steps": 1.5}, '"max_steps" must be'), ({"nodes": [{"id": 10**30, "type": "code"}]}, "has no id"),
                                ({"type": "probe", "params": {"repository": 10**400}}, '"repository"'), ({"type": "probe", "params": {"repository": ".", "task": 10**400}}, '"task"'),
                                ({"type": "extractor", "params": {"code": "def extract(path: str) -> dict: return {}", "paths": 10**400}}, '"paths" must be a list'),
                                ({"type": "extractor", "params": {"code": "x", "paths": [], "timeout": "soon"}}, '"timeout" of an extractor node'),
                                ({"type": "extractor", "params": {"code": "x", "paths": [], "timeout": 10**30}}, "got one of 31 digits")]:
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
        for number in (float("nan"), float("inf"), -float("inf")):
            status, out, err = self.command(node, "--shared", self.write("store.json", {"deep": [{"n": number}]}))
            self.assertEqual((status, out), (2, ""))
            self.assertIn("NaN or Infinity, which are no JSON values", err)
        self.assertEqual(self.command(node, "--resume", "x")[0], 2)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
