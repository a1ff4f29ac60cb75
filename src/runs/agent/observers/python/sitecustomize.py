"""Lets `agent-mailbox-sim` see what this Python process does, and end its waits when story time is there.

`play` puts the folder of this file in front of PYTHONPATH, so Python imports it before anything of the agent's own.
Without MAILBOX_SIM_OBSERVER in the environment it does nothing. The observer is the package beside this file. A
`sitecustomize` further down the path runs as it would without this one. Needs Python 3.9.
"""

import os
import sys


def run_next_sitecustomize():
    """Imports the `sitecustomize` that would have been imported without this one, and leaves its name to it."""
    del sys.modules[__name__]
    here = os.path.dirname(os.path.abspath(__file__))
    own = [path for path in sys.path if os.path.abspath(path) == here]
    sys.path[:] = [path for path in sys.path if path not in own]
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        sys.modules["sitecustomize"] = type(sys)("sitecustomize")
    finally:
        sys.path[:0] = own


if os.environ.get("MAILBOX_SIM_OBSERVER"):
    try:
        from agent_mailbox_sim_observer import begin

        begin()
    except Exception:
        pass  # Whatever fails here must not reach the agent.
run_next_sitecustomize()
