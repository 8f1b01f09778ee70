"""Honest code over modules that a policy of one's own may add: tests/hostile/reach_test.py compares what it gives in a cell and outside."""
import bisect, calendar, contextlib, copy, csv, decimal, difflib, fractions, functools, heapq, html, ipaddress, itertools, numbers, operator, pprint, random, statistics, struct, textwrap, unicodedata, zlib
import collections
import datetime
import enum
import re
import typing
from dataclasses import dataclass


@functools.singledispatch
def kind(thing):
    return "something"


@kind.register
def _(thing: int):
    return "int"


@kind.register(collections.abc.Mapping)
def _(thing):
    return "mapping"


@functools.lru_cache
def cached(x):
    return x


@functools.total_ordering
class Version:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return self.number == other.number

    def __lt__(self, other):
        return self.number < other.number

    @functools.cached_property
    def twice(self):
        return self.number * 2


@contextlib.contextmanager
def five():
    yield 5


@dataclass
class Row:
    a: int = 1


class Letter(enum.Enum):
    A = 1


def extract(path: str) -> dict:
    out = {}
    out["functools"] = [kind(1), kind("a"), kind({}), cached(2), cached.cache_info().misses, functools.reduce(lambda a, b: a + b, [1, 2]),
                        Version(1) <= Version(2), Version(3).twice, functools.partial(pow, 2)(3)]
    out["decimal"] = [str(decimal.Decimal("1.1") + 1), str(decimal.Decimal(2).sqrt()), f"{decimal.Decimal('1234.5'):,.2f}"]
    out["fractions"] = [str(fractions.Fraction("1/3") + 1), str(fractions.Fraction.from_decimal(decimal.Decimal("0.5"))), hash(fractions.Fraction(1, 2))]
    out["statistics"] = [statistics.mean([1, 2, 3]), statistics.NormalDist(0, 1).cdf(0), statistics.median([1, 2])]
    out["random"] = [random.Random(5).randint(1, 10), random.random() < 1, random.Random(3).sample(range(9), 3)]
    out["itertools"] = [list(itertools.chain([1], [2])), [list(group) for _, group in itertools.groupby("aab")]]
    out["copy"] = [copy.copy(Row(2)).a, copy.deepcopy({"a": [Row(1)]})["a"][0].a, copy.deepcopy(re.compile("a")).pattern, copy.copy(Letter.A).name,
                   copy.deepcopy(datetime.datetime(2024, 1, 1)).year, copy.copy(collections.OrderedDict(a=1))["a"],
                   copy.deepcopy(collections.Counter("a"))["a"], repr(copy.copy(typing.List[int])), repr(copy.deepcopy(typing.Dict[str, int]))]
    out["csv"] = list(csv.reader(["a,b"]))
    out["textwrap"] = [textwrap.fill("a b c", 3), textwrap.dedent("  a")]
    out["zlib"] = zlib.decompress(zlib.compress(b"a")).decode()
    out["struct"] = struct.unpack(">I", struct.pack(">I", 5))
    out["calendar"] = [calendar.monthrange(2024, 2), calendar.month_name[3], calendar.TextCalendar().formatmonth(2024, 1), calendar.isleap(2024)]
    out["ipaddress"] = [ipaddress.ip_network("10.0.0.0/30").num_addresses, f"{ipaddress.ip_address('1.2.3.4'):x}", str(ipaddress.ip_address("::1"))]
    with five() as found, contextlib.suppress(ValueError):
        out["contextlib"] = found
        raise ValueError
    out["operator"] = [operator.itemgetter(1)([1, 2]), operator.add(1, 2)]
    out["heapq"] = [heapq.nlargest(1, [1, 2]), list(heapq.merge([1], [2])), bisect.bisect([1, 2], 1)]
    out["html"] = [html.escape("<a>"), html.unescape("&amp;&eacute;")]
    out["unicodedata"] = [unicodedata.name("a"), unicodedata.normalize("NFKD", "é")]
    out["difflib"] = list(difflib.unified_diff(["a"], ["b"])) + difflib.get_close_matches("abc", ["abd", "xyz"])
    out["pprint"] = pprint.pformat({"a": [1] * 40})
    out["numbers"] = [isinstance(1, numbers.Integral), isinstance(decimal.Decimal(1), numbers.Number), issubclass(fractions.Fraction, numbers.Rational)]
    return out
