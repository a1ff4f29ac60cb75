"""What stands in for the timers of asyncio. In their loops they are far away, until they end."""

import sys
from _thread import allocate_lock, get_ident, start_new_thread
from _weakref import ref

from .clock import clock, real_sleep
from .line import changing, instead, line
from .requests import asks_only_elsewhere
from .waits import AT_ONCE, RealWait, Wait, keeps_house, refused, step, waits

#: Seconds by which a timer is later than all moments that a program thinks of.
FAR = 1e10


class Timer(Wait):
    """A timer of an event loop."""

    __slots__ = ("handle", "loop", "guards")

    def __init__(self, loop, handle, seconds):
        name = getattr(handle._callback, "__qualname__", "").lower()
        self.guards = "timeout" in name or name == "_release_waiter"
        Wait.__init__(self, seconds)
        self.number = number = next(waits.numbers)
        self.loop = loop
        self.handle = ref(handle, lambda _: waits.open.pop(number, None))
        # Only `asyncio.sleep` backs off; other timers guard something or clean up.
        why = refused() if name == "_set_result_unless_cancelled" else None
        if why is None and not keeps_house():
            waits.open[number] = self
        else:
            start_new_thread(self.pass_by, (seconds, why))
        line.activity += 1

    def pass_by(self, seconds, why):
        """Ends it in real time; a thread does this."""
        with RealWait(seconds, why) if why else allocate_lock():
            real_sleep(seconds)
        self.leave()

    def may_end(self):
        handle = self.handle()
        self.is_elsewhere = self.guards and asks_only_elsewhere()
        return is_pending(handle) and self.loop.is_running() and Wait.may_end(self)

    def end(self):
        Wait.end(self)
        waits.ending.discard(self)
        waits.open.pop(self.number, None)
        self.leave()

    def leave(self, seconds=0):
        """Lets the loop end it after some seconds by its own clock."""
        handle, loop = self.handle(), self.loop
        if not is_pending(handle):
            return
        if loop._thread_id not in (None, get_ident()):
            loop.call_soon_threadsafe(self.leave, seconds)
            return
        handle._when = loop.time() + seconds
        sys.modules["heapq"].heapify(loop._scheduled)

    def wake(self):
        if clock.freed is not None:
            self.leave(self.left())


def is_pending(handle):
    return handle is not None and handle._scheduled and not handle._cancelled


@changing("asyncio.base_events")
def change_base_events(module):
    @instead(module.BaseEventLoop, "call_at")
    def call_at(real, self, when, callback, *args, context=None):
        seconds = when - self.time()
        if waits.is_on and seconds <= AT_ONCE:
            # The time of the loop stands still, so a short timer must be over at once.
            when = min(when, self.time())
        is_wait = waits.is_on and AT_ONCE < seconds < FAR
        handle = real(self, when + FAR if is_wait else when, callback, *args, context=context)
        if is_wait:
            Timer(self, handle, seconds)
        return handle


@changing("asyncio.selector_events")
def change_selector_events(module):
    """Lets event loops wait for files only: `Timer` wakes them."""

    @instead(module.BaseSelectorEventLoop, "__init__")
    def make(real, self, selector=None):
        real(self, selector)

        @instead(self._selector, "select")
        def select(real, timeout=None):
            if not waits.is_on or (timeout is not None and timeout <= AT_ONCE):
                return real(timeout)
            if waits.go:
                found = real(0)
                if found or (step() and self._scheduled and self._scheduled[0]._when <= self.time()):
                    return found
            return real(None)


@changing("uvloop")
def change_uvloop(module):
    """Lets asyncio's own loops be used: nothing can be seen of those of uvloop."""
    import asyncio

    module.new_event_loop, module.Loop = asyncio.new_event_loop, asyncio.SelectorEventLoop
    module.install, module.run = lambda: None, asyncio.run
    module.EventLoopPolicy = asyncio.DefaultEventLoopPolicy
