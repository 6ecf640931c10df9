"""What a packet core told a gateway, and what the gateway may say after it was killed.

The promise under test: an answered packet is kept. After a crash an address may be refused, or answer with the owner
that the last answered packet named, or with one that a later, unanswered packet named. An earlier owner must never
answer again.
"""

from dataclasses import dataclass, field


@dataclass
class Event:
    """One packet: from here on `owner` holds the address, or nobody (None)."""

    owner: str | None
    answered: bool


@dataclass
class AddressHistory:
    events: list[Event] = field(default_factory=list)

    def told(self, owner, answered):
        self.events.append(Event(owner, answered))

    @property
    def permitted(self):
        """Who may hold the address: after the last answered packet, or after any unanswered one since."""
        owners = []
        for event in reversed(self.events):
            owners.append(event.owner)
            if event.answered:
                break
        else:
            owners.append(None)
        return set(owners)

    @property
    def truth(self):
        """Who holds it by the packet core's own books, which repeats what was not answered."""
        return self.events[-1].owner if self.events else None

    def fault(self, said, must_answer=False):
        """What is wrong with an answer, or None. `said` is a number, or None for a refusal."""
        if said is None:
            owner = self.truth
            return f"refused, although {owner} was heard of after the restart" if must_answer and owner else None
        if must_answer and said != self.truth:
            return f"{said} answers, but the holder is {self.truth or 'nobody'}"
        if said not in self.permitted:
            past = [event.owner for event in self.events]
            return f"{said} answers, who is {'a previous holder' if said in past else 'a stranger'}; permitted: {self.permitted}"
        return None


def self_test(checks):
    """The judge must condemn what a forgetful gateway would say."""

    def history(*events):
        made = AddressHistory()
        for owner, answered in events:
            made.told(owner, answered)
        return made

    reassigned = history(("old", True), (None, True), ("new", True))
    lost_stop = history(("old", True), ("new", True))
    in_flight = history(("old", True), (None, True), ("new", False))
    stop_in_flight = history(("old", True), (None, False))
    for made, said, must_answer, is_fault, sentence in (
            (reassigned, "old", False, True, "the previous owner answers after an answered reassignment"),
            (lost_stop, "old", False, True, "the previous owner answers after an answered Start of another"),
            (in_flight, "old", False, True, "the previous owner answers after an answered Stop"),
            (reassigned, "stranger", False, True, "somebody answers who never held the address"),
            (reassigned, None, True, True, "nobody answers after an Interim-Update"),
            (reassigned, "old", True, True, "the previous owner answers after an Interim-Update"),
            (history(("old", True), (None, True)), "old", True, True, "the last owner answers after a repeated Stop"),
            (reassigned, None, False, False, "a refusal after the restart"),
            (reassigned, "new", False, False, "the new owner"),
            (in_flight, "new", False, False, "an owner whose Start was not answered"),
            (stop_in_flight, "old", False, False, "an owner whose Stop was not answered"),
            (reassigned, "new", True, False, "the new owner after an Interim-Update")):
        fault = made.fault(said, must_answer)
        checks.that((fault is not None) == is_fault,
                    f"the judge {'condemns' if is_fault else 'accepts'}: {sentence}", fault or "accepted")
