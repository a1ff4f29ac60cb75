"""An agent that replies to mail: it asks for the customer's order, then promises what she has paid.

It replies to each message once, and only in threads about a refund. Needs only Python 3.9.
"""

import json
import os
import re
import time
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
HANDLE = "support"


def request(path, body=None):
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{BASE_URL}/api/v1/mail/{path}", data, headers), timeout=10) as response:
        return json.load(response)


def without_quotation(text):
    """Returns only the new text: mail programs quote the earlier message below it."""
    return re.split(r"^On .* wrote:$", text, maxsplit=1, flags=re.MULTILINE)[0]


def reply_to(texts):
    """Returns the reply to what a customer wrote, the latest last; None if there is nothing to say."""
    said = "\n".join(texts)
    if not re.search(r"refund|money back", said) or "Thank you" in texts[-1]:
        return None
    price = re.search(r"EUR (\d+\.\d\d)", said)
    if not re.search(r"order \d+", said) or not price:
        return "We are sorry about that. What is your order number, and what did you pay?"
    return f"You will have EUR {price[1]} back tomorrow."


handled = set()
while True:
    for thread in request(f"threads?{urlencode({'agent': HANDLE})}")["threads"]:
        messages = request(f"messages?{urlencode({'thread_id': thread['id'], 'limit': 100})}")["messages"]
        # The order of messages and the name of the other direction are not documented.
        received = sorted((one for one in messages if one["direction"] == "inbound"), key=lambda one: one["created_at"])
        if not received or received[-1]["id"] in handled:
            continue
        handled.add(received[-1]["id"])
        reply = reply_to([without_quotation(message["text"] or "") for message in received])
        if reply:
            request(f"messages/{received[-1]['id']}/reply", {"text": reply})
    time.sleep(0.2)
