"""Prints what Python's email package reads in each message of a folder of .eml and mbox files, as JSON lines."""

import email.policy
import hashlib
import json
import mailbox
import pathlib
import sys
from email.parser import BytesParser


def messages(folder):
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix == ".mbox":
            for index, one in enumerate(mailbox.mbox(path, create=False)):
                yield f"{path.relative_to(folder)}#{index}", one.as_bytes()
        elif path.suffix == ".eml":
            yield str(path.relative_to(folder)), path.read_bytes()


def readable(text):
    """Returns a text with raw UTF-8 as such; None if Python could not decode it."""
    decoded = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return None if "\ufffd" in decoded else decoded


def address(one):
    """Returns an address; empty where the header has a name only, or nothing at all."""
    text = one.addr_spec
    return "" if text == "<>" or (text.startswith('"') and "@" not in text) else text.replace('"', "")


def addresses(message, name):
    """Returns the addresses of a header; None if there is none or Python cannot read it."""
    try:
        fields = message.get_all(name)
        found = None if not fields else [readable(address(one)) for field in fields for one in field.addresses]
        return None if found is None or None in found else found
    except Exception:
        return None


def subject(message):
    try:
        value = message["subject"]
        return None if value is None else readable(str(value))
    except Exception:
        return None


def read_text(part):
    try:
        return readable(part.get_content())
    except Exception:
        return None


def leaves(part):
    """Yields the parts that are no containers; an attached message is one of them."""
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        for one in part.iter_parts():
            yield from leaves(one)
    else:
        yield part


def is_body(part):
    filename = (part.get_filename() or "").strip()
    return (
        part.get_content_type() in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
        and filename == ""
    )


def octets(part):
    if part.get_content_maintype() in ("message", "multipart"):
        return None
    return part.get_payload(decode=True)


def ids(message, name):
    text = str(message.get(name, "") or "")
    return [one.split(">")[0] for one in text.replace("\n", "").replace("\r", "").split("<")[1:]]


def seconds(message):
    """Returns the time in the Date header, in seconds since the epoch; None if there is none that Python can read."""
    try:
        return message["date"].datetime.timestamp()
    except Exception:
        return None


def expected(name, source):
    message = BytesParser(policy=email.policy.default).parsebytes(source)
    parts = list(leaves(message))
    texts = [read_text(part) for part in parts if is_body(part) and part.get_content_type() == "text/plain"]
    files = [octets(part) for part in parts if not is_body(part)]
    return {
        "name": name,
        "source": source.hex(),
        "sender": (addresses(message, "from") or [None])[0],
        "recipients": addresses(message, "to"),
        "subject": subject(message),
        "date": seconds(message),
        "text": None if None in texts or not texts else "\n".join(texts),
        "files": sorted(hashlib.sha256(one).hexdigest() for one in files if one is not None),
        "id": (ids(message, "message-id") or [None])[0],
        "answers": ids(message, "in-reply-to") + ids(message, "references"),
    }


for name, source in messages(sys.argv[1]):
    try:
        print(json.dumps(expected(name, source)))
    except Exception as error:  # Python cannot read every message.
        print(json.dumps({"name": name, "failed": repr(error)}))
