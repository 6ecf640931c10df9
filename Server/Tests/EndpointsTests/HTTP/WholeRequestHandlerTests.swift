import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Synchronization
import Testing

@testable import ServerHTTP

@Suite("Requests that are there as a whole")
struct WholeRequestHandlerTests {
    /// Answers with path and body, at once or when it is told to.
    private final class Application: Sendable {
        private let state = Mutex<(seen: [String], waiting: [CheckedContinuation<Void, Never>])>(([], []))
        private let isSlow: Bool

        init(isSlow: Bool = false) { self.isSlow = isSlow }

        var seen: [String] { state.withLock { $0.seen } }
        var isWorking: Bool { state.withLock { !$0.waiting.isEmpty } }

        func answer(_ request: Request) async -> Response {
            let body = try? await request.body.collect(upTo: WholeRequestHandler.maximumBody)
            state.withLock { $0.seen.append(request.uri.path) }
            if isSlow {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { next in state.withLock { $0.waiting.append(next) } }
                } onCancel: {
                    goOn()
                }
            }
            let text = "\(request.uri.path) \(String(buffer: body ?? .init()))"
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }

        func goOn() {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for next in waiting { next.resume() }
        }
    }

    /// Records the events that reach the handlers behind, which are Hummingbird's.
    private final class Behind: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        var saw: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): saw.append("head \(head.path ?? "")")
            case .body(let bytes): saw.append("body \(String(buffer: bytes))")
            case .end(let trailers): saw.append(trailers == nil ? "end" : "end with trailers")
            }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) { saw.append("\(event)") }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { saw.append("error") }
        func channelInactive(context: ChannelHandlerContext) { saw.append("inactive") }
    }

    /// Counts what would be read from the socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart

        var count = 0

        func read(context: ChannelHandlerContext) { count += 1 }
    }

    private struct Connection {
        let channel: EmbeddedChannel
        let service: Application
        let behind = Behind()
        let reads = Reads()

        /// - Parameter opening: if given, nothing is behind but what it makes.
        init(
            isSlow: Bool = false, endsAbandonedWork: Bool = false, opening: WholeRequestHandler.Opening? = nil
        ) throws {
            let service = Application(isSlow: isSlow)
            self.service = service
            channel = EmbeddedChannel()
            let whole = WholeRequestHandler(
                { request, _ in await service.answer(request) }, endsAbandonedWork: endsAbandonedWork, opening: opening)
            try channel.pipeline.syncOperations.addHandlers([reads, whole])
            if opening == nil { try channel.pipeline.syncOperations.addHandler(behind) }
            try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        }

        /// Delivers the parts of one read.
        func receive(_ parts: HTTPRequestPart...) {
            for part in parts { channel.pipeline.fireChannelRead(part) }
            channel.pipeline.fireChannelReadComplete()
            channel.embeddedEventLoop.run()
        }

        func goOn() {
            service.goOn()
            channel.embeddedEventLoop.run()
        }

        /// Writes Hummingbird's answer.
        func answerBehind(_ text: String) throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .accepted)))
            try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: text)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
        }

        /// Returns the bodies and ends of the answers so far.
        func answers() throws -> [String] {
            var answers: [String] = []
            while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
                switch part {
                case .head: answers.append("")
                case .body(let bytes): answers[answers.count - 1] += String(buffer: bytes)
                case .end: answers[answers.count - 1] += "."
                }
            }
            return answers
        }
    }

    private func head(_ path: String) -> HTTPRequestPart {
        .head(HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: path))
    }

    private func body(_ text: String) -> HTTPRequestPart { .body(ByteBuffer(string: text)) }

    @Test("a request that came with one read is answered here, its body in one piece, and nobody behind sees it")
    func whole() throws {
        let connection = try Connection()
        connection.receive(head("/a"), body("on"), body("e"), .end(nil))
        connection.receive(head("/b"), .end(nil))
        #expect(try connection.answers() == ["/a one.", "/b ."])
        #expect(connection.behind.saw.isEmpty)
    }

    @Test("a request that did not come with one read goes behind as it came, and so does one with trailers")
    func parts() throws {
        let connection = try Connection()
        connection.receive(head("/a"), body("on"))
        #expect(connection.behind.saw == ["head /a", "body on"])
        connection.receive(body("e"))
        connection.receive(.end(nil))
        #expect(connection.behind.saw == ["head /a", "body on", "body e", "end"])
        try connection.answerBehind("behind")
        connection.receive(head("/b"), body("two"), .end(HTTPFields()))
        #expect(connection.behind.saw.suffix(3) == ["head /b", "body two", "end with trailers"])
        #expect(connection.service.seen.isEmpty)
        #expect(try connection.answers() == ["behind."])
    }

    @Test("a body over the bound goes behind while it comes")
    func large() throws {
        let connection = try Connection()
        let piece = String(repeating: "x", count: WholeRequestHandler.maximumBody)
        connection.receive(head("/a"), body(piece), body("y"), body("z"), .end(nil))
        #expect(connection.behind.saw == ["head /a", "body \(piece)y", "body z", "end"])
        #expect(connection.service.seen.isEmpty)
    }

    @Test("requests behind one that is being answered wait, whole or not, and are answered in their order")
    func order() throws {
        let connection = try Connection(isSlow: true)
        connection.receive(head("/a"), .end(nil), head("/b"), .end(nil), head("/c"), body("half"))
        #expect(connection.service.seen == ["/a"])
        #expect(connection.behind.saw.isEmpty)
        #expect(try connection.answers().isEmpty)
        connection.goOn()
        #expect(connection.service.seen == ["/a", "/b"])
        #expect(try connection.answers() == ["/a ."])
        #expect(connection.behind.saw.isEmpty)
        connection.goOn()
        #expect(try connection.answers() == ["/b ."])
        #expect(connection.behind.saw == ["head /c", "body half"])
    }

    @Test("a client that leaves ends the work for its request where the listener says so, and nowhere else")
    func abandoned() throws {
        for ends in [true, false] {
            for leave in [
                { (channel: EmbeddedChannel) in channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                },
                { (channel: EmbeddedChannel) in channel.pipeline.fireChannelInactive() },
            ] {
                let connection = try Connection(isSlow: true, endsAbandonedWork: ends)
                connection.receive(head("/a"), .end(nil))
                #expect(connection.service.isWorking)
                leave(connection.channel)
                connection.channel.embeddedEventLoop.run()
                #expect(connection.service.isWorking != ends)
                connection.goOn()
            }
        }
    }

    @Test("a whole request behind one that Hummingbird has not answered goes behind, too; the next one does not")
    func behindAnother() throws {
        let connection = try Connection()
        connection.receive(head("/a"))
        connection.receive(.end(nil), head("/b"), .end(nil))
        #expect(connection.behind.saw == ["head /a", "end", "head /b", "end"])
        try connection.answerBehind("a")
        connection.receive(head("/c"), .end(nil))
        #expect(connection.service.seen.isEmpty)
        try connection.answerBehind("b")
        try connection.answerBehind("c")
        connection.receive(head("/d"), .end(nil))
        #expect(connection.service.seen == ["/d"])
        #expect(try connection.answers() == ["a.", "b.", "c.", "/d ."])
    }

    @Test("behind an answer that was given before its body had come, the rest of the body still goes behind")
    func earlyAnswer() throws {
        let connection = try Connection()
        connection.receive(head("/a"), body("half"))
        try connection.answerBehind("early")
        connection.receive(body("rest"), .end(nil), head("/b"), .end(nil))
        #expect(connection.behind.saw == ["head /a", "body half", "body rest", "end"])
        #expect(try connection.answers() == ["early.", "/b ."])
    }

    @Test("while something waits for its turn nothing more is read, and afterwards it is")
    func backPressure() throws {
        let connection = try Connection(isSlow: true)
        connection.receive(head("/a"), .end(nil))
        connection.channel.read()
        #expect(connection.reads.count == 1)
        connection.receive(head("/b"), .end(nil))
        connection.channel.read()
        #expect(connection.reads.count == 1)
        connection.goOn()
        #expect(connection.reads.count == 2)
        connection.goOn()
        #expect(try connection.answers() == ["/a .", "/b ."])
    }

    @Test("a client that sends no more, a server that is stopping and a broken request are heard of after the answer")
    func events() throws {
        let connection = try Connection(isSlow: true)
        connection.receive(head("/a"), .end(nil))
        connection.channel.pipeline.fireUserInboundEventTriggered("stopping")
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.unknown)
        #expect(connection.behind.saw.isEmpty)
        connection.goOn()
        #expect(try connection.answers() == ["/a ."])
        #expect(connection.behind.saw == ["stopping", "error"])
    }

    @Test("what breaks off goes behind with what had come")
    func breaksOff() throws {
        let connection = try Connection()
        connection.channel.pipeline.fireChannelRead(head("/a"))
        connection.channel.pipeline.fireErrorCaught(HTTPParserError.unknown)
        #expect(connection.behind.saw == ["head /a", "error"])
        let closed = try Connection()
        closed.channel.pipeline.fireChannelRead(head("/a"))
        closed.channel.close(promise: nil)
        closed.channel.embeddedEventLoop.run()
        #expect(closed.behind.saw == ["head /a", "inactive"])
    }

    /// The handler behind, and the calls that made it or gave it up.
    private final class Opened {
        let behind = Behind()
        var calls: [String] = []

        func open(_ context: ChannelHandlerContext?) {
            calls.append(context == nil ? "given up" : "made")
            try? context?.pipeline.syncOperations.addHandler(behind)
        }
    }

    @Test("what is behind is made once, for the first thing that goes there")
    func opening() throws {
        let opened = Opened()
        let connection = try Connection(opening: opened.open)
        connection.receive(head("/a"), .end(nil))
        #expect(opened.calls.isEmpty)
        connection.receive(head("/b"))
        connection.receive(.end(nil), head("/c"), .end(nil))
        #expect(opened.calls == ["made"])
        #expect(opened.behind.saw == ["head /b", "end", "head /c", "end"])
        connection.channel.close(promise: nil)
        connection.channel.embeddedEventLoop.run()
        #expect(opened.calls == ["made"])
        let broken = Opened()
        let other = try Connection(opening: broken.open)
        other.channel.pipeline.fireErrorCaught(HTTPParserError.unknown)
        #expect(broken.behind.saw == ["error"])
    }

    @Test(
        """
        with nothing behind a connection ends after its answer, when the client sends no more or the server is stopping
        """
    )
    func nothingBehind() throws {
        for end in [ChannelEvent.inputClosed as Any, ChannelShouldQuiesceEvent() as Any] {
            let opened = Opened()
            let connection = try Connection(isSlow: true, opening: opened.open)
            connection.receive(head("/a"), .end(nil))
            connection.channel.pipeline.fireUserInboundEventTriggered(end)
            #expect(connection.channel.isActive)
            connection.goOn()
            #expect(try connection.answers() == ["/a ."])
            #expect(!connection.channel.isActive)
            #expect(opened.calls == ["given up"])
        }
    }

    @Test("an answer to a client that has gone is dropped, with what had come behind its request")
    func gone() throws {
        let connection = try Connection(isSlow: true)
        connection.receive(head("/a"), .end(nil), head("/b"), .end(nil))
        connection.channel.close(promise: nil)
        connection.goOn()
        #expect(try connection.answers().isEmpty)
        #expect(connection.service.seen == ["/a"])
        #expect(connection.behind.saw == ["inactive"])
    }
}
