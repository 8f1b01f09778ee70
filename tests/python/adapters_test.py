#!/usr/bin/env python3
"""The adapters, each beside a stand-in for its framework: small modules with the shapes that FastMCP, smolagents and AutoGen publish.

    tests/python/adapters_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import asyncio
import contextvars
import dataclasses
import os
import pathlib
import signal
import sys
import threading
import types
import typing

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, package
from support.package import CRASH, SPIN

import airlock
from airlock import autogen, fastmcp, smolagents

AIRLOCK = harness.AIRLOCK


class ToolError(Exception):
    """FastMCP's."""


class InterpreterError(ValueError):
    """smolagents'."""


@dataclasses.dataclass
class TheirCodeOutput:
    output: typing.Any
    logs: str
    is_final_answer: bool


class Tool:
    """smolagents': the class is called, `forward` has the signature."""
    name = "find"
    description = "Finds teas."
    inputs = {"query": {"type": "string", "description": "what to look for"}}
    output_type = "array"

    def __call__(self, *args, sanitize_inputs_outputs=False, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, query: str, limit: int = 2) -> list:
        return [query, limit]


class FinalAnswerTool(Tool):
    name = "final_answer"
    description = "Gives the final answer."

    def forward(self, answer: typing.Any) -> typing.Any:
        return answer


@dataclasses.dataclass
class TheirCodeBlock:
    code: str
    language: str


@dataclasses.dataclass
class TheirCodeResult:
    exit_code: int
    output: str


@dataclasses.dataclass
class TheirComponentModel:
    provider: str
    config: dict
    component_type: typing.Optional[str] = None
    version: typing.Optional[int] = None
    component_version: typing.Optional[int] = None
    description: typing.Optional[str] = None
    label: typing.Optional[str] = None


class CancellationToken:
    """AutoGen's."""

    def __init__(self):
        self.futures, self.is_cancelled = [], False

    def cancel(self):
        self.is_cancelled = True
        for future in self.futures:
            future.cancel()

    def link_future(self, future):
        if self.is_cancelled:
            future.cancel()
        self.futures.append(future)
        return future


class Case(package.Case):
    def load(self, module, **names):
        """A framework that the program has loaded."""
        made = types.ModuleType(module)
        made.__dict__.update(names)
        sys.modules[module] = made
        self.addCleanup(sys.modules.pop, module)

    def test_importing_adapters_loads_no_framework(self):
        done = self.run_program("""
            import sys
            import airlock.autogen, airlock.fastmcp, airlock.smolagents
            print(sorted(name for name in sys.modules if name.split(".")[0] in ("fastmcp", "smolagents", "autogen_core", "autogen_ext")))
        """)
        self.assertEqual(done.out, "[]\n")


    def test_wrong_arguments_are_told_when_an_adapter_is_made(self):
        wrong = {"policy": (4, "\0", "/nosuch/x.toml"), "packages": ("numpy", 5), "packages_from": (3, "\0"), "workers": (0, "2"), "timeout": ("x", 0, 10 ** 400), "deadline": ("x", -1),
                 "memory_mb": (-1, "x"), "max_calls": (-1, 1.5), "files": (3, {"a/b": "x"}, {"a": 3})}
        for make, more in ((fastmcp.SandboxProvider, {}), (smolagents.AirlockExecutor, {"additional_functions": (5, {"f": 3}), "max_print_outputs_length": (-1, "x")}),
                           (autogen.AirlockCodeExecutor, {"functions": (5, {"f": 3}), "output_dir": (3, "\0")})):
            for name, values in {**wrong, **more}.items():
                for value in values:
                    with self.subTest(make=make.__name__, name=name, value=value):
                        self.assert_usage(lambda: make(**{name: value}), name.replace("additional_", ""))


class FastMcp(Case):
    def run_code(self, code, provider=None, **given):
        async def work():
            async with provider or fastmcp.SandboxProvider() as used:
                return await used.run(code, **given)
        return asyncio.run(work())

    def fails(self, code, kind=airlock.Error, **given):
        with self.assertRaises(kind) as caught:
            self.run_code(code, **given)
        return caught.exception

    def test_the_shape_that_code_mode_calls(self):
        async def call_tool(tool_name: str, params: dict):
            return {"tool": tool_name, "got": params}
        code = "found = await call_tool('search', {'query': 'tea'})\nreturn found['got']['query'] + '!'"
        self.assertEqual(self.run_code(code, external_functions={"call_tool": call_tool}), "tea!")

    def test_a_return_at_any_depth_of_the_top_level(self):
        code = "for row in rows:\n    if row > 1:\n        return row\n"
        self.assertEqual(self.run_code(code, inputs={"rows": [1, 2, 3]}), 2)
        self.assertIsNone(self.run_code("return"))
        self.assertIsNone(self.run_code("if False: return 1\n"))
        self.assertEqual(self.run_code("try:\n\treturn 1\nfinally:\n\tx = 1\n"), 1)

    def test_without_a_return_the_last_expression_counts(self):
        self.assertEqual(self.run_code("def f():\n    return 20\nf() + n", inputs={"n": 1}), 21)
        self.assertEqual(self.run_code("f = lambda: 'return'\nf()"), "return")

    def test_strings_of_several_lines_stay_as_they_are(self):
        self.assertEqual(self.run_code("text = '''a\n b\n  return c'''\nreturn text"), "a\n b\n  return c")
        self.assertEqual(self.run_code("n = 1\ntext = f'''a\n{n}\n  b'''\nreturn text"), "a\n1\n  b")
        self.assertEqual(self.run_code("text = 'a\\\nb'\r\nreturn text"), "ab")
        self.assertEqual(self.run_code("text = 'a\u2028b\x0bc'\n\fx = '''\n\f'''\nreturn text + x"), "a\u2028b\x0bc\n\f")

    def test_global_names_of_functions_are_those_of_the_code(self):
        self.assertEqual(self.run_code("total = 0\ndef add(n):\n    global total\n    total += n\nadd(2)\nadd(3)\nreturn total"), 5)

    @harness.needs_files
    def test_code_with_a_return_means_what_it_means_without(self):
        """The same value, and the same names, of every kind of statement."""
        for body, value in (
                ("rows = [row for row in rows if row > 1]", "rows"), ("rows += [4]", "rows"), ("n = 1\ndef f():\n    return n\nn = 2", "f()"),
                ("from math import *", "floor(pi)"), ("x = 1; from math import *; y = 2", "[floor(pi), x, y]"),
                ("from __future__ import annotations\ndef f(a: nothing): pass", "f.__annotations__['a']"), ("exec('y = 1')", "y"), ("globals()['z'] = 3", "z"),
                ("n: int = 1\ndef add():\n    global n\n    n += 1\nadd()", "n"), ("many: dict[\n    str,  # keys\n    int\n] = {'a': 1}", "many"), ("n: int\nn = 3", "n"),
                ("class A:\n    x: int = 4\n    def get(self):\n        return self.x", "A().get()"), ("import os.path as p, json", "[p.sep, json.dumps(1)]"),
                ("with open('/out/a', 'w') as f: f.write('x')", "f.closed"), ("for i, (j, k) in enumerate([(1, 2)]): pass", "[i, j, k]"),
                ("try:\n    1 / 0\nexcept Exception as error:\n    told = str(error)", "[told, 'error' in globals()]"), ("if (q := 5) > 1: pass", "q"),
                ("match rows:\n    case [first, *rest]: pass", "[first, rest]"), ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x += 1\n        return x\n    return g()", "f()"),
                ("x = 1\ndel x", "'x' in globals()"), ("x = 5", "locals() is globals()"), ("async def f():\n    return 6", "await f()"), ("match = case = 1", "match + case")):
            with self.subTest(body=body):
                self.assertEqual(self.run_code(f"{body}\nreturn {value}", inputs={"rows": [1, 2, 3]}), self.run_code(f"{body}\n{value}", inputs={"rows": [1, 2, 3]}))

    def test_errors_of_code_with_a_return_are_those_of_code_without(self):
        for body in ("import os\nos.fork()", "import os\ntry:\n    os.fork()\nexcept OSError:\n    pass\n1 / 0", "1 / 0", "def f():\n    return g()\nf()", "import nosuch", "from nosuch import *",
                     "x = 1\nraise ValueError('at line 7')", "x = (\n", "def f(:\n    pass", "x = 1\nx = 1 +", "'x'.uper()", SPIN, "raise SystemExit(3)"):
            with self.subTest(body=body):
                one, other = (self.fails(f"{body}\n{last}", provider=fastmcp.SandboxProvider(timeout=1)) for last in ("return 1", "pass"))
                for field in ("type", "message", "line", "denials", "traceback", "args"):
                    self.assertEqual(getattr(one, field), getattr(other, field), field)
                self.assertEqual((one.out.denials, one.for_model()), (other.out.denials, other.for_model()))

    def test_every_function_is_awaited_inside(self):
        who = contextvars.ContextVar("who")
        who.set("ann")

        def ordinary(n: int) -> list:
            """Says who."""
            return [n, who.get(), threading.current_thread() is threading.main_thread()]
        code = "import asyncio\nreturn await asyncio.gather(ordinary(1), ordinary(n=2))"
        self.assertEqual(self.run_code(code, external_functions={"ordinary": ordinary}), [[1, "ann", False], [2, "ann", False]])
        self.assertEqual(self.run_code("ordinary.__doc__", external_functions={"ordinary": ordinary}), "Says who.")

    def test_what_a_function_raises_can_be_caught_inside(self):
        def refuse():
            raise KeyError("nothing")
        self.assertEqual(self.run_code("try:\n    await refuse()\nexcept KeyError as error:\n    return error.args[0]",
                                       external_functions={"refuse": refuse}), "nothing")

    def test_a_value_that_is_no_json_comes_as_its_repr(self):
        self.assertEqual(self.run_code("return {1, 2}"), "{1, 2}")

    def test_nothing_stays_from_one_run_to_the_next(self):
        async def work():
            async with fastmcp.SandboxProvider() as provider:
                await provider.run("x = 1")
                await provider.run("x")
        with self.assertRaisesRegex(airlock.GuestError, "name 'x' is not defined"):
            asyncio.run(work())

    def test_errors_tell_the_lines_of_the_code_as_it_was(self):
        error = self.fails("def half(n):\n    return 1 / n\nif True:\n    return half(0)\n", airlock.GuestError)
        self.assertEqual((error.type, error.line), ("ZeroDivisionError", 2))
        self.assertEqual(error.traceback.splitlines()[:5], [
            "Traceback (most recent call last):", "  piece 1, line 4, in <module>", "    return half(0)", "           ^^^^^^^", "  piece 1, line 2, in half"])
        self.assertNotIn("__returning__", error.traceback + error.for_model())
        self.assertIn("return 1 / n", error.for_model())
        self.assertIn("at line 2", error.for_model())

    def test_code_that_is_no_python_is_told_of_as_it_was(self):
        error = self.fails("if True:\nreturn 1\n", airlock.GuestError)
        self.assertEqual((error.type, error.line), ("IndentationError", 2))
        self.assertIn("on line 1", error.message)
        error = self.fails("x = (\nreturn 1\n", airlock.GuestError)
        self.assertEqual((error.type, error.line), ("SyntaxError", 1))

    def test_denied_calls_tell_their_line(self):
        error = self.fails("import os\nreturn os.fork()\n", airlock.Violation)
        self.assertEqual([one["line"] for one in error.denials], [2])

    def test_a_fastmcp_that_is_loaded_gets_its_own_error(self):
        self.load("fastmcp.exceptions", ToolError=ToolError)
        error = self.fails("return nothing", ToolError)
        self.assertIn("NameError: name 'nothing' is not defined", str(error))
        self.assertIsInstance(error.__cause__, airlock.GuestError)

    def test_limits_hold(self):
        provider = fastmcp.SandboxProvider(timeout=0.3)
        self.assertIsInstance(self.fails(SPIN + "\nreturn 1", airlock.Timeout, provider=provider), airlock.Timeout)
        provider = fastmcp.SandboxProvider(max_calls=2)
        error = self.fails("for n in range(3):\n    await f()\nreturn 1", provider=provider, external_functions={"f": lambda: 1})
        self.assertIn("2", str(error))

    def test_a_cancelled_run_ends_and_the_next_works(self):
        async def work():
            async with fastmcp.SandboxProvider() as provider:
                begun = asyncio.Event()

                async def begin():
                    begun.set()
                task = asyncio.ensure_future(provider.run("await begin()\n" + SPIN + "\nreturn 1", external_functions={"begin": begin}))
                await begun.wait()
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                return await provider.run("return 2")
        self.assertEqual(asyncio.run(work()), 2)

    def test_a_pool_that_is_given_is_used_and_left_open(self):
        async def work():
            async with airlock.AsyncPool() as pool:
                async with fastmcp.SandboxProvider(pool) as provider:
                    self.assertEqual(await provider.run("return 1"), 1)
                return (await pool.run("2")).value
        self.assertEqual(asyncio.run(work()), 2)

    def test_wrong_arguments_are_told_at_the_call(self):
        self.assert_usage(lambda: fastmcp.SandboxProvider(3), "pool", "AsyncPool")
        for given, word in (({"inputs": [1]}, "inputs"), ({"inputs": {"a": {1}}}, "set"), ({"external_functions": [print]}, "external_functions"),
                            ({"external_functions": {"f": 3}}, "functions['f']")):
            with self.subTest(given=given):
                self.assert_usage(lambda: self.run_code("return 1", **given), word)
        self.assert_usage(lambda: self.run_code(3), "code")


class Smolagents(Case):
    def executor(self, *tools, **options):
        executor = smolagents.AirlockExecutor(**options)
        self.addCleanup(executor.cleanup)
        executor.send_variables({})
        executor.send_tools({tool.name: tool for tool in (*tools, FinalAnswerTool())})
        return executor

    def test_a_step_gives_output_and_logs(self):
        got = self.executor()("print('hello')\nx = 20\nx + 1")
        self.assertEqual((got.output, got.logs, got.is_final_answer), (21, "hello\n", False))
        self.assertIsInstance(got, smolagents.CodeOutput)

    def test_the_frameworks_own_type_where_it_is_loaded(self):
        self.load("smolagents.local_python_executor", CodeOutput=TheirCodeOutput, InterpreterError=InterpreterError)
        executor = self.executor()
        self.assertEqual(executor("1"), TheirCodeOutput(1, "", False))
        with self.assertRaises(InterpreterError) as caught:
            executor("print('so far')\nnothing")
        self.assertIn("NameError: name 'nothing' is not defined", str(caught.exception))
        self.assertEqual(executor.state["_print_outputs"], "so far\n")

    def test_tools_are_called_with_their_own_signature(self):
        executor = self.executor(Tool())
        self.assertEqual(executor("find('tea', limit=3)").output, ["tea", 3])
        self.assertEqual(executor("find.__doc__").output, "Finds teas.")
        with self.assertRaisesRegex(airlock.GuestError, "missing a required argument: 'query'"):
            executor("find()")

    def test_a_managed_agent_is_a_tool_too(self):
        class Agent:
            name, description = "helper", "Helps."

            def __call__(self, task: str, **kwargs):
                return f"did {task} {kwargs}"
        self.assertEqual(self.executor(Agent())("helper('it', additional_args={'n': 1})").output, "did it {'additional_args': {'n': 1}}")

    def test_a_final_answer_ends_the_piece_past_every_except_exception(self):
        got = self.executor()("try:\n    print('a')\n    final_answer({'n': 3})\nexcept Exception:\n    print('b')\nprint('c')")
        self.assertEqual((got.output, got.logs, got.is_final_answer), ({"n": 3}, "a\n", True))

    def test_a_final_answer_is_what_the_tool_makes_of_it(self):
        class Shouted(FinalAnswerTool):
            def forward(self, answer: str) -> str:
                return {answer.upper()}
        executor = self.executor(Shouted())
        executor.send_tools({"final_answer": Shouted()})
        self.assertEqual(executor("final_answer(answer='tea')").output, {"TEA"})

    def test_a_final_answer_that_is_no_json_comes_as_what_is_nearest(self):
        executor = self.executor()
        for code, wanted in (("float('nan')", "nan"), ("[float('inf'), 1.5]", ["inf", 1.5]), ("'\\ud800'", "?"), ("(1, {2})", [1, [2]]), ("{1: b'x'}", {"1": "b'x'"}), ("None", None), ("complex(1, 2)", "(1+2j)")):
            with self.subTest(code=code):
                got = executor(f"final_answer({code})")
                self.assertEqual((got.output, got.is_final_answer), (wanted, True))

    def test_names_of_ours_are_not_told(self):
        executor = self.executor()
        for code in ("x = []\nfor _ in range(100): x = [x]\nfinal_answer(x)", "final_answer('y' * (9 << 20))", "final_answer(1, 2)", "finalanswer(1)", "__give_final_answer__(1)\n1 / 0"):
            with self.subTest(code=code):
                with self.assertRaises(airlock.Error) as caught:
                    executor(code)
                told = caught.exception.for_model().replace("__give_final_answer__(1)", "")
                for name in ("__give", "__bring", "__ended"):
                    self.assertNotIn(name, f"{caught.exception}{told}{caught.exception.traceback.replace(code, '')}")

    def test_a_step_that_takes_the_name_of_a_tool_has_it_for_itself(self):
        executor = self.executor(Tool())
        for code in ("final_answer = 5\nfind = 6", "def final_answer(x):\n    pass\ndef find(): pass", "for final_answer in (1,): pass\nclass find: pass", "import math as final_answer, json as find", "del final_answer, find"):
            with self.subTest(code=code):
                executor(code)
                self.assertEqual(executor("find('tea')").output, ["tea", 2])
                self.assertEqual((executor("final_answer(1)").output, executor("final_answer(2)").is_final_answer), (1, True))

    def test_an_answer_that_was_caught_is_not_final(self):
        got = self.executor()("try:\n    final_answer(1)\nexcept BaseException:\n    pass\n2")
        self.assertEqual((got.output, got.is_final_answer), (2, False))

    def test_a_guest_that_makes_the_exception_itself_gives_no_answer(self):
        with self.assertRaisesRegex(airlock.GuestError, "FinalAnswerException"):
            self.executor()("raise FinalAnswerException")

    def test_a_wrong_answer_does_not_end_the_piece(self):
        with self.assertRaisesRegex(airlock.GuestError, "TypeError"):
            self.executor()("final_answer(1, 2)")

    def test_names_and_variables_stay(self):
        executor = self.executor()
        executor.send_variables({"n": 20})
        executor("def double(x):\n    return 2 * x")
        executor.send_variables({"m": 2})
        self.assertEqual(executor("double(n) + m").output, 42)

    def test_variables_come_although_the_next_piece_is_no_python(self):
        executor = self.executor()
        executor("1")
        executor.send_variables({"n": 20})
        with self.assertRaisesRegex(airlock.GuestError, "SyntaxError"):
            executor("n +")
        self.assertEqual(executor("n").output, 20)

    def test_the_same_tools_sent_again_keep_the_session_and_are_the_new_ones(self):
        class Second(Tool):
            def forward(self, query: str, limit: int = 2) -> list:
                return ["second", query]
        executor = self.executor(Tool())
        executor("x = 1")
        executor.send_tools({"find": Second(), "final_answer": FinalAnswerTool()})
        self.assertEqual(executor("[x, find('tea')]").output, [1, ["second", "tea"]])

    def test_other_tools_begin_a_new_session_with_the_variables(self):
        executor = self.executor()
        executor.send_variables({"n": 1})
        executor("x = 1")
        executor.send_tools({"find": Tool(), "final_answer": FinalAnswerTool()})
        self.assertEqual(executor("[n, find('tea'), 'x' in globals()]").output, [1, ["tea", 2], False])

    def test_after_a_timeout_variables_and_the_final_answer_are_there_again(self):
        executor = self.executor(timeout=0.3)
        executor.send_variables({"n": 7})
        executor("x = 1")
        with self.assertRaises(airlock.Timeout):
            executor("print('so far')\n" + SPIN)
        self.assertEqual(executor.state["_print_outputs"], "so far\n")
        got = executor("final_answer([n, 'x' in globals()])")
        self.assertEqual((got.output, got.is_final_answer), ([7, False], True))

    def test_after_the_engine_has_gone_a_new_one_goes_on(self):
        pool = self.pool()
        executor = self.executor(pool=pool)
        executor("1")
        executor.send_variables({"n": 7})
        os.kill(self.child_of(pool), signal.SIGKILL)
        with self.assertRaises(airlock.SessionLost):
            while True:
                executor("1")
        self.assertEqual(executor("final_answer(n)").output, 7)

    def test_a_value_that_is_no_json_is_shown_and_long_logs_are_cut(self):
        executor = self.executor(max_print_outputs_length=100)
        got = executor("print('x' * 1000)\n{1}")
        self.assertEqual(got.output, "{1}")
        self.assertLess(len(got.logs), 200)
        self.assertIn("characters left out", got.logs)
        self.assertEqual(self.executor(max_print_outputs_length=0)("print('x' * 10)").logs, "\n… 11 characters left out …\n")

    def test_without_tools_there_is_python_alone(self):
        executor = smolagents.AirlockExecutor(additional_functions={"double": lambda n: 2 * n})
        self.addCleanup(executor.cleanup)
        self.assertEqual(executor("double(2)").output, 4)
        with self.assertRaisesRegex(airlock.GuestError, "final_answer"):
            executor("final_answer(1)")

    def test_cleanup_ends_the_engine_and_a_later_piece_begins_again(self):
        executor = self.executor()
        executor("x = 1")
        child = self.child_of(executor._own)
        executor.cleanup()
        executor.cleanup()
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())
        self.assertFalse(executor("'x' in globals()").output)

    def test_wrong_arguments_are_told_at_the_call(self):
        self.assert_usage(lambda: smolagents.AirlockExecutor(3), "pool")
        self.assert_usage(lambda: smolagents.AirlockExecutor(additional_functions={"f": 3}), "functions['f']")
        executor = self.executor()
        self.assert_usage(lambda: executor.send_variables({"frame": object()}), "object", "frame")
        self.assert_usage(lambda: executor.send_tools([Tool()]), "tools")
        self.assert_usage(lambda: executor.send_tools({"a b": Tool()}), "a b")
        self.assert_usage(lambda: executor(3), "code_action")


class AutoGen(Case):
    def run_blocks(self, *blocks, **options):
        async def work():
            async with autogen.AirlockCodeExecutor(**options) as executor:
                return await executor.execute_code_blocks([autogen.CodeBlock(code, language) for language, code in blocks], CancellationToken())
        return asyncio.run(work())

    def test_several_blocks_share_their_names(self):
        got = self.run_blocks(("python", "x = 20\nprint('one')"), ("Python", "print('two')\nx + 1"))
        self.assertEqual((got.exit_code, got.output), (0, "one\ntwo\n21"))
        self.assertIsInstance(got, autogen.CodeResult)

    def test_the_frameworks_own_types_where_it_is_loaded(self):
        self.load("autogen_core.code_executor", CodeResult=TheirCodeResult, CodeBlock=TheirCodeBlock)

        async def work():
            async with autogen.AirlockCodeExecutor() as executor:
                return await executor.execute_code_blocks(code_blocks=[TheirCodeBlock(code="1 + 1", language="python")], cancellation_token=CancellationToken())
        got = asyncio.run(work())
        self.assertIsInstance(got, TheirCodeResult)
        got.output = "changed"  # as CodeExecutorAgent does
        self.assertEqual((got.exit_code, got.output), (0, "changed"))

    def test_the_first_block_that_fails_is_the_last(self):
        got = self.run_blocks(("python", "print('one')"), ("python", "print('two')\nnothing"), ("python", "print('three')"))
        self.assertEqual(got.exit_code, 1)
        self.assertTrue(got.output.startswith("one\ntwo\nThe code failed: NameError: name 'nothing' is not defined"), got.output)
        self.assertNotIn("three", got.output)

    def test_a_language_that_is_not_python_is_refused_in_its_turn(self):
        got = self.run_blocks(("py", "print('one')"), ("sh", "rm -rf /"), ("python", "print('three')"))
        self.assertEqual((got.exit_code, got.output), (1, "one\nunknown language 'sh': this executor runs Python (```python)"))

    def test_a_block_that_says_no_language_is_python(self):
        got = self.run_blocks(("", "print('one')"), (" Python3 ", "2"))
        self.assertEqual((got.exit_code, got.output), (0, "one\n2"))

    def test_a_component_that_can_be_dumped_and_made_again(self):
        path = self.write("orders.csv", "x")
        made = {"packages": ["json"], "timeout": 2.5, "files": {"orders.csv": str(path)}, "output_dir": str(self.folder / "made")}
        executor = autogen.AirlockCodeExecutor(**{**made, "output_dir": self.folder / "made", "files": {"orders.csv": path}})
        model = executor.dump_component()
        self.assertEqual((model.provider, model.component_type, model.component_version), ("airlock.autogen.AirlockCodeExecutor", "code_executor", 1))
        self.assertEqual(model.config, {"policy": "node", **made})
        for told in (model, dataclasses.asdict(model)):
            self.assertEqual(autogen.AirlockCodeExecutor.load_component(told).dump_component(), model)
        self.load("autogen_core", ComponentModel=TheirComponentModel)
        self.assertIsInstance(executor.dump_component(), TheirComponentModel)
        self.assertEqual(autogen.AirlockCodeExecutor.load_component(executor.dump_component()).dump_component(), executor.dump_component())
        self.assert_usage(lambda: autogen.AirlockCodeExecutor(functions={"f": len}).dump_component(), "functions", "cannot be dumped")
        self.assert_usage(lambda: autogen.AirlockCodeExecutor(airlock.AsyncPool()).dump_component(), "a pool", "cannot be dumped")
        for wrong in (3, {}, {"provider": "other", "config": {}}, {"provider": model.provider, "config": {"colour": 1}}, {"provider": model.provider, "config": {"timeout": "x"}}):
            self.assert_usage(lambda: autogen.AirlockCodeExecutor.load_component(wrong))

    def test_no_blocks_are_nothing(self):
        got = self.run_blocks()
        self.assertEqual((got.exit_code, got.output), (0, ""))

    def test_exit_codes_are_those_of_programs(self):
        for code, wanted in (("import sys\nsys.exit()", (0, "")), ("raise SystemExit(3)", (3, "")), ("import sys\nsys.exit('bad news')", (1, "bad news"))):
            with self.subTest(code=code):
                got = self.run_blocks(("python", code))
                self.assertEqual((got.exit_code, got.output), wanted)

    def test_a_timeout_is_an_exit_code_and_the_next_blocks_run(self):
        async def work():
            async with autogen.AirlockCodeExecutor(timeout=0.3) as executor:
                first = await executor.execute_code_blocks([autogen.CodeBlock("print('so far')\n" + SPIN, "python")], CancellationToken())
                return first, await executor.execute_code_blocks([autogen.CodeBlock("1", "python")], CancellationToken())
        first, second = asyncio.run(work())
        self.assertEqual((first.exit_code, second.exit_code, second.output), (124, 0, "1"))
        self.assertTrue(first.output.startswith("so far\n"), first.output)
        self.assertIn("0.3", first.output)

    def test_a_crash_has_its_signal(self):
        got = self.run_blocks(("python", CRASH))
        self.assertEqual(got.exit_code, 128 + 11, got.output)

    @harness.needs_files
    def test_artifacts_are_in_the_result_and_in_the_folder(self):
        folder = self.folder / "made"
        got = self.run_blocks(("python", "open('/out/a.txt', 'w').write('tea')"), ("python", "open('/out/b.bin', 'wb').write(b'\\0')"), output_dir=folder)
        self.assertEqual(got.artifacts, {"a.txt": b"tea", "b.bin": b"\0"})
        self.assertEqual([path.name for path in got.output_files], ["a.txt", "b.bin"])
        self.assertEqual((folder / "a.txt").read_text(), "tea")

    def test_an_artifact_leads_nowhere_else(self):
        (self.folder / "made").mkdir()
        (self.folder / "made" / "a.txt").symlink_to(self.folder / "elsewhere")
        got = self.run_blocks(("python", "open('/out/a.txt', 'w').write('tea')"), output_dir=self.folder / "made")
        self.assertEqual((got.output_files, (self.folder / "elsewhere").exists()), ([], False))

    def test_a_cancelled_token_ends_the_block_and_the_session_stays(self):
        async def work():
            begun = asyncio.Event()

            async def begin():
                begun.set()
            async with autogen.AirlockCodeExecutor(functions={"begin": begin}) as executor:
                token = CancellationToken()
                task = asyncio.ensure_future(executor.execute_code_blocks([autogen.CodeBlock("x = 1\nawait begin()\n" + SPIN, "python")], token))
                await begun.wait()
                token.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                with self.assertRaises(asyncio.CancelledError):
                    await executor.execute_code_blocks([autogen.CodeBlock("1", "python")], token)
                return await executor.execute_code_blocks([autogen.CodeBlock("x", "python")], CancellationToken())
        self.assertEqual(asyncio.run(work()).output, "1")

    def test_restart_forgets_the_names_and_stop_ends_the_engine(self):
        async def work():
            executor = autogen.AirlockCodeExecutor()
            await executor.execute_code_blocks([autogen.CodeBlock("x = 1", "python")], CancellationToken())
            child = self.child_of(executor._own)
            await executor.restart()
            self.assertEqual(self.child_of(executor._own), child)
            got = await executor.execute_code_blocks([autogen.CodeBlock("'x' in globals()", "python")], CancellationToken())
            await executor.stop()
            await executor.stop()
            return child, got
        child, got = asyncio.run(work())
        self.assertEqual(got.output, "False")
        self.assertFalse(pathlib.Path(f"/proc/{child}").exists())

    def test_two_calls_at_once_take_turns(self):
        async def work():
            async with autogen.AirlockCodeExecutor() as executor:
                await executor.execute_code_blocks([autogen.CodeBlock("n = 0", "python")], None)
                await asyncio.gather(*(executor.execute_code_blocks([autogen.CodeBlock("n += 1", "python")], None) for _ in range(5)))
                return await executor.execute_code_blocks([autogen.CodeBlock("n", "python")], None)
        self.assertEqual(asyncio.run(work()).output, "5")

    def test_after_the_engine_has_gone_a_new_one_goes_on(self):
        async def work():
            async with autogen.AirlockCodeExecutor() as executor:
                os.kill(self.child_of(executor._own), signal.SIGKILL)
                with self.assertRaises(airlock.SessionLost):
                    while True:
                        await executor.execute_code_blocks([autogen.CodeBlock("1", "python")], CancellationToken())
                return await executor.execute_code_blocks([autogen.CodeBlock("2", "python")], CancellationToken())
        self.assertEqual(asyncio.run(work()).output, "2")

    def test_wrong_arguments_are_told_at_the_call(self):
        self.assert_usage(lambda: autogen.AirlockCodeExecutor(3), "pool")
        for blocks in (None, 3, "x = 1"):
            self.assert_usage(lambda: asyncio.run(autogen.AirlockCodeExecutor().execute_code_blocks(blocks, None)), "code_blocks")
        self.assert_usage(lambda: asyncio.run(autogen.AirlockCodeExecutor().execute_code_blocks(["1"], None)), "code_blocks[0]")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
