"""Many programs at once: `airlock check` on folders of them, and cells of policy node in which the wires of wires.py stand."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools"))
sys.dont_write_bytecode = True
import shown_policy  # noqa: E402

FOLDER_SIZE = 1000  # files in one call of check, programs in one of validate
SECONDS = 900       # seconds; a safety net against hangs, not a measure of speed


def policy_facts(airlock):
    policy = shown_policy.load("extractor", airlock)
    guarded = policy.classes["pathlib.Path"]
    return {
        "modules": sorted(policy.modules),
        "packages": {name: sorted(surface.attributes) for name, surface in policy.packages.items()},
        "builtins": sorted(policy.lists["builtins"]),
        "refused": sorted(policy.lists["refused_builtins"]),
        "readable": sorted(policy.lists["readable_special"]),
        "definable": sorted(policy.lists["definable_special"]),
        "introspection": sorted(policy.lists["introspection"]),
        "file": sorted(guarded.refused),
        "system": sorted(policy.packages["os"].refused),
    }


def accepted(airlock, texts):
    """The numbers of the programs (number → text) that `airlock check` accepts, and how many are no Python."""
    passed, unreadable = [], 0
    numbers = list(texts)
    for start in range(0, len(numbers), FOLDER_SIZE):
        with tempfile.TemporaryDirectory() as folder:
            for number in numbers[start : start + FOLDER_SIZE]:
                (pathlib.Path(folder) / f"p{number:06}.py").write_text(texts[number], encoding="utf-8")
            done = subprocess.run([airlock, "check", "--format", "json", "--policy", "extractor", "--", folder], capture_output=True, timeout=SECONDS, check=False)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"airlock check ended with {done.returncode}: {done.stderr.decode()[-500:]}")
        for entry in json.loads(done.stdout)["files"]:
            if entry["verdict"] == "accepted":
                passed.append(int(pathlib.Path(entry["file"]).stem[1:]))
            unreadable += entry["stage"] == "syntax"
    return sorted(passed), unreadable


def run_wired(airlock, texts):
    """Runs programs (number → text) in cells with wires: number → {"tripped": […], "ended": …}. A program that ends or hangs its
    cell has `ended` only."""
    outcomes = {}
    numbers = list(texts)
    with tempfile.TemporaryDirectory() as folder:
        wires, samples = pathlib.Path(folder) / "wires.py", pathlib.Path(folder) / "samples.txt"
        wires.write_text(f"POLICY = {policy_facts(airlock)!r}\n" + (HERE / "wires.py").read_text(encoding="utf-8"), encoding="utf-8")
        for start in range(0, len(numbers), FOLDER_SIZE):
            batch = numbers[start : start + FOLDER_SIZE]
            samples.write_bytes(b"".join(base64.b64encode(texts[number].encode()) + b"\n" for number in batch))
            done = subprocess.run([airlock, "validate", wires, "--policy", "node", "--no-scan", "--samples", samples, "--timeout", "5", "--format", "json"],
                                  capture_output=True, timeout=SECONDS, check=False)
            if done.returncode not in (0, 1):
                raise RuntimeError(f"airlock validate ended with {done.returncode}: {done.stderr.decode()[-500:]}")
            report = json.loads(done.stdout)
            if len(report["test_results"]["results"]) != len(batch):
                raise RuntimeError(f"the wires could not be planted: {report['retry_context'] or report['findings']}")
            for number, result in zip(batch, report["test_results"]["results"]):
                outcomes[number] = result["result"] or {"tripped": [], "ended": f"{result['error_type']}: {result['error']}"}
    return outcomes
