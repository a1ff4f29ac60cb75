"""Story time, and the waits that end by it."""

import itertools
import math
import os
import select
import sys
import time
from _thread import _local, allocate_lock, get_ident

from .seen import Rest, note, real_monotonic, real_sleep, seen

real_poll, real_select, real_cpu = getattr(select, "poll", None), select.select, time.process_time_ns
real_localtime, real_gmtime, real_ctime = time.localtime, time.gmtime, time.ctime
real_asctime, real_strftime = time.asctime, time.strftime

#: Seconds that are no wait: timers this short run at once, as always.
AT_ONCE = 0.001

#: Functions of servers that look by and by whether they are to end, in real time: that is no wait of the agent's.
HOUSEKEEPING = {
    ("socketserver", "serve_forever"),
    ("uvicorn.server", "main_loop"),
    ("gunicorn.arbiter", "sleep"),
    ("gunicorn.workers.sync", "wait"),
}


#: Where the modules of Python are, beside those that were installed.
LIBRARY = os.path.dirname(os.__file__)


class Clock:
    """Stands in for functions of `time`, for which its bound methods are as good: as attributes of classes they stay
    what they are. Time stands still while the agent works. Each assumption takes a microsecond, so that no two are equal;
    and what the agent computes without a wait counts beyond a second, so that a loop that only looks at the clock ends.
    """

    def __init__(self):
        #: Story time in milliseconds, and the calendar's date at its beginning.
        self.offset, self.date = 0, None
        #: Nanoseconds beside it: waits that passed in real time, and processor time that counts.
        self.passed = self.busy = 0
        self.cpu_at_rest = self.cpu_of_observer = 0
        self.assumptions = itertools.count()
        # Whole seconds, so that what rounds moments up, as aiohttp does, finds the same in each play.
        self.start = int(time.monotonic()) * 1_000_000_000
        self.start_perf = int(time.perf_counter()) * 1_000_000_000
        self.start_date = time.time_ns()
        self.rests_seen = -1
        #: When the agent last looked at the time, in story time, and whether its own code has looked at the date.
        self.looked, self.reads_date = None, False

    def __reduce__(self):
        return __import__, ("time",)

    def move(self, now, date):
        """Sets story time. What began to wait before it was known began at that time."""
        if self.date is None:
            for wait in list(seen.waits):
                wait.due += now
            if self.looked is not None:
                self.looked += now
        self.offset, self.date = now, date

    def note_look(self, is_date=False):
        """Takes note that somebody looks at the time; modules of Python do not count."""
        if self.looked == self.offset and (self.reads_date or not is_date):
            return
        frame = sys._getframe(1)
        while frame and frame.f_globals.get("__name__", "").startswith(__package__):
            frame = frame.f_back
        file = frame.f_code.co_filename if frame else "<frozen>"
        is_python = file.startswith("<frozen") or (file.startswith(LIBRARY) and "site-packages" not in file)
        if is_python:
            return
        self.looked = self.offset
        if is_date and "site-packages" not in file:
            self.reads_date = True

    def computed(self):
        """Returns the nanoseconds of processor time that count, of all stretches between two waits."""
        used = real_cpu() - self.cpu_of_observer
        if self.rests_seen != seen.activity:
            self.rests_seen, self.cpu_at_rest = seen.activity, used
        beyond = used - self.cpu_at_rest - 1_000_000_000
        if beyond > 0:
            self.busy += beyond
            self.cpu_at_rest += beyond
        return self.busy

    def moved(self, is_date=False):
        self.note_look(is_date)
        return self.offset * 1_000_000 + self.computed() + next(self.assumptions) * 1_000

    def steady(self):
        """Returns seconds for event loops: equal while story time stands still."""
        return (self.start + self.offset * 1_000_000 + self.computed()) / 1e9

    def monotonic_ns(self):
        return self.start + self.passed + self.moved()

    def monotonic(self):
        return self.monotonic_ns() / 1e9

    def perf_counter_ns(self):
        return self.start_perf + self.passed + self.moved()

    def perf_counter(self):
        return self.perf_counter_ns() / 1e9

    def time_ns(self):
        return (self.start_date if self.date is None else self.date * 1_000_000) + self.moved(True)

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
        if not isinstance(seconds, (int, float)) or not counts(seconds):
            return real_sleep(seconds)
        with Wait(seconds) as wait:
            if not seen.skips:
                return real_sleep(seconds)
            wait.lock.acquire(True, wait.limit) or wait.expire()


clock = Clock()


def counts(seconds):
    """Returns whether a time-out is a wait: neither none, nor at once, nor in a server's housekeeping."""
    if seconds is None or not AT_ONCE < seconds < math.inf or get_ident() in seen.real:
        return False
    return not keeps_house(sys._getframe(1))


def keeps_house(frame):
    for _ in range(5):
        if frame is None:
            break
        if (frame.f_globals.get("__name__"), frame.f_code.co_name) in HOUSEKEEPING:
            return True
        frame = frame.f_back
    return False


class Wait(Rest):
    """The current thread waits for story time, or, where `limit` is not negative, for so many real seconds."""

    __slots__ = ("due", "duration", "start", "fired", "lock", "limit", "began", "pipe")
    starts = itertools.count()

    def __init__(self, seconds, pipe=False):
        Rest.__init__(self)
        self.duration = seconds * 1000
        # Deadlines are differences of floating-point clocks: a hundredth of a millisecond is no time.
        self.due = clock.offset + math.ceil(self.duration - 0.01) if seen.skips else None
        self.start, self.began = next(self.starts), real_monotonic()
        self.fired, self.limit = False, -1
        if seen.failure and seen.skips:
            self.limit, self.what = seconds, f"waits {round(seconds, 3):g} s after {seen.failure}"
        self.lock = allocate_lock()
        self.lock.acquire()
        self.pipe = pipe and own_pipe()

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

    @property
    def pending(self):
        return self in seen.waits

    def fire(self):
        self.fired = True
        self.wake()

    def expire(self):
        """Ends a wait that passed in real time."""
        self.fired = True
        clock.passed += int(self.duration * 1_000_000)

    def wake(self):
        """Lets the thread look again whether what it waits for is there."""
        try:
            self.lock.release()
        except RuntimeError:
            pass  # Somebody else woke it already.
        if self.pipe:
            self.pipe.write()

    def over(self):
        """Returns whether time is up, for a thread that looks from time to time."""
        if self.limit >= 0 and real_monotonic() - self.began >= self.limit:
            self.expire()
        return self.fired

    def seconds(self):
        """Returns how many real seconds a call may take; None if story time ends it."""
        return None if self.limit < 0 else self.limit

    def until_readable(self, file):
        """Waits until a file can be read, or time is up; needs a pipe."""
        while not self.fired and file not in (found := ready([file, self.pipe.reader], self.seconds())):
            if not found:
                self.expire()


class Pipe:
    """Wakes one thread that is blocked in a call for several files."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)

    def write(self):
        try:
            os.write(self.writer, b"!")
        except OSError as error:
            note(error)

    def drain(self):
        try:
            os.read(self.reader, 512)
        except OSError:
            pass  # It is empty.

    def __del__(self, close=os.close):
        try:
            close(self.reader)
            close(self.writer)
        except OSError:
            pass


class Own:
    """What each thread has for itself."""

    local = _local()


def own_pipe():
    """Returns the pipe of the current thread; it is closed when the thread ends."""
    try:
        return Own.local.pipe
    except AttributeError:
        Own.local.pipe = Pipe()
        return Own.local.pipe


def ready(files, seconds):
    """Returns those of some file descriptors that can be read, or are closed, after at most so many real seconds."""
    if real_poll is None:
        return real_select(files, [], [], seconds)[0]
    poller = real_poll()
    for file in files:
        poller.register(file, select.POLLIN)
    return [file for file, _ in poller.poll(None if seconds is None else math.ceil(seconds * 1000))]
