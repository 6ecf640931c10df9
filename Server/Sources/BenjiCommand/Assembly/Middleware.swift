import Endpoints
import ServerHTTP
import ServerRuntime
import ShortMessages

/// Wrappers around services and routes, which change nothing unless somebody sets them. The demo sets the sandbox's;
/// `benji serve` none.
struct Middleware: Sendable {
    var server: @Sendable (any ServerService) -> any ServerService = { $0 }
    /// Takes short messages in the place of the configured senders.
    var sender: (any ShortMessageSender)?
    var openID: @Sendable (any OpenIDService) -> any OpenIDService = { $0 }
    var routes: @Sendable ([EndpointRoute], ListenerName) -> [EndpointRoute] = { routes, _ in routes }
}
