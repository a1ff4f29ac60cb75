"""Receives webhook deliveries in whichever of the shapes that the interface leaves open they come: proves them, answers
200 at once, and works afterwards, once for each event. What happened it reads from the service, not from the body.

Python 3.9 and its standard library are enough.
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
PORT = int(os.environ.get("PORT", "8787"))
# A path that nobody can guess, since a delivery may come with neither token nor signature.
PATH = os.environ.get("WEBHOOK_PATH", "/hook")
TOKEN = os.environ.get("WEBHOOK_TOKEN")
SECRET = os.environ.get("WEBHOOK_SECRET")
# Once you know what the service sends, refuse what comes without: WEBHOOK_REQUIRE=token,signature
REQUIRED = os.environ.get("WEBHOOK_REQUIRE", "").split(",")
TOLERANCE = float(os.environ.get("WEBHOOK_TOLERANCE", "300"))
LARGEST_BODY = 1024 * 1024


class Refusal(Exception):
    """A delivery that is answered with this status instead of 200."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def same(one, other):
    """Compares in a time that does not tell how much is equal."""
    return hmac.compare_digest(one.encode(), other.encode())


def check_token(headers):
    """Compares the token, where one comes."""
    bearer = re.match(r"Bearer +(.+)$", headers.get("Authorization", ""), re.IGNORECASE)
    token = bearer[1] if bearer else headers.get("X-Auth-Token")
    if token is None:
        if "token" in REQUIRED:
            raise Refusal(401, "no token")
    elif TOKEN and not same(token, TOKEN):
        raise Refusal(401, "wrong token")


def check_signature(headers, body):
    """Verifies the signature over the very bytes of the body, where one comes."""
    if "webhook-signature" in headers:
        check = standard_signature
    elif "x-webhook-signature" in headers:
        check = timestamped_signature
    elif "signature" in REQUIRED:
        raise Refusal(401, "no signature")
    else:
        return
    if not SECRET:
        return
    right, timestamp, candidates = check(headers, body)
    if not any(same(candidate, right) for candidate in candidates):
        raise Refusal(401, "wrong signature")
    # An old delivery with a right signature is one that somebody has recorded and sends again.
    if not re.fullmatch(r"\d+", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise Refusal(401, "signed too long ago")


def standard_signature(headers, body):
    """Standard Webhooks: `webhook-signature: v1,<base64> v1,<base64>` with an id and a time beside it."""
    timestamp = headers.get("webhook-timestamp", "")
    key = base64.b64decode(SECRET[len("whsec_") :] if SECRET.startswith("whsec_") else SECRET)
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    right = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return right, timestamp, [one[3:] for one in headers["webhook-signature"].split(" ") if one.startswith("v1,")]


def timestamped_signature(headers, body):
    """The other scheme: `x-webhook-signature: t=<seconds>,v1=<hexadecimal>`."""
    parts = headers["x-webhook-signature"].split(",")
    timestamp = next((part[2:] for part in parts if part.startswith("t=")), "")
    right = hmac.new(SECRET.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return right, timestamp, [part[3:] for part in parts if part.startswith("v1=")]


def event_of(body):
    """The event in a body: its type and its ids, whatever they are wrapped in."""
    try:
        envelope = as_object(json.loads(body))
    except ValueError:
        raise Refusal(400, "a body that is no JSON") from None
    data = as_object(envelope.get("data")) or envelope
    message = as_object(data.get("message"))
    event = (
        envelope.get("event", envelope.get("type")),
        data.get("message_id", message.get("id")),
        data.get("thread_id", message.get("thread_id")),
    )
    # Not 200, which would have the service believe that somebody knows of the event.
    if not all(isinstance(value, str) for value in event):
        raise Refusal(400, "a body without the type of an event and the ids of a message and its thread")
    return event


def as_object(value):
    return value if isinstance(value, dict) else {}


# Type and message of the events that were taken. Another program keeps them where they outlive it.
taken = set()
lock = threading.Lock()
waiting = queue.Queue()


def take(event):
    """Takes an event that has not been taken before, for the worker."""
    with lock:
        if event[:2] in taken:
            return
        taken.add(event[:2])
    waiting.put(event)


def work():
    """Works on one event after the other."""
    while True:
        event = waiting.get()
        try:
            handle(*event)
        except Exception as error:  # The next event is not to wait for this one.
            print(f"{event[0]} {event[1]}: {error}", file=sys.stderr, flush=True)


def handle(event_type, message_id, thread_id):
    """Your work: here, it says what happened to which message, as the service shows it."""
    if not BASE_URL:
        print(f"{event_type}: {message_id}", flush=True)
        return
    query = urlencode({"thread_id": thread_id, "limit": 100})
    url = f"{BASE_URL}/api/v1/mail/messages?{query}"
    with urlopen(Request(url, headers={"Authorization": f"Bearer {API_KEY}"}), timeout=10) as answer:
        messages = json.load(answer)["messages"]
    message = next((message for message in messages if message["id"] == message_id), None)
    if message is None:
        raise LookupError("the service knows no such message")
    print(f"{event_type}: {message_id} from {message['from']}: {message['subject']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        try:
            if self.path.split("?")[0] != PATH:
                raise Refusal(404, "another path")
            check_token(self.headers)
            body = self.body()
            check_signature(self.headers, body)
            take(event_of(body))
            self.answer(200)
        except Refusal as refusal:
            print(f"refused: {refusal}", file=sys.stderr, flush=True)
            self.answer(refusal.status)

    def body(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refusal(411, "a body of unknown length")
        if int(length) > LARGEST_BODY:
            raise Refusal(413, "a body that is too large")
        return self.rfile.read(int(length))

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        # Of a body that is refused, there may be more to come.
        if status != 200:
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        """Requests are not logged: their paths and headers hold secrets."""


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}{PATH}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
