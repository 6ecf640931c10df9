import Foundation
import Glibc

/// Ports and sockets of 127.0.0.1, where contestants listen.
package enum Loopback {
    package enum Kind: Sendable { case stream, datagram }

    /// A TCP port that no other process gets while this process runs.
    ///
    /// A socket stays bound to it without listening. A server that listens there must set `SO_REUSEADDR`, as is usual.
    package static func freePort() throws(BenchmarkFailure) -> UInt16 {
        guard let port = hold(0) else { throw BenchmarkFailure("no free port: \(String(cString: strerror(errno)))") }
        return port
    }

    /// A UDP port that no other process gets while this process runs.
    ///
    /// Two sockets on one UDP port would share its packets. So the port's number is held for TCP, below those that the
    /// system chooses by itself.
    package static func freeDatagramPort() throws(BenchmarkFailure) -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 20_000..<32_000)
            let descriptor = open(.datagram)
            defer { close(descriptor) }
            if bindPort(descriptor, port) != nil, let port = hold(port) { return port }
        }
        throw BenchmarkFailure("no free port for UDP")
    }

    /// A port that takes connections and never says a word, while this process runs.
    package struct SilentPort: Sendable {
        package let number: UInt16
        private let descriptor: Int32

        package init() throws(BenchmarkFailure) {
            descriptor = Loopback.open(.stream)
            // The kernel completes connections; no one accepts them.
            guard let number = Loopback.bindPort(descriptor, 0), listen(descriptor, 4096) == 0 else {
                throw BenchmarkFailure("no port to be silent at: \(String(cString: strerror(errno)))")
            }
            self.number = number
        }

        /// Whether somebody has called.
        package var wasCalled: Bool {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) == 1
        }
    }

    private static func hold(_ port: UInt16) -> UInt16? {
        let descriptor = open(.stream)
        guard let port = bindPort(descriptor, port) else {
            close(descriptor)
            return nil
        }
        // Not before: two sockets that both say it first are given the same port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        return port
    }

    /// - Parameter port: 0 for any.
    /// - Returns: the port that the socket has; `nil` if it cannot have it.
    private static func bindPort(_ descriptor: Int32, _ port: UInt16) -> UInt16? {
        var address = address(port: port)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withSystemAddress(&address) {
            bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// A socket that is connected to a port; the caller closes it.
    /// - Parameter source: the IPv4 address to leave by, most significant byte first; `nil` for the system's choice.
    package static func connect(_ kind: Kind, port: UInt16, from source: UInt32? = nil) throws(BenchmarkFailure)
        -> Int32
    {
        let descriptor = open(kind)
        var address = address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        if let source {
            var own = self.address(port: 0)
            own.sin_addr.s_addr = source.bigEndian
            guard withSystemAddress(&own, { bind(descriptor, $0, size) == 0 }) else {
                close(descriptor)
                throw BenchmarkFailure("no socket for an address of 127/8: \(String(cString: strerror(errno)))")
            }
        }
        guard withSystemAddress(&address, { Glibc.connect(descriptor, $0, size) == 0 }) else {
            close(descriptor)
            throw BenchmarkFailure("port \(port) does not answer: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Returns the answer to a GET, head and content; `nil` if nothing listens. Waits five seconds at most.
    package static func get(_ path: String, port: UInt16) -> String? {
        guard let descriptor = try? connect(.stream, port: port) else { return nil }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return answer.isEmpty ? nil : String(decoding: answer, as: UTF8.self) }
            answer += piece[..<count]
        }
    }

    private static func open(_ kind: Kind) -> Int32 {
        socket(AF_INET, Int32((kind == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withSystemAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
