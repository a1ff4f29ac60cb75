"""Fixtures for pytest: a server for the session, and a separate mailbox for each test.

A marker chooses how a test's mailbox starts: ``@pytest.mark.mailbox(scenario="refund-request", clock="10x")``, or
``scenario="story.yaml"`` for a file beside the test. A test with the fixture ``mailbox_attack`` runs once for each attack of its scenario, with the attack laid over its mailbox.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import pytest

from agent_mailbox_sim import Mailbox, MailboxError, MailboxServer, find_program, start_server


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("mailbox_scenario", "the scenario of the mailbox server", default="support-desk")
    parser.addini("mailbox_arguments", "additional arguments of the mailbox server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    options = "scenario, seed, assume, clock, attack, benign"
    config.addinivalue_line("markers", f"mailbox({options}): how the test's mailbox starts, as in open_mailbox")


_servers: pytest.StashKey[dict[Optional[Path], MailboxServer]] = pytest.StashKey()


def _server(config: pytest.Config, file: Optional[Path] = None) -> MailboxServer:
    """Returns the server of the session, or one for a scenario in a file; each starts when it is first needed."""
    servers = config.stash.setdefault(_servers, {})
    if file not in servers:
        scenario = str(file or config.getini("mailbox_scenario"))
        # A running server that MAILBOX_SIM_URL names has another scenario.
        command = find_program() if file else None
        servers[file] = start_server(scenario, arguments=config.getini("mailbox_arguments"), command=command)
    return servers[file]


def pytest_unconfigure(config: pytest.Config) -> None:
    for server in config.stash.get(_servers, {}).values():
        server.close()


def _file(node: pytest.Item, scenario: object) -> Optional[Path]:
    """Returns the file that a marker names, relative to the test's or to the root folder; ``None`` for other scenarios."""
    if not isinstance(scenario, (str, Path)):
        return None
    name = Path(scenario)
    # The name of a shipped scenario has neither.
    if not isinstance(scenario, Path) and not name.suffix and len(name.parts) == 1:
        return None
    folders = [node.path.parent, node.config.rootpath, Path.cwd()]
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if found is None:
        places = " or ".join(dict.fromkeys(str(folder) for folder in folders))
        pytest.fail(f"The marker mailbox names the scenario {str(name)!r}; there is no such file in {places}.", pytrace=False)
    return found.resolve()


def _open(node: pytest.Item, **laid: Any) -> Mailbox:
    """Opens the mailbox of a test as its marker says. Fails the test in a line if that cannot be done."""
    marker = node.get_closest_marker("mailbox")
    if marker and marker.args:
        pytest.fail(f"The marker mailbox takes names only, such as scenario={marker.args[0]!r}.", pytrace=False)
    options = {**(marker.kwargs if marker else {}), **laid}
    file = _file(node, options.get("scenario"))
    if file is not None:
        del options["scenario"]
    try:
        return _server(node.config, file).open_mailbox(**options)
    except MailboxError as error:
        raise pytest.fail.Exception(f"The marker mailbox: {error}", pytrace=False) from None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "mailbox_attack" not in metafunc.fixturenames:
        return
    with _open(metafunc.definition) as mailbox:
        attacks = mailbox.attacks()
    metafunc.parametrize("mailbox_attack", attacks, ids=[attack["name"] for attack in attacks])


@pytest.fixture(scope="session")
def mailbox_server(pytestconfig: pytest.Config) -> MailboxServer:
    """A server for the whole session; under xdist, one for each worker."""
    return _server(pytestconfig)


@pytest.fixture
def mailbox(request: pytest.FixtureRequest) -> Iterator[Mailbox]:
    """A separate world for this test, at the start of its story, with its own API key."""
    is_attacked = "mailbox_attack" in request.fixturenames
    laid = {"attack": request.getfixturevalue("mailbox_attack")} if is_attacked else {}
    with _open(request.node, **laid) as opened:
        yield opened
