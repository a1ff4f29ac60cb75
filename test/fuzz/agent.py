"""Small agents with a planted bug: `python3 agent.py BUG`, and without it: `python3 agent.py BUG --careful`."""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

BASE = os.environ["MAILBOX_BASE_URL"] + "/api/v1"
KEY = os.environ["MAILBOX_API_KEY"]
BUG = sys.argv[1]
CAREFUL = "--careful" in sys.argv


def get(path):
    for attempt in range(5):
        try:
            request = urllib.request.Request(BASE + path, headers={"authorization": "Bearer " + KEY})
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 503) or attempt == 4:
                raise
            obeys = CAREFUL or BUG != "ignores-retry-after"
            time.sleep(float(error.headers.get("retry-after", 0.05)) if obeys else 0.05)


def page(offset):
    return get(f"/mail/threads?agent=support&limit=10&offset={offset}")


def read_pages(seen):
    """Reads all pages; tells whether anything was new."""
    before = len(seen)
    offset = 0
    while True:
        answer = page(offset)
        seen.update((thread["id"], thread) for thread in answer["threads"])
        offset += 10
        if not CAREFUL and BUG == "stops-at-total" and offset >= answer["total"]:
            return False
        if len(answer["threads"]) < 10:
            return len(seen) > before


def newest(thread):
    messages = get(f"/mail/messages?thread_id={thread}&limit=100")["messages"]
    return max(messages, key=lambda message: message["created_at"])


def post(path, body, key):
    """Sends a request once; returns whether it succeeded, and how long to wait otherwise."""
    headers = {"authorization": "Bearer " + KEY, "content-type": "application/json"}
    if key is not None:
        headers["idempotency-key"] = key
    request = urllib.request.Request(BASE + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            answer.read()
        return True, 0
    except urllib.error.HTTPError as error:
        return False, float(error.headers.get("retry-after", 0))
    except (OSError, http.client.HTTPException):
        return False, 0


def answer(asked):
    """Answers a message, and once more if that fails."""
    for attempt in (1, 2):
        message = asked
        if attempt == 2 and BUG == "answers-its-own-answer":
            message = newest(asked["thread_id"])
            if CAREFUL and message["direction"] == "outbound":
                return
        key = asked["id"] if CAREFUL and BUG == "answers-again-after-a-lost-answer" else None
        succeeded, wait = post(f"/mail/messages/{message['id']}/reply", {"text": "It is on its way."}, key)
        if succeeded:
            return
        time.sleep(wait)


def answer_all():
    for thread in seen:
        message = newest(thread)
        marks = {"auto-submitted", "precedence", "list-id", "return-path"}
        if message["direction"] == "inbound" and not marks & message["headers"].keys():
            answer(message)


seen = {}
while read_pages(seen):
    if BUG == "loses-moved-thread" and not CAREFUL:
        break
if BUG.startswith("answers-"):
    answer_all()
    sys.exit()
for thread in seen:
    for message in get(f"/mail/messages?thread_id={thread}&limit=100")["messages"]:
        text = message.get("text") if CAREFUL else message["text"]
        if BUG == "crashes-on-missing-text":
            len(text or "")
