import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import ServerHTTP

@Suite("Deadlines of a connection")
struct RequestDeadlineTests {
    private let limits = ServerLimits(
        headTimeout: .seconds(1), bodyTimeout: .seconds(2), idleTimeout: .seconds(3), writeTimeout: .seconds(4))

    private func actions(_ events: RequestDeadline.Event...) -> [RequestDeadline.Action] {
        var deadline = RequestDeadline(limits: limits)
        return events.map { deadline.handle($0) }
    }

    @Test("header, body and the next request each have their time, an answer has none")
    func simple() {
        #expect(
            actions(.opened, .head, .end, .answered, .head)
                == [.arm(.seconds(1)), .arm(.seconds(2)), .disarm, .arm(.seconds(3)), .arm(.seconds(2))])
    }

    @Test("an early answer leaves the body's deadline standing")
    func earlyAnswer() {
        #expect(
            actions(.opened, .head, .answered, .end)
                == [.arm(.seconds(1)), .arm(.seconds(2)), .none, .arm(.seconds(3))])
    }

    @Test("requests sent ahead do not make the connection idle while one is unanswered")
    func pipelined() {
        #expect(
            actions(.opened, .head, .end, .head, .end, .answered, .answered)
                == [
                    .arm(.seconds(1)), .arm(.seconds(2)), .disarm, .arm(.seconds(2)), .disarm, .none, .arm(.seconds(3)),
                ])
    }

    @Test("answers that are not taken have their time, and further requests do not put it off")
    func blocked() {
        #expect(
            actions(.opened, .head, .end, .blocked, .head, .end, .answered, .unblocked, .answered)
                == [
                    .arm(.seconds(1)), .arm(.seconds(2)), .disarm, .arm(.seconds(4)), .none, .none, .none, .disarm,
                    .arm(.seconds(3)),
                ])
        #expect(actions(.opened, .head, .blocked, .unblocked).last == .arm(.seconds(2)))
        #expect(actions(.opened, .head, .end, .answered, .blocked, .unblocked).last == .arm(.seconds(3)))
    }

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadlineHandler(limits: limits))
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        return channel
    }

    private let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))

    @Test("a client that says nothing is dropped when its time is over, not before")
    func silent() throws {
        let channel = try channel()
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a client that drips its body is dropped, however often it sends a byte")
    func dripping() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        for _ in 0..<19 {
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        #expect(!channel.isActive)
    }

    @Test("a slow answer of ours is not the client's fault")
    func slowAnswer() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test("a client that does not take its answers is dropped, and one that takes them late is not")
    func slowReader() throws {
        for takes in [false, true] {
            let channel = try channel()
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(3999))
            #expect(channel.isActive)
            if takes {
                channel.isWritable = true
                channel.pipeline.fireChannelWritabilityChanged()
            }
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            #expect(channel.isActive == takes)
        }
    }

    @Test("a body that is answered before it was read is thrown away up to a bound, then the client is cut off")
    func excess() throws {
        let body = HTTPRequestPart.body(ByteBuffer(repeating: 0x78, count: 1000))
        let channel = EmbeddedChannel(handler: RequestDeadlineHandler(limits: ServerLimits(excessBytes: 2000)))
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        // Before the answer the reader of the body decides how much is enough.
        try channel.writeInbound(head)
        for _ in 0..<5 { try channel.writeInbound(body) }
        #expect(channel.isActive)
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .notFound)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        for _ in 0..<2 { try channel.writeInbound(body) }
        #expect(channel.isActive)
        try channel.writeInbound(body)
        #expect(!channel.isActive)
    }

    @Test("a client that sends too many requests ahead is cut off, and what came with them is not worked on")
    func ahead() throws {
        let channel = EmbeddedChannel(handler: RequestDeadlineHandler(limits: ServerLimits(requestsAhead: 2)))
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        for _ in 0..<5 where channel.isActive {
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }
        #expect(!channel.isActive)
        var heads = 0
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head = part { heads += 1 }
        }
        #expect(heads == 2)
    }

    @Test("an answer that says close closes the connection once it is written")
    func closes() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        try channel.writeOutbound(
            HTTPResponsePart.head(HTTPResponse(status: .contentTooLarge, headerFields: [.connection: "close"])))
        #expect(channel.isActive)
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        #expect(!channel.isActive)
    }

    private func asking(_ fields: HTTPFields) -> HTTPRequestPart {
        .head(HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: fields))
    }

    private func answer(_ channel: EmbeddedChannel) throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    /// Records the modes in which the channel is closed.
    private final class Ending: ChannelOutboundHandler {
        typealias OutboundIn = Any
        var modes: [CloseMode] = []

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            modes.append(mode)
            promise?.succeed()
        }
    }

    @Test(
        """
        a request that says close in any spelling is the last: nothing behind it is worked on, and after its answer we \
        send no more
        """,
        arguments: [
            "close", "Close", "CLOSE", "close, x", "keep-alive,close", "x ,\tclose ", "Keep-Alive, Close, Upgrade",
        ])
    func lastRequest(_ options: String) throws {
        let ending = Ending()
        let channel = EmbeddedChannel(handlers: [ending, RequestDeadlineHandler(limits: limits)])
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(asking([.connection: options]))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try answer(channel)
        #expect(ending.modes.isEmpty)
        try answer(channel)
        #expect(ending.modes == [.output])
        var heads = 0
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head = part { heads += 1 }
        }
        #expect(heads == 2)
        channel.pipeline.fireErrorCaught(HTTPParserError.closedConnection)
        #expect(throws: Never.self) { try channel.throwIfErrorCaught() }
        // A client that then keeps the connection open has the time limit of an idle connection.
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2999))
        #expect(ending.modes == [.output])
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(ending.modes == [.output, .all])
    }

    @Test(
        "other options of Connection do not make a request the last",
        arguments: ["keep-alive", "closed", "x-close", ""])
    func notLast(_ options: String) throws {
        let ending = Ending()
        let channel = EmbeddedChannel(handlers: [ending, RequestDeadlineHandler(limits: limits)])
        try channel.connect(to: SocketAddress(ipAddress: "10.0.0.1", port: 1)).wait()
        try channel.writeInbound(asking([.connection: options]))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try answer(channel)
        #expect(ending.modes.isEmpty)
    }

    @Test("a deadline that is put off and then brought forward again holds as it stands last")
    func movedDeadlines() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try answer(channel)
        // Idle until 3 s; the body that begins at 2.5 s has until 4.5 s.
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(2500))
        try channel.writeInbound(head)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
        // Idle until 3 s; the body that begins at once has until 2 s.
        let other = try self.channel()
        try other.writeInbound(head)
        try other.writeInbound(HTTPRequestPart.end(nil))
        try answer(other)
        try other.writeInbound(head)
        other.embeddedEventLoop.advanceTime(by: .milliseconds(1999))
        #expect(other.isActive)
        other.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!other.isActive)
    }

    private func expecting() -> HTTPRequestPart {
        .head(
            HTTPRequest(
                method: .post, scheme: "http", authority: "localhost", path: "/",
                headerFields: [.expect: "100-Continue"]))
    }

    @Test("a client that waits to be bidden is bidden go on; others are not")
    func continues() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
        let other = try self.channel()
        try other.writeInbound(expecting())
        #expect(try other.readOutbound(as: HTTPResponsePart.self) == .head(HTTPResponse(status: .continue)))
        #expect(try other.readOutbound(as: HTTPResponsePart.self) == nil)
    }

    @Test("nobody is bidden go on before an older answer is written")
    func continuesInOrder() throws {
        let channel = try channel()
        try channel.writeInbound(head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        try channel.writeInbound(expecting())
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    }
}
