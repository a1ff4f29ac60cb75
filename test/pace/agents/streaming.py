"""Reads the answer of its model line by line."""

import time
from urllib.request import Request, urlopen

from desk import MODEL, react


def think():
    with urlopen(Request(f"{MODEL}&stream=1", b"{}")) as response:
        for _ in response:
            pass


while True:
    react(think=think)
    time.sleep(1)
