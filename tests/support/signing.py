"""Ed25519 in plain Python, after RFC 8032: the tests sign bundles as somebody else would, and hold airlock's signatures against it."""
import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    x = (a[1] - a[0]) * (b[1] - b[0]) % P
    y = (a[1] + a[0]) * (b[1] + b[0]) % P
    z = 2 * a[3] * b[3] * D % P
    w = 2 * a[2] * b[2] % P
    e, f, g, h = y - x, w - z, w + z, y + x
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point = add(point, point)
        number >>= 1
    return result


def x_of(y):
    square = (y * y - 1) * pow(D * y * y + 1, -1, P)
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return P - x if x & 1 else x


BASE_Y = 4 * pow(5, -1, P) % P
BASE = (x_of(BASE_Y), BASE_Y, 1, x_of(BASE_Y) * BASE_Y % P)


def packed(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def halves(seed):
    digest = hashlib.sha512(seed).digest()
    number = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    return number, digest[32:]


def number_of(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % ORDER


def public_key(seed):
    return packed(times(halves(seed)[0], BASE))


def sign(seed, message):
    number, prefix = halves(seed)
    key = packed(times(number, BASE))
    nonce = number_of(prefix, message)
    point = packed(times(nonce, BASE))
    return point + ((nonce + number_of(point, key, message) * number) % ORDER).to_bytes(32, "little")


def resigned(bundle, seed):
    """A bundle (text) with the key and the signature of `seed` in place of its own."""
    key = public_key(seed)
    body = bundle[:bundle.rindex('  "key": ')]
    body += f'  "key": "ed25519:{key.hex()}",\n  "fingerprint": "{hashlib.sha256(key).hexdigest()}",\n'
    return body + f'  "signature": "{sign(seed, body.encode()).hex()}"\n}}\n'
