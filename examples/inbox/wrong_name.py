def parse(path: str) -> dict:
    return {"path": path}
