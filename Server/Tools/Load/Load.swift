// Phones, a packet core and app servers that put a running server under load, what they measure, and what they write
// down for the judge. They use the server's signing and RADIUS code and the sandbox's clients; they speak to the server
// over sockets only. Begin with `LoadStage.swift`.
