// PDUs of SMPP 3.4 (Short Message Peer to Peer, issue 1.2): bytes become values and values become bytes, texts become the octets of
// GSM 03.38 or UCS-2 and back. No socket, no clock, no session. Reading never traps, whatever comes. Begin with `PDU.swift`, then
// `Message.swift`; a long text is cut in `MessageText.swift`, and a receipt is read in `Receipt.swift`.
