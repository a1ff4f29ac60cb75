"""The clocks that the agent sees: story time, which stands still while it works."""

import itertools
import os
import time

from .line import changing, instead, named

real_monotonic, real_sleep, real_cpu = time.monotonic, time.sleep, time.process_time_ns
real_localtime, real_gmtime, real_ctime = time.localtime, time.gmtime, time.ctime
real_asctime, real_strftime, real_clock_ns = time.asctime, time.strftime, time.clock_gettime_ns

#: Nanoseconds that a loop without a wait may use before its clocks go on.
FREE = 1_000_000_000


class Clock:
    """Stands in for functions of `time`, for which its bound methods are as good: as attributes of classes they stay
    what they are. All but `time` and its kind grow by a microsecond with each reading, so that no two are equal."""

    def __init__(self):
        #: Story time in milliseconds, and the calendar's date at its beginning.
        self.offset, self.date = 0, 0
        #: Nanoseconds beside it: what was used beyond a second without a wait or a request, and real waits.
        self.spent = 0
        #: Nanoseconds of processor time that the observer used, and of real time in calls that story time cannot end.
        self.observed = self.blocked = 0
        #: What was used when the second began; None if it begins with the next reading.
        self.second = None
        #: Another number for each of those seconds.
        self.stretch = 0
        #: The moment of real time since which time runs by itself; None while it does not.
        self.freed = None
        self.readings = itertools.count()
        # Whole seconds, so that what rounds moments up, as aiohttp does, finds the same in each play.
        self.start = int(time.monotonic()) * 1_000_000_000

    def __reduce__(self):
        return __import__, ("time",)

    def begin(self):
        """Begins the second anew: a wait has ended, or a request begun."""
        self.second = None
        self.stretch += 1

    def passed(self):
        """Returns the nanoseconds that passed since the play began."""
        used = real_cpu() - self.observed + self.blocked
        if self.second is None:
            self.second = used
        beyond = used - self.second - FREE
        if beyond > 0:
            self.spent += beyond
            self.second += beyond
        free = 0 if self.freed is None else int((real_monotonic() - self.freed) * 1e9)
        return self.offset * 1_000_000 + self.spent + free

    def monotonic_ns(self):
        return self.start + self.passed() + next(self.readings) * 1_000

    def monotonic(self):
        return self.monotonic_ns() / 1e9

    perf_counter_ns, perf_counter = monotonic_ns, monotonic

    def time_ns(self):
        return self.date * 1_000_000 + self.passed()

    def time(self):
        return self.time_ns() / 1e9

    def clock_gettime_ns(self, clock, /):
        if clock == time.CLOCK_REALTIME:
            return self.time_ns()
        return self.monotonic_ns() if clock in MONOTONIC else real_clock_ns(clock)

    def clock_gettime(self, clock, /):
        return self.clock_gettime_ns(clock) / 1e9

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


clock = Clock()
MONOTONIC = {getattr(time, f"CLOCK_{name}", None) for name in ("MONOTONIC", "MONOTONIC_RAW", "BOOTTIME")}


def change_time():
    for name in dir(Clock):
        if name in vars(time):
            setattr(time, name, getattr(clock, name))
    change_blocking(os, "system", "wait", "wait3", "wait4", "waitid", "waitpid")


def change_blocking(module, *names):
    """Measures how long functions block a thread that story time cannot end."""

    def measured(real, *args, **options):
        start = real_monotonic()
        try:
            return real(*args, **options)
        finally:
            clock.blocked += int((real_monotonic() - start) * 1e9)

    for name in names:
        if hasattr(module, name):
            instead(module, name)(measured)


#: What was replaced in built-in types, which may remember it without holding it.
kept = []


@changing("datetime")
def change_datetime(module):
    """Lets dates be taken from the clock. The types are built in, so their own tables are changed: any other type would
    be noticed by those who pickle a date, or ask for its type."""
    import gc

    def now(cls, tz=None):
        return cls.fromtimestamp(clock.time(), tz)

    def utcnow(cls):
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
