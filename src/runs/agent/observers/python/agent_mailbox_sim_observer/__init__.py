"""Speaks with `play` by lines of JSON on the socket that MAILBOX_SIM_OBSERVER names.

`play` says which time it is in the story, asks what this process does, and ends waits; what is said is listed in
`answers.py`. A daemon thread answers. Standard modules are changed when the agent imports them, so that its start takes
no longer than before; functions that stand in for others have their names.
"""

import _socket
import _thread
import os
import select
import sys
import time

from .answers import answer
from .clock import Clock, Own, clock
from .loops import change_base_events, change_selector_events, change_uvloop
from .seen import attempt, named, note, numbers_in, rest_in, seen, tell
from .sockets import change_socket, change_ssl
from .threads import (
    change_datetime,
    change_queue,
    change_select,
    change_subprocess,
    change_synchronize,
    change_threading,
)

#: What is changed in each mode, and what only if waits are skipped.
CHANGES = {
    "socket": change_socket,
    "ssl": change_ssl,
    "select": change_select,
    "threading": change_threading,
    "_queue": change_queue,
    "subprocess": change_subprocess,
    "multiprocessing.synchronize": change_synchronize,
    "signal": lambda module: rest_in(module, "pause", "sigwait", "sigwaitinfo"),
    "uvloop": change_uvloop,
}
CHANGES_OF_TIME = {
    "datetime": change_datetime,
    "asyncio.base_events": change_base_events,
    "asyncio.selector_events": change_selector_events,
}


class Importing:
    """Finds the modules that are to be changed as the other finders would, and changes them once they are loaded."""

    def __init__(self, changes):
        self.changes = changes

    def find_spec(self, name, path=None, target=None):
        change = self.changes.pop(name, None)
        if change is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                spec.loader = Loading(spec, change)
                return spec
        return None


class Loading:
    def __init__(self, spec, change):
        self.spec, self.real, self.change = spec, spec.loader, change

    def __getattr__(self, name):
        return getattr(self.real, name)

    def create_module(self, spec):
        return self.real.create_module(spec)

    def exec_module(self, module):
        self.spec.loader = module.__loader__ = self.real
        self.real.exec_module(module)
        attempt(self.change, module)


def connect(path):
    """Connects to `play` and waits, for a second at most, until it has told the time."""
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.connect(path)
    seen.line = line
    runtime = f"{sys.implementation.name.replace('cpython', 'python')} {sys.version.split()[0]}"
    tell({"hello": {"pid": os.getpid(), "ppid": os.getppid(), "runtime": runtime, "thread": 0}})
    received = b""
    if clock.date is None:
        line.settimeout(1)
        try:
            while b"\n" not in received and (more := line.recv(65_536)):
                received += more
        except OSError:
            pass  # It will be told later.
        line.settimeout(None)
        first = numbers_in(received.partition(b"\n")[0].decode())
        if "now" in first:
            clock.move(first["now"], first.get("date"))
    _thread.start_new_thread(answer, (line, received))


def after_fork(path):
    """Connects a forked child by itself: what waits and asks in its parent is the parent's."""
    line, seen.line = seen.line, None
    if line is None:
        return
    line.close()
    seen.begin_anew()
    Own.local, clock.cpu_of_observer, clock.rests_seen = _thread._local(), 0, -1
    try:
        connect(path)
    except OSError:
        seen.skips = False


def without_warning(fork):
    """Returns a function that forks without the warning about this observer's thread, but with that about the agent's."""

    def stand_in(*args):
        import warnings

        threads = sys.modules.get("threading")
        if threads and threads.active_count() > 1:
            text = f"This process (pid={os.getpid()}) is multi-threaded, use of {fork.__name__}() may lead to deadlocks"
            warnings.warn(f"{text} in the child.", DeprecationWarning, stacklevel=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return fork(*args)

    return named(stand_in, fork)


def begin():
    path = os.environ["MAILBOX_SIM_OBSERVER"]
    try:
        connect(path)
        change(os.environ.get("MAILBOX_SIM_AGENT_TIME", "skip"))
        if hasattr(os, "register_at_fork"):
            if sys.version_info >= (3, 12):
                os.fork, os.forkpty = without_warning(os.fork), without_warning(os.forkpty)
            os.register_at_fork(after_in_child=lambda: attempt(after_fork, path))
    except Exception as error:
        note(error)


def change(mode):
    """Changes the modules that are there, and prepares to change the others."""
    seen.skips = mode != "wall"
    if seen.skips:
        for name in dir(Clock):
            if name in vars(time):
                setattr(time, name, getattr(clock, name))
    else:
        time.sleep = clock.sleep
    rest_in(os, "wait", "wait3", "wait4", "waitid", "waitpid")
    changes = {**CHANGES, **CHANGES_OF_TIME} if seen.skips else dict(CHANGES)
    for name in list(changes):
        if name in sys.modules:
            attempt(changes.pop(name), sys.modules[name])
    sys.meta_path.insert(0, Importing(changes))
