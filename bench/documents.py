"""Documents as probes write them, for measuring admission: the same bytes each time."""
import json
import random

WORDS = ("service config module handler request build layer cache index parser report legacy runtime schema vendor branch "
         "deploy region cluster metric worker adapter bridge").split()


def document(megabytes):
    """A repository's facts: files with sizes and hashes, dependencies, warnings, some prose, some absolute paths."""
    draw = random.Random(7)
    word = lambda: draw.choice(WORDS)
    path = lambda: "/".join(word() for _ in range(draw.randint(2, 5))) + draw.choice([".py", ".ts", ".go", ".md"])

    def file():
        return {"path": draw.choice(["", "", "", "/srv/checkout/repo/"]) + path(), "bytes": draw.randint(10, 90000),
                "lines": draw.randint(1, 3000), "sha256": f"{draw.getrandbits(256):064x}", "generated": draw.random() < 0.1,
                "language": draw.choice(["python", "typescript", "go", None]), "share": round(draw.random(), 4)}

    def dependency():
        return {"name": f"{word()}-{word()}", "version": f"{draw.randint(0, 9)}.{draw.randint(0, 30)}.{draw.randint(0, 9)}",
                "direct": draw.random() < 0.3, "licenses": ["MIT"], "homepage": f"https://example.org/{word()}/{word()}"}

    def remark():
        return {"at": {"file": path(), "line": draw.randint(1, 900)},
                "text": " ".join(word() for _ in range(draw.randint(6, 20))) + "."}

    size, parts = 0, {"files": [], "dependencies": [], "remarks": []}
    while size < megabytes * 1_000_000:
        for name, make in (("files", file), ("dependencies", dependency), ("remarks", remark)):
            parts[name].append(make())
            size += len(json.dumps(parts[name][-1])) + 2
    return json.dumps(parts).encode()


def write_tree(root, files):
    """A repository of small files in five languages, fifty in a folder."""
    for number in range(files):
        folder = root / "src" / f"m{number // 1000:03d}" / f"p{number // 50 % 20:02d}"
        if number % 50 == 0:
            folder.mkdir(parents=True)
        ending = ("py", "c", "h", "js", "md")[number % 5]
        (folder / f"file{number % 50:02d}.{ending}").write_text(f"# file {number}\nimport os\n" * 20, encoding="utf-8")
