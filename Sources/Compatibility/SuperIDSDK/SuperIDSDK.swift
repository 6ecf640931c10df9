// SuperID's SDK for face login, symbol for symbol as its document promises, over BenjiFace. Names, types and codes
// only. Begin with `SuperID.swift`, then `Shell/SuperIDShell.swift`.
