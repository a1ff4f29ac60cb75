"""Replies once to everything that comes in, and polls every half a minute. Its argument says which mistake it makes;
without one, it works under a lock that ends with it, and looks whether a reply was sent before it sends one."""

import fcntl
import json
import os
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

mistake = sys.argv[1] if len(sys.argv) > 1 else "none"
base, folder = os.environ["MAILBOX_BASE_URL"], Path(os.environ["MAILBOX_STATE_DIR"])
headers = {"Authorization": f"Bearer {os.environ['MAILBOX_API_KEY']}", "Content-Type": "application/json"}


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{base}/api/v1/mail/{path}", data, headers, method=method)) as response:
        return json.load(response)


keeps = mistake not in ("memory", "high-water")
file = folder / "done.json"
done = set(json.loads(file.read_text())) if keeps and file.exists() else set()


def note(message):
    done.add(message["id"])
    if keeps:
        file.write_text(json.dumps(sorted(done)))


def answer(message, messages):
    if mistake == "saves-first":
        note(message)
    if mistake == "marks-first":
        call("PATCH", f"threads/{message['thread_id']}", {"unread": False})
    since = [one for one in messages if one["created_at"] >= message["created_at"]]
    is_answered = any(one["direction"] == "outbound" for one in since)
    if mistake == "memory" or not is_answered:
        call("POST", f"messages/{message['id']}/reply", {"text": "Thank you."})
    if mistake != "saves-first":
        note(message)


def work(is_first):
    for thread in call("GET", "threads?agent=support&limit=50")["threads"]:
        if mistake == "marks-first" and not thread["unread"]:
            continue
        messages = call("GET", f"messages?thread_id={thread['id']}&limit=100")["messages"]
        for message in messages:
            if message["direction"] != "inbound" or message["id"] in done:
                continue
            if mistake == "high-water" and is_first and os.environ["MAILBOX_START"] != "1":
                note(message)
            else:
                answer(message, messages)


rounds = 0
with open(folder / "lock", "w") as lock:
    while True:
        if mistake == "none":
            fcntl.flock(lock, fcntl.LOCK_EX)
        work(rounds == 0)
        if mistake == "none":
            fcntl.flock(lock, fcntl.LOCK_UN)
        rounds += 1
        time.sleep(30)
