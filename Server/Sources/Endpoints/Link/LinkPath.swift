/// The addresses of the link between gateway and authority, version 1. A message that changes its meaning gets a new
/// version.
enum LinkPath: String, Sendable, CaseIterable {
    case prefetch = "/link/v1/prefetch"
    case authorize = "/link/v1/authorize"
    case forget = "/link/v1/forget"
    case observe = "/link/v1/observe"
    case revoke = "/link/v1/revoke"
    case erased = "/link/v1/erased"
    case challenge = "/link/v1/challenge"
    case policy = "/link/v1/policy"
}
