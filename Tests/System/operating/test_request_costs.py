"""The cost of a request: callgrind counts the instructions of a login, a look-up and an accounting packet. No other
load on the machine changes them, and none may take more than is kept beside the program that does them."""

import sys

import pytest

from support.checks import folder
from support.server import ROOT

sys.path.insert(0, str(ROOT / "scripts/lib"))
import request_costs  # noqa: E402

pytestmark = pytest.mark.seconds(240)


def test_instructions(checks):
    kept = request_costs.read()
    counted = request_costs.count()
    checks.that(len(counted) >= 6, "prefetch, authorize, redemption, look-up and packet are counted", counted)
    checks.equal(request_costs.judge(counted, kept), [], "no operation takes over 5 % more instructions than is kept")
    checks.note(request_costs.table(counted, kept))


def test_more_is_noticed(checks):
    """The judge itself: what it lets pass and what not."""
    kept = {"redeem": 1_000_000, "look-up": 1000}
    checks.equal(request_costs.judge({"redeem": 1_050_000, "look-up": 900}, kept), [], "5 % more, or less, is let pass")
    faults = request_costs.judge({"redeem": 1_050_001, "look-up": 1000}, kept)
    checks.that(len(faults) == 1 and faults[0].startswith("redeem: 1,050,001 instructions, +5.0%"),
                "more is a fault, by its name", faults)
    faults = request_costs.judge({"redeem": 1_000_000, "packet": 5}, kept)
    checks.that([fault.split(":")[0] for fault in faults] == ["packet", "look-up"],
                "what only one side knows is a fault", faults)


def test_table(checks):
    """Figures are kept as they were counted."""
    file = folder() / "instructions.tsv"
    counted = {"redeem": 123_456, "request without a store": 7}
    request_costs.write(counted, file)
    checks.equal(request_costs.read(file), counted, "a table that was written is read")
