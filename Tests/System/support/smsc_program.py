"""An SMSC: smpp34's server of SMPP 3.4, and behind it a network of phones that decide by the last digits of their
numbers.

    smsc_program.py PORT [OFFSET]

Prints events as JSON, a line each. Orders come the same way: {"text": "TD", "from": "8613…"} is a message from a phone.
It has "to" for another number than 10690, and "ton" for a sender's number of another type. Ids of messages begin behind
OFFSET, so that a restarted program gives others.
"""

import asyncio
import json
import sys

import smpp34

ACCEPTED, REFUSED, THROTTLED, FULL, MUTE = range(5)
# By the last two digits: what submit_sm is answered, what the receipt says, and in which form.
PHONES = {
    "01": (ACCEPTED, "DELIVRD", "text"), "02": (REFUSED, None, None), "03": (ACCEPTED, "EXPIRED", "text"),
    "04": (THROTTLED, None, None), "05": (ACCEPTED, None, None), "06": (ACCEPTED, "REJECTD", "parameters"),
    "07": (FULL, None, None), "08": (MUTE, None, None), "09": (ACCEPTED, "UNDELIV", "both"),
}
STATES = {"DELIVRD": 2, "EXPIRED": 3, "UNDELIV": 5, "REJECTD": 8}


def say(**what):
    print(json.dumps(what), flush=True)


class Network:
    def __init__(self, offset):
        self.count = offset
        self.esmes = []
        self.held = []

    def taken(self, event):
        to = event.destination_addr
        kind, state, form = PHONES.get(to[-2:], (ACCEPTED, "DELIVRD", "text"))
        say(submit=event.short_message.hex(), to=to, source=event.source_addr, coding=event.data_coding,
            esm=event.esm_class,
            wants=event.registered_delivery, ton=event.dest_addr_ton, kind=kind)
        if kind == ACCEPTED:
            self.count += 1
            name = f"{self.count:08x}"
            event.accept(name)
            if state and event.registered_delivery:
                asyncio.get_running_loop().create_task(self.receipt(name, to, state, form))
        elif kind == MUTE:
            # Neither answered nor dropped: dropping it would answer.
            self.held.append(event)
        else:
            event.reject({REFUSED: smpp34.ESME_RINVDSTADR, THROTTLED: smpp34.ESME_RTHROTTLED,
                          FULL: smpp34.ESME_RMSGQFUL}[kind])

    async def receipt(self, name, to, state, form):
        text, tlvs = b"", []
        if form in ("text", "both"):
            text = (f"id:{name} sub:001 dlvrd:001 submit date:2611250900 done date:2611250901 stat:{state} err:000 "
                    "text:").encode()
        if form in ("parameters", "both"):
            tlvs = [smpp34.Tlv(smpp34.TLV_RECEIPTED_MESSAGE_ID, name.encode() + b"\0"),
                    smpp34.Tlv(smpp34.TLV_MESSAGE_STATE, bytes([STATES[state]]))]
        await asyncio.sleep(0.1)
        await self.deliver("10690", text, source_addr=to, source_addr_ton=1, source_addr_npi=1, esm_class=4, tlvs=tlvs)

    async def deliver(self, to, text, **fields):
        """Again and again until it is taken, as SMSCs do."""
        for _ in range(100):
            try:
                answer = await self.esmes[-1].deliver_sm(to, text, **fields)
                say(delivered=fields.get("source_addr"), status=answer.command_status)
                if answer.is_success:
                    return
            except (smpp34.SmppError, IndexError) as error:
                say(undelivered=str(error))
            await asyncio.sleep(0.3)


async def main():
    network = Network(int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    server = smpp34.Server("127.0.0.1", int(sys.argv[1]), system_id="SMSC")
    await server.start()
    say(listens=int(sys.argv[1]))
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)

    async def obey():
        while line := await orders.readline():
            order = json.loads(line)
            text, is_plain = order["text"], order["text"].isascii()
            # An order that waits until it is taken must not keep the next one waiting.
            loop.create_task(network.deliver(
                order.get("to", "10690"), text.encode() if is_plain else text.encode("utf-16-be"),
                data_coding=0 if is_plain else 8,
                source_addr=order["from"], source_addr_ton=order.get("ton", 1), source_addr_npi=1))

    obeying = loop.create_task(obey())
    while True:
        event = await server.next()
        if isinstance(event, smpp34.SubmitSmEvent):
            network.taken(event)
        elif isinstance(event, smpp34.Esme):
            network.esmes.append(event)
            say(bound=event.system_id)
        elif isinstance(event, smpp34.Unbound):
            say(unbound=True)


asyncio.run(main())
