@_spi(Server) import BenjiProtocol
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOTLS
import RADIUS
import ServerTestKit
import Testing

@testable import Gateway

/// One connection without socket and without TLS.
struct RadSecConnectionTests {
    private final class Line {
        let channel: EmbeddedChannel
        let clock = TestClock(seconds: Network.start)
        let reads = Reads()
        let behind = Behind()
        private let batches = NIOLockedValueBox<[DatagramBatch]>([])
        private let ends = NIOLockedValueBox<[(reason: RadSecEnd, hasRest: Bool)]>([])
        let room = NIOLockedValueBox(Int.max)
        private let admissions = NIOLockedValueBox(0)

        init(
            limits: RadSecLimits = RadSecLimits(), ends life: Int64 = 86_400, hasCertificate: Bool = true,
            refused: RadSecEnd? = nil
        ) throws {
            // The loop has run for a while.
            let loop = EmbeddedEventLoop()
            loop.advanceTime(by: .seconds(100))
            channel = EmbeddedChannel(loop: loop)
            let certificate = ClientCertificate(
                names: [.host("pgw-1.example")], life: Network.start...(Network.start + life))
            let (batches, ends, room, clock, admissions) = (batches, ends, room, clock, admissions)
            let connection = RadSecConnection(
                handlers: .init(
                    certificate: { _ in hasCertificate ? certificate : nil },
                    admit: { _, _ in
                        admissions.withLockedValue { $0 += 1 }
                        return refused.map { .failure($0) } ?? .success(.init(number: 7, nas: 0))
                    },
                    offer: { batch in
                        batches.withLockedValue { $0.append(batch) }
                        return max(0, batch.count - room.withLockedValue { $0 })
                    },
                    ended: { reason, _, hasRest in ends.withLockedValue { $0.append((reason, hasRest)) } },
                    now: { clock.now }),
                limits: limits, silence: { _ in .seconds(450) }, source: Network.source, port: 40_000)
            try channel.pipeline.syncOperations.addHandlers([reads, connection, behind])
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 2083), promise: nil)
        }

        @discardableResult
        func shakeHands() -> Self {
            channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
            return self
        }

        func send(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }
        func answer(_ answers: RadSecAnswers) { channel.writeAndFlush(answers, promise: nil) }
        func wait(_ seconds: Int64) {
            for _ in 0..<seconds {
                clock.advance(by: 1)
                channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            }
        }

        /// The packets that were handed over.
        var packets: [[UInt8]] { batches.withLockedValue { $0.flatMap(\.all) } }
        var envelopes: [DatagramBatch.Envelope] { batches.withLockedValue { $0.flatMap(\.envelopes) } }
        var admitted: Int { admissions.withLockedValue { $0 } }
        /// How often it has ended, which is once at most.
        var endCount: Int { ends.withLockedValue { $0.count } }
        var end: RadSecEnd? { ends.withLockedValue { $0.first?.reason } }
        var hadRest: Bool? { ends.withLockedValue { $0.first?.hasRest } }
        var written: [UInt8] {
            get throws {
                var bytes: [UInt8] = []
                while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
                return bytes
            }
        }
    }

    /// Counts what the connection wants to read.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var count = 0
        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    /// Keeps what the connection passes on.
    private final class Behind: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var events: [String] = []
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case TLSUserEvent.handshakeCompleted = event { events.append("handshake") }
        }
        func channelWritabilityChanged(context: ChannelHandlerContext) { events.append("writability") }
        func channelInactive(context: ChannelHandlerContext) { events.append("end") }
    }

    private func packet(_ identifier: Int = 1) -> [UInt8] {
        [4, UInt8(truncatingIfNeeded: identifier), 0, 20] + [UInt8](repeating: 0, count: 16)
    }

    @Test("packets are handed over whole, however they come, and belong to the NAS of the certificate")
    func pieces() throws {
        let line = try Line().shakeHands()
        let bytes = packet(1) + packet(2) + packet(3)
        for piece in [bytes[..<7], bytes[7..<45], bytes[45...]] { try line.send(Array(piece)) }
        #expect(line.packets == [packet(1), packet(2), packet(3)])
        #expect(line.end == nil)
    }

    @Test("before a certificate was shown nothing is taken, and after ten seconds without one the connection ends")
    func stranger() throws {
        let line = try Line()
        try line.send(packet())
        #expect(line.packets.isEmpty)
        line.wait(9)
        #expect(line.end == nil)
        line.wait(1)
        #expect(line.end == .slowHandshake && !line.channel.isActive)
        // A certificate that comes later is ignored.
        line.shakeHands()
        #expect(line.admitted == 0 && line.endCount == 1)
    }

    @Test("what came before the certificate was shown is not taken afterwards")
    func early() throws {
        let line = try Line()
        try line.send(packet(1))
        line.shakeHands()
        try line.send(packet(2))
        #expect(line.packets == [packet(2)])
    }

    @Test("a packet comes with the connection's source, port and NAS")
    func envelope() throws {
        let line = try Line().shakeHands()
        try line.send(packet(1))
        let envelope = try #require(line.envelopes.first)
        #expect(envelope.source == Network.source && envelope.port == 40_000 && envelope.socket == -1)
        #expect(envelope.connection == .init(number: 7, nas: 0) && line.envelopes.count == 1)
    }

    @Test(
        "a client that is not admitted, or has no certificate, is told apart and ended; one that is, is admitted once")
    func admission() throws {
        let unknown = try Line(refused: .unknownClient).shakeHands()
        #expect(unknown.end == .unknownClient && unknown.endCount == 1 && !unknown.channel.isActive)
        let bare = try Line(hasCertificate: false).shakeHands()
        #expect(bare.end == .noCertificate && bare.endCount == 1 && !bare.channel.isActive)
        let line = try Line().shakeHands().shakeHands()
        #expect(line.admitted == 1 && line.end == nil)
    }

    @Test("what is not for the connection alone is passed on to whoever is behind it")
    func passedOn() throws {
        let line = try Line().shakeHands()
        line.channel.pipeline.fireChannelWritabilityChanged()
        line.channel.close(promise: nil)
        #expect(line.behind.events == ["handshake", "writability", "end"])
    }

    @Test("the looks at the clock are a second apart", arguments: 1...4)
    func looks(seconds: Int64) throws {
        var limits = RadSecLimits()
        limits.handshake = .seconds(seconds)
        let line = try Line(limits: limits)
        line.wait(seconds - 1)
        #expect(line.end == nil)
        line.wait(1)
        #expect(line.end == .slowHandshake)
    }

    @Test("an error ends a connection as a handshake that failed, or as one that broke", arguments: [false, true])
    func error(isKnown: Bool) throws {
        let line = try Line()
        if isKnown { line.shakeHands() }
        line.channel.pipeline.fireErrorCaught(ChannelError.inputClosed)
        #expect(line.end == (isKnown ? .broken : .handshake("\(ChannelError.inputClosed)")))
        #expect(line.endCount == 1 && !line.channel.isActive)
    }

    @Test("a client that hangs up before it has shown a certificate has failed the handshake")
    func hangsUp() throws {
        let line = try Line()
        line.channel.close(promise: nil)
        #expect(line.end == .handshake("the client hung up") && line.endCount == 1)
    }

    @Test("a connection that has ended hands nothing over and reads nothing, whatever its buffer holds")
    func over() throws {
        var limits = RadSecLimits()
        limits.window = 1
        let line = try Line(limits: limits).shakeHands()
        try line.send(packet(1) + packet(2))
        let before = line.reads.count
        line.channel.read()
        line.answer(RadSecAnswers(bytes: ByteBuffer(bytes: [5]), packets: 1, closes: true))
        line.channel.pipeline.fireChannelWritabilityChanged()
        #expect(line.end == .refused && line.hadRest == true && line.endCount == 1)
        #expect(line.packets == [packet(1)] && line.reads.count == before)
    }

    @Test("an answer that leaves does not read where nothing wants to be read, and one read is asked for once")
    func readsOnce() throws {
        var limits = RadSecLimits()
        limits.window = 1
        let line = try Line(limits: limits).shakeHands()
        try line.send(packet(1))
        let before = line.reads.count
        line.answer(RadSecAnswers(packets: 1))
        #expect(line.reads.count == before)
        try line.send(packet(2))
        line.channel.read()
        line.answer(RadSecAnswers(packets: 1))
        #expect(line.reads.count == before + 1)
        try line.send(packet(3))
        line.answer(RadSecAnswers(packets: 1))
        #expect(line.reads.count == before + 1)
    }

    @Test("a handshake is read also while nothing can be written")
    func handshakeReads() throws {
        let line = try Line()
        line.channel.isWritable = false
        let before = line.reads.count
        line.channel.read()
        #expect(line.reads.count == before + 1)
    }

    @Test("a length that no packet has ends the connection, and nothing behind it is taken")
    func malformed() throws {
        let line = try Line().shakeHands()
        try line.send(packet(1) + [4, 2, 0, 19] + packet(3))
        #expect(line.packets == [packet(1)])
        #expect(line.end == .malformed && line.hadRest == true && !line.channel.isActive)
        // An answer to it comes too late and does no harm.
        let promise = line.channel.eventLoop.makePromise(of: Void.self)
        line.channel.writeAndFlush(RadSecAnswers(bytes: ByteBuffer(bytes: [5]), packets: 1), promise: promise)
        #expect(throws: ChannelError.ioOnClosedChannel) { try promise.futureResult.wait() }
        #expect(try line.written.isEmpty && line.endCount == 1)
    }

    @Test("no more is read than has answers to come, and reading goes on when one has left")
    func window() throws {
        var limits = RadSecLimits()
        limits.window = 2
        let line = try Line(limits: limits).shakeHands()
        try line.send(packet(1) + packet(2) + packet(3))
        #expect(line.packets.count == 2)
        let before = line.reads.count
        line.channel.read()
        #expect(line.reads.count == before)
        line.wait(60)
        #expect(line.end == nil)
        line.answer(RadSecAnswers(bytes: ByteBuffer(bytes: [5]), packets: 1))
        #expect(line.packets.count == 3 && line.reads.count == before)
        line.answer(RadSecAnswers(packets: 2))
        #expect(line.reads.count == before + 1)
        #expect(try line.written == [5])
    }

    @Test("a client that does not read its answers is not read from, and is not waited for longer than half a minute")
    func stalled() throws {
        let line = try Line().shakeHands()
        line.channel.isWritable = false
        line.channel.pipeline.fireChannelWritabilityChanged()
        let before = line.reads.count
        try line.send(packet())
        line.channel.read()
        #expect(line.packets.isEmpty && line.reads.count == before)
        line.wait(20)
        // Some of them leave.
        line.channel.isWritable = true
        line.channel.pipeline.fireChannelWritabilityChanged()
        #expect(line.packets.count == 1)
        line.wait(20)
        line.channel.isWritable = false
        line.channel.pipeline.fireChannelWritabilityChanged()
        line.wait(29)
        #expect(line.end == nil)
        line.wait(1)
        #expect(line.end == .stalled && line.endCount == 1)
    }

    @Test("half a packet is waited for ten seconds; one that goes on comes whole")
    func half() throws {
        let line = try Line().shakeHands()
        try line.send(Array(packet().prefix(10)))
        line.wait(9)
        try line.send(Array(packet()[10..<15]))
        line.wait(9)
        #expect(line.end == nil)
        try line.send(Array(packet()[15...]))
        line.wait(20)
        #expect(line.end == nil && line.packets.count == 1)
        line.answer(RadSecAnswers(packets: 1))
        try line.send([4])
        line.wait(9)
        #expect(line.end == nil)
        line.wait(1)
        #expect(line.end == .halfPacket && line.hadRest == true)
    }

    @Test(
        "the rest of a packet behind a full window is waited for from when reading goes on", arguments: [true, false])
    func halfBehindFullWindow(comes: Bool) throws {
        var limits = RadSecLimits()
        limits.window = 2
        let line = try Line(limits: limits).shakeHands()
        try line.send(packet(1) + packet(2) + packet(3).prefix(10))
        line.channel.read()
        line.wait(20)
        #expect(line.end == nil && line.packets.count == 2)
        line.answer(RadSecAnswers(packets: 2))
        line.wait(9)
        #expect(line.end == nil)
        if comes { try line.send(Array(packet(3)[10...])) }
        line.wait(2)
        #expect(line.end == (comes ? nil : RadSecEnd.halfPacket))
        #expect(line.packets.count == (comes ? 3 : 2))
    }

    @Test("a connection ends after as long a silence as its NAS may keep, but not while an answer is owed")
    func idle() throws {
        let line = try Line().shakeHands()
        try line.send(packet())
        line.wait(460)
        #expect(line.end == nil)
        line.answer(RadSecAnswers(packets: 1))
        line.wait(2)
        #expect(line.end == .idle && line.hadRest == false)
    }

    @Test("silence begins with the handshake, and anew with each packet")
    func silence() throws {
        let line = try Line()
        line.wait(9)
        line.shakeHands()
        line.wait(440)
        try line.send(packet())
        line.answer(RadSecAnswers(packets: 1))
        line.wait(449)
        #expect(line.end == nil)
        line.wait(1)
        #expect(line.end == .idle && line.endCount == 1)
        let silent = try Line()
        silent.wait(9)
        silent.shakeHands()
        silent.wait(449)
        #expect(silent.end == nil)
        silent.wait(1)
        #expect(silent.end == .idle)
    }

    @Test(
        "a connection ends with the certificate that opened it, whether packets come or not", arguments: [true, false])
    func expired(comes: Bool) throws {
        let line = try Line(ends: 100).shakeHands()
        line.wait(100)
        try line.send(packet(1))
        #expect(line.end == nil && line.packets.count == 1)
        if comes {
            line.clock.advance(by: 1)
            try line.send(packet(2))
        } else {
            line.wait(1)
        }
        #expect(line.end == .expired && line.packets.count == 1)
    }

    @Test("packets for which there is no room end the connection, so that they come again through another one")
    func noRoom() throws {
        let line = try Line().shakeHands()
        line.room.withLockedValue { $0 = 1 }
        try line.send(packet(1) + packet(2))
        #expect(line.end == .noRoom)
    }

    @Test("answers of before a refusal leave, and the connection ends behind them")
    func refusal() throws {
        let line = try Line().shakeHands()
        try line.send(packet(1) + packet(2))
        line.answer(RadSecAnswers(bytes: ByteBuffer(bytes: [5, 1]), packets: 2, closes: true))
        #expect(try line.written == [5, 1])
        #expect(line.end == .refused && !line.channel.isActive)
    }

    @Test("a connection that is cut leaves no doubt, unless half a packet had come", arguments: [0, 1, 5])
    func cut(bytes: Int) throws {
        let line = try Line().shakeHands()
        try line.send(packet() + packet().prefix(bytes))
        line.channel.close(promise: nil)
        #expect(line.end == .byClient && line.hadRest == (bytes > 0) && line.endCount == 1)
    }
}
