"""Runs an agent once and fails unless its description is correct for the refunds in `refunds.yaml`.
`explore` repeats this test under every assumption: `check.py careful.py`.
"""

import json
import os
import subprocess
import sys
from urllib.request import Request, urlopen

BASE_URL = os.environ.get("MAILBOX_BASE_URL", "http://127.0.0.1:4280")
API_KEY = os.environ.get("MAILBOX_API_KEY", "test-key")
EXPECTED = "Refunds waiting: 4, receipts: 2, EUR 225.35, since 2025-10-27"

agent = os.path.join(os.path.dirname(os.path.abspath(__file__)), (sys.argv[1:] or ["careful.py"])[0])
status = subprocess.run([sys.executable, agent, "--once"]).returncode
if status != 0:
    sys.exit(f"The agent exited with status {status}.")

identity = Request(f"{BASE_URL}/api/v1/identities/support", headers={"Authorization": f"Bearer {API_KEY}"})
with urlopen(identity) as response:
    description = json.load(response)["description"]
if description != EXPECTED:
    sys.exit(f'expected "{EXPECTED}", found "{description}"')
