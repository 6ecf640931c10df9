// What the process of every role has: settings, log, listeners, certificates and health, and the whole of the role
// *gateway*. It knows no authority, so that `benji-gateway` is built without one. Begin with
// `Assembly/GatewayAssembly.swift`, then `Assembly/ProcessAssembly.swift`.
