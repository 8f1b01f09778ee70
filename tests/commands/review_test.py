#!/usr/bin/env python3
"""Tests of `airlock review` as a browser meets it: signing in, looking, approving, rejecting, and everything that is refused.
Needs only python3 and a built airlock; how the page looks and acts in a real browser is tests/page.

    tests/commands/review_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import html
import json
import pathlib
import re
import signal
import socket
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, reviewing
from support.drafts import CODE, SECOND, SLOW

AIRLOCK = harness.AIRLOCK


class SigningIn(reviewing.Case):
    def test_a_link_works_once_and_the_next_one_is_printed(self):
        visitor = self.review()
        first = self.link
        answer = visitor.look(first)
        self.assertEqual(answer.status, 200)
        cookie = answer.headers["Set-Cookie"]
        for word in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(word, cookie)
        self.assertNotIn("Secure", cookie)
        self.assertEqual(visitor.look(first).status, 403)
        _, second = self.next_link()
        self.assertNotEqual(first, second)
        self.assertIn("Secure", visitor.look(second, **{"X-Forwarded-Proto": "https"}).headers["Set-Cookie"])

    def test_without_a_cookie_a_page_says_how_to_sign_in(self):
        draft = self.add()
        visitor = self.review()
        for path in ("/", f"/drafts/{draft}", "/extractors", "/runs", "/tail", "/rejected"):
            answer = visitor.look(path)
            self.assertEqual(answer.status, 401, path)
            self.assertIn("airlock review", answer.text)
            self.assertNotIn(draft, answer.text)
        self.assertEqual(visitor.send(f"/drafts/{draft}/approve", name="x", by="y").status, 401)
        self.assertEqual(self.drafts(), [draft])

    def test_who_signs_out_is_out(self):
        self.review()
        reviewer = self.sign_in()
        hidden = reviewer.fields_of(reviewer.look("/"), "/sign-out")
        out = reviewer.send("/sign-out", **hidden)
        self.assertEqual(out.status, 200)
        self.assertEqual(out.cookie, reviewer.cookie.partition("=")[0] + "=")
        self.assertIn("Max-Age=0", out.headers["Set-Cookie"])
        self.assertEqual(reviewer.look("/").status, 401)

    def test_strangers_are_refused_at_the_head_and_take_no_slot(self):
        """Slots are all taken by pieces that sleep; a body that never comes is not waited for."""
        draft = self.add()
        self.review("serve", "--http", "127.0.0.1:0", "--workers", "1")
        reviewer = self.sign_in()
        port = int(self.place.rpartition(":")[2])
        token = pathlib.Path(re.search(r"the token is in (.*)", self.all_said)[1]).read_text().strip()
        body = json.dumps({"code": "import time\ntime.sleep(60)", "timeout": 60})
        with socket.create_connection(("127.0.0.1", port)) as busy:
            busy.sendall(f"POST /v1/run HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
            for path in ("/sign-out", f"/drafts/{draft}/approve", f"/drafts/{draft}/reject"):
                with socket.create_connection(("127.0.0.1", port), timeout=10) as stranger:
                    stranger.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\na".encode())
                    self.assertTrue(stranger.recv(12).endswith(b" 401"), path)
            self.assertEqual(reviewing.Reviewer(self.place).look(f"/drafts/{draft}").status, 401)
            self.assertEqual(reviewer.look("/").status, 200)

    def test_behind_a_proxy_with_a_name_of_its_own_forms_are_taken(self):
        draft = self.add()
        self.review("serve", "--http", "127.0.0.1:0", "--allow-host", "airlock.example.com")
        reviewer = self.sign_in()
        for host, origin, status in (("airlock.example.com", "https://airlock.example.com", 422), ("airlock.example.com:8443", "https://airlock.example.com:8443", 422),
                                     ("airlock.example.com", "https://airlock.example.com:8443", 403), ("other.example.com", "https://other.example.com", 403)):
            hidden = reviewer.fields_of(reviewer.look(f"/drafts/{draft}"), f"/drafts/{draft}/reject")
            form = urllib.parse.urlencode({**hidden, "by": "Ann", "note": ""}).encode()
            answer = reviewer.ask(f"/drafts/{draft}/reject", form, {"Host": host, "Origin": origin, "X-Forwarded-Proto": "https"})
            self.assertEqual(answer.status, status, (host, origin))

    def test_the_link_of_every_address_leads_to_this_machine(self):
        self.review("serve", "--http", "0.0.0.0:0")
        self.assertIn("listening at http://0.0.0.0:", self.all_said)
        self.assertEqual(self.sign_in().look("/").status, 200)

    def test_the_browser_is_given_a_file_of_this_user_and_not_the_link(self):
        self.write("bin/xdg-open", "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/opened\"\nstat -c %a \"$1\" >> \"$HOME/opened\"\ncat \"$1\" >> \"$HOME/opened\"\necho end >> \"$HOME/opened\"\n", mode=0o755)
        self.environment.update(PATH=f"{self.folder}/bin:/usr/bin:/bin", DISPLAY=":7")
        self.review("review")
        opened = self.folder / "opened"
        self.wait_for(lambda: opened.exists() and opened.read_text().endswith("end\n"), "the browser")
        file, mode, text = opened.read_text().split("\n", 2)
        self.assertEqual((file, mode), (str(self.home / "airlock.review.html"), "600"))
        self.assertIn(self.place + self.link, text)
        self.server.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(self.server).returncode, 130)
        self.assertFalse(pathlib.Path(file).exists())

    def test_a_server_for_programs_has_the_page_too_and_tells_what_was_denied(self):
        self.review("serve", "--http", "127.0.0.1:0")
        reviewer = self.sign_in()
        self.assertEqual(reviewer.look("/").status, 200)
        token = pathlib.Path(re.search(r"the token is in (.*)", self.all_said)[1]).read_text().strip()
        code = json.dumps({"code": "import socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass"}).encode()
        answer = reviewer.ask("/v1/run", code, {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        self.assertEqual(answer.status, 200, answer.text)
        self.assertIn("socket", json.loads(answer.text)["denials"][0]["call"])
        self.assertIn("a piece asked for socket at line 3", reviewer.look("/tail").text)
        self.assertEqual(reviewer.ask("/v1/drafts", headers={"Authorization": ""}).status, 401)

    def test_a_signal_ends_it_in_good_order(self):
        self.review()
        self.sign_in()
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(self.server).returncode, 0)


class Reviewing(reviewing.Case):
    def setUp(self):
        super().setUp()
        self.draft = self.json("drafts", "add", "e.py", "--samples", "p.txt", "--name", "sales")["id"]
        self.review()
        self.ann = self.sign_in()

    def test_every_page_is_closed_to_scripts_of_others(self):
        for path in ("/", f"/drafts/{self.draft}", "/extractors", "/runs", "/tail", "/rejected"):
            answer = self.ann.look(path)
            self.assertEqual(answer.status, 200, path)
            policy = answer.headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Cache-Control"], "no-store")
            self.assertNotIn(" style=", answer.text)
            self.assertNotIn("<script>", answer.text)
        for name, kind in (("page.css", "text/css"), ("page.js", "text/javascript"), ("icon.svg", "image/svg+xml")):
            self.assertIn(kind, self.ann.look(f"/assets/{name}").headers["Content-Type"])
        self.assertEqual(self.ann.look("/assets/none.css").status, 404)

    def test_a_draft_is_seen_and_approved_with_a_receipt(self):
        self.assertIn(self.draft, self.ann.look("/").text)
        page = self.ann.look(f"/drafts/{self.draft}").text
        for word in ("Passes", "2 of 2 samples", "Nothing outside", "All of it is new", "/data/ABC/report.csv", "<small>text"):
            self.assertIn(word, page)
        done = self.decide(self.ann, self.draft, "approve", name="sales", by="Ann Lee", note="looked at both")
        self.assertEqual((done.status, done.headers["Location"]), (303, "/extractors/sales%401?approved=now"))
        receipt = self.json("extractors", "show", "sales")
        self.assertEqual((receipt["approved_by"], receipt["note"]), ("Ann Lee", "looked at both"))
        shown = self.ann.follow(done).text
        for word in ("sales@1 is approved", "The receipt holds", receipt["receipt"]["sha256"], "Ann Lee", "looked at both"):
            self.assertIn(word, shown)
        self.assertEqual(self.drafts(), [])
        # The name is remembered for the next one.
        other = self.add()
        self.assertIn('value="Ann Lee"', self.ann.look(f"/drafts/{other}").text)

    def test_a_draft_is_rejected_with_a_reason(self):
        self.assertEqual(self.decide(self.ann, self.draft, "reject", by="Ann", note="").status, 422)
        done = self.decide(self.ann, self.draft, "reject", by="Ann", note="the year\r\nis wrong")
        self.assertEqual(done.status, 303)
        self.assertIn("is wrong", self.ann.follow(done).text)
        [one] = self.json("drafts", "--rejected")["rejected"]
        self.assertEqual((one["id"], one["rejected_by"], one["note"]), (self.draft, "Ann", "the year\nis wrong"))
        self.assertEqual(self.ann.look(f"/drafts/{self.draft}").status, 410)

    def test_what_changed_is_shown_against_the_approved_version(self):
        self.decide(self.ann, self.draft, "approve", name="sales", by="Ann")
        second = self.json("drafts", "add", "two.py", "--samples", "p.txt", "--name", "sales")["id"]
        page = self.ann.look(f"/drafts/{second}").text
        for word in ("sales@1", "2 of 2 answers differ", "removed: ", "added: ", "year</bdi> <small>new"):
            self.assertIn(word, page)

    def test_the_second_of_two_reviewers_sees_who_was_first(self):
        bob = self.sign_in()
        page = bob.look(f"/drafts/{self.draft}")
        self.assertEqual(self.decide(self.ann, self.draft, "approve", name="sales", by="Ann").status, 303)
        late = bob.send(f"/drafts/{self.draft}/approve", **bob.fields_of(page, f"/drafts/{self.draft}/approve"), name="sales", by="Bob")
        self.assertEqual(late.status, 409)
        self.assertIn("Ann approved the draft", late.text)
        self.assertEqual(len(self.json("extractors", "history", "sales")["extractors"]), 1)

    def test_of_many_at_once_one_approves(self):
        page = self.ann.look(f"/drafts/{self.draft}")
        hidden = self.ann.fields_of(page, f"/drafts/{self.draft}/approve")
        statuses = []
        threads = [threading.Thread(target=lambda: statuses.append(self.ann.send(f"/drafts/{self.draft}/approve", **hidden, name="sales", by="Ann").status))
                   for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(statuses), [303] + [409] * 5)

    def test_a_draft_that_was_edited_meanwhile_is_not_approved(self):
        page = self.ann.look(f"/drafts/{self.draft}")
        hidden = self.ann.fields_of(page, f"/drafts/{self.draft}/approve")
        self.sql("UPDATE drafts SET text = ?", SECOND)
        answer = self.ann.send(f"/drafts/{self.draft}/approve", **hidden, name="sales", by="Ann", note="my words")
        self.assertEqual(answer.status, 422)
        self.assertIn("was changed by somebody else", answer.text)
        self.assertIn("my words", answer.text)
        self.assertEqual(self.drafts(), [self.draft])

    def test_what_does_not_pass_any_more_is_not_approved(self):
        bad = "import os\n" + CODE
        self.sql("UPDATE drafts SET text = ?", bad)
        page = self.ann.look(f"/drafts/{self.draft}").text
        self.assertIn("Does not pass", page)
        self.assertIn("AL201", page)
        self.assertNotIn(f'action="/drafts/{self.draft}/approve"', page)
        hidden = self.ann.fields_of(self.ann.look(f"/drafts/{self.draft}"), f"/drafts/{self.draft}/reject")
        answer = self.ann.send(f"/drafts/{self.draft}/approve", **hidden, name="sales", by="Ann")
        self.assertEqual(answer.status, 422)
        self.assertIn("is not valid any more", answer.text)

    def refuses(self, hidden, words, draft=None, **fields):
        """The old form is not taken, says why, keeps what was typed, and approves nothing."""
        draft = draft or self.draft
        before = self.json("extractors")["extractors"]
        answer = self.ann.send(f"/drafts/{draft}/approve", **hidden, **{"name": "sales", "by": "Ann", "note": "my words", **fields})
        self.assertEqual(answer.status, 422, answer.text)
        for word in (words, "my words", "Nothing was approved"):
            self.assertIn(word, answer.text)
        self.assertEqual(self.json("extractors")["extractors"], before)
        return answer

    def form_of(self, draft):
        return self.ann.fields_of(self.ann.look(f"/drafts/{draft}"), f"/drafts/{draft}/approve")

    def test_a_policy_that_allows_more_than_what_was_seen_is_not_approved(self):
        policy = self.write("p.toml", 'extends = "extractor"\n')
        draft = self.json("drafts", "add", "e.py", "--samples", "p.txt", "--name", "other", "--policy", policy)["id"]
        page = self.ann.look(f"/drafts/{draft}")
        self.assertIn("Nothing outside", page.text)
        hidden = self.ann.fields_of(page, f"/drafts/{draft}/approve")
        self.write("p.toml", 'extends = "node"\n')
        shown = self.refuses(hidden, "its policy allows something else now", draft, name="other")
        self.assertNotIn("Nothing outside", shown.text)
        # A comment allows nothing, and what was seen then is approved.
        hidden = self.ann.fields_of(shown, f"/drafts/{draft}/approve")
        self.write("p.toml", '# the same\nextends = "node"\n')
        self.assertEqual(self.ann.send(f"/drafts/{draft}/approve", **hidden, name="other", by="Ann").status, 303)

    def test_samples_that_were_not_seen_are_not_approved(self):
        hidden = self.form_of(self.draft)
        self.sql("UPDATE drafts SET samples = ?", "/data/OTHER/one.csv\0")
        self.assertIn("/data/OTHER/one.csv", self.refuses(hidden, "its samples are others now").text)

    def test_a_version_that_nobody_compared_is_not_replaced(self):
        """By a name that is typed, and by one that somebody else has approved meanwhile."""
        hidden = self.form_of(self.draft)
        other = self.json("drafts", "add", "two.py", "--samples", "p.txt", "--name", "hostile")["id"]
        page = self.ann.look(f"/drafts/{other}")
        self.assertIn("All of it is new", page.text)
        self.airlock("approve", self.json("drafts", "add", "e.py", "--samples", "p.txt")["id"], "--name", "sales", code=0)
        self.refuses(hidden, "after sales@1, and you saw it compared with nothing")
        shown = self.refuses(self.ann.fields_of(page, f"/drafts/{other}/approve"), "after sales@1", other)
        for word in ("2 of 2 answers differ", "added: ", 'value="sales"'):
            self.assertIn(word, shown.text)
        hidden = self.ann.fields_of(shown, f"/drafts/{other}/approve")
        self.refuses(hidden, "after nothing, and you saw it compared with sales@1", other, name="hostile")
        self.assertEqual(self.ann.send(f"/drafts/{other}/approve", **hidden, name="sales", by="Ann").status, 303)

    def test_another_policy_and_other_samples_are_changes(self):
        self.decide(self.ann, self.draft, "approve", name="sales", by="Ann")
        same = self.json("drafts", "add", "e.py", "--samples", "p.txt", "--name", "sales")["id"]
        page = self.ann.look(f"/drafts/{same}").text
        self.assertIn("Same code</span>", page)
        self.assertNotIn("another policy", page)
        self.write("more.toml", 'extends = "extractor"\n[modules.csv]\nwhy = "rows"\nattributes = ["reader"]\n')
        self.write("p2.txt", "/data/ABC/report.csv\n/data/NEW/report.csv\n")
        other = self.json("drafts", "add", "e.py", "--samples", "p2.txt", "--name", "sales", "--policy", "more.toml")["id"]
        page = self.ann.look(f"/drafts/{other}").text
        for word in ("Same code, other policy", "another policy, other samples, 0 of 2 answers differ", "Under another policy", "1 are new, 1 of those are not among them"):
            self.assertIn(word, page)

    def test_a_blank_is_no_name(self):
        for by in ("", " ", "\u3000", "\u00a0 "):
            self.assertEqual(self.decide(self.ann, self.draft, "approve", name="sales", by=by).status, 422, repr(by))
        self.airlock("approve", self.draft, "--by", "  ", code=2)
        self.airlock("drafts", "reject", self.draft, "--by", " ", "--note", "x", code=2)
        self.airlock("drafts", "reject", self.draft, "--by", "Ann", "--note", "  ", code=2)
        self.assertEqual(self.drafts(), [self.draft])

    def test_what_was_typed_comes_back_byte_for_byte(self):
        typed = {"name": "no name", "by": "Zoë\u00a0B", "note": "\nI ❤\ufe0f it, \u202eodd</textarea>&amp;"}
        answer = self.decide(self.ann, self.draft, "approve", **typed)
        self.assertEqual(answer.status, 422)
        note = re.search(r'<textarea id="approve-note"[^>]*>\n(.*?)</textarea>', answer.text, re.DOTALL)[1]
        self.assertEqual(html.unescape(note), typed["note"])
        for field in ("name", "by"):
            self.assertIn(f'value="{html.escape(typed[field])}"', answer.text)

    def test_what_was_not_whole_on_the_page_is_not_approved_there(self):
        self.write("long.py", CODE + "# " + "x" * 90000 + "\n")
        draft = self.add("long.py")
        page = self.ann.look(f"/drafts/{draft}")
        self.assertIn("Not all of it can be shown here", page.text)
        hidden = self.ann.fields_of(page, f"/drafts/{draft}/reject")
        answer = self.ann.send(f"/drafts/{draft}/approve", **hidden, name="long", by="Ann")
        self.assertEqual(answer.status, 422)
        self.assertIn("cannot be approved here", answer.text)

    def open_tab(self, draft):
        """A browser that has asked for a draft, and waits."""
        tab = socket.create_connection(("127.0.0.1", int(self.place.rpartition(":")[2])), timeout=30)
        self.addCleanup(tab.close)
        tab.sendall(f"GET /drafts/{draft} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.ann.cookie}\r\n\r\n".encode())
        return tab

    def slow_draft(self):
        """Two minutes on its samples, if nobody stops it."""
        draft = self.add()
        self.sql("UPDATE drafts SET text = ?, samples = ? WHERE id = ?", SLOW, "".join(f"/data/{i}.csv\0" for i in range(24)), draft)
        return draft

    def test_a_closed_tab_stops_the_samples_and_frees_the_slot(self):
        draft = self.slow_draft()
        tabs = [self.open_tab(draft) for _ in range(16)]  # more than there are slots
        self.wait_for(lambda: self.ann.look("/").status == 200, "the server")
        for tab in tabs:
            tab.close()
        began = time.monotonic()
        self.assertEqual(self.ann.look(f"/drafts/{self.draft}").status, 200)
        self.assertLess(time.monotonic() - began, 20)

    def test_a_signal_stops_the_samples_and_every_tab_is_answered(self):
        """Those that run and those that wait for a slot."""
        draft = self.slow_draft()
        tabs = [self.open_tab(draft) for _ in range(16)]
        self.wait_for(lambda: self.ann.look("/").status == 200, "the server")
        began = time.monotonic()
        self.server.send_signal(signal.SIGTERM)
        for tab in tabs:
            self.assertEqual(tab.recv(12), b"HTTP/1.1 503")
        self.assertEqual(self.finish(self.server).returncode, 0)
        self.assertLess(time.monotonic() - began, 20)

    def test_forms_of_others_change_nothing(self):
        hidden = self.ann.fields_of(self.ann.look(f"/drafts/{self.draft}"), f"/drafts/{self.draft}/approve")
        path = f"/drafts/{self.draft}/approve"
        self.assertEqual(self.ann.send(path, **{**hidden, "token": "0" * 64}, name="sales", by="Ann").status, 403)
        bob = self.sign_in()
        self.assertEqual(bob.send(path, **hidden, name="sales", by="Bob").status, 403)
        foreign = self.ann.ask(path, b"token=x", {"Origin": "http://evil.example"})
        self.assertEqual(foreign.status, 403)
        self.assertEqual(self.drafts(), [self.draft])

    def test_a_full_disk_is_said_and_nothing_is_half_done(self):
        hidden = self.ann.fields_of(self.ann.look(f"/drafts/{self.draft}"), f"/drafts/{self.draft}/approve")
        self.sql("CREATE TRIGGER full BEFORE INSERT ON extractors BEGIN SELECT RAISE(ABORT, 'no space left'); END")
        answer = self.ann.send(f"/drafts/{self.draft}/approve", **hidden, name="sales", by="Ann", note="kept words")
        self.assertIn(answer.status, (422, 500))
        self.assertIn("Nothing was changed", answer.text)
        self.assertIn("kept words", answer.text)
        self.assertEqual(self.drafts(), [self.draft])
        self.assertEqual(self.json("extractors")["extractors"], [])
        self.sql("DROP TRIGGER full")
        self.assertEqual(self.ann.send(f"/drafts/{self.draft}/approve", **hidden, name="sales", by="Ann").status, 303)

    def test_a_disk_that_is_really_full_keeps_the_draft_and_the_words(self):
        small = self.small_disk("600k")
        harness.end(self.server)
        self.environment["AIRLOCK_HOME"] = str(small / "state")
        self.write("big.py", CODE + ("# " + "x" * 60 + "\n") * 1000)
        draft = self.add("big.py")
        self.review()
        ann = self.sign_in()
        hidden = ann.fields_of(ann.look(f"/drafts/{draft}"), f"/drafts/{draft}/approve")
        filler = self.fill(small)
        answer = ann.send(f"/drafts/{draft}/approve", **hidden, name="sales", by="Ann", note="kept words")
        self.assertEqual(answer.status, 500, re.sub("<[^>]*>", "", answer.text)[:600])
        self.assertIn("disk is full", answer.text)
        self.assertIn("kept words", answer.text)
        self.assertIsNotNone(ann.fields_of(answer, f"/drafts/{draft}/approve"), "a form to be sent again")
        for path in ("/", "/extractors", "/runs", "/rejected", f"/drafts/{draft}"):
            self.assertEqual(ann.look(path).status, 200, path)
        self.assertIn("/drafts/", ann.look("/").text, "the page is still there to be read")
        self.assertIn("waits", ann.look("/tail").text)
        self.assertEqual(self.drafts(), [draft], "and so does the command line")
        rejected = self.decide(ann, draft, "reject", by="Ann", note="other words")
        self.assertEqual(rejected.status, 500)
        self.assertIn("other words", rejected.text)
        filler.unlink()
        self.assertEqual(self.drafts(), [draft])
        self.assertEqual(self.json("extractors")["extractors"], [])
        self.assertEqual(ann.send(f"/drafts/{draft}/approve", **hidden, name="sales", by="Ann").status, 303)

    def test_hostile_names_and_code_stay_text(self):
        attack = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
        self.sql("UPDATE drafts SET name = ?, text = ?, hint = ?, model = ?, author = 'model'", attack, CODE + "# " + attack + "\n", attack, attack)
        for path in ("/", f"/drafts/{self.draft}", "/tail"):
            page = self.ann.look(path).text
            self.assertNotIn("<img", page)
            self.assertNotIn("<script>", page)
            self.assertNotIn("\u202e", page)
            self.assertIn("&lt;script&gt;alert(1)", page)

    def test_the_tail_tells_what_happened(self):
        self.decide(self.ann, self.draft, "approve", name="sales", by="Ann Lee")
        other = self.add()
        self.airlock("drafts", "reject", other, "--note", "no good", code=0)
        page = self.ann.look("/tail").text
        self.assertIn("sales@1 by Ann Lee", page)
        self.assertIn("no good", page)
        self.assertIn('<noscript><meta http-equiv="refresh"', page)

    def test_what_is_not_there_is_said(self):
        for path in ("/drafts/00000000", "/extractors/none", "/extractors/%3Cb%3E@9", "/runs/none"):
            self.assertIn(self.ann.look(path).status, (404, 410), path)
        self.assertEqual(self.ann.look("/extractors/" + "a" * 3000).status, 404)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
