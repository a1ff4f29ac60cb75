"""Reads mails, base64 a line, with Python's own parser; writes what it finds as JSON, a line each."""
import base64, email, json, sys
from email import policy

for line in sys.stdin:
    mail = email.message_from_bytes(base64.b64decode(line), policy=policy.default)
    sender = mail["from"].addresses[0] if mail["from"] and mail["from"].addresses else None
    parts = [part for part in mail.walk() if not part.is_multipart()]
    body = lambda kind: next(
        (part.get_content() for part in parts if part.get_content_type() == kind and not part.get_filename()), None
    )
    print(
        json.dumps(
            {
                "from": sender and [sender.display_name, sender.addr_spec],
                "to": [one.addr_spec for one in mail["to"].addresses] if mail["to"] else [],
                "subject": str(mail["subject"] or ""),
                "date": mail["date"].datetime.timestamp() if mail["date"] and mail["date"].datetime else None,
                "text": body("text/plain"),
                "html": body("text/html"),
                "files": [
                    [part.get_filename(), part.get_content_type(), base64.b64encode(part.get_payload(decode=True)).decode()]
                    for part in parts
                    if part.get_filename()
                ],
            }
        )
    )
