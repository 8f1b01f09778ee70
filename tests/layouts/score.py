"""How well a rule that was inferred gives what a person would take: names, types, values, coverage.

A value counts when it is the text of the path, the number or the day that it says, or the text without a word in front (12 of
tenant-012): people disagree about that. A name counts when it is one of those that people use.
"""
import dataclasses
import json
import re


@dataclasses.dataclass
class Score:
    wanted: int = 0
    named: int = 0
    typed: int = 0
    valued: int = 0
    coverage: float = 1.0
    misses: list = dataclasses.field(default_factory=list)


def is_day(want, got):
    """Whether the date or datetime `got` is the moment that `want` was written from."""
    iso = getattr(want, "iso", "")
    if not iso:
        digits = re.sub(r"\D", "", want)
        found = re.sub(r"\D", "", got)
        return found[:8] == digits[:8] or (len(digits) == 6 and found[:6] == digits)
    is_whole_day = len(want) >= 8 and "W" not in want and "scheduled" not in want
    return got[:7] == iso[:7] and (not is_whole_day or got[:10] == iso[:10]) and (len(got) < 15 or got[11:16] == iso[11:16])


def is_same(want, got):
    if got is None:
        return want == "__HIVE_DEFAULT_PARTITION__"
    text = str(got)
    if text in (want, "v" + want):
        return True
    for pattern in (r"[A-Za-z]+[-_]?(?=[A-Za-z0-9]+$)", r"[A-Za-z]{2,}?(?=\d+$)"):
        word = re.match(pattern, want)
        if word and is_same(want[word.end():], got):
            return True
    if re.fullmatch(r"-?\d+", text) and re.fullmatch(r"\D?0*\d+", want):
        return (want.lstrip("Qq0") or "0") == text
    if isinstance(got, float):
        return re.fullmatch(r"\d+(\.\d+)?", want) is not None and float(want) == got
    return re.match(r"\d{4}-\d\d-\d\d", text) is not None and is_day(want, text)


def types_of(report):
    found = {}
    for rule in report["rules"]:
        for field in rule["fields"]:
            found.setdefault(field["name"], set()).add(field["type"])
    return found


def judge(layout, report, rows):
    """`rows`: what `airlock extract` gave for layout.paths with the rule of `report`, one dict a path."""
    score, types = Score(), types_of(report)
    pairs = [(fields, row) for (_, fields), row in zip(layout.rows, rows) if fields is not None]
    score.coverage = sum(row["ok"] for _, row in pairs) / len(pairs)
    for field, (names, kinds) in layout.types.items():
        if "_" in names:  # nobody has to find it
            continue
        score.wanted += 1
        having = [(fields[field], row) for fields, row in pairs if field in fields]
        hits = {}
        for want, row in having:
            for name, value in row.get("data", {}).items():
                if is_same(want, value):
                    hits[name] = hits.get(name, 0) + 1
        best = [name for name, count in hits.items() if count >= 0.9 * len(having)]
        right = [name for name in names if name in best]
        together = [name for name in names if name in hits]  # one name in one rule, another in the next
        if not right and sum(hits[name] for name in together) >= 0.95 * len(having):
            right = together
        score.valued += bool(best or right)
        score.named += bool(right)
        is_typed = bool(right) and types.get(right[0], {"?"}) <= set(kinds)
        score.typed += is_typed
        if not is_typed:
            score.misses.append(f"{field}: named {right or best or 'nothing'}, of type {[types.get(name) for name in right]}")
    return score


def add_up(scores):
    return {key: sum(getattr(one, key) for one in scores) for key in ("wanted", "named", "typed", "valued")}


def rows_of(output):
    return [json.loads(line) for line in output.decode().splitlines()]
