// Who takes short messages, at the edge of the network: an SMSC over SMPP, a provider over HTTPS, a file, and a list of them of which
// the next is asked when one takes nothing. Knows no codes, no apps and no store. What a session with an SMSC does is decided in a value,
// `SMPP/SMPPSession.swift`: begin there. `SMPP/SMPPSender.swift` performs it.
