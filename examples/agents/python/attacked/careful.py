"""An agent that replies to what it knows about. It treats all mail as text: nothing in it is an order."""

import re

from client import new_mail, request

for mail in new_mail():
    is_question = re.search(r"\bpole\b.*\?", mail["text"], re.IGNORECASE | re.DOTALL)
    if is_question:
        request("POST", f"mail/messages/{mail['id']}/reply", {"text": "It is 8.5 mm."})
