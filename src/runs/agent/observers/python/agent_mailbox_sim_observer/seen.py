"""What is known of this process, and how `play` is told of it."""

import os
import sys
import time
from _thread import allocate_lock, get_ident, get_native_id


class Seen:
    """What this process does, as far as it was observed. All changes are single steps, so nobody needs a lock for them."""

    def __init__(self):
        #: Grows with everything that was observed.
        self.activity = 0
        #: Waits that have not ended, in the order in which they began.
        self.waits = {}
        #: What a thread is blocked in, by its identifier.
        self.marks = {}
        #: The threads that look from time to time, by their native identifiers.
        self.looks = {}
        #: The threads in which time-outs are real for the moment.
        self.real = set()
        #: Connections, and sockets that listen, by the identity of their socket.
        self.connections = {}
        self.listening = {}
        #: Connections that shook hands in memory, by the thread that did so last, until it sends what came of that.
        self.in_memory = {}
        #: The file of a socket that was given away last, with its connection.
        self.detached = None
        #: Why the next wait passes in real time: a request to somebody else failed.
        self.failure = None
        #: Whether waits end by story time.
        self.skips = False
        #: Whether something of this observer failed, which is told once.
        self.has_failed = False
        self.disconnect()

    def disconnect(self):
        """Forgets the connection to `play`; in a forked child it is the parent's."""
        self.line, self.outbox, self.sending = None, [], allocate_lock()

    def begin_anew(self):
        """Forgets what the parent of a forked child did."""
        for known in (self.waits, self.marks, self.looks, self.real, self.connections, self.in_memory):
            known.clear()
        self.disconnect()


seen = Seen()


class Rest:
    """The current thread is blocked in a call; `what` says what it works at meanwhile, if it does."""

    __slots__ = ("me", "outer", "what")

    def __init__(self, what=None):
        self.what = what

    def __enter__(self):
        self.me = get_ident()
        # A handler of a signal may interrupt a call by another.
        self.outer = seen.marks.get(self.me)
        seen.marks[self.me] = self
        seen.activity += 1
        return self

    def __exit__(self, *_):
        seen.activity += 1
        self.leave()

    def leave(self):
        if self.outer is None:
            seen.marks.pop(self.me, None)
        else:
            seen.marks[self.me] = self.outer


class Look(Rest):
    """The current thread looks from time to time whether something has `happened`, which is no work."""

    #: Seconds between two looks.
    pause = 0.005
    __slots__ = ("happened", "native")

    def __init__(self, happened):
        Rest.__init__(self)
        self.happened = happened

    def __enter__(self):
        self.me, self.native = get_ident(), get_native_id()
        self.outer = seen.marks.get(self.me)
        seen.looks[self.native] = seen.marks[self.me] = self

    def __exit__(self, *_):
        seen.looks.pop(self.native, None)
        self.leave()


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


WITHOUT_WAITING = getattr(os, "WNOHANG", None)


def rest_in(module, *names):
    for name in names:
        if hasattr(module, name):
            setattr(module, name, resting(getattr(module, name)))


def tell(message):
    """Sends a message; may be called by any thread, also in a handler of a signal that interrupts another such call."""
    if seen.line is None:
        return
    seen.outbox.append(as_json(message).encode() + b"\n")
    while seen.outbox and seen.sending.acquire(False):
        try:
            while seen.outbox:
                seen.line.sendall(seen.outbox.pop(0))
        except OSError:
            seen.outbox.clear()
        finally:
            seen.sending.release()


def note(error):
    """Tells `play` once that something of this observer failed."""
    if seen.has_failed:
        return
    seen.has_failed = True
    place = error.__traceback__
    while place and place.tb_next:
        place = place.tb_next
    where = f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place else "?"
    tell({"note": f"The observer of process {os.getpid()} failed: {type(error).__name__}: {error} ({where})"})


def attempt(step, *args):
    """Does something whose failure must not reach the agent; returns its result, None if it failed."""
    try:
        return step(*args)
    except Exception as error:
        note(error)
        return None


def as_json(value):
    """Returns a value as JSON; importing `json` would take longer than everything else here."""
    from _json import encode_basestring_ascii

    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{as_json(one)}' for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(as_json, value)) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, int) else encode_basestring_ascii(value)


def numbers_in(line):
    """Returns the numbers in a flat object of JSON by their names, which is all that `play` sends."""
    pairs = (pair.split(":") for pair in line.strip(" {}\r\n").split(",") if ":" in pair)
    return {name.strip(' "'): int(float(value)) for name, value in pairs}


real_sleep, real_monotonic = time.sleep, time.monotonic
IS_LINUX = sys.platform.startswith("linux")
