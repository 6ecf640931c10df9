"""One port of a network namespace, forwarded to this machine's loopback as a container's port is published."""

import ctypes
import os
import socket
import threading

from .checks import PATIENCE

CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


class ForwardedPort:
    """`port` of 127.0.0.1, any if 0, leads to `address` within the network namespace of the process `pid`."""

    def __init__(self, pid, address, port=0):
        self.namespace = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
        self.address = address
        self.listener = socket.create_server(("127.0.0.1", port), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()
        os.close(self.namespace)

    def _accept(self):
        # A thread's sockets are made in its own namespace, whose connections then leave from there.
        inside = self._inside()
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            inside(near)

    def _inside(self):
        """A function that connects from within the namespace, by a thread that has entered it."""
        waiting, ready = [], threading.Semaphore(0)

        def work():
            if _libc.setns(self.namespace, CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            while True:
                ready.acquire()
                near = waiting.pop(0)
                try:
                    far = socket.create_connection(self.address, timeout=PATIENCE)
                except OSError:
                    near.close()
                    continue
                far.settimeout(None)
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

        threading.Thread(target=work, daemon=True).start()

        def connect(near):
            waiting.append(near)
            ready.release()

        return connect

    @staticmethod
    def _carry(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            one.close()
            other.close()
