"""Answers each mail once, and has a habit of agents as people have them, which its argument names."""

import asyncio
import multiprocessing
import os
import queue
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

from desk import react, think


def poll(work=think, seconds=5, each=lambda: None):
    while True:
        each()
        react(think=work)
        time.sleep(seconds)


def sink():
    return socket.create_connection(("127.0.0.1", int(os.environ["SINK"])))


def until(act):
    """Works until a time of its own clock."""
    end = time.time() + 3
    while time.time() < end:
        act()


def spin():
    while True:
        pass


def endless():
    job = multiprocessing.get_context("fork").Process(target=spin)
    job.start()
    job.join(2)
    job.kill()


def idle():
    to = sink()
    poll(each=to.fileno)


def log():
    to = sink()
    poll(each=lambda: to.sendall(b"poll\n"))


def alarm():
    """Gives up what would never come."""

    def ring(*_):
        raise TimeoutError

    def work():
        signal.signal(signal.SIGALRM, ring)
        signal.alarm(2)
        try:
            socket.create_server(("127.0.0.1", 0)).accept()
        except TimeoutError:
            think()

    poll(work)


def accepts():
    def work():
        server = socket.create_server(("127.0.0.1", 0))
        server.settimeout(2)
        try:
            server.accept()
        except socket.timeout:
            think()

    poll(work)


def cron():
    while True:
        for _ in range(600):
            time.sleep(1)
        react()


def beats():
    threading.Thread(target=lambda: [time.sleep(1) for _ in iter(int, 1)], daemon=True).start()
    poll(seconds=20)


def gathers():
    async def main():
        while True:
            await asyncio.gather(asyncio.to_thread(react), asyncio.sleep(5))

    asyncio.run(main())


def pool():
    with multiprocessing.get_context("spawn").Pool(2) as workers:
        poll(lambda: workers.apply(think))


def stores():
    """Keeps what it has still to do in a database, which a thread works off."""
    path = os.path.join(os.environ["MAILBOX_STATE_DIR"], "jobs.db")
    jobs = sqlite3.connect(path)
    jobs.execute("create table if not exists jobs (done integer)")
    news = queue.Queue()
    threading.Thread(target=poll, args=(lambda: news.put(1) or news.join(),), daemon=True).start()
    while True:
        news.get()
        with jobs:
            jobs.execute("insert into jobs values (1)")
        think()
        news.task_done()


if __name__ == "__main__":
    habits = {
        "blocks": lambda: poll(lambda: until(lambda: subprocess.run(["sleep", "0.4"]))),
        "endless": lambda: poll(endless),
    }
    name = sys.argv[1]
    habits.get(name, globals().get(name))()
