"""What we compare with: small programs for a bare python3, each printing its own times, one a line.

All are started with `python3 -I -c TEXT ARGUMENTS…`, so nothing of this process is in them.
"""

PYTHON = "/usr/bin/python3"

# FILE COUNT: microseconds to parse.
PARSE = """
import ast, sys, time
code = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    ast.parse(code)
    print((time.perf_counter() - start) * 1e6)
"""

# FILE COUNT REFERENCE: microseconds of its stages 1-3.
REFERENCE_STAGES = """
import sys, time
sys.path.insert(0, sys.argv[3])
from reference import preprocess_llm_output, validate_syntax, scan_security, validate_signature
raw = open(sys.argv[1]).read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    code = preprocess_llm_output(raw)
    assert validate_syntax(code).valid and scan_security(code).safe and validate_signature(code).valid
    print((time.perf_counter() - start) * 1e6)
"""

# FILE COUNT REFERENCE PATH…: microseconds of its whole pipeline.
REFERENCE_PIPELINE = """
import sys, time
sys.path.insert(0, sys.argv[3])
from reference import run_validation_pipeline
raw, paths = open(sys.argv[1]).read(), sys.argv[4:]
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    assert run_validation_pipeline(raw, paths).valid
    print((time.perf_counter() - start) * 1e6)
"""

# FILE COUNT PURGE PATH…: microseconds of compile, exec and the calls, with no isolation at all. From the second round on,
# re.compile finds its patterns in the module's cache; with PURGE = 1 they are compiled each time, as in a fresh process.
BARE = """
import re, sys, time
raw, purge, paths = open(sys.argv[1]).read(), sys.argv[3] == "1", sys.argv[4:]
for _ in range(int(sys.argv[2])):
    if purge:
        re.purge()
    start = time.perf_counter()
    names = {"__name__": "extractor"}
    exec(compile(raw, "extractor", "exec"), names)
    for path in paths:
        names["extract"](path)
    print((time.perf_counter() - start) * 1e6)
"""

# FILE PATHS: rows a second of the loop that anybody would write.
LOOP = """
import json, sys, time
code = open(sys.argv[1]).read()
paths = open(sys.argv[2]).read().splitlines()
start = time.perf_counter()
names = {"__name__": "extractor"}
exec(compile(code, "extractor", "exec"), names)
extract = names["extract"]
for path in paths:
    json.dumps(extract(path))
print(len(paths) / (time.perf_counter() - start))
"""

# COUNT: microseconds until fork() returns in a Python with the modules that extractors use.
FORK = """
import base64, collections, dataclasses, datetime, enum, fnmatch, hashlib, json, math, os, pathlib, re, string, sys
import time, typing, urllib.parse, uuid
for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    child = os.fork()
    if child == 0:
        os._exit(0)
    print((time.perf_counter() - start) * 1e6)
    sys.stdout.flush()
    os.waitpid(child, 0)
"""

# FOLDER: seconds to parse all of its *.py.
PARSE_ALL = """
import ast, pathlib, sys, time, warnings
warnings.simplefilter("ignore")
start = time.perf_counter()
for file in pathlib.Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        pass
print(time.perf_counter() - start)
"""

# FILE COUNT: microseconds to admit a document as a walker in Python does it, with the same rules: json.loads that refuses
# NaN and double keys, then every value by type, every key by the pattern, depth and sizes.
ADMIT = """
import json, re, sys, time, unicodedata
pattern = re.compile(r"(?i)(secret|token|password|credential|api[_-]?key|auth[_-]?token|bearer|access[_-]?key|private[_-]?key)")
allowed = {"references_secrets"}
hidden = re.compile("[\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]")

def refuse(*_):
    raise ValueError

def pairs(found):
    names = dict(found)
    if len(names) != len(found):
        refuse()
    return names

def key(name):
    plain = name if name.isascii() else hidden.sub("", unicodedata.normalize("NFKC", name).casefold())
    if len(name) > 512 or (pattern.search(plain) and name not in allowed):
        refuse()

def walk(document):
    stack = [(document, 1)]
    while stack:
        value, depth = stack.pop()
        kind = type(value)
        if kind is dict:
            if depth > 128:
                refuse()
            for name, inner in value.items():
                key(name)
                stack.append((inner, depth + 1))
        elif kind is list:
            if depth > 128:
                refuse()
            stack.extend((inner, depth + 1) for inner in value)
        elif kind is str:
            if len(value) > 4 << 20:
                refuse()
        elif kind is float:
            if value != value or value in (float("inf"), float("-inf")):
                refuse()
        elif kind is not int and kind is not bool and value is not None:
            refuse()

data = open(sys.argv[1], "rb").read()
for _ in range(int(sys.argv[2])):
    start = time.perf_counter()
    walk(json.loads(data, parse_constant=refuse, object_pairs_hook=pairs))
    print((time.perf_counter() - start) * 1e6)
"""

# Files and bytes by ending below a folder.
WALK = """
import collections, os, sys, time
start = time.perf_counter()
files, sizes = collections.Counter(), collections.Counter()
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        ending = os.path.splitext(name)[1]
        files[ending] += 1
        sizes[ending] += os.lstat(os.path.join(folder, name)).st_size
print(time.perf_counter() - start)
"""

# Each probe of the files given, with no wall around it.
PROBES = """
import asyncio, importlib.util, inspect, logging, pathlib, sys, tempfile, time
sys.path.insert(0, sys.argv[1])
from airlock.probe import Probe, ProbeContext, RepoSnapshot
start = time.perf_counter()
for file in sys.argv[3:]:
    spec = importlib.util.spec_from_file_location("probe_file", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, Probe) and one is not Probe]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        output = found[0]().run(RepoSnapshot(pathlib.Path(sys.argv[2])), ProbeContext(folder, folder, folder, logging.getLogger()))
        if inspect.isawaitable(output):
            asyncio.run(asyncio.wait_for(output, None))
print(time.perf_counter() - start)
"""
