"""What a user would pick instead of a session: Pyodide and Monty in node, bubblewrap around python3. Each prints its own times.

The npm packages are no part of this project: where npm can be had and reaches its registry they are put into a folder of the user's cache once, or
--npm FOLDER (or AIRLOCK_NPM) names one with them. What is not there is not measured, and says why."""
import json, os, pathlib, shutil, statistics, subprocess, time

from baselines import PYTHON

# FOLDER CODE COUNT: the time to load, then of the first piece, then of each piece, in milliseconds.
PYODIDE = """
const folder = process.argv[1], code = process.argv[2], count = Number(process.argv[3]);
const { createRequire } = await import("module");
const { loadPyodide } = createRequire(folder + "/")("pyodide");
let start = performance.now();
const pyodide = await loadPyodide();
pyodide.runPython("n = 10");
console.log(performance.now() - start);
for (let i = 0; i < count; i++) {
  start = performance.now();
  pyodide.runPython(code);
  console.log(performance.now() - start);
}
"""

# The same. Monty keeps no names from piece to piece: each is parsed and run on its own.
MONTY = """
const folder = process.argv[1], code = process.argv[2], count = Number(process.argv[3]);
const { Monty } = await import(folder + "/node_modules/@pydantic/monty/wrapper.js");
let start = performance.now();
new Monty("1").run();
console.log(performance.now() - start);
for (let i = 0; i < count; i++) {
  start = performance.now();
  new Monty(code, { inputs: ["n"] }).run({ inputs: { n: 10 } });
  console.log(performance.now() - start);
}
"""

PACKAGES = ("pyodide", "@pydantic/monty")
PATIENCE = 300  # seconds for npm

BUBBLEWRAP = ["bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
              "--proc", "/proc", "--dev", "/dev", "--unshare-all", "--die-with-parent", "--clearenv"]


def version_of(folder, package):
    """None when it is not installed there."""
    try:
        return json.loads((folder / "node_modules" / package / "package.json").read_text(encoding="utf-8"))["version"]
    except OSError:
        return None


def npm_folder(given):
    """(folder, why not): the one that was given, or our own, filled with npm."""
    if given:
        return given.resolve(), None
    if not shutil.which("node") or not shutil.which("npm"):
        return None, "node and npm are not installed"
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "airlock" / "npm"
    if all(version_of(folder, one) for one in PACKAGES):
        return folder, None
    folder.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder, *PACKAGES], capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, f"npm did not answer in {PATIENCE} s"
    said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
    return (folder, None) if done.returncode == 0 else (None, said[0] if said else "npm install failed")


def node_times(script, folder, code, count):
    done = subprocess.run(["node", "--input-type=module", "-e", script, str(folder), code, str(count)], capture_output=True, text=True, timeout=300)
    return [float(line) for line in done.stdout.split()] if done.returncode == 0 else None


def bubblewrap_times(code, count):
    took = []
    for _ in range(count):
        start = time.perf_counter()
        if subprocess.run([*BUBBLEWRAP, PYTHON, "-I", "-c", "n = 10\n" + code], capture_output=True).returncode:
            return None
        took.append((time.perf_counter() - start) * 1e3)
    return took


def measure(bench, code, piece, new):
    """Beside our piece in a live session, and our new session with its first piece, in milliseconds."""
    say, skip = bench.report.say, bench.report.skip
    bench.report.part("What else there is, in the same run (they are not behind walls of the kernel, but for bubblewrap)")
    folder, why = npm_folder(bench.npm)
    for name, package, script in (("Pyodide", "pyodide", PYODIDE), ("Monty", "@pydantic/monty", MONTY)):
        version = version_of(folder, package) if folder else None
        times = node_times(script, folder, code, 60) if version and shutil.which("node") else None
        if not times:
            skip(name, why or (f"node cannot run {package} {version}" if version else f"{package} is not in {folder}"))
            continue
        say(f"{name} {version}, a piece", statistics.median(times[1:]), "ms", "ours", piece)
        say(f"{name} {version}, from nothing", times[0] + times[1], "ms", "our new session", new)
    times = bubblewrap_times(code, 10) if shutil.which("bwrap") else None
    if not times:
        return skip("bubblewrap + python3", "bwrap is not installed, or cannot make its namespaces")
    version = subprocess.run(["bwrap", "--version"], capture_output=True, text=True).stdout.split()[-1]
    say(f"bubblewrap {version} + python3, a piece", statistics.median(times), "ms", "ours", piece)
    say(f"bubblewrap {version} + python3, from nothing", statistics.median(times), "ms", "our new session", new)
