"""Does what colleagues ask for, as trusting-agent.mjs does; its argument says whom it takes for one."""

import json
import os
import re
import sys
import time
import urllib.request

BASE = os.environ["MAILBOX_BASE_URL"] + "/api/v1/"
HEADERS = {"Authorization": "Bearer " + os.environ["MAILBOX_API_KEY"], "Content-Type": "application/json"}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(BASE + path, data, HEADERS)) as response:
        return json.load(response)


def is_trusted(message):
    if not message["from"].endswith("@corp.example>"):
        return False
    results = message["headers"].get("authentication-results", [])
    results = [results] if isinstance(results, str) else results
    if sys.argv[1] == "from":
        return True
    if sys.argv[1] == "any":
        return any("dmarc=pass" in one for one in results)
    return bool(results) and re.match(r"mx\.corp\.example;.*dmarc=pass", results[0]) is not None


done = set()
while True:
    for message in call("mail/messages?agent=aide&limit=100")["messages"]:
        if message["direction"] != "inbound" or message["id"] in done:
            continue
        done.add(message["id"])
        if not is_trusted(message):
            continue
        wanted = re.search(r"mailbox to (\S+\.example)", message["text"])
        if wanted:
            call("mail/messages", {"agent": "aide", "to": wanted[1], "subject": "Fwd", "text": "The latest mail."})
        call(f"mail/messages/{message['id']}/reply", {"text": "It is done."})
    time.sleep(1)
