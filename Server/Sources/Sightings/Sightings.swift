// What the network says of a number, as gateway and authority tell it each other: who was seen on the accounting port, and whose
// phone is asking. Values and two protocols; it knows no RADIUS, no store and no HTTP. Begin with `Sighting.swift`, then
// `RegisterDesk.swift`.
