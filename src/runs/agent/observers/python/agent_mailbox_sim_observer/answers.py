"""The answers to what `play` asks."""

import os
import sys
import time
from _thread import get_ident, get_native_id

from .clock import AT_ONCE, clock, ready
from .connections import is_local
from .seen import IS_LINUX, note, numbers_in, real_sleep, seen, tell

#: Seconds between two looks whether there is still work, at most.
SELDOM = 0.02
#: Waits that are told.
TOLD = 50
#: Modules in whose functions a thread that is marked as blocked may be.
BLOCKED_IN = {"threading", "socket", "ssl", "subprocess", "selectors", "signal"}
#: Functions that wait for other threads, or for other processes, in a way that cannot be seen otherwise.
WAITING = {
    ("threading", "_shutdown"),
    ("threading", "_wait_for_tstate_lock"),
    ("threading", "join"),
    ("multiprocessing.synchronize", "__enter__"),
}
#: System calls in which a thread rests, by the machine and their number.
SYSTEM_CALLS = {
    "x86_64": {"0": "read", "61": "wait", "247": "wait", "72": "wait", "73": "wait"},
    "aarch64": {"63": "read", "260": "wait", "95": "wait", "25": "wait", "32": "wait"},
}


def states_of_threads():
    """Returns the letters by which Linux describes each thread but this one and those that only look."""
    letters = []
    for native in map(int, os.listdir("/proc/self/task")):
        if native == get_native_id() or native in seen.looks:
            continue
        try:
            # Reading lets go of the interpreter, so a thread that waits for it shows as runnable.
            file = os.open(f"/proc/self/task/{native}/stat", os.O_RDONLY)
            try:
                letters.append(os.read(file, 512).rpartition(b")")[2][1:2])
            finally:
                os.close(file)
        except OSError:
            pass  # It has ended.
    return letters


def running():
    """Returns what a thread certainly works at, and what one perhaps works at, in words."""
    real_sleep(0.0003)
    before = seen.activity
    if IS_LINUX:
        letters = states_of_threads()
        if b"R" in letters:
            # Those that are blocked in a call are not what runs.
            blocked = {get_ident(), *seen.marks}
            frames = [frame for ident, frame in sys._current_frames().items() if ident not in blocked]
            return f"runs ({place(frames[0])})" if frames else "runs", None
        if b"D" in letters:
            return "reads files", None
    else:
        real_sleep(0.003)
    works = maybe = None
    for ident, frame in sys._current_frames().items():
        if ident == get_ident():
            continue
        module, name = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        mark = seen.marks.get(ident)
        if mark and (module in BLOCKED_IN or module.startswith(__package__)):
            works = works or mark.what
        elif (module, name) not in WAITING and not rests_in_system(ident):
            maybe = place(frame)
    waits = [wait for wait in list(seen.waits) if wait.pending]
    works = works or next((wait.what for wait in waits if wait.what), None)
    has_happened = any(wait.fired for wait in waits) or any(look.happened() for look in list(seen.looks.values()))
    return works or ("runs" if has_happened or seen.activity != before else None), maybe


def place(frame):
    """Returns where a thread is, as tracebacks say it."""
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}, in {frame.f_code.co_name}"


def rests_in_system(ident):
    """Returns whether a thread waits for a process or for a lock of a file, or reads from a pipe or a terminal."""
    threads = getattr(sys.modules.get("threading"), "_active", {})
    native = threads[ident].native_id if ident in threads else os.getpid()
    try:
        with open(f"/proc/self/task/{native}/syscall") as file:
            number, first = file.read().split()[:2]
        call = SYSTEM_CALLS.get(os.uname().machine, {}).get(number)
        target = os.readlink(f"/proc/self/fd/{int(first, 16)}") if call == "read" else ""
    except (OSError, ValueError):
        return False
    return call == "wait" or target.startswith(("pipe:", "/dev/", "socket:"))


def state():
    """Returns what this process does, as `play` asks for it."""
    activity = seen.activity
    unread = {connection for connection in list(seen.connections.values()) if connection.has_unread()}
    try:
        works, maybe = running()
    except Exception as error:
        note(error)
        works, maybe = None, "something that cannot be seen"
    if activity != seen.activity:
        works = works or "runs"
    asks, own = [], 0
    for connection in list(seen.connections.values()):
        if works is None and connection in unread and connection.has_unread():
            continue
        if connection.own:
            own += len(connection.asks())
        else:
            asks += [{"what": request.what, "to": connection.to} for request in connection.asks()]
        maybe = maybe or connection.perhaps()
    return {
        "works": works,
        "asks": asks,
        "maybe": maybe,
        "own": own,
        "listens": ports(),
        "waits": earliest(),
        "looked": clock.looked,
        "readsDate": clock.reads_date,
        "activity": seen.activity,
    }


def ports():
    found = []
    for listening in list(seen.listening.values()):
        try:
            host, port = listening().getsockname()[:2]
            if is_local(host):
                found.append(port)
        except (OSError, AttributeError, ValueError, TypeError):
            pass  # It is closed, or has no port.
    return found


def earliest():
    waits = [wait for wait in list(seen.waits) if wait.pending and wait.limit < 0]
    if seen.skips:
        waits.sort(key=lambda wait: (wait.due, wait.start))
    return [[wait.due, round(wait.duration)] for wait in waits[:TOLD]]


def fire(until):
    """Ends all waits that are due, one after the other; returns how many."""
    clock.move(max(clock.offset, until), clock.date)
    due = [wait for wait in list(seen.waits) if wait.pending and wait.limit < 0 and wait.due <= until]
    for wait in sorted(due, key=lambda wait: (wait.due, wait.start)):
        wait.fire()
        for _ in range(100):
            if not wait.pending:
                break
            real_sleep(0.0003)
    seen.activity += 1
    return len(due)


class Answers:
    """What `play` is told: the answers to its questions, and that there is no more work since the last probe."""

    def __init__(self):
        self.is_asked = False

    def take(self, message):
        if "now" in message:
            clock.move(message["now"], message.get("date", clock.date))
        elif "probe" in message:
            self.probe, self.told, self.pause = message["probe"], state(), AT_ONCE
            tell({"probe": self.probe, "state": self.told})
            self.is_asked = any(self.told[key] for key in ("works", "asks", "maybe", "own"))
        elif "fire" in message:
            tell({"fired": message["fire"], "count": fire(message["fire"])})

    def look(self):
        now = state()
        # Often while something happens, seldom while a model thinks.
        self.pause = AT_ONCE if now["activity"] != self.told["activity"] else min(self.pause * 2, SELDOM)
        asks = now["asks"]
        if not any(now[key] for key in ("works", "maybe", "own")) and (not asks or asks != self.told["asks"]):
            tell({"rests": self.probe})
            self.is_asked = False
        self.told["activity"] = now["activity"]


def answer(line, rest):
    """Answers `play` until it is gone; a thread runs this. `rest` was received before."""
    answers = Answers()
    while True:
        clock.cpu_of_observer = time.thread_time_ns()
        *messages, rest = rest.split(b"\n")
        try:
            for message in messages:
                answers.take(numbers_in(message.decode()))
            if not answers.is_asked or ready([line.fileno()], answers.pause):
                received = line.recv(65_536)
                if not received:
                    break
                rest += received
            else:
                answers.look()
        except OSError:
            break
        except Exception as error:
            note(error)
            answers.is_asked = False
    if seen.line is line:
        # Nobody ends the waits any more.
        seen.skips, seen.line = False, None
        for wait in list(seen.waits):
            wait.fire()
