"""Programs that launder something forbidden, made from three tables: sources (how it is first named), carriers (constructs of the
grammar that move it) and sinks (how it is used). A program is a chain of links: the links of a source, with carriers behind any of
them, and a sink at the end.

The programs of a seed are numbered. First each source and each sink without a carrier; then each carrier alone with each family of
things; then pairs of carriers. A number and a seed give the same text everywhere.
"""
import dataclasses
import pathlib
import random
import re

from tripwire.tables import TABLES

FOLDER = pathlib.Path(__file__).resolve().parent
SEED = 20240131
PAIRS = 12000
SHAPES = ("body", "module", "helper", "method", "early")


@dataclasses.dataclass(frozen=True)
class Link:
    """One step: `top` goes to the module's top, `body` before the expression. VALUE is what the step before gave."""
    top: str
    body: str
    expression: str


@dataclasses.dataclass(frozen=True)
class Entry:
    """A named row of a table: a carrier or sink has one link, a source one or more."""
    name: str
    kind: str
    links: tuple

    @property
    def family(self):
        return self.kind.partition("-")[0] if self.kind.startswith("module-") else self.kind


@dataclasses.dataclass(frozen=True)
class Chain:
    """What a program is made of. `carriers` are (gap, carrier): gap n stands behind the source's link n."""
    source: Entry
    carriers: tuple
    sink: Entry
    shape: str

    def describe(self):
        carriers = " > ".join(f"{carrier.name}@{gap}" for gap, carrier in self.carriers)
        return f"{self.source.name} > {carriers + ' > ' if carriers else ''}{self.sink.name} ({self.shape})"


def read_link(text):
    top, divider, rest = text.rpartition("\n----\n")
    lines = rest.strip("\n").split("\n")
    return Link(top.strip("\n") if divider else "", "\n".join(lines[:-1]), lines[-1])


def read_table(name):
    entries = []
    for block in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n#==== ")[1:]:
        header, _, text = block.partition("\n")
        header, _, table = header.partition(" * ")
        columns, rows = TABLES[table] if table else ((), [()])
        for row in rows:
            filled, title = text, header
            for column, word in zip(columns, row):
                filled, title = filled.replace(column, word), title.replace(column, word)
            title, _, kind = title.partition(" : ")
            entries.append(Entry(title, kind, tuple(read_link(link) for link in filled.split(">>>>\n"))))
    return entries


def carriers():
    return [entry for name in ("expressions", "statements", "calls", "library", "beliefs") for entry in read_table(f"carriers_{name}")]


def indented(text, depth=1):
    return "\n".join("    " * depth + line if line else line for line in text.split("\n"))


def steps(chain, handed_over):
    """(top, body, expression) of each link in its order, the sink last, with names of its own and with what the link before gave.
    The sink gets `handed_over` when the chain before it stands elsewhere."""
    links = []  # (number for names, link); the links of one source share their names
    for gap, link in enumerate(chain.source.links):
        links.append((0, link))
        links.extend((number, carrier.links[0]) for number, (place, carrier) in enumerate(chain.carriers, 1) if place == gap)
    woven, value = [], ""
    for number, link in [*links, (9, chain.sink.links[0])]:
        own = [re.sub(r"_N\b", f"_{number}", part) for part in (link.top, link.body, link.expression)]
        if number == 9:
            value = handed_over or value
        top, body, expression = own[0], own[1].replace("VALUE", value), own[2].replace("VALUE", value)
        value = expression if re.fullmatch(r"\w+", expression) else f"({expression})"
        woven.append((top, body, expression))
    return woven


HANDED_OVER = {"body": "", "early": "", "module": "MADE", "helper": "made(path)", "method": "Maker().made(path)"}


def weave(chain):
    """The text of the program. The shape says where the chain stands: in extract, at module level, in a function or a method, or
    all of it at module level."""
    woven = steps(chain, HANDED_OVER[chain.shape])
    tops = [top for top, _, _ in woven if top]
    *bodies, sink_body = [body for _, body, _ in woven]
    bodies = [body for body in bodies if body]
    value, sink = woven[-2][2], woven[-1][2]
    end = [*[sink_body][: bool(sink_body)], f'return {{"got": str({sink})}}']
    if chain.shape == "body":
        early, late = [], [*bodies, *end]
    elif chain.shape == "module":
        early, late = [*bodies, f"MADE = {value}"], end
    elif chain.shape == "early":
        early, late = [*bodies, *end[:-1], f"MADE = {sink}"], ['return {"got": str(MADE)}']
    else:
        maker = "def made(path):\n" + indented("\n".join([*bodies, f"return {value}"]))
        if chain.shape == "method":
            maker = "class Maker:\n" + indented(maker.replace("(path)", "(self, path)", 1))
        early, late = [maker], end
    # Nothing of a path is known at module level, so an unforeseeable empty text is made of something else there.
    knows_path = chain.shape in ("helper", "method")
    before = "\n".join([*tops, *early])
    extract = "def extract(path: str) -> dict:\n" + indented("\n".join(late))
    before = before.replace("EMPTY", "path[0:0]" if knows_path and "EMPTY" not in "".join(tops) else "str()")
    return before + "\n" * bool(before) + extract.replace("EMPTY", "path[0:0]") + "\n"


class Programs:
    """All programs of a seed, by number. The chains are chosen at once, a text is woven when it is asked for."""

    def __init__(self, seed=SEED, pairs=PAIRS):
        self.carriers = carriers()
        self.sources = read_table("sources")
        self.sinks = read_table("sinks")
        self.fitting = {sink.kind: [other for other in self.sinks if other.kind == sink.kind] for sink in self.sinks}
        self.families = {source.family: [other for other in self.sources if other.family == source.family] for source in self.sources}
        self.random = random.Random(seed)
        self.chains = [*self.bare(), *self.singles(), *self.pairs(pairs)]

    def __len__(self):
        return len(self.chains)

    def text(self, number):
        return weave(self.chains[number])

    def chain(self, source, *chosen):
        gaps = sorted(self.random.randrange(len(source.links)) for _ in chosen)
        return Chain(source, tuple(zip(gaps, chosen)), self.random.choice(self.fitting[source.kind]), self.random.choice(SHAPES))

    def bare(self):
        for source in self.sources:
            fitting = self.fitting[source.kind]
            for sink in self.random.sample(fitting, min(3, len(fitting))):
                yield Chain(source, (), sink, self.random.choice(SHAPES))
        for sink in self.sinks:
            source = self.random.choice([source for source in self.sources if source.kind == sink.kind])
            yield Chain(source, (), sink, self.random.choice(SHAPES))

    def singles(self):
        for carrier in self.carriers:
            for sources in self.families.values():
                yield self.chain(self.random.choice(sources), carrier)

    def pairs(self, count):
        seen = set()
        while len(seen) < count:
            pair = self.random.randrange(len(self.carriers)), self.random.randrange(len(self.carriers))
            if pair in seen:
                continue
            seen.add(pair)
            sources = self.random.choice(list(self.families.values()))
            yield self.chain(self.random.choice(sources), *(self.carriers[index] for index in pair))
