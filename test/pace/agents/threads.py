"""One thread polls, and another one works at what it finds, by a queue."""

import queue
import threading
import time

from desk import call, news, reply_to, think

jobs = queue.Queue()


def work():
    while True:
        received = jobs.get()
        think()
        text = reply_to(received)
        if text:
            call(f"mail/messages/{received[-1]['id']}/reply", {"text": text})
        jobs.task_done()


threading.Thread(target=work, daemon=True).start()
while True:
    for received in news():
        jobs.put(received)
    time.sleep(2)
