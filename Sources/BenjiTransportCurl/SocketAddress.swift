import BenjiProtocol

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An address and port in the form that sockets speak.
struct SocketAddress: Hashable {
    let address: InternetAddress
    let port: UInt16
    /// The interface that a link-local IPv6 address is meant on; 0 for none.
    private var scope: UInt32 = 0

    init(_ address: InternetAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `nil` for other families than IPv4 and IPv6.
    init?(_ pointer: UnsafePointer<sockaddr>?, _ length: socklen_t) {
        guard let pointer else { return nil }
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET where Int(length) >= MemoryLayout<sockaddr_in>.size:
            let value = raw.loadUnaligned(as: sockaddr_in.self)
            guard let address = withUnsafeBytes(of: value.sin_addr, { InternetAddress(bytes: $0) }) else { return nil }
            self.init(address, port: UInt16(bigEndian: value.sin_port))
        case AF_INET6 where Int(length) >= MemoryLayout<sockaddr_in6>.size:
            let value = raw.loadUnaligned(as: sockaddr_in6.self)
            guard let address = withUnsafeBytes(of: value.sin6_addr, { InternetAddress(bytes: $0) }) else { return nil }
            self.init(address, port: UInt16(bigEndian: value.sin6_port))
            scope = value.sin6_scope_id
        default: return nil
        }
    }

    /// The socket's own end.
    init?(nameOf socket: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                getsockname(socket, pointer, &length) == 0 ? SocketAddress(pointer, length) : nil
            }
        }
        guard let address else { return nil }
        self = address
    }

    var family: Int32 { address.family == .v4 ? AF_INET : AF_INET6 }

    func with(port: UInt16) -> SocketAddress {
        var copy = SocketAddress(address, port: port)
        copy.scope = scope
        return copy
    }

    /// Whether a socket of this machine can be bound to it.
    var isOurs: Bool {
        #if canImport(Glibc)
        let socket = Glibc.socket(family, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        let socket = socket(family, SOCK_DGRAM, 0)
        #endif
        guard socket >= 0 else { return false }
        defer { close(socket) }
        return withPointer { bind(socket, $0, $1) } == 0
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length: Int
        switch address.family {
        case .v4:
            var value = sockaddr_in()
            value.sin_family = sa_family_t(AF_INET)
            value.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &value.sin_addr) { $0.copyBytes(from: address.bytes) }
            length = MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: value, as: sockaddr_in.self) }
        case .v6:
            var value = sockaddr_in6()
            value.sin6_family = sa_family_t(AF_INET6)
            value.sin6_port = port.bigEndian
            value.sin6_scope_id = scope
            withUnsafeMutableBytes(of: &value.sin6_addr) { $0.copyBytes(from: address.bytes) }
            length = MemoryLayout<sockaddr_in6>.size
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: value, as: sockaddr_in6.self) }
        }
        return withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }
}
