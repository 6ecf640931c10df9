// The engine of a login: which request comes next, what an answer means, and how a request leaves by the mobile-data
// interface. It shows no page and knows no vendor. Decisions are values, tested without a network; Apple's frameworks
// are used in `Apple/` and in `Keys/KeychainDeviceKeyStore.swift` only. Begin with `Engine/LoginAttempt.swift`.
