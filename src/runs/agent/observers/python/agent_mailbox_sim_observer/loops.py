"""What stands in for the timers of asyncio."""

import sys
from _thread import get_ident
from _weakref import ref

from .clock import AT_ONCE, Wait, clock, counts, keeps_house
from .seen import named, real_monotonic, seen

#: Seconds by which the clocks of event loops are ahead, since timers ended in real time.
ahead = {}


class Timer(Wait):
    """A timer of an event loop; while the loop waits for it, it waits for others, too."""

    __slots__ = ("handle", "loop", "guards")

    def __init__(self, loop, handle, seconds, is_real):
        Wait.__init__(self, seconds)
        self.loop, self.handle = loop, ref(handle, lambda _: seen.waits.pop(self, None))
        name = getattr(handle._callback, "__qualname__", "").lower()
        self.guards = "timeout" in name or name == "_release_waiter"
        if is_real:
            self.limit, self.what = seconds, None
        elif name != "_set_result_unless_cancelled":
            # Only `asyncio.sleep` backs off; other timers guard something or clean up.
            self.limit, self.what = -1, None
        seen.waits[self] = True
        seen.activity += 1

    @property
    def pending(self):
        handle = self.handle()
        return handle is not None and handle._scheduled and not handle._cancelled and self.loop.is_running()

    def real_end(self, asked_at):
        """Returns the moment of real time at which it ends, which may be that of a time-out of a request to somebody
        else that began at some moment; None if it ends by story time."""
        if self.limit >= 0:
            return self.began + self.limit
        if self.guards and asked_at is not None:
            return max(asked_at, self.began) + self.handle()._when - self.loop.time()
        return None

    def wake(self):
        self.loop._write_to_self()

    def expire(self):
        """Ends now. The clock of its loop is at its end then, and the other timers end as much later by that clock."""
        handle, before = self.handle(), self.loop.time()
        ahead[self.loop] = ahead.get(self.loop, 0) + max(0, handle._when - before)
        moved = self.loop.time() - before
        for other in self.loop._scheduled:
            if other is not handle:
                other._when += moved
        sys.modules["heapq"].heapify(self.loop._scheduled)
        self.limit, self.fired = -1, True
        if self.what:
            seen.failure = self.what = None


def last_asked():
    """Returns the moment of real time at which the latest open request to somebody else began; None if none is open."""
    others = [connection for connection in list(seen.connections.values()) if not connection.own]
    return max((request.began for connection in others for request in connection.asks()), default=None)


def change_base_events(module):
    kind = module.BaseEventLoop
    call_at, close = kind.call_at, kind.close

    def stand_in_time(self):
        clock.note_look()
        return clock.steady() + ahead.get(self, 0)

    def stand_in_call_at(self, when, callback, *args, context=None):
        seconds = when - self.time()
        # The time of the loop stands still, so a short timer must be over at once.
        handle = call_at(self, when if seconds > AT_ONCE else min(when, self.time()), callback, *args, context=context)
        is_real = seconds < 10 and keeps_house(sys._getframe(1))
        if is_real or counts(seconds):
            Timer(self, handle, seconds, is_real)
        return handle

    def stand_in_close(self):
        ahead.pop(self, None)
        return close(self)

    kind.time, kind.call_at = named(stand_in_time, kind.time), named(stand_in_call_at, call_at)
    kind.close = named(stand_in_close, close)


def end_short_timers(loop):
    """Ends the timers that are less than a wait away: the clock of the loop stands still, so it would look for them over
    and over. Story time is in whole milliseconds, so it may be there a little before a timer."""
    now = loop.time()
    for handle in loop._scheduled:
        # Nothing but the first ones change, and all to the same moment, so the heap stays one.
        if now < handle._when <= now + AT_ONCE:
            handle._when = now


def change_selector_events(module):
    """Lets event loops wait for files only: `Timer` wakes them."""
    make = module.BaseSelectorEventLoop.__init__

    def stand_in(self, selector=None):
        make(self, selector)
        select = self._selector.select

        def stand_in_select(timeout=None):
            if seen.skips and timeout and timeout <= AT_ONCE:
                end_short_timers(self)
                return select(0)
            if not seen.skips or not counts(timeout):
                return select(timeout)
            asked_at = last_asked()
            timers = [wait for wait in list(seen.waits) if isinstance(wait, Timer) and wait.loop is self]
            ends = [(timer.real_end(asked_at), timer) for timer in timers if timer.pending]
            ends = [(end, timer) for end, timer in ends if end is not None]
            if not ends:
                return select(None)
            seen.real.add(get_ident())
            try:
                found = select(max(0, min(end for end, _ in ends) - real_monotonic()))
            finally:
                seen.real.discard(get_ident())
            for end, timer in ends:
                if end <= real_monotonic() and timer.pending:
                    timer.expire()
            return found

        self._selector.select = stand_in_select

    module.BaseSelectorEventLoop.__init__ = named(stand_in, make)


def change_uvloop(module):
    """Lets asyncio's own loops be used: nothing can be seen of those of uvloop."""
    import asyncio

    module.new_event_loop, module.Loop = asyncio.new_event_loop, asyncio.SelectorEventLoop
    module.install, module.run = lambda: None, asyncio.run
    module.EventLoopPolicy = asyncio.DefaultEventLoopPolicy
