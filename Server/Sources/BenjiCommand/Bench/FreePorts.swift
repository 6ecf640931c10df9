import Foundation
import ServerRuntime

/// Ports of 127.0.0.1 that are free now.
enum FreePorts {
    /// TCP ports stay ours while this process runs: a socket stays bound to each and does not listen. A program that
    /// listens there needs `SO_REUSEADDR`, which our listeners set.
    ///
    /// - Parameter isUDP: UDP ports instead of TCP ports. Somebody else may get one before it is used.
    static func take(_ count: Int, isUDP: Bool = false) throws -> [UInt16] {
        var sockets: [Int32] = []
        // All are held until the last is known, so that they differ.
        defer { for descriptor in sockets { if isUDP { close(descriptor) } else { share(descriptor) } } }
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32((isUDP ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
            guard descriptor >= 0 else { throw CommandFailure("no socket can be made") }
            sockets.append(descriptor)
            var place = loopback(port: 0)
            var length = socklen_t(place.count)
            let isBound = place.withUnsafeMutableBytes { bytes in
                let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
                return bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
            guard isBound else { throw CommandFailure("no port of 127.0.0.1 is free") }
            return UInt16(place[2]) << 8 | UInt16(place[3])
        }
    }

    /// Not before the socket is bound: two that both say it first are given the same port.
    private static func share(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether somebody takes TCP connections there.
    static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let place = loopback(port: port)
        return place.withUnsafeBytes {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(place.count)) == 0
        }
    }

    /// `sockaddr_in` byte by byte: which module owns the structure depends on what the compiler saw first.
    private static func loopback(port: UInt16) -> [UInt8] {
        let family = withUnsafeBytes(of: sa_family_t(AF_INET)) { Array($0) }
        return family + [UInt8(port >> 8), UInt8(port & 0xff), 127, 0, 0, 1] + Array(repeating: 0, count: 8)
    }
}
