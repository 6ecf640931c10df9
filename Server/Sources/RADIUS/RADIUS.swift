// RADIUS packets (RFC 2865, RFC 2866, 3GPP TS 29.061): bytes become values and values become bytes, and authenticators
// are checked. No socket, no clock, no session. Reading never traps, whatever comes. Begin with `Packet.swift`, then
// `AccountingRequest.swift`.
