/// One HTTP/1.1 exchange over a connection that someone else holds: events in, what to do next out.
///
/// It knows no socket and no clock. The owner of the connection reports events to ``handle(_:)`` and does the actions
/// that it returns, in order. After ``Action/finish(_:)`` no event returns an action.
package struct HTTP1Exchange: Sendable {
    package enum Event: Sendable {
        /// The connection, TLS included, is up.
        case ready
        /// There is no way to connect now, but there may be soon: the radio of mobile data may still be waking.
        case waiting(TransportError)
        /// No network at all is allowed to this app: the person may be looking at the system's question now.
        case undecided
        /// The time of ``Action/startGrace`` is over.
        case graceEnded
        case received([UInt8])
        /// The server has closed its end.
        case ended
        case failed(TransportError)
        /// The time for the whole exchange is over.
        case timedOut
        case cancelled
    }

    package enum Action: Sendable, Hashable {
        case send([UInt8])
        /// Ask for more bytes, once.
        case receive
        /// Report ``Event/graceEnded`` after ``HTTP1Exchange/grace``.
        case startGrace
        /// Close the connection and give this outcome.
        case finish(Result<TransportResponse, TransportError>)
    }

    private enum State: Sendable {
        case connecting(obstacle: TransportError?, isUndecided: Bool)
        case exchanging
        case finished
    }

    /// How long a missing network may take to appear. On the first launch in mainland China the person is asked whether
    /// the app may use networks. They have all the time of the exchange.
    package static let grace: Duration = .seconds(2)

    private let server: ServerURL
    private let request: [UInt8]
    private var parser: HTTP1ResponseParser
    private var state = State.connecting(obstacle: nil, isUndecided: false)

    /// - Throws: ``TransportError/Code/invalidRequest``.
    package init(_ request: TransportRequest, limits: HTTP1Limits = HTTP1Limits()) throws(TransportError) {
        server = request.url
        self.request = try request.http1Bytes()
        parser = HTTP1ResponseParser(method: request.method, limits: limits)
    }

    package mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.finished, _): return []
        case (_, .failed(let error)): return finish(.failure(error))
        case (_, .cancelled):
            return finish(.failure(TransportError(.cancelled, at: server.origin, "the task was cancelled")))
        case (.connecting(let obstacle?, _), .timedOut), (.connecting(let obstacle?, false), .graceEnded):
            return finish(.failure(obstacle))
        case (_, .timedOut):
            let detail = "no complete answer came in the time given"
            return finish(.failure(TransportError(.timedOut, at: server.origin, detail)))
        case (.connecting(let obstacle, let isUndecided), .waiting(let error)):
            state = .connecting(obstacle: error, isUndecided: isUndecided)
            return obstacle == nil ? [.startGrace] : []
        case (.connecting(let obstacle, _), .undecided):
            state = .connecting(obstacle: obstacle, isUndecided: true)
            return []
        case (.connecting, .ready):
            state = .exchanging
            // Reading starts with writing: a server may refuse a request before it has read all of it.
            return [.send(request), .receive]
        case (.exchanging, .received(let bytes)):
            do throws(HTTP1Error) { try parser.consume(bytes) } catch { return refuse(error) }
            return parser.response.map { finish(.success($0)) } ?? [.receive]
        case (.exchanging, .ended):
            do throws(HTTP1Error) { try parser.finish() } catch { return refuse(error) }
            return parser.response.map { finish(.success($0)) } ?? []
        case (.connecting, .ended):
            let detail = "the connection ended before it was up"
            return finish(.failure(TransportError(.connectionLost, at: server.origin, detail)))
        case (.connecting, .graceEnded), (.connecting, .received), (.exchanging, .ready), (.exchanging, .waiting),
            (.exchanging, .undecided), (.exchanging, .graceEnded):
            return []
        }
    }

    private mutating func refuse(_ error: HTTP1Error) -> [Action] {
        finish(.failure(TransportError(error, from: server)))
    }

    private mutating func finish(_ outcome: Result<TransportResponse, TransportError>) -> [Action] {
        state = .finished
        return [.finish(outcome)]
    }
}
