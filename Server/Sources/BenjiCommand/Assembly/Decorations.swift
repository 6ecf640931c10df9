import Endpoints

/// What is set before the parts of a server by whoever puts one together by hand: the demo's sandbox. `benji serve` sets nothing.
struct Decorations: Sendable {
    var device: @Sendable (any DeviceDesk) -> any DeviceDesk = { $0 }
    var server: @Sendable (any ServerDesk) -> any ServerDesk = { $0 }
    var openID: @Sendable (any OpenIDDesk) -> any OpenIDDesk = { $0 }
    var routes: @Sendable ([EndpointRoute], BoundPorts.Listener) -> [EndpointRoute] = { routes, _ in routes }
}
