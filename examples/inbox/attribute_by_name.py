def extract(path: str) -> dict:
    method = input or "upper"
    return {"shout": getattr(path, method)()}
