"""Tests that mistakes are explained: what was wrong, and what to write instead."""

from __future__ import annotations

import contextlib
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

import agent_mailbox_sim
from agent_mailbox_sim import Mailbox, MailboxError, MailboxServer

pytest_plugins = ["pytester"]


@pytest.mark.parametrize(
    ("mistake", "explanation"),
    [
        (lambda mailbox: mailbox.assert_thread(subjekt="Refund?"), "A thread has no 'subjekt'; it has id, "),
        (lambda mailbox: mailbox.assert_requested("threads.list", qurey={}), 'did you mean "query"?'),
        (lambda mailbox: mailbox.assert_delivered("message.received", state="x"), "unexpected keyword argument 'state'"),
        (lambda mailbox: mailbox.assert_sent(form="support"), 'did you mean "from"?'),
        (lambda mailbox: mailbox._server.open_mailbox(assum="worst-case"), 'did you mean "assume"?'),
        (lambda mailbox: mailbox.assert_requested("threads.lst"), 'did you mean "threads.list"?'),
        (lambda mailbox: mailbox.wait_for("threads.lst"), 'did you mean "threads.list"?'),
        (lambda mailbox: mailbox.advance("5 minutes"), "such as"),
        (lambda mailbox: mailbox.advance(5), "such as"),
        (lambda mailbox: mailbox.set_assumptions({"assumptions": {"threads.total": "page-size"}}), "leave out the wrapper"),
        (lambda mailbox: mailbox.set_assumptions({"threads.totl": "page-size"}), 'did you mean "threads.total"?'),
        (lambda mailbox: mailbox.receive("suport", subject="Hi"), "suport"),
        (lambda mailbox: mailbox.receive("support", subjekt="Hi"), 'did you mean "subject"?'),
        (lambda mailbox: mailbox.faults.add(statuss=503), "did you mean"),
        (lambda mailbox: mailbox.webhooks.create("hook", ["message.received"]), "http"),
    ],
)
def test_a_mistake_names_its_remedy(mailbox: Mailbox, mistake: Callable[[Mailbox], object], explanation: str) -> None:
    with pytest.raises((MailboxError, TypeError)) as refused:
        mistake(mailbox)
    assert explanation in str(refused.value)


def test_a_failed_assertion_ends_with_likely_mistakes(mailbox: Mailbox) -> None:
    headers = {"authorization": f"Bearer {mailbox.api_key}"}
    for path in ("threads?mailbox=null", "thread"):
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(urllib.request.Request(f"{mailbox.base_url}/api/v1/mail/{path}", headers=headers)).close()
    with pytest.raises(AssertionError, match=r'Hints about the requests:\n  mailbox="null" matches no mailbox;.*\n  GET .*did you mean'):
        mailbox.assert_sent()


def test_a_request_outside_of_the_service_is_named(mailbox: Mailbox) -> None:
    headers = {"authorization": f"Bearer {mailbox.api_key}"}
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(urllib.request.Request(f"{mailbox.base_url}/mail/threads", headers=headers))
    with pytest.raises(AssertionError, match=r'GET /mail/threads: .*; did you mean "GET /api/v1/mail/threads"\?'):
        mailbox.assert_sent()


#: Where nothing listens.
_HOOK = "http://127.0.0.1:9/hook"


def _asks(mailbox: Mailbox) -> None:
    headers = {"authorization": f"Bearer {mailbox.api_key}"}
    url = f"{mailbox.base_url}/api/v1/mail/threads?agent=support"
    urllib.request.urlopen(urllib.request.Request(url, headers=headers)).close()


def _is_told(mailbox: Mailbox) -> None:
    mailbox.webhooks.create(_HOOK, ["message.received"])
    mailbox.receive("support", subject="Hi", text="Hi")
    mailbox.advance("1s")


@pytest.mark.parametrize(
    ("before", "assertion", "line"),
    [
        (_asks, lambda mailbox: mailbox.assert_not_requested("threads.list"), r"Expected no request of threads\.list; found: 1 of 1 request\."),
        (_asks, lambda mailbox: mailbox.assert_relied_only_on(), r"Responses depend on threads\..+ and \d+ more:"),
        (_asks, lambda mailbox: mailbox.wait_for("identities.get", timeout=0.1), r"identities\.get arrived within 0\.1 s; requests that came: 1"),
        (None, lambda mailbox: mailbox.assert_requested("threads.list"), r"; found: no request came\."),
        (None, lambda mailbox: mailbox.assert_relied_only_on(), r"No request was made"),
        (None, lambda mailbox: mailbox.assert_delivered("message.received"), r"found: no delivery of message\.received; it did not happen\."),
        (_is_told, lambda mailbox: mailbox.assert_delivered("message.received", url=_HOOK), r"found: 0 of 2 deliveries\."),
    ],
)
def test_the_first_line_of_a_failure_says_what_was_found(
    mailbox: Mailbox, before: Callable[[Mailbox], object] | None, assertion: Callable[[Mailbox], object], line: str
) -> None:
    if before:
        before(mailbox)
    with pytest.raises(AssertionError) as failed:
        assertion(mailbox)
    assert re.search(line, str(failed.value).split("\n")[0])


def test_a_silent_server_is_told_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_mailbox_sim, "_PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(MailboxError, match="accepts connections, but did not respond within 0.2 s"):
            MailboxServer(url).open_mailbox()
    with pytest.raises(MailboxError, match="No simulator responds at .*/_sim: .*refused"):
        MailboxServer(url).open_mailbox()


@pytest.mark.parametrize(
    ("arguments", "explanation"),
    [
        ("assum='worst-case'", 'assum: unknown key; did you mean "assume"?'),
        ("'refund-request'", "The marker mailbox takes names only, such as scenario='refund-request'."),
    ],
)
def test_a_wrong_marker_fails_the_test_in_one_line(
    pytester: pytest.Pytester, mailbox_server: MailboxServer, monkeypatch: pytest.MonkeyPatch, arguments: str, explanation: str
) -> None:
    monkeypatch.setenv("MAILBOX_SIM_URL", mailbox_server.control_url)
    pytester.makepyfile(f"import pytest\n\n@pytest.mark.mailbox({arguments})\ndef test_it(mailbox):\n    pass\n")
    result = pytester.runpytest("-p", "agent_mailbox_sim.pytest_plugin")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([explanation.replace("[", "[[]")])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_marker_takes_a_file_and_a_failure_shows_only_the_test(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MAILBOX_SIM_URL", raising=False)
    pytester.makefile(".yaml", story="scenario: own-story\nidentities: [{ handle: ada }]\n")
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.mailbox(scenario="story.yaml", seed=3)
        def test_it(mailbox):
            assert mailbox.identity("ada")
            mailbox.assert_requested("threads.list")

        @pytest.mark.mailbox(scenario="missing.yaml")
        def test_other(mailbox):
            pass
        """
    )
    result = pytester.runpytest("-p", "agent_mailbox_sim.pytest_plugin")
    result.assert_outcomes(failed=1, errors=1)
    result.stdout.fnmatch_lines(["*names the scenario 'missing.yaml'; there is no such file in*", "*mailbox.assert_requested(*"])
    result.stdout.no_fnmatch_line("*agent_mailbox_sim?__init__.py*")
