"""A client of `airlock mcp`, in either era of the Model Context Protocol: says what it is told to, in any bytes, and hears everything."""
import itertools
import json
import subprocess

from support import harness, serving

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
PREFIX = "io.modelcontextprotocol/"


def meta(version=STATELESS, **more):
    return {PREFIX + "protocolVersion": version, PREFIX + "clientInfo": {"name": "tests", "version": "1"}, PREFIX + "clientCapabilities": {}, **more}


class Agent(serving.Client):
    """`era`: what its requests carry. Results of the stateless era are checked for what each must have."""
    era = STATELESS

    def params(self, given, **more):
        given = dict(given)
        if self.era == STATELESS:
            given["_meta"] = {**meta(), **more, **given.get("_meta", {})}
        elif more:
            given["_meta"] = {**more, **given.get("_meta", {})}
        return given

    def ask(self, method, **params):
        """The id of the request. `_id`: which; `token`: for progress."""
        number = params.pop("_id", None)
        number = next(self.ids) if number is None else number
        token = params.pop("token", None)
        self.send(jsonrpc="2.0", id=number, method=method, params=self.params(params, **({} if token is None else {"progressToken": token})))
        return number

    def request(self, method, **params):
        return self.answer_to(self.ask(method, **params))

    def result(self, method, **params):
        answer = self.request(method, **params)
        if "result" not in answer:
            raise AssertionError(answer)
        result = answer["result"]
        if self.era == STATELESS:
            assert result["resultType"] == "complete", result
            assert result["_meta"][PREFIX + "serverInfo"]["name"] == "airlock", result
        else:
            assert not {"resultType", "_meta", "ttlMs", "cacheScope"} & set(result), result
        return result

    def fault(self, method, **params):
        answer = self.request(method, **params)
        if "error" not in answer:
            raise AssertionError(str(answer)[:1000])
        return answer["error"]

    def begin_call(self, tool, token=None, **arguments):
        return self.ask("tools/call", name=tool, arguments=arguments, **({} if token is None else {"token": token}))

    def call(self, tool, **arguments):
        return self.result("tools/call", name=tool, arguments=arguments)

    def notify(self, method, **params):
        self.send(jsonrpc="2.0", method=method, params=params)

    def progress(self, token):
        """Those that were heard so far."""
        return [one["params"] for one in self.heard if one.get("method") == "notifications/progress" and one["params"]["progressToken"] == token]


class Case(harness.Case):
    def agent(self, *options, era=STATELESS, **more):
        process = self.start("mcp", *options, **{"stdin": subprocess.PIPE, **more})
        agent = Agent(process.stdout, process.stdin).begin()
        agent.process, agent.era, agent.ids = process, era, itertools.count(1)
        if era == HANDSHAKE:
            agent.hello = agent.result("initialize", protocolVersion=HANDSHAKE, capabilities={}, clientInfo={"name": "tests", "version": "1"})
            agent.notify("notifications/initialized")
        return agent

    def agents(self):
        """One of each era."""
        for era in (HANDSHAKE, STATELESS):
            with self.subTest(era=era):
                yield self.agent(era=era)

    def end_of(self, agent, code=0):
        agent.process.stdin.close()
        heard = agent.rest()
        self.assertEqual(agent.process.wait(timeout=self.SECONDS), code)
        return heard

    def text(self, result, nth=0):
        return result["content"][nth]["text"]

    def assert_copied(self, result):
        """The text copy says the same as the structured result."""
        self.assertEqual(json.loads(self.text(result)), result["structuredContent"])
