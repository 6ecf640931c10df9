"""Does what its arguments say with Clients/python: see Tests/System/dialects/test_server_api.py."""

import json
import sys

from benji_server import BenjiError, BenjiServer, NotOurs, read_event

order, *words = sys.argv[1:]
try:
    if order == "event":
        secrets, headers, body, now = words
        event = read_event(secrets.split(), json.loads(headers), body.encode(), int(now))
        print("ok", event["id"], event["type"])
    else:
        url, app, secret, *words = words
        server = BenjiServer(url, app, secret)
        if order == "redeem":
            login = server.redeem(*words)
            print("ok", *(login[each] for each in ("number", "account", "assurance", "method", "trace")))
        elif order == "verify":
            print("ok", str(server.verify(*words)).lower())
        else:
            print("ok", server.app()["id"])
except BenjiError as error:
    print("failure", error.code, error.status, error.param or "-")
except NotOurs:
    print("not ours")
