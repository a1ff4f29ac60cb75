"""The line to the play: what is told on it, and what keeps it from the agent's hands."""

import os
from _json import encode_basestring_ascii, make_scanner
from _thread import allocate_lock

#: The longest line, in bytes.
LONGEST = 65_536


class Line:
    """The connection to the play. May be used by any thread, also in a handler of a signal that interrupts such a use."""

    def __init__(self):
        #: The connected socket; None if there is none any more.
        self.socket = None
        #: Grows with everything that happens.
        self.activity = 0
        self.outbox, self.sending = [], allocate_lock()
        self.has_failed = False

    def tell(self, message):
        if self.socket is None:
            return
        self.outbox.append(as_json(message).encode() + b"\n")
        while self.outbox and self.sending.acquire(False):
            try:
                while self.outbox:
                    self.socket.sendall(self.outbox.pop(0))
            except (OSError, AttributeError):
                self.outbox.clear()
            finally:
                self.sending.release()

    def note(self, error):
        """Tells once that something of this observer failed."""
        if self.has_failed:
            return
        self.has_failed = True
        place = error.__traceback__
        while place and place.tb_next:
            place = place.tb_next
        where = f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place else "?"
        self.tell({"note": f"The observer of process {os.getpid()} failed: {type(error).__name__}: {error} ({where})"})


line = Line()


def attempt(step, *args):
    """Does something whose failure must not reach the agent; returns its result, None if it failed."""
    try:
        return step(*args)
    except Exception as error:
        line.note(error)
        return None


def named(stand_in, real):
    """Returns a function under the name of the one for which it stands in."""
    for name in ("__name__", "__qualname__", "__doc__", "__module__"):
        try:
            setattr(stand_in, name, getattr(real, name))
        except (AttributeError, TypeError):
            pass
    return stand_in


def as_json(value):
    """Returns a value as JSON; importing `json` would take longer than everything else here."""
    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{as_json(one)}' for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(as_json, value)) + "]"
    return "null" if value is None else str(value).lower() if isinstance(value, int) else encode_basestring_ascii(value)


class Reader:
    """How JSON is read: numbers as they are, objects as dictionaries."""

    strict, memo = True, {}
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


read_json = make_scanner(Reader())


def parsed(text):
    """Returns the object that a line of JSON says; an empty one if it says something else."""
    try:
        value, end = read_json(text, 0)
    except (ValueError, StopIteration, RecursionError):
        return {}
    return value if isinstance(value, dict) and not text[end:].strip() else {}


def keep_open():
    """Keeps the line open when a program closes all files that it may have inherited, as those that become daemons do."""
    close, close_range = os.close, os.closerange

    def own():
        return line.socket.fileno() if line.socket else -1

    def stand_in_close(fd):
        if fd == own():
            raise OSError(9, os.strerror(9))
        return close(fd)

    def stand_in_close_range(low, high, /):
        file = own()
        if low <= file < high:
            close_range(low, file)
            low = file + 1
        return close_range(low, high)

    os.close, os.closerange = named(stand_in_close, close), named(stand_in_close_range, close_range)
