"""The adapters, as FastMCP, smolagents and AutoGen call them. None of these has to be installed to see what they do.

    python3 examples/python/adapters.py
"""
import asyncio

from airlock.autogen import AirlockCodeExecutor, CodeBlock
from airlock.fastmcp import SandboxProvider
from airlock.smolagents import AirlockExecutor


async def call_tool(name: str, params: dict) -> list:
    """What FastMCP's code mode gives to code: the one door to all tools."""
    return [f"{name}: {params['query']} {number}" for number in (1, 2)]


async def code_mode():
    """CodeMode(sandbox_provider=SandboxProvider(timeout=10))"""
    async with SandboxProvider(timeout=10) as provider:
        return await provider.run("""
rows = []
for query in queries:
    rows += await call_tool("search", {"query": query})
return len(rows), rows[-1]
""", inputs={"queries": ["tea", "coffee"]}, external_functions={"call_tool": call_tool})


def steps():
    """CodeAgent(tools=[…], model=model, executor=AirlockExecutor())"""
    with AirlockExecutor() as executor:
        executor.send_variables({"n": 20})
        executor.send_tools({"double": lambda n: 2 * n, "final_answer": lambda answer: answer})
        executor("half_way = double(n)")
        return executor("print('one more step')\nfinal_answer(half_way + 2)")


async def blocks():
    """CodeExecutorAgent("runner", code_executor=AirlockCodeExecutor())"""
    async with AirlockCodeExecutor() as executor:
        result = await executor.execute_code_blocks([CodeBlock("x = 20\nopen('/out/x.txt', 'w').write(str(x))", "python"), CodeBlock("x + nothing", "python")])
        return result.exit_code, result.output.splitlines()[1], result.artifacts


print(asyncio.run(code_mode()))
print(steps())
print(asyncio.run(blocks()))
