"""The same agent as it is often written: it works as long as the service behaves as on the day when it was written.
Some of its lines rely on points that the interface leaves open; `check` finds them.
"""

import json
import os
import re
import sys
import time
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
HANDLE = "support"
PAGE_SIZE = 50


def request(url, method="GET", body=None):
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(url, data, headers, method=method)) as response:
        return response.read()


def listed(name, query):
    return json.loads(request(f"{BASE_URL}/api/v1/mail/{name}?{query}"))


def all_threads():
    threads = []
    total = PAGE_SIZE
    offset = 0
    while offset < total:
        page = listed("threads", f"agent={HANDLE}&limit={PAGE_SIZE}&offset={offset}")
        threads += page["threads"]
        total = page["total"]
        offset += PAGE_SIZE
    return threads


def words_of(message):
    return re.sub(r"<[^>]*>", " ", message["html"]).replace("&nbsp;", " ") or message["text"]


def has_receipt(messages):
    for attachment in [attachment for message in messages for attachment in message["attachments"]]:
        if attachment["filename"].endswith(".pdf") and request(attachment["url"]):
            return True
    return False


def work_round():
    waiting = []
    receipts = 0
    amount = 0
    for thread in all_threads():
        if "refund" not in thread["subject"].lower():
            continue
        messages = listed("messages", f"thread_id={thread['id']}")["messages"]
        if messages[0]["direction"] != "inbound":
            continue
        waiting.append(thread)
        receipts += has_receipt(messages)
        customers = [message for message in messages if message["direction"] == "inbound"]
        amounts = [re.search(r"EUR\s*(\d+\.\d\d)", words_of(message)) for message in customers]
        amount += next((float(found[1]) for found in amounts if found), 0)
    description = "Refunds waiting: 0"
    if waiting:
        oldest = waiting[-1]["last_message_at"][:10]
        description = f"Refunds waiting: {len(waiting)}, receipts: {receipts}, EUR {amount:.2f}, since {oldest}"
    request(f"{BASE_URL}/api/v1/identities/{HANDLE}", "PATCH", {"description": description})
    print(description, flush=True)


try:
    work_round()
    while "--once" not in sys.argv:
        time.sleep(1)
        work_round()
except Exception as error:
    sys.exit(f"{type(error).__name__}: {error}")
