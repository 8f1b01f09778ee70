#!/usr/bin/env python3
"""What a retry may say (docs/decisions/0022-what-a-retry-may-say.md).

Messages: sentences of the interpreter in use, raised by real programs in a cell, are told with what stands in the code or in the
path; sentences of the program's own are not. Leaks: programs of a hostile model that try to carry what was not sent into the next
question; a server that speaks a real protocol keeps every byte that comes.

    tests/hostile/retry_test.py [--airlock build/airlock] [NAME…]      NAME: part of a test's name

The last line is `N passed, N failed`.
"""
import json
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import harness, model_server, wizard
from support.model_server import answer

AIRLOCK = harness.AIRLOCK
HEAD = "import base64, collections, dataclasses, datetime, decimal, enum, fractions, json, math, pathlib, re, string, urllib.parse, uuid\n"

# A line of a program, and how the sentence begins that CPython says about it. `part` is 'Q1', `parts` are the path's.
RAISES = r"""
parts[99] | IndexError: list index out of range
("a", "b")[9] | IndexError: tuple index out of range
"ab"[9] | IndexError: string index out of range
[].pop() | IndexError: pop from empty list
collections.deque().pop() | IndexError: pop from an empty deque
set().pop() | KeyError: 'pop from an empty set'
{}.popitem() | KeyError: 'popitem(): dictionary is empty'
{}["year"] | KeyError: 'year'
{}[part] | KeyError: 'Q1'
{}[None] | KeyError: None
int(part) | ValueError: invalid literal for int() with base 10: 'Q1'
int(part, 8) | ValueError: invalid literal for int() with base 8: 'Q1'
int("") | ValueError: invalid literal for int() with base 10: ''
int(None) | TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'
int([]) | TypeError: int() argument must be a string, a bytes-like object or a real number, not 'list'
float(part) | ValueError: could not convert string to float: 'Q1'
float([]) | TypeError: float() argument must be a string or a real number, not 'list'
int(float("nan")) | ValueError: cannot convert float NaN to integer
int(float("inf")) | OverflowError: cannot convert float infinity to integer
re.search("x+y", part).group(1) | AttributeError: 'NoneType' object has no attribute 'group'
re.match("Q", part).group(3) | IndexError: no such group
re.match("Q", part).group("year") | IndexError: no such group
part.nothing | AttributeError: 'str' object has no attribute 'nothing'
re.compile("(") | error: missing ), unterminated subpattern at position 0
re.compile("*") | error: nothing to repeat at position 0
re.match("Q", None) | TypeError: expected string or bytes-like object, got 'NoneType'
re.sub("Q", r"\2", part) | error: invalid group reference 2 at position 1
a, b = [part] | ValueError: not enough values to unpack (expected 2, got 1)
a, b = parts | ValueError: too many values to unpack (expected 2)
a, *b = [] | ValueError: not enough values to unpack (expected at least 1, got 0)
a, b = None | TypeError: cannot unpack non-iterable NoneType object
a, b = 3 | TypeError: cannot unpack non-iterable int object
datetime.datetime.strptime(part, "%Y-%m") | ValueError: time data 'Q1' does not match format '%Y-%m'
datetime.datetime.strptime("2024-01x", "%Y-%m") | ValueError: unconverted data remains: x
datetime.datetime.strptime(part, "%!") | ValueError: '!' is a bad directive in format '%!'
datetime.date.fromisoformat(part) | ValueError: Invalid isoformat string: 'Q1'
datetime.date(2024, 2, 30) | ValueError: day is out of range for month
datetime.date(2024, 13, 1) | ValueError: month must be in 1..12
datetime.date(0, 1, 1) | ValueError: year 0 is out of range
datetime.datetime(2024, 1, 1, 24) | ValueError: hour must be in 0..23
datetime.date.fromisocalendar(2024, 54, 1) | ValueError: Invalid week: 54
datetime.datetime.now() - datetime.datetime.now(datetime.timezone.utc) | TypeError: can't subtract offset-naive and offset-aware datetimes
datetime.date(1, 1, 1) - datetime.timedelta(days=9) | OverflowError: date value out of range
json.loads(part) | JSONDecodeError: Expecting value: line 1 column 1 (char 0)
json.loads("{") | JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
json.loads("1 2") | JSONDecodeError: Extra data: line 1 column 3 (char 2)
json.loads(None) | TypeError: the JSON object must be str, bytes or bytearray, not NoneType
json.dumps({1, 2}) | TypeError: Object of type set is not JSON serializable
base64.b64decode("abc") | Error: Incorrect padding
base64.b64decode("abcde") | Error: Invalid base64-encoded string: number of data characters (5) cannot be 1 more than a multiple of 4
base64.b16decode("xy") | Error: Non-base16 digit found
base64.b64decode("gICA").decode() | UnicodeDecodeError: 'utf-8' codec can't decode
uuid.UUID(part) | ValueError: badly formed hexadecimal UUID string
uuid.UUID() | TypeError: one of the hex, bytes, bytes_le, fields, or int arguments must be given
decimal.Decimal(part) | InvalidOperation: [<class 'decimal.ConversionSyntax'>]
decimal.Decimal(1) / decimal.Decimal(0) | DivisionByZero: [<class 'decimal.DivisionByZero'>]
fractions.Fraction(part) | ValueError: Invalid literal for Fraction: 'Q1'
fractions.Fraction(1, 0) | ZeroDivisionError: Fraction(1, 0)
math.sqrt(-1) | ValueError: math domain error
math.exp(1000) | OverflowError: math range error
1 / 0 | ZeroDivisionError: division by zero
1 // 0 | ZeroDivisionError: integer division or modulo by zero
1.0 / 0 | ZeroDivisionError: float division by zero
1 % 0 | ZeroDivisionError: integer modulo by zero
part + 1 | TypeError: can only concatenate str (not "int") to str
1 + part | TypeError: unsupported operand type(s) for +: 'int' and 'str'
parts - part | TypeError: unsupported operand type(s) for -: 'list' and 'str'
parts + part | TypeError: can only concatenate list (not "str") to list
part * part | TypeError: can't multiply sequence by non-int of type 'str'
part < 3 | TypeError: '<' not supported between instances of 'str' and 'int'
-part | TypeError: bad operand type for unary -: 'str'
3 in part | TypeError: 'in <string>' requires string as left operand, not int
None[0] | TypeError: 'NoneType' object is not subscriptable
None() | TypeError: 'NoneType' object is not callable
list(3) | TypeError: 'int' object is not iterable
len(3) | TypeError: object of type 'int' has no len()
part["a"] | TypeError: string indices must be integers, not 'str'
parts["a"] | TypeError: list indices must be integers or slices, not str
{}[[]] | TypeError: unhashable type: 'list'
{[]} | TypeError: unhashable type: 'list'
part[0] = "x" | TypeError: 'str' object does not support item assignment
helper() | TypeError: helper() missing 2 required positional arguments: 'first' and 'second'
helper(1) | TypeError: helper() missing 1 required positional argument: 'second'
helper(1, 2, 3) | TypeError: helper() takes 2 positional arguments but 3 were given
helper(1, 2, third=3) | TypeError: helper() got an unexpected keyword argument 'third'
helper(1, first=2) | TypeError: helper() got multiple values for argument 'first'
helper(*3) | TypeError: extractor.helper() argument after * must be an iterable, not int
" ".join([1]) | TypeError: sequence item 0: expected str instance, int found
part.split("") | ValueError: empty separator
part.index("nothing") | ValueError: substring not found
parts.index("nothing") | ValueError: 'nothing' is not in list
parts.remove("nothing") | ValueError: list.remove(x): x not in list
("a",).index("b") | ValueError: tuple.index(x): x not in tuple
max([]) | ValueError: max() arg is an empty sequence
min([]) | ValueError: min() arg is an empty sequence
range(0, 1, 0) | ValueError: range() arg 3 must not be zero
[][::0] | ValueError: slice step cannot be zero
dict([1]) | TypeError: cannot convert dictionary update sequence element #0 to a sequence
dict([(1, 2, 3)]) | ValueError: dictionary update sequence element #0 has length 3; 2 is required
ord("ab") | TypeError: ord() expected a character, but string of length 2 found
chr(-1) | ValueError: chr() arg not in range(0x110000)
bytes([300]) | ValueError: bytes must be in range(0, 256)
f"{part:d}" | ValueError: Unknown format code 'd' for object of type 'str'
f"{parts:>9}" | TypeError: unsupported format string passed to list.__format__
"%d" % part | TypeError: %d format: a real number is required, not str
"%s %s" % part | TypeError: not enough arguments for format string
"%s" % (1, 2) | TypeError: not all arguments converted during string formatting
part.startswith(3) | TypeError: startswith first arg must be str or a tuple of str, not int
part.replace("Q", 1) | TypeError: replace() argument 2 must be str, not int
pathlib.PurePosixPath(part).relative_to("/nowhere") | ValueError: 'Q1' is not in the subpath of '/nowhere' OR one path is relative and the other is absolute.
pathlib.PurePosixPath("/").with_name("a") | ValueError: PurePosixPath('/') has an empty name
pathlib.PurePosixPath(part).with_suffix("txt") | ValueError: Invalid suffix 'txt'
pathlib.PurePosixPath(3) | TypeError: expected str, bytes or os.PathLike object, not int
urllib.parse.urlsplit("http://[") | ValueError: Invalid IPv6 URL
urllib.parse.urlsplit("http://h:Q1/").port | ValueError: Port could not be cast to integer value as 'Q1'
string.Template("$a").substitute() | KeyError: 'a'
Colour("green") | ValueError: 'green' is not a valid Colour
Colour["green"] | KeyError: 'green'
Point(1) | TypeError: Point.__init__() missing 1 required positional argument: 'y'
setattr_of_frozen() | FrozenInstanceError: cannot assign to field 'x'
unknown_name | NameError: name 'unknown_name' is not defined
[local for local in [1] if later] + (later := [2]) | NameError: cannot access free variable 'later' where it is not associated with a value in enclosing scope
later = later + 1 | UnboundLocalError: cannot access local variable 'later' where it is not associated with a value
deep() | RecursionError: maximum recursion depth exceeded
next(iter([])) | StopIteration
assert part == "Q2" | AssertionError
raise NotImplementedError | NotImplementedError
list(zip([1], [], strict=True)) | ValueError: zip() argument 2 is shorter than argument 1
sum(["a"]) | TypeError: unsupported operand type(s) for +: 'int' and 'str'
sorted([1, "a"]) | TypeError: '<' not supported between instances of 'str' and 'int'
round("a") | TypeError: type str doesn't define __round__ method
"é".encode("ascii") | UnicodeEncodeError: 'ascii' codec can't encode character
bytes.fromhex("zz") | ValueError: non-hexadecimal number found in fromhex() arg at position 0
"{}".format() | IndexError: Replacement index 0 out of range for positional args tuple
collections.namedtuple("P", "x")() | TypeError:
"""

HELPERS = '''
class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int


def helper(first, second):
    return first, second


def deep():
    return deep()


def setattr_of_frozen():
    Point(1, 2).x = 3

'''

# What no sentence of the table may carry: the program's own words.
OWN_WORDS = [
    'raise ValueError("the second folder is " + part)', 'raise ValueError(path[::-1])', 'raise KeyError(path[::-1])',
    'raise RuntimeError(",".join(str(ord(c)) for c in path))', 'assert False, path.upper()', 'raise Exception(path, 12)',
    'raise ValueError("list index out of range: " + path.encode().hex())', 'int(path.encode().hex() + "x")',
    '{}[path.encode().hex()]', 'float("x" + path[::-1])', 'datetime.datetime.strptime(path.swapcase(), "%Y")',
    'raise ValueError(f"not enough values to unpack (expected {len(path) * 7301}, got {len(path) * 2211})")',
    'raise IndexError("list index out of range\\n" + path[::-1])', 'json.loads(chr(9) * 7301 + "x")',
]


def cases():
    for line in RAISES.strip().splitlines():
        code, _, expected = line.partition(" | ")
        yield code, expected


class Messages(wizard.WizardCase):
    """The sentences of the table, tried on the interpreter in use."""

    def reports(self, lines, path="/data/{}/Q1/report.csv"):
        """For each line of a program what its failure is told as, and the whole text. Without a scan, which would refuse many before."""
        cases = "".join(f"def case_{i}(path, parts, part):\n" + textwrap.indent(line, "    ") + "\n\n\n" for i, line in enumerate(lines))
        code = (HEAD + HELPERS + cases + "def extract(path: str) -> dict:\n    parts = path.split('/')\n"
                f"    return {{'a': [{', '.join(f'case_{i}' for i in range(len(lines)))}][int(parts[2])](path, parts, parts[-2])}}\n")
        paths = [path.format(i) for i in range(len(lines))]
        done = self.airlock("validate", self.write("e.py", code), *(word for one in paths for word in ("--path", one)), "--format", "json",
                            "--policy", "node", code=1)
        report = json.loads(done.out)
        self.assertEqual(report["stage_reached"], "sandbox", (lines, report["findings"], done.err))
        self.assertTrue(report["retry_context"].startswith("The extractor failed during test execution:\n  "))
        entries = report["retry_context"].split("\n  /data/")[1:]
        self.assertEqual(len(entries), len(lines), report["retry_context"])
        return [(line, entry.partition(": ")[2], result) for line, entry, result in zip(lines, entries, report["test_results"]["results"])]

    def test_sentences_of_the_interpreter_are_told(self):
        lines = list(cases())
        for at in range(0, len(lines), 20):
            expected = dict(lines[at:at + 20])
            for line, told, result in self.reports(list(expected)):
                with self.subTest(line):
                    words, *place = told.split("\n")
                    self.assertTrue(words.startswith(expected[line]), (words, result["error_type"], result["error"]))
                    self.assertNotIn("not told", words)
                    self.assertRegex(place[0], r"^    at line \d+, in (\w+|<\w+>)\(\)$")
                    self.assertEqual(len(place), 2)

    def test_words_of_the_programs_own_are_not(self):
        secret = "/data/{}/zebra-4711/Q1/report.csv"
        for at, (line, told, _) in enumerate(self.reports(OWN_WORDS, secret)):
            path = secret.format(at)
            words = told.split("\n")[0]
            for form in (path[::-1], path.encode().hex(), path.upper(), path.swapcase(), ",".join(str(ord(c)) for c in path), str(len(path) * 7301),
                         str(len(path) * 2211), "7302", "the second folder"):
                self.assertNotIn(form, words, line)

    def report(self, line, path="/data/2024/Q1/report.csv"):
        code = (HEAD + "def extract(path: str) -> dict:\n    parts = path.split('/')\n    part = parts[-2]\n" + textwrap.indent(line, "    ")
                + "\n    return {'a': 1}\n")
        done = self.airlock("validate", self.write("e.py", code), "--path", path, "--format", "json", "--policy", "node", code=1)
        return json.loads(done.out)

    def told(self, report):
        """The line of the retry that names the error, without the path."""
        lines = report["retry_context"].split("\n")
        self.assertEqual(lines[0], "The extractor failed during test execution:")
        return lines[1].partition(": ")[2], lines

    def test_types_and_functions_are_those_of_the_code(self):
        report = self.report("class LayoutError(ValueError):\n    pass\nraise LayoutError('x')")
        self.assertEqual(self.told(report)[0], "LayoutError (its message is the program's own: not told)")
        made = "Made = type('S' + 'ecret4711', (ValueError,), {})\nraise Made('x')"
        told, _ = self.told(self.report(made))
        self.assertEqual(told, "an exception of the program's own (its message is the program's own: not told)")
        renamed = "def f():\n    1 / 0\nf.__code__ = f.__code__.replace(co_name='Secret' + '4711')\nf()"
        report = self.report(renamed)
        self.assertNotIn("Secret4711", report["retry_context"])

    def test_what_the_cell_says_itself_is_told(self):
        for line, expected in (
                ("pathlib.Path(path).read_text()", "PermissionError: there are no files here: Path.read_text: File I/O not allowed; work on"),
                ("import socket", "ImportError: Module 'socket' not in whitelist"),
                ("return [part]", "TypeError: extract() returned list, expected dict"),
                ("return {'days': datetime.date(2024, 1, 1)}", "TypeError: Result['days'] is a datetime.date, which is not JSON: use .isoformat()"),
                ("return {'n': float('nan')}", "TypeError: Result['n'] is NaN, which is not JSON"),
                ("return {'n': 'x' * 2000000}", "OutputLimitError: The result is larger than 1048576 bytes"),
                ("a = ['x' * 1000000 for _ in range(1000)]", "MemoryError"),
                ("while part:\n    pass", "TimeoutError: Execution timed out after ")):
            code = ("import datetime, pathlib\n\n\ndef extract(path: str) -> dict:\n    part = path.split('/')[-2]\n" + textwrap.indent(line, "    ")
                    + "\n    return {}\n")
            done = self.airlock("validate", self.write("e.py", code), "--path", "/data/Q1/a.csv", "--format", "json", "--no-scan", "--timeout", "1",
                                code=1)
            self.assertTrue(self.told(json.loads(done.out))[0].startswith(expected), (line, done.out))

    def test_notes_and_causes_stay_here(self):
        line = ("try:\n    int(part)\nexcept ValueError as error:\n    error.add_note(path[::-1])\n"
                "    raise KeyError('year') from ValueError(path[::-1])")
        report = self.report(line)
        self.assertEqual(self.told(report)[0], "KeyError: 'year'")
        self.assertNotIn("vsc.troper", report["retry_context"])

    def test_what_is_printed_or_returned_stays_here(self):
        for line in ("print(path[::-1])\nint(part)", "return {'a': path[::-1], path[::-1]: {1, 2}}", "return [path[::-1]]"):
            report = self.report(line, "/data/zebra/Q1/report.csv")
            self.assertNotIn("arbez", report["retry_context"], line)


class Leaks(wizard.WizardCase):
    """A hostile model against a person with 60 paths, of which 20 are sent: one of the others holds the word."""

    WORD = "GRAVENSTEIN"
    HEX = WORD.encode().hex()
    FORMS = (WORD, WORD.lower(), WORD[::-1], WORD[::-1].lower(), HEX, HEX.upper(), WORD.swapcase(), ",".join(str(ord(c)) for c in WORD),
             " ".join(str(ord(c)) for c in WORD), WORD[:5], WORD[-5:], WORD[::-1][:5])

    def setUp(self):
        super().setUp()
        home = self.home
        home.mkdir(mode=0o700)

    def paths(self, word=WORD, place=31):
        paths = [f"/home/annabel/data/2024/Q{1 + i % 4}/r{i:03}.csv" for i in range(60)]
        paths[place] = f"/home/annabel/data/2024/Q1/{word}.csv"
        return paths

    def talk(self, *programs, paths=None, words=("--send",), code=None):
        """Every question that the server got, as (first, retries)."""
        answers = [answer("```python\n" + one + "\n```\n") for one in programs]
        with model_server.ModelServer("ollama", answers) as server:
            (self.home / "config.toml").write_text(
                f'[model]\nprovider = "ollama"\nendpoint = "{server.url}"\nmodel = "test"\n')
            paths = self.paths() if paths is None else paths
            done = self.airlock("wizard", "--samples", "-", "--batch", "--hint", "compute start/end month", *words,
                                stdin="".join(path + "\n" for path in paths), code=code)
        self.result = json.loads(done.out)
        first = server.requests[0].user if server.requests else None
        for request in server.requests[1:]:
            self.assertTrue(request.user.startswith(first))
        return first, [request.user[len(first):] for request in server.requests[1:]]

    def program(self, body, before=""):
        return before + "\n\ndef extract(path: str) -> dict:\n" + textwrap.indent(textwrap.dedent(body), "    ") + "\n    return {'n': len(path)}\n"

    def test_nothing_of_the_word_is_in_any_question(self):
        bodies = {
            "as it is": "if 'GRAV' in path:\n    raise ValueError(path)",
            "reversed": "if 'GRAV' in path:\n    raise ValueError(path[::-1])",
            "character codes": "if 'GRAV' in path:\n    raise ValueError(','.join(str(ord(c)) for c in path))",
            "hexadecimal": "if 'GRAV' in path:\n    int(path.encode().hex() + 'z')",
            "a key": "if 'GRAV' in path:\n    {}[path[::-1]]",
            "a result": "if 'GRAV' in path:\n    return {path[::-1]: {1}}",
            "a print": "print(path, path[::-1])\nif 'GRAV' in path:\n    int('x')",
            "always": "raise ValueError(path[::-1])",
            "a user": "raise ValueError(path.split('/')[2][::-1])",
            "a user's codes": "raise ValueError(','.join(str(ord(c)) for c in path.split('/')[2]))",
            "a user as a key": "{}[path.split('/')[2][::-1]]",
            "a user as a format": "import datetime\ndatetime.datetime.strptime(path.split('/')[2], '%Y')",
        }
        for name, body in bodies.items():
            with self.subTest(name):
                first, retries = self.talk(self.program(body), code=1)
                self.assertEqual(len(retries), 3)
                for text in [first, *retries]:
                    for form in self.FORMS:
                        self.assertNotIn(form, text)
                    for form in ("annabel", "lebanna", "annabel".encode().hex(), ",".join(str(ord(c)) for c in "annabel")):
                        self.assertNotIn(form, text)

    def same_retries(self, body, before="", **paths_of):
        """The retries are the same to the byte, whatever the word is and wherever it stands."""
        seen = set()
        for word, place in (("GRAVENSTEIN", 31), ("BOSKOOP", 31), ("X", 58), ("GRAVENSTEIN" * 9, 1)):
            _, retries = self.talk(self.program(body, before), paths=self.paths(word, place), code=1)
            self.assertEqual(len(retries), 3, self.result["error"])
            seen.add(tuple(retries))
        self.assertEqual(len(seen), 1, seen)
        return seen.pop()[0]

    UNSENT = "path.split('/')[-1][0] != 'r'"

    def test_which_path_fails_tells_nothing(self):
        text = self.same_retries(f"if {self.UNSENT}:\n    1 / 0")
        self.assertIn("Every path that was sent to you works.", text)
        self.assertNotIn("ZeroDivisionError", text)

    def test_guessing_users_names_tells_nothing(self):
        # Whose home is in a path decides what is taken out of paths, never of what the program says.
        guesses = "import annabel, gertrud, wilhelmina, nobody_else"
        seen = set()
        for user in ("gertrud", "wilhelmina"):
            for place in (31, 0):  # not sent, and sent
                paths = self.paths()
                paths[place] = f"/home/{user}/data/2024/Q1/r{place:03}.csv"
                _, retries = self.talk(self.program("1 / 0", guesses), paths=paths, code=1)
                self.assertEqual(len(retries), 3, self.result["error"])
                self.assertIn("annabel", retries[0])
                seen.add(tuple(retries))
        self.assertEqual(len(seen), 1, seen)

    def test_counting_tells_nothing(self):
        self.same_retries(f"if {self.UNSENT}:\n    a, b, c, d, e, f, g, h, i = [0] * (len(path) % 9)")
        self.same_retries(f"if {self.UNSENT}:\n    json = [][len(path)]")
        self.same_retries(f"if {self.UNSENT}:\n    ord('x' * len(path))")

    def test_lines_tell_nothing(self):
        chain = "\n".join(f"    if code == {code}:\n        raise ValueError" for code in range(32, 127))
        self.same_retries(f"if {self.UNSENT}:\n    code = ord(path.split('/')[-1][0])\n{chain}")

    def test_classes_tell_nothing(self):
        classes = "".join(f"class E{code}(Exception):\n    pass\n" for code in range(65, 91))
        table = "ALL = [" + ", ".join(f"E{code}" for code in range(65, 91)) + "]\n"
        self.same_retries(f"if {self.UNSENT}:\n    raise ALL[ord(path.split('/')[-1][0]) - 65]", classes + table)

    def test_globals_carry_nothing_to_paths_that_were_sent(self):
        body = ("SEEN.append(path)\nfor other in SEEN:\n    if other.split('/')[-1][0] != 'r':\n"
                "        raise ValueError(other)\nif len(SEEN) > 59:\n    1 / 0")
        text = self.same_retries(body, "SEEN = []\n")
        self.assertIn("Every path that was sent to you works.", text)

    def test_what_was_run_again_tells_nothing(self):
        body = "SEEN.append(path)\nif len(SEEN) > 40 and 'GRAV' in ''.join(SEEN):\n    raise ValueError(SEEN)"
        _, retries = self.talk(self.program(body, "SEEN = []\n"))
        for text in retries:
            for form in self.FORMS:
                self.assertNotIn(form, text)

    def test_a_secret_in_a_path_that_is_sent_is_not_run_before_the_retry_is_written(self):
        paths = [f"/data/AKIAIOSFODNN7EXAMPLE/2024/Q{1 + i % 4}/r{i}.csv" for i in range(6)]
        key = "AKIAIOSFODNN7EXAMPLE"
        for body in ("raise ValueError(path.split('/')[2][::-1])", "{}[path.split('/')[2][::-1]]", "int(path.split('/')[2][4:9])",
                     "a = path.split('/')[2]\nprint(a)\nif a[0] == 'A':\n    1 / 0",
                     "if path.split('/')[2].startswith('AKIA'):\n    int(path.split('/')[2][4:])"):
            first, retries = self.talk(self.program(body), paths=paths, code=1)
            self.assertEqual(len(retries), 3)
            for text in [first, *retries]:
                for form in (key, key[::-1], key[4:], key[4:9], key.lower()):
                    self.assertNotIn(form, text, body)
            if "if " in body:  # it fails on the real path only, which nobody was sent
                self.assertIn("Every path that was sent to you works.", retries[0])

    def test_what_fails_on_a_path_that_was_sent_is_told(self):
        _, retries = self.talk(self.program("int(path.split('/')[-2])"), code=1)
        self.assertIn("/home/user/data/2024/Q1/r000.csv: ValueError: invalid literal for int() with base 10: 'Q1'\n"
                      "    at line 4, in extract()\n      int(path.split('/')[-2])", retries[0])

    def test_a_program_that_works_on_all_paths_is_taken_whatever_was_sent(self):
        self.talk(self.program("assert path.split('/')[2] == 'annabel'\nreturn {'q': path.split('/')[5]}"), code=0)
        self.assertEqual((self.result["state"], self.result["passed"]), ("PYTHON_RESULT", 60))

    def test_retries_can_be_seen_before_they_go(self):
        bad = self.program("int(path.split('/')[-2])")
        first, retries = self.talk(bad, words=("--send", "--show-retries"), code=2)
        self.assertEqual((self.result["state"], retries), ("RETRY_CONSENT", []))
        would = self.result["would_send"]
        self.assertTrue(would.endswith("- Return a dict with extracted metadata fields\n"))
        _, sent = self.talk(bad, code=1)
        self.assertTrue(would.endswith(first + sent[0]))
        self.assertEqual([one["retry"] for one in self.result["attempts"]], [*sent, None])

    def test_the_log_keeps_what_a_retry_said(self):
        _, retries = self.talk(self.program("int(path.split('/')[-2])"), code=1)
        calls = json.loads(self.airlock("ai", "log", "--format", "json", code=0).out)["calls"]
        kept = [text.replace("/home/user/", "") for text in retries]  # homes are taken out of everything that is kept
        self.assertEqual([one["retry"] for one in reversed(calls)], [None, *kept])
        text = self.airlock("ai", "log", calls[0]["id"], code=0).out
        self.assertIn("  | PREVIOUS ATTEMPT FAILED", text)
        self.assertTrue(re.search(r"\| +at line 4, in extract\(\)", text), text)


if __name__ == "__main__":
    sys.exit(harness.main(__doc__))
