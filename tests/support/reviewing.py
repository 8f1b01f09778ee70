"""A reviewer of `airlock review`: starts it, follows the link that it prints, looks at pages and sends their forms, as a browser does."""
import html
import re
import urllib.error
import urllib.parse
import urllib.request

from support import drafts

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)(/sign-in\?key=[0-9a-f]{64})")


class Answer:
    def __init__(self, response):
        self.status, self.headers = response.status, response.headers
        self.text = response.read().decode("utf-8")
        self.cookie = (response.headers.get("Set-Cookie") or "").partition(";")[0]


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))


class Reviewer:
    """One browser: its cookie, and the last page."""

    def __init__(self, place, cookie=""):
        self.place, self.cookie = place, cookie

    def ask(self, path, data=None, headers=None):
        request = urllib.request.Request(self.place + path, data, {"Cookie": self.cookie, **(headers or {})})
        try:
            return Answer(OPENER.open(request, timeout=60))
        except urllib.error.HTTPError as error:
            return Answer(error)

    def look(self, path, **headers):
        return self.ask(path, headers=headers)

    def send(self, path, **fields):
        return self.ask(path, urllib.parse.urlencode(fields).encode(), {"Origin": self.place})

    def follow(self, answer):
        return self.look(answer.headers["Location"])

    def fields_of(self, page, action):
        """The hidden fields of the form with that action, as a browser would send them."""
        form = re.search(rf'<form[^>]* method="post" action="{re.escape(action)}">(.*?)</form>', page.text, re.DOTALL)
        return {name: html.unescape(value) for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[1])} if form else None


class Case(drafts.Case):
    def review(self, *words):
        """Starts the server, `airlock review` unless other words are given; `self.place` is its address."""
        self.server = self.start(*(words or ("review", "--no-browser")))
        self.said = self.all_said = ""
        self.place, self.link = self.next_link()
        return Reviewer(self.place)

    def next_link(self):
        """The address, and the link that was printed last and not seen yet."""
        while not (found := LINK.search(self.said)):
            line = self.server.stderr.readline().decode()
            self.assertTrue(line, "the server has ended: " + self.said)
            self.said += line
            self.all_said += line
        self.said = self.said[found.end():]
        return found.groups()

    def sign_in(self):
        """A reviewer who has followed the link; the next one is printed then."""
        visitor = Reviewer(self.place)
        answer = visitor.look(self.link)
        self.assertEqual(answer.status, 200, answer.text)
        _, self.link = self.next_link()
        return Reviewer(self.place, answer.cookie)

    def decide(self, reviewer, draft, verb, **fields):
        page = reviewer.look(f"/drafts/{draft}")
        hidden = reviewer.fields_of(page, f"/drafts/{draft}/{verb}")
        self.assertIsNotNone(hidden, page.text)
        return reviewer.send(f"/drafts/{draft}/{verb}", **hidden, **fields)
