import Foundation
import Glibc

/// A machine between a client and PostgreSQL that answers no to the request for TLS and reads everything. It writes
/// FORGED in the place of HONEST into PostgreSQL's answers, and can have clients ask for another encoding.
final class PlaintextRelay: Sendable {
    /// Where it listens on 127.0.0.1.
    let port: UInt16
    private let listener: Int32

    /// - Parameters:
    ///   - target: PostgreSQL's port on 127.0.0.1.
    ///   - encoding: what clients ask for in the place of UTF8, in as many letters; `nil` to leave it as it is.
    init(to target: UInt16, encoding: String? = nil) throws {
        let bound = try LoopbackSocket.bound()
        listener = bound.descriptor
        port = bound.port
        guard listen(listener, 16) == 0 else { throw POSIXError(.EADDRINUSE) }
        Thread.detachNewThread { [listener] in
            while true {
                let client = accept(listener, nil, nil)
                if client >= 0 {
                    Thread.detachNewThread { Self.relay(client, to: target, encoding) }
                } else if errno != EINTR {
                    break
                }
            }
            close(listener)
        }
    }

    /// Ends the accepting thread; connections end with their clients.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func relay(_ client: Int32, to target: UInt16, _ encoding: String?) {
        defer { close(client) }
        // A request for encryption has eight bytes: its length and a code (PostgreSQL, "Message Formats").
        var first = [UInt8](repeating: 0, count: 8)
        repeat {
            guard recv(client, &first, 8, Int32(MSG_WAITALL)) == 8 else { return }
            if !first.starts(with: [0, 0, 0, 8]) { break }
            guard write([UInt8(ascii: "N")], to: client) else { return }
        } while true
        guard let server = try? LoopbackSocket.connected(to: target) else { return }
        defer { close(server) }
        guard write(first, to: server) else { return }
        var ends = [
            pollfd(fd: client, events: Int16(POLLIN), revents: 0),
            pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            for end in ends.indices { ends[end].revents = 0 }
            if poll(&ends, 2, -1) < 0, errno != EINTR { return }
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = recv(ends[from].fd, &piece, piece.count, 0)
                guard count > 0 else { return }
                let bytes = Array(piece[..<count])
                let isWritten = write(from == 0 ? asked(bytes, encoding) : forged(bytes), to: ends[to].fd)
                guard isWritten else { return }
            }
        }
    }

    /// A client's first message has pairs of names and values, each with a zero behind it.
    private static func asked(_ bytes: [UInt8], _ encoding: String?) -> [UInt8] {
        guard let encoding else { return bytes }
        let name = "client_encoding\0"
        return bytes.replacing(Array("\(name)UTF8".utf8), with: Array("\(name)\(encoding)".utf8))
    }

    private static func forged(_ bytes: [UInt8]) -> [UInt8] {
        bytes.replacing(Array("HONEST".utf8), with: Array("FORGED".utf8))
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}
