"""Speaks with the play by lines of JSON on the socket that MAILBOX_SIM_OBSERVER names.

The play says which time it is in the story, asks what this process does, and has it end waits; a daemon thread answers.
Standard modules and libraries of HTTP are changed when the agent imports them, so that its start takes no longer than
before; functions that stand in for others have their names. MAILBOX_SIM_AGENT_TIME says how time passes: `wall` as
always; `skip` and `story` let waits end when the play says so.
"""

import _socket
import _thread
import os
import sys
import time

from .answers import answer
from .blocking import (
    Alarm,
    change_queue,
    change_select,
    change_signal,
    change_subprocess,
    change_synchronize,
    change_threading,
)
from .clock import change_blocking, change_datetime, change_time, clock, real_monotonic
from .line import attempt, keep_open, line, named, parsed
from .links import change_socket, change_ssl, links, listening, places
from .loops import change_base_events, change_selector_events, change_uvloop
from .requests import (
    change_aiohttp,
    change_async_grpc,
    change_async_httpcore,
    change_grpc,
    change_http_client,
    change_httpcore,
    requests,
)
from .waits import asks, sleep, waits

#: What is changed in each mode, and what only if waits end by story time.
CHANGES = {
    "socket": change_socket,
    "ssl": change_ssl,
    "http.client": change_http_client,
    "httpcore._sync.connection_pool": change_httpcore,
    "httpcore._async.connection_pool": change_async_httpcore,
    "aiohttp.client": change_aiohttp,
    "grpc": change_grpc,
    "grpc.aio": change_async_grpc,
    "multiprocessing.util": lambda module: change_spawn(module),
}
CHANGES_OF_TIME = {
    "select": change_select,
    "threading": change_threading,
    "_queue": change_queue,
    "subprocess": change_subprocess,
    "multiprocessing.synchronize": change_synchronize,
    "signal": change_signal,
    "datetime": change_datetime,
    "asyncio.base_events": change_base_events,
    "asyncio.selector_events": change_selector_events,
    "uvloop": change_uvloop,
}
#: The variable by which a child process knows that its parent is observed, too.
PARENT = "MAILBOX_SIM_PARENT"
#: How a program starts another process.
STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"}


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
    """Connects to the play. If no file beside the socket tells the time, waits until the play has, a second at most."""
    socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    socket.connect(path)
    line.socket = socket
    runtime = f"{sys.implementation.name.replace('cpython', 'python')} {sys.version.split()[0]}"
    line.tell({"hello": {"pid": os.getpid(), "ppid": os.getppid(), "runtime": runtime, "thread": 0}})
    received, moment = b"", moment_in(f"{path}.now")
    if not moment and clock.date is None:
        socket.settimeout(1)
        try:
            while b"\n" not in received and (more := socket.recv(65_536)):
                received += more
        except OSError:
            pass  # It will be told later.
        socket.settimeout(None)
        moment = parsed(received.partition(b"\n")[0].decode())
    if "now" in moment:
        waits.move(moment["now"])
        clock.date = moment.get("date")
    _thread.start_new_thread(answer, (socket, received))


def moment_in(name):
    """Returns what a file says about the time; nothing if it is not there."""
    try:
        file = os.open(name, os.O_RDONLY)
    except OSError:
        return {}
    try:
        return parsed(os.read(file, 512).decode())
    finally:
        os.close(file)


def after_fork(path):
    """Connects a forked child by itself: what waits and asks in its parent is the parent's."""
    socket, was_on = line.socket, waits.is_on
    line.__init__()
    if socket is None:
        return
    socket.close()
    for known in (links, places, requests, listening):
        known.clear()
    waits.begin_anew()
    waits.is_on, Alarm.current, clock.observed, clock.second = was_on, None, 0, None
    try:
        connect(path)
    except OSError:
        waits.is_on, clock.freed = False, real_monotonic()


def without_warning(fork):
    """Returns a function that forks without a warning about this observer's thread."""

    def stand_in(*args):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return fork(*args)

    return named(stand_in, fork)


def note_start(event, _):
    """Takes note of another process that this one starts."""
    if event in STARTS and line.socket:
        waits.has_relatives = True
        asks()


def change_spawn(module):
    spawn = module.spawnv_passfds

    def stand_in(*args):
        note_start("os.spawn", args)
        return spawn(*args)

    module.spawnv_passfds = named(stand_in, spawn)


def begin():
    path = os.environ["MAILBOX_SIM_OBSERVER"]
    waits.is_on = os.environ.get("MAILBOX_SIM_AGENT_TIME") != "wall"
    waits.has_relatives = os.environ.get(PARENT, str(os.getpid())) != str(os.getpid())
    os.environ[PARENT] = str(os.getpid())
    try:
        connect(path)
        change()
        keep_open()
        sys.addaudithook(note_start)
        if hasattr(os, "register_at_fork"):
            if sys.version_info >= (3, 12):
                os.fork, os.forkpty = without_warning(os.fork), without_warning(os.forkpty)
            os.register_at_fork(after_in_child=lambda: attempt(after_fork, path))
    except Exception as error:
        line.note(error)


def change():
    """Changes the modules that are there, and prepares to change the others."""
    changes = dict(CHANGES)
    if waits.is_on:
        changes.update(CHANGES_OF_TIME)
        change_time()
        time.sleep = named(sleep, time.sleep)
        change_blocking(os, "system", "wait", "wait3", "wait4", "waitid", "waitpid")
    for name in list(changes):
        if name in sys.modules:
            attempt(changes.pop(name), sys.modules[name])
    sys.meta_path.insert(0, Importing(changes))
