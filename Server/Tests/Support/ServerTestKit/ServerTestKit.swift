// Support for tests of several targets. Begin with `AuthorityWorld.swift`, an authority over a real store with an app,
// a subscription and a phone's key. Others are a clock that a test moves, one request through a router, certificates.
