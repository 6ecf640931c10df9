package import AsyncHTTPClient
@_spi(Server) import BenjiProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
package import ShortMessages
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A provider that takes a message as JSON over HTTPS. The POST has the number, the text and the source in configurable
/// fields, and a secret in a header. A 2xx with the message's id is an acceptance (docs/operations/short-messages.md,
/// Short messages).
///
/// Each message has a connection of its own. On a kept one, a message at the connection's end would be unknown
/// needlessly.
package final class HTTPSender: ShortMessageSender {
    package struct Configuration: Sendable {
        /// The names of members in the request.
        package struct Fields: Sendable {
            package var to = "to"
            package var text = "text"
            package var from = "from"
            /// Where the answer has the id: names and places from the outside in, such as `messages.0.id`.
            package var id = "id"

            package init() {}
        }

        package var name: String
        package var url: String
        /// The secret's header, and its value as a whole.
        package var header: (name: String, value: String)?
        package var source: String?
        package var fields = Fields()
        /// How long a connection, and then an answer, may take.
        package var responseTime: Duration = .seconds(10)

        package init(name: String, url: String, header: (name: String, value: String)? = nil, source: String? = nil) {
            self.name = name
            self.url = url
            self.header = header
            self.source = source
        }
    }

    /// The most messages with the provider at once. One waiting for a connection would look like one already written.
    package static let atOnce = 64

    package let name: String
    private let configuration: Configuration
    private let client: HTTPClient
    private let fault = Mutex<String?>(nil)
    private let underWay = Atomic(0)

    /// - Parameter client: See ``client(tls:responseTime:)``; its creator shuts it down.
    package init(_ configuration: Configuration, client: HTTPClient) {
        name = configuration.name
        self.configuration = configuration
        self.client = client
    }

    /// A client for one sender, that tries once, follows nothing, and keeps no connection.
    package static func client(tls: TLSConfiguration?, responseTime: Duration) -> HTTPClient {
        // A connection that is not made in a third of the time leaves the rest for another sender.
        var settings = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(
                connect: .milliseconds(max(responseTime / 3, .seconds(1)).wholeMilliseconds),
                read: .milliseconds(responseTime.wholeMilliseconds)))
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = atOnce
        settings.connectionPool.retryConnectionEstablishment = false
        settings.maximumUsesPerConnection = 1
        settings.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    package func trouble() async -> String? { fault.withLock { $0 }.map { "\(name): \($0)" } }

    package func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome {
        let left = min(deadline - .now, configuration.responseTime)
        guard left > .zero else { return .notTaken(reason: .unavailable) }
        defer { underWay.subtract(1, ordering: .relaxed) }
        guard underWay.add(1, ordering: .relaxed).newValue <= Self.atOnce else { return .notTaken(reason: .throttled) }
        let (outcome, words) = await exchange(message, within: left)
        fault.withLock { $0 = words }
        return outcome
    }

    /// - Returns: The outcome, and the problem of the sender.
    private func exchange(_ message: ShortMessage, within time: Duration) async -> (SubmissionOutcome, String?) {
        let fields = configuration.fields
        var members = [
            JSON.Member(fields.to, .string("+" + message.to.e164)), .init(fields.text, .string(message.text)),
        ]
        if let source = message.from ?? configuration.source { members.append(.init(fields.from, .string(source))) }
        var request = HTTPClientRequest(url: configuration.url)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/json")
        request.headers.add(name: "accept", value: "application/json")
        if let (name, value) = configuration.header { request.headers.add(name: name, value: value) }
        request.body = .bytes(ByteBuffer(bytes: Array(JSON.object(members).serialized)))
        do {
            let (status, body) = try await client.answer(to: request, within: time, upTo: 65536)
            return outcome(status, body)
        } catch {
            guard Self.isBeforeRequest(error) else {
                return (.unknown(by: name), "gave no answer that could be read")
            }
            return (.notTaken(reason: .unavailable), ConnectionFault.words(error))
        }
    }

    /// Returns the meaning of an answer. A message that may have been passed on before the failure is unknown. That
    /// holds for 408, and for every 5xx except those by which a server declines to begin.
    func outcome(_ status: Int, _ body: [UInt8]) -> (SubmissionOutcome, String?) {
        let words = "answers with status \(status)"
        switch status {
        case 200...299:
            guard let id = (try? JSON(parsing: body)).flatMap(id(in:)) else {
                return (.unknown(by: name), "answers with status \(status) and without an id")
            }
            return (.accepted(by: name, reference: id), nil)
        case 429: return (.notTaken(reason: .throttled), nil)
        case 408: return (.unknown(by: name), words)
        case 400, 409, 413, 422: return (.notTaken(reason: .refused), nil)
        // A wrong address, a wrong secret, no credit: the same would be said of every message.
        case 300...499, 501, 503, 505: return (.notTaken(reason: .unavailable), words)
        default: return (.unknown(by: name), words)
        }
    }

    private func id(in answer: JSON) -> String? {
        var value = answer
        for step in configuration.fields.id.split(separator: ".") {
            if case .array(let values) = value, let place = Int(step), values.indices.contains(place) {
                value = values[place]
            } else if let member = value[String(step)] {
                value = member
            } else {
                return nil
            }
        }
        let id =
            switch value {
            case .string(let text): text
            case .number(let text): text
            default: ""
            }
        return (1...128).contains(id.utf8.count) ? id : nil
    }

    /// Whether nothing of the request can have been written.
    private static func isBeforeRequest(_ error: any Error) -> Bool {
        switch error {
        // Other faults of TLS may come when the request is on its way.
        case is NIOConnectionError, is SocketAddressError, is NIOSSLExtraError, NIOSSLError.handshakeFailed: true
        case ChannelError.connectTimeout: true
        case let error as IOError: error.errnoCode == ECONNREFUSED
        case let error as HTTPClientError:
            error == .connectTimeout || error == .tlsHandshakeTimeout || error == .getConnectionFromPoolTimeout
        default: false
        }
    }
}

extension HTTPClient {
    /// The whole answer, of so many bytes at most. The client's own deadline ends with the answer's header.
    package func answer(
        to request: HTTPClientRequest, within time: Duration, upTo limit: Int
    ) async throws -> (status: Int, body: [UInt8]) {
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                let deadline = NIODeadline.now() + .milliseconds(time.wholeMilliseconds)
                let response = try await self.execute(request, deadline: deadline)
                return (
                    Int(response.status.code), Array(try await response.body.collect(upTo: limit).readableBytesView)
                )
            }
            tasks.addTask {
                // The client's deadline comes first, and says more.
                try await _Concurrency.Task.sleep(for: time + .milliseconds(100))
                throw HTTPClientError.deadlineExceeded
            }
            defer { tasks.cancelAll() }
            guard let first = try await tasks.next() else { throw HTTPClientError.deadlineExceeded }
            return first
        }
    }
}
