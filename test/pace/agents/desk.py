"""What every Python agent here does: it replies to mail about refunds, after a question to its model."""

import itertools
import json
import os
import re
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE_URL = os.environ["MAILBOX_BASE_URL"]
HEADERS = {"Authorization": f"Bearer {os.environ['MAILBOX_API_KEY']}", "Content-Type": "application/json"}
MODEL = os.environ.get("MODEL", "")


def call(path, body=None, method=None):
    """Sends a request to the service; tries again as long as the service is unavailable."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urlopen(Request(f"{BASE_URL}/api/v1/{path}", data, HEADERS, method=method)) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code != 503:
                raise
            time.sleep(float(error.headers.get("Retry-After", 1)))


questions = itertools.count(1)


def think():
    # No two questions are equal, as with a model that is told what came before.
    with urlopen(Request(MODEL, json.dumps({"question": next(questions)}).encode()), timeout=100) as response:
        response.read()


def reply_to(messages):
    """Returns what to write to a customer; None if there is nothing to say."""
    texts = [re.split(r"^On .* wrote:$", one["text"] or "", maxsplit=1, flags=re.M)[0] for one in messages]
    said = "\n".join(texts)
    if not re.search(r"refund|money back", said) or "Thank you" in texts[-1]:
        return None
    price = re.search(r"EUR (\d+\.\d\d)", said)
    if not re.search(r"order \d+", said) or not price:
        return "What is your order number, and what did you pay?"
    return f"You will have EUR {price[1]} back tomorrow."


handled = set()


def received_in(messages):
    """Returns the received messages of a thread if the last of them is new; otherwise None."""
    received = sorted((one for one in messages if one["direction"] == "inbound"), key=lambda one: one["created_at"])
    if not received or received[-1]["id"] in handled:
        return None
    handled.add(received[-1]["id"])
    return received


def news():
    for thread in call("mail/threads?agent=support")["threads"]:
        received = received_in(call(f"mail/messages?thread_id={thread['id']}&limit=100")["messages"])
        if received:
            yield received


def react(think=think):
    """Reacts to everything that is new."""
    for received in news():
        think()
        text = reply_to(received)
        if text:
            call(f"mail/messages/{received[-1]['id']}/reply", {"text": text})
