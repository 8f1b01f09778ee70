"""Honest code over what the policy `extractor` grants: tests/hostile/reach_test.py compares what it gives in a cell and outside."""
from __future__ import annotations
import base64, collections, collections.abc, dataclasses, datetime, enum, fnmatch, hashlib, json, math, os.path, pathlib, re, string, time, typing, urllib.parse, uuid
from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict, Optional, ClassVar, Generic, TypeVar, Protocol

T = TypeVar('T')

@dataclass(order=True, frozen=True)
class Point:
    x: int
    y: int = 2
    tags: list = field(default_factory=list, compare=False, repr=False)
    kind: ClassVar[str] = 'p'

@dataclass(slots=True, kw_only=True)
class Slotted:
    a: int = 1
    b: Optional[str] = None

@dataclass
class Base:
    n: int
    late: dataclasses.InitVar[int] = 3
    total: int = field(init=False, default=0)
    def __post_init__(self, late):
        self.total = self.n + late

@dataclass(eq=True, unsafe_hash=True)
class Child(Base):
    _: dataclasses.KW_ONLY = None
    more: dict = field(default_factory=dict, hash=False)

class Pair(NamedTuple):
    left: int
    right: str = 'r'

class Keys(TypedDict, total=False):
    a: int

class Colour(enum.Enum):
    RED = enum.auto()
    BLUE = enum.auto()

class Flag(enum.IntFlag):
    A = 1
    B = 2

class Box(Generic[T]):
    def __init__(self, item: T): self.item = item

@typing.runtime_checkable
class HasName(Protocol):
    name: str

@typing.overload
def twice(x: int) -> int: ...
@typing.overload
def twice(x: str) -> str: ...
def twice(x): return x * 2

def extract(path: str) -> dict:
    out = {}
    p = Point(1)
    out['dataclass'] = [repr(p), p < Point(2), hash(p) == hash(Point(1)), Point.__doc__, dataclasses.asdict(p), dataclasses.replace(p, y=9).y, list(dataclasses.astuple(p))]
    try:
        p.x = 3
    except dataclasses.FrozenInstanceError as e:
        out['frozen'] = str(e)
    out['slots'] = [repr(Slotted(a=2)), hasattr(Slotted(), '__dict__'), Slotted.__doc__]
    c = Child(4, 5, more={'a': 1})
    out['post'] = [c.total, repr(c), [f.name for f in dataclasses.fields(c)], c == Child(4, 5)]
    out['named'] = [Pair(1)._asdict(), Pair(1)._replace(left=2).left, collections.namedtuple('N', 'a b c', defaults=(7,))(1, 2).c, list(collections.namedtuple('R', 'def x def', rename=True)._fields)]
    out['typed'] = [Keys(a=1), typing.is_typeddict(Keys)]
    out['enum'] = [Colour.RED.name, Colour(2).name, [m.name for m in Colour], str(Flag.A | Flag.B), enum.Enum('E', 'A B')(1).name, enum.IntEnum('I', {'X': 4}).X + 1, 'RED' in Colour.__members__, len(Colour.__dir__(Colour.RED)) > 0]
    out['alias'] = [repr(Optional['Row']), repr(typing.Dict[str, int]), Box[int]('x').item, twice('a'), isinstance(c, HasName), typing.cast(int, 'x'), repr(typing.NewType('Id', int)('a'))]
    out['abc'] = [isinstance({}, collections.abc.Mapping), isinstance(collections.OrderedDict(), collections.abc.MutableMapping), issubclass(collections.UserList, collections.abc.Sequence), isinstance([], collections.abc.Hashable), isinstance(iter([]), collections.abc.Iterator), isinstance(1.5, typing.SupportsFloat)]
    class Mine(collections.abc.Mapping):
        def __getitem__(self, key): return 1
        def __iter__(self): return iter(['a'])
        def __len__(self): return 1
    class Other: pass
    collections.abc.Mapping.register(Other)
    out['mine'] = [dict(Mine()), isinstance(Mine(), collections.abc.Collection), issubclass(Other, collections.abc.Mapping), isinstance(Other(), collections.abc.Collection)]
    out['collections'] = [collections.Counter('abca').most_common(1), collections.Counter(a=1).total(), dict(collections.ChainMap({'a': 1}, {'b': 2})), collections.UserDict(a=1).copy().data, list(collections.deque([1, 2], 1)), collections.defaultdict(list)['x'], collections.UserString('ab').upper().data]
    d = datetime.datetime(2024, 2, 3, 4, 5, 6)
    out['datetime'] = [datetime.datetime.strptime('03-Feb-2024 04:05', '%d-%b-%Y %H:%M') .isoformat(), d.strftime('%A %d %B %Y %j'), list(time.strptime('2024-02-03', '%Y-%m-%d'))[:3], d.isoformat(), datetime.date.fromisoformat('2024-02-03').ctime(), (d + datetime.timedelta(days=1)).day, d.replace(tzinfo=datetime.timezone.utc).timestamp(), datetime.date.today().year > 2000, datetime.datetime.now(datetime.timezone.utc).tzname(), d.astimezone(datetime.timezone.utc).minute, list(d.timetuple())[:2], time.strftime('%Y', time.gmtime(0)), time.asctime(time.gmtime(0)), d.date().isocalendar().week, datetime.datetime.fromtimestamp(0, datetime.timezone.utc).year]
    out['re'] = [re.sub(r'(\w)(\d)', r'\2\1', 'a1b2'), re.compile('(?P<x>a)').sub(r'\g<x>\g<x>', 'cat'), re.match('(a)', 'abc').expand(r'-\1-'), re.split(r'\W', 'a-b'), re.findall('[a-z]', 'a1b'), re.escape('a.b'), re.fullmatch('a', 'a')[0], re.compile('[[a]b').pattern, str(re.compile('é', re.I).search('É'))]
    try:
        re.compile('(')
    except re.error as e:
        out['re_error'] = str(e)
    out['json'] = [json.dumps({'a': [1, None, 'é']}, indent=1, sort_keys=True), json.loads('{"a": [1, 2.5]}'), json.JSONEncoder().encode(1), json.JSONDecoder().decode('[1]'), json.dumps({1}, default=list)]
    try:
        json.loads('{"a" 1}')
    except json.JSONDecodeError as e:
        out['json_error'] = [e.msg, e.pos]
    out['text'] = [string.Template('$a-${b}').substitute(a=1, b=2), string.capwords('ab cd'), '{:>5}|{!r}'.format('a', 'b'), f'{3.14159:.2f}', 'x'.join('ab'), '%05d' % 3, '{0[a]}{1.real}'.format({'a': 1}, 3)]
    out['codecs'] = ['é'.encode(name).hex() for name in ('utf-8', 'latin-1', 'cp1252', 'utf-16-le', 'utf8', 'iso-8859-1', 'L1', 'idna', 'unicode_escape', 'cp437', 'utf-7')] + ['日'.encode('shift_jis').hex(), b'\xe9'.decode('latin1'), 'é'.encode('ascii', 'namereplace').decode(), 'é'.encode('ascii', 'xmlcharrefreplace').decode()]
    try:
        'x'.encode('nonsense')
    except LookupError as e:
        out['codec_error'] = str(e)
    out['hash'] = [hashlib.sha256(b'a').hexdigest()[:8], hashlib.new('md5', b'a').hexdigest()[:8], hashlib.blake2b(b'a', digest_size=4).hexdigest(), hashlib.sha3_256(b'').hexdigest()[:8], str(uuid.uuid5(uuid.NAMESPACE_URL, 'a')), str(uuid.uuid3(uuid.NAMESPACE_DNS, 'a')), len(str(uuid.uuid4())), uuid.UUID(int=5).version]
    out['base64'] = [base64.b64encode(b'ab').decode(), base64.b32decode('MFRA====').decode(), base64.b85encode(b'ab').decode(), base64.urlsafe_b64decode('YWI=').decode(), base64.a85decode(base64.a85encode(b'x')).decode()]
    out['url'] = [urllib.parse.quote('a b/é'), urllib.parse.unquote('a%20b'), urllib.parse.urlparse('http://ü.example:80/p;x?q=1#f').netloc, urllib.parse.parse_qs('a=1&a=2'), urllib.parse.urljoin('http://a/b/', 'c'), urllib.parse.urlencode({'a': 'é'})]
    q = pathlib.Path('/data/x/report.tar.gz')
    out['pathlib'] = [q.name, q.stem, q.suffixes, str(q.parent), q.as_posix(), q.as_uri(), q.is_absolute(), str(q.relative_to('/data')), q.match('*.gz'), str(q.with_suffix('.x')), str(q / 'y'), [str(x) for x in q.parents], q.is_reserved(), pathlib.PureWindowsPath('C:\\a\\b').drive, repr(q), hash(q) == hash(pathlib.Path(str(q))), sorted([q, q.parent])[0].name, bytes(q).decode(), str(q.joinpath('a', 'b')), q.is_relative_to('/data')]
    out['ospath'] = [os.path.join('a', 'b'), os.path.splitext('a.b'), os.path.normpath('/a/../b//c'), os.path.basename('/a/b'), os.path.commonpath(['/a/b', '/a/c']), os.path.split('/a/b'), os.sep]
    out['fnmatch'] = [fnmatch.fnmatch('a.py', '*.py'), fnmatch.filter(['a', 'b'], 'a'), fnmatch.translate('*.x')]
    out['math'] = [math.comb(5, 2), math.isclose(1, 1), math.prod([1, 2, 3]), round(math.pi, 3)]
    class A:
        def __init__(self): self.v = [1]
        def __repr__(self): return 'A'
        @property
        def twice(self): return self.v * 2
        @classmethod
        def make(cls): return cls()
        @staticmethod
        def three(): return 3
        def __del__(self): pass
    out['classes'] = [repr(A.make()), A().twice, A.three(), isinstance(A(), A), type(A()).__name__, [x for x in (i * i for i in range(3))], super(A, A()).__class__.__name__, sorted({3, 1}), max('ab', key=ord), list(map(str, [1])), [].append.__self__, A.make.__self__.__name__]
    def gen():
        got = yield 1
        yield got
    g = gen(); next(g)
    out['generator'] = g.send(5)
    try:
        raise ValueError('a') from KeyError('b')
    except ValueError as e:
        out['raised'] = [repr(e.__cause__), e.__traceback__.tb_lineno > 0]
    try:
        None.x
    except AttributeError as e:
        out['missing'] = [e.name, str(e)]
    print('x', end='', flush=True)
    out['reduce'] = len(A().__reduce_ex__(2))
    return out
