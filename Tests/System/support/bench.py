"""`benji bench` beside a test: honest phones and app servers, and what they met."""

import json
import subprocess
import threading
import time

from .checks import end, start
from .server import BUNDLE, SECRET, environment


class Bench:
    """Runs until its time is over; its lines are read as they come."""

    def __init__(self, server, app, *arguments, accounting_source="127.0.0.1", binary=None):
        self.events, self.errors = [], ""
        self.process = start(
            [binary or server.binary, "bench", "--json", "--device", server.device_url,
             "--server", f"http://127.0.0.1:{server.server}", "--accounting", f"127.0.0.1:{server.accounting}",
             "--secret", SECRET, "--source", accounting_source, "--app", app["id"], "--key", app["key"],
             "--server-secret", app["serverSecret"],
             "--bundle", BUNDLE, *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=environment())
        self._readers = [threading.Thread(target=self._read, daemon=True),
                         threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.events.append({**json.loads(line), "heard": time.monotonic()})

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def seconds(self, since=0.0, until=float("inf")):
        """The lines of the seconds that ended in a time."""
        return [event for event in list(self.events)
                if event["event"] == "second" and since <= event["heard"] <= until]

    def last(self, kind):
        """The last line of a kind, or None."""
        return next((event for event in reversed(list(self.events)) if event["event"] == kind), None)

    def wait(self, seconds):
        """Its exit status, or None if it had to be ended."""
        try:
            self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            end(self.process)
            return None
        for reader in self._readers:
            reader.join(timeout=5)
        return self.process.returncode

    def stop(self):
        """Lets it finish its work under way and report."""
        if self.process.poll() is None:
            self.process.terminate()
        return self.wait(15)
