from typing import Any
from urllib.parse import unquote


def extract(path: str) -> dict[str, Any]:
    show, _, episode = unquote(path).rpartition("/")
    return {"show": show.rpartition("/")[2], "episode": episode.removesuffix(".mp3").title()}
