// Senders of short messages: an SMSC over SMPP, a provider over HTTPS, a file, and a list. The list asks the next
// sender when one takes nothing. They know no codes, no apps and no store. `SMPP/SMPPSession.swift` decides what a
// session with an SMSC does, as a value: begin there. `SMPP/SMPPSender.swift` performs it.
