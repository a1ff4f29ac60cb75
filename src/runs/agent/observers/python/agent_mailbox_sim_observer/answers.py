"""The answers to what the play asks. The observer's thread gives them."""

import time
from _thread import get_native_id

from .blocking import poller
from .clock import clock, real_monotonic, real_sleep
from .line import attempt, line, parsed
from .links import ports, unanswered
from .requests import open_requests
from .waits import SHORTEST, Go, end_go, running, step, waits

#: Waits that are told, and requests.
TOLD = 50
#: Real seconds between two looks during a `go`, at most.
LONGEST_PAUSE = 0.005


def works():
    """Returns what this process works at, in words; None if at nothing."""
    before = line.activity
    # Whoever may run now does so, or waits for the interpreter.
    real_sleep(SHORTEST)
    what = running() or next(iter(list(waits.real.values())), None)
    return what or ("computes" if waits.ending or line.activity != before else None)


def about(request):
    return {
        "id": request.number,
        "body": request.body,
        "status": request.status,
        "events": request.is_stream,
        "quiet": request.quiet(),
    }


def state():
    """Returns what this process does."""
    what = works()
    requests, links = open_requests(), unanswered()
    own = sum(request.is_own for request in requests) + sum(link.is_own for link, _ in links)
    return {
        "works": what,
        "own": own,
        "asks": [about(request) for request in requests if not request.is_own][-TOLD:],
        "links": [
            {"to": link.to, "asked": int((real_monotonic() - asked) * 1000), "left": link.left}
            for link, asked in links
            if not link.is_own
        ][-TOLD:],
        "listens": ports(),
        "idle": [],
        "waits": [[wait.number, wait.due, wait.duration, wait.by] for wait in waits.earliest()[:TOLD]],
        "readsDate": clock.reads_date,
        "activity": line.activity,
    }


def take(message):
    """Does what the play says in a line."""
    if "now" in message:
        clock.offset = max(clock.offset, message["now"])
        clock.date = message.get("date", clock.date)
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
        wait.wake()


def answer(socket, rest):
    """Answers the play until it is gone, the rest of what it has said first; a thread runs this."""
    waits.observer = get_native_id()
    is_readable, pause = poller(socket.fileno()), SHORTEST
    while line.socket is socket:
        clock.observed = time.thread_time_ns()
        *messages, rest = rest.split(b"\n")
        for message in messages:
            attempt(take, parsed(message))
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
