"""Writes random mails with the email package, one JSON object in a line: the mail in base64, and what it says."""

import base64
import json
import random
import sys
from datetime import datetime, timedelta, timezone
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

WORDS = ["lamp", "Größe", "Zoë", "照明", "лампа", "☾", "order", "4187", "a=b", "über", "=?no?", "x_y", '"q"']
WESTERN = ["lamp", "Größe", "Zoë", "über", "order", "4187", "déjà"]
NAMES = ["Ann Lee", "Lee, Ann", "Jürgen Weiß", "佐藤美咲", "O'Hara", "Ann (work)", 'A. "B" C', "Dr. Zoë", ""]
FILES = ["a.txt", "price list.csv", "Größe.pdf", "照明の件.png", "semi;colon.txt", "x(1).pdf", "é.ics"]
TYPES = ["text/csv", "text/calendar", "application/pdf", "image/png", "application/octet-stream"]
BOUNDARIES = ["b", "----=_Part_1", "x'()+_,-./:=?y", "with space", "0" * 70]


def sentence(words, count):
    return " ".join(random.choices(words, k=count))


def write():
    mail = EmailMessage(policy=SMTP.clone(linesep=random.choice(["\r\n", "\n"]), max_line_length=random.choice([60, 78, 120])))
    people = [(random.choice(NAMES), random.choice(["ann", "a.b+c", "x_1", "o'k"]) + "@shop.example") for _ in range(4)]
    sender, *to = people[: random.randint(2, 4)]
    subject = sentence(WORDS, random.randint(1, 9))
    zone = timezone(timedelta(minutes=random.choice([0, -300, 330, 780])))
    date = datetime(1998, 1, 1, tzinfo=zone) + timedelta(seconds=random.randrange(10**9))
    mail["From"] = Address(sender[0], addr_spec=sender[1])
    # Python 3.11 encodes the comma between two encoded names.
    mail["To"] = [Address(name if name.isascii() else "", addr_spec=address) for name, address in to]
    mail["Subject"] = subject
    mail["Date"] = date
    charset = random.choice(["utf-8", "iso-8859-1"])
    words = WESTERN if charset == "iso-8859-1" else WORDS
    text, html = (
        "\n".join(sentence(words, random.randint(1, 30)) for _ in range(random.randint(1, 6))) for _ in range(2)
    )
    transfer = lambda: {"charset": charset, "cte": random.choice(["base64", "quoted-printable", "8bit"])}
    has_html = random.random() < 0.5
    mail.set_content(text + "\n", **transfer())
    if has_html:
        mail.add_alternative(f"<p>{html}</p>\n", subtype="html", **transfer())
    files = []
    for _ in range(random.choice([0, 0, 1, 3])):
        kind, name = random.choice(TYPES), random.choice(FILES)
        content = random.randbytes(random.choice([0, 1, 2, 3, 57, 58, 200, 1000]))
        maintype, subtype = kind.split("/")
        disposition = random.choice(["attachment", "inline"])
        mail.add_attachment(content, maintype, subtype, filename=name, disposition=disposition)
        files.append([name, kind, base64.b64encode(content).decode()])
    for depth, part in enumerate(mail.walk()):
        if part.is_multipart():
            part.set_boundary(random.choice(BOUNDARIES)[:68] + str(depth))
            part.preamble = random.choice([None, "This is MIME.\n"])
            part.epilogue = random.choice([None, "epilogue\n"])
    return {
        "mail": base64.b64encode(mail.as_bytes()).decode(),
        **{"from": sender, "to": [address for _, address in to], "subject": subject.replace(" ", "")},
        **{"date": int(date.timestamp()), "text": text, "html": f"<p>{html}</p>" if has_html else None, "files": files},
    }


random.seed(2045)
for _ in range(int(sys.argv[1])):
    print(json.dumps(write()))
