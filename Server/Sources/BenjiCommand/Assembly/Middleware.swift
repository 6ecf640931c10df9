import Endpoints
import ServerHTTP
import ServerRuntime
import ShortMessages

/// Wrappers around desks and routes, which change nothing unless somebody sets them. The demo sets the sandbox's;
/// `benji serve` none.
struct Middleware: Sendable {
    var server: @Sendable (any ServerDesk) -> any ServerDesk = { $0 }
    /// Takes short messages in the place of the configured senders.
    var sender: (any ShortMessageSender)?
    var openID: @Sendable (any OpenIDDesk) -> any OpenIDDesk = { $0 }
    var routes: @Sendable ([EndpointRoute], ListenerName) -> [EndpointRoute] = { routes, _ in routes }
}
