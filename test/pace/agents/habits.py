"""Answers each mail once, and has a habit of agents as people have them, which its argument names."""

import multiprocessing
import os
import queue
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


def sink(port=os.environ["SINK"]):
    return socket.create_connection(("127.0.0.1", int(port)))


def until(act):
    """Works until a time of its own clock."""
    end = time.time() + 1
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


def hears():
    """Waits between two rounds for what it might be told."""
    to = sink()
    to.settimeout(5)

    def hear():
        try:
            to.recv(9)
        except socket.timeout:
            pass

    poll(seconds=0, each=hear)


def asks():
    models = []

    def ask():
        if not models:
            models.append(sink(os.environ["JOBS"]))
            models[0].recv(9)
        for _ in range(3):
            models[0].sendall(b"what\n")
            models[0].recv(9)

    poll(ask)


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
