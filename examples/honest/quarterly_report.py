"""Reads client, year and quarter from /data/CLIENT-ABC/2024/Q1/report.csv."""
from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath

QUARTER = re.compile(r"^Q([1-4])$")


@dataclass(frozen=True)
class Report:
    client: str
    year: int
    first_month: int
    last_month: int
    kind: str


def extract(path: str) -> dict:
    client, year, quarter, name = PurePosixPath(path).parts[-4:]
    if not (match := QUARTER.match(quarter)):
        return {"kind": "unknown", "reason": f"{quarter!r} is no quarter"}
    last = int(match[1]) * 3
    return asdict(Report(client.removeprefix("CLIENT-"), int(year), last - 2, last, name.rpartition(".")[2]))


if __name__ == "__main__":
    print(extract("/data/CLIENT-ABC/2024/Q1/report.csv"))
