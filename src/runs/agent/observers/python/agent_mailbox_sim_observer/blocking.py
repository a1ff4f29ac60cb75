"""What stands in for the functions by which a thread waits for another, for a process, for a signal or for files."""

import os
import select
from _thread import allocate_lock, get_ident, start_new_thread
from types import MethodType

from .clock import change_blocking, clock, real_sleep
from .line import changing, instead, named
from .waits import Wait, ask_first, counts, refused, sleep_really, until, waits

real_poll = select.poll


def timed(real, at, unit=1, happens=bool):
    """Returns a function for one that waits: its time-out, the argument `at` a place in units of which a second has so many,
    is story time. `happens` returns whether a result says that it did not wait in vain."""

    def wait(*args, **options):
        given = options.get("timeout", args[at] if at < len(args) else None)
        blocks = all(one is not False for one in (*args, *options.values()))
        if not blocks or not counts(given, unit):
            return real(*args, **options)

        def tried(pause):
            if at < len(args):
                return real(*args[:at], pause * unit, *args[at + 1 :], **options)
            return real(*args, **{**options, "timeout": pause * unit})

        # As of an event that would end a back-off early.
        if (why := refused(given / unit, get_ident())) is not None:
            return sleep_really(given / unit, why, tried)
        return until(given / unit, tried, happens)

    return named(wait, real)


def proxied(make, name, at, unit=1):
    """Returns a kind of objects for another one, by whose method they wait; each has one of those."""

    class Proxy:
        def __init__(self, *args, **options):
            self._real = make(*args, **options)
            setattr(self, name, timed(getattr(self._real, name), at, unit))

        def __getattr__(self, name):
            return getattr(self._real, name)

        def __enter__(self):
            entered = self._real.__enter__()
            return self if entered is self._real else entered

        def __exit__(self, *args):
            return self._real.__exit__(*args)

    return named(Proxy, make)


@changing("select")
def change_select(module):
    real = module.select
    # Bound to the module, since a class of `selectors` has it as attribute.
    module.select = MethodType(named(timed(lambda _, *args: real(*args), 4, happens=any), real), module)
    for name, unit in (("poll", 1000), ("epoll", 1)):
        if hasattr(module, name):
            setattr(module, name, proxied(getattr(module, name), "poll", 0, unit))


@changing("threading")
def change_threading(module):
    module._allocate_lock = module.Lock = named(proxied(allocate_lock, "acquire", 1), type(allocate_lock()))
    # Under the name by which `pickle` finds it.
    module.Lock.__module__, module.Lock.__qualname__ = "threading", "Lock"
    module._CRLock = proxied(module._CRLock, "acquire", 1)
    # It may have been imported before this observer.
    module._time = clock.monotonic

    @instead(module.Thread, "join")
    def join(real, self, timeout=None):
        if not counts(timeout):
            return real(self, timeout)
        until(timeout, lambda pause: real(self, pause) or not self.is_alive())


@changing("queue")
def change_queue(module):
    # The one of Python's own for interpreters without the built-in one, which waits by the locks of `threading`.
    module.SimpleQueue = named(module._PySimpleQueue, module.SimpleQueue)


@changing("multiprocessing.synchronize")
def change_synchronize(module):
    @instead(module.SemLock, "_make_methods")
    def make(real, self):
        real(self)
        self.acquire = timed(self.acquire, 1)
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
        if not counts(timeout):
            return real(self, timeout)
        if self.poll() is not None:
            return self.returncode
        file = file_of(self.pid)
        # A file tells at once: between two looks, this process would rest although the other one has ended.
        pauses = real_sleep if file is None else poller(file)
        try:
            if not until(timeout, lambda pause: [pauses(pause)] and self.poll() is not None):
                raise module.TimeoutExpired(self.args, timeout)
        finally:
            if file is not None:
                os.close(file)
        return self.returncode


def file_of(process):
    """Returns a file that can be read once a child process has ended; None where the system has none."""
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):
        return None


@changing("signal")
def change_signal(module):
    def ring(wait, interval):
        """Interrupts the main thread when the wait for that ends; a thread does this."""
        wait.sleep()
        if wait is waits.alarm:
            module.setitimer(module.ITIMER_REAL, interval, interval)
            module.pthread_kill(waits.main, module.SIGALRM)
        wait.__exit__()

    @instead(module, "setitimer")
    def set_timer(real, which, seconds, interval=0.0):
        if not waits.is_on or which != module.ITIMER_REAL or seconds < 0 or interval < 0:
            return real(which, seconds, interval)
        if waits.alarm:
            waits.alarm.cancel()
        waits.alarm = Wait(seconds) if seconds > 0 else None
        if waits.alarm:
            waits.alarm.begin()
            start_new_thread(ring, (waits.alarm, interval))
        return 0.0, 0.0

    @instead(module, "alarm")
    def alarm(real, seconds):
        return int(module.setitimer(module.ITIMER_REAL, seconds)[0])

    change_blocking(module, "pause", "sigwait", "sigwaitinfo")
    if hasattr(module, "sigtimedwait"):
        module.sigtimedwait = timed(module.sigtimedwait, 1, happens=lambda found: found is not None)


def poller(file):
    """Returns a function that waits some seconds until a file can be read, or is closed."""
    if file < 0:
        return lambda pause: True
    poll = real_poll()
    poll.register(file, select.POLLIN)
    return lambda pause: poll.poll(pause * 1000)
