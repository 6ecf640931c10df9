// Phones, a packet core and app servers that put a running server under load, what they measure, and what they write down for
// the judge. They speak to the server as strangers do and share nothing with it. Begin with `LoadStage.swift`.
