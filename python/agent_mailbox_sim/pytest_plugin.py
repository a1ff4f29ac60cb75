"""Fixtures for pytest: a server for the session, and a mailbox of its own for each test.

Choose what a test's mailbox begins with by a marker: ``@pytest.mark.mailbox(scenario="refund-request", clock="10x")``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent_mailbox_sim import Mailbox, MailboxServer, start_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mailbox_scenario", "the scenario of the mailbox server", default="support-desk")
    parser.addini("mailbox_arguments", "further arguments of the mailbox server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mailbox(scenario=None, seed=None, readings=None, clock=None): what the test's mailbox begins with",
    )


@pytest.fixture(scope="session")
def mailbox_server(pytestconfig: pytest.Config) -> Iterator[MailboxServer]:
    """A server for the whole session; under xdist, one for each worker."""
    scenario = str(pytestconfig.getini("mailbox_scenario"))
    with start_server(scenario, arguments=pytestconfig.getini("mailbox_arguments")) as server:
        yield server


@pytest.fixture
def mailbox(mailbox_server: MailboxServer, request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A world of its own for this test, at the start of its story, behind an API key of its own."""
    marker = request.node.get_closest_marker("mailbox")
    with mailbox_server.open_mailbox(**(marker.kwargs if marker else {})) as opened:
        yield opened
