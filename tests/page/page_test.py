#!/usr/bin/env python3
"""Tests of the review page in a real browser: every flow by hand and by keys, without JavaScript, narrow and wide, light and dark, with hostile
names and code. Needs a built airlock, and Debian's chromium, chromium-driver and python3-selenium: without them every test is skipped.

    tests/page/page_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name
    tests/page/page_test.py --pictures docs/pictures               writes the pictures of the documents anew

The last line is `N passed, N failed[, N skipped]`.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import browsing, harness
from support.browsing import resize, set_scheme
from support.drafts import CODE

AIRLOCK = harness.AIRLOCK
ATTACK = "\"'><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\">\u202e"
PATHS = ["/data/CLIENT-ABC/2024/Q1/report.csv", "/data/CLIENT-XYZ/2023/Q4/summary.parquet", "/data/CLIENT-DEF/2024/Q2/report.csv",
         "/data/CLIENT-ABC/2022/Q3/archive/old_report.csv", "/data/CLIENT-GHI/2021/Q1/numbers.csv"]
SALES = '''"""Client, year and quarter of a sales report, from its path."""
import re
from pathlib import PurePosixPath

QUARTER = re.compile(r"Q([1-4])")


def extract(path: str) -> dict:
    parts = PurePosixPath(path).parts
    quarter = QUARTER.fullmatch(parts[4])
    return {
        "client": parts[2],
        "year": int(parts[3]),
        "quarter": int(quarter.group(1)) if quarter else None,
        "name": parts[-1],
    }
'''
BETTER = SALES.replace('"name": parts[-1],', '"name": PurePosixPath(path).stem,\n        "suffix": PurePosixPath(path).suffix.lstrip("."),')


class Page(browsing.Case):
    def setUp(self):
        super().setUp()
        self.draft = self.json("drafts", "add", "e.py", "--samples", "p.txt", "--name", "sales")["id"]
        self.review()

    def open_draft(self, browser, draft=None):
        browser.get(f"{self.place}/drafts/{draft or self.draft}")

    def test_from_the_list_to_the_receipt(self):
        browser = self.browse()
        self.find(browser, ".list a.row").click()
        self.assertEqual(self.find(browser, "h1").text, "sales")
        self.assertIn("Passes", self.texts(browser, ".card")[0])
        self.find(browser, "#approve-by").send_keys("Ann Lee")
        self.find(browser, "#approve-note").send_keys("looked at both")
        self.find(browser, "#approve button").click()
        self.wait_for(lambda: "/extractors/" in browser.current_url, "the receipt")
        self.assertIn("sales@1 is approved", self.find(browser, "[role=status]").text)
        self.assertEqual(self.json("extractors", "show", "sales")["note"], "looked at both")
        self.assert_quiet(browser)

    def test_rejected_without_javascript(self):
        browser = self.browse(scripts=False)
        self.find(browser, ".list a.row").click()
        self.find(browser, "#reject-by").send_keys("Ann")
        self.find(browser, "#reject-note").send_keys("the year is wrong")
        self.find(browser, "#reject button").send_keys("\n")
        self.wait_for(lambda: browser.current_url.endswith("/rejected"), "the list of rejections")
        self.assertIn("the year is wrong", self.find(browser, "blockquote").text)
        self.assertEqual(self.drafts(), [])

    def test_by_keys_alone(self):
        browser = self.browse()
        body = self.find(browser, "body")
        body.send_keys("j")
        self.assertEqual(browser.switch_to.active_element.get_attribute("class"), "row")
        browser.switch_to.active_element.send_keys("\n")
        self.wait_for(lambda: "/drafts/" in browser.current_url, "the draft")
        self.find(browser, "body").send_keys("a")
        self.assertEqual(browser.switch_to.active_element.get_attribute("id"), "approve-name")
        browser.switch_to.active_element.send_keys("\ue00c")  # Escape
        self.find(browser, "body").send_keys("r")
        self.assertEqual(browser.switch_to.active_element.get_attribute("id"), "reject-note")
        browser.switch_to.active_element.send_keys("e")  # a letter in a field is a letter
        self.assertIn("/drafts/", browser.current_url)
        browser.switch_to.active_element.send_keys("\ue00c")
        self.find(browser, "body").send_keys("e")
        self.wait_for(lambda: browser.current_url.endswith("/extractors"), "the extractors")

    def test_the_skip_link_comes_first_and_focus_is_seen(self):
        browser = self.browse()
        self.find(browser, "body").send_keys("\ue004")  # Tab
        first = browser.switch_to.active_element
        self.assertEqual(first.text, "Skip to the content")
        self.assertNotEqual(first.value_of_css_property("outline-style"), "none")
        first.send_keys("\n")
        self.assertEqual(browser.switch_to.active_element.get_attribute("id"), "main")

    def test_hostile_names_and_code_stay_text(self):
        self.sql("UPDATE drafts SET name = ?, text = ?, hint = ?, author = 'model', model = ?, prompt = ?, attempts = ?",
                 ATTACK, CODE + "# " + ATTACK + "\n", ATTACK, ATTACK, ATTACK, ATTACK + "\0")
        browser = self.browse()
        for path in ("/", f"/drafts/{self.draft}", "/tail"):
            browser.get(self.place + path)
            self.assertNotIn("broken", browser.title.replace("broken'</script>", "").replace("title='broken'", ""))
            self.assertEqual(browser.execute_script("return document.querySelectorAll('img, main script').length"), 0)
            self.assertIn("<script>", self.find(browser, "main").text)
            self.assertIn("<U+202E>", self.find(browser, "main").text)
        self.assertIn("AL215", self.find_finding(browser))
        self.assert_quiet(browser)

    def find_finding(self, browser):
        self.open_draft(browser)
        return self.find(browser, ".finding").text

    def test_a_megabyte_of_code_is_bounded_and_cannot_be_approved_unseen(self):
        lines = "version: 1\nrules:\n" + "".join(f"  # {'<b>' * 20} {number}\n" for number in range(12000))
        self.sql("UPDATE drafts SET kind = 'yaml', text = ?", lines + '  - name: "r"\n    glob: "**/*.csv"\n    extract:\n      name: { from: filename }\n')
        browser = self.browse()
        self.open_draft(browser)
        self.assertIn("Cut here", self.find(browser, "main").text)
        self.assertIn("Not all of it can be shown here", self.find(browser, "#approve").text)
        self.assertEqual(browser.execute_script("return document.querySelectorAll('#approve form').length"), 0)

    def test_no_width_needs_scrolling_sideways(self):
        self.json("approve", self.draft, "--name", "sales", "--by", "Ann")
        second = self.json("drafts", "add", "two.py", "--samples", "p.txt", "--name", "sales")["id"]
        browser = self.browse()
        for width, height in ((360, 740), (768, 1024), (1280, 800), (3840, 2160)):
            resize(browser, width, height)
            for path in ("/", f"/drafts/{second}", "/extractors", "/extractors/sales@1", "/tail", "/runs", "/rejected"):
                browser.get(self.place + path)
                self.assertLessEqual(browser.execute_script("return document.documentElement.scrollWidth"), width, f"{path} at {width}")
                self.assertLessEqual(browser.execute_script("return Math.max(...[...document.querySelectorAll('nav a')].map((one) => one.getBoundingClientRect().right))"), width, f"the doors at {width}")
        # Wide screens are used: lines that fit stand on one line, on both sides.
        self.open_draft(browser, second)
        self.assertGreater(self.find(browser, "main > .columns").size["width"], 3000)
        self.assertGreater(self.find(browser, ".diff .change td.new:not(.no)").size["width"], 1000)
        resize(browser, 360, 740)
        self.open_draft(browser, second)
        self.assertGreater(self.find(browser, ".diff .change td.new:not(.no)").size["width"], 180)

    def test_light_and_dark_can_both_be_read(self):
        browser = self.browse()
        for scheme in ("light", "dark"):
            set_scheme(browser, scheme)
            self.open_draft(browser)
            self.assertEqual(browser.execute_script(LOW_CONTRAST), [], scheme)

    def test_screen_readers_find_their_way(self):
        browser = self.browse()
        self.open_draft(browser)
        counts = browser.execute_script("""return {
          main: document.querySelectorAll('main').length, nav: document.querySelectorAll('nav[aria-label]').length,
          h1: document.querySelectorAll('h1').length, lang: document.documentElement.lang,
          unlabelled: [...document.querySelectorAll('input:not([type=hidden]), textarea')].filter((one) => !one.labels.length).length,
          headless: [...document.querySelectorAll('table')].filter((one) => !one.querySelector('th[scope]')).length,
          nameless: [...document.querySelectorAll('a, button')].filter((one) => !one.textContent.trim()).length}""")
        self.assertEqual(counts, {"main": 1, "nav": 1, "h1": 1, "lang": "en", "unlabelled": 0, "headless": 0, "nameless": 0})
        browser.get(self.place + "/tail")
        self.assertEqual(self.find(browser, "#tail").get_attribute("aria-live"), "polite")

    def test_the_tail_goes_on_by_itself(self):
        browser = self.browse()
        browser.get(self.place + "/tail")
        self.airlock("drafts", "reject", self.draft, "--by", "Bob", "--note", "too slow", code=0)
        self.wait_for(lambda: "too slow" in self.find(browser, "#tail").text, "the news")
        self.assert_quiet(browser)

    def test_the_tail_has_as_many_rows_as_the_server_however_alike_they_are(self):
        browser = self.browse()
        browser.get(self.place + "/tail")
        for turn in ("first", "second", "third"):
            self.sql("DELETE FROM rejected_drafts")
            self.sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
                     " INSERT INTO rejected_drafts (id, kind, name, text, samples, hint, policy, created, author, model, prompt, attempts, rejected, rejected_by, note)"
                     " SELECT printf('%08x', i), 'yaml', 'same', 'x', '', '', '', 1, '', '', '', '', 1000, 'Bob', ? FROM n", f"the {turn} turn")
            self.wait_for(lambda: self.find(browser, "#tail").text.count(f"the {turn} turn") == 40, "the news")
            self.assertEqual(len(self.texts(browser, "#tail > li")), 41)


# Texts whose contrast is below WCAG's 4.5 (3 for large ones).
LOW_CONTRAST = """
const channel = (value) => { value /= 255; return value <= .03928 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const ground = (one) => { for (; one; one = one.parentElement) { const found = parts(getComputedStyle(one).backgroundColor); if (found[3] === undefined || found[3] === 1) return found; } return [255, 255, 255]; };
const bad = [];
for (const one of document.querySelectorAll('body *')) {
  if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || one.closest('.unseen, .skip') || !one.getClientRects().length) continue;
  const style = getComputedStyle(one), [a, b] = [light(parts(style.color)), light(ground(one))].sort((x, y) => y - x);
  const ratio = (a + .05) / (b + .05), large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 600);
  if (ratio < (large ? 3 : 4.5)) bad.push(`${one.className || one.tagName} ${ratio.toFixed(2)}: ${one.textContent.slice(0, 30)}`);
}
return bad;"""


class Pictures(browsing.Case):
    """Not a test: what docs/review.md shows, with --pictures."""

    def runTest(self):
        self.write("p.txt", "\n".join(PATHS) + "\n")
        self.write("sales.py", SALES)
        self.write("better.py", BETTER)
        self.json("approve", "sales.py", "--samples", "p.txt", "--name", "sales_reports", "--by", "Ann Lee", "--note", "Looked at five paths of four clients.")
        bad = self.json("drafts", "add", "sales.py", "--samples", "p.txt", "--name", "home_folder")["id"]
        self.sql("UPDATE drafts SET text = ?", SALES.replace("import re\n", "import os\nimport re\n").replace('"name": parts[-1],', '"name": parts[-1],\n        "home": os.environ["HOME"],'))
        good = self.json("drafts", "add", "better.py", "--samples", "p.txt", "--name", "sales_reports")["id"]
        self.json("drafts", "add", "r.yaml", "--path", PATHS[0], "--name", "client_files")
        self.sql("UPDATE drafts SET author = 'model', model = 'openai gpt-5', attempts = ? WHERE kind = 'python'",
                 "Attempt 1, by model, was refused in the sandbox stage: KeyError: 'suffix'\0Attempt 2, by model, passed.\0")
        self.review()
        browser = self.browse()
        for name, path, width, height, scheme in (
                ("review-draft-light", f"/drafts/{good}", 1280, 1500, "light"), ("review-draft-dark", f"/drafts/{good}", 1280, 1500, "dark"),
                ("review-refused-light", f"/drafts/{bad}", 1280, 900, "light"), ("review-waiting-dark", "/", 1280, 640, "dark"),
                ("review-narrow-light", f"/drafts/{good}", 360, 1100, "light"), ("review-narrow-dark", f"/drafts/{good}", 360, 1100, "dark"),
                ("review-receipt-light", "/extractors/sales_reports@1", 1280, 1000, "light")):
            resize(browser, width, height)
            set_scheme(browser, scheme)
            browser.get(self.place + path)
            browser.save_screenshot(str(FOLDER / f"{name}.png"))


def write_pictures(folder):
    global FOLDER
    FOLDER = pathlib.Path(folder).resolve()
    FOLDER.mkdir(parents=True, exist_ok=True)
    test = Pictures()
    outcome = test.run()
    for _, trace in outcome.errors + outcome.failures:
        print(trace)


def load_tests(loader, _, pattern):
    return loader.loadTestsFromTestCase(Page)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__, pictures=write_pictures))
