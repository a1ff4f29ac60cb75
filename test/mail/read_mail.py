"""Reads mails from lines of base64 with the email package; writes what each says as a line of JSON."""

import base64
import json
import sys
from email import message_from_bytes
from email.policy import default


def addresses(mail, field):
    return [[one.display_name, one.addr_spec] for value in mail.get_all(field, []) for one in value.addresses]


def content(part):
    # The package reads attached mails, and reports on delivery, as mails with parts of their own.
    if part.is_multipart():
        return b"".join(bytes(one) for one in part.get_payload()).replace(b"\n", b"\r\n")
    return part.get_payload(decode=True)


def read(source):
    mail = message_from_bytes(source, policy=default)
    text, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    return {
        **{field: addresses(mail, field) for field in ("from", "to", "cc", "bcc", "reply-to")},
        "subject": mail["subject"],
        "type": "; ".join([mail.get_content_type(), *(f"{name}={value}" for name, value in mail["content-type"].params.items() if name != "boundary")]),
        "message_id": mail["message-id"],
        "in_reply_to": mail["in-reply-to"],
        "references": (mail["references"] or "").split(),
        "headers": {name.lower(): value for name, value in mail.items() if name.lower().startswith("x-")},
        "text": text and text.get_content(),
        "html": html and html.get_content(),
        "files": [
            [part.get_filename(), part.get_content_type(), part["content-id"], base64.b64encode(content(part)).decode()]
            for part in mail.iter_attachments()
        ],
        "defects": [str(defect) for part in mail.walk() for defect in part.defects],
    }


for line in sys.stdin:
    print(json.dumps(read(base64.b64decode(line))))
