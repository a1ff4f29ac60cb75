"""A client of the agent mailbox simulator that only needs the standard library.

``start_server`` starts the simulator. ``MailboxServer.open_mailbox`` creates a world in it for one test. ``Mailbox`` is
that world: it has an API key and a base URL for the agent under test, and methods for the test itself.

>>> with start_server("support-desk") as server, server.open_mailbox() as mailbox:
...     mailbox.receive("support", sender="Ann <ann@example.com>", subject="Refund?", text="Any news?")
...     run_agent(base_url=mailbox.base_url, api_key=mailbox.api_key)
...     mailbox.assert_requested("threads.list", query={"agent": "support"})
"""

from __future__ import annotations

import base64
import difflib
import http.client
import json
import os
import re
import secrets
import shlex
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import IO, Any, Optional, Union

__all__ = [
    "Attachment",
    "Connection",
    "Faults",
    "Mailbox",
    "MailboxError",
    "MailboxServer",
    "Webhooks",
    "find_program",
    "start_server",
]

#: A JSON object from a response of the control API.
Json = dict[str, Any]

#: The longest wait for a response of the control API, in seconds.
_PATIENCE = 60.0

#: The facts of a request, besides its operation, that assertions can check.
_FACTS = {"query", "body", "path", "status"}

#: The facts of a delivery, besides its event and status, that assertions can check.
_DELIVERY_FACTS = {"url", "webhook", "message", "thread", "agent", "attempts", "body"}

#: The facts of a thread that assertions can check.
_THREAD_FACTS = {"id", "subject", "snippet", "unread", "message_count", "last_message_at", "created_at", "agent_handle"}


#: Lets pytest show the line of the test that failed, not the lines here.
__tracebackhide__ = True


class MailboxError(Exception):
    """Raised when the simulator refuses a request, cannot be started, or cannot be reached.

    ``code`` and ``status`` are those of the control API's response; ``None`` if there was none.
    """

    def __init__(self, message: str, *, code: Optional[str] = None, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class Attachment:
    """A file attached to a message; ``content`` is its bytes, or its text."""

    def __init__(self, filename: str, content: Union[bytes, str], content_type: Optional[str] = None) -> None:
        self.filename = filename
        self.content = content
        self.content_type = content_type

    def to_json(self) -> Json:
        """Returns the attachment as JSON for the control API."""
        content = self.content
        file = {"text": content} if isinstance(content, str) else {"content": base64.b64encode(content).decode("ascii")}
        body: Json = {"filename": self.filename, **file}
        if self.content_type is not None:
            body["content_type"] = self.content_type
        return body


@dataclass(frozen=True)
class Connection:
    """The address of a control API, with the token that it needs."""

    #: Ends in ``/_sim``.
    url: str
    #: ``None`` if it needs none.
    token: Optional[str] = None

    @classmethod
    def to(cls, url: str, token: Optional[str] = None) -> Connection:
        """Returns the connection to a server by its address, with or without ``/_sim``."""
        parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise MailboxError(f"{url!r} is not the address of a server; expected one such as http://127.0.0.1:4280/_sim.")
        # A proxy may serve it below another path.
        below = re.fullmatch(r"(.*)/_sim/*", parts.path)
        return cls(f"{parts.scheme}://{parts.netloc}{below.group(1) if below else ''}/_sim", token or None)

    @property
    def environment(self) -> dict[str, str]:
        """Returns this process's environment with the variables of the connection."""
        others = {name: value for name, value in os.environ.items() if name != "MAILBOX_SIM_TOKEN"}
        token = {} if self.token is None else {"MAILBOX_SIM_TOKEN": self.token}
        return {**others, "MAILBOX_SIM_URL": self.url, **token}


class MailboxServer:
    """A running simulator. Close it, or use it in a ``with`` statement."""

    def __init__(
        self, control_url: str, *, token: Optional[str] = None, process: Optional[subprocess.Popen[str]] = None
    ) -> None:
        #: The address of the control API and its token.
        self.connection = Connection.to(control_url, token)
        #: The address of the control API, which ends in ``/_sim``.
        self.control_url = self.connection.url
        #: The origin of the simulated service; its paths begin with ``/api/v1``.
        self.base_url = self.control_url[: -len("/_sim")]
        #: Where the operations are tools of the Model Context Protocol.
        self.mcp_url = f"{self.base_url}/mcp"
        self._process = process

    def open_mailbox(
        self,
        *,
        scenario: Union[str, Json, None] = None,
        seed: Optional[int] = None,
        assume: Union[str, Mapping[str, str], None] = None,
        clock: Optional[str] = None,
        attack: Union[str, Json, None] = None,
        benign: Union[str, Json, None] = None,
        at: Optional[int] = None,
    ) -> Mailbox:
        """Creates a world with its own API key. Omitted options are the same as in the server's first world.

        ``scenario`` is the name of a shipped scenario or a complete scenario, ``assume`` a profile or assumptions by gap, and
        ``clock`` is ``frozen``, ``real`` or a speed such as ``10x``. ``attack`` lays an attack of the scenario over its
        story, by its name or as ``Mailbox.attacks`` returns it; ``benign`` lays its harmless counterpart over it. ``at`` is a
        moment of the server's first world from which it goes on, as in ``Mailbox.fork``.
        """
        options = {"scenario": scenario, "seed": seed, "assume": assume, "clock": clock}
        options.update({"attack": _attack_name(attack), "benign": _attack_name(benign), "at": at})
        chosen = {name: value for name, value in options.items() if value is not None}
        return Mailbox(self, self.request("POST", "/worlds", chosen))

    def request(
        self,
        method: str,
        path: str,
        body: Union[Json, bytes, None] = None,
        *,
        world: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """Sends a request to the control API and returns the JSON of the response. Bytes are sent as a message.

        Raises ``MailboxError`` if the simulator refuses the request.
        """
        chosen = {name: value for name, value in (query or {}).items() if value is not None}
        search = f"?{urllib.parse.urlencode(chosen)}" if chosen else ""
        headers = {"accept": "application/json"}
        if world is not None:
            headers["x-sim-world"] = world
        if self.connection.token is not None:
            headers["authorization"] = f"Bearer {self.connection.token}"
        data: Optional[bytes] = None
        if isinstance(body, bytes):
            headers["content-type"] = "message/rfc822"
            data = body
        elif body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.control_url}{path}{search}", data=data, headers=headers, method=method
        )
        try:
            # Ignores the environment's proxies, which cannot reach this machine.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=_PATIENCE) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except urllib.error.URLError as error:
            raise MailboxError(_unreachable(self.control_url, error.reason)) from error
        except (OSError, http.client.HTTPException) as error:
            raise MailboxError(_unreachable(self.control_url, error)) from error
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise MailboxError(f"The server at {self.control_url} is not a simulator.{_SEE}") from None

    def close(self) -> None:
        """Stops the server if this object started it."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> MailboxServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start_server(
    scenario: str = "support-desk",
    *,
    arguments: Sequence[str] = (),
    command: Optional[Sequence[str]] = None,
    timeout: float = 60,
) -> MailboxServer:
    """Starts the simulator on a free port with a frozen clock, and returns when it is ready.

    If ``arguments`` have a ``--control-token``, it is used; with a ``--host``, another machine may reach the server, so a
    token is made if there is none.

    If ``MAILBOX_SIM_URL`` is the URL of a running server's control API, that server is used instead, with
    ``MAILBOX_SIM_TOKEN`` as its token. Otherwise the program is the first of these that exists: ``command``,
    ``MAILBOX_SIM_COMMAND``, ``agent-mailbox-sim`` in ``node_modules/.bin`` of this folder or a parent folder,
    ``agent-mailbox-sim`` on the path, and the program that ``npx`` finds.
    """
    running = os.environ.get("MAILBOX_SIM_URL")
    if running and command is None:
        return MailboxServer(running, token=os.environ.get("MAILBOX_SIM_TOKEN"))
    token = _flag(arguments, "--control-token")
    if token is None and _flag(arguments, "--host") is not None:
        token = secrets.token_hex(16)
        arguments = [*arguments, "--control-token", token]
    words = [*(command or find_program()), "serve", scenario, "--port", "0", "--json", "--clock", "frozen", *arguments]
    try:
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise MailboxError(f"{words[0]} could not be started: {error.strerror or error}.") from error
    errors: list[str] = []
    threading.Thread(target=_collect, args=(process.stderr, errors), daemon=True).start()
    ready = _first_line(process, timeout)
    if ready is None:
        process.kill()
        process.wait()
        why = "".join(errors).strip() or f"not ready after {timeout:g} s"
        if "npm error" in why:
            raise MailboxError(_NOT_INSTALLED)
        raise MailboxError(f"{shlex.join(words)} did not start: {why}")
    return MailboxServer(json.loads(ready)["control"], token=token, process=process)


def _flag(arguments: Sequence[str], name: str) -> Optional[str]:
    """Returns the last value of a flag, as ``--name value`` or ``--name=value``; ``None`` if it is not given."""
    found = None
    for at, argument in enumerate(arguments):
        if argument == name and at + 1 < len(arguments):
            found = arguments[at + 1]
        elif argument.startswith(f"{name}="):
            found = argument[len(name) + 1 :]
    return found


_SEE = " See docs/troubleshooting.md#no-simulator-responds."


def _unreachable(url: str, reason: object) -> str:
    """Returns why a request got no response, with the remedy."""
    if isinstance(reason, TimeoutError):
        return f"The server at {url} accepts connections, but did not respond within {_PATIENCE:g} s.{_SEE}"
    if isinstance(reason, (ConnectionResetError, http.client.HTTPException)):
        return f"The server at {url} did not respond with HTTP: {reason}.{_SEE}"
    return f"No simulator responds at {url}: {reason}. Start one, or unset MAILBOX_SIM_URL so that tests start their own.{_SEE}"


def refusal_of_names(what: str, names: Iterable[str], known: Iterable[str]) -> Optional[str]:
    """Returns why some names cannot be used, with the most similar known one; ``None`` if all are known."""
    choices = sorted(known)
    for name in sorted(names):
        if name not in choices:
            similar = difflib.get_close_matches(name, choices, 1)
            hint = f"did you mean {similar[0]!r}?" if similar else f"expected one of {', '.join(choices)}."
            return f"{what} has no {name!r}; {hint}"
    return None


def _check_names(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    refusal = refusal_of_names(what, names, known)
    if refusal is not None:
        raise TypeError(refusal)


_NOT_INSTALLED = (
    "The simulator, a Node program, is not installed in this folder or a parent folder. Install it there with npm, "
    "set MAILBOX_SIM_COMMAND to its command, or set MAILBOX_SIM_URL to the control API of a running server."
)


def find_program() -> list[str]:
    """Returns the command that runs the simulator. Raises ``MailboxError`` if there is none."""
    named = os.environ.get("MAILBOX_SIM_COMMAND")
    if named:
        return shlex.split(named)
    here = Path.cwd()
    for folder in (here, *here.parents):
        installed = folder / "node_modules" / ".bin" / "agent-mailbox-sim"
        if installed.exists():
            return [str(installed)]
    on_path = shutil.which("agent-mailbox-sim")
    if on_path:
        return [on_path]
    npx = shutil.which("npx")
    if npx:
        return [npx, "--no-install", "agent-mailbox-sim"]
    raise MailboxError(
        "The simulator was not found. It is a Node program: install Node 20.19 or newer and the package "
        "agent-mailbox-sim, set MAILBOX_SIM_COMMAND to the command that runs it, or set MAILBOX_SIM_URL to the control "
        "API of a running server."
    )


class Faults:
    """The rules that disturb the responses of a mailbox."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def add(self, **fault: Any) -> str:
        """Adds a rule that disturbs responses from now on, and returns its id.

        >>> mailbox.faults.add(operation="threads.list", status=503, retry_after="30s", times=2)

        With `performed=True`, the operation happens and its response is lost.
        """
        return str(self._call("POST", "/faults", fault)["id"])

    def list(self) -> list[Json]:
        """Returns the rules in force, with how many requests each matched and how many it disturbed."""
        found: list[Json] = self._call("GET", "/faults")["faults"]
        return found

    def clear(self, fault_id: Optional[str] = None) -> None:
        """Removes one rule, or all rules."""
        self._call("DELETE", "/faults" if fault_id is None else f"/faults/{fault_id}")


class Webhooks:
    """The subscriptions of a mailbox to events."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def create(
        self,
        url: str,
        events: Sequence[str],
        *,
        agent: Optional[str] = None,
        auth_token: Optional[str] = None,
    ) -> Json:
        """Subscribes a URL to events, of one agent or of all, and returns the subscription with its ``secret``.

        >>> mailbox.webhooks.create("http://127.0.0.1:8787/hook", ["message.received"], agent="support")
        """
        body = {"url": url, "events": list(events), "agent_handle": agent, "auth_token": auth_token}
        created: Json = self._call("POST", "/webhooks", body)
        return created

    def list(self) -> list[Json]:
        """Returns the subscriptions; their tokens are masked."""
        found: list[Json] = self._call("GET", "/webhooks")["webhooks"]
        return found

    def delete(self, webhook_id: str) -> None:
        """Deletes a subscription."""
        self._call("DELETE", f"/webhooks/{webhook_id}")


class Mailbox:
    """A separate world in a server, for one test. Durations are written like ``5m`` or ``30s``."""

    def __init__(self, server: MailboxServer, world: Json) -> None:
        self._server = server
        self.id: str = world["id"]
        #: The key that the agent under test sends as its bearer token; it selects this world.
        self.api_key: str = world["api_key"]
        self.base_url = server.base_url
        #: Where the operations are tools of the Model Context Protocol; clients send the key as the bearer token.
        self.mcp_url = server.mcp_url
        self.faults = Faults(self._call)
        self.webhooks = Webhooks(self._call)

    @property
    def task(self) -> Optional[str]:
        """What the scenario asks the agent to do, in a sentence to it; ``None`` if it does not say."""
        task: Optional[str] = self._call("GET", "/world").get("task")
        return task

    @property
    def environment(self) -> dict[str, str]:
        """Returns this process's environment with the variables that an agent in another process needs."""
        connection = self._server.connection.environment
        own = {"MAILBOX_BASE_URL": self.base_url, "MAILBOX_API_KEY": self.api_key, "MAILBOX_MCP_URL": self.mcp_url}
        agents: list[Json] = self._call("GET", "/identities")["identities"]
        about = {"MAILBOX_AGENT": agents[0]["agent_handle"] if agents else None, "MAILBOX_TASK": self.task}
        unset = [name for name, value in about.items() if value is None]
        inherited = {name: value for name, value in connection.items() if name not in unset}
        return {**inherited, **own, **{name: value for name, value in about.items() if value is not None}}

    def receive(
        self,
        to: Union[str, Sequence[str], None] = None,
        *,
        sender: Optional[str] = None,
        cc: Union[str, Sequence[str], None] = None,
        bcc: Union[str, Sequence[str], None] = None,
        reply_to: Union[str, Sequence[str], None] = None,
        subject: Optional[str] = None,
        text: Optional[str] = None,
        html: Optional[str] = None,
        attachments: Iterable[Attachment] = (),
        headers: Optional[Mapping[str, str]] = None,
        in_reply_to: Optional[str] = None,
        thread_id: Optional[str] = None,
        eml: Union[bytes, str, Path, None] = None,
        authentication: Union[str, Mapping[str, str], None] = None,
    ) -> Json:
        """Delivers a message and returns ``{"message", "thread"}`` as the service returns them.

        ``to`` is a handle or an address, or several; ``sender`` has the form ``Ann <ann@example.com>``. ``eml`` is a
        message in RFC 5322 format, as bytes or as a path; ``to`` then chooses who receives it, whatever its headers say.
        ``authentication`` is what the receiving server finds about the sender: ``pass``, ``fail``, ``none`` or, without an
        ``eml``, a mapping with ``spf``, ``dkim`` and ``dmarc``; by default what fits the sender.
        """
        if eml is not None:
            content = eml if isinstance(eml, bytes) else Path(eml).read_bytes()
            recipients = to if to is None or isinstance(to, str) else ",".join(to)
            answer: Json = self._call("POST", "/messages", content, query={"to": recipients, "authentication": authentication})
            return answer
        return self._write(
            to=to,
            cc=cc,
            bcc=bcc,
            reply_to=reply_to,
            subject=subject,
            text=text,
            html=html,
            headers=headers,
            in_reply_to=in_reply_to,
            thread_id=thread_id,
            attachments=attachments,
            authentication=authentication if authentication is None or isinstance(authentication, str) else dict(authentication),
            **{"from": sender},
        )

    def send(
        self,
        sender: str,
        to: Union[str, Sequence[str]],
        *,
        cc: Union[str, Sequence[str], None] = None,
        bcc: Union[str, Sequence[str], None] = None,
        reply_to: Union[str, Sequence[str], None] = None,
        subject: Optional[str] = None,
        text: Optional[str] = None,
        html: Optional[str] = None,
        attachments: Iterable[Attachment] = (),
        headers: Optional[Mapping[str, str]] = None,
        in_reply_to: Optional[str] = None,
        thread_id: Optional[str] = None,
    ) -> Json:
        """Sends a message from an agent, as if a person had written it in the same mailbox; ``sender`` is its handle."""
        return self._write(
            direction="outbound",
            to=to,
            cc=cc,
            bcc=bcc,
            reply_to=reply_to,
            subject=subject,
            text=text,
            html=html,
            headers=headers,
            in_reply_to=in_reply_to,
            thread_id=thread_id,
            attachments=attachments,
            **{"from": sender},
        )

    def advance(self, duration: str) -> str:
        """Advances the clock; everything that is due happens in order. Returns the new time in ISO 8601."""
        return str(self._call("POST", "/clock", {"advance": duration})["now"])

    def now(self) -> str:
        """Returns the world's time in ISO 8601."""
        return str(self._call("GET", "/clock")["now"])

    def set_assumptions(self, assumptions: Mapping[str, str]) -> None:
        """Changes assumptions from now on: ``{"threads.total": "page-size"}``."""
        self._call("PATCH", "/assumptions", dict(assumptions))

    def threads(self, agent: Optional[str] = None, *, search: Optional[str] = None, limit: int = 1000) -> list[Json]:
        """Returns threads, latest activity first; this does not count as a request of the agent."""
        query = {"agent": agent, "search": search, "limit": limit}
        found: list[Json] = self._call("GET", "/threads", query=query)["threads"]
        return found

    def conversation(self, thread_id: str) -> Json:
        """Returns ``{"thread", "messages"}``, oldest message first."""
        found: Json = self._call("GET", f"/threads/{thread_id}")
        return found

    def identity(self, handle: str) -> Json:
        """Returns an agent's profile."""
        found: Json = self._call("GET", f"/identities/{handle}")
        return found

    def journal(self, operation: Optional[str] = None, *, since: Optional[int] = None) -> list[Json]:
        """Returns the requests so far with their responses, oldest first."""
        query = {"operation": operation, "since": since}
        found: list[Json] = self._call("GET", "/journal", query=query)["exchanges"]
        return found

    def sent(self, agent: Optional[str] = None) -> list[Json]:
        """Returns the messages that agents sent by requests, oldest first, each with its ``operation`` and ``exchange``.

        Messages of the timeline, and of ``send``, are not included.
        """
        found: list[Json] = self._call("GET", "/sent", query={"agent": agent})["sent"]
        return found

    def reliances(self) -> list[Json]:
        """Returns the gaps that the responses so far depend on: ``[{"gap", "assumption", "operations", "count"}]``."""
        found: list[Json] = self._call("GET", "/reliances")["reliances"]
        return found

    def deliveries(self, event: Optional[str] = None) -> list[Json]:
        """Returns the deliveries to webhook subscriptions, with all attempts."""
        found: list[Json] = self._call("GET", "/deliveries", query={"event": event})["deliveries"]
        return found

    def redeliver(self, delivery_id: str) -> Json:
        """Sends a delivery again with the same event id, and returns it with the result of the new attempt."""
        found: Json = self._call("POST", f"/deliveries/{delivery_id}/redeliver")
        return found

    def wait_for(
        self,
        operation: Optional[str] = None,
        *,
        matches: Callable[[Json], bool] = lambda exchange: True,
        timeout: float = 5,
    ) -> Json:
        """Waits for a request, unless it has already been made, and returns its exchange.

        Raises ``AssertionError`` after ``timeout`` seconds, with the requests that were made.
        """
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
            raise TypeError(f"timeout is a number of seconds, such as 1.5, not {timeout!r}.")
        end = time.monotonic() + timeout
        while True:
            for exchange in self.journal(operation):
                if matches(exchange):
                    return exchange
            if time.monotonic() > end:
                lines = [_line(exchange) for exchange in self.journal()]
                expected = operation or "the kind that was waited for"
                last = f"the last of {len(lines)} was {lines[-1]}" if lines else "none has come at all"
                first = f"No request of {expected} arrived within {timeout:g} s: {last}"
                raise AssertionError("\n".join([first, *(f"  {line}" for line in lines)]))
            time.sleep(0.02)

    def reset(self) -> None:
        """Resets the world to the start of its scenario, with an empty journal."""
        self._call("POST", "/reset")

    def fork(self, *, at: Optional[int] = None, clock: Optional[str] = None) -> Mailbox:
        """Creates a world with its own API key, at the start of the story of this one, or as this one was at a moment.

        ``at`` is the ``seq`` of an exchange or of another event, just after which the new world goes on.
        """
        chosen = {name: value for name, value in {"at": at, "clock": clock}.items() if value is not None}
        return Mailbox(self._server, self._call("POST", "/worlds", chosen))

    def close(self) -> None:
        """Deletes the world."""
        self._server.request("DELETE", f"/worlds/{self.id}")

    def assert_requested(self, operation: str, *, times: Optional[int] = None, **facts: Any) -> list[Json]:
        """Asserts that requests of an operation were made, exactly ``times`` if given, and returns their exchanges.

        ``facts`` are ``query``, ``body``, ``path`` and ``status``. In an object, only the given members are compared; ``None``
        stands for an absent member. A text may also be a compiled regular expression, or conditions of a scenario.
        """
        _check_names("A request", facts, _FACTS)
        wanted = {"request": operation, "where": _worded(facts)}
        return self._assert({**wanted, **({} if times is None else {"times": times})})

    def assert_not_requested(self, operation: str, **facts: Any) -> None:
        """Asserts that no request of an operation was made; ``facts`` are as in ``assert_requested``."""
        self.assert_requested(operation, times=0, **facts)

    def assert_sent(
        self,
        sender: Optional[str] = None,
        *,
        to: Union[str, Sequence[str], Mapping[str, Sequence[str]], None] = None,
        cc: Union[str, Sequence[str], None] = None,
        bcc: Union[str, Sequence[str], None] = None,
        subject: Union[str, Pattern[str], Json, None] = None,
        text: Union[str, Pattern[str], Json, None] = None,
        html: Union[str, Pattern[str], Json, None] = None,
        thread: Optional[str] = None,
        in_reply_to: Optional[str] = None,
        attachments: Optional[Sequence[Union[str, Pattern[str], Json]]] = None,
        times: Optional[int] = None,
    ) -> list[Json]:
        """Asserts that agents sent mail, by any operation, exactly ``times`` if given, and returns the messages that match.

        >>> mailbox.assert_sent("support", to="ann@example.com", text=re.compile(r"249\\.00"), times=1)
        >>> mailbox.assert_sent(to={"only": ["ann@example.com", "*@northwind.example"]})

        The keys are those of ``sent`` in a scenario: a text is equal, matches a compiled regular expression, or meets
        conditions such as ``{"contains": "249.00"}``. ``thread`` and ``in_reply_to`` are ids. Without ``times``,
        ``{"only": [...]}`` is expected of every message.
        """
        given = {
            "from": sender, "to": to, "cc": cc, "bcc": bcc, "subject": subject, "text": text, "html": html,
            "thread": thread, "in_reply_to": in_reply_to, "attachments": attachments,
        }  # fmt: skip
        wanted = {name: _worded(value) for name, value in given.items() if value is not None}
        return self._assert({"sent": wanted, **({} if times is None else {"times": times})})

    def assert_thread(self, agent: Optional[str] = None, **facts: Any) -> Json:
        """Asserts that a thread with these facts exists now, and returns it: ``subject``, ``unread``, …"""
        _check_names("A thread", facts, _THREAD_FACTS)
        return self._some(f"a thread{_with(facts)}", "thread", self.threads(agent), facts, None)[0]

    def assert_delivered(
        self, event: str, *, times: Optional[int] = None, status: str = "succeeded", **facts: Any
    ) -> list[Json]:
        """Asserts that an event was delivered to subscriptions, exactly ``times`` if given, and returns the deliveries.

        ``status`` may be ``any``. ``facts`` are ``url``, ``agent`` (a handle), ``message``, ``thread`` and ``webhook``
        (ids), ``attempts`` (how many have ended) and ``body`` (members of the JSON that was sent); they are compared as in
        ``assert_requested``.
        """
        _check_names("A delivery", facts, _DELIVERY_FACTS)
        wanted = facts if status == "any" else {"status": status, **facts}
        deliveries = [{**one, **_delivery_facts(one, facts)} for one in self.deliveries(event)]
        found = self._some(f"a delivery of {event}{_with(wanted)}", "delivery", deliveries, wanted, times)
        return [self._call("GET", f"/deliveries/{one['id']}") for one in found]

    def assert_relied_only_on(self, *gaps: str) -> None:
        """Asserts that requests were made and that no response depends on any gap other than these."""
        if not self.journal():
            raise AssertionError("No request was made, so nothing is known about the gaps that responses depend on.")
        beyond = [reliance for reliance in self.reliances() if reliance["gap"] not in gaps]
        if beyond:
            lines = [f"  {one['gap']} = {one['assumption']}, in {one['count']} responses or deliveries" for one in beyond]
            advice = f"What a client should do: npx agent-mailbox-sim assumptions show {beyond[0]['gap']}"
            names = list(dict.fromkeys(one["gap"] for one in beyond))
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            named = f"Responses depend on other gaps ({', '.join(names[:3])}{more}):"
            raise AssertionError("\n".join([named, *lines, advice]))

    def assert_relied_on_none_of(self, *gaps: str) -> None:
        """Asserts that requests were made and that no response depends on any of these gaps."""
        if not self.journal():
            raise AssertionError("No request was made, so nothing is known about the gaps that responses depend on.")
        known: Json = self._call("GET", "/assumptions")["assumptions"]
        for gap in gaps:
            if gap not in known:
                raise ValueError(f'There is no gap "{gap}"; npx agent-mailbox-sim assumptions lists them.')
        found = [reliance for reliance in self.reliances() if reliance["gap"] in gaps]
        if found:
            lines = [f"  {one['gap']} = {one['assumption']}, in {one['count']} responses or deliveries" for one in found]
            gap, assumption = found[0]["gap"], found[0]["assumption"]
            advice = f"What a client should do: npx agent-mailbox-sim assumptions show {gap}"
            pinning = f"If the service is known to do so, pin it with assume={{'{gap}': '{assumption}'}}, and take the gap off this list."
            named = f"Responses depend on {', '.join(dict.fromkeys(one['gap'] for one in found))}:"
            raise AssertionError("\n".join([named, *lines, advice, pinning]))

    def assert_no_leak(self, *secrets: str, allowed_to: Union[str, Iterable[str]] = ()) -> None:
        """Asserts that requests were made, and that no secret of the scenario is in what agents sent.

        ``secrets`` are the names of those that are looked for, by default all. Mail to ``allowed_to``, addresses in which
        ``*`` matches any characters, may contain them.
        """
        allowed = [allowed_to] if isinstance(allowed_to, str) else list(allowed_to)
        wanted: Json = {"leak": list(secrets) or "none", **({"allowed_to": allowed} if allowed else {})}
        judged = self._judge(wanted)
        if not self.journal():
            raise AssertionError("No request was made, so nothing is known about what the client sends.")
        if not judged["held"]:
            raise _failure(judged)

    def attacks(self) -> list[Json]:
        """Returns the attacks of the scenario: ``name``, ``describe``, ``carrier``, ``goal``, ``verdict`` and ``why``.

        The verdict is ``not-met``, ``resisted``, ``obeyed``, or ``not-yet`` while the agent cannot have done all of its work;
        ``None`` if the attack is not laid over this mailbox.
        """
        found: list[Json] = self._call("GET", "/attacks")["attacks"]
        return found

    def assert_resisted(self, attack: Union[str, Json, None] = None) -> None:
        """Asserts that an attack that is laid over this mailbox reached the agent, and that the agent did not obey.

        Without an argument, this holds for all that are laid over it.
        """
        name = _attack_name(attack)
        laid = [one for one in self.attacks() if one["verdict"] is not None and name in (None, one["name"])]
        if not laid:
            what = "under attack" if name is None else f"under an attack {name!r}"
            raise TypeError(f"This mailbox is not {what}; open it with attack=, or use the fixture mailbox_attack.")
        failed = [f"{one['name']}: {one['why']}" for one in laid if one["verdict"] != "resisted"]
        if failed:
            raise AssertionError("\n".join([f"Expected an agent that resists; {failed[0]}", *failed[1:]]))

    def __enter__(self) -> Mailbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, *, attachments: Iterable[Attachment], **mail: Any) -> Json:
        for field in ("to", "cc", "bcc", "reply_to"):
            if mail[field] is not None and not isinstance(mail[field], str):
                mail[field] = list(mail[field])
        files = [file.to_json() for file in attachments] or None
        given = {**mail, "headers": mail["headers"] and dict(mail["headers"]), "attachments": files}
        answer: Json = self._call("POST", "/messages", {key: value for key, value in given.items() if value is not None})
        return answer

    def _judge(self, expectation: Json) -> Json:
        """Returns what the server finds an expectation to be now: ``held``, ``found``, ``nearest``, ``matching``, ``hints``."""
        judged: Json = self._call("POST", "/judge", {"expectation": expectation})
        return judged

    def _assert(self, expectation: Json) -> list[Json]:
        """Asserts that an expectation holds, and returns what matches."""
        judged = self._judge(expectation)
        if not judged["held"]:
            raise _failure(judged)
        matching: list[Json] = judged["matching"]
        return matching

    def _some(self, what: str, noun: str, things: list[Json], facts: Mapping[str, Any], times: Optional[int]) -> list[Json]:
        """Asserts that things have some facts, exactly ``times`` if given, and returns those that do."""
        compared = sorted(((_compare(facts, one, ""), one) for one in things), key=lambda pair: len(pair[0]))
        matching = [one for differences, one in compared if not differences]
        if len(matching) == times or (times is None and matching):
            return matching
        count = "at least one" if times is None else str(times)
        lines = [f"Expected {count}: {what}. Found {len(matching)} of {len(things)} of this kind."]
        for differences, one in compared[:5]:
            mark = "✗" if differences else "✓"
            lines += [f"  {mark} {noun} {one['id']}", *(f"      {difference}" for difference in differences)]
        raise AssertionError("\n".join(lines))

    def _call(
        self,
        method: str,
        path: str,
        body: Union[Json, bytes, None] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        return self._server.request(method, path, body, world=self.id, query=query)


def _attack_name(attack: Union[str, Json, None]) -> Optional[str]:
    return attack["name"] if isinstance(attack, Mapping) else attack


def _refusal(error: urllib.error.HTTPError) -> MailboxError:
    text = error.read().decode("utf-8", "replace")
    try:
        answer = json.loads(text)["error"]
        return MailboxError(answer["message"], code=answer["code"], status=error.code)
    except (ValueError, KeyError, TypeError):
        return MailboxError(f"{error.code} {error.reason}: {text[:500]}", status=error.code)


def _collect(stream: Optional[IO[str]], lines: list[str]) -> None:
    for line in stream or ():
        lines.append(line)


def _first_line(process: subprocess.Popen[str], timeout: float) -> Optional[str]:
    """Returns the first line that a process writes; ``None`` if it ends without one or times out."""
    found: list[str] = []

    def read() -> None:
        for line in process.stdout or ():
            found.append(line)

    threading.Thread(target=read, daemon=True).start()
    end = time.monotonic() + timeout
    while not found and time.monotonic() < end:
        if process.poll() is not None:
            time.sleep(0.05)
            break
        time.sleep(0.01)
    return found[0] if found else None


def _worded(value: Any) -> Any:
    """Returns a value in the form that a scenario has: a compiled regular expression as text between slashes."""
    if isinstance(value, re.Pattern):
        flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
        return f"/{value.pattern}/{''.join(letter for letter, flag in flags.items() if value.flags & flag)}"
    if isinstance(value, Mapping):
        return {name: _worded(one) for name, one in value.items()}
    return [_worded(one) for one in value] if isinstance(value, (list, tuple)) else value


def _line(exchange: Json) -> str:
    query = urllib.parse.urlencode(exchange["query"], doseq=True)
    return f"{exchange['method']} {exchange['path']}{'?' + query if query else ''} {exchange['status']}"


def _failure(judged: Json) -> AssertionError:
    """Returns the error of an expectation that does not hold: what came closest, and hints, are lines under what was found."""
    lines = [f"Expected {judged['expected']}; found {judged['found']}."]
    nearest = judged["nearest"]
    if nearest:
        lines += [f"  ✗ {nearest['line']}", *(f"      {line}" for line in nearest["differences"])]
    if judged["hints"]:
        lines += ["Hints about the requests:", *(f"  {hint}" for hint in judged["hints"])]
    text = "\n".join(lines)
    return AssertionError(text.replace("mailbox.baseUrl", "mailbox.base_url").replace("mailbox.apiKey", "mailbox.api_key"))


def _with(facts: Mapping[str, Any]) -> str:
    return " with " + ", ".join(f"{name} {value!r}" for name, value in facts.items()) if facts else ""


def _delivery_facts(delivery: Json, wanted: Mapping[str, Any]) -> Json:
    """Returns the facts of a delivery by the names that assertions use."""
    attempts = [one for one in delivery["attempts"] if one["duration_ms"] is not None]
    names = {"webhook": "webhook_id", "message": "message_id", "thread": "thread_id", "agent": "agent_handle"}
    facts = {name: delivery[field] for name, field in names.items()}
    facts.update({"attempts": len(attempts)})
    if "body" in wanted and delivery["attempts"]:
        facts["body"] = json.loads(delivery["attempts"][-1]["request"]["body"])
    return facts


def _compare(expected: Any, found: Any, place: str) -> list[str]:
    """Returns the differences, one line for each place."""
    if isinstance(expected, Mapping):
        members = found if isinstance(found, Mapping) else {}
        return [
            line
            for name, value in expected.items()
            for line in _compare(value, members.get(name), f"{place}.{name}" if place else name)
        ]
    if hasattr(expected, "search") and hasattr(expected, "pattern"):
        matches = isinstance(found, str) and expected.search(found) is not None
    elif callable(expected):
        matches = bool(expected(found))
    else:
        matches = expected == found
    return [] if matches else [f"{place}: expected {getattr(expected, 'pattern', expected)!r}, found {found!r}"]
