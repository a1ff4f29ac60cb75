"""The line to the play: what is told on it, and what keeps it from the agent's hands."""

import json
import os
from _thread import RLock
from functools import update_wrapper


class Line:
    """The connection to the play. May be used by any thread, also in a handler of a signal that interrupts such a use."""

    def __init__(self):
        #: The connected socket; None if there is none any more.
        self.socket, self.sending = None, RLock()
        #: Grows with everything that happens.
        self.activity = 0
        self.has_failed = False

    def tell(self, message):
        with self.sending:
            try:
                self.socket.sendall(json.dumps(message).encode() + b"\n")
            except (OSError, AttributeError):
                pass  # It is gone, which the observer's thread notices.

    def note(self, error):
        """Tells once that something of this observer failed."""
        if not self.has_failed:
            self.has_failed = True
            self.tell({"note": f"The observer of process {os.getpid()} failed: {type(error).__name__}: {error}"})


line = Line()
#: What is changed, by the name of the module that is imported: a function of the module.
changes = {}


def changing(name, of_time=True):
    """Takes a function that changes a module once it is imported; in the mode `wall` only if it does not change time."""

    def take(change):
        if not of_time or os.environ.get("MAILBOX_SIM_AGENT_TIME") != "wall":
            changes[name] = change
        return change

    return take


def instead(owner, name):
    """Takes a function that stands in for another, under its name, and is called with it before all arguments."""

    def take(function):
        real = getattr(owner, name)

        def stand_in(*args, **options):
            return function(real, *args, **options)

        setattr(owner, name, named(stand_in, real))
        return function

    return take


def attempt(step, *args, **options):
    """Does something whose failure must not reach the agent; returns its result, None if it failed."""
    try:
        return step(*args, **options)
    except Exception as error:
        line.note(error)
        return None


def named(stand_in, real):
    """Returns a function or a class under the name of the one for which it stands in."""
    return update_wrapper(stand_in, real, updated=())


def keep_open():
    """Keeps the line open when a program closes all files that it may have inherited, as those that become daemons do."""

    @instead(os, "close")
    def close(real, file):
        if line.socket and file == line.socket.fileno():
            raise OSError(9, os.strerror(9))
        return real(file)

    @instead(os, "closerange")
    def close_range(real, low, high):
        own = line.socket.fileno() if line.socket else high
        real(low, min(own, high))
        real(max(low, own + 1), high)
