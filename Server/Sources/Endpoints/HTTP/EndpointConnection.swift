import HummingbirdCore
import Logging
import NIOCore

/// A connection whose requests are handled on its own event loop's thread: those that are there as a whole by
/// ``WholeRequestHandler``, all others by Hummingbird.
///
/// By default they run on Swift's shared pool of threads, so that each request is handed to another thread and each
/// part of the answer back. Nothing here blocks: the store works on threads of its own, and what is computed in between is
/// shorter than the two changes of thread that it would cost to move it.
struct EndpointConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let base: HTTP1Channel.Value
        let whole: NIOLoopBound<WholeRequestHandler>

        var channel: any Channel { base.channel }
    }

    let base: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let whole = try channel.pipeline.syncOperations.handler(type: WholeRequestHandler.self)
            return Value(base: value, whole: NIOLoopBound(whole, eventLoop: channel.eventLoop))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(value.channel.eventLoop)) {
            await base.handle(value: value.base, logger: logger)
            // Whoever waits for the connections to end waits for answers whose clients have gone, too.
            await value.whole.value.task?.value
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
