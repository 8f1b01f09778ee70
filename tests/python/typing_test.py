#!/usr/bin/env python3
"""What a type checker says about a program that uses the package: nothing, when the program is right, and something, when it is wrong.

    tests/python/typing_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
"""
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, package

AIRLOCK = harness.AIRLOCK
RIGHT = """
import asyncio
import pathlib
from typing import Any, Dict, List, Optional
import airlock
import airlock.dask
import airlock.pandas
from airlock import autogen, fastmcp, smolagents
from airlock.probe import Probe, ProbeContext, ProbeOutput, RepoSnapshot

def pieces(pool: airlock.Pool) -> str:
    with pool.session(functions={"f": len}, files={"a": pathlib.Path("/a"), "b": "/b"}) as session:
        try:
            return session.run("1", inputs={"n": 1}, on_print=print).stdout
        except (airlock.GuestError, airlock.Violation, airlock.Crashed) as error:
            return error.out.stdout
        except airlock.PieceError as error:
            return error.out.stderr + error.for_model()
        except airlock.Error as error:
            return "" if error.out is None else error.out.stdout

def rows(pool: airlock.Pool) -> List[airlock.Row]:
    found = pool.extract("x.py", ["/a", b"/b", pathlib.Path("/c")])
    first = next(found)
    found.close()
    reason: airlock.RowError = first["error"]
    data: Dict[str, Any] = first["data"]
    print(reason["message"], data, first["path"].upper(), first["ok"] is True)
    return [first]

async def later(pool: airlock.AsyncPool) -> None:
    rows = pool.extract("x.py", [b"/b"])
    async for row in rows:
        print(row["path"])
    await rows.aclose()
    result = await autogen.AirlockCodeExecutor().execute_code_blocks([autogen.CodeBlock("1", "python")])
    print(result.exit_code + 1, result.output.upper(), result.artifacts["a"].decode())
    value: object = await fastmcp.SandboxProvider().run("return 1")
    print(value)

def step() -> bool:
    return smolagents.AirlockExecutor()("1").is_final_answer

class Ordinary(Probe):
    name = "ordinary"
    def run(self, repo: RepoSnapshot, ctx: ProbeContext) -> ProbeOutput:
        return ProbeOutput({})

class Awaits(Probe):
    name = "awaits"
    async def run(self, repo: RepoSnapshot, ctx: ProbeContext) -> ProbeOutput:
        return ProbeOutput({})
"""
WRONG = {
    "airlock.run(3)": "arg-type",
    "airlock.Pool(workers='2')": "arg-type",
    "airlock.run('1', timeout='5')": "arg-type",
    "airlock.Pool().extract('x.py', [3])": "list-item",
    "next(airlock.Pool().extract('x.py', []))['colour']": "typeddict-item",
    "airlock.Error().out.stdout": "union-attr",
    "airlock.pandas.extract([], 'x.py', pool=airlock.AsyncPool())": "arg-type",
}


@unittest.skipUnless(shutil.which("mypy"), "mypy is not installed here")
class Types(package.Case):
    def mypy(self, text):
        done = subprocess.run(["mypy", "--strict", "--no-error-summary", "--show-error-codes", "--cache-dir", self.folder / "cache", self.write("program.py", text)],
                              env={**self.environment, "MYPYPATH": str(package.PACKAGE)}, cwd=self.folder, capture_output=True, text=True)
        return done.stdout + done.stderr

    def test_a_program_that_is_right(self):
        self.assertEqual(self.mypy(RIGHT), "")

    def test_calls_that_are_wrong(self):
        told = self.mypy("import airlock\nimport airlock.pandas\n" + "\n".join(WRONG) + "\n").splitlines()
        self.assertEqual([line.rpartition("[")[2].rstrip("]") for line in told], list(WRONG.values()), told)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
