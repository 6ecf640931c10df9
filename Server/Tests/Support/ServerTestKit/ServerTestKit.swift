// What tests of several targets need: an authority over a real store with an app, a subscription and a phone's key; a clock
// that a test moves; one request through a router; certificates. Begin with `AuthorityWorld.swift`.
