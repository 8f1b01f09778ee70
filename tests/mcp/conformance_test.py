#!/usr/bin/env python3
"""The protocol's own conformance suite (npm's @modelcontextprotocol/conformance) against `/mcp` of `airlock serve --http`, every scenario for servers of every
revision that we speak. Scenarios that ask for tools, resources or prompts by name run against `mcp_fixture`, which has those on the same transport.
What the suite says of each stands in TABLE: whatever changes is a failure. Without the suite (scripts/setup --checks) all but the table is skipped.

    tests/mcp/conformance_test.py [--airlock build/airlock] [NAME…]
    tests/mcp/conformance_test.py --table          the table of docs/conformance.md
"""
import json
import pathlib
import re
import subprocess
import sys
import typing
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, http_client, npm_tools, token_proxy

AIRLOCK = harness.AIRLOCK
REVISIONS = ("2025-06-18", "2025-11-25", "2026-07-28")
DOCUMENT = harness.ROOT / "docs" / "conformance.md"
TRIES = 3  # the suite has deadlines of half a second, which a busy machine misses


class Row(typing.NamedTuple):
    server: str
    verdict: str = "passed"
    reason: str = ""  # why the scenario, or `failing` of it, does not apply
    failing: frozenset = frozenset()  # these checks of a scenario that applies otherwise


def not_applicable(reason, verdict="failed"):
    """`verdict`: what the suite says nevertheless."""
    return Row("airlock", verdict, reason)


OWN, FIXTURE = Row("airlock"), Row("fixture")
ASKS_NOTHING = "Airlock asks its clients for nothing: no sampling, no elicitation, no roots"
NO_LOG = "Airlock sends its clients no log messages, and does not declare `logging`"
NO_COMPLETION = "Airlock completes no arguments, and does not declare `completions`"
NO_SUBSCRIPTION = "resources are read, not watched: `resources.subscribe` is not declared"
NO_RESUMING = "no stream can be resumed, which is left to the server: a client that leaves has cancelled"
NO_HEADERS = "no tool wants an argument repeated in a header (`x-mcp-header`)"
NO_CAPABILITY = "two checks want a tool that needs a capability of the client; there is none"
NO_TASKS = "an extension that Airlock does not have: tasks"
NO_SKILLS = "an extension that Airlock does not have: skills"
CAPABILITY_CHECKS = frozenset({"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"})

TABLE = {
    "server-initialize": OWN,
    "server-session-lifecycle": OWN,
    "server-stateless": Row("fixture", "failed", NO_CAPABILITY, CAPABILITY_CHECKS),
    "logging-set-level": not_applicable(NO_LOG),
    "ping": OWN,
    "completion-complete": not_applicable(NO_COMPLETION),
    "tools-list": OWN,
    "tools-call-simple-text": FIXTURE,
    "tools-call-image": FIXTURE,
    "tools-call-audio": FIXTURE,
    "tools-call-embedded-resource": FIXTURE,
    "tools-call-mixed-content": FIXTURE,
    "tools-call-with-logging": not_applicable(NO_LOG),
    "tools-call-error": FIXTURE,
    "tools-call-with-progress": FIXTURE,
    "tools-call-sampling": not_applicable(ASKS_NOTHING),
    "tools-call-elicitation": not_applicable(ASKS_NOTHING),
    "json-schema-2020-12": FIXTURE,
    "elicitation-sep1034-defaults": not_applicable(ASKS_NOTHING),
    "server-sse-polling": not_applicable(NO_RESUMING, "nothing to check"),
    "server-sse-multiple-streams": OWN,
    "elicitation-sep1330-enums": not_applicable(ASKS_NOTHING),
    "resources-list": OWN,
    "resources-read-text": FIXTURE,
    "resources-read-binary": FIXTURE,
    "resources-templates-read": FIXTURE,
    "resources-subscribe": not_applicable(NO_SUBSCRIPTION),
    "resources-unsubscribe": not_applicable(NO_SUBSCRIPTION),
    "sep-2164-resource-not-found": OWN,
    "prompts-list": OWN,
    "prompts-get-simple": FIXTURE,
    "prompts-get-with-args": FIXTURE,
    "prompts-get-embedded-resource": FIXTURE,
    "prompts-get-with-image": FIXTURE,
    "dns-rebinding-protection": OWN,
    "caching": OWN,
    "http-header-validation": OWN,
    "http-custom-header-server-validation": not_applicable(NO_HEADERS),
    "input-required-result-basic-elicitation": not_applicable(ASKS_NOTHING),
    "input-required-result-basic-sampling": not_applicable(ASKS_NOTHING),
    "input-required-result-basic-list-roots": not_applicable(ASKS_NOTHING),
    "input-required-result-request-state": not_applicable(ASKS_NOTHING),
    "input-required-result-multiple-input-requests": not_applicable(ASKS_NOTHING),
    "input-required-result-multi-round": not_applicable(ASKS_NOTHING),
    "input-required-result-missing-input-response": not_applicable(ASKS_NOTHING, "warned"),
    "input-required-result-non-tool-request": not_applicable(ASKS_NOTHING),
    "input-required-result-result-type": not_applicable(ASKS_NOTHING),
    "input-required-result-unsupported-methods": OWN,
    "input-required-result-tampered-state": not_applicable(ASKS_NOTHING),
    "input-required-result-capability-check": not_applicable(ASKS_NOTHING),
    "input-required-result-ignore-extra-params": not_applicable(ASKS_NOTHING, "warned"),
    "input-required-result-validate-input": not_applicable(ASKS_NOTHING, "passed"),
    # Of extensions: they belong to no revision.
    "sep-2640-skills-directory": not_applicable(NO_SKILLS),
    "sep-2640-skills-enumeration": not_applicable(NO_SKILLS),
    "sep-2640-skills-manifest": not_applicable(NO_SKILLS),
    "tasks-lifecycle": not_applicable(NO_TASKS),
    "tasks-capability-negotiation": not_applicable(NO_TASKS),
    "tasks-wire-fields": not_applicable(NO_TASKS),
    "tasks-request-state-removal": not_applicable(NO_TASKS),
    "tasks-mrtr-input": not_applicable(NO_TASKS),
    "tasks-request-headers": not_applicable(NO_TASKS),
    "tasks-dispatch-and-envelope": not_applicable(NO_TASKS),
    "tasks-status-notifications": not_applicable(NO_TASKS),
    "tasks-required-task-error": not_applicable(NO_TASKS),
    "tasks-mrtr-composition": not_applicable(NO_TASKS),
}
# Where a scenario belongs to, when it is not to all revisions.
SINCE_2025_11 = {"json-schema-2020-12", "server-sse-polling", "server-sse-multiple-streams", "dns-rebinding-protection",
                 "elicitation-sep1034-defaults", "elicitation-sep1330-enums"}
UNTIL_2025_11 = {"server-initialize", "server-session-lifecycle", "logging-set-level", "ping", "tools-call-with-logging", "tools-call-sampling",
                 "tools-call-elicitation", "elicitation-sep1034-defaults", "server-sse-polling", "elicitation-sep1330-enums", "resources-subscribe",
                 "resources-unsubscribe"}
SINCE_2026_07 = {"server-stateless", "sep-2164-resource-not-found", "caching", "http-header-validation", "http-custom-header-server-validation",
                 *(name for name in TABLE if name.startswith("input-required-result-"))}


def revisions_of(name):
    if TABLE[name].reason in (NO_TASKS, NO_SKILLS):
        return ()
    first = 2 if name in SINCE_2026_07 else 1 if name in SINCE_2025_11 else 0
    return REVISIONS[first:2 if name in UNTIL_2025_11 else 3]


def listed_by(text):
    """scenario -> revisions that it belongs to, of those that we speak; from the suite's own list."""
    found = re.findall(r"^  - (\S+) \[(.*)\]$", text, re.MULTILINE)
    return {name: tuple(one for one in versions.split(",") if one in REVISIONS) for name, versions in found}


def verdict_of(checks):
    """(what the suite says of a scenario, the checks that failed)."""
    failing = frozenset(check["id"] for check in checks if check["status"] == "FAILURE")
    said = {check["status"] for check in checks}
    if failing:
        return "failed", failing
    if "WARNING" in said:
        return "warned", failing
    return ("passed" if "SUCCESS" in said else "nothing to check"), failing


def table():
    lines = ["| scenario | revisions | server | result |", "|---|---|---|---|"]
    for name, row in TABLE.items():
        result = "passed" if not row.reason else f"passed, but for: {row.reason}" if row.failing else f"not applicable: {row.reason}"
        lines.append(f"| {name} | {', '.join(revisions_of(name)) or 'extension'} | {row.server if not row.reason or row.failing else ''} | {result} |")
    return "\n".join(lines)


class Document(unittest.TestCase):
    def test_the_table_is_the_one_of_the_documents(self):
        self.assertIn(table(), DOCUMENT.read_text(encoding="utf-8"), "write it anew: tests/mcp/conformance_test.py --table")


@unittest.skipIf(npm_tools.MISSING, npm_tools.MISSING)
class Conformance(http_client.Case):
    def setUp(self):
        super().setUp()
        token = self.write("token", "0123456789abcdef0123456789abcdef\n", mode=0o600)
        fixture = harness.start(token, program=AIRLOCK.parents[1] / "mcp_fixture", stdin=subprocess.PIPE, cwd=self.folder, env=self.environment)
        self.addCleanup(harness.end, fixture)
        self.urls = {}
        for name, server in (("airlock", self.serve()), ("fixture", http_client.Served(fixture))):
            proxy = self.enterContext(token_proxy.TokenProxy(server.address, server.token))
            self.urls[name] = proxy.url + "/mcp"

    def suite(self, server, revision, *words):
        """scenario -> its checks."""
        out = self.folder / f"out-{server}-{revision}-{len(list(self.folder.iterdir()))}"
        npm_tools.run(npm_tools.CONFORMANCE, "server", "--url", self.urls[server], "--spec-version", revision, "--output-dir", out, *words, folder=self.folder)
        results = {}
        for file in out.glob("*/checks.json"):
            name = re.fullmatch(r"server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z", file.parent.name)[1]
            results[name] = json.loads(file.read_text(encoding="utf-8"))
        return results

    def is_as_expected(self, name, checks):
        row, (verdict, failing) = TABLE[name], verdict_of(checks)
        return verdict == row.verdict and (not row.failing or failing == row.failing) and "wire-schema-valid" not in failing

    def judge(self, revision):
        results = {server: self.suite(server, revision, "--suite", "all") for server in self.urls}
        wanted = {name for name in TABLE if revision in revisions_of(name)}
        for server, found in results.items():
            self.assertEqual(set(found), wanted, server)
        for name in sorted(wanted):
            row = TABLE[name]
            checks = results[row.server][name]
            for _ in range(TRIES - 1):
                if self.is_as_expected(name, checks):
                    break
                checks = self.suite(row.server, revision, "--scenario", name).get(name, [])
            with self.subTest(name):
                unlike = [f"{check['id']}: {check['status']}: {check.get('errorMessage')}" for check in checks if check["status"] != "SUCCESS"]
                self.assertTrue(self.is_as_expected(name, checks), f"{verdict_of(checks)}, not {row}: {unlike}")

    def test_the_suite_has_the_scenarios_of_the_table(self):
        listed = listed_by(npm_tools.run(npm_tools.CONFORMANCE, "list", "--server", folder=self.folder).stdout)
        self.assertEqual(listed, {name: revisions_of(name) for name in TABLE})

    def test_the_revision_2025_06_18(self):
        self.judge("2025-06-18")

    def test_the_revision_2025_11_25(self):
        self.judge("2025-11-25")

    def test_the_revision_2026_07_28(self):
        self.judge("2026-07-28")


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, table=lambda: print(table())))
