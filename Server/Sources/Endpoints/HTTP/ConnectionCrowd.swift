internal import BenjiProtocol
internal import Synchronization

/// How many connections each address holds, so that one caller cannot take the places of all others.
final class ConnectionCrowd: Sendable {
    private let limit: Int
    private let counts = Mutex<[InternetAddress: Int]>([:])

    /// - Parameter limit: connections from one address, or from one /64 of IPv6, which is what one subscriber has.
    init(limit: Int) { self.limit = limit }

    /// Counts one more connection; `false`, and not counted, if the address has as many as it may.
    func admit(_ address: InternetAddress) -> Bool {
        let name = Self.name(of: address)
        return counts.withLock { counts in
            let count = counts[name, default: 0]
            guard count < limit else { return false }
            counts[name] = count + 1
            return true
        }
    }

    /// One connection that was admitted has ended.
    func leave(_ address: InternetAddress) {
        let name = Self.name(of: address)
        counts.withLock { counts in
            let count = counts[name, default: 0]
            // Addresses without connections are forgotten, or every address ever seen would stay.
            counts[name] = count > 1 ? count - 1 : nil
        }
    }

    /// Addresses that hold a connection.
    var addresses: Int { counts.withLock { $0.count } }

    private static func name(of address: InternetAddress) -> InternetAddress {
        guard address.family == .v6 else { return address }
        return IPPrefix(address: address, length: 64)?.address ?? address
    }
}
