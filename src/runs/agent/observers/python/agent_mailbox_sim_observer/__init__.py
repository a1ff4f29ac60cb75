"""Speaks with the play by lines of JSON at the port that MAILBOX_SIM_OBSERVER names.

The play says which time it is in the story, asks what this process does, and has it end waits; a daemon thread answers.
Standard modules and libraries of HTTP are changed when the agent imports them, so that its start takes no longer than
before; functions that stand in for others have their names. MAILBOX_SIM_AGENT_TIME says how time passes: `wall` as
always; `skip` and `story` let waits end when the play says so.
"""

import _socket
import _thread
import json
import os
import sys
import time

from . import loops  # noqa: F401
from .answers import answer, take
from .clock import change_time, clock, real_monotonic
from .line import attempt, changes, changing, instead, keep_open, line, parsed
from .links import links, listening
from .requests import requests
from .waits import ask_first, asks, sleep, waits

#: The variable by which a child process knows that its parent is observed, too, and may read what it prints.
PARENT = "MAILBOX_SIM_PARENT"
#: The variable by which a process that is started knows how late it is, as those of Node do.
MOMENT = "MAILBOX_SIM_MOMENT"
#: Seconds in which the play has to tell a process how late it is.
GREETING = 10
#: How a program starts another process.
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"}


class Importing:
    """Finds the modules that are to be changed as the other finders would, and has them changed once they are loaded."""

    def find_spec(self, name, path=None, target=None):
        change = changes.pop(name, None)
        if change is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:

                @instead(spec.loader, "exec_module")
                def load(real, module):
                    real(module)
                    # A loader may load other modules, too.
                    if module.__name__ == name:
                        attempt(change, module)

                return spec
        return None


def connect():
    """Connects to the play, which tells how late it is before anything else is done."""
    host, _, port = os.environ["MAILBOX_SIM_OBSERVER"].rpartition(":")
    line.socket = socket = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        socket.settimeout(GREETING)
        socket.connect((host, int(port)))
        socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        runtime = f"{sys.implementation.name.replace('cpython', 'python')} {sys.version.split()[0]}"
        line.tell({"hello": {"pid": os.getpid(), "ppid": os.getppid(), "runtime": runtime, "thread": 0}})
        text = b""
        while b"\n" not in text:
            text += socket.recv(65_536) or b"\n"
        socket.settimeout(None)
    except OSError:
        line.socket = None
        raise
    first, _, rest = text.partition(b"\n")
    take(parsed(first))
    _thread.start_new_thread(answer, (socket, rest))


def after_fork():
    """Connects a forked child by itself: what waits and asks in its parent is the parent's."""
    socket = line.socket
    if socket is None:
        return
    socket.close()
    line.__init__()
    waits.__init__()
    for known in (links, listening, requests):
        known.clear()
    clock.observed, clock.second = 0, None
    try:
        connect()
    except OSError:
        waits.is_on, clock.freed = False, real_monotonic()


def before_fork():
    """Hides the warning about this observer's thread."""
    import warnings

    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)


def starts():
    """Lets the process that this one starts know how late it is."""
    os.environ[MOMENT] = json.dumps({"now": clock.offset, "date": clock.date})
    asks()


def note_start(event, _):
    """Takes note of another process that this one starts."""
    if event in STARTS and line.socket:
        starts()


@changing("multiprocessing.util", of_time=False)
def change_spawn(module):
    @instead(module, "spawnv_passfds")
    def spawn(real, *args):
        starts()
        return real(*args)


def begin():
    waits.is_on = os.environ.get("MAILBOX_SIM_AGENT_TIME") != "wall"
    connect()
    parent, os.environ[PARENT] = os.environ.get(PARENT), str(os.getpid())
    attempt(change)
    instead(os, "write")(ask_first)
    if parent not in (None, os.environ[PARENT]) and sys.stdout:
        instead(sys.stdout, "write")(ask_first)
    keep_open()
    sys.addaudithook(note_start)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=before_fork, after_in_child=lambda: attempt(after_fork))


def change():
    """Changes the modules that are there, and prepares to change the others."""
    if waits.is_on:
        change_time()
        instead(time, "sleep")(sleep)
    for name in list(changes):
        if name in sys.modules or name in sys.builtin_module_names:
            attempt(changes.pop(name), __import__(name))
    sys.meta_path.insert(0, Importing())
