"""Fixtures for pytest: a server for the session, and a separate mailbox for each test.

A marker chooses how a test's mailbox starts: ``@pytest.mark.mailbox(scenario="refund-request", clock="10x")``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_mailbox_sim import Mailbox, MailboxServer, start_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mailbox_scenario", "the scenario of the mailbox server", default="support-desk")
    parser.addini("mailbox_arguments", "additional arguments of the mailbox server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mailbox(scenario=None, seed=None, readings=None, clock=None): how the test's mailbox starts",
    )


@pytest.fixture(scope="session")
def mailbox_server(pytestconfig: pytest.Config) -> Iterator[MailboxServer]:
    """A server for the whole session; under xdist, one for each worker."""
    scenario = str(pytestconfig.getini("mailbox_scenario"))
    with start_server(scenario, arguments=pytestconfig.getini("mailbox_arguments")) as server:
        yield server


@pytest.fixture
def mailbox(mailbox_server: MailboxServer, request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A separate world for this test, at the start of its story, with its own API key."""
    marker = request.node.get_closest_marker("mailbox")
    with mailbox_server.open_mailbox(**(marker.kwargs if marker else {})) as opened:
        yield opened
