#!/usr/bin/env -S python3 -B
"""A web server as it is written in an afternoon. It reads every header and body whole, waits as long as the client
likes, and takes every connection. Attacks that a careful server outlives must be seen to hurt this one.

    unlimited.py PORT
"""

import asyncio
import sys


async def serve(reader, writer):
    try:
        while True:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = await reader.read(65536)
                if not piece:
                    return
                head += piece
            head, _, body = head.partition(b"\r\n\r\n")
            length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n")
                           if line.lower().startswith(b"content-length:")), 0)
            while len(body) < length:
                piece = await reader.read(65536)
                if not piece:
                    return
                body += piece
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await writer.drain()
    except (ConnectionError, ValueError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    async with server:
        await server.serve_forever()


asyncio.run(main())
