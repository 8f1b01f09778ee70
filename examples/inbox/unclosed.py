def extract(path: str) -> dict:
    parts = path.split("/"
    return {"name": parts[-1]}
