#!/usr/bin/env python3
"""The wheel and the source archive, with Python's own library and readelf; no network. `scripts/package` calls it, and pip does (PEP 517).

    tools/distribution.py [--programs build] [--output dist] [wheel | sdist]…      prints the names of what it made

A wheel is the folder python/airlock with the two programs in airlock/bin, and files about it, the licences of the libraries inside among them. Its tag says which glibc the programs need:
the newest version that they ask a symbol or a form of relocations of. Two builds of the same files are the same bytes: times are fixed, names are sorted."""
import argparse
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "airlock"
PROGRAMS = ("airlock", "airlock-host")
MOMENT = (1980, 1, 1, 0, 0, 0)  # the first that a zip file knows
MOMENT_IN_SECONDS = 315532800
# What manylinux lets a program take from the host; all of it is glibc's.
LIBRARIES = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1", "ld-linux-x86-64.so.2"}
# Not in the programs: the one is loaded where it is, the other is for tests.
NOT_LINKED = {"libcurl4-openssl-dev", "libgtest-dev"}
# What a program can ask of the loader beside symbols, and the first glibc that has it.
ABI = {"ABI_DT_RELR": (2, 36)}
NOT_SOURCE = re.compile(r"^(build(-[^/]*)?|dist|\.cache)/|(^|/)(\.mypy_cache|__pycache__)/|^PKG-INFO$")


class Problem(Exception):
    """Nothing is made; the text says why."""


def project():
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]


def version():
    """The project's, which the package must have too."""
    ours = re.search(r"^project\(airlock VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]
    package = re.search(r'^VERSION = "([^"]+)"', (PACKAGE / "_connection.py").read_text(encoding="utf-8"), re.MULTILINE)[1]
    if ours != package:
        raise Problem(f"CMakeLists.txt has version {ours}, and python/airlock/_connection.py has {package}")
    return ours


def readelf(option, program):
    return subprocess.run(["readelf", option, "-W", program], capture_output=True, text=True, check=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}).stdout


def glibc_of(program):
    """(2, 36): the oldest that has all that it asks for."""
    if "X86-64" not in readelf("-h", program):
        raise Problem(f"{program} is no program for x86-64")
    foreign = set(re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("-d", program))) - LIBRARIES
    if foreign:
        raise Problem(f"{program} needs {', '.join(sorted(foreign))}, which a wheel may not take from the host")
    asked = set(re.findall(r"Name: GLIBC_(\S+)", readelf("-V", program)))
    unknown = {one for one in asked if not re.fullmatch(r"[\d.]+", one)} - set(ABI)
    if unknown:
        raise Problem(f"{program} asks for GLIBC_{min(unknown)}, and which glibc has that is not known here")
    return max(ABI.get(one) or tuple(map(int, one.split(".")))[:2] for one in asked)


def platform_tag(programs):
    return "manylinux_{}_{}_x86_64".format(*max(glibc_of(programs / name) for name in PROGRAMS))


def metadata():
    about = project()
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {version()}", f"Summary: {about['description']}",
             f"Keywords: {','.join(about['keywords'])}", f"License: {about['license']}", *(f"License-File: {name}" for name in about["license-files"]),
             *(f"Classifier: {one}" for one in about["classifiers"]), f"Requires-Python: {about['requires-python']}",
             "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (ROOT / about["readme"]).read_text(encoding="utf-8")


def notices():
    """{name: text}: what the authors of the libraries in the programs ask to be handed on, as Debian has it."""
    wanted = re.search(r"^build_packages=\((.*?)^\)", (ROOT / "scripts" / "setup").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)[1].split()
    linked = sorted({name for name in wanted if name.endswith("-dev")} - NOT_LINKED | {"libstdc++-12-dev"})
    found = {f"{name[:-len('-dev')]}.txt": pathlib.Path("/usr/share/doc", name, "copyright").read_bytes() for name in linked}
    archive = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "airlock", simdjson_archive())
    with tarfile.open(archive) as sources:
        found["simdjson.txt"] = sources.extractfile(next(one for one in sources if re.fullmatch(r"[^/]+/LICENSE", one.name))).read()
    return found


def simdjson_archive():
    return (ROOT / "cmake" / "archives" / "simdjson.source").read_text(encoding="utf-8").split()[-1].rpartition("/")[2]


def record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def contents(programs, tag):
    """{name in the wheel: bytes}, without RECORD."""
    about = project()
    info = f"airlock-{version()}.dist-info"
    files = {f"airlock/{path.relative_to(PACKAGE)}": path.read_bytes() for path in sorted(PACKAGE.rglob("*")) if path.suffix == ".py" or path.name == "py.typed"}
    files |= {f"airlock/bin/{name}": (programs / name).read_bytes() for name in PROGRAMS}
    files |= {f"{info}/{name}": (ROOT / name).read_bytes() for name in about["license-files"]}
    files |= {f"{info}/licenses/{name}": text for name, text in notices().items()}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: airlock\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/entry_points.txt"] = "".join(["[console_scripts]\n", *(f"{name} = {place}\n" for name, place in about["scripts"].items())]).encode()
    return files


def make_wheel(programs, output):
    tag = f"py3-none-{platform_tag(programs)}"
    files = contents(programs, tag)
    record = f"airlock-{version()}.dist-info/RECORD"
    files[record] = ("".join(record_line(name, content) for name, content in sorted(files.items())) + f"{record},,\n").encode()
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"airlock-{version()}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        # What is about the wheel comes last, as installers like it.
        for name in sorted(files, key=lambda name: (".dist-info/" in name, name)):
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.create_system = 3  # Unix: the mode is kept
            entry.external_attr = (0o100755 if name.startswith("airlock/bin/") else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name], compresslevel=6)
    return path


def source_files():
    """What git knows; in an unpacked archive, where there is no git, what is there."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    else:
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    return sorted(name for name in listed if name and not NOT_SOURCE.search(name) and ((ROOT / name).is_file() or (ROOT / name).is_symlink()))


def make_sdist(output):
    top = f"airlock-{version()}"
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"{top}.tar.gz"
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        def add(name, content, mode=0o644, link=None):
            entry = tarfile.TarInfo(f"{top}/{name}")
            entry.mtime, entry.mode, entry.size = MOMENT_IN_SECONDS, mode, len(content)
            if link is not None:
                entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry, io.BytesIO(content))
        add("PKG-INFO", metadata().encode())
        for name in source_files():
            file = ROOT / name
            if file.is_symlink():
                add(name, b"", 0o777, str(file.readlink()))
            else:
                add(name, file.read_bytes(), 0o755 if file.stat().st_mode & 0o100 else 0o644)
    return path


# ---- what pip calls

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    subprocess.run([ROOT / "scripts" / "build"], check=True, stdout=sys.stderr)
    return make_wheel(ROOT / "build", pathlib.Path(wheel_directory)).name


def build_sdist(sdist_directory, config_settings=None):
    return make_sdist(pathlib.Path(sdist_directory)).name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "dist")
    parser.add_argument("kinds", nargs="*", choices=["wheel", "sdist", []], default=[])
    arguments = parser.parse_args()
    try:
        for kind in arguments.kinds or ["wheel", "sdist"]:
            path = make_wheel(arguments.programs, arguments.output) if kind == "wheel" else make_sdist(arguments.output)
            print(path)
    except (Problem, OSError, subprocess.CalledProcessError) as problem:
        sys.exit(f"distribution: {problem}")


if __name__ == "__main__":
    main()
