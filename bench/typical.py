import re
from datetime import date
from pathlib import Path
from typing import Optional

STAMP = re.compile(r"(?P<year>20\d{2})[-_]?(?P<month>0[1-9]|1[0-2])[-_]?(?P<day>0[1-9]|[12]\d|3[01])")
STATION = re.compile(r"^(?:station|st)[-_](?P<number>\d{1,5})$", re.IGNORECASE)
RUN = re.compile(r"[._-]run(\d+)$")
KINDS = {".csv": "table", ".parquet": "table", ".json": "document", ".log": "log"}
REGIONS = {"north": "North Sea", "baltic": "Baltic Sea", "atlantic": "Atlantic"}


def find_date(text: str) -> Optional[date]:
    """The first date in the text that exists."""
    for found in STAMP.finditer(text):
        try:
            return date(int(found["year"]), int(found["month"]), int(found["day"]))
        except ValueError:
            continue
    return None


def season(day: date) -> str:
    names = ["winter", "spring", "summer", "autumn"]
    return names[day.month % 12 // 3]


def extract(path: str) -> dict:
    """Station, region, day, run and kind of a buoy's recording, from its path."""
    place = Path(path)
    fields = {
        "name": place.name,
        "extension": place.suffix,
        "kind": KINDS.get(place.suffix.lower(), "other"),
    }
    for part in place.parts[1:-1]:
        station = STATION.match(part)
        if station:
            fields["station"] = int(station["number"])
        elif part.lower() in REGIONS:
            fields["region"] = REGIONS[part.lower()]
        elif len(part) == 4 and part.isdigit():
            fields["year"] = int(part)
    day = find_date(place.stem)
    if day is not None:
        fields["date"] = day.isoformat()
        fields["weekday"] = day.isoweekday()
        fields["season"] = season(day)
    run = RUN.search(place.stem)
    if run:
        fields["run"] = int(run.group(1))
    fields["depth"] = len(place.parts) - 1
    return fields
