// The network's information about a number, as gateway and authority exchange it: who was seen on the accounting port,
// and whose phone is asking. It contains values and two protocols, without RADIUS, store or HTTP. Begin with
// `Sighting.swift`, then `RegisterService.swift`.
