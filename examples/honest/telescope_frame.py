"""Reads target, filter and time from /obs/2024-03-09/M31_R_2024-03-09T22-14-05Z.fits."""
import enum
import re
from datetime import datetime, timezone

NAME = re.compile(r"(?P<target>[A-Z]+\d+)_(?P<filter>[RGB])_(?P<taken>[\dT-]+)Z\.fits$")


class Filter(enum.Enum):
    R = "red"
    G = "green"
    B = "blue"


def extract(path: str) -> dict:
    match NAME.search(path):
        case None:
            return {}
        case found:
            taken = datetime.strptime(found["taken"], "%Y-%m-%dT%H-%M-%S").replace(tzinfo=timezone.utc)
            return {
                "target": found["target"],
                "filter": Filter[found["filter"]].value,
                "taken": taken.isoformat(),
                "night": taken.hour >= 18 or taken.hour < 6,
            }
