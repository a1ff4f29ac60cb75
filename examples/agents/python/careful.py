"""A mail-reading agent that does not rely on anything that the interface leaves open. In each round it looks for refunds
that are waiting, and writes their number into the description of its identity.

A refund is waiting while the latest message in its thread is from the customer. Needs only Python 3.9.
"""

import json
import os
import re
import sys
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
HANDLE = "support"
PAGE_SIZE = 50


def request(address, method="GET", body=None):
    """Sends a request, and again while the service is busy or a response is lost. Returns headers and body, or None for 404."""
    url = urljoin(BASE_URL, address)
    outgoing = Request(url, method=method, data=None if body is None else json.dumps(body).encode())
    outgoing.add_header("Content-Type", "application/json")
    # Files may be on another host, which must not receive the key; neither must the target of a redirect.
    if urlsplit(url)[:2] == urlsplit(BASE_URL)[:2]:
        outgoing.add_unredirected_header("Authorization", f"Bearer {API_KEY}")
    for attempt in range(1, 6):
        try:
            with urlopen(outgoing, timeout=10) as response:
                return response.headers, response.read()
        except HTTPError as error:
            error.close()
            if error.code == 404:
                return None
            if error.code not in (429, 502, 503, 504) or attempt == 5:
                raise
            time.sleep(wait_of(error))
        except (OSError, HTTPException):
            # No response came, or only a part of one.
            if attempt == 5:
                raise
            time.sleep(attempt)


def wait_of(error):
    """Returns how long to wait before a retry, in seconds: as long as the service says, or else one."""
    after = error.headers.get("Retry-After", "1")
    if after.isdigit():
        return max(int(after), 0.1)
    try:
        return max((parsedate_to_datetime(after) - datetime.now(timezone.utc)).total_seconds(), 0.1)
    except (TypeError, ValueError):
        return 1


def listed(name, **query):
    """Requests a list from the service; returns an empty list for 404."""
    response = request(f"/api/v1/mail/{name}?{urlencode(query)}")
    return json.loads(response[1])[name] if response else []


def read_threads(threads):
    """Reads all pages. A page that is not full is the last one; `total` may count anything."""
    offset = 0
    while True:
        page = listed("threads", agent=HANDLE, limit=PAGE_SIZE, offset=offset)
        threads.update((thread["id"], thread) for thread in page)
        if len(page) < PAGE_SIZE:
            return
        offset += PAGE_SIZE


def refund_of(thread):
    """Returns the refund that a thread is waiting for; None if the latest message is not from the customer."""
    messages = listed("messages", thread_id=thread["id"], limit=100)
    if len(messages) < thread["message_count"]:
        print(f"{thread['id']}: only {len(messages)} of {thread['message_count']} messages", file=sys.stderr)
    messages.sort(key=lambda message: instant(message["created_at"]), reverse=True)
    # The value of the other direction is not documented, so this compares with "inbound".
    if not messages or messages[0]["direction"] != "inbound":
        return None
    customers = [message for message in messages if message["direction"] == "inbound"]
    amounts = [re.search(r"EUR\s*(\d+\.\d\d)", words_of(message)) for message in customers]
    return {
        "amount": next((float(amount[1]) for amount in amounts if amount), 0),
        "receipt": has_receipt(customers),
        "since": instant(messages[0]["created_at"]),
    }


def instant(text):
    """Parses a timestamp of any precision; before Python 3.11, the Z is not supported."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def words_of(message):
    """Returns the text of a message, or else its HTML without the tags."""
    return message.get("text") or re.sub(r"<[^>]*>", " ", message.get("html") or "").replace("&nbsp;", " ")


def has_receipt(messages):
    """Returns whether a PDF is attached. An entry may only have the URL of the file, so the file's own type counts."""
    for entry in (entry for message in messages for entry in message["attachments"]):
        address = entry.get("url") or entry.get("download_url")
        file = address and request(address)
        if file and file[0].get_content_type() == "application/pdf":
            return True
    return False


# The threads by id, kept between rounds: new mail may move a thread to a page that has already been read.
threads = {}
# The stamp and the refund of each thread; a thread is read again when its stamp changes.
found = {}


def waiting_refunds():
    """Returns the refunds that are waiting; reads only threads that have changed."""
    read_threads(threads)
    for thread in threads.values():
        stamp = (thread["message_count"], thread["last_message_at"])
        if not re.search("refund", thread["subject"], re.IGNORECASE):
            continue
        if found.get(thread["id"], (None,))[0] != stamp:
            found[thread["id"]] = (stamp, refund_of(thread))
    return [refund for _, refund in found.values() if refund]


def described(refunds):
    if not refunds:
        return "Refunds waiting: 0"
    receipts = sum(refund["receipt"] for refund in refunds)
    amount = sum(refund["amount"] for refund in refunds)
    oldest = min(refund["since"] for refund in refunds).date()
    return f"Refunds waiting: {len(refunds)}, receipts: {receipts}, EUR {amount:.2f}, since {oldest}"


def work_round(reported):
    """Runs one round: updates the description if it differs from the reported one, and returns it."""
    description = described(waiting_refunds())
    if description != reported:
        if request(f"/api/v1/identities/{HANDLE}", "PATCH", {"description": description}) is None:
            raise LookupError(f"There is no agent {HANDLE}.")
        print(description, flush=True)
    return description


def main():
    reported = None
    while True:
        try:
            reported = work_round(reported)
        except Exception as error:
            # The next round may succeed; without one, the exit status reports the failure.
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            if "--once" in sys.argv:
                sys.exit(1)
        if "--once" in sys.argv:
            return
        time.sleep(1)


if __name__ == "__main__":
    main()
