internal import Foundation

/// Ports of 127.0.0.1 that are free now.
enum FreePorts {
    /// - Parameter kind: `SOCK_STREAM` or `SOCK_DGRAM`.
    static func take(_ count: Int, _ kind: __socket_type) throws -> [UInt16] {
        var sockets: [Int32] = []
        defer { for descriptor in sockets { close(descriptor) } }
        // All are held until the last is known, so that they differ.
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
            guard descriptor >= 0 else { throw CommandFailure("no socket can be made") }
            sockets.append(descriptor)
            var address = loopback(port: 0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let port: UInt16? = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
                } ? UInt16(bigEndian: pointer.pointee.sin_port) : nil
            }
            guard let port else { throw CommandFailure("no port of 127.0.0.1 is free") }
            return port
        }
    }

    /// Whether somebody takes TCP connections there.
    static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
