x = ().__class__.__base__.__subclasses__()
y = getattr(x, "__glo" + "bals__")
z = "{0.__class__}".format(x)
w = type("X", (), {"__init__": eval})
import os, sys as s
from re import *
from .a import b
async def f(): await g()
