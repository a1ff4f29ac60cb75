"""Tests the plugin through the fixtures that users take; the server is the program of this package."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from agent_mailbox_sim import Attachment, Mailbox, MailboxError, MailboxServer, find_program, start_server


def ask(mailbox: Mailbox, path: str, method: str = "GET", body: object = None) -> dict:
    request = urllib.request.Request(
        f"{mailbox.base_url}/api/v1{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"authorization": f"Bearer {mailbox.api_key}", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def test_an_agent_reads_the_mail_that_arrives(mailbox: Mailbox) -> None:
    received = mailbox.receive(
        "support",
        sender="Ann <ann@example.com>",
        subject="Refund?",
        text="Any news?",
        attachments=[Attachment("a.txt", b"\x00\xff\r\n", "text/plain")],
    )
    first = ask(mailbox, "/mail/threads?agent=support&limit=1")["threads"][0]
    assert first["id"] == received["thread"]["id"]
    mailbox.assert_requested("threads.list", query={"agent": "support", "limit": 1, "offset": None}, times=1)
    mailbox.assert_thread("support", subject=re.compile("refund", re.IGNORECASE), unread=True)
    mailbox.assert_not_requested("identities.update")
    assert mailbox.conversation(first["id"])["messages"][0]["attachments"][0]["size_bytes"] == 4


def test_each_test_has_a_world_of_its_own(mailbox: Mailbox, mailbox_server: MailboxServer) -> None:
    with mailbox_server.open_mailbox() as other:
        other.receive("support", subject="Not here", text="Hello")
        assert other.threads("support")[0]["subject"] == "Not here"
        assert mailbox.threads("support")[0]["subject"] != "Not here"
        assert other.api_key != mailbox.api_key


def test_a_mail_as_a_file(mailbox: Mailbox) -> None:
    mailbox.receive("support", eml=b"From: Bo <bo@example.com>\r\nSubject: From a file\r\n\r\nHello\r\n")
    thread = mailbox.assert_thread(subject="From a file")
    mailbox.send("support", "bo@example.com", thread_id=thread["id"], text="Hello, Bo")
    assert mailbox.assert_thread(subject="From a file")["message_count"] == 2


@pytest.mark.mailbox(scenario="refund-request", readings={"threads.total": "page-size"})
def test_the_story_goes_on_with_the_clock(mailbox: Mailbox) -> None:
    began = mailbox.now()
    assert mailbox.advance("45s") > began
    assert ask(mailbox, "/mail/threads?limit=2")["total"] == 2
    assert {"threads.total"} <= {one["gap"] for one in mailbox.reliances()}
    mailbox.reset()
    assert (mailbox.now(), mailbox.journal()) == (began, [])


def test_faults_disturb_answers(mailbox: Mailbox) -> None:
    rule = mailbox.faults.add(operation="threads.list", status=503, times=1)
    with pytest.raises(urllib.error.HTTPError, match="503"):
        ask(mailbox, "/mail/threads")
    assert [(one["id"], one["hit"]) for one in mailbox.faults.list()] == [(rule, 1)]
    mailbox.faults.clear()
    assert ask(mailbox, "/mail/threads")["threads"]


def test_what_a_failing_assertion_says(mailbox: Mailbox) -> None:
    ask(mailbox, "/identities/support", "PATCH", {"display_name": "Busy"})
    with pytest.raises(AssertionError) as failed:
        mailbox.assert_requested("identities.update", body={"display_name": "Away"})
    assert str(failed.value).splitlines() == [
        "Expected at least one: a request of identities.update with body {'display_name': 'Away'}. "
        "Found 0 of 1 requests.",
        "  ✗ PATCH /api/v1/identities/support 200",
        "      body.display_name: expected 'Away', found 'Busy'",
    ]
    with pytest.raises(AssertionError, match="No request of threads.list arrived within 0.1 s"):
        mailbox.wait_for("threads.list", timeout=0.1)
    with pytest.raises(AssertionError, match="None of"):
        mailbox.assert_thread(subject="Never written")
    with pytest.raises(AssertionError, match="delivery of message.bounced"):
        mailbox.assert_delivered("message.bounced")


def test_an_agent_in_a_process_of_its_own(mailbox: Mailbox) -> None:
    agent = (
        "import os, urllib.request as r;"
        "r.urlopen(r.Request(os.environ['MAILBOX_BASE_URL'] + '/api/v1/mail/threads?agent=support',"
        " headers={'authorization': 'Bearer ' + os.environ['MAILBOX_API_KEY']}))"
    )
    subprocess.run([sys.executable, "-c", agent], env=mailbox.environment, check=True)
    assert mailbox.wait_for("threads.list", matches=lambda one: one["status"] == 200)["query"] == {"agent": "support"}
    with pytest.raises(AssertionError, match="threads.order"):
        mailbox.assert_relied_only_on("threads.total")


def test_what_the_simulator_refuses_is_an_error(mailbox: Mailbox) -> None:
    with pytest.raises(MailboxError) as refused:
        mailbox.receive("suport", text="Hello")
    assert (refused.value.status, "support" in str(refused.value)) == (400, True)
    with pytest.raises(MailboxError, match='did you mean "threads.list"'):
        mailbox.assert_not_requested("threads.lst")
    with pytest.raises(TypeError, match="A request has no 'qurey'; expected one of body, method, path, query, status"):
        mailbox.assert_requested("threads.list", qurey={"agent": "support"})
    with pytest.raises(MailboxError, match="suport-desk"):
        start_server("suport-desk", command=find_program())
