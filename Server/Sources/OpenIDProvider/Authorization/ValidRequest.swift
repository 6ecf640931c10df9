import BenjiProtocol
import Store

/// A request of a client's that nothing is wrong with.
struct ValidRequest {
    var request: AuthorizationRequest
    var client: KnownClient
    /// The accounts that it asks for; `nil` if it takes whoever is there.
    var subjects: Set<String>?
    var pushed: OpenIDCredential?
    var object: String?

    /// What the request is counted under: itself, if it is one that the app's server made and that counts once, or else app and
    /// phone. So nobody who shares the phone's connection uses up what the app's own requests may ask.
    func name(for phone: some CustomStringConvertible) -> String {
        let app = client.record.appID.rawValue
        if let pushed { return "\(app)/pushed/\(Base64URL.encode(pushed.hash.bytes))" }
        return object.map { "\(app)/signed/\($0)" } ?? "\(app)/\(phone)"
    }
}
