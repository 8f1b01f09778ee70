#!/usr/bin/env python3
"""Tests of `airlock ai` against a server that speaks the real protocols and misbehaves (support/model_server.py): what is said about
each trouble, how often the server is asked, what is logged, and that no key is ever seen. Needs only python3 and a built airlock.

    tests/commands/ai_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import email.utils
import hashlib
import json
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import stat
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, model_server
from support.model_server import ModelServer, answer, status

AIRLOCK = harness.AIRLOCK
SECONDS = 60
PROTOCOLS = tuple(model_server.PATHS)
KEY = "sk-test-0123456789abcdefghijklmnopqrstuvwxyz"


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.home.mkdir(mode=0o700)

    def airlock(self, *words, server=None, variables=None, **options):
        environment = {**self.environment, **(server.environment if server else {}), **(variables or {})}
        done = super().airlock("ai", *words, env=environment, **options)
        for text in (done.out, done.err):
            self.assertNotIn(KEY, text)
            self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f]")
        return done

    def write(self, name, text, mode=0o600):
        return super().write(f"state/{name}", text, mode)

    def ask(self, server, *words, code=0, variables=None):
        """One question; the JSON that came of it."""
        done = self.airlock("ask", *(words or ("hello there",)), "--format", "json", server=server, variables=variables)
        self.assertEqual(done.returncode, code, done.err + done.out)
        return json.loads(done.out)

    def trouble(self, protocol, misbehaviour, variables=None, questions=1, **options):
        """What is said about one misbehaviour; the server was asked so often."""
        with ModelServer(protocol, [misbehaviour], **options) as server:
            failure = self.ask(server, code=1, variables=variables)["failure"]
            self.assertEqual(len(server.requests), questions, "the server was asked another number of times")
        self.assertTrue(failure["message"])
        self.assertIn(failure["trouble"], self.log()[0]["outcome"])
        return failure

    def log(self):
        done = self.airlock("log", "--format", "json")
        self.assertEqual(done.returncode, 0, done.err)
        return json.loads(done.out)["calls"]


class Asking(Case):
    def test_each_protocol_is_spoken_as_its_server_expects(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol), ModelServer(protocol, [answer("def extract(path):\n    return {}\n")]) as server:
                done = self.airlock("ask", "a question", "--system", "be brief", server=server,
                                    variables={"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY})
                self.assertEqual((done.returncode, done.out), (0, "def extract(path):\n    return {}\n"), done.err)
                self.assertIn("11 + 7 tokens", done.err)
                request, = server.requests
                self.assertEqual((request.path, request.system, request.user),
                                 (model_server.PATHS[protocol], "be brief", "a question"))
                self.assertIs(request.json["stream"], True)
                self.assertEqual(request.json["model"], "test")
                header = "x-api-key" if protocol == "anthropic" else "authorization"
                self.assertEqual(request.headers[header], KEY if protocol == "anthropic" else f"Bearer {KEY}")
                self.assertNotIn("expect", request.headers)
                self.assertRegex(request.headers["user-agent"], r"\Aairlock/")
        self.assertEqual(request.headers["anthropic-version"], "2023-06-01")

    def test_the_question_comes_from_standard_input(self):
        with ModelServer("ollama") as server:
            done = self.airlock("ask", "-", server=server, stdin="müde?\n".encode())
            self.assertEqual(done.out, "Hello\n")
            self.assertEqual(server.requests[0].user, "müde?\n")
            self.assertEqual(self.airlock("ask", "-", server=server, stdin=b" \n").returncode, 2)
            self.assertEqual(len(server.requests), 1)

    def test_tokens_are_the_servers_or_an_estimate(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol), ModelServer(protocol, [answer("x" * 40, usage=None), answer("y")]) as server:
                first = self.ask(server, "z" * 80)
                self.assertEqual((first["prompt_tokens"], first["answer_tokens"], first["tokens_estimated"]), (20, 10, True))
                second = self.ask(server)
                self.assertEqual((second["prompt_tokens"], second["answer_tokens"], second["tokens_estimated"]), (11, 7, False))

    def test_an_answer_at_the_models_limit_says_so(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol), ModelServer(protocol, [answer("x", reason="length")]) as server:
                self.assertTrue(self.ask(server)["was_cut"])
                self.assertIn("cut", self.airlock("ask", "x", server=server).err)

    def test_a_server_that_drips_or_does_not_stream_is_understood(self):
        for protocol in PROTOCOLS:
            for name, way in {"drip": model_server.drip("slowly but whole", 0.02), "type": model_server.wrong_type("slowly but whole"),
                              "whole": model_server.whole("slowly but whole")}.items():
                if (protocol, name) == ("ollama", "whole"):
                    continue
                with self.subTest(protocol=protocol, way=name), ModelServer(protocol, [way]) as server:
                    self.assertEqual(self.ask(server)["answer"], "slowly but whole")

    def test_what_a_compatible_server_does_not_take_is_put_differently(self):
        refusals = [status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
                    status(400, "unknown field stream_options")]
        with ModelServer("openai", [*refusals, answer("at last")]) as server:
            self.assertEqual(self.ask(server)["answer"], "at last")
            last = server.requests[-1].json
            self.assertEqual((len(server.requests), "max_tokens" in last, "stream_options" in last), (3, False, False))
            self.assertEqual(last["max_completion_tokens"], 4096)
        with ModelServer("openai", refusals[:1]) as server:
            self.ask(server, code=1)
            self.assertEqual(len(server.requests), 2)

    def test_what_a_model_says_never_reaches_the_terminal_raw(self):
        with ModelServer("ollama", [answer("a\x1b[2Jb\rc\x07\u202ed\x9b")]) as server:
            self.assertEqual(self.airlock("ask", "x", server=server).out, "a\\x1b[2Jb\\rc\\x07<U+202E>d<U+009B>\n")
            self.assertEqual(self.ask(server)["answer"], "a\x1b[2Jb\rc\x07\u202ed\x9b")

    def test_interrupting_ends_at_once(self):
        with ModelServer("ollama", [model_server.silence()]) as server:
            process = self.start("ai", "ask", "x", env={**self.environment, **server.environment})
            self.wait_for(lambda: server.requests, "a request")
            before = time.monotonic()
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(SECONDS), 130)
            self.assertLess(time.monotonic() - before, 2)
        self.assertEqual([call["outcome"] for call in self.log()], ["canceled"])


class Troubles(Case):
    def test_nobody_listens(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        variables = {"AIRLOCK_MODEL_PROVIDER": "ollama", "AIRLOCK_MODEL": "m", "AIRLOCK_MODEL_ENDPOINT": f"http://127.0.0.1:{port}"}
        done = self.airlock("ask", "x", variables=variables)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Nobody listens", done.err)
        self.assertIn("ollama serve", done.err)
        self.assertNotIn("ollama serve", self.airlock("ask", "x", variables=variables | {"AIRLOCK_MODEL_PROVIDER": "openai"}).err)

    def test_a_host_that_is_not_there(self):
        done = self.airlock("ask", "x", variables={"AIRLOCK_MODEL_PROVIDER": "openai", "AIRLOCK_MODEL": "m",
                                                   "AIRLOCK_MODEL_ENDPOINT": "https://nobody.invalid"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("AIRLOCK_MODEL_ENDPOINT", done.err)
        self.assertRegex(done.err, "was not found|could not be connected|safe connection")

    def test_a_model_that_is_missing(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol), ModelServer(protocol, models=["llama3.2:latest", "mistral:7b"]) as server:
                failure = self.ask(server, code=1, variables={"AIRLOCK_MODEL": "lama3.2"})["failure"]
                self.assertEqual(failure["trouble"], "model_missing")
                self.assertIn("has no model 'lama3.2'. It has: llama3.2:latest, mistral:7b. Did you mean 'llama3.2'?", failure["message"])
                self.assertEqual(failure["fix"].startswith("fetch it: ollama pull lama3.2"), protocol == "ollama")
                self.assertEqual((len(server.requests), len(server.listings)), (1, 1))

    def test_an_endpoint_that_is_another_servers(self):
        with ModelServer("ollama", models=None) as server:
            failure = self.ask(server, code=1, variables={"AIRLOCK_MODEL_PROVIDER": "anthropic"})["failure"]
            self.assertEqual(failure["trouble"], "bad_settings")
            self.assertIn("404", failure["message"])
            self.assertIn("provider and endpoint", failure["fix"])

    def test_a_key_that_is_not_accepted_names_its_place(self):
        file = self.write("key", KEY)
        for code in (401, 403):
            for variables, place in (({"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY}, "the variable MY_KEY"),
                                     ({"AIRLOCK_MODEL_KEY_FILE": str(file)}, str(file)), ({}, "key_env")):
                for protocol in PROTOCOLS:
                    with self.subTest(code=code, place=place, protocol=protocol):
                        failure = self.trouble(protocol, status(code, f"bad key {KEY}"), variables)
                        self.assertEqual(failure["trouble"], "unauthorized")
                        self.assertIn(place, failure["message"] + failure["fix"])
                        self.assertIn(str(code), failure["message"])
                        self.assertFalse(failure["is_worth_another_try"])

    def test_too_many_questions(self):
        later = email.utils.formatdate(time.time() + 90, usegmt=True)
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol):
                failure = self.trouble(protocol, status(429, retry_after="7"))
                self.assertEqual((failure["trouble"], failure["retry_after"], failure["is_worth_another_try"]),
                                 ("rate_limited", 7, True))
                self.assertIn("7 s", failure["message"])
                self.assertIsNone(self.trouble(protocol, status(429))["retry_after"])
                self.assertIsNone(self.trouble(protocol, status(429, retry_after="soon\u00e9"))["retry_after"])
                self.assertEqual(self.trouble(protocol, status(429, retry_after="999999999999"))["retry_after"], 3600)
                self.assertIn(self.trouble(protocol, status(429, retry_after=later))["retry_after"], range(80, 91))

    def test_a_server_with_trouble_of_its_own(self):
        for protocol in PROTOCOLS:
            for code in (500, 502, 503, 529):
                with self.subTest(protocol=protocol, code=code):
                    failure = self.trouble(protocol, status(code, "out of memory\x1b[2J"))
                    self.assertEqual((failure["trouble"], failure["is_worth_another_try"]), ("server_error", True))
                    self.assertIn(f"({code}). It says: out of memory\\x1b[2J", failure["message"])
            failure = self.trouble(protocol, model_server.failing("the model crashed"))
            self.assertEqual((failure["trouble"], failure["is_worth_another_try"]), ("server_error", True))
            self.assertIn("the model crashed", failure["message"])
        failure = self.trouble("openai", model_server.failing("the prompt is too long", "invalid_request_error"))
        self.assertFalse(failure["is_worth_another_try"])

    def test_a_key_that_a_server_repeats_is_not_shown(self):
        for way in (status(400, f"unknown field in {KEY}"), status(500, KEY), model_server.failing(f"no {KEY}")):
            self.trouble("openai", way, {"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY})

    def test_silence_before_the_answer_and_in_it(self):
        variables = {"AIRLOCK_MODEL_FIRST_BYTE_SECONDS": "1", "AIRLOCK_MODEL_STALL_SECONDS": "1"}
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol):
                failure = self.trouble(protocol, model_server.silence(), variables)
                self.assertEqual(failure["trouble"], "timeout")
                self.assertIn("did not begin to answer within 1 s", failure["message"])
                self.assertIn("first_byte_seconds", failure["fix"])
                failure = self.trouble(protocol, model_server.stall(), variables)
                self.assertIn("in the middle", failure["message"])
                self.assertIn("stall_seconds", failure["fix"])
        failure = self.trouble("ollama", model_server.drip("x" * 1000, 0.1), {"AIRLOCK_MODEL_TIMEOUT_SECONDS": "1"})
        self.assertIn("did not finish its answer within 1 s", failure["message"])

    def test_answers_that_are_none(self):
        cases = {
            "empty_answer": [(model_server.nothing(), "empty answer"), (model_server.empty(), "empty answer"),
                             (answer(" \n"), "empty answer"), (model_server.hang_up(), "without a word")],
            "broken_answer": [(model_server.half(), "broke off after"), (model_server.cut_line(), "broke off after"),
                              (model_server.broken_chunk(), "broke off after"), (model_server.reset_midway(), "broke off after"),
                              (model_server.reset(), "broke"), (model_server.prose(), "not the protocol"),
                              (model_server.html(), "web page"), (model_server.invalid_json(), "JSON that cannot be read"),
                              (model_server.deep_json(), "JSON that cannot be read"), (model_server.invalid_utf8(), "not UTF-8"),
                              (model_server.not_http(), "does not speak HTTP")],
            "too_long": [(model_server.flood(), "more than we take"), (model_server.long_line(), "more than we take")],
            "bad_settings": [(model_server.redirect("http://elsewhere.example/x"), "'http://elsewhere.example/x'"),
                             (status(400, "context length"), "It says: context length")],
        }
        for protocol in PROTOCOLS:
            for trouble, ways in cases.items():
                for way, words in ways:
                    with self.subTest(protocol=protocol, words=words):
                        failure = self.trouble(protocol, way)
                        self.assertEqual(failure["trouble"], trouble)
                        self.assertIn(words, failure["message"])
                        self.assertTrue(failure["fix"])

    def test_a_redirect_takes_the_key_nowhere(self):
        with ModelServer("openai") as other, ModelServer("openai", [model_server.redirect(other.url + "/v1/chat/completions")]) as server:
            self.ask(server, code=1, variables={"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY})
            self.assertEqual((len(server.requests), len(other.requests)), (1, 0))

    def test_a_proxy_never_sees_questions_to_this_machine(self):
        with ModelServer("openai") as proxy, ModelServer("openai") as server:
            self.ask(server, variables={"http_proxy": proxy.url, "all_proxy": proxy.url})
            self.assertEqual((len(server.requests), len(proxy.requests)), (1, 0))

    def test_certificates_are_checked(self):
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl to make a certificate")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "tls.key", "-out", "tls.crt", "-days", "2",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "tls.crt", self.folder / "tls.key")
        with ModelServer("openai", context=context) as server:
            failure = self.ask(server, code=1)["failure"]
            self.assertEqual((failure["trouble"], len(server.requests)), ("bad_settings", 0))
            self.assertIn("No safe connection", failure["message"])
            self.assertIn("ca_file", failure["fix"])
            self.assertEqual(self.ask(server, variables={"AIRLOCK_MODEL_CA_FILE": str(self.folder / "tls.crt")})["answer"], "Hello")

    def test_without_libcurl_the_package_is_named(self):
        fake = self.folder / "libcurl.so.4"
        fake.write_bytes(b"no library")
        with ModelServer("ollama") as server:
            done = self.airlock("ask", "x", server=server, variables={"LD_LIBRARY_PATH": str(self.folder)})
        if done.returncode == 0:
            self.skipTest("this loader goes on to the next folder")
        self.assertIn("apt-get install libcurl4", done.err)


class SettingsInForce(Case):
    def test_disabled_is_the_default_and_no_trouble(self):
        done = self.airlock("status")
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn("airlock works without one", done.out)
        report = json.loads(self.airlock("status", "--format", "json").out)
        self.assertEqual((report["provider"], report["ready"], report["answers"]), ("disabled", False, None))
        done = self.airlock("ask", "x")
        self.assertEqual((done.returncode, done.out), (2, ""))
        self.assertIn("AIRLOCK_MODEL_PROVIDER=ollama", done.err)
        self.assertFalse((self.home / "airlock.db").exists(), "looking made a store")

    def test_status_says_what_holds_and_where_it_comes_from(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol=protocol), ModelServer(protocol, models=["one", "two"]) as server:
                config = self.write("config.toml", f'[model]\nprovider = "{protocol}"\nmodel = "three"\nkey_env = "MY_KEY"\n')
                variables = {"AIRLOCK_MODEL_ENDPOINT": server.url, "MY_KEY": KEY}
                done = self.airlock("status", "--model", "one", "--format", "json", variables=variables)
                report = json.loads(done.out)
                self.assertEqual((done.returncode, report["ready"], report["has_model"], report["models"]), (0, True, True, ["one", "two"]))
                self.assertEqual(report["key"], {"source": "variable MY_KEY", "present": True, "trouble": None})
                sources = {row["name"]: row["source"] for row in report["settings"]}
                self.assertEqual(sources["model.provider"], f"{config}:2:1")
                self.assertEqual((sources["model.endpoint"], sources["model.model"], sources["model.max_tokens"]),
                                 ("AIRLOCK_MODEL_ENDPOINT", "--model", "default"))
                text = self.airlock("status", "--model", "one", variables=variables)
                self.assertIn("present, from the variable MY_KEY", text.out)
                self.assertIn("ready", text.out)
                done = self.airlock("status", "--format", "json", variables=variables)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(json.loads(done.out)["failure"]["trouble"], "model_missing")
                self.assertEqual(server.requests, [], "status asked the model something")

    def test_status_of_a_server_that_is_down_or_lists_nothing(self):
        variables = {"AIRLOCK_MODEL_PROVIDER": "ollama", "AIRLOCK_MODEL": "m", "AIRLOCK_MODEL_ENDPOINT": "http://127.0.0.1:9"}
        done = self.airlock("status", variables=variables)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ollama serve", done.out)
        with ModelServer("openai", models=None) as server:
            report = json.loads(self.airlock("status", "--format", "json", server=server).out)
            self.assertEqual((report["ready"], report["has_model"]), (True, None))

    def test_mistakes_are_told_all_at_once(self):
        self.write("config.toml", '[model]\nprovidr = "ollama"\nmax_tokens = 0\n[wizard]\nretries = "x"\n')
        done = self.airlock("status", variables={"AIRLOCK_MODEL_TIMEOUT_SECONDS": "soon"})
        self.assertEqual((done.returncode, done.out), (2, ""))
        for words in ("4 mistakes", "config.toml:2:1: unknown key 'providr'; did you mean 'provider'?", "config.toml:3:14:",
                      "config.toml:5:11:", "AIRLOCK_MODEL_TIMEOUT_SECONDS: must be a whole number"):
            self.assertIn(words, done.err)

    def test_the_file_lies_where_the_environment_says(self):
        del self.environment["AIRLOCK_HOME"]
        for folder, variables in (("config", {"XDG_CONFIG_HOME": str(self.folder / "config")}), (".config", {})):
            place = self.folder / folder / "airlock"
            place.mkdir(parents=True)
            (place / "config.toml").write_text("[log]\nretention_days = 5\n", encoding="utf-8")
            report = json.loads(self.airlock("status", "--format", "json", variables=variables).out)
            self.assertEqual((report["file"], report["file_exists"]), (str(place / "config.toml"), True))
            self.assertIn({"name": "log.retention_days", "value": "5", "source": f"{place}/config.toml:2:1"}, report["settings"])

    def test_keys_that_cannot_be_read_are_told_in_words(self):
        with ModelServer("openai") as server:
            open_file = self.write("open", KEY, 0o644)
            link = self.home / "link"
            link.symlink_to(self.write("key", KEY))
            for variables, words in (({"AIRLOCK_MODEL_KEY_FILE": str(open_file)}, "chmod 600"),
                                     ({"AIRLOCK_MODEL_KEY_FILE": str(link)}, "symbolic link"),
                                     ({"AIRLOCK_MODEL_KEY_FILE": "nowhere"}, "No such file"),
                                     ({"AIRLOCK_MODEL_KEY_ENV": "MY_KEY"}, "MY_KEY is not set"),
                                     ({"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": "a b"}, "characters that no key has")):
                with self.subTest(words=words):
                    done = self.airlock("ask", "x", server=server, variables=variables)
                    self.assertEqual((done.returncode, done.out), (2, ""))
                    self.assertIn(words, done.err)
                    done = self.airlock("status", server=server, variables=variables)
                    self.assertEqual(done.returncode, 1)
                    self.assertIn(words, done.out)
            self.assertEqual(server.requests, [])

    def test_http_to_another_machine_is_refused(self):
        done = self.airlock("ask", "x", variables={"AIRLOCK_MODEL_PROVIDER": "openai", "AIRLOCK_MODEL": "m",
                                                   "AIRLOCK_MODEL_ENDPOINT": "http://192.0.2.1/v1"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("insecure = true", done.err)

    def test_the_usual_key_is_not_sent_to_another_server(self):
        with ModelServer("openai") as server:
            self.ask(server, variables={"OPENAI_API_KEY": KEY})
            self.assertNotIn("authorization", server.requests[0].headers)

    def test_a_process_that_holds_a_key_leaves_no_core(self):
        with ModelServer("openai", [model_server.silence()]) as server:
            process = self.start("ai", "ask", "x", env={**self.environment, **server.environment, "AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY})
            self.wait_for(lambda: server.requests, "a request")
            proc = pathlib.Path("/proc", str(process.pid))
            soft = re.search(r"Max core file size +(\d+)", (proc / "limits").read_text())[1]
            words = (proc / "cmdline").read_bytes()
            process.kill()
            process.wait()
        self.assertLessEqual(int(soft), 1)
        self.assertNotIn(KEY.encode(), words)


class Log(Case):
    def test_every_question_is_there_with_its_hash_and_beginning(self):
        with ModelServer("ollama", [answer("x" * 600 + "é"), status(429, retry_after="3")]) as server:
            self.ask(server, "ü" * 700)
            self.ask(server, "second", code=1)
        second, first = self.log()
        self.assertEqual(first["sent_sha256"], hashlib.sha256(("ü" * 700).encode()).hexdigest())
        self.assertEqual((first["sent_bytes"], first["sent_start"]), (1400, "ü" * 500))
        self.assertEqual((first["answer_bytes"], first["answer_start"]), (602, "x" * 500))
        self.assertEqual((first["outcome"], first["provider"], first["model"], first["prompt_tokens"]), ("answered", "ollama", "test", 11))
        self.assertEqual((second["outcome"], second["answer_sha256"]), ("rate_limited", None))
        self.assertIn("429", second["message"])
        shown = self.airlock("log", first["id"][:-2])
        self.assertEqual(shown.returncode, 0, shown.err)
        self.assertIn(first["sent_sha256"], shown.out)
        self.assertEqual(json.loads(self.airlock("log", first["id"], "--format", "json").out), first)
        self.assertEqual(len(self.airlock("log", "--limit", "1").out.splitlines()), 1)
        self.assertEqual(self.airlock("log", "zzz").returncode, 2)
        self.assertEqual(stat.S_IMODE((self.home / "airlock.db").stat().st_mode), 0o600)

    def test_no_secret_and_no_key_is_kept(self):
        token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
        with ModelServer("openai", [answer(f"use {token}")]) as server:
            self.ask(server, f"my token is {token}", variables={"AIRLOCK_MODEL_KEY_ENV": "MY_KEY", "MY_KEY": KEY})
        kept = b"".join(file.read_bytes() for file in self.home.iterdir())
        self.assertNotIn(token.encode(), kept)
        self.assertNotIn(KEY.encode(), kept)
        self.assertIn("REDACTED", self.log()[0]["sent_start"])

    def test_export_is_one_line_of_json_for_each_the_oldest_first(self):
        with ModelServer("ollama") as server:
            for word in ("one", "two\nlines", "three"):
                self.ask(server, word)
        done = self.airlock("export", "-")
        lines = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([line["sent_start"] for line in lines], ["one", "two\nlines", "three"])
        self.assertEqual(self.airlock("export", "log.ndjson").returncode, 0)
        self.assertEqual((self.folder / "log.ndjson").read_text(encoding="utf-8"), done.out)
        self.assertEqual(self.airlock("export", "no/such/folder").returncode, 2)

    def test_what_is_old_goes(self):
        with ModelServer("ollama") as server:
            self.ask(server, "old")
            with sqlite3.connect(self.home / "airlock.db") as database:
                database.execute("UPDATE model_calls SET started = started - 100 * 86400000")
            database.close()
            self.assertEqual(self.airlock("prune", "--older-than", "101").out, "0 questions removed\n")
            self.ask(server, "new", variables={"AIRLOCK_LOG_RETENTION_DAYS": "99"})
            self.assertEqual([call["sent_start"] for call in self.log()], ["new"])
            self.assertEqual(json.loads(self.airlock("prune", "--older-than", "0", "--format", "json").out), {"removed": 1})
        self.assertEqual(self.airlock("log").out, "no question is in the log\n")
        self.assertEqual(self.airlock("prune", "--older-than", "-1").returncode, 2)

    def test_a_log_that_cannot_be_written_costs_no_answer(self):
        (self.home / "airlock.db").write_bytes(b"this is no database" * 100)
        with ModelServer("ollama") as server:
            done = self.airlock("ask", "x", server=server)
        self.assertEqual((done.returncode, done.out), (0, "Hello\n"))
        self.assertEqual(done.err.count("not in the log"), 1)


class Words(Case):
    def test_help_has_an_example(self):
        for command in ([], ["status"], ["ask"], ["log"], ["export"], ["prune"]):
            done = self.airlock(*command, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Example:\n", done.out)

    def test_wrong_words_are_told(self):
        for words, hint in ((["statsu"], "status"), (["ask"], "PROMPT"), ([], "airlock ai"), (["log", "--limit", "0"], "--limit"),
                            (["status", "--provider", "olama"], "did you mean 'ollama'")):
            done = self.airlock(*words)
            self.assertEqual((done.returncode, done.out), (2, ""), words)
            self.assertIn(hint, done.err)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
