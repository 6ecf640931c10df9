import BenjiClient
import BenjiProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Ties sockets to one network device.
enum DeviceBinding {
    #if os(Linux)
    /// Whether the socket can now only use the device; otherwise `errno` says why.
    static func bind(_ socket: Int32, to name: String) -> Bool {
        // IFNAMSIZ is 16 with the final zero; a longer name would be cut into another device's.
        guard (1...15).contains(name.utf8.count), !name.utf8.contains(0) else {
            errno = ENODEV
            return false
        }
        // SO_BINDTODEVICE is 25 on every Linux that Swift runs on; its C definition is not visible to Swift everywhere.
        return name.withCString { setsockopt(socket, SOL_SOCKET, 25, $0, socklen_t(name.utf8.count + 1)) == 0 }
    }
    #endif

    /// The error of a failed binding.
    static func failure(_ number: Int32, _ egress: CurlTransport.Egress) -> TransportError {
        switch egress {
        case .interface(let name) where number == EPERM:
            TransportError(
                .internalFailure, at: "interface \(name)",
                "the system refuses to bind a socket to the device; use Linux 5.7 or later, or give CAP_NET_RAW")
        case .interface(let name):
            TransportError(
                .cellularUnavailable, at: "interface \(name)", "it does not exist, is down or has no address")
        case .sourceAddress(let address):
            TransportError(.cellularUnavailable, at: "\(address)", "no interface of this machine has this address now")
        case .any: TransportError(.noNetwork, at: "sockets", "no socket could be bound")
        }
    }
}
