package import ServerHTTP
package import ServiceLifecycle

/// A listener that says which setting is wrong when its address cannot be bound.
package struct ListenerService: Service {
    package let name: ListenerName
    package let address: ListenAddress
    package let application: any Service

    package func run() async throws {
        do { try await PublicServer.onEventLoop { try await application.run() } } catch let error
            where !(error is CancellationError)
        {
            throw ConfigurationError(listener: name, address: address) ?? error
        }
    }
}

extension ConfigurationError {
    /// Says why a listener's address cannot be bound; `nil` if it can, and something else is wrong.
    package init?(listener: ListenerName, address: ListenAddress) {
        guard let problem = address.bindingProblem(isUDP: listener == .accounting) else { return nil }
        self.init(key: "listen.\(listener)", problem: "\(address) cannot be bound: \(problem)")
    }

    /// The listeners of which one would find its port taken by another. Of two that clash the later one is named.
    package static func clashes(
        of listeners: [(name: ListenerName, address: ListenAddress)]
    ) -> [ConfigurationError] {
        let listeners = listeners.filter { $0.name != .accounting && $0.address.port != 0 }
        return listeners.enumerated().compactMap { index, listener in
            let (name, address) = listener
            let other = listeners[..<index].first {
                $0.address.port == address.port
                    && ($0.address.host == address.host || $0.address.isEverywhere || address.isEverywhere)
            }
            return other.map {
                ConfigurationError(
                    key: "listen.\(name)",
                    problem:
                        "\(address) has the port of listen.\($0.name) (\($0.address)); give each a port of its own")
            }
        }
    }
}
