import BenjiProtocol
import Store

/// A request of a client's that nothing is wrong with.
struct ValidRequest {
    var request: AuthorizationRequest
    var client: KnownClient
    /// The accounts that it asks for; `nil` if it accepts any account.
    var subjects: Set<String>?
    var pushed: OpenIDCredential?
    var object: String?

    /// The name that the request is counted under. A single-use request of the app's server counts by itself, any other
    /// by app and phone. So no guest on the phone's connection uses up the budget of the app's own requests.
    func name(for phone: some CustomStringConvertible) -> String {
        let app = client.record.appID.rawValue
        if let pushed { return "\(app)/pushed/\(Base64URL.encode(pushed.hash.bytes))" }
        return object.map { "\(app)/signed/\($0)" } ?? "\(app)/\(phone)"
    }
}
