"""What examples/rules/mission.yaml says, as an extractor: for `airlock compare` and `airlock distill`."""
import re
from datetime import date

MISSION = re.compile(r"mission_(\d+)")


def extract(path: str) -> dict:
    parts = path.split("/")
    return {
        "mission_id": int(MISSION.search(parts[-3]).group(1)),
        "date": date.fromisoformat(parts[-2]).isoformat(),
    }
