"""The link between gateway and authority: its certificates, as docs/operations/gateways.md makes them."""

import re

from .checks import Stop, require, run
from .server import ROOT


def operations():
    """The operator's manual: every page of docs/operations."""
    return "\n".join(page.read_text() for page in sorted((ROOT / "docs/operations").glob("*.md")))


def blocks(language):
    """The code blocks of the operator's manual in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", operations(), re.MULTILINE | re.DOTALL)


def making_certificates():
    """The page's openssl commands."""
    require("openssl", "openssl")
    return next((block for block in blocks("sh") if "openssl req" in block and "link-ca.pem" in block), "")


def make_certificates(place, addresses=("127.0.0.1",), others=(), environment=None):
    """link-ca.pem, authority.pem and gateway-1.pem with their keys, in a folder, and those of `others`, which are
    gateways too. Gateways call the authority by `addresses`. `environment` is openssl's, such as one with another
    clock."""
    text = making_certificates()
    commands = text.replace("IP:127.0.0.1", ",".join(f"IP:{address}" for address in addresses))
    for name in others:
        commands += text[text.index("# For each gateway"):].replace("gateway-1", name)
    made = run(["bash", "-euo", "pipefail", "-c", commands], cwd=place, env=environment)
    if made.returncode != 0:
        raise Stop(f"openssl: {made.stdout}{made.stderr}")
