"""How the layouts of public conventions are written down: a template, and for every field what its values look like.

A field is `name`, `name|other_name` where people use both, or `_name` where nobody would expect it to be found.
"""
import datetime
import hashlib
import random
import uuid


class Moment(str):
    """A written day that knows which one it is."""
    iso = ""


def pick(*values):
    return lambda r, row: r.choice(values)


def num(low, high, width=0):
    return lambda r, row: str(r.randint(low, high)).zfill(width)


def hexa(length):
    return lambda r, row: hashlib.sha512(str(r.random()).encode()).hexdigest()[:length]


def uid():
    return lambda r, row: str(uuid.UUID(int=r.getrandbits(128), version=4))


def day(form, first=2019, last=2024):
    """A day of the row; all parts of one row are of the same day."""
    def make(r, row):
        if "__day" not in row:
            start = datetime.datetime(first, 1, 1)
            row["__day"] = start + datetime.timedelta(seconds=r.randrange((last - first + 1) * 365 * 86400))
        made = Moment(row["__day"].strftime(form))
        made.iso = row["__day"].isoformat()
        return made
    return make


def code(pattern):
    """@ is a capital, % a small letter, # a digit, everything else itself."""
    def make(r, row):
        return "".join(r.choice("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "@" else r.choice("abcdefghiklmnoprstuvz") if c == "%"
                       else r.choice("0123456789") if c == "#" else c for c in pattern)
    return make


def by(other, table):
    return lambda r, row: r.choice(table[row[other]])


NAMES = "smith jones garcia mueller tanaka okafor silva rossi novak larsen kowalski ivanov dubois haddad".split()
WORDS = ("report summary overview notes draft plan budget forecast review agenda minutes letter contract appendix "
         "proposal schedule inventory analysis").split()


def words(low, high, gap=" ", case=str.title):
    return lambda r, row: gap.join(case(r.choice(WORDS)) for _ in range(r.randint(low, high)))


class Layout:
    def __init__(self, name, templates, fields, count=80, noise=(), held=False):
        self.name, self.fields, self.held = name, {}, held
        seed = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
        r = random.Random(seed)
        templates = [templates] if isinstance(templates, str) else templates
        self.rows = []
        self.types = {}
        for full, (kind, _) in fields.items():
            if not full.startswith("_"):
                self.types[full.split("|")[0]] = (full.split("|"), kind.split("|"))
        for _ in range(count):
            row = {}
            for full, (_, make) in fields.items():
                row[full.split("|")[0]] = make(r, row) if callable(make) else make
            row.pop("__day", None)
            form = r.choice(templates)
            path = form.format(**row)
            here = {k: v for k, v in row.items() if k in self.types and "{" + k + "}" in form}
            self.rows.append((path, here))
        seen = set()
        self.rows = [x for x in self.rows if not (x[0] in seen or seen.add(x[0]))]
        for path in noise:
            self.rows.insert(r.randrange(len(self.rows)), (path, None))

    @property
    def paths(self):
        return [path for path, _ in self.rows]
