"""The connections that this process opens, and the time-outs of its sockets."""

import _socket
import math
import os
import sys
from _contextvars import ContextVar

from .blocking import poller
from .clock import clock, real_monotonic
from .line import attempt, changing, instead, line
from .waits import asks, counts, until

#: The request at which a library of HTTP is at work, whose connections carry nothing else; None if none is.
carrying = ContextVar("carrying", default=None)
#: How long an answer is quick, for how long slow ones are awaited on a connection of another kind, and a greeting, in real
#: seconds.
QUICK, LONGEST, GREETING = 0.1, 5, 1
#: For how many real seconds a WebSocket is silent after an answer that is over.
SILENCE = 2
#: The families of addresses of AF_INET and AF_INET6.
INTERNET = {_socket.AF_INET, _socket.AF_INET6}
#: Where connections were to queues or logs that are closed.
queues = set()


class Link:
    """A connection of this process to somebody, of whom it may await an answer."""

    def __init__(self, to, is_own):
        self.to, self.is_own, self.is_carried = to, is_own, carrying.get() is not None
        #: How many threads are blocked in reading from it, and when something was read last.
        self.readers, self.heard = 0, real_monotonic()
        #: When it was begun, long ago once something came; and since when an answer is awaited, None if none is; in real time.
        self.began, self.asked = real_monotonic(), None
        #: Whether it has become one of a WebSocket, whether only a ping is to be answered there, and when the last answer came.
        self.is_websocket, self.is_ping, self.answered = False, False, -math.inf
        #: For how many seconds slow answers were awaited in this stretch, one after another.
        self.waited, self.stretch = 0.0, 0
        #: Whether they took so long that it is one to a queue of jobs or to a log, as an earlier one to the same place was.
        self.is_queue = to in queues and not is_own

    def sent(self, data):
        """Takes note of bytes that are written."""
        kind = data[0] & 15 if self.is_websocket and data[:1] else None
        if kind in (8, 10):
            return  # A frame that closes, or a pong: nothing answers it.
        asks()
        self.is_ping = kind == 9 and (self.asked is None or self.is_ping)
        if self.asked is None and self.began > 0 and b"upgrade: websocket" in bytes(data).lower():
            self.is_websocket, self.is_carried = True, False
        if clock.stretch != self.stretch:
            self.waited = 0.0
        self.stretch, self.asked = clock.stretch, self.asked or real_monotonic()

    def received(self):
        line.activity += 1
        self.heard = real_monotonic()
        if self.asked is not None:
            took = self.heard - self.asked
            self.waited = 0.0 if took < QUICK else self.waited + took
        # An answer may come in several parts.
        if (self.asked is not None and not self.is_ping) or self.heard - self.answered < SILENCE:
            self.answered = self.heard
        self.began, self.asked = -math.inf, None

    def owes(self):
        """Returns whether an answer is awaited."""
        asked = self.asked
        if self.is_carried:
            return False
        if self.is_websocket:
            # A message is a request, however long its answer takes.
            return asked is not None or real_monotonic() - self.answered < SILENCE
        if self.is_queue:
            return False
        if asked is None:
            # It may be a greeting.
            return real_monotonic() - self.began < GREETING
        self.is_queue = not self.is_own and self.waited + real_monotonic() - asked > LONGEST
        return not self.is_queue


#: Connections, and ports at which sockets listen, by the files of the sockets.
links, ports = {}, {}


def link_of(socket):
    return links.get(socket.fileno()) if links else None


def opened(socket, address):
    """Takes note of a connection that a socket begins to an address."""
    asks()
    is_internet = isinstance(address, tuple)
    to = f"{address[0]}:{address[1]}" if is_internet else os.fsdecode(address)
    links[socket.fileno()] = Link(to, is_internet and is_own(*address[:2]))


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


def send(real, self, *args):
    link = link_of(self)
    if link:
        attempt(link.sent, args[0] if isinstance(args[0], (bytes, bytearray, memoryview)) else b"".join(args[0]))
    elif self.family in INTERNET:
        asks()  # What a server answers.
    return real(self, *args)


def receive(real, self, *args, **options):
    """Reads from a socket, or accepts a connection, at the latest when story time is there."""
    link, seconds = link_of(self), self.gettimeout()
    if link:
        link.readers += 1
    try:
        # TLS may have read more than was asked for.
        if counts(seconds) and not (hasattr(self, "pending") and self.pending()):
            is_there = poller(self.fileno())
            # Where nothing was asked, as by one that waits for what others publish, it is a wait like any other.
            is_asked = link is not None and (link.is_carried or link.asked is not None)
            is_elsewhere = is_asked and not link.is_own and not getattr(carrying.get(), "is_retry", False)
            if not until(seconds, is_there, is_elsewhere=is_elsewhere):
                raise sys.modules["socket"].timeout("timed out")
        result = real(self, *args, **options)
    finally:
        if link:
            link.readers -= 1
    if link:
        link.received()
    return result


@changing("socket", of_time=False)
def change_socket(module):
    kind = module.socket
    for name in ("send", "sendall", "sendmsg"):
        instead(kind, name)(send)
    for name in ("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg", "_accept"):
        instead(kind, name)(receive)

    def connect(real, self, address):
        if self.type & 15 == module.SOCK_STREAM:
            attempt(opened, self, address)
        return real(self, address)

    instead(kind, "connect")(connect)
    instead(kind, "connect_ex")(connect)

    @instead(kind, "_real_close")
    def close(real, self, *args):
        ports.pop(self.fileno(), None)
        link = links.pop(self.fileno(), None)
        line.activity += 1 if link else 0
        if link and link.is_queue:
            queues.add(link.to)
        return real(self, *args)

    @instead(kind, "listen")
    def listen(real, self, *args):
        real(self, *args)
        if self.family in INTERNET:
            ports[self.fileno()] = self.getsockname()[1]


@changing("ssl", of_time=False)
def change_ssl(module):
    instead(module.SSLSocket, "send")(send)
    instead(module.SSLSocket, "write")(send)
    instead(module.SSLSocket, "read")(receive)
