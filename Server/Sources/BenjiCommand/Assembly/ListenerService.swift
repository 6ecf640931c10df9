import ServerHTTP
import ServiceLifecycle

/// A listener that says which setting is wrong when its address cannot be bound.
struct ListenerService: Service {
    let name: ListenerName
    let address: ListenAddress
    let application: any Service

    func run() async throws {
        do { try await PublicServer.onEventLoop { try await application.run() } } catch let error
            where !(error is CancellationError)
        {
            throw ConfigurationError(listener: name, address: address) ?? error
        }
    }
}

extension ConfigurationError {
    /// Says why a listener's address cannot be bound; `nil` if it can, and something else is wrong.
    init?(listener: ListenerName, address: ListenAddress) {
        guard let problem = address.bindingProblem(isUDP: listener == .accounting) else { return nil }
        self.init(key: "listen.\(listener)", problem: "\(address) cannot be bound: \(problem)")
    }
}
