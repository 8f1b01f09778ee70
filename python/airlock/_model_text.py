"""error.for_model(): what a model needs to mend its code. Type, line, the line's text, what to do, what there is instead.

What comes out of the piece (messages, names, source) is foreign: it stands on one line, escaped and bounded, so that it cannot pass for
instructions of whoever writes the prompt."""
from __future__ import annotations

import builtins
import re
import sys
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional

from ._describe import head_of, stub_of

if TYPE_CHECKING:
    from .errors import Error

MOST = 8 * 1024  # characters of all
LONGEST = 400  # of one foreign text
LONGEST_LINE = 160
NAME = re.compile(r"""name '(\w+)' is not defined|cannot access (?:local|free) variable '(\w+)'""")
MODULE = re.compile(r"""No module named '([\w.]+)'""")
ATTRIBUTE = re.compile(r"""'?([\w.]+)'? (?:object )?has no attribute '(\w+)'""")
FRAME = re.compile(r"""^  piece (\d+), line (\d+), in (.+)\n(?:    (.+))?""", re.MULTILINE)
CALL = re.compile(r"""^(\w+)\(\) |(?:missing a required|got an unexpected|too many|multiple values)""")
DEFINED = re.compile(r"""^(?:async\s+def|def|class)\s+(\w+)|^(\w+)\s*(?::[^=]+)?=(?!=)|^import\s+(\w+)\s*$|^(?:import|from)\s.*\bas\s+(\w+)|^from\s+\S+\s+import\s+(\w+)\s*$""", re.MULTILINE)

# Of the standard library inside, whatever the Python outside is.
MODULES = frozenset("""
abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath
cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io ipaddress
itertools json keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib
numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile
pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap threading time
timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave
weakref webbrowser wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
""".split())

# Where the type says enough.
USUAL = {
    "IndexError": "it has fewer items than that: look at its len() first.",
    "KeyError": "there is no such key: print list(…) of the keys, or use .get() with a default.",
    "PermissionError": "only files in /data can be read, and only files in /out can be written.",
    "ValueError": "print the repr() of the value, and convert or catch what does not fit.",
    "ZeroDivisionError": "test that the divisor is not zero before you divide.",
}


def safe(text: str, most: int = LONGEST) -> str:
    """Foreign text: one line, nothing that cannot be seen."""
    out = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text[:most + 1])
    return out[:most] + "…" if len(out) > most else out


# What many install: a word that is near to one of these is no misspelt module of the standard library.
ELSEWHERE = frozenset("""
aiohttp altair arrow attr attrs beautifulsoup boto3 bs4 celery certifi chardet click cryptography cv2 dask dateutil django docx dotenv duckdb fastapi
flask gensim geopandas httpx jinja2 joblib jsonschema keras lxml markdown matplotlib mcp mistune msgpack mypy networkx nltk numba numpy openai openpyxl
orjson pandas paramiko pdfplumber peewee pendulum pil pillow pip plotly polars psutil psycopg2 pyarrow pydantic pygments pymongo pymysql pypdf pytest
pytz pyyaml rapidfuzz redis regex requests rich scipy seaborn selenium setuptools shapely simplejson six sklearn spacy sqlalchemy statsmodels sympy
tabulate tensorflow tiktoken toml tomli torch tornado tqdm transformers typer ujson urllib3 uvicorn websockets werkzeug xarray xgboost xlrd yaml
""".split())


def near(word: str, known: Iterable[str], least: float = 0.6) -> Optional[str]:
    import difflib
    found = difflib.get_close_matches(word, list(dict.fromkeys(known)), 1, least)
    return found[0] if found else None


def defined_names(code: str) -> List[str]:
    """What a piece names at its top level, as far as one sees without parsing it."""
    return [next(filter(None, match.groups())) for match in DEFINED.finditer(code)]


def place(error: "Error", code: str) -> str:
    lines = code.splitlines()
    if error.line is None:
        return ""
    text = f"\n  at line {error.line}"
    if 1 <= error.line <= len(lines):
        text += f"\n    {safe(lines[error.line - 1].strip(), LONGEST_LINE)}"
    frames = FRAME.findall(error.traceback)
    if frames and frames[-1][0] != frames[0][0]:  # it went wrong in a function of an earlier piece
        _, line, function, source = frames[-1]
        text += f"\n  in {safe(function, 80)}, line {line} of the piece that defined it\n    {safe(source.strip(), LONGEST_LINE)}"
    return text


def text_for_model(error: "Error", about: Dict[str, Any]) -> str:
    """At most MOST characters."""
    code = str(about.get("code", ""))
    parts = [f"{headline(error)}{place(error, code)}"]
    parts += advice(error, about, code)
    if error.out is not None:
        parts += printed(error)
        parts.append(state(error, about))
    return "\n".join(parts)[:MOST]


def headline(error: "Error") -> str:
    kind = type(error).__name__
    if kind == "GuestError":
        return f"The code failed: {safe(error.type, 80)}: {safe(error.message)}"
    opening = {"Timeout": "The code took too long", "MemoryLimit": "The code needed too much memory", "OutputLimit": "The code printed too much",
               "Violation": "The code did what is not allowed here", "Crashed": "The code ended its process", "Refused": "The code was refused",
               "SessionLost": "The engine that ran the code is gone", "NoIsolation": "The code was not run"}.get(kind, "The call was wrong")
    return f"{opening}: {safe(error.message)}"


def advice(error: "Error", about: Dict[str, Any], code: str) -> List[str]:
    functions: List[Dict[str, Any]] = about.get("functions", [])
    kind = type(error).__name__
    if kind == "GuestError":
        return guest_advice(error, about, code, functions)
    if kind == "Timeout":
        return ["Fix: do less in one piece, or part the work; check that every loop ends."]
    if kind == "MemoryLimit":
        return [f"Fix: the limit is {about.get('memory_mb', 256)} MB. Work on parts, use generators, keep no copies."]
    if kind == "OutputLimit":
        return ["Fix: print less. A result belongs into the last expression, or into a file in /out."]
    if kind == "Violation":
        return violation_advice(error, functions)
    if kind == "Crashed":
        return ["Fix: do not end the process (os._exit, os.abort, signals) and call no native code with wrong arguments."]
    if kind == "Refused":
        return findings(error)
    return []


def guest_advice(error: "Error", about: Dict[str, Any], code: str, functions: List[Dict[str, Any]]) -> List[str]:
    by_name = {one["name"]: one for one in functions}
    awaiting = await_advice(error, code, by_name)
    if awaiting:
        return awaiting
    known = [*by_name, *about.get("inputs", {}), *about.get("defined", []), *defined_names(code)]
    if error.type in ("NameError", "UnboundLocalError"):
        return name_advice(error, known, by_name)
    if error.type in ("ModuleNotFoundError", "ImportError"):
        return module_advice(error, about, by_name)
    if error.type == "SyntaxError" or error.findings:
        return findings(error) or ["Fix: send only Python, without text around it."]
    if error.type == "AttributeError":
        return attribute_advice(error)
    if error.type == "FileNotFoundError":
        return [f"Fix: only these files can be read: {', '.join('/data/' + safe(one, 80) for one in about['files'])}."
                if about.get("files") else "Fix: there are no files to read; files can be written to /out only."]
    called = CALL.search(error.message)
    lines = source_lines(error, code)
    for name, told in by_name.items():
        if not (called and called[1] == name) and not any(re.search(rf"\b{name}\s*\(", line) for line in lines):
            continue
        how = f"{'await ' if told['async'] else ''}{safe(head_of(told))}"
        if error.type == "TypeError" and called:
            return [f"Fix: {how} is how it is called."]
        if was_raised_by(error, name):
            return [f"It was raised by {name}, one of the functions that you can call: {how}"]
    return [f"Fix: {USUAL[error.type]}"] if error.type in USUAL else []


def await_advice(error: "Error", code: str, by_name: Dict[str, Dict[str, Any]]) -> List[str]:
    """One that is awaited and is no coroutine function, or is one and is not awaited."""
    if error.type == "TypeError" and "'await' expression" in error.message:
        for line in source_lines(error, code):
            for name in re.findall(r"\bawait\s+(\w+)\s*\(", line):
                if name in by_name and not by_name[name]["async"]:
                    return [f"Fix: {name} is not async; write `{name}(…)`, without await."]
    if error.type in ("TypeError", "AttributeError") and "coroutine" in error.message:
        forgotten = [name for name, told in by_name.items() if told["async"] and re.search(rf"(?<!await )(?<!def )(?<![\w.]){name}\s*\(", code)]
        forgotten = forgotten or [name for name, told in by_name.items() if told["async"]]
        if forgotten:
            return ["Fix: " + "; ".join(f"{name} is async, write `await {name}(…)`" for name in forgotten[:5]) + "."]
        return ["Fix: an async function was called without await; write `await` before the call."]
    return []


def was_raised_by(error: "Error", name: str) -> bool:
    """A host function, with the last call that the piece made."""
    calls = error.out.calls if error.out is not None else []
    return bool(calls) and calls[-1].get("name") == name and calls[-1].get("ended") == "raised"


def source_lines(error: "Error", code: str) -> List[str]:
    """Where it went wrong: the line of this piece, and those that the traceback shows."""
    lines = code.splitlines()
    found = [lines[error.line - 1]] if error.line is not None and 1 <= error.line <= len(lines) else []
    return found + [source for *_, source in FRAME.findall(error.traceback) if source]


def name_advice(error: "Error", known: List[str], by_name: Dict[str, Dict[str, Any]]) -> List[str]:
    found = NAME.search(error.message)
    if found is None:
        return []
    word = found[1] or found[2]
    if error.type == "NameError" and word in MODULES:
        return [f"Fix: write `import {word}` first."]
    if error.type == "NameError" and word in ("exit", "quit"):
        return [f"Fix: there is no {word}() here: let the piece end by itself, and leave out what must not run with `if`."]
    # dir(builtins) is of the Python outside, which may have names that the one inside has not.
    close = near(word, [name for name in [*known, *dir(builtins)] if name != word])
    parts = [f"Fix: did you mean '{safe(close, 80)}'?"] if close else []
    if close in by_name:
        parts.append(f"  {safe(head_of(by_name[close]))}")
    elif by_name:
        parts.append("What you can call: " + ", ".join(safe(head_of(one), LONGEST_LINE) for one in list(by_name.values())[:20]))
    own = [safe(name, 80) for name in dict.fromkeys(known) if name not in by_name and name != word][:20]
    if not close and own:
        parts.append("Names that are set: " + ", ".join(own))
    return parts or ["Fix: set the name before you use it."]


def module_advice(error: "Error", about: Dict[str, Any], by_name: Dict[str, Dict[str, Any]]) -> List[str]:
    found = MODULE.search(error.message)
    word = found[1].partition(".")[0] if found else ""
    if word in by_name:
        return [f"Fix: {word} is there already, without an import: {safe(head_of(by_name[word]))}"]
    packages = list(about.get("packages", []))
    close = near(word, [*packages, *MODULES, *ELSEWHERE], 0.8) if word and word.lower() not in ELSEWHERE - {*packages} else None
    parts = [f"Fix: did you mean '{close}'?" if close in packages or close in MODULES else "Fix: it is not installed here, and nothing can be installed. Do it with the standard library."]
    if packages:
        parts.append("Packages that are there: " + ", ".join(packages))
    return parts


def attribute_advice(error: "Error") -> List[str]:
    found = ATTRIBUTE.search(error.message)
    if found is None:
        return []
    owner = getattr(builtins, found[1], None) or (sys.modules.get(found[1]) if found[1] in MODULES else None)
    close = near(found[2], [name for name in dir(owner) if not name.startswith("_")]) if owner is not None else None
    return [f"Fix: did you mean '{close}'?"] if close else []


def violation_advice(error: "Error", functions: List[Dict[str, Any]]) -> List[str]:
    calls = ", ".join(dict.fromkeys(safe(str(one.get("call", "?")), 40) for one in error.denials))
    parts = [f"Denied by the kernel: {calls}."] if calls else []
    parts.append("Fix: there is no network, there are no processes, and no files but /data (to read) and /out (to write).")
    if functions:
        parts.append("What reaches outside are these functions:\n" + "\n".join(stub_of(one) for one in functions[:20]))
    return parts


def findings(error: "Error") -> List[str]:
    parts: List[str] = []
    for one in error.findings[:20]:
        where = f"line {one['line']}: " if one.get("line") else ""
        parts.append(f"  {where}{safe(str(one.get('message', '')))}")
        if one.get("suggestion"):
            parts.append(f"    Suggestion: {safe(str(one['suggestion']))}")
    for one in error.errors[:20]:
        parts.append(f"  {safe(str(one.get('type', '')), 80)}: {safe(str(one.get('message', '')))}")
    return parts


def printed(error: "Error") -> List[str]:
    """The end of what it printed tells how far it came."""
    assert error.out is not None
    lines = error.out.stdout.splitlines()[-5:]
    return ["It had printed:", *(f"  {safe(line, LONGEST_LINE)}" for line in lines)] if lines else []


def state(error: "Error", about: Dict[str, Any]) -> str:
    assert error.out is not None
    if about.get("is_single"):
        return "Send the whole code again."
    if error.out.state_lost:
        return "The names of earlier pieces are lost: send everything that is needed again. Files in /out and the functions are still there."
    return "Names that were set before are still there. Send a corrected piece."
