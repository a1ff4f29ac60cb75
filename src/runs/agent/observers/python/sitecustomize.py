"""Tells `agent-mailbox-sim` what this Python process is doing, and ends its waits when story time is there.

`play` puts the folder of this file in front of PYTHONPATH, so Python imports it before anything of the agent's own. It
stands in for the functions that wait, tell the time or use a socket; without MAILBOX_SIM_OBSERVER it does nothing. A
daemon thread answers `play` by lines of JSON. Other modules are changed when the agent imports them, so that starting
costs little. A `sitecustomize` further down the path runs as it would without this one. Needs Python 3.9.
"""

import _socket
import _thread
import itertools
import math
import os
import select
import sys
import time
from _thread import get_ident
from _weakref import ref

real_sleep, real_monotonic, real_poll = time.sleep, time.monotonic, getattr(select, "poll", None)
real_select, real_cpu = select.select, time.process_time_ns
HERE = os.path.dirname(os.path.abspath(__file__))
WITHOUT_WAITING = getattr(os, "WNOHANG", None)
LINUX = sys.platform.startswith("linux")

#: Seconds that are no wait: timers this short run at once, as always.
AT_ONCE = 0.001
#: Seconds between two looks at something that can only be asked, e.g. whether a thread has ended.
LOOK = 0.005

# ---------------------------------------------------------------------------------------------------------------------
# What is known of this process


class Seen:
    """What this process does, as far as it was observed. Simple stores only, so no lock can be held by a thread."""

    activity = 0
    #: Waits that have not ended, in the order in which they began.
    waits = {}
    #: What a thread is blocked in, by its identifier.
    marks = {}
    #: Native identifiers of the threads that look at something from time to time.
    looking = set()
    #: Connections by the identity of their socket.
    connections = {}
    #: Why the next wait passes in real time: a request to somebody else failed.
    failure = None
    #: Whether waits end by story time, and whether the observer speaks to `play` at all.
    skips = False
    connected = False


seen = Seen()


class Clock:
    """Stands in for functions of `time`, for which its bound methods are as good: as attributes of classes they stay
    what they are. The time stands still while the agent works. Each reading lasts a microsecond, so that no two are
    equal, and processor time counts once a second of it was used without a wait, so that a loop that only looks at the
    clock ends."""

    def __init__(self):
        self.offset = 0
        self.date = None
        self.passed = 0
        self.busy = 0
        self.rested = 0
        self.cpu_before = 0
        self.readings = itertools.count()
        self.start = time.monotonic_ns()
        self.start_perf = time.perf_counter_ns()
        self.start_date = time.time_ns()

    def __reduce__(self):
        return __import__, ("time",)

    def used(self):
        """Returns nanoseconds of processor time beyond the first second since the last wait, of all such stretches."""
        if self.rested is None:
            self.rested = real_cpu()
        beyond = real_cpu() - self.rested - 1_000_000_000
        if beyond > 0:
            self.busy += beyond
            self.rested += beyond
        return self.busy

    def steady(self):
        """Returns seconds for event loops, equal while story time stands still."""
        return (self.start + self.offset * 1_000_000 + self.used()) / 1e9

    def monotonic_ns(self):
        moved = self.offset * 1_000_000 + self.passed
        return self.start + moved + self.used() + next(self.readings) * 1_000

    def monotonic(self):
        return self.monotonic_ns() / 1e9

    def perf_counter_ns(self):
        moved = self.offset * 1_000_000 + self.passed
        return self.start_perf + moved + self.cpu_before + real_cpu()

    def perf_counter(self):
        return self.perf_counter_ns() / 1e9

    def time_ns(self):
        start = self.start_date if self.date is None else self.date * 1_000_000
        return start + self.offset * 1_000_000 + self.used() + next(self.readings) * 1_000

    def time(self):
        return self.time_ns() / 1e9

    def localtime(self, seconds=None, /):
        return real_localtime(self.time() if seconds is None else seconds)

    def gmtime(self, seconds=None, /):
        return real_gmtime(self.time() if seconds is None else seconds)

    def ctime(self, seconds=None, /):
        return real_ctime(self.time() if seconds is None else seconds)

    def asctime(self, *parts):
        return real_asctime(*parts or [self.localtime()])

    def strftime(self, form, *parts):
        return real_strftime(form, *parts or [self.localtime()])

    def sleep(self, seconds, /):
        if not (isinstance(seconds, (int, float)) and AT_ONCE < seconds < math.inf):
            return real_sleep(seconds)
        with Wait(seconds) as wait:
            if not seen.skips:
                return real_sleep(seconds)
            wait.lock.acquire(True, wait.limit) or wait.expire()


real_localtime, real_gmtime, real_ctime = time.localtime, time.gmtime, time.ctime
real_asctime, real_strftime = time.asctime, time.strftime
clock = Clock()


class Rest:
    """The current thread is blocked in a call; `what` says what it works at meanwhile, if it does."""

    __slots__ = ("me", "outer", "what")

    def __init__(self, what=None):
        self.what = what

    def __enter__(self):
        self.me = get_ident()
        self.outer = seen.marks.get(self.me)
        seen.marks[self.me] = self
        seen.activity += 1
        clock.rested = None
        return self

    def __exit__(self, *_):
        seen.activity += 1
        if self.outer is None:
            seen.marks.pop(self.me, None)
        else:
            seen.marks[self.me] = self.outer


class Wait(Rest):
    """The current thread waits for story time, or, where `limit` is not negative, for that many real seconds."""

    __slots__ = ("due", "duration", "start", "fired", "lock", "limit", "pipe", "native")
    starts = itertools.count()

    def __init__(self, seconds, pipe=False):
        self.duration = seconds * 1000
        # Deadlines are differences of floating-point clocks: a hundredth of a millisecond is no time.
        self.due = clock.offset + math.ceil(self.duration - 0.01) if seen.skips else None
        self.start = next(self.starts)
        self.fired = False
        self.limit, self.what = -1, None
        if seen.failure and seen.skips:
            self.limit, self.what = seconds, f"waits {round(seconds, 3):g} s after {seen.failure}"
        self.lock = _thread.allocate_lock()
        self.lock.acquire()
        self.pipe = pipe and own_pipe()
        self.native = None

    def __enter__(self):
        seen.waits[self] = True
        return Rest.__enter__(self)

    def __exit__(self, *_):
        Rest.__exit__(self)
        seen.waits.pop(self, None)
        if self.what:
            seen.failure = None
        if self.pipe:
            self.pipe.drain()
        if self.native:
            seen.looking.discard(self.native)

    def looks(self):
        """Says that the thread looks from time to time, which is no work."""
        self.native = _thread.get_native_id()
        seen.looking.add(self.native)
        return self

    def over(self):
        """Returns whether time is up, for a thread that looks from time to time."""
        return self.fired

    def wake(self):
        try:
            self.lock.release()
        except RuntimeError:
            pass  # Somebody else woke it already.
        if self.pipe:
            self.pipe.write()

    def fire(self):
        self.fired = True
        self.wake()

    def seconds(self):
        """Returns how many real seconds the wait may take; None if story time ends it."""
        return None if self.limit < 0 else self.limit

    def check(self, found):
        if not found:
            self.expire()

    def until_readable(self, file):
        """Waits until a file can be read, or time is up; needs a pipe."""
        while not self.fired and file not in (found := ready([file, self.pipe.reader], self.seconds())):
            self.check(found)

    def expire(self):
        """Ends a wait that passed in real time."""
        self.fired = True
        clock.passed += int(self.duration * 1_000_000)

    @property
    def pending(self):
        return self in seen.waits


class Pipe:
    """Wakes one thread that is blocked in a call for several files."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)

    def write(self):
        try:
            os.write(self.writer, b"!")
        except OSError:
            pass

    def drain(self):
        try:
            os.read(self.reader, 512)
        except OSError:
            pass

    def __del__(self, close=os.close):
        try:
            close(self.reader)
            close(self.writer)
        except OSError:
            pass


def own_pipe():
    """Returns the pipe of the current thread; it is closed when the thread ends."""
    try:
        return seen.local.pipe
    except AttributeError:
        seen.local.pipe = Pipe()
        return seen.local.pipe


seen.local = _thread._local()


def ready(files, seconds):
    """Returns those of some file descriptors that can be read, or are closed, after at most so many seconds."""
    if real_poll is None:
        return real_select(files, [], [], seconds)[0]
    poller = real_poll()
    for file in files:
        poller.register(file, select.POLLIN)
    return [file for file, _ in poller.poll(None if seconds is None else seconds * 1000)]


def readable(file):
    return bool(ready([file], 0))


def named(stand_in, real):
    """Returns a function under the name of the one for which it stands in."""
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        try:
            setattr(stand_in, name, getattr(real, name))
        except (AttributeError, TypeError):
            pass
    return stand_in


def resting(real, what=None):
    """Returns a function during which a thread rests."""

    def call(*args, **options):
        if args[-1:] == (WITHOUT_WAITING,):
            return real(*args, **options)
        with Rest(what):
            return real(*args, **options)

    return named(call, real)


def rest_in(module, *names):
    for name in names:
        if hasattr(module, name):
            setattr(module, name, resting(getattr(module, name)))


# ---------------------------------------------------------------------------------------------------------------------
# Requests and responses


class Request:
    """A request that has no complete response yet. `ends` is false for an open stream, which is no work."""

    __slots__ = ("what", "method", "ends", "answered")

    def __init__(self, what, method=""):
        self.what, self.method, self.ends, self.answered = what, method, True, False


class Connection:
    """A connection that this process opened, and the requests on it."""

    def __init__(self, socket, to, own):
        self.to, self.own = to, own
        self.socket = ref(socket, lambda _: self.close())
        self.secure = None
        self.open = {}
        self.reset()

    def reset(self):
        self.sent_by, self.head, self.unanswered, self.answered_at = self.first, b"", False, None
        self.responses = self.until_closed = None

    # What was sent

    def sent(self, data):
        if len(data):
            seen.activity += 1
            self.open.pop("connect", None)
            self.sent_by(bytes(memoryview(data).cast("B")[:65536]))

    def first(self, data):
        """Tells the protocol by what is sent first, or between two requests."""
        self.head += data
        if self.head[:2] == b"\x16\x03" and "ssl" in sys.modules:
            self.sent_by = self.ignored
            self.secure = seen.secure.pop(get_ident(), None)
            if self.secure:
                self.secure.to = self.to
        elif self.head.startswith(b"PRI * HTTP/2"):
            self.sent_by, self.responses = frames(self, True).send, frames(self, False)
            next(self.sent_by.__self__), next(self.responses)
            self.sent_by(self.head[24:])
        elif not self.head.split(b" ")[0].isupper() or len(self.head) > 65536:
            self.sent_by = self.unknown
            self.unknown(data)
        elif b"\r\n\r\n" in self.head:
            head, self.head = self.head, b""
            self.begin(1, *described(head, self.to, self.secured))
            self.sent_by = self.ignored
            if self.responses is None:
                self.responses = responses(self)
                next(self.responses)
        else:
            self.unanswered = True

    secured = False

    def ignored(self, data):
        """What belongs to a request that has begun."""

    def unknown(self, data):
        self.unanswered = True

    def frame_sent(self, data):
        """A frame of a WebSocket: text and binary ask something, control frames do not."""
        if data[0] & 15 in (1, 2):
            self.unanswered, self.answered_at = True, None

    def begin(self, number, method, what):
        self.unanswered = False
        self.open[number] = Request(what, method)
        seen.failure = None
        if not self.own:
            tell({"asks": what})

    # What was received

    def received(self, data):
        seen.activity += 1
        if not len(data):
            return self.close()
        if self.answered_at is None:
            self.answered_at = real_monotonic()
        if self.sent_by == self.frame_sent:
            self.answered_at = real_monotonic()
        elif self.responses is None:
            self.unanswered = False
        else:
            self.responses.send(bytes(data))

    def head_came(self, number, status, stream):
        """Takes note of the beginning of a response; `stream` says that it is a stream of events."""
        request = self.open.get(number)
        if request:
            request.answered = True
            request.ends = not (stream and request.method == "GET")
            if status >= 400:
                self.failed(f"{status} of {request.what}")

    def end(self, number):
        self.open.pop(number, None)
        self.sent_by, self.head = (self.first, b"") if self.sent_by == self.ignored else (self.sent_by, b"")

    def failed(self, what):
        if not self.own:
            seen.failure = what

    def close(self):
        """The connection has ended, and with it what was open on it."""
        seen.activity += 1
        for request in self.open.values():
            if not request.answered:
                self.failed(f"no response to {request.what}")
        self.open.clear()
        self.unanswered = False
        if self.secure:
            self.secure.close()
            self.secure = None

    # What it means

    def has_unread(self):
        """Returns whether something came; if the agent does not read it, it does not wait for it."""
        try:
            return bool(self.open or self.unanswered) and readable(self.socket().fileno())
        except (OSError, ValueError, AttributeError):
            return False

    def asks(self):
        return [request for request in list(self.open.values()) if request.ends]

    def perhaps(self):
        """Returns what may be an open question, in words; None if there is none."""
        if not self.unanswered or self.socket() is None:
            return None
        quiet = self.answered_at is not None and real_monotonic() - self.answered_at >= 2
        if self.sent_by == self.frame_sent:
            return None if quiet else f"WebSocket to {self.to}"
        return f"connection to {self.to}"


def described(head, to, secured):
    """Returns the method of a request and its URL in words, by its first bytes."""
    lines = head.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, path = (lines[0].split(" ") + [""])[:2]
    path = path.split("?")[0].split("#")[0]
    host = next((line[5:].strip() for line in lines[1:] if line[:5].lower() == "host:"), to)
    url = path if "://" in path or method == "CONNECT" else f"http{'s' if secured else ''}://{host}{path}"
    return method, f"{method} {url}"


def responses(connection):
    """Follows the responses on a connection by HTTP/1; takes what was received by send()."""
    data = yield
    while True:
        while b"\r\n\r\n" not in data:
            data += yield
        head, data = data.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").lower().split("\r\n")
        status = int(lines[0].split(" ")[1])
        fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        request = connection.open.get(1)
        method = request.method if request else ""
        if 100 <= status < 200 and status != 101:
            continue
        connection.head_came(1, status, fields.get("content-type", "").startswith("text/event-stream"))
        if status == 101:
            connection.end(1)
            connection.sent_by, connection.answered_at = connection.frame_sent, real_monotonic()
            return (yield from ignore())
        if method == "CONNECT" and status < 300:
            connection.end(1)
            connection.reset()
            return (yield from ignore())
        if method == "HEAD" or status in (204, 304):
            pass
        elif fields.get("transfer-encoding", "").endswith("chunked"):
            size = None
            while size != 0:
                while b"\r\n" not in data:
                    data += yield
                line, data = data.split(b"\r\n", 1)
                size = int(line.split(b";")[0], 16)
                left = size + 2 if size else 0
                while len(data) < left:
                    left -= len(data)
                    data = yield
                data = data[left:]
            line = None
            while line != b"":
                while b"\r\n" not in data:
                    data += yield
                line, data = data.split(b"\r\n", 1)
        elif "content-length" in fields:
            left = int(fields["content-length"])
            while len(data) < left:
                left -= len(data)
                data = yield
            data = data[left:]
        else:
            return (yield from ignore())
        connection.end(1)


def ignore():
    while True:
        yield


def frames(connection, outgoing):
    """Follows the frames of HTTP/2 in one direction; takes them by send()."""
    data = yield
    while True:
        while len(data) < 9:
            data += yield
        left, kind, flags = int.from_bytes(data[:3], "big"), data[3], data[4]
        stream, data = int.from_bytes(data[5:9], "big") & 0x7FFFFFFF, data[9:]
        payload = data[:1]
        while len(data) < left:
            left -= len(data)
            data = yield
            payload = payload or data[:1]
        data = data[left:]
        ended = kind == 3 or (kind in (0, 1) and flags & 1)
        if outgoing and kind == 1:
            connection.begin(stream, "", f"HTTP/2 request to {connection.to}")
        if not outgoing and kind == 1:
            # Only common statuses are one byte: 200, 204, 206 and 304 are 0x88 to 0x8b.
            connection.head_came(stream, 200 if payload[:1] in b"\x88\x89\x8a\x8b" else 400, False)
        if ended and (kind == 3 or not outgoing):
            connection.end(stream)


def follow(connection, step, *args):
    """Lets a connection take note of something; if that fails, it counts as unknown from then on."""
    try:
        step(*args)
    except StopIteration:
        pass
    except Exception as error:
        note(error)
        connection.open.clear()
        connection.sent_by, connection.responses = connection.unknown, None


seen.secure = {}


def is_local(host):
    return host in ("", "localhost", "::1", "0.0.0.0", "::") or host.startswith("127.")


def is_own(address):
    host, port = address[:2]
    return port == service[1] and (host == service[0] or (is_local(host) and is_local(service[0])))


def service_address(url):
    host, _, port = url.split("://")[-1].split("/")[0].split("@")[-1].rpartition(":")
    return (host.strip("[]"), int(port)) if port.isdigit() else (port, 443 if url.startswith("https") else 80)


service = service_address(os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280"))


def connected(socket, address):
    """Returns the connection of a socket that begins to connect to an address."""
    of_internet = isinstance(address, tuple)
    to = f"{address[0]}:{address[1]}" if of_internet else os.fsdecode(address)
    connection = Connection(socket, to, of_internet and is_own(address))
    connection.open["connect"] = Request(f"connection to {to}")
    remember(socket, connection)
    return connection


def remember(socket, connection):
    key = id(socket)
    connection.forget = ref(socket, lambda _: seen.connections.pop(key, None))
    seen.connections[key] = connection


def connection_of(socket):
    return seen.connections.get(id(socket))


# ---------------------------------------------------------------------------------------------------------------------
# Modules, when they are imported


def change_socket(module):
    kind = module.socket
    connect, connect_ex, listen = kind.connect, kind.connect_ex, kind.listen
    send, sendall, sendmsg = kind.send, kind.sendall, getattr(kind, "sendmsg", None)
    close, detach, getsockopt = kind._real_close, kind.detach, kind.getsockopt

    def begin(self, address):
        try:
            return connected(self, address) if self.type & 15 == module.SOCK_STREAM else None
        except Exception as error:
            note(error)

    def came_about(connection, error):
        connection.open.pop("connect", None)
        if error and not connection.own:
            seen.failure = f"no connection to {connection.to}"

    def stand_in_connect(self, address, /):
        connection = begin(self, address)
        try:
            with Rest():
                result = connect(self, address)
        except (BlockingIOError, InterruptedError):
            raise
        except BaseException:
            if connection:
                came_about(connection, True)
            raise
        if connection:
            came_about(connection, False)
        return result

    def stand_in_connect_ex(self, address, /):
        connection = begin(self, address)
        with Rest():
            error = connect_ex(self, address)
        if connection and not (error and isinstance(OSError(error, ""), BlockingIOError)):
            came_about(connection, error)
        return error

    def stand_in_getsockopt(self, *args):
        value = getsockopt(self, *args)
        connection = connection_of(self)
        if connection and args[:2] == (module.SOL_SOCKET, module.SO_ERROR):
            came_about(connection, value)
        return value

    def stand_in_send(self, data, *flags):
        with Rest():
            count = send(self, data, *flags)
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, memoryview(data).cast("B")[:count])
        return count

    def stand_in_sendall(self, data, *flags):
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, data)
        with Rest():
            return sendall(self, data, *flags)

    def stand_in_sendmsg(self, buffers, *args):
        buffers = list(buffers)
        with Rest():
            count = sendmsg(self, buffers, *args)
        connection = connection_of(self)
        if connection:
            follow(connection, connection.sent, b"".join(buffers)[:count])
        return count

    def receiving(real, data_in):
        def receive(self, *args, **options):
            connection = connection_of(self)
            seconds = connection and connection.own and seen.skips and self.gettimeout()
            if seconds and seconds > AT_ONCE and not readable(self.fileno()):
                with Wait(seconds, pipe=True) as wait:
                    wait.until_readable(self.fileno())
                if wait.fired and not readable(self.fileno()):
                    raise module.timeout("timed out")
            with Rest():
                result = real(self, *args, **options)
            if connection and not (args[-1:] and args[-1] == module.MSG_PEEK):
                follow(connection, connection.received, data_in(result, args))
            return result

        return named(receive, real)

    def stand_in_close(self, *args):
        connection = seen.connections.pop(id(self), None)
        if connection:
            follow(connection, connection.close)
        return close(self, *args)

    def stand_in_detach(self):
        connection = seen.connections.pop(id(self), None)
        if connection:
            # Whoever goes on with the file begins with what is known of it.
            seen.detached = (self.fileno(), connection)
        return detach(self)

    def stand_in_listen(self, *args):
        result = listen(self, *args)
        try:
            seen.listening[id(self)] = ref(self, lambda _, key=id(self): seen.listening.pop(key, None))
        except Exception as error:
            note(error)
        return result

    for stand_in, real in (
        (stand_in_connect, connect),
        (stand_in_connect_ex, connect_ex),
        (stand_in_getsockopt, getsockopt),
        (stand_in_send, send),
        (stand_in_sendall, sendall),
        (stand_in_detach, detach),
        (stand_in_listen, listen),
    ):
        setattr(kind, real.__name__, named(stand_in, real))
    if sendmsg:
        kind.sendmsg = named(stand_in_sendmsg, sendmsg)
    kind._real_close = stand_in_close
    kind.recv = receiving(kind.recv, lambda result, args: result)
    kind.recv_into = receiving(kind.recv_into, lambda count, args: memoryview(args[0]).cast("B")[:count])
    rest_in(kind, "_accept", "recvfrom", "recvfrom_into", "recvmsg", "sendto")
    module.getaddrinfo = resting(module.getaddrinfo, "looks up a name")


seen.listening = {}


def change_threading(module):
    allocate_lock, recursive, join = module._allocate_lock, module._CRLock, module.Thread.join

    class Lock:
        """A lock of `threading` that can be seen, and whose time-out is story time."""

        __slots__ = ("_lock", "_take", "_waiting", "__weakref__")
        _make = staticmethod(allocate_lock)

        def __init__(self):
            self._lock = self._make()
            self._take = self._lock.acquire
            self._waiting = []

        def acquire(self, blocking=True, timeout=-1):
            if blocking and timeout == -1:
                if self._take(False):
                    return True
                with Rest():
                    return self._take()
            if not blocking or timeout <= AT_ONCE or timeout >= module.TIMEOUT_MAX:
                return self._take(blocking, timeout)
            if self._take(False):
                return True
            with Wait(timeout) as wait:
                if not seen.skips:
                    return self._take(True, timeout)
                self._waiting.append(wait)
                try:
                    while not (taken := self._take(False)) and not wait.fired:
                        wait.lock.acquire(True, wait.limit) or wait.expire()
                    return taken
                finally:
                    self._waiting.remove(wait)

        def release(self):
            self._lock.release()
            for wait in self._waiting:
                wait.wake()

        def __enter__(self):
            if self._take(False):
                return True
            with Rest():
                return self._take()

        def __exit__(self, *_):
            self._lock.release()
            for wait in self._waiting:
                wait.wake()

        def __getattr__(self, name):
            return getattr(self._lock, name)

        def __repr__(self):
            return repr(self._lock)

    class RLock(Lock):
        __slots__ = ()
        _make = recursive

        def _release_save(self):
            saved = self._lock._release_save()
            for wait in self._waiting:
                wait.wake()
            return saved

        def _acquire_restore(self, saved):
            with Rest():
                self._lock._acquire_restore(saved)

    named(Lock, type(allocate_lock()))
    named(RLock, recursive)

    def stand_in_join(self, timeout=None):
        if timeout is None or not seen.skips or timeout <= AT_ONCE:
            with Rest():
                return join(self, timeout)
        join(self, 0)
        if self.is_alive():
            with Wait(timeout).looks() as wait:
                end = wait.limit >= 0 and real_monotonic() + wait.limit
                while self.is_alive() and not wait.fired:
                    join(self, LOOK)
                    if end and real_monotonic() >= end:
                        wait.expire()

    module._allocate_lock = module.Lock = Lock
    module._CRLock = RLock
    module.Thread.join = named(stand_in_join, join)


def change_queue(module):
    real = module.SimpleQueue

    class SimpleQueue(real):
        __slots__ = ("_waiting",)

        def __init__(self):
            self._waiting = []

        def put(self, item, block=True, timeout=None):
            real.put(self, item)
            for wait in self._waiting:
                wait.wake()

        def put_nowait(self, item):
            self.put(item)

        def get(self, block=True, timeout=None):
            if not block or timeout is None or timeout <= AT_ONCE:
                with Rest():
                    return real.get(self, block, timeout)
            with Wait(timeout) as wait:
                if not seen.skips:
                    return real.get(self, block, timeout)
                self._waiting.append(wait)
                try:
                    while not real.qsize(self) and not wait.fired:
                        wait.lock.acquire(True, wait.limit) or wait.expire()
                    return real.get(self, False)
                finally:
                    self._waiting.remove(wait)

    module.SimpleQueue = named(SimpleQueue, real)


def change_select(module):
    """Lets calls for several files end by story time: a pipe is one of the files."""
    real, real_kqueue = module.select, getattr(module, "kqueue", None)
    real_epoll = getattr(module, "epoll", None)

    def stand_in_select(readers, writers, others, timeout=None, /):
        if not counts(timeout):
            with Rest():
                return real(readers, writers, others, timeout)
        with Wait(timeout, pipe=True) as wait:
            if not seen.skips:
                return real(readers, writers, others, timeout)
            found = real([*readers, wait.pipe.reader], writers, others, wait.seconds())
            wait.check(any(found))
            return tuple([one for one in files if one is not wait.pipe.reader] for files in found)

    class Poll:
        """A `poll`, `epoll` or `kqueue` object that can be seen, and whose time-out is story time."""

        def __init__(self, *args, **options):
            self._real = self._make(*args, **options)

        def __getattr__(self, name):
            return getattr(self._real, name)

        def __enter__(self):
            self._real.__enter__()
            return self

        def __exit__(self, *args):
            return self._real.__exit__(*args)

        def _until(self, call, seconds, file):
            """Calls `call` with the time-out 0 until it returns something or time is up."""
            found = call(0)
            if found or not seen.skips:
                return found or call(seconds)
            with Wait(seconds, pipe=True) as wait:
                wait.until_readable(file)
            return call(0)

    class poll(Poll):
        _make = real_poll

        def poll(self, timeout=None, /):
            if timeout is None or timeout < 0 or not counts(timeout / 1000):
                with Rest():
                    return self._real.poll(timeout)
            with Wait(timeout / 1000, pipe=True) as wait:
                if not seen.skips:
                    return self._real.poll(timeout)
                reader = wait.pipe.reader
                self._real.register(reader, module.POLLIN)
                try:
                    found = self._real.poll(None if wait.limit < 0 else wait.limit * 1000)
                finally:
                    self._real.unregister(reader)
                wait.check(found)
                return [pair for pair in found if pair[0] != reader]

    class epoll(Poll):
        _make = real_epoll

        @classmethod
        def fromfd(cls, file, /):
            made = cls.__new__(cls)
            made._real = real_epoll.fromfd(file)
            return made

        def poll(self, timeout=None, maxevents=-1):
            if timeout is None or timeout < 0 or not counts(timeout):
                with Rest():
                    return self._real.poll(timeout, maxevents)
            return self._until(lambda seconds: self._real.poll(seconds, maxevents), timeout, self._real.fileno())

    class kqueue(Poll):
        _make = real_kqueue

        def control(self, changes, maximum, timeout=None, /):
            if not maximum or not counts(timeout):
                with Rest():
                    return self._real.control(changes, maximum, timeout)
            self._real.control(changes, 0, 0)
            return self._until(lambda seconds: self._real.control(None, maximum, seconds), timeout, self._real.fileno())

    module.select = named(stand_in_select, real)
    for stand_in in (poll, epoll, kqueue):
        if stand_in._make:
            setattr(module, stand_in.__name__, named(stand_in, stand_in._make))


def counts(timeout):
    """Returns whether a time-out in seconds is a wait, neither none nor at once."""
    return timeout is not None and AT_ONCE < timeout < math.inf


class Timer(Wait):
    """A timer of an event loop of asyncio, which waits for it with others."""

    __slots__ = ("handle", "loop")

    def __init__(self, loop, handle, seconds):
        Wait.__init__(self, seconds)
        self.loop, self.handle = loop, ref(handle, lambda _: seen.waits.pop(self, None))
        # The end of a wait in real time.
        self.limit = self.limit if self.limit < 0 else real_monotonic() + seconds
        seen.waits[self] = True
        seen.activity += 1

    @property
    def pending(self):
        handle = self.handle()
        return handle is not None and handle._scheduled and not handle._cancelled and self.loop.is_running()

    def wake(self):
        self.loop._write_to_self()

    def expire(self):
        """Lets the timer end now, but no other timer of its loop."""
        handle = self.handle()
        handle._when = self.loop.time()
        sys.modules["heapq"].heapify(self.loop._scheduled)
        seen.failure = None
        self.limit = -1


def change_base_events(module):
    call_at = module.BaseEventLoop.call_at

    def stand_in_call_at(self, when, callback, *args, context=None):
        seconds = when - self.time()
        # The time of the loop stands still, so a short timer must be over at once.
        handle = call_at(self, when if seconds > AT_ONCE else min(when, self.time()), callback, *args, context=context)
        if counts(seconds):
            Timer(self, handle, seconds)
        return handle

    module.BaseEventLoop.call_at = named(stand_in_call_at, call_at)
    module.BaseEventLoop.time = named(lambda self: clock.steady(), module.BaseEventLoop.time)


def change_selector_events(module):
    """Lets event loops wait for files only: `Timer` wakes them."""
    make = module.BaseSelectorEventLoop.__init__

    def stand_in_init(self, selector=None):
        make(self, selector)
        select = self._selector.select

        def stand_in_select(timeout=None):
            if not seen.skips or not counts(timeout):
                return select(timeout)
            real = [wait for wait in list(seen.waits) if getattr(wait, "loop", None) is self and wait.limit >= 0]
            real = [wait for wait in real if wait.pending]
            if not real:
                return select(None)
            found = select(max(0, min(wait.limit for wait in real) - real_monotonic()))
            for wait in real:
                if wait.limit <= real_monotonic():
                    wait.expire()
            return found

        self._selector.select = stand_in_select

    module.BaseSelectorEventLoop.__init__ = named(stand_in_init, make)


def change_subprocess(module):
    wait_for = module.Popen._wait

    def stand_in_wait(self, timeout):
        if timeout is None or not seen.skips or timeout <= AT_ONCE:
            return wait_for(self, timeout)
        with Wait(timeout).looks() as wait:
            end = wait.limit >= 0 and real_monotonic() + wait.limit
            while self.poll() is None:
                if end and real_monotonic() >= end:
                    wait.expire()
                if wait.fired:
                    raise module.TimeoutExpired(self.args, timeout)
                real_sleep(LOOK)
        return self.returncode

    module.Popen._wait = named(stand_in_wait, wait_for)


def change_datetime(module):
    """Lets dates be taken from the clock. The types are built in, so their own tables are changed: any other type would
    be noticed by those who pickle a date, or ask for its type."""
    import gc

    deprecated = "is deprecated and scheduled for removal in a future version. Use timezone-aware objects to represent"

    def now(cls, tz=None):
        return cls.fromtimestamp(clock.time(), tz)

    def utcnow(cls):
        if sys.version_info >= (3, 12):
            import warnings

            text = f"datetime.datetime.utcnow() {deprecated} datetimes in UTC: datetime.datetime.now(datetime.UTC)."
            warnings.warn(text, DeprecationWarning, stacklevel=2)
        return cls.fromtimestamp(clock.time(), module.timezone.utc).replace(tzinfo=None)

    def today(cls):
        return cls.fromtimestamp(clock.time())

    for kind, stand_ins in ((module.datetime, (now, utcnow, today)), (module.date, (today,))):
        for stand_in in stand_ins:
            table = gc.get_referents(kind.__dict__)[0]
            name = stand_in.__name__
            table[name] = classmethod(named(stand_in, table.get(name)))


def now_or_later(name, change):
    """Changes a module when it is imported, or now if it was."""
    if name in sys.modules:
        attempt(change, sys.modules[name])
    else:
        Importing.changes[name] = change


class Importing:
    """Finds the modules that are to be changed as the others would, and changes them once they are loaded."""

    changes = {}

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        change = cls.changes.pop(name, None)
        if change is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is cls else finder.find_spec(name, path, target)
            if spec is not None:
                spec.loader = Loading(spec, change)
                return spec
        return None


class Loading:
    def __init__(self, spec, change):
        self.spec, self.real, self.change = spec, spec.loader, change

    def __getattr__(self, name):
        return getattr(self.real, name)

    def create_module(self, spec):
        return self.real.create_module(spec)

    def exec_module(self, module):
        self.spec.loader = module.__loader__ = self.real
        self.real.exec_module(module)
        attempt(self.change, module)


def attempt(change, module):
    try:
        change(module)
    except Exception as error:
        note(error)


# ---------------------------------------------------------------------------------------------------------------------
# The state of this process

#: Modules in whose functions a thread that began to wait may be.
STILL = {__name__, "threading", "socket", "ssl", "subprocess", "selectors", "signal"}
#: Functions that wait for other threads, or for other processes, in a way that cannot be seen otherwise.
WAITING = {
    ("threading", "_shutdown"),
    ("threading", "_wait_for_tstate_lock"),
    ("threading", "join"),
    ("multiprocessing.synchronize", "__enter__"),
}


def states_of_threads():
    """Returns the letters by which Linux describes each thread but this one, and no one that only looks."""
    mine = _thread.get_native_id()
    letters = []
    for native in os.listdir("/proc/self/task"):
        if int(native) == mine or int(native) in seen.looking:
            continue
        try:
            # Reading lets go of the interpreter, so a thread that waits for it shows as runnable.
            file = os.open(f"/proc/self/task/{native}/stat", os.O_RDONLY)
            try:
                letters.append(os.read(file, 512).rpartition(b")")[2][1:2])
            finally:
                os.close(file)
        except OSError:
            pass  # It has ended.
    return letters


def running():
    """Returns what a thread certainly works at, and what one perhaps works at, in words."""
    real_sleep(0.0005)
    before = seen.activity
    if LINUX:
        letters = states_of_threads()
        if b"R" in letters:
            return "runs", None
        if b"D" in letters:
            return "reads files", None
    else:
        real_sleep(0.003)
    works = maybe = None
    for ident, frame in sys._current_frames().items():
        if ident == get_ident():
            continue
        module, name = frame.f_globals.get("__name__"), frame.f_code.co_name
        mark = seen.marks.get(ident)
        if mark and module in STILL:
            works = works or mark.what
        elif (module, name) not in WAITING and not reads_pipe(ident):
            maybe = f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}, in {name}"
    if any(wait.fired and wait.pending for wait in list(seen.waits)) or seen.activity != before:
        works = works or "runs"
    return works, maybe


def reads_pipe(ident):
    """Returns whether a thread reads from a pipe or a terminal, by the system call in which it is."""
    threads = getattr(sys.modules.get("threading"), "_active", {})
    native = threads[ident].native_id if ident in threads else os.getpid()
    try:
        with open(f"/proc/self/task/{native}/syscall") as file:
            number, descriptor = file.read().split()[:2]
        target = os.readlink(f"/proc/self/fd/{int(descriptor, 16)}")
    except (OSError, ValueError):
        return False
    return int(number) in (0, 63) and target.startswith(("pipe:", "/dev/", "socket:"))


def state():
    """Returns what `play` asks for."""
    activity = seen.activity
    unread = {connection for connection in list(seen.connections.values()) if connection.has_unread()}
    try:
        works, maybe = running()
    except Exception as error:
        note(error)
        works, maybe = None, "something that cannot be seen"
    if activity != seen.activity:
        works = works or "runs"
    asks, own, perhaps = [], 0, None
    for connection in list(seen.connections.values()):
        if works is None and connection in unread:
            continue
        open_requests = connection.asks()
        if connection.own:
            own += len(open_requests)
        else:
            asks += [{"what": request.what, "to": connection.to} for request in open_requests]
        perhaps = perhaps or connection.perhaps()
    return {
        "works": works,
        "asks": asks,
        "maybe": perhaps or maybe,
        "own": own,
        "listens": ports(),
        "waits": earliest(),
        "activity": seen.activity,
    }


def ports():
    found = []
    for listening in list(seen.listening.values()):
        try:
            host, port = listening().getsockname()[:2]
            if is_local(host):
                found.append(port)
        except (OSError, AttributeError, ValueError, TypeError):
            pass  # Closed, or no port.
    return found


def earliest():
    waits = [wait for wait in list(seen.waits) if wait.pending and wait.limit < 0]
    if not seen.skips:
        return [[None, round(wait.duration)] for wait in waits[:50]]
    waits.sort(key=lambda wait: (wait.due, wait.start))
    return [[wait.due, round(wait.duration)] for wait in waits[:50]]


def fire(until):
    """Ends all waits that are due, one after the other; returns how many."""
    clock.offset = max(clock.offset, until)
    due = [wait for wait in list(seen.waits) if wait.pending and wait.limit < 0 and wait.due <= until]
    for wait in sorted(due, key=lambda wait: (wait.due, wait.start)):
        wait.fire()
        for _ in range(100):
            if not wait.pending:
                break
            real_sleep(0.0003)
    seen.activity += 1
    return len(due)


# ---------------------------------------------------------------------------------------------------------------------
# Lines of JSON

outbox, sending = [], _thread.allocate_lock()


def tell(message):
    """Sends a message; may be called by any thread, also within a handler of signals that interrupts another call."""
    if not seen.connected:
        return
    outbox.append(as_json(message).encode() + b"\n")
    while outbox and sending.acquire(False):
        try:
            while outbox:
                seen.line.sendall(outbox.pop(0))
        except OSError:
            outbox.clear()
        finally:
            sending.release()


def note(error):
    """Tells `play` once that something of this observer failed."""
    if not seen.noted:
        seen.noted = True
        place = error.__traceback__
        while place and place.tb_next:
            place = place.tb_next
        tell({"note": f"{type(error).__name__}: {error} (line {place.tb_lineno if place else '?'})"})


seen.noted = False


def as_json(value):
    """Returns a value as JSON; importing `json` would take as long as everything else here."""
    from _json import encode_basestring_ascii

    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{as_json(one)}' for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(as_json, value)) + "]"
    return "null" if value is None else str(value) if isinstance(value, int) else encode_basestring_ascii(value)


def numbers_in(line):
    """Returns the numbers in a flat object of JSON by their names, which is all that `play` sends."""
    pairs = (pair.split(":") for pair in line.strip(" {}\r\n").split(",") if ":" in pair)
    return {name.strip(' "'): int(float(value)) for name, value in pairs}


def take_time(message):
    if clock.date is None:
        for wait in list(seen.waits):
            wait.due += message["now"]
    clock.offset, clock.date = message["now"], message.get("date", clock.date)


def listen(line, rest):
    """Answers `play` until it is gone; a thread runs this."""
    answers = Answers()
    while True:
        *lines, rest = rest.split(b"\n")
        for message in lines:
            try:
                answers.take(numbers_in(message.decode()))
            except Exception as error:
                note(error)
        try:
            if not answers.is_asked or ready([line], answers.pause):
                received = line.recv(65536)
                if not received:
                    break
                rest += received
            else:
                answers.look()
        except OSError:
            break
        except Exception as error:
            note(error)
            answers.is_asked = False
    # Nobody ends the waits any more.
    seen.connected = seen.skips = False
    for wait in list(seen.waits):
        wait.fire()


class Answers:
    """What `play` is told: the answers to its questions, and that there is no more work since the last probe."""

    is_asked = False

    def take(self, message):
        if "now" in message:
            take_time(message)
        elif "probe" in message:
            self.probe, self.told, self.pause = message["probe"], state(), AT_ONCE
            tell({"probe": self.probe, "state": self.told})
            self.is_asked = any(self.told[key] for key in ("works", "asks", "maybe", "own"))
        elif "fire" in message:
            tell({"fired": message["fire"], "count": fire(message["fire"])})

    def look(self):
        now = state()
        # Often while something happens, seldom while a model thinks.
        self.pause = AT_ONCE if now["activity"] != self.told["activity"] else min(self.pause * 2, 0.02)
        if not any(now[key] for key in ("works", "maybe", "own")) and (not now["asks"] or now["asks"] != self.told["asks"]):
            tell({"rests": self.probe})
            self.is_asked = False
        self.told["activity"] = now["activity"]


def connect(path):
    """Connects to `play` and waits, for a second at most, until it has told the time."""
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.connect(path)
    seen.line, seen.connected = line, True
    runtime = f"{sys.implementation.name.replace('cpython', 'python')} {sys.version.split()[0]}"
    tell({"hello": {"pid": os.getpid(), "ppid": os.getppid(), "runtime": runtime, "thread": 0}})
    rest = b""
    if clock.date is None:
        line.settimeout(1)
        try:
            while b"\n" not in rest:
                received = line.recv(65536)
                if not received:
                    break
                rest += received
            first, _, rest = rest.partition(b"\n")
            message = numbers_in(first.decode())
            if "now" in message:
                take_time(message)
            else:
                rest = first + b"\n" + rest
        except OSError:
            pass
        line.settimeout(None)
    _thread.start_new_thread(listen, (line, rest))


def begin_child(path):
    """Connects a forked child by itself: what waits and asks in its parent is the parent's."""
    global sending
    if not seen.connected:
        return
    seen.connected = False
    sending = _thread.allocate_lock()
    outbox.clear()
    for known in (seen.waits, seen.marks, seen.connections, seen.looking):
        known.clear()
    seen.local = _thread._local()
    clock.cpu_before, clock.rested = clock.cpu_at_fork, None
    try:
        seen.line.close()
        connect(path)
    except Exception:
        seen.skips = False


def without_warning(fork):
    """Returns a function that forks without the warning about this observer's thread, but with that about the agent's."""

    def stand_in(*args):
        import warnings

        threads = sys.modules.get("threading")
        if threads and threads.active_count() > 1:
            text = f"This process (pid={os.getpid()}) is multi-threaded, use of {fork.__name__}() may lead to deadlocks"
            warnings.warn(f"{text} in the child.", DeprecationWarning, stacklevel=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return fork(*args)

    return named(stand_in, fork)


def before_fork():
    clock.cpu_at_fork = clock.cpu_before + real_cpu()


def begin(path):
    mode = os.environ.get("MAILBOX_SIM_AGENT_TIME", "skip")
    connect(path)
    seen.skips = mode != "wall"
    if seen.skips:
        for name in dir(Clock):
            if name in vars(time):
                setattr(time, name, getattr(clock, name))
        now_or_later("datetime", change_datetime)
        now_or_later("asyncio.base_events", change_base_events)
        now_or_later("asyncio.selector_events", change_selector_events)
    else:
        time.sleep = clock.sleep
    attempt(change_select, select)
    rest_in(os, "wait", "wait3", "wait4", "waitid", "waitpid")
    now_or_later("socket", change_socket)
    now_or_later("threading", change_threading)
    now_or_later("_queue", change_queue)
    now_or_later("subprocess", change_subprocess)
    now_or_later("signal", lambda module: rest_in(module, "pause", "sigwait", "sigwaitinfo"))
    sys.meta_path.insert(0, Importing)
    if hasattr(os, "register_at_fork"):
        if sys.version_info >= (3, 12):
            os.fork, os.forkpty = without_warning(os.fork), without_warning(os.forkpty)
        os.register_at_fork(before=before_fork, after_in_child=lambda: begin_child(path))


def run_next_sitecustomize():
    """Imports the `sitecustomize` that would have been imported without this one, and leaves its name to it."""
    del sys.modules[__name__]
    own = [path for path in sys.path if os.path.abspath(path) == HERE]
    sys.path[:] = [path for path in sys.path if path not in own]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = type(sys)("sitecustomize")
    finally:
        sys.path[:0] = own


if os.environ.get("MAILBOX_SIM_OBSERVER"):
    try:
        begin(os.environ["MAILBOX_SIM_OBSERVER"])
    except Exception as error:
        note(error)
run_next_sitecustomize()
