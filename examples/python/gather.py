"""Many at once: an event loop, coroutine functions on it, and sessions that run side by side.

    python3 examples/python/gather.py
"""
import asyncio

import airlock


async def fetch(number: int) -> dict:
    """Fetches a page."""
    await asyncio.sleep(0.01)  # as if from somewhere far
    return {"number": number, "words": number * 100}


async def one(pool: airlock.AsyncPool, first: int) -> int:
    async with pool.session(functions={"fetch": fetch}) as session:
        # Inside, fetch is a coroutine function, too: both calls are under way at once.
        out = await session.run("import asyncio\npages = await asyncio.gather(fetch(n), fetch(n + 1))\nsum(page['words'] for page in pages)", inputs={"n": first})
        return out.value


async def main() -> None:
    async with airlock.AsyncPool(workers=2) as pool:
        print(await asyncio.gather(*(one(pool, number) for number in range(8))))

        # A piece that takes too long for you is cancelled, and its session stays.
        async with pool.session(timeout=60) as session:
            await session.run("kept = 'still here'")
            try:
                await asyncio.wait_for(session.run("while True: pass"), timeout=0.2)
            except asyncio.TimeoutError:
                print((await session.run("kept")).value)


asyncio.run(main())
