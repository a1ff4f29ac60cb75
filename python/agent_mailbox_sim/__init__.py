"""A client of the agent mailbox simulator that only needs the standard library.

``start_server`` starts the simulator. ``MailboxServer.open_mailbox`` creates a world in it for one test. ``Mailbox`` is
that world: it has an API key and a base URL for the agent under test, and methods for the test itself. What a method
takes by name is checked by the simulator, which names the nearest option for one that it does not know.

>>> with start_server("support-desk") as server, server.open_mailbox() as mailbox:
...     mailbox.receive("support", sender="Ann <ann@example.com>", subject="Refund?", text="Any news?")
...     run_agent(base_url=mailbox.base_url, api_key=mailbox.api_key)
...     mailbox.assert_requested("threads.list", query={"agent": "support"})
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import queue
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Optional, Union

__all__ = [
    "Attachment",
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


@dataclass(frozen=True)
class Attachment:
    """A file attached to a message; ``content`` is its bytes, or its text."""

    filename: str
    content: Union[bytes, str]
    content_type: Optional[str] = None


class MailboxServer:
    """A running simulator. Close it, or use it in a ``with`` statement."""

    def __init__(
        self, control_url: str, *, token: Optional[str] = None, process: Optional[subprocess.Popen[str]] = None
    ) -> None:
        """Takes the address of a server, with or without ``/_sim``, and the token that its control API needs."""
        parts = urllib.parse.urlsplit(control_url if "://" in control_url else f"http://{control_url}")
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise MailboxError(f"{control_url!r} is not the address of a server; expected one such as http://127.0.0.1:4280/_sim.")
        # A proxy may serve it below another path.
        below = re.fullmatch(r"(.*)/_sim/*", parts.path)
        #: The origin of the simulated service; its paths begin with ``/api/v1``.
        self.base_url = f"{parts.scheme}://{parts.netloc}{below.group(1) if below else ''}"
        #: The address of the control API, which ends in ``/_sim``.
        self.control_url = f"{self.base_url}/_sim"
        #: The token of the control API; ``None`` if it needs none.
        self.token = token or None
        #: Where the operations are tools of the Model Context Protocol.
        self.mcp_url = f"{self.base_url}/mcp"
        self._process = process

    def open_mailbox(
        self, *, attack: Union[str, Json, None] = None, benign: Union[str, Json, None] = None, **options: Any
    ) -> Mailbox:
        """Creates a world with its own API key. Omitted options are the same as in the server's first world.

        ``scenario`` is the name of a shipped scenario or a complete scenario, ``seed`` its seed, ``assume`` a profile or
        assumptions by gap, and ``clock`` is ``frozen``, ``real`` or a speed such as ``10x``. ``attack`` lays an attack of
        the scenario over its story, by its name or as ``Mailbox.attacks`` returns it; ``benign`` lays its harmless
        counterpart over it. ``at`` is a moment of the server's first world from which it goes on, as in ``Mailbox.fork``.
        """
        laid = {"attack": _attack_name(attack), "benign": _attack_name(benign)}
        return Mailbox(self, self.request("POST", "/worlds", {**options, **laid}))

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

        What is ``None`` in the body or the query is left out. Raises ``MailboxError`` if the simulator refuses the request.
        """
        search = urllib.parse.urlencode(_given(query or {}))
        authorization = None if self.token is None else f"Bearer {self.token}"
        headers = {"accept": "application/json", "x-sim-world": world, "authorization": authorization}
        data: Optional[bytes] = None
        if isinstance(body, bytes):
            headers["content-type"] = "message/rfc822"
            data = body
        elif body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(_given(body), default=_plain).encode()
        url = f"{self.control_url}{path}{'?' + search if search else ''}"
        request = urllib.request.Request(url, data=data, headers=_given(headers), method=method)
        try:
            # Ignores the environment's proxies, which cannot reach this machine.
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(request, timeout=_PATIENCE) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            raise _refusal(error) from None
        except (OSError, http.client.HTTPException) as error:
            raise MailboxError(_unreachable(self.control_url, getattr(error, "reason", error))) from error
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

    If ``arguments`` have a ``--control-token``, it is used; with a ``--host`` that other machines reach, there must be one.

    If ``MAILBOX_SIM_URL`` is the URL of a running server's control API, that server is used instead, with
    ``MAILBOX_SIM_TOKEN`` as its token. Otherwise the program is the first of these that exists: ``command``,
    ``MAILBOX_SIM_COMMAND``, ``agent-mailbox-sim`` in ``node_modules/.bin`` of this folder or a parent folder,
    ``agent-mailbox-sim`` on the path, and the program that ``npx`` finds.
    """
    running = os.environ.get("MAILBOX_SIM_URL")
    if running and command is None:
        return MailboxServer(running, token=os.environ.get("MAILBOX_SIM_TOKEN"))
    words = [*(command or find_program()), "serve", scenario, "--port", "0", "--json", "--clock", "frozen", *arguments]
    with tempfile.TemporaryFile("w+") as errors:
        try:
            process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
        except OSError as error:
            raise MailboxError(f"{words[0]} could not be started: {error.strerror or error}.") from error
        ready = _first_line(process, timeout)
        if not ready:
            process.kill()
            process.wait()
            errors.seek(0)
            why = errors.read().strip() or f"not ready after {timeout:g} s"
            raise MailboxError(_NOT_INSTALLED if "npm error" in why else f"{shlex.join(words)} did not start: {why}")
    return MailboxServer(json.loads(ready)["control"], token=_flag(arguments, "--control-token"), process=process)


def _flag(arguments: Sequence[str], name: str) -> Optional[str]:
    """Returns the last value of a flag, as ``--name value`` or ``--name=value``; ``None`` if it is not given."""
    words = [word for argument in arguments for word in argument.split("=", 1)]
    values = [value for word, value in zip(words, words[1:]) if word == name]
    return values[-1] if values else None


def _first_line(process: subprocess.Popen[str], timeout: float) -> str:
    """Returns the first line that a process writes; empty if it ends without one or times out. Reads on, so that it may write on."""
    first: queue.Queue[str] = queue.Queue()

    def read(output: IO[str]) -> None:
        first.put(output.readline())
        for _ in output:
            pass

    threading.Thread(target=read, args=(process.stdout,), daemon=True).start()
    try:
        return first.get(timeout=timeout)
    except queue.Empty:
        return ""


_SEE = " See docs/troubleshooting.md#no-simulator-responds."

_NOT_INSTALLED = (
    "The simulator, a Node program, is not installed in this folder or a parent folder. Install it there with npm, "
    "set MAILBOX_SIM_COMMAND to its command, or set MAILBOX_SIM_URL to the control API of a running server."
)


def _unreachable(url: str, reason: object) -> str:
    """Returns why a request got no response, with the remedy."""
    if isinstance(reason, TimeoutError):
        return f"The server at {url} accepts connections, but did not respond within {_PATIENCE:g} s.{_SEE}"
    return f"No simulator responds at {url}: {reason}. Start one, or unset MAILBOX_SIM_URL so that tests start their own.{_SEE}"


def _refusal(error: urllib.error.HTTPError) -> MailboxError:
    text = error.read().decode("utf-8", "replace")
    try:
        answer = json.loads(text)["error"]
        return MailboxError(answer["message"], code=answer["code"], status=error.code)
    except (ValueError, KeyError, TypeError):
        return MailboxError(f"{error.code} {error.reason}: {text[:500]}", status=error.code)


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
    raise MailboxError(f"Node 20.19 or newer was not found. {_NOT_INSTALLED}")


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
        return self._call("GET", "/faults")["faults"]

    def clear(self, fault_id: Optional[str] = None) -> None:
        """Removes one rule, or all rules."""
        self._call("DELETE", "/faults" if fault_id is None else f"/faults/{fault_id}")


class Webhooks:
    """The subscriptions of a mailbox to events."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def create(
        self, url: str, events: Sequence[str], *, agent: Optional[str] = None, auth_token: Optional[str] = None
    ) -> Json:
        """Subscribes a URL to events, of one agent or of all, and returns the subscription with its ``secret``.

        >>> mailbox.webhooks.create("http://127.0.0.1:8787/hook", ["message.received"], agent="support")
        """
        body = {"url": url, "events": list(events), "agent_handle": agent, "auth_token": auth_token}
        return self._call("POST", "/webhooks", body)

    def list(self) -> list[Json]:
        """Returns the subscriptions; their tokens are masked."""
        return self._call("GET", "/webhooks")["webhooks"]

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
        return self._call("GET", "/world").get("task")

    @property
    def environment(self) -> dict[str, str]:
        """Returns this process's environment with the variables that an agent in another process needs."""
        agents = self._list("/identities", "identities")
        own = {
            "MAILBOX_BASE_URL": self.base_url,
            "MAILBOX_API_KEY": self.api_key,
            "MAILBOX_MCP_URL": self.mcp_url,
            "MAILBOX_SIM_URL": self._server.control_url,
            "MAILBOX_SIM_TOKEN": self._server.token,
            "MAILBOX_AGENT": agents[0]["agent_handle"] if agents else None,
            "MAILBOX_TASK": self.task,
        }
        return {**{name: value for name, value in os.environ.items() if name not in own}, **_given(own)}

    def receive(
        self,
        to: Union[str, Sequence[str], None] = None,
        *,
        sender: Optional[str] = None,
        eml: Union[bytes, str, Path, None] = None,
        **mail: Any,
    ) -> Json:
        """Delivers a message and returns ``{"message", "thread"}`` as the service returns them.

        ``to`` is a handle or an address, or several; ``sender`` has the form ``Ann <ann@example.com>``. ``mail`` are
        ``subject``, ``text``, ``html``, ``cc``, ``bcc``, ``reply_to``, ``headers``, ``attachments`` (a list of
        ``Attachment``), ``in_reply_to``, ``thread_id`` and ``authentication``. ``eml`` is a message in RFC 5322 format, as
        bytes or as a path; ``to`` then chooses who receives it, whatever its headers say, and only ``authentication`` may be
        given besides. That is what the receiving server finds about the sender: ``pass``, ``fail``, ``none`` or, without an
        ``eml``, a mapping with ``spf``, ``dkim`` and ``dmarc``; by default what fits the sender.
        """
        if eml is None:
            return self._call("POST", "/messages", {"to": to, "from": sender, **mail})
        content = eml if isinstance(eml, bytes) else Path(eml).read_bytes()
        recipients = to if to is None or isinstance(to, str) else ",".join(to)
        return self._call("POST", "/messages", content, query={"to": recipients, **mail})

    def send(self, sender: str, to: Union[str, Sequence[str]], **mail: Any) -> Json:
        """Sends a message from an agent, as if a person had written it in the same mailbox.

        ``sender`` is its handle, ``mail`` as in ``receive``, but without ``authentication``.
        """
        return self._call("POST", "/messages", {"direction": "outbound", "from": sender, "to": to, **mail})

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
        return self._list("/threads", "threads", agent=agent, search=search, limit=limit)

    def conversation(self, thread_id: str) -> Json:
        """Returns ``{"thread", "messages"}``, oldest message first."""
        return self._call("GET", f"/threads/{thread_id}")

    def identity(self, handle: str) -> Json:
        """Returns an agent's profile."""
        return self._call("GET", f"/identities/{handle}")

    def journal(self, operation: Optional[str] = None, *, since: Optional[int] = None) -> list[Json]:
        """Returns the requests so far with their responses, oldest first."""
        return self._list("/journal", "exchanges", operation=operation, since=since)

    def sent(self, agent: Optional[str] = None) -> list[Json]:
        """Returns the messages that agents sent by requests, oldest first, each with its ``operation`` and ``exchange``.

        Messages of the timeline, and of ``send``, are not included.
        """
        return self._list("/sent", "sent", agent=agent)

    def reliances(self) -> list[Json]:
        """Returns the gaps that the responses so far depend on: ``[{"gap", "assumption", "operations", "count"}]``."""
        return self._list("/reliances", "reliances")

    def deliveries(self, event: Optional[str] = None) -> list[Json]:
        """Returns the deliveries to webhook subscriptions, with all attempts."""
        return self._list("/deliveries", "deliveries", event=event)

    def redeliver(self, delivery_id: str) -> Json:
        """Sends a delivery again with the same event id, and returns it with the result of the new attempt."""
        return self._call("POST", f"/deliveries/{delivery_id}/redeliver")

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
        end = time.monotonic() + timeout
        while True:
            for exchange in self.journal(operation):
                if matches(exchange):
                    return exchange
            if time.monotonic() > end:
                lines = [f"  {_line(exchange)}" for exchange in self.journal()]
                first = f"No request of {operation or 'this kind'} arrived within {timeout:g} s; requests that came: {len(lines)}"
                raise AssertionError("\n".join([first, *lines]))
            time.sleep(0.02)

    def reset(self) -> None:
        """Resets the world to the start of its scenario, with an empty journal."""
        self._call("POST", "/reset")

    def fork(self, *, at: Optional[int] = None, clock: Optional[str] = None) -> Mailbox:
        """Creates a world with its own API key, at the start of the story of this one, or as this one was at a moment.

        ``at`` is the ``seq`` of an exchange or of another event, just after which the new world goes on.
        """
        return Mailbox(self._server, self._call("POST", "/worlds", {"at": at, "clock": clock}))

    def close(self) -> None:
        """Deletes the world."""
        self._server.request("DELETE", f"/worlds/{self.id}")

    def assert_requested(self, operation: str, *, times: Optional[int] = None, **facts: Any) -> list[Json]:
        """Asserts that requests of an operation were made, exactly ``times`` if given, and returns their exchanges.

        ``facts`` are ``query``, ``body``, ``path`` and ``status``. In an object, only the given members are compared; ``None``
        stands for an absent member. A text may also be a compiled regular expression, or conditions of a scenario.
        """
        return self._assert(request=operation, where=facts, times=times)

    def assert_not_requested(self, operation: str, **facts: Any) -> None:
        """Asserts that no request of an operation was made; ``facts`` are as in ``assert_requested``."""
        self.assert_requested(operation, times=0, **facts)

    def assert_sent(self, sender: Optional[str] = None, *, times: Optional[int] = None, **facts: Any) -> list[Json]:
        """Asserts that agents sent mail, by any operation, exactly ``times`` if given, and returns the messages that match.

        >>> mailbox.assert_sent("support", to="ann@example.com", text=re.compile(r"249\\.00"), times=1)
        >>> mailbox.assert_sent(to={"only": ["ann@example.com", "*@northwind.example"]})

        ``facts`` are those of ``sent`` in a scenario: ``to``, ``cc``, ``bcc``, ``subject``, ``text``, ``html``, ``thread``,
        ``in_reply_to`` and ``attachments``. A text is equal, matches a compiled regular expression, or meets conditions such
        as ``{"contains": "249.00"}``. ``thread`` and ``in_reply_to`` are ids. Without ``times``, ``{"only": [...]}`` is
        expected of every message.
        """
        return self._assert(sent=_given({"from": sender, **facts}), times=times)

    def assert_thread(self, agent: Optional[str] = None, **facts: Any) -> Json:
        """Asserts that a thread with these facts exists now, and returns it: ``subject``, ``unread``, …

        A text may also be a compiled regular expression.
        """
        threads = self.threads(agent)
        unknown = [name for name in facts for one in threads[:1] if name not in one]
        if unknown:
            raise TypeError(f"A thread has no {unknown[0]!r}; it has {', '.join(threads[0])}.")
        for thread in threads:
            pairs = [(thread[name], expected) for name, expected in facts.items()]
            if all(expected.search(found) if isinstance(expected, re.Pattern) else found == expected for found, expected in pairs):
                return thread
        lines = [f"  {one['id']}: {', '.join(f'{name} {one[name]!r}' for name in facts)}" for one in threads[:5]]
        wanted = ", ".join(f"{name} {expected!r}" for name, expected in facts.items())
        raise AssertionError("\n".join([f"Expected a thread with {wanted}; found none among {len(threads)}.", *lines]))

    def assert_delivered(
        self, event: str, *, url: Optional[str] = None, status: str = "succeeded", times: Optional[int] = None
    ) -> list[Json]:
        """Asserts that an event was delivered to subscriptions, exactly ``times`` if given, and returns the deliveries.

        ``status`` may be ``any``. The deliveries tell the rest: ``message_id``, ``agent_handle``, their ``attempts``, …
        """
        return self._assert(delivery=event, url=url, status=None if status == "any" else status, times=times)

    def assert_relied_only_on(self, *gaps: str) -> None:
        """Asserts that requests were made and that no response depends on any gap other than these."""
        self._check_asked()
        _refuse_reliances([one for one in self.reliances() if one["gap"] not in gaps])

    def assert_relied_on_none_of(self, *gaps: str) -> None:
        """Asserts that requests were made and that no response depends on any of these gaps."""
        self._check_asked()
        known: Json = self._call("GET", "/assumptions")["assumptions"]
        unknown = [gap for gap in gaps if gap not in known]
        if unknown:
            raise ValueError(f'There is no gap "{unknown[0]}"; npx agent-mailbox-sim assumptions lists them.')
        _refuse_reliances([one for one in self.reliances() if one["gap"] in gaps])

    def assert_no_leak(self, *secrets: str, allowed_to: Union[str, Iterable[str]] = ()) -> None:
        """Asserts that requests were made, and that no secret of the scenario is in what agents sent.

        ``secrets`` are the names of those that are looked for, by default all. Mail to ``allowed_to``, addresses in which
        ``*`` matches any characters, may contain them.
        """
        self._check_asked()
        allowed = [allowed_to] if isinstance(allowed_to, str) else list(allowed_to)
        self._assert(leak=secrets or "none", allowed_to=allowed or None)

    def attacks(self) -> list[Json]:
        """Returns the attacks of the scenario: ``name``, ``describe``, ``carrier``, ``goal``, ``verdict`` and ``why``.

        The verdict is ``not-met``, ``resisted``, ``obeyed``, or ``not-yet`` while the agent cannot have done all of its work;
        ``None`` if the attack is not laid over this mailbox.
        """
        return self._list("/attacks", "attacks")

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

    def _assert(self, **expectation: Any) -> list[Json]:
        """Asserts that an expectation in the words of a scenario holds now, and returns what matches."""
        judged = self._call("POST", "/judge", {"expectation": _given(expectation)})
        if not judged["held"]:
            raise _failure(judged)
        return judged["matching"]

    def _check_asked(self) -> None:
        """Fails if no request came: all that holds then proves nothing."""
        if not self._list("/journal", "exchanges", limit=1):
            raise AssertionError("No request was made, so nothing is known about the agent.")

    def _list(self, path: str, name: str, **query: Any) -> list[Json]:
        found: list[Json] = self._call("GET", path, query=query)[name]
        return found

    def _call(self, method: str, path: str, body: Union[Json, bytes, None] = None, **options: Any) -> Any:
        return self._server.request(method, path, body, world=self.id, **options)


def _given(options: Mapping[str, Any]) -> Json:
    """Returns the options that are not ``None``."""
    return {name: value for name, value in options.items() if value is not None}


def _plain(value: Any) -> Any:
    """Returns a value in the form that JSON has: a compiled regular expression as text between slashes, as in a scenario."""
    if isinstance(value, re.Pattern):
        flags = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
        return f"/{value.pattern}/{''.join(letter for letter, flag in flags.items() if value.flags & flag)}"
    if isinstance(value, Attachment):
        return _given({"filename": value.filename, "content_type": value.content_type, "text" if isinstance(value.content, str) else "content": value.content})
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return dict(value) if isinstance(value, Mapping) else list(value)


def _attack_name(attack: Union[str, Json, None]) -> Optional[str]:
    return attack["name"] if isinstance(attack, Mapping) else attack


def _line(exchange: Json) -> str:
    query = urllib.parse.urlencode(exchange["query"], doseq=True)
    return f"{exchange['method']} {exchange['path']}{'?' + query if query else ''} {exchange['status']}"


def _failure(judged: Json) -> AssertionError:
    """Returns the error of an expectation that does not hold: what came closest, and hints, are lines under what was found."""
    lines = [f"Expected {judged['expected']}; found: {judged['found']}."]
    nearest = judged["nearest"]
    if nearest:
        lines += [f"  ✗ {nearest['line']}", *(f"      {line}" for line in nearest["differences"])]
    if judged["hints"]:
        lines += ["Hints about the requests:", *(f"  {hint}" for hint in judged["hints"])]
    text = "\n".join(lines)
    return AssertionError(text.replace("mailbox.baseUrl", "mailbox.base_url").replace("mailbox.apiKey", "mailbox.api_key"))


def _refuse_reliances(reliances: list[Json]) -> None:
    """Raises an ``AssertionError`` that lists the reliances on gaps, if there are any, with what to do about the first."""
    if not reliances:
        return
    names = list(dict.fromkeys(one["gap"] for one in reliances))
    gap, assumption = reliances[0]["gap"], reliances[0]["assumption"]
    lines = [
        f"Responses depend on {', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}:",
        *(f"  {one['gap']} = {one['assumption']}, in {one['count']} responses or deliveries" for one in reliances),
        f"What a client should do: npx agent-mailbox-sim assumptions show {gap}",
        f"If the service is known to do so, pin it with assume={{'{gap}': '{assumption}'}}, and change the list of gaps.",
    ]
    raise AssertionError("\n".join(lines))
