class C:
    re = re
    (eval): int
    def f(self): return __p
def outer(p=[q for q in q]):
    def inner():
        nonlocal late
        late = (w := 1)
        global g
        g = [(v := u) for u in late]
    late = lambda *a, k=1, **kw: (yield)
    del late.x, g[0]
