"""Which licences a repository names: in its licence files, and in SPDX lines of its sources."""
import re

from airlock.probe import Probe, ProbeOutput

TITLES = {
    "Apache License": "Apache-2.0",
    "MIT License": "MIT",
    "GNU AFFERO GENERAL PUBLIC LICENSE": "AGPL-3.0",
    "GNU LESSER GENERAL PUBLIC LICENSE": "LGPL",
    "GNU GENERAL PUBLIC LICENSE": "GPL",
    "Mozilla Public License": "MPL-2.0",
    "BSD 3-Clause": "BSD-3-Clause",
}
SPDX = re.compile(rb"SPDX-License-Identifier:[ \t]*([A-Za-z0-9.+ ()-]+)")
SOURCES = ("*.py", "*.c", "*.h", "*.cc", "*.go", "*.rs", "*.js", "*.ts", "*.java")


class Licences(Probe):
    name = "licences"
    version = "1"
    tier = "task_specific"
    declared_inputs = ["LICEN[CS]E*", "COPYING*", *(f"**/{pattern}" for pattern in SOURCES)]
    timeout_seconds = 60

    def run(self, repo, ctx):
        files = {}
        for path in sorted(repo.root.iterdir()):
            if path.is_file() and path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
                files[path.name] = self.title(path.read_text(errors="replace"))
        named = {}
        for pattern in SOURCES:
            for path in repo.root.rglob(pattern):
                with path.open("rb") as file:
                    found = SPDX.search(file.read(4096))
                if found:
                    licence = found[1].decode().strip()
                    named[licence] = named.get(licence, 0) + 1
        unknown = [name for name, licence in files.items() if licence is None]
        return ProbeOutput(
            {"files": files, "spdx": dict(sorted(named.items()))},
            confidence="medium" if unknown else "high",
            warnings=[f"no known title in {name}" for name in unknown])

    @staticmethod
    def title(text):
        return next((licence for title, licence in TITLES.items() if title.lower() in text[:2000].lower()), None)
