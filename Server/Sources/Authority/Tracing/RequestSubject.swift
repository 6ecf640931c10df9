package import BenjiProtocol
import Synchronization

/// Which app and which carrier a request turned out to be about, for log lines and counters.
///
/// Whoever takes a request binds one for the task that answers it, and the authority notes what it has found: an app that is
/// registered, a carrier of the policy. What the caller wrote and nobody has looked up never gets in.
package final class RequestSubject: Sendable {
    /// The subject of the request that this task answers.
    @TaskLocal package static var current: RequestSubject?

    private let state = Mutex<(app: AppID?, carrier: Carrier?)>((nil, nil))

    package init() {}

    package func note(app: AppID) { state.withLock { $0.app = app } }
    package func note(carrier: Carrier) { state.withLock { $0.carrier = carrier } }

    package var app: AppID? { state.withLock { $0.app } }
    package var carrier: Carrier? { state.withLock { $0.carrier } }
}
