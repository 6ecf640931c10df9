package import BenjiProtocol
import Synchronization

/// The app and the carrier of a request, and whether its caller has proved who it is.
///
/// A listener binds one for the task of each request. The authority notes what it has found: an app that is registered,
/// a carrier of the policy. A caller's value that was not looked up is not noted.
package final class RequestSubject: Sendable {
    /// The subject of the request that this task answers; `nil` in tasks of the installation itself.
    @TaskLocal package static var current: RequestSubject?

    private struct State {
        var app: AppID?
        var carrier: Carrier?
        var isProven = false
    }

    private let state = Mutex(State())

    /// The name of the listener that took the request.
    package let listener: String

    package init(listener: String = "") { self.listener = listener }

    package func note(app: AppID) { state.withLock { $0.app = app } }
    package func note(carrier: Carrier) { state.withLock { $0.carrier = carrier } }
    /// The caller has proved who it is: by a sign, a secret, a certificate, a token, or the address of its phone. Until
    /// then a store may let its work wait behind others'.
    package func prove() { state.withLock { $0.isProven = true } }

    package var app: AppID? { state.withLock { $0.app } }
    package var carrier: Carrier? { state.withLock { $0.carrier } }
    package var isProven: Bool { state.withLock { $0.isProven } }
}
