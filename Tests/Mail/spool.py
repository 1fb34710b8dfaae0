"""Sends the mails of a folder as rankd-alert-mail.service does, through msmtp, to a real SMTP server on loopback.

    spool.py UNIT FOLDER

UNIT is the unit's file: its own command is run, with the folder and msmtp in place of the machine's. FOLDER holds
mails of rankd. The mail to later@example.com is refused at first and has to stay there; a second run sends it. Prints one line of
JSON for each mail that arrived: its envelope, headers and parts.
"""

import asyncio
import email
import email.policy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from aiosmtpd.smtp import SMTP

UNIT, FOLDER = sys.argv[1:3]


class Receiver:
    def __init__(self):
        self.refuses = set()
        self.messages = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refuses:
            return "451 try again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.messages.append(envelope)
        return "250 OK"


def command():
    """What the unit runs, without systemd's own quoting."""
    text = pathlib.Path(UNIT).read_text().replace("\\\n", " ")
    line = next(line for line in text.splitlines() if line.startswith("ExecStart=/bin/sh -c '"))
    script = line.removeprefix("ExecStart=/bin/sh -c '").removesuffix("'").replace("$$", "$")
    assert "/var/lib/rankd/outgoing-mail" in script and "/usr/sbin/sendmail" in script, script
    return script.replace("/var/lib/rankd/outgoing-mail", FOLDER)


def run(sendmail):
    return subprocess.run(["/bin/sh", "-c", command().replace("/usr/sbin/sendmail", str(sendmail))]).returncode


def waiting():
    return sorted(name for name in os.listdir(FOLDER) if name.endswith(".eml"))


async def main(receiver):
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(receiver, hostname="127.0.0.1", loop=loop), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.to_thread(deliver, receiver, port)
    server.close()


def deliver(receiver, port):
    with tempfile.TemporaryDirectory() as work:
        settings = pathlib.Path(work, "msmtprc")
        settings.write_text(
            f"account default\nhost 127.0.0.1\nport {port}\nfrom rankd@box.example\ntls off\nauth off\n"
        )
        settings.chmod(0o600)
        sendmail = pathlib.Path(work, "sendmail")
        sendmail.write_text(f'#!/bin/sh\nexec msmtp -C {settings} "$@"\n')
        sendmail.chmod(0o700)

        names = waiting()
        # A link is not followed: it could lead to what rankd may read and nobody should be sent.
        pathlib.Path(work, "outside").write_text("To: root\n\nx\n")
        os.symlink(pathlib.Path(work, "outside"), pathlib.Path(FOLDER, "link.eml"))
        receiver.refuses = {"later@example.com"}
        assert run(sendmail) == 75, "a refused mail is no failure"
        left = [name for name in waiting() if name != "link.eml"]
        assert left and len(receiver.messages) == len(names) - len(left), (names, left)
        receiver.refuses = set()
        assert run(sendmail) == 0
        assert waiting() == ["link.eml"], waiting()
        assert run(sendmail) == 0 and len(receiver.messages) == len(names)


receiver = Receiver()
asyncio.run(main(receiver))
for envelope in receiver.messages:
    mail = email.message_from_bytes(envelope.original_content or envelope.content, policy=email.policy.default)
    assert not mail.defects, mail.defects
    print(
        json.dumps(
            {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "headers": {name.lower(): str(value) for name, value in mail.items()},
                "parts": {part.get_content_type(): part.get_content() for part in mail.walk() if not part.is_multipart()},
            }
        )
    )
