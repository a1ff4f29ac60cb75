"""Small agents with a planted bug: `python3 agent.py BUG`, and without it: `python3 agent.py BUG --careful`."""

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


seen = {}
while read_pages(seen):
    if BUG == "loses-moved-thread" and not CAREFUL:
        break
for thread in seen:
    for message in get(f"/mail/messages?thread_id={thread}&limit=100")["messages"]:
        text = message.get("text") if CAREFUL else message["text"]
        if BUG == "crashes-on-missing-text":
            len(text or "")
