"""Speaks with the play by lines of JSON at the port that MAILBOX_SIM_OBSERVER names.

The play says which time it is in the story, asks what this process does, and has it end waits; a daemon thread answers.
Standard modules and libraries of HTTP are changed when the agent imports them, so that its start takes no longer than
before; functions that stand in for others have their names. MAILBOX_SIM_AGENT_TIME says how time passes: `wall` as
always; `skip` and `story` let waits end when the play says so.
"""

import _socket
import json
import os
import sys
import time
from _thread import get_native_id, start_new_thread

from . import loops  # noqa: F401
from .blocking import poller
from .clock import change_time, clock, real_monotonic, real_sleep
from .line import attempt, changes, changing, instead, keep_open, line
from .links import links, ports
from .requests import open_requests, requests
from .waits import SHORTEST, Go, ask_first, asks, end_go, running, sleep, step, waits

#: The variable by which a child process knows that its parent is observed, too, and may read what it prints.
PARENT = "MAILBOX_SIM_PARENT"
#: Seconds in which the play has to tell a process how late it is.
GREETING = 10
#: Waits that are told, and requests.
TOLD = 50
#: Real seconds between two looks during a `go`, at most.
LONGEST_PAUSE = 0.005
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


def works():
    """Returns what this process works at, in words; None if at nothing."""
    before = line.activity
    # Whoever may run now does so, or waits for the interpreter.
    real_sleep(SHORTEST)
    what = running() or next(iter(list(waits.real.values())), None)
    return what or ("computes" if waits.ending or line.activity != before else None)


def state():
    """Returns what this process does."""
    what = works()
    requests, owing = open_requests(), [link for link in list(links.values()) if link.owes()]
    own = sum(one.is_own for one in (*requests, *owing))
    return {
        "works": what,
        "own": own,
        "asks": [one.told(events=one.is_stream, quiet=one.quiet()) for one in requests if not one.is_own][-TOLD:],
        "links": [link.to for link in owing if not link.is_own][-TOLD:],
        "listens": list(ports.values()),
        "idle": [],
        "waits": [[wait.number, wait.due, wait.duration, wait.by] for wait in waits.earliest()[:TOLD]],
        "activity": line.activity,
    }


def take(text):
    """Does what the play says in a line."""
    message = json.loads(text)
    if "now" in message:
        clock.offset, clock.date = max(clock.offset, message["now"]), message["date"]
    elif "look" in message:
        line.tell({"look": message["look"], "state": state()})
    elif "go" in message:
        for number, due in message.get("later", []):
            if number in waits.open:
                waits.open[number].due = due
        waits.go = Go(message["go"], message["until"])
        if not waits.is_on:
            end_go(clock.offset)


def leave():
    """Leaves the program to itself: its waits end in real time from now on, and its clocks run on."""
    socket, line.socket = line.socket, None
    if socket is None:
        return
    socket.close()
    waits.is_on, waits.go, clock.freed = False, None, real_monotonic()
    for wait in list(waits.open.values()):
        start_new_thread(wait.pass_by, ())


def answer(socket, rest):
    """Answers the play until it is gone, the rest of what it has said first; a thread runs this."""
    waits.observer = get_native_id()
    is_readable, pause = poller(socket.fileno()), SHORTEST
    while line.socket is socket:
        clock.observed = time.thread_time_ns()
        *messages, rest = rest.split(b"\n")
        for message in messages:
            attempt(take, message)
            pause = SHORTEST
        if waits.go and not is_readable(0):
            pause = SHORTEST if attempt(step) else min(pause * 1.5, LONGEST_PAUSE)
            real_sleep(pause)
            continue
        try:
            received = socket.recv(65_536)
        except OSError:
            received = b""
        if not received:
            return leave()
        rest += received


def connect():
    """Connects to the play, which tells how late it is before anything else is done."""
    host, _, port = os.environ["MAILBOX_SIM_OBSERVER"].rpartition(":")
    line.socket = socket = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        socket.settimeout(GREETING)
        socket.connect((host, int(port)))
        socket.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
        runtime = f"{sys.implementation.name.replace('cpython', 'python')} {sys.version.split()[0]}"
        line.tell({"hello": {"pid": os.getpid(), "runtime": runtime, "thread": 0}})
        text = b""
        while b"\n" not in text:
            received = socket.recv(65_536)
            if not received:
                raise OSError("The play is over.")
            text += received
        socket.settimeout(None)
    except OSError:
        line.socket = None
        raise
    first, _, rest = text.partition(b"\n")
    take(first)
    start_new_thread(answer, (socket, rest))


def after_fork():
    """Connects a forked child by itself: what waits and asks in its parent is the parent's."""
    socket = line.socket
    if socket is None:
        return
    socket.close()
    line.__init__()
    waits.__init__()
    for known in (links, ports, requests):
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


def note_start(event, _):
    """Takes note of another process that this one starts."""
    if event in STARTS and line.socket:
        asks()


@changing("multiprocessing.util", of_time=False)
def change_spawn(module):
    instead(module, "spawnv_passfds")(ask_first)


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
