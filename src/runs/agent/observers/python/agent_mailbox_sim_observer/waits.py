"""The waits of this process, and how they end when story time is there.

During a `go` of the play, they end one after the other: whoever comes to rest ends the next one, so that a loop that only
sleeps takes no time; the observer's thread does it for those that rest in other ways.
"""

import itertools
import math
import os
import sys
import time
from _io import FileIO
from _thread import RLock, allocate_lock, get_ident, get_native_id

from .clock import clock, real_cpu, real_monotonic, real_sleep
from .line import line

#: Seconds that are no wait.
AT_ONCE = 0.001
#: Seconds between two looks of a thread that waits in a call which nobody can end: at first, and at most.
SHORTEST, LONGEST, WHILE_WAITS_END = 0.0002, 0.02, 0.001
#: Seconds of the longest wait that is for somebody who has failed to work again.
LONGEST_BACK_OFF = 60
#: Functions of servers that look by and by whether they are to end, in real time: that is no wait of the agent's.
HOUSEKEEPING = {
    "socketserver.serve_forever",
    "uvicorn.server.main_loop",
    "uvicorn.supervisors.multiprocess.run",
    "gunicorn.arbiter.sleep",
    "gunicorn.arbiter.wait_for_signals",
    "gunicorn.workers.sync.wait",
}
#: Modules of Python by which they wait.
LIBRARIES = {"selectors", "queue", "threading"}


class Go:
    """What the play said: to end waits until a time, as long as the agent asks nothing."""

    def __init__(self, number, until):
        #: `ended` is the number of the wait that it ended last, 0 if it ended none.
        self.number, self.until, self.ended = number, until, 0


class Waits:
    #: Whether waits end by story time; not in the mode `wall`, nor without a play.
    is_on = False

    def __init__(self):
        #: Those that have not ended, by their number.
        self.open = {}
        #: Those that ended, but whose threads have not yet noticed.
        self.ending = set()
        #: Those that pass in real time since a request was refused, and what is said about each.
        self.real = {}
        #: The number of the wait that ended last.
        self.last = 0
        self.go = None
        #: The native identifier of the observer's thread, and the identifier of the main one.
        self.observer, self.main = 0, get_ident()
        self.numbers = itertools.count(1)
        self.turn = RLock()
        #: Processor time and real time at the last look, where the states of threads cannot be seen.
        self.used = 0, 0.0
        #: The wait of the timer by which the main thread is interrupted; None if it is not set.
        self.alarm = None
        #: Why the next wait is real, in words, and the thread in which a request has failed.
        self.refusal = None

    def earliest(self):
        """Returns the waits that may end, earliest first."""
        found = [wait for wait in list(self.open.values()) if wait.may_end()]
        return sorted(found, key=lambda wait: (wait.due, wait.number))


waits = Waits()


class Wait:
    """A wait of a thread. One for somebody else than the service and the agent itself ends only when its duration has
    passed in real time, too: what the play takes for no work, such as a long poll, has no time-out before its time,
    unless the last request there failed."""

    #: Tells it from the others that story time ends; None for those that real time ends.
    number = None

    def __init__(self, seconds, is_elsewhere=False):
        self.duration = round(seconds * 1000)
        # Deadlines are differences of floating-point clocks: some hundredths of a millisecond are no time.
        self.due = clock.offset + max(1, math.ceil(seconds * 1000 - 0.05))
        self.began, self.by, self.fired = real_monotonic(), waits.last, False
        self.is_elsewhere, self.lock = is_elsewhere, allocate_lock()
        self.lock.acquire()

    def begin(self):
        self.number = next(waits.numbers)
        waits.open[self.number] = self
        line.activity += 1

    def __enter__(self):
        self.begin()
        step()
        return self

    def __exit__(self, *_):
        waits.open.pop(self.number, None)
        waits.ending.discard(self)
        line.activity += 1

    def may_end(self):
        return not self.fired and not (self.is_elsewhere and real_monotonic() - self.began < self.duration / 1000)

    def end(self):
        """Ends now."""
        waits.refusal = None
        clock.begin()
        waits.last = self.number
        waits.ending.add(self)
        self.wake()

    def pass_by(self, why=None):
        """Ends in real time, once it has taken as long as it was to; a thread does this."""
        seconds = self.duration / 1000
        real_sleep(seconds) if why is None else sleep_really(seconds, why)
        self.wake()

    def cancel(self):
        """Ends without effect."""
        self.__exit__()
        self.wake()

    def wake(self):
        if not self.fired:
            self.fired = True
            self.lock.release()

    def sleep(self):
        self.lock.acquire()


def until(seconds, tried, happens=bool, is_elsewhere=False):
    """Waits until something happens or story time is there: `tried` takes seconds for which it may wait for what is to
    happen, and returns something of which `happens` tells whether it has. Returns what it returned last."""
    found = tried(0)
    if happens(found):
        return found
    with Wait(seconds, is_elsewhere) as wait:
        pause = SHORTEST
        while True:
            is_over = wait.fired
            found = tried(0 if is_over else pause)
            if is_over or happens(found):
                return found
            pause = min(pause * 1.5, WHILE_WAITS_END if waits.go else LONGEST)


def sleep(real, seconds):
    if not counts(seconds):
        return real(seconds)
    if (why := refused(seconds)) is not None:
        return sleep_really(seconds, why)
    with Wait(seconds) as wait:
        wait.sleep()


def sleep_really(seconds, why, rest=real_sleep):
    """Waits in real time, which is work; returns what the function returns that does so."""
    key, began = get_ident(), real_monotonic()
    waits.real[key] = f"a wait of {seconds:g} s after {why}"
    line.activity += 1
    try:
        return rest(seconds)
    finally:
        waits.real.pop(key, None)
        clock.spent += int((real_monotonic() - began) * 1e9)
        line.activity += 1


def counts(timeout, unit=1):
    """Returns whether a time-out is a wait: neither none, nor at once, nor in a server's housekeeping. A second has so many
    units."""
    if not waits.is_on or not isinstance(timeout, (int, float)):
        return False
    return AT_ONCE < timeout / unit < math.inf and not keeps_house()


def keeps_house():
    """Returns whether a function that waits is a server's housekeeping."""
    frame = sys._getframe(1)
    while frame:
        name = frame.f_globals.get("__name__", "")
        if name not in LIBRARIES and not name.startswith((__package__, "asyncio.")):
            return f"{name}.{frame.f_code.co_name}" in HOUSEKEEPING
        frame = frame.f_back
    return False


def refused(seconds, thread=None):
    """Returns why the wait that begins is real, once; None if it is not. With a thread, only where that has failed."""
    why, failed = waits.refusal or (None, 0)
    if thread not in (None, failed):
        return None
    waits.refusal = None
    return why if seconds <= LONGEST_BACK_OFF else None


def asks():
    """Tells the play that the agent begins to do something, so that no wait ends before that has been seen."""
    line.activity += 1
    if waits.go:
        with waits.turn:
            end_go(clock.offset)


def ask_first(real, *args, **options):
    """Does what another process of the agent may wait for."""
    asks()
    return real(*args, **options)


def end_go(now, more={}):
    """Says how far this process has come: its time, which wait ended last, and if it asked nothing, when the next is due."""
    go, waits.go = waits.go, None
    if go:
        clock.offset = max(clock.offset, now)
        line.tell({"gone": go.number, "now": clock.offset, "ended": go.ended, **more})


def step(comes=bool):
    """Ends the next wait of a `go`, each but the first only if nothing runs any more; returns whether it did. `comes` returns
    whether there is something for the caller: asked last, since what ran a moment ago may have left it."""
    go = waits.go
    if go is None:
        return False
    ended = go.ended
    if (ended > 0 and (waits.ending or waits.real or running())) or comes():
        return False
    with waits.turn:
        # Another thread may have been here meanwhile.
        if waits.go is not go or go.ended != ended:
            return False
        wait = next(iter(waits.earliest()), None)
        if wait is None or wait.due > go.until:
            end_go(go.until, {"next": wait and wait.due})
            return False
        go.ended = wait.number
        clock.offset = max(clock.offset, wait.due)
        wait.end()
        return True


def running():
    """Returns what other threads than this one do, in words; None if they rest. The observer's may hold what another waits for."""
    if not sys.platform.startswith("linux"):
        if get_native_id() != waits.observer:
            return "something that only the observer's thread can see"
        (cpu, at), waits.used = waits.used, (real_cpu() - time.thread_time_ns(), real_monotonic())
        return "computes" if waits.used[0] - cpu > 0.2e9 * (waits.used[1] - at) else None
    me = get_native_id()
    # A folder has a link for itself, for its parent, and for each folder inside.
    if me != waits.observer and os.stat("/proc/self/task").st_nlink == 4:
        return None
    try:
        threads = os.listdir("/proc/self/task")
    except OSError:  # A thread closes all files.
        return "computes"
    # Reading lets go of the interpreter, so a thread that waits for it shows as runnable.
    states = {state_of(thread) for thread in threads if int(thread) != me}
    if not states.isdisjoint((b"R", b"W")):
        return "computes"
    return "reads files" if b"D" in states else None


def state_of(thread):
    """Returns the letter by which Linux says what a thread does; none if it has ended, or another one closes all files."""
    try:
        with FileIO(f"/proc/self/task/{thread}/stat") as file:
            return file.read(4096).rpartition(b")")[2][1:2]
    except OSError:
        return b""
