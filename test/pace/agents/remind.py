"""Asks back, and reminds when nothing has come for a day by its own clock."""

import json
import os
import time
from datetime import datetime, timedelta, timezone
from urllib.request import Request, urlopen

base, key = os.environ["MAILBOX_BASE_URL"], os.environ["MAILBOX_API_KEY"]


def call(path, body=None):
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    data = body and json.dumps(body).encode()
    with urlopen(Request(f"{base}/api/v1/{path}", data, headers), timeout=20) as response:
        return json.load(response)


def date_of(message):
    return datetime.fromisoformat(message["created_at"].replace("Z", "+00:00"))


while True:
    thread = call("mail/threads?agent=support")["threads"][0]["id"]
    messages = sorted(call(f"mail/messages?thread_id={thread}")["messages"], key=date_of)
    question, *others = messages
    if not others:
        call(f"mail/messages/{question['id']}/reply", {"text": "Which order is it?"})
    elif len(others) == 1 and datetime.now(timezone.utc) - date_of(others[0]) > timedelta(days=1):
        call(f"mail/messages/{question['id']}/reply", {"text": "A reminder: which order is it?"})
    time.sleep(15)
