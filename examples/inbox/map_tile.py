import math


def degrees(x: int, y: int, zoom: int) -> tuple[float, float]:
    n = 2**zoom
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y / n)))), x / n * 360 - 180


def extract(path: str) -> dict:
    zoom, x, name = path.split("/")[-3:]
    latitude, longitude = degrees(int(x), int(name.partition(".")[0]), int(zoom))
    return {"latitude": round(latitude, 5), "longitude": round(longitude, 5)}
