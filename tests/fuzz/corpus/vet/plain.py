import re
from pathlib import PurePosixPath

PATTERN = re.compile(r"(\d{4})-(\d{2})")

def extract(path: str) -> dict:
    name = PurePosixPath(path).name
    found = PATTERN.search(name)
    if found is None:
        return {}
    year, month = found.groups()
    return {"year": int(year), "month": int(month)}
