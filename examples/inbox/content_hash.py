import base64
import hashlib
import uuid


def extract(path: str) -> dict:
    digest = hashlib.sha256(path.encode()).digest()
    return {"id": str(uuid.uuid5(uuid.NAMESPACE_URL, path)), "short": base64.b32encode(digest)[:8].decode()}
