"""The connections that this process opens, and the requests on them, by what is sent and received."""

import os
from _thread import get_ident
from _weakref import ref

from .clock import ready
from .seen import note, real_monotonic, seen, tell

#: Bytes of a request that are looked at; more than any head of a request has.
LOOKED_AT = 65_536
#: Seconds without a frame after which a question on a WebSocket counts as answered.
QUIET = 2


class Request:
    """A request that has no complete response yet. `ends` is false for an open stream, which is no work."""

    __slots__ = ("what", "method", "ends", "answered", "began")

    def __init__(self, what, method=""):
        self.what, self.method, self.ends, self.answered = what, method, True, False
        self.began = real_monotonic()


class Connection:
    """A connection that this process opened. `sent` and `received` follow HTTP/1, HTTP/2 and WebSockets on it; of
    anything else they know only whether what was sent last has an answer."""

    def __init__(self, socket, to, own):
        self.to, self.own = to, own
        #: Whether it is the inside of TLS; and the connection that is the inside of this one.
        self.secured, self.inside = False, None
        #: Open requests by their number.
        self.open = {}
        self.move(socket)
        self.reset()

    def move(self, socket):
        """Belongs to another socket from now on, and ends with it."""
        key = id(socket)
        self.socket = ref(socket, lambda _: self.forget(key))
        seen.connections[key] = self

    def forget(self, key):
        if seen.connections.get(key) is self:
            del seen.connections[key]
        self.close()

    def reset(self):
        """Begins anew: which protocol follows is told by what is sent next."""
        self.take_sent, self.take_received = self.first, None
        self.head, self.unanswered, self.heard_at = b"", False, None

    # What is sent

    def sent(self, data):
        if len(data):
            seen.activity += 1
            self.open.pop("connect", None)
            self.take_sent(bytes(memoryview(data).cast("B")[:LOOKED_AT]))

    def first(self, data):
        """Takes the beginning of a request."""
        self.head += data
        if self.head[:2] == b"\x16\x03" and get_ident() in seen.in_memory:
            self.take_sent = self.ignored
            self.inside = seen.in_memory.pop(get_ident())
            self.inside.to, self.inside.socket = self.to, self.socket
        elif self.head.startswith(b"PRI * HTTP/2"):
            sent, received = frames(self, True), frames(self, False)
            next(sent), next(received)
            self.take_sent, self.take_received = sent.send, received.send
            sent.send(self.head[24:])
        elif len(self.head) > LOOKED_AT or not self.head.split(b" ")[0].isupper():
            self.take_sent = self.other
            self.other(data)
        elif b"\r\n\r\n" in self.head:
            method, what = described(self.head, self.to, self.secured)
            self.head, self.take_sent = b"", self.ignored
            if self.take_received is None:
                received = responses(self)
                next(received)
                self.take_received = received.send
            self.begin(1, method, what)
        else:
            self.unanswered = True

    def ignored(self, data):
        """Takes what belongs to a request that has begun, or is looked at elsewhere."""

    def other(self, data):
        """Takes what belongs to another protocol."""
        self.unanswered = True

    def frame(self, data):
        """Takes a frame of a WebSocket: text and binary ask something, control frames do not."""
        if data[0] & 15 in (1, 2):
            self.unanswered, self.heard_at = True, None

    def begin(self, number, method, what):
        self.unanswered = False
        self.open[number] = Request(what, method)
        seen.failure = None
        if not self.own:
            tell({"asks": what})

    # What is received

    def received(self, data):
        seen.activity += 1
        if not len(data):
            self.close()
        elif self.take_sent == self.frame:
            self.heard_at = real_monotonic()
        elif self.take_received is None:
            self.unanswered = False
        else:
            self.take_received(bytes(data))

    def head_came(self, number, status, is_stream):
        """Takes note of the beginning of a response, and whether it is a stream of events."""
        request = self.open.get(number)
        if request:
            request.answered = True
            request.ends = not (is_stream and request.method == "GET")
            if status >= 400:
                self.failed(f"{status} of {request.what}")

    def end(self, number):
        self.open.pop(number, None)
        if self.take_sent == self.ignored:
            self.take_sent, self.head = self.first, b""

    def switch(self, take_sent):
        """Leaves HTTP for another protocol."""
        self.end(1)
        self.reset()
        self.take_sent, self.take_received = take_sent, None

    def came_about(self, error):
        """Takes note that the connection is there, or why it is not."""
        if self.open.pop("connect", None) and error:
            self.failed(f"no connection to {self.to}")

    def failed(self, what):
        if not self.own:
            seen.failure = what

    def close(self):
        """Ends, and with it what was open."""
        seen.activity += 1
        for request in list(self.open.values()):
            if not request.answered:
                self.failed(f"no response to {request.what}")
        self.open.clear()
        self.unanswered = False
        if self.inside:
            self.inside.close()
            self.inside = None

    # What it means

    def has_unread(self):
        """Returns whether something came; if the agent does not read it, it does not wait for it."""
        try:
            file = self.socket().fileno() if self.open or self.unanswered else -1
            return file >= 0 and bool(ready([file], 0))
        except (OSError, ValueError, AttributeError):
            return False

    def asks(self):
        """Returns the open requests that end."""
        return [request for request in list(self.open.values()) if request.ends]

    def perhaps(self):
        """Returns what may be an open question, in words; None if there is none."""
        if not self.unanswered or self.socket() is None:
            return None
        if self.take_sent == self.frame:
            is_quiet = self.heard_at is not None and real_monotonic() - self.heard_at >= QUIET
            return None if is_quiet else f"WebSocket to {self.to}"
        return f"connection to {self.to}"


def described(head, to, secured):
    """Returns the method of a request and what it asks in words, by its head."""
    first, *lines = head.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, path = (first.split(" ") + [""])[:2]
    path = path.split("?")[0].split("#")[0]
    host = next((line[5:].strip() for line in lines if line[:5].lower() == "host:"), to)
    url = path if "://" in path or method == "CONNECT" else f"http{'s' if secured else ''}://{host}{path}"
    return method, f"{method} {url}"


def responses(connection):
    """Follows the responses of HTTP/1 on a connection; takes what is received by send()."""
    data = yield
    while True:
        while b"\r\n\r\n" not in data:
            data += yield
        head, data = data.split(b"\r\n\r\n", 1)
        first, *lines = head.decode("latin-1").lower().split("\r\n")
        status = int(first.split(" ")[1])
        fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        request = connection.open.get(1)
        method = request.method if request else ""
        if 100 <= status < 200 and status != 101:
            continue
        connection.head_came(1, status, fields.get("content-type", "").startswith("text/event-stream"))
        if status == 101:
            connection.switch(connection.frame if fields.get("upgrade") == "websocket" else connection.other)
        elif method == "CONNECT" and status < 300:
            connection.switch(connection.first)
        elif method == "HEAD" or status in (204, 304):
            connection.end(1)
        elif fields.get("transfer-encoding", "").endswith("chunked"):
            size = None
            while size != 0:
                while b"\r\n" not in data:
                    data += yield
                line, data = data.split(b"\r\n", 1)
                size = int(line.split(b";")[0], 16)
                data = yield from without(data, size + 2 if size else 0)
            line = None
            while line != b"":
                while b"\r\n" not in data:
                    data += yield
                line, data = data.split(b"\r\n", 1)
            connection.end(1)
        elif "content-length" in fields:
            data = yield from without(data, int(fields["content-length"]))
            connection.end(1)
        else:
            # The response ends with the connection.
            while True:
                yield


def without(data, size):
    """Skips so many bytes of data and of what follows; returns the rest."""
    while len(data) < size:
        size -= len(data)
        data = yield
    return data[size:]


def frames(connection, outgoing):
    """Follows the frames of HTTP/2 in one direction; takes them by send()."""
    data = yield
    while True:
        while len(data) < 10:
            if len(data) == 9 and data[:3] == b"\0\0\0":
                break
            data += yield
        size, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        number, first = int.from_bytes(data[5:9], "big") & 0x7FFFFFFF, data[9:10]
        data = yield from without(data[9:], size)
        if kind == 1 and outgoing:
            connection.begin(number, "", f"HTTP/2 request to {connection.to}")
        elif kind == 1:
            # The most common statuses are one byte: 200, 204, 206 and 304 are 0x88 to 0x8b.
            connection.head_came(number, 200 if first in (b"\x88", b"\x89", b"\x8a", b"\x8b") else 400, False)
        if kind == 3 or (kind in (0, 1) and flags & 1 and not outgoing):
            connection.end(number)


def follow(connection, take, data):
    """Lets a connection take something; if that fails, it counts as unknown from then on."""
    try:
        take(data)
    except Exception as error:
        note(error)
        connection.open.clear()
        connection.switch(connection.other)


def connection_of(socket):
    return seen.connections.get(id(socket))


def connect_to(socket, address):
    """Returns the connection of a socket that begins to connect to an address."""
    is_internet = isinstance(address, tuple)
    to = f"{address[0]}:{address[1]}" if is_internet else os.fsdecode(address)
    connection = Connection(socket, to, is_internet and is_own(*address[:2]))
    connection.open["connect"] = Request(f"connection to {to}")
    return connection


def is_local(host):
    return host in ("", "localhost", "::1", "0.0.0.0", "::") or host.startswith("127.")


def is_own(host, port):
    """Returns whether an address is that of the service."""
    return port == service_port and (host == service_host or (is_local(host) and is_local(service_host)))


def address_in(url):
    scheme, _, rest = url.rpartition("://")
    host, _, port = rest.split("/")[0].split("@")[-1].rpartition(":")
    return (host.strip("[]"), int(port)) if port.isdigit() else (port, 443 if scheme == "https" else 80)


service_host, service_port = address_in(os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280"))
