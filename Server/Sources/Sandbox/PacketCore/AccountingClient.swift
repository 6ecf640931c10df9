package import BenjiProtocol
import Foundation
import NIOCore
import NIOPosix
package import RADIUS

/// The NAS side of RADIUS accounting (RFC 2866): sends requests over UDP, waits for the answer, and repeats what got
/// none.
package final class AccountingClient: Sendable {
    /// Why a request got no valid answer.
    package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// A request that was answered.
    package struct Exchange: Hashable, Sendable {
        /// From the first packet to the answer.
        package var elapsed: Duration
        package var request: [UInt8]
        package var answer: [UInt8]
    }

    private let channel: any Channel
    private let answers: AnswerHandler
    private let secret: SharedSecret
    private let random: any RandomSource
    private let tries: Int
    /// For one try.
    private static let wait = TimeAmount.seconds(1)

    /// - Parameters:
    ///   - source: the address to send from, which the gateway's allow-list names; the system's choice if `nil`.
    ///   - tries: the same packet is sent this often, a second apart, before giving up (RFC 2866 §2).
    package init(
        gateway: InternetAddress, port: UInt16, secret: SharedSecret, source: InternetAddress? = nil,
        tries: Int = 3, random: some RandomSource = SystemRandomSource()
    ) async throws {
        self.tries = tries
        self.secret = secret
        self.random = random
        let answers = AnswerHandler()
        self.answers = answers
        let local = source?.description ?? (gateway.family == .v4 ? "0.0.0.0" : "::")
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(answers) }
            }
            .bind(host: local, port: 0).get()
        try await channel.connect(to: SocketAddress(ipAddress: gateway.description, port: Int(port))).get()
    }

    /// Sends one request and returns how long its answer took.
    ///
    /// The answer's authenticator is checked: anything else is as good as silence.
    @discardableResult
    package func send(_ request: AccountingRequest) async throws -> Duration { try await exchange(request).elapsed }

    /// The same, with the packets.
    package func exchange(_ request: AccountingRequest) async throws -> Exchange {
        try await exchange(try request.packet(identifier: random.bytes(1)[0], secret: secret))
    }

    /// Asks whether the gateway is alive (Status-Server, RFC 5997).
    @discardableResult
    package func status() async throws -> Duration {
        let bytes = try Packet.statusServer(
            identifier: random.bytes(1)[0], authenticator: random.bytes(16), secret: secret)
        return try await exchange(bytes).elapsed
    }

    private func exchange(_ bytes: [UInt8]) async throws -> Exchange {
        let request = try Packet(decoding: bytes)
        let start = ContinuousClock.now
        for _ in 0..<max(tries, 1) {
            let answer = answers.expect(request.identifier, on: channel.eventLoop)
            let timeout = channel.eventLoop.scheduleTask(in: Self.wait) {
                [answers] in answers.giveUp(request.identifier)
            }
            try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).get()
            let received = try await answer.get()
            timeout.cancel()
            guard let received else { continue }
            let packet = try Packet(decoding: received)
            guard packet.hasValidResponseAuthenticator(to: request, secret: secret) else {
                throw Failure(description: "the answer's authenticator is wrong; is the secret the gateway's?")
            }
            return Exchange(elapsed: ContinuousClock.now - start, request: bytes, answer: received)
        }
        throw Failure(
            description:
                "no answer to \(tries) packets. Check: does the gateway run? Is the secret nas.*.secret? Is this "
                + "sender among "
                + "nas.*.sources, and the phone's address in nas.*.pools? The gateway's metrics count which of them "
                + "failed"
        )
    }

    package func close() async { try? await channel.close() }
}

/// Hands each answer to the request that waits for its identifier. Everything happens on the channel's event loop.
private final class AnswerHandler: ChannelInboundHandler, @unchecked Sendable {
    // Sound: `waiting` is only touched inside `lock`.
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    private let lock = NSLock()
    private var waiting: [UInt8: EventLoopPromise<[UInt8]?>] = [:]

    func expect(_ identifier: UInt8, on loop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let promise = loop.makePromise(of: [UInt8]?.self)
        let previous = lock.withLock { waiting.updateValue(promise, forKey: identifier) }
        previous?.succeed(nil)
        return promise.futureResult
    }

    func giveUp(_ identifier: UInt8) { lock.withLock { waiting.removeValue(forKey: identifier) }?.succeed(nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(buffer: unwrapInboundIn(data).data)
        guard bytes.count >= Packet.headerLength else { return }
        lock.withLock { waiting.removeValue(forKey: bytes[1]) }?.succeed(bytes)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A closed port answers with ICMP, which shows up here; the waiting request times out and reports it.
    }

    func channelInactive(context: ChannelHandlerContext) {
        let left = lock.withLock {
            let left = waiting.values
            waiting = [:]
            return Array(left)
        }
        for promise in left { promise.succeed(nil) }
    }
}
