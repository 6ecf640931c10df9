import BenjiProtocol
import Synchronization

/// How many connections each address holds, so that one caller cannot take the places of all others.
final class ConnectionLimiter: Sendable {
    /// A connection that was admitted.
    struct Admission: Hashable, Sendable {
        fileprivate let address: InternetAddress
        fileprivate let number: UInt64
    }

    private struct State {
        /// By address, each connection under a number that grows, with what closes it.
        var connections: [InternetAddress: [UInt64: @Sendable () -> Void]] = [:]
        var next: UInt64 = 0
    }

    private let limit: Int
    private let closesOldest: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: connections from one address, or from one /64 of IPv6, which is what one subscriber has.
    ///   - closesOldest: whether one more closes the address's oldest, and is not refused itself.
    init(limit: Int, closesOldest: Bool = false) {
        self.limit = limit
        self.closesOldest = closesOldest
    }

    /// Counts one more connection; `nil`, and not counted, if the address has as many as it may.
    /// - Parameter close: closes the connection, from whichever thread.
    func admit(_ address: InternetAddress, close: @escaping @Sendable () -> Void = {}) -> Admission? {
        let name = Self.name(of: address)
        let (admission, oldest): (Admission?, (@Sendable () -> Void)?) = state.withLock { state in
            var present = state.connections[name, default: [:]]
            var oldest: (@Sendable () -> Void)?
            if present.count >= limit {
                guard closesOldest, let first = present.keys.min() else { return (nil, nil) }
                oldest = present.removeValue(forKey: first)
            }
            state.next += 1
            present[state.next] = close
            state.connections[name] = present
            return (Admission(address: name, number: state.next), oldest)
        }
        oldest?()
        return admission
    }

    /// One connection that was admitted has ended.
    func leave(_ admission: Admission) {
        state.withLock { state in
            state.connections[admission.address]?[admission.number] = nil
            // Addresses without connections are forgotten, or every address ever seen would stay.
            if state.connections[admission.address]?.isEmpty == true { state.connections[admission.address] = nil }
        }
    }

    /// Addresses that hold a connection.
    var addresses: Int { state.withLock { $0.connections.count } }

    private static func name(of address: InternetAddress) -> InternetAddress {
        guard address.family == .v6 else { return address }
        return IPPrefix(address: address, length: 64)?.address ?? address
    }
}
