"""Fixtures for pytest: a server for the session, and a separate mailbox for each test.

A marker chooses how a test's mailbox starts: ``@pytest.mark.mailbox(scenario="refund-request", clock="10x")``. A test with
the fixture ``mailbox_attack`` runs once for each attack of its scenario, with the attack laid over its mailbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from agent_mailbox_sim import Mailbox, MailboxServer, refusal_of_names, start_server

#: The options of the marker.
_OPTIONS = ("scenario", "seed", "readings", "clock", "attack", "benign")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mailbox_scenario", "the scenario of the mailbox server", default="support-desk")
    parser.addini("mailbox_arguments", "additional arguments of the mailbox server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mailbox(scenario=None, seed=None, readings=None, clock=None, attack=None, benign=None): how the test's mailbox starts",
    )


_servers: pytest.StashKey[MailboxServer] = pytest.StashKey()


def _server(config: pytest.Config) -> MailboxServer:
    """Returns the server of the session, which starts when it is first needed."""
    if _servers not in config.stash:
        scenario = str(config.getini("mailbox_scenario"))
        config.stash[_servers] = start_server(scenario, arguments=config.getini("mailbox_arguments"))
    return config.stash[_servers]


def pytest_unconfigure(config: pytest.Config) -> None:
    if _servers in config.stash:
        config.stash[_servers].close()


def _options(node: pytest.Item) -> dict[str, Any]:
    """Returns the options that the marker of a test chooses. Fails the test if the marker has others."""
    marker = node.get_closest_marker("mailbox")
    if marker is None:
        return {}
    refusal = refusal_of_names("The marker mailbox", marker.kwargs, _OPTIONS)
    if marker.args:
        refusal = f"The marker mailbox takes names only, such as scenario={marker.args[0]!r}."
    if refusal is not None:
        pytest.fail(refusal, pytrace=False)
    return dict(marker.kwargs)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "mailbox_attack" not in metafunc.fixturenames:
        return
    with _server(metafunc.config).open_mailbox(**_options(metafunc.definition)) as mailbox:
        attacks = mailbox.attacks()
    metafunc.parametrize("mailbox_attack", attacks, ids=[attack["name"] for attack in attacks])


@pytest.fixture(scope="session")
def mailbox_server(pytestconfig: pytest.Config) -> MailboxServer:
    """A server for the whole session; under xdist, one for each worker."""
    return _server(pytestconfig)


@pytest.fixture
def mailbox(mailbox_server: MailboxServer, request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A separate world for this test, at the start of its story, with its own API key."""
    is_attacked = "mailbox_attack" in request.fixturenames
    laid = {"attack": request.getfixturevalue("mailbox_attack")} if is_attacked else {}
    with mailbox_server.open_mailbox(**{**_options(request.node), **laid}) as opened:
        yield opened
