"""What the tests of drafts and of approved extractors share: a state of their own, programs, and direct access to the database."""
import contextlib
import hashlib
import os
import pathlib
import signal
import sqlite3
import subprocess

from support import harness

SECONDS = harness.SECONDS

CODE = '''def extract(path: str) -> dict:
    parts = path.split("/")
    return {"client": parts[2], "name": parts[-1]}
'''
SECOND = CODE.replace('"name": parts[-1]', '"name": parts[-1].upper(), "year": 2024')
RULE = '''version: 1
rules:
  - name: "Clients"
    glob: "**/*.csv"
    extract:
      client: { from: segment(-2) }
      name: { from: filename }
'''
SLOW = '''def extract(path: str) -> dict:
    number = 0
    while number < 10 ** 12:
        number += 1
    return {"number": number}
'''
PATHS = ["/data/ABC/report.csv", "/data/XYZ/summary.csv"]


def receipt_of(row, form=2):
    """The hash over all parts, as the manual has it: each text with its length before it. The first form did not say whose it is."""
    parts = (row["kind"], row["text_sha256"], row["policy"], row["policy_sha256"], row["interpreter"], row["samples_sha256"])
    if row["answers"]:  # a hash over the hashes of all answers
        parts += (hashlib.sha256(b"".join(b"%d:%s" % (len(one), one) for one in row["answers"].encode().split(b"\0")[:-1])).hexdigest(),)
    people = tuple(dict(row).get(column, "") for column in ("approved_by", "note", "author", "model"))
    if form == 1:
        parts = ("airlock receipt 1", *parts)
    else:  # the third form, where somebody was named
        parts = ("airlock receipt 3" if any(people) else "airlock receipt 2", row["name"], str(row["version"]), *parts, *(people if any(people) else ()))
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part.encode()), part.encode()) for part in parts)).hexdigest()


class Case(harness.Case):
    def setUp(self):
        super().setUp()
        self.file = self.home / "airlock.db"
        self.environment["TMPDIR"] = str(self.folder)
        self.write("e.py", CODE)
        self.write("two.py", SECOND)
        self.write("r.yaml", RULE)
        self.write("p.txt", "\n".join(PATHS) + "\n")

    def ok(self, *words, code=0, **options):
        return self.airlock(*words, code=code, **options)

    def interrupt(self, process):
        """Ctrl-C as soon as it has begun to work: it has children then."""
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        self.wait_for(children.read_text, "its first child")
        process.send_signal(signal.SIGINT)
        return self.finish(process)

    def small_disk(self, size):
        """A folder on a disk of that size; only root can have one."""
        small = self.folder / "small"
        small.mkdir(mode=0o700)
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", small], capture_output=True).returncode:
            self.skipTest("nothing can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", small], capture_output=True)
        return small

    def fill(self, folder):
        """Until there is no room left; the file that took it."""
        filler = folder / "filler"
        with open(filler, "wb", buffering=0) as out, contextlib.suppress(OSError):
            while True:
                out.write(b"x" * 4096)
        return filler

    def add(self, file="e.py", **options):
        """The id of a new draft."""
        return self.json("drafts", "add", file, "--samples", "p.txt", **options)["id"]

    def approve(self, file="e.py", name="sales", *more):
        return self.json("approve", file, "--name", name, "--samples", "p.txt", *more)

    def drafts(self):
        return [draft["id"] for draft in self.json("drafts")["drafts"]]

    def names(self):
        return [f"{one['name']}@{one['version']}" for one in self.json("extractors")["extractors"]]

    def sql(self, text, *values):
        database = sqlite3.connect(self.file)
        database.row_factory = sqlite3.Row
        try:
            with database:
                return database.execute(text, values).fetchall()
        finally:
            database.close()

    def reseal(self, **changes):
        """The row of the only extractor with these values, and a receipt that fits them: what a change of the world looks like."""
        row = {**dict(self.sql("SELECT * FROM extractors")[0]), **changes}
        for column, value in {**changes, "receipt": receipt_of(row)}.items():
            self.sql(f"UPDATE extractors SET {column} = ?", value)
