"""An HSM in software: SoftHSM with tokens of its own, and a module before it that fails as hardware does (hsm.c)."""

from pathlib import Path

from .checks import Stop, folder, require, run
from .preload import library

MODULE = "/usr/lib/softhsm/libsofthsm2.so"
PIN, WRONG_PIN = "80421355", "11111111"


class SoftHSM:
    """Tokens in a folder. `environment` is what lets a program find them."""

    def __init__(self, *labels):
        self.folder = folder()
        self.tokens = self.folder / "tokens"
        self.tokens.mkdir(0o700)
        configuration = self.folder / "softhsm2.conf"
        configuration.write_text(
            f"directories.tokendir = {self.tokens}\nobjectstore.backend = file\nlog.level = ERROR\n")
        self.environment = {"SOFTHSM2_CONF": str(configuration)}
        self.pin = self.file("pin", PIN)
        self.wrong_pin = self.file("wrong-pin", WRONG_PIN)
        for label in labels:
            made = run([require("softhsm2-util", "softhsm2"), "--init-token", "--free", "--label", label, "--pin", PIN,
                        "--so-pin", "99887766"],
                       env=self.environment)
            if made.returncode != 0:
                raise Stop(f"softhsm2-util: {made.stdout}{made.stderr}")

    def file(self, name, text, mode=0o600):
        path = self.folder / name
        path.write_text(text + "\n")
        path.chmod(mode)
        return path

    def key(self, token="benji", key="master", module=MODULE, pin=None):
        """The URI of a key."""
        return f"pkcs11:token={token};object={key}?module-path={module}&pin-source=file:{pin or self.pin}"

    # The HSM is disconnected, and connected again.

    def disconnect(self):
        self.tokens.rename(self.folder / "away")
        self.tokens.mkdir(0o700)

    def connect(self):
        self.tokens.rmdir()
        Path(self.folder / "away").rename(self.tokens)


def faulty_module():
    """The path of the module that fails as HSM_FAULT says, and writes logins into the file that HSM_LOGINS names."""
    return library("hsm.c")
