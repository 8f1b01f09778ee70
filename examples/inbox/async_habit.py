async def extract(path: str) -> dict:
    return {"path": path}
