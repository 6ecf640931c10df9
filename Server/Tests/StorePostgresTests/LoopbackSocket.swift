import Foundation
import Glibc

/// Sockets of 127.0.0.1.
enum LoopbackSocket {
    /// Binds a socket to a free port, and does not listen.
    ///
    /// As long as the socket is open, no other program is given the port. A server that sets `SO_REUSEADDR`, as
    /// PostgreSQL does, may listen there.
    static func bound() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = open()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = address(port: 0)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw POSIXError(.EADDRINUSE)
        }
        // Not before: two sockets that both set it first may be given the same port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Connects to a port.
    static func connected(to port: UInt16) throws -> Int32 {
        let descriptor = open()
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = address(port: port)
        let isConnected = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
        guard isConnected else {
            close(descriptor)
            throw POSIXError(.ECONNREFUSED)
        }
        return descriptor
    }

    private static func open() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
