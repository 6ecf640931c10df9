// PDUs of SMPP 3.4 (Short Message Peer to Peer, issue 1.2). Converts bytes to values and back, and texts to the octets
// of GSM 03.38 or UCS-2 and back. No socket, no clock, no session. Reading never traps, whatever comes. Begin with
// `PDU.swift`, then `Message.swift`. `MessageText.swift` cuts a long text, and `Receipt.swift` reads a receipt.
