"""What stands in for the timers of asyncio: their loops wait for files only, and get the timers that end."""

from _thread import get_ident, start_new_thread

from .line import changing, instead
from .links import carrying
from .requests import guard, is_of_open_request
from .waits import AT_ONCE, Wait, keeps_house, refused, step, waits


@changing("asyncio.base_events")
def change_base_events(module):
    class Timer(module.events.TimerHandle, Wait):
        """A timer that its loop does not know before it ends."""

        def __init__(self, when, callback, args, loop, context):
            super().__init__(when, callback, args, loop, context)
            seconds = when - loop.time()
            Wait.__init__(self, seconds)
            name = getattr(callback, "__qualname__", "").lower()
            self.guards = "timeout" in name or name == "_release_waiter"
            #: The request that the library makes which has begun it.
            self.request = carrying.get()
            if self.guards:
                guard.set(self)
            # Only `asyncio.sleep` backs off; other timers guard something or clean up.
            why = refused(seconds) if name == "_set_result_unless_cancelled" else None
            if why is not None or keeps_house():
                start_new_thread(self.pass_by, (why,))
            else:
                self.begin()

        def may_end(self):
            self.is_elsewhere = self.guards and is_of_open_request(self)
            return self._loop.is_running() and Wait.may_end(self)

        def end(self):
            Wait.end(self)
            self.__exit__()

        def cancel(self):
            super().cancel()
            self.__exit__()

        def wake(self):
            if self._loop._thread_id == get_ident():
                self.run()
            elif not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self.run)

        def run(self):
            if not self._cancelled:
                self._loop._ready.append(self)

    @instead(module.BaseEventLoop, "call_at")
    def call_at(real, self, when, callback, *args, context=None):
        seconds = when - self.time()
        if waits.is_on and seconds > AT_ONCE:
            self._check_closed()
            return Timer(when, callback, args, self, context)
        # The time of the loop stands still, so a short timer must be over at once.
        return real(self, min(when, self.time()) if waits.is_on else when, callback, *args, context=context)


@changing("asyncio.selector_events")
def change_selector_events(module):
    @instead(module.BaseSelectorEventLoop, "__init__")
    def make(real, self, selector=None):
        real(self, selector)

        @instead(self._selector, "select")
        def select(real, timeout=None):
            found = []

            def comes():
                found.extend(real(0))
                return found

            if waits.go and timeout is None and (step(comes) and self._ready or found):
                return found
            return real(timeout)


@changing("uvloop")
def change_uvloop(module):
    """Lets asyncio's own loops be used: nothing can be seen of those of uvloop."""
    import asyncio

    module.new_event_loop, module.Loop = asyncio.new_event_loop, asyncio.SelectorEventLoop
    module.install, module.run = lambda: None, asyncio.run
    module.EventLoopPolicy = asyncio.DefaultEventLoopPolicy
