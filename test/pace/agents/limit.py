"""Gives up a request to the service after a number of seconds, and ends: by urllib or wait_for."""

import asyncio
import sys
import time
from urllib.request import Request, urlopen

from desk import BASE_URL, HEADERS

how, seconds = sys.argv[1], float(sys.argv[2])
url = f"{BASE_URL}/api/v1/mail/threads?agent=support"


def get(timeout=None):
    with urlopen(Request(url, headers=HEADERS), timeout=timeout) as response:
        return response.read()


async def stream():
    reader, writer = await asyncio.open_connection(*BASE_URL.removeprefix("http://").split(":"))
    lines = ["GET /api/v1/mail/threads?agent=support HTTP/1.1", f"Host: {BASE_URL[7:]}", "Connection: close"]
    writer.write("\r\n".join([*lines, f"Authorization: {HEADERS['Authorization']}", "", ""]).encode())
    await reader.read()
    writer.close()


while True:
    if how == "urllib":
        get(seconds)
    else:
        asyncio.run(asyncio.wait_for(stream(), seconds))
    time.sleep(20)
