// The parts of a process that every role has: settings, log, listeners, certificates and health. And the whole role
// *gateway*. It knows no authority, so that `benji-gateway` is built without one. Begin with
// `Assembly/GatewayAssembly.swift`, then `Assembly/ProcessAssembly.swift`.
