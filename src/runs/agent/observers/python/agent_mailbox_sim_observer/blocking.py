"""What stands in for the functions by which a thread waits for another, for a process, for a signal or for files."""

import os
import select

from .clock import change_blocking, clock, real_sleep
from .line import changing, instead, named
from .waits import Wait, ask_first, counts, until, waits

real_poll, real_select = getattr(select, "poll", None), select.select


def taken(take, blocking=True, timeout=-1):
    """Takes a lock; its time-out is story time."""
    if not blocking or not counts(timeout):
        return take(blocking, timeout)
    return take(False) or until(timeout, lambda pause: take(True, pause))


@changing("threading")
def change_threading(module):
    allocate_lock, recursive = module._allocate_lock, module._CRLock

    class Lock:
        """A lock of `threading` whose time-out is story time."""

        __slots__ = ("_lock", "release", "locked", "_at_fork_reinit", "__weakref__")

        def __init__(self):
            self._lock = lock = allocate_lock()
            self.release, self.locked = lock.release, lock.locked
            self._at_fork_reinit = getattr(lock, "_at_fork_reinit", None)

        def acquire(self, blocking=True, timeout=-1):
            return taken(self._lock.acquire, blocking, timeout)

        def __enter__(self):
            return self._lock.acquire()

        def __exit__(self, *_):
            self._lock.release()

        def __repr__(self):
            return repr(self._lock)

    class RLock(recursive):
        def acquire(self, blocking=True, timeout=-1):
            return taken(super().acquire, blocking, timeout)

    module._allocate_lock = module.Lock = named(Lock, type(allocate_lock()))
    module._CRLock = named(RLock, recursive)

    @instead(module.Thread, "join")
    def join(real, self, timeout=None):
        if not counts(timeout):
            return real(self, timeout)
        real(self, 0)
        if self.is_alive():
            until(timeout, lambda pause: real(self, pause) or not self.is_alive())


@changing("_queue")
def change_queue(module):
    real = module.SimpleQueue

    class SimpleQueue(real):
        __slots__ = ()

        def get(self, block=True, timeout=None):
            if not block or not counts(timeout):
                return real.get(self, block, timeout)

            def tried(pause):
                try:
                    return [real.get(self, True, pause)]
                except module.Empty:
                    return None

            found = until(timeout, tried)
            if not found:
                raise module.Empty
            return found[0]

    module.SimpleQueue = named(SimpleQueue, real)


@changing("multiprocessing.synchronize")
def change_synchronize(module):
    @instead(module.SemLock, "_make_methods")
    def make(real, self):
        real(self)

        @instead(self, "acquire")
        def acquire(take, block=True, timeout=None):
            return taken(take, block, timeout)

        instead(self, "release")(ask_first)


@changing("subprocess")
def change_subprocess(module):
    @instead(module.Popen, "__init__")
    def start(real, self, *args, **options):
        real(self, *args, **options)
        if self.stdin:
            for name in ("write", "flush"):
                instead(self.stdin, name)(ask_first)

    @instead(module.Popen, "_wait")
    def wait(real, self, timeout):
        if not counts(timeout) or self.poll() is not None:
            return real(self, timeout)
        file = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None
        pass_by = real_sleep if file is None else poller(file)
        try:
            has_ended = until(timeout, lambda pause: pass_by(pause) or self.poll() is not None)
        finally:
            if file is not None:
                os.close(file)
        if not has_ended:
            raise module.TimeoutExpired(self.args, timeout)
        return real(self, None)


def poller(file):
    """Returns a function that waits some seconds until a file can be read, or is closed."""
    if file < 0:
        return lambda pause: True
    if real_poll is None:
        return lambda pause: real_select([file], [], [], pause)[0]
    poll = real_poll()
    poll.register(file, select.POLLIN)
    return lambda pause: poll.poll(pause * 1000)


@changing("select")
def change_select(module):
    @instead(module, "select")
    def select_files(real, readers, writers, others, timeout=None):
        if not counts(timeout):
            return real(readers, writers, others, timeout)

        def tried(pause):
            found = real(readers, writers, others, pause)
            return any(found) and found

        return until(timeout, tried) or ([], [], [])

    def proxied(make, unit):
        class Poll:
            """A `poll` or `epoll` object whose time-out, in units of which a second has so many, is story time."""

            def __init__(self, *args, **options):
                self._real = make(*args, **options)

            def __getattr__(self, name):
                return getattr(self._real, name)

            def __enter__(self):
                self._real.__enter__()
                return self

            def __exit__(self, *args):
                return self._real.__exit__(*args)

            def poll(self, timeout=None, *args):
                if timeout is None or not counts(timeout / unit):
                    return self._real.poll(timeout, *args)
                return until(timeout / unit, lambda pause: self._real.poll(pause * unit, *args)) or []

        return named(Poll, make)

    for name, unit in (("poll", 1000), ("epoll", 1)):
        if hasattr(module, name):
            setattr(module, name, proxied(getattr(module, name), unit))


class Alarm(Wait):
    """The timer of real time that a process has; it interrupts its main thread."""

    __slots__ = ("interval", "ring")

    #: The one that is set.
    current = None

    def __init__(self, seconds, interval, ring):
        Wait.__init__(self, seconds)
        self.interval, self.ring = float(interval), ring
        self.begin()

    def end(self):
        Wait.end(self)
        self.cancel()
        if self.interval > 0:
            Alarm.current = Alarm(self.interval, self.interval, self.ring)
        self.ring(0, 0)

    def wake(self):
        if clock.freed is not None:
            self.ring(max(0.001, self.left()), self.interval)

    def cancel(self):
        self.__exit__()
        Alarm.current = None


@changing("signal")
def change_signal(module):
    set_timer = module.setitimer

    def ring(seconds, interval):
        if seconds == 0:
            module.pthread_kill(waits.main, module.SIGALRM)
        else:
            set_timer(module.ITIMER_REAL, seconds, interval)

    @instead(module, "setitimer")
    def set(real, which, seconds, interval=0.0):
        if not waits.is_on or which != module.ITIMER_REAL or seconds < 0 or interval < 0:
            return real(which, seconds, interval)
        if Alarm.current:
            Alarm.current.cancel()
        if seconds > 0:
            Alarm.current = Alarm(seconds, interval, ring)
        return 0.0, 0.0

    @instead(module, "alarm")
    def alarm(real, seconds):
        return int(module.setitimer(module.ITIMER_REAL, seconds)[0])

    change_blocking(module, "pause", "sigwait", "sigwaitinfo")
