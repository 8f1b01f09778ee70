#!/usr/bin/env python3
"""The protocol's inspector (npm's @modelcontextprotocol/inspector, its command line) as a client of Airlock: over stdio (`airlock mcp`) and HTTP (`/mcp` of
`airlock serve --http`), in both eras, it lists what there is, reads resources, gets the prompt and calls every tool. It checks answers against
the schemas that were listed. Without it (scripts/setup --checks) every test is skipped.

    tests/mcp/inspector_test.py [--airlock build/airlock] [NAME…]
"""
import concurrent.futures
import itertools
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, http_client, npm_tools

AIRLOCK = harness.AIRLOCK
AT_ONCE = 3
IS_TOOL_ERROR = 5  # its exit code
ERAS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
FINE = "def extract(path: str) -> dict:\n    return {'name': path.rsplit('/', 1)[-1]}\n"
BAD = "import os\n" + FINE
YEARS = [f"/data/{year}/report.csv" for year in range(2000, 2012)]
YEAR = {"rule": "year", "name": "year", "from": "segment(-2)", "type": "integer", "class": "year", "distinct": 12, "examples": ["2000", "2001", "2002", "2003", "2004"]}
# tool -> arguments, and what the structured answer has among others.
CALLS = {
    "run_python": ({"code": "print('hello')\nsum(range(10))"}, {"value": 45, "stdout": "hello\n", "error": None}),
    "check_python": ({"source": BAD}, {"verdict": "refused"}),
    "validate_extractor": ({"source": FINE, "paths": ["/a/b.csv"]}, {"valid": True}),
    "infer_rule": ({"paths": YEARS}, {"fields": [YEAR]}),
    "extract": ({"extractor": FINE, "paths": ["/a/b.csv"]}, {"rows": [{"path": "/a/b.csv", "ok": True, "data": {"name": "b.csv"}}]}),
    "admit_json": ({"document": {"api_key": "x"}, "bare": True}, {"admitted": False}),
    "list_drafts": ({}, {"drafts": []}),
}
RESOURCES = ["airlock://rules/AL201", "airlock://policies/node", "airlock://drafts"]


@unittest.skipIf(npm_tools.MISSING, npm_tools.MISSING)
class Inspector(http_client.Case):
    def setUp(self):
        super().setUp()
        self.folders = itertools.count()
        server = self.serve()
        self.doors = {
            "stdio": (["-e", f"AIRLOCK_HOME={self.home}"], ["--", AIRLOCK, "mcp"]),
            "http": (["--transport", "http", "--header", f"Authorization: Bearer {server.token}", "--server-url", server.url + "/mcp"], []),
        }

    def ask(self, door, era, method, *words, code=0):
        """The result; `code`: the inspector's exit code."""
        folder = self.folder / f"inspector-{next(self.folders)}"
        folder.mkdir()
        before, after = self.doors[door]
        done = npm_tools.run(npm_tools.INSPECTOR, "--format", "json", "--quiet", "--stored-auth-only", "--protocol-era", era, *before, "--method", method, *words,
                             *after, folder=folder)
        self.assertEqual(done.returncode, code, f"{door} {era} {method} {words}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return json.loads(done.stdout)["result"]

    def everywhere(self, method, *words, **options):
        """(door, era) -> the result."""
        places = list(itertools.product(self.doors, ERAS))
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(places, pool.map(lambda place: self.ask(*place, method, *words, **options), places)))

    def call(self, tool, arguments, **options):
        return self.everywhere("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments), **options)

    def test_each_era_is_agreed_on(self):
        for (_, era), hello in self.everywhere("initialize").items():
            self.assertEqual((hello["serverInfo"]["name"], hello["protocolVersion"]), ("airlock", ERAS[era]))
            self.assertEqual(set(hello["capabilities"]), {"tools", "resources", "prompts"})

    def test_every_tool_is_listed_and_has_schemas_that_every_client_can_read(self):
        for place, found in self.everywhere("tools/list", "--strict").items():
            with self.subTest(place):
                self.assertEqual([tool["name"] for tool in found["tools"]], list(CALLS))
                self.assertTrue(all("outputSchema" in tool and "annotations" in tool for tool in found["tools"]))

    def test_every_tool_is_called(self):
        for tool, (arguments, expected) in CALLS.items():
            for place, result in self.call(tool, arguments).items():
                with self.subTest(tool=tool, place=place):
                    answer = result["structuredContent"]
                    self.assertEqual({name: answer[name] for name in expected}, expected)
                    self.assertEqual(result["content"][0]["type"], "text")

    def test_a_piece_that_fails_is_a_tool_error_with_line_and_fix(self):
        for place, result in self.call("run_python", {"code": "1\n1/0"}, code=IS_TOOL_ERROR).items():
            with self.subTest(place):
                self.assertTrue(result["isError"])
                self.assertIn("at line 2", result["content"][1]["text"])
                self.assertIn("Fix: ", result["content"][1]["text"])

    def test_a_session_goes_on_with_the_next_client_where_the_protocol_has_none(self):
        """Each run of the inspector is a client of its own; of the older era each has its own sessions."""
        for era in ERAS:
            def run(code, ends=0):
                return self.ask("http", era, "tools/call", "--tool-name", "run_python", "--tool-args-json", json.dumps({"code": code, "session": era}), code=ends)
            run("x = 20")
            if era == "modern":
                self.assertEqual(run("x + 1")["structuredContent"]["value"], 21)
            else:
                self.assertEqual(run("x + 1", ends=IS_TOOL_ERROR)["structuredContent"]["error"]["type"], "NameError")

    def test_resources_are_listed_and_read(self):
        for place, found in self.everywhere("resources/list").items():
            with self.subTest(place):
                self.assertLessEqual(set(RESOURCES), {one["uri"] for one in found["resources"]})
        for place, found in self.everywhere("resources/templates/list").items():
            with self.subTest(place):
                self.assertEqual([one["name"] for one in found["resourceTemplates"]], ["rules", "policies", "drafts", "extractors", "runs"])
        for uri in RESOURCES:
            for place, found in self.everywhere("resources/read", "--uri", uri).items():
                with self.subTest(uri=uri, place=place):
                    (content,) = found["contents"]
                    self.assertEqual(content["uri"], uri)
                    self.assertTrue(content["text"])

    def test_the_prompt_is_listed_and_got(self):
        for place, found in self.everywhere("prompts/list").items():
            with self.subTest(place):
                self.assertEqual([one["name"] for one in found["prompts"]], ["write_extractor"])
        for place, found in self.everywhere("prompts/get", "--prompt-name", "write_extractor", "--prompt-args", "paths=/data/2024/a.csv").items():
            with self.subTest(place):
                self.assertIn("def extract(path: str) -> dict", found["messages"][0]["content"]["text"])


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
