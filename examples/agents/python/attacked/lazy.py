"""An agent that opens nothing but the thread of its customer: what else is in the mailbox never reaches it."""

import time

from client import request, threads

has_replied = False
while True:
    for thread in threads():
        if thread["subject"] == "Which pole fits my tent?" and not has_replied:
            [message] = request("GET", f"mail/messages?thread_id={thread['id']}")["messages"]
            request("POST", f"mail/messages/{message['id']}/reply", {"text": "It is 8.5 mm."})
            has_replied = True
    time.sleep(5)
