import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A connection whose requests are handled on its own event loop's thread: those that are there as a whole by
/// ``WholeRequestHandler``, all others by Hummingbird.
///
/// By default they run on Swift's shared pool of threads: each request goes to another thread and each part of the
/// answer back. Nothing here waits for another thread: the store writes, and makes slow reads, on threads of its own. A
/// look at one row (decision 42) and the computations in between take less time than two changes of thread.
struct EndpointConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        /// Hummingbird's end of the channel, as soon as something comes that is its; `nil` if the connection ends
        /// before.
        let behind: EventLoopFuture<HTTP1Channel.Value?>
        let whole: NIOLoopBound<WholeRequestHandler>
    }

    let base: HTTP1Channel
    let limits: ServerLimits
    let limiter: ConnectionLimiter
    let answer: WholeRequestHandler.Answer

    /// The handlers of `HTTP1Channel` with ours between them. Hummingbird's end is made only if it is needed. Phones
    /// connect for one request, and of 224 µs for such a connection it took 32 (docs/performance.md).
    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            var decoder = NIOHTTPDecoderLimitConfiguration()
            decoder.maxHeaderFieldSize = limits.headerLineBytes
            decoder.maxHeaderListSize = limits.headerBytes
            decoder.maxHeaderFieldCount = limits.headerCount
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false,
                // HTTPTypes have done it.
                withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: decoder)
            let behind = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
            let whole = WholeRequestHandler(answer, endsAbandonedWork: limits.endsAbandonedWork) { context in
                behind.completeWith(Result { try context.map { try Self.open($0, logger) } })
            }
            try pipeline.addHandlers([
                RequestHeadHandler(), HTTP1ToHTTPServerCodec(secure: false), ConnectionLimiterHandler(limiter),
                RequestDeadlineHandler(limits: limits), whole,
            ])
            return Value(
                channel: channel, behind: behind.futureResult,
                whole: NIOLoopBound(whole, eventLoop: channel.eventLoop))
        }
    }

    private static func open(_ context: ChannelHandlerContext, _ logger: Logger) throws -> HTTP1Channel.Value {
        try context.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: context.channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            await withTaskCancellationHandler {
                do {
                    if let behind = try await value.behind.get() { await base.handle(value: behind, logger: logger) }
                } catch { value.channel.close(promise: nil) }
                // Waiting for the connections to end includes the answers whose clients have gone.
                await value.whole.value.task?.value
            } onCancel: {
                value.channel.close(mode: .input, promise: nil)
            }
        }
    }
}

/// Runs tasks on an event loop.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        eventLoop.execute { job.runSynchronously(on: executor) }
    }
}
