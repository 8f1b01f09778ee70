"""Controls of the wires: one crime for each kind of wire, and programs that commit none."""
import pathlib
import re

from tripwire.weave import Entry, Link

HEAD = "def extract(path: str) -> dict:\n"

# A harmless thing, so that the carriers are seen with nothing to hide.
SOURCE = Entry("harmless", "harmless", (Link("", "", "len(path)"),))
SINK = Entry("harmless", "harmless", (Link("", "", "VALUE"),))

# wire → the plainest program that must trip it.
CRIMES = {
    "call:eval": HEAD + '    return {"a": eval("1")}\n',
    "call:open": HEAD + '    return {"a": open("/x")}\n',
    "call:globals": HEAD + '    return {"a": globals()}\n',
    "import:os": "import os\n" + HEAD + "    return {}\n",
    "call:os.getcwd": "import pathlib\n" + HEAD + '    return {"a": pathlib.os.getcwd()}\n',
    "call:sys._getframe": "import typing\n" + HEAD + '    return {"a": str(typing.sys._getframe())}\n',
    "call:Path.read_text": "import pathlib\n" + HEAD + '    return {"a": pathlib.Path("/x").read_text()}\n',
    "call:os.path.exists": "import os.path\n" + HEAD + '    return {"a": os.path.exists("/x")}\n',
    "call:register": "from collections.abc import Mapping\n" + HEAD + "    class A: pass\n    Mapping.register(A)\n    return {}\n",
    "read:__self__": HEAD + '    return {"a": "{0.__self__}".format(print)}\n',
    "getattr:__globals__": HEAD + '    return {"a": str(getattr(extract, "__globals__"))}\n',
    "setattr:__class__": "class A: pass\n" + HEAD + '    setattr(A(), "__class__", A)\n    return {}\n',
    "audit:object.__getattr__": HEAD + '    return {"a": str(extract.__code__)}\n',
    "audit:open": "import json\n" + HEAD + '    return {"a": str(json.codecs.open("/x"))}\n',
    "class": HEAD + '    return {"a": str(type("Laundered", (), {}))}\n',
    "text": HEAD + '    return {"a": str(extract.__globals__)}\n',
    "state:json.JSONEncoder.default": "import json\n" + HEAD + "    json.JSONEncoder.default = 1\n    return {}\n",
    "state:re.search": "import re\n" + HEAD + "    re.search = 1\n    return {}\n",
}


def programs():
    """Every program of the honest corpus that is an extractor."""
    corpus = pathlib.Path(__file__).resolve().parent.parent / "corpus" / "honest.txt"
    parts = corpus.read_text(encoding="utf-8").split("\n#==== ")[1:]
    texts = [part.partition("\n")[2] for part in parts]
    return [text for text in texts if re.search(r"^(?:async )?def extract\b", text, re.MULTILINE)]
