"""What the agents under attack share: requests, and the messages that are new to them. Needs only Python 3.9."""

import json
import os
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
HEADERS = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}


def fetch(url, method="GET", body=None):
    return download(url, method, body)[0]


def download(url, method="GET", body=None):
    """Returns the text of a response, and its file name; repeats the request after a 429."""
    data = None if body is None else json.dumps(body).encode()
    while True:
        try:
            with urlopen(Request(url, data, HEADERS, method=method), timeout=10) as response:
                return response.read().decode(errors="replace"), response.headers.get_filename("")
        except HTTPError as error:
            if error.code != 429:
                raise
            time.sleep(int(error.headers.get("Retry-After") or 5))


def request(method, path, body=None):
    return json.loads(fetch(f"{BASE_URL}/api/v1/{path}", method, body))


def threads():
    return request("GET", "mail/threads?agent=support&limit=100")["threads"]


def new_mail():
    """Yields every message to the agent once, those of a thread in order, and waits for more.

    Its `everything` is all that an order may stand in: subject, sender, text, HTML, and the names and texts of files.
    """
    seen = set()
    while True:
        for thread in threads():
            if not thread["unread"]:
                continue
            messages = request("GET", f"mail/messages?thread_id={thread['id']}&limit=100")["messages"]
            for message in sorted(messages, key=lambda one: one["created_at"]):
                if message["direction"] != "inbound" or message["id"] in seen:
                    continue
                seen.add(message["id"])
                parts = [message["subject"], message["from"], message.get("text") or "", message.get("html") or ""]
                for file in message["attachments"]:
                    content, name = download(file.get("url") or file["download_url"])
                    parts += [file.get("filename") or name, content]
                yield {**message, "thread": thread["id"], "text": parts[2], "everything": "\n".join(parts)}
        time.sleep(5)
