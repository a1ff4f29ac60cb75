"""What stands in for the functions by which a thread waits for another, for a process, or for several files."""

import os
import select
import sys

from .clock import Wait, clock, counts, real_poll, real_select
from .seen import Look, Rest, named, real_sleep, seen

real_waitid = getattr(os, "waitid", None)


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
            if not blocking or (timeout != -1 and not counts(timeout)):
                return self._take(blocking, timeout)
            if self._take(False):
                return True
            if timeout == -1:
                with Rest():
                    return self._take()
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
            for wait in self._waiting[:]:
                wait.wake()

        def __enter__(self):
            if self._take(False):
                return True
            with Rest():
                return self._take()

        def __exit__(self, *_):
            self.release()

        def __getattr__(self, name):
            return getattr(self._lock, name)

        def __repr__(self):
            return repr(self._lock)

    class RLock(Lock):
        __slots__ = ()
        _make = recursive

        def _release_save(self):
            saved = self._lock._release_save()
            for wait in self._waiting[:]:
                wait.wake()
            return saved

        def _acquire_restore(self, saved):
            with Rest():
                self._lock._acquire_restore(saved)

    def stand_in_join(self, timeout=None):
        if not seen.skips or not counts(timeout):
            with Rest():
                return join(self, timeout)
        join(self, 0)
        if self.is_alive():
            with Wait(timeout) as wait, Look(lambda: not self.is_alive()):
                while self.is_alive() and not wait.over():
                    join(self, Look.pause)

    module._allocate_lock = module.Lock = named(Lock, type(allocate_lock()))
    module._CRLock = named(RLock, recursive)
    module.Thread.join = named(stand_in_join, join)


def change_queue(module):
    real = module.SimpleQueue

    class SimpleQueue(real):
        __slots__ = ("_waiting",)

        def __init__(self):
            self._waiting = []

        def put(self, item, block=True, timeout=None):
            real.put(self, item)
            for wait in self._waiting[:]:
                wait.wake()

        def put_nowait(self, item):
            self.put(item)

        def get(self, block=True, timeout=None):
            if not block or not counts(timeout):
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


def change_synchronize(module):
    """Lets the locks of `multiprocessing` be seen; they can only be tried from time to time."""
    make = module.SemLock._make_methods

    def stand_in(self):
        make(self)
        take = self.acquire

        def acquire(block=True, timeout=None):
            if not block or not seen.skips or not counts(timeout):
                with Rest():
                    return take(block, timeout)
            with Wait(timeout) as wait, Look(lambda: self._semlock._get_value()):
                while not (taken := take(True, Look.pause)) and not wait.over():
                    pass
                return taken

        self.acquire = named(acquire, take)

    module.SemLock._make_methods = named(stand_in, make)


def has_ended(process):
    return real_waitid(os.P_PID, process, os.WNOHANG | os.WNOWAIT | os.WEXITED) is not None


def change_subprocess(module):
    wait_for = module.Popen._wait

    def stand_in(self, timeout):
        if not seen.skips or not counts(timeout) or real_waitid is None:
            return wait_for(self, timeout)
        with Wait(timeout) as wait, Look(lambda: has_ended(self.pid)):
            while self.poll() is None:
                if wait.over():
                    raise module.TimeoutExpired(self.args, timeout)
                real_sleep(Look.pause)
            return self.returncode

    module.Popen._wait = named(stand_in, wait_for)


def change_select(module):
    """Lets calls for several files end by story time: a pipe is one of the files."""

    def stand_in_select(readers, writers, others, timeout=None, /):
        if not counts(timeout):
            with Rest():
                return real_select(readers, writers, others, timeout)
        with Wait(timeout, pipe=True) as wait:
            if not seen.skips:
                return real_select(readers, writers, others, timeout)
            found = real_select([*readers, wait.pipe.reader], writers, others, wait.seconds())
            if not any(found):
                wait.expire()
            return tuple([one for one in files if one is not wait.pipe.reader] for files in found)

    class Poll:
        """A `poll` or `epoll` object that can be seen, and whose time-out is story time."""

        def __init__(self, *args, **options):
            self._real = self._make(*args, **options)

        def __getattr__(self, name):
            return getattr(self._real, name)

        def __enter__(self):
            self._real.__enter__()
            return self

        def __exit__(self, *args):
            return self._real.__exit__(*args)

    class poll(Poll):
        _make = real_poll

        def poll(self, timeout=None, /):
            if timeout is None or not counts(timeout / 1000):
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
                if not found:
                    wait.expire()
                return [pair for pair in found if pair[0] != reader]

    class epoll(Poll):
        _make = getattr(module, "epoll", None)

        @classmethod
        def fromfd(cls, file, /):
            made = cls.__new__(cls)
            made._real = cls._make.fromfd(file)
            return made

        def poll(self, timeout=None, maxevents=-1):
            if not counts(timeout) or not seen.skips:
                with Rest():
                    return self._real.poll(timeout, maxevents)
            # Others may wait for the same object, so the pipe is watched beside it.
            found = self._real.poll(0, maxevents)
            if not found:
                with Wait(timeout, pipe=True) as wait:
                    wait.until_readable(self._real.fileno())
                    found = self._real.poll(0, maxevents)
            return found

    module.select = named(stand_in_select, real_select)
    for stand_in in (poll, epoll):
        if stand_in._make:
            setattr(module, stand_in.__name__, named(stand_in, stand_in._make))


#: What was replaced in built-in types, which may remember it without holding it.
kept = []


def change_datetime(module):
    """Lets dates be taken from the clock. The types are built in, so their own tables are changed: any other type would
    be noticed by those who pickle a date, or ask for its type."""
    import gc

    def now(cls, tz=None):
        return cls.fromtimestamp(clock.time(), tz)

    def utcnow(cls):
        if sys.version_info >= (3, 12):
            import warnings

            text = (
                "datetime.datetime.utcnow() is deprecated and scheduled for removal in a future version. Use "
                "timezone-aware objects to represent datetimes in UTC: datetime.datetime.now(datetime.UTC)."
            )
            warnings.warn(text, DeprecationWarning, stacklevel=2)
        return cls.fromtimestamp(clock.time(), module.timezone.utc).replace(tzinfo=None)

    def today(cls):
        return cls.fromtimestamp(clock.time())

    for kind, stand_ins in ((module.datetime, (now, utcnow, today)), (module.date, (today,))):
        for stand_in in stand_ins:
            table, name = gc.get_referents(kind.__dict__)[0], stand_in.__name__
            # Not by the type, which would remember what it found.
            real = table.get(name)
            kept.append(real)
            table[name] = classmethod(named(stand_in, real))
