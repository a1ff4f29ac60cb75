"""Polls in the handler of the process's timer."""

import signal

from desk import react

signal.signal(signal.SIGALRM, lambda *_: react())
signal.setitimer(signal.ITIMER_REAL, 0.5, 0.5)
while True:
    signal.pause()
