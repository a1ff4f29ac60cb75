"""Two processes by multiprocessing: this one polls, and gives what is new to a worker, by a queue."""

import multiprocessing
import time

from desk import call, news, reply_to, think


def work(jobs):
    while True:
        received = jobs.get()
        think()
        text = reply_to(received)
        if text:
            call(f"mail/messages/{received[-1]['id']}/reply", {"text": text})


if __name__ == "__main__":
    jobs = multiprocessing.Queue()
    multiprocessing.Process(target=work, args=(jobs,), daemon=True).start()
    while True:
        for received in news():
            jobs.put(received)
        time.sleep(1)
