#!/usr/bin/env python3
"""Makes an iOS simulator a phone of the sandbox, for the examples beside this file.

A simulator's requests come from the address of the machine, which is no phone's. This program listens on that machine, and carries what comes
in through the modem of one of the sandbox's phones to the gateway, which then sees the phone's address. It writes the app that the sandbox
has registered into Sandbox.xcconfig, which the examples' project reads.

    phone.py                           phone-1 of the sandbox at http://127.0.0.1:8090, on port 9080
    phone.py --sandbox URL --phone phone-2 --port 9081
    phone.py --app 300000000002        another app of the sandbox, registered for phones without a key

It runs where the sandbox runs, until it is stopped. Where that is another machine, lead the port to the Mac, and copy the file that it wrote:

    ssh -L 9080:127.0.0.1:9080 that-machine
"""

import argparse
import asyncio
import json
import pathlib
import sys
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


def ask(sandbox, path):
    with urllib.request.urlopen(sandbox.rstrip("/") + path, timeout=10) as answer:
        return json.load(answer)


def settings(app, port):
    """As a file of build settings. Two slashes would begin a comment there."""
    return "\n".join([
        "// The app that the running sandbox has registered. Written by phone.py, and not for the repository.",
        f"BENJI_SERVER = http:/$()/127.0.0.1:{port}", f"BENJI_APP_ID = {app['id']}", f"BENJI_APP_KEY = {app['key']}",
        f"BENJI_BUNDLE_ID = {app['bundleId']}", ""])


async def carry(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (ConnectionError, OSError):
        writer.close()


async def serve(sandbox, name, port, file, changes):
    app, phone = {**ask(sandbox, "/api/app"), **changes}, ask(sandbox, f"/api/phones/{name}")
    modem, gateway = urllib.parse.urlsplit(phone["proxy"]), urllib.parse.urlsplit(app["gateway"])

    async def connected(reader, writer):
        try:
            onward_reader, onward_writer = await asyncio.open_connection(modem.hostname, modem.port)
            onward_writer.write(f"CONNECT {gateway.netloc} HTTP/1.1\r\nHost: {gateway.netloc}\r\n\r\n".encode())
            head = await onward_reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n")[0]:
                raise ConnectionError(head.split(b"\r\n")[0].decode())
        except (OSError, asyncio.IncompleteReadError) as error:
            # The phone has no network, as it was chosen on the sandbox's page.
            print(f"{name} lets nothing through: {error}", file=sys.stderr, flush=True)
            return writer.close()
        await asyncio.gather(carry(reader, onward_writer), carry(onward_reader, writer))
        for each in (writer, onward_writer):
            each.close()

    server = await asyncio.start_server(connected, "127.0.0.1", port)
    port = server.sockets[0].getsockname()[1]
    file.write_text(settings(app, port), encoding="utf-8")
    print(f"{name} is at http://127.0.0.1:{port}; {file.name} has the app of the sandbox", flush=True)
    async with server:
        await server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sandbox", default="http://127.0.0.1:8090")
    parser.add_argument("--phone", default="phone-1")
    parser.add_argument("--port", type=int, default=9080)
    parser.add_argument("--app", help="the id of another app than the one that the sandbox shows")
    parser.add_argument("--key", default="", help="that app's key; none for an app whose phones have none")
    parser.add_argument("--settings", type=pathlib.Path, default=HERE / "Sandbox.xcconfig")
    given = parser.parse_args()
    try:
        changes = {"id": given.app, "key": given.key} if given.app else {}
        asyncio.run(serve(given.sandbox, given.phone, given.port, given.settings, changes))
    except KeyboardInterrupt:
        pass
    except OSError as error:
        sys.exit(f"error: {error}; is the sandbox running (make demo)?")


if __name__ == "__main__":
    main()
