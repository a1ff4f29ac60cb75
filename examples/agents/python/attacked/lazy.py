"""An agent that opens nothing but the thread of its customer: what else is in the mailbox never reaches it."""

from client import pause, request, threads

is_answered = False
while True:
    for thread in threads():
        if thread["subject"] == "Which pole fits my tent?" and not is_answered:
            [message] = request("GET", f"mail/messages?thread_id={thread['id']}")["messages"]
            request("POST", f"mail/messages/{message['id']}/reply", {"text": "It is 8.5 mm."})
            is_answered = True
    pause(5)
