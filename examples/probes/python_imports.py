"""Which modules the Python files of a repository import: counted by the top name, with the whole list as an artifact."""
import ast
import asyncio
import collections
import json
import sys

from airlock.probe import Probe, ProbeOutput


class PythonImports(Probe):
    name = "python_imports"
    version = "1"
    applies_to_languages = ["python"]
    declared_inputs = ["**/*.py"]
    timeout_seconds = 120

    async def run(self, repo, ctx):
        modules, broken = collections.Counter(), []
        for path in sorted(repo.root.rglob("*.py")):
            await asyncio.sleep(0)
            try:
                modules.update(self.imports(ast.parse(path.read_bytes())))
            except (SyntaxError, ValueError, OSError) as error:
                broken.append(str(path.relative_to(repo.root)))
                ctx.logger.info("%s: %s", path.name, type(error).__name__)
        (ctx.output_dir / "imports.json").write_text(json.dumps(dict(modules.most_common()), indent=1))
        outside = {name: count for name, count in modules.most_common() if name not in sys.stdlib_module_names}
        return ProbeOutput(
            {"modules": len(modules), "outside_the_standard_library": dict(list(outside.items())[:50])},
            raw_artifacts=["imports.json"],
            confidence="medium" if broken else "high",
            warnings=[f"not parsed: {name}" for name in broken[:20]])

    @staticmethod
    def imports(tree):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                yield node.module.partition(".")[0]
