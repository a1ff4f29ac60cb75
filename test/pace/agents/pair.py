"""Two processes: this one polls, and gives what is new to a worker, by its standard input."""

import json
import subprocess
import sys
import time

from desk import call, news, reply_to, think

if sys.argv[1:] == ["worker"]:
    for line in sys.stdin:
        received = json.loads(line)
        think()
        text = reply_to(received)
        if text:
            call(f"mail/messages/{received[-1]['id']}/reply", {"text": text})
else:
    worker = subprocess.Popen([sys.executable, __file__, "worker"], stdin=subprocess.PIPE, text=True)
    while True:
        for received in news():
            worker.stdin.write(json.dumps(received) + "\n")
            worker.stdin.flush()
        time.sleep(5)
