"""Polls with asyncio's streams."""

import asyncio
import json
from urllib.parse import urlsplit

from desk import BASE_URL, HEADERS, MODEL, received_in, reply_to


async def send(url, body=None):
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"{'GET' if body is None else 'POST'} {parts.path}?{parts.query} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [*(f"{name}: {value}" for name, value in HEADERS.items()), "Connection: close"]
    lines += [f"Content-Length: {len(data)}", "", ""]
    writer.write("\r\n".join(lines).encode() + data)
    head, _, text = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    if b"chunked" in head.lower():
        text = b"".join(text.split(b"\r\n")[1::2])
    return json.loads(text)


async def call(path, body=None):
    return await asyncio.wait_for(send(f"{BASE_URL}/api/v1/{path}", body), 10)


async def main():
    while True:
        for thread in (await call("mail/threads?agent=support"))["threads"]:
            received = received_in((await call(f"mail/messages?thread_id={thread['id']}&limit=100"))["messages"])
            if not received:
                continue
            await send(MODEL, {})
            text = reply_to(received)
            if text:
                await call(f"mail/messages/{received[-1]['id']}/reply", {"text": text})
        await asyncio.sleep(1)


asyncio.run(main())
