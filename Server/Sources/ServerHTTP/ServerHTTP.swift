// Listeners and routes, without any dialect: connections and their limits, TLS, the access log, health, the check of a
// request that a phone signs, and the page that says what went wrong. Begin with `EndpointRoute.swift`, then
// `PublicServer.swift`.
