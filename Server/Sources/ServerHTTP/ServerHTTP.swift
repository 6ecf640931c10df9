// Listeners and routes, without any dialect: connections and their limits, TLS, the access log and health. It checks
// what a phone signs, and has the error page. Begin with `EndpointRoute.swift`, then `PublicServer.swift`.
