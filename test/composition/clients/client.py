"""Tells the story of a plan with the package for Python, and writes what it saw."""

import json
import re
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

from agent_mailbox_sim import Mailbox, start_server

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)


class Session:
    """A mailbox of a server, which may be moved to another one."""

    def __init__(self):
        self.server = start_server(plan["scenario"], arguments=plan["flags"], command=plan["command"])
        self.first = self.now = self.server.open_mailbox()
        self.kept = None

    def call(self, method, path, body=None):
        return self.server.request(method, path, body, world=self.now.id)

    def ask(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.now.api_key}", "content-type": "application/json"}
        headers["idempotency-key"] = "once"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.now.base_url + path, data, headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            text = answer.read().decode("utf-8", "replace")
            return f"{answer.status} {answer.headers['content-type']} {text.replace(self.now.base_url, '<service>')}"

    def snapshot(self):
        self.kept = self.call("GET", "/snapshot")

    def restore(self):
        self.call("PUT", "/snapshot", self.kept)

    def fork(self):
        with ThreadPoolExecutor() as pool:
            worlds = list(pool.map(lambda _: self.server.open_mailbox(), range(3)))
        assert len({world.id for world in worlds} | {self.first.id}) == 4, [world.id for world in worlds]
        self.now = worlds[-1]

    def original(self):
        self.now = self.first

    def reset(self):
        self.now.reset()

    def restart(self):
        world = {"id": self.now.id, "api_key": self.now.api_key}
        self.server.close()
        self.server = start_server(plan["scenario"], arguments=plan["flags"], command=plan["command"])
        self.now = Mailbox(self.server, world) if plan["durable"] else self.server.open_mailbox()

    def walk(self, chapter):
        seen = []
        for step in plan["chapters"][chapter]:
            if "ask" in step:
                seen.append(self.ask(*step["ask"]))
            elif "file" in step:
                seen.append(self.ask("GET", re.search(r"/attachments/[^\"]+", seen[-1] + '/attachments/none"')[0]))
            elif "until" in step:
                instant = datetime.fromisoformat(plan["start"].replace("Z", "+00:00")) + timedelta(hours=step["until"])
                self.call("POST", "/clock", {"to": instant.isoformat().replace("+00:00", "Z")})
            elif "assumptions" in step:
                self.now.set_assumptions(step["assumptions"])
            else:
                with urllib.request.urlopen(plan["receiver"]) as answer:
                    seen.append(f"received {', '.join(json.load(answer))}")
        return seen


session = Session()
told = []
for word in plan["words"]:
    if word in plan["chapters"]:
        told.append({"chapter": word, "seen": session.walk(word)})
    else:
        getattr(session, word)()
session.server.close()
with open(plan["out"], "w", encoding="utf-8") as file:
    json.dump(told, file)
