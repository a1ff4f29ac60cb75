"""Polls with asyncio, works at all that it finds at the same time, and has a heartbeat."""

import asyncio

from desk import call, news, reply_to, think


async def answer(received):
    await asyncio.to_thread(think)
    text = reply_to(received)
    if text:
        await asyncio.to_thread(call, f"mail/messages/{received[-1]['id']}/reply", {"text": text})


async def poll():
    while True:
        await asyncio.gather(*map(answer, await asyncio.to_thread(lambda: list(news()))))
        await asyncio.sleep(2)


async def beat():
    while True:
        await asyncio.sleep(1)


async def main():
    await asyncio.gather(poll(), beat())


asyncio.run(main())
