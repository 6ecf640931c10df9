import BenjiClient
import Testing

@Suite("An exchange over a connection")
struct HTTP1ExchangeTests {
    private let denied = TransportError(.cellularDenied, at: "cellular", "mobile data is not allowed")
    private let down = TransportError(.cellularUnavailable, at: "cellular", "mobile data is off")

    private func exchange() throws -> HTTP1Exchange {
        try HTTP1Exchange(TransportRequest(method: "GET", url: try ServerURL("http://a/")))
    }

    private func failure(_ actions: [HTTP1Exchange.Action]) -> TransportError.Code? {
        guard actions.count == 1, case .finish(.failure(let error)) = actions[0] else { return nil }
        return error.code
    }

    @Test("sends when the connection is up, reads until the answer is whole, and then does nothing more")
    func whole() throws {
        var exchange = try exchange()
        let request = Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
        #expect(exchange.handle(.ready) == [.send(request), .receive])
        #expect(exchange.handle(.received(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{".utf8))) == [.receive])
        let response = TransportResponse(status: 200, headers: ["Content-Length": "2"], body: Array("{}".utf8))
        #expect(exchange.handle(.received(Array("}".utf8))) == [.finish(.success(response))])
        for event in [HTTP1Exchange.Event.ended, .timedOut, .cancelled, .failed(down), .received([1]), .ready] {
            #expect(exchange.handle(event) == [])
        }
    }

    @Test("an answer without length ends with the connection; one with a length that is not reached is lost")
    func ended() throws {
        var open = try exchange()
        _ = open.handle(.ready)
        _ = open.handle(.received(Array("HTTP/1.1 200 OK\r\n\r\nhi".utf8)))
        #expect(open.handle(.ended) == [.finish(.success(TransportResponse(status: 200, body: Array("hi".utf8))))])
        var cut = try exchange()
        _ = cut.handle(.ready)
        _ = cut.handle(.received(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi".utf8)))
        #expect(failure(cut.handle(.ended)) == .connectionLost)
    }

    @Test("a network that appears within the grace is used")
    func networkAppears() throws {
        var exchange = try exchange()
        #expect(exchange.handle(.waiting(down)) == [.startGrace])
        #expect(exchange.handle(.waiting(down)) == [])
        #expect(exchange.handle(.ready).last == .receive)
        #expect(exchange.handle(.graceEnded) == [])
    }

    @Test("a network that does not appear is the reason given, at the end of the grace or of the time")
    func networkStaysAway() throws {
        for event in [HTTP1Exchange.Event.graceEnded, .timedOut] {
            var exchange = try exchange()
            _ = exchange.handle(.waiting(down))
            #expect(failure(exchange.handle(event)) == .cellularUnavailable)
        }
    }

    @Test("a person who may still be answering the system's question has all the time of the exchange, and no more")
    func undecided() throws {
        var allowed = try exchange()
        #expect(allowed.handle(.waiting(denied)) == [.startGrace])
        #expect(allowed.handle(.undecided) == [])
        #expect(allowed.handle(.graceEnded) == [])
        #expect(allowed.handle(.waiting(denied)) == [])
        #expect(allowed.handle(.ready).last == .receive)
        var silent = try exchange()
        _ = silent.handle(.waiting(denied))
        _ = silent.handle(.undecided)
        #expect(failure(silent.handle(.timedOut)) == .cellularDenied)
        // Somebody who has decided is told after the grace.
        var decided = try exchange()
        _ = decided.handle(.waiting(denied))
        #expect(failure(decided.handle(.graceEnded)) == .cellularDenied)
    }

    @Test("time-out, cancellation and failure end the exchange in every state")
    func endings() throws {
        for isReady in [false, true] {
            for (event, code) in [
                (HTTP1Exchange.Event.timedOut, TransportError.Code.timedOut), (.cancelled, .cancelled),
                (.failed(TransportError(.tlsFailed, at: "a", "b")), .tlsFailed), (.ended, .connectionLost),
            ] {
                var exchange = try exchange()
                if isReady { _ = exchange.handle(.ready) }
                #expect(failure(exchange.handle(event)) == code)
            }
        }
    }

    @Test("an answer that is not HTTP is malformed, and a request that cannot be written never starts")
    func refusals() throws {
        var exchange = try exchange()
        _ = exchange.handle(.ready)
        #expect(failure(exchange.handle(.received(Array("garbage\r\n".utf8)))) == .malformedResponse)
        let request = TransportRequest(method: "GET", url: try ServerURL("http://a/"), headers: ["X": "\r\n"])
        #expect(throws: TransportError(.invalidRequest, at: "", "")) { try HTTP1Exchange(request) }
    }
}
