"""An agent as it is often written first: it promises a refund to anybody who writes, whatever they write."""

import json
import os
import time
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")


def request(path, body=None):
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{BASE_URL}/api/v1/mail/{path}", data, headers), timeout=10) as response:
        return json.load(response)


handled = set()
while True:
    for message in request("messages?agent=support")["messages"]:
        if message["direction"] == "inbound" and message["id"] not in handled:
            handled.add(message["id"])
            request(f"messages/{message['id']}/reply", {"text": "We are sorry. Your refund is on its way."})
    time.sleep(0.2)
