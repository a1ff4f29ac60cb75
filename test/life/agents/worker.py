"""Replies once to everything that comes in, and polls every half a minute: works under a lock that ends with it, and looks whether
a reply was sent before it sends one."""

import fcntl
import json
import os
import time
from pathlib import Path
from urllib.request import Request, urlopen

base, folder = os.environ["MAILBOX_BASE_URL"], Path(os.environ["MAILBOX_STATE_DIR"])
headers = {"Authorization": f"Bearer {os.environ['MAILBOX_API_KEY']}", "Content-Type": "application/json"}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{base}/api/v1/mail/{path}", data, headers)) as response:
        return json.load(response)


file = folder / "done.json"
done = set(json.loads(file.read_text())) if file.exists() else set()


def answer(message, messages):
    since = [one for one in messages if one["created_at"] >= message["created_at"]]
    if not any(one["direction"] == "outbound" for one in since):
        call(f"messages/{message['id']}/reply", {"text": "Thank you."})
    done.add(message["id"])
    file.write_text(json.dumps(sorted(done)))


def work():
    for thread in call("threads?agent=support&limit=50")["threads"]:
        messages = call(f"messages?thread_id={thread['id']}&limit=100")["messages"]
        for message in messages:
            if message["direction"] == "inbound" and message["id"] not in done:
                answer(message, messages)


with open(folder / "lock", "w") as lock:
    while True:
        fcntl.flock(lock, fcntl.LOCK_EX)
        work()
        fcntl.flock(lock, fcntl.LOCK_UN)
        time.sleep(30)
