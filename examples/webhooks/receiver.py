"""Receives webhook deliveries in every form that the interface allows. It verifies them, responds with
200 immediately, and then processes each event once. It reads what happened from the service, not from the body.

It needs Python 3.9 and only its standard library.
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
# Choose a path that cannot be guessed, because deliveries may have neither a token nor a signature.
PATH = os.environ.get("WEBHOOK_PATH", "/hook")
TOKEN = os.environ.get("WEBHOOK_TOKEN")
SECRET = os.environ.get("WEBHOOK_SECRET")
# When you know what the service sends, refuse deliveries without it: WEBHOOK_REQUIRE=token,signature
REQUIRED = os.environ.get("WEBHOOK_REQUIRE", "").split(",")
TOLERANCE = float(os.environ.get("WEBHOOK_TOLERANCE", "300"))
MAX_BODY = 1024 * 1024


class Refusal(Exception):
    """Raised to answer a delivery with this status instead of 200."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def same(one, other):
    """Compares in constant time, so that the duration does not reveal how much is equal."""
    return hmac.compare_digest(one.encode(), other.encode())


def check_token(headers):
    """Compares the token, if there is one."""
    bearer = re.match(r"Bearer +(.+)$", headers.get("Authorization", ""), re.IGNORECASE)
    token = bearer[1] if bearer else headers.get("X-Auth-Token")
    if token is None:
        if "token" in REQUIRED:
            raise Refusal(401, "no token")
    elif TOKEN and not same(token, TOKEN):
        raise Refusal(401, "wrong token")


def check_signature(headers, body):
    """Verifies the signature over the exact bytes of the body, if there is one."""
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
    expected, timestamp, candidates = check(headers, body)
    if not any(same(candidate, expected) for candidate in candidates):
        raise Refusal(401, "wrong signature")
    # An old delivery with a correct signature may have been recorded by an attacker who sends it again.
    if not re.fullmatch(r"\d+", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE:
        raise Refusal(401, "signed too long ago")


def standard_signature(headers, body):
    """Standard Webhooks: `webhook-signature: v1,<base64> v1,<base64>`, with an id and a time in other headers."""
    timestamp = headers.get("webhook-timestamp", "")
    key = base64.b64decode(SECRET[len("whsec_") :] if SECRET.startswith("whsec_") else SECRET)
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return expected, timestamp, [one[3:] for one in headers["webhook-signature"].split(" ") if one.startswith("v1,")]


def timestamped_signature(headers, body):
    """The other scheme: `x-webhook-signature: t=<seconds>,v1=<hexadecimal>`."""
    parts = headers["x-webhook-signature"].split(",")
    timestamp = next((part[2:] for part in parts if part.startswith("t=")), "")
    expected = hmac.new(SECRET.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return expected, timestamp, [part[3:] for part in parts if part.startswith("v1=")]


def event_of(body):
    """Returns the type and the ids of the event in a body, in any of the possible structures."""
    try:
        envelope = as_object(json.loads(body))
    except ValueError:
        raise Refusal(400, "the body is not JSON") from None
    data = as_object(envelope.get("data")) or envelope
    message = as_object(data.get("message"))
    event = (
        envelope.get("event", envelope.get("type")),
        data.get("message_id", message.get("id")),
        data.get("thread_id", message.get("thread_id")),
    )
    # Not 200, because the service would then assume that the event has been received.
    if not all(isinstance(value, str) for value in event):
        raise Refusal(400, "the body lacks the type of the event or the ids of the message and its thread")
    return event


def as_object(value):
    return value if isinstance(value, dict) else {}


# The type and message of each received event. A real program would store them persistently.
received = set()
lock = threading.Lock()
pending = queue.Queue()


def enqueue(event):
    """Queues an event for the worker, unless it has been received before."""
    with lock:
        if event[:2] in received:
            return
        received.add(event[:2])
    pending.put(event)


def work():
    """Processes one event after another."""
    while True:
        event = pending.get()
        try:
            handle(*event)
        except Exception as error:  # A failure must not stop the next event.
            print(f"{event[0]} {event[1]}: {error}", file=sys.stderr, flush=True)


def handle(event_type, message_id, thread_id):
    """Your own code. Here it prints what happened to which message, as the service shows it."""
    if not BASE_URL:
        print(f"{event_type}: {message_id}", flush=True)
        return
    query = urlencode({"thread_id": thread_id, "limit": 100})
    url = f"{BASE_URL}/api/v1/mail/messages?{query}"
    with urlopen(Request(url, headers={"Authorization": f"Bearer {API_KEY}"}), timeout=10) as answer:
        messages = json.load(answer)["messages"]
    message = next((message for message in messages if message["id"] == message_id), None)
    if message is None:
        raise LookupError("the service does not have this message")
    print(f"{event_type}: {message_id} from {message['from']}: {message['subject']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_POST(self):
        try:
            if self.path.split("?")[0] != PATH:
                raise Refusal(404, "unknown path")
            check_token(self.headers)
            body = self.body()
            check_signature(self.headers, body)
            enqueue(event_of(body))
            self.answer(200)
        except Refusal as refusal:
            print(f"refused: {refusal}", file=sys.stderr, flush=True)
            self.answer(refusal.status)

    def body(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            raise Refusal(411, "the length of the body is unknown")
        if int(length) > MAX_BODY:
            raise Refusal(413, "the body is too large")
        return self.rfile.read(int(length))

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        # After a refusal, unread parts of the body may still arrive on the connection.
        if status != 200:
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        """Logs nothing, because the paths and headers of requests contain secrets."""


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}{PATH}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
