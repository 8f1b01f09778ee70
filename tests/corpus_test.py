#!/usr/bin/env python3
"""The corpora against the scan: every attack is refused, every honest extractor is accepted.

    corpus_test.py [--airlock build/airlock]

tests/corpus/*.txt hold many small files each; they are laid out in a temporary folder and judged in one call.
"""
import argparse, json, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent


def lay_out(corpus, folder):
    parts = corpus.read_text(encoding="utf-8").split("\n#==== ")
    for part in parts[1:]:
        name, _, text = part.partition("\n")
        (folder / f"{name}.py").write_text(text + "\n", encoding="utf-8")
    return len(parts) - 1


def judge(airlock, corpus, wanted):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        count = lay_out(corpus, folder)
        done = subprocess.run([airlock, "check", "--format", "json", folder], capture_output=True, timeout=300)
        files = json.loads(done.stdout)["files"]
    wrong = [f for f in files if f["verdict"] != wanted]
    for file in wrong:
        first = next((x for x in file["findings"] if x["severity"] == "error"), {})
        print(f"  {pathlib.Path(file['file']).stem}: {file['verdict']}, not {wanted}; {first.get('rule', '')} {first.get('message', '')}")
    if len(files) != count:
        print(f"  {corpus.name}: {count} files laid out, {len(files)} judged")
        wrong.append(None)
    return count, len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--airlock", type=pathlib.Path, default=HERE.parent / "build" / "airlock")
    args = parser.parse_args()
    total = failed = 0
    for name, wanted in (("attacks", "refused"), ("honest", "accepted")):
        count, wrong = judge(args.airlock.resolve(), HERE / "corpus" / f"{name}.txt", wanted)
        total, failed = total + count, failed + wrong
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
