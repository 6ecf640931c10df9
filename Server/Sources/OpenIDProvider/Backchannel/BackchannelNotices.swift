package import Authority
package import BenjiProtocol
import Store

/// Notifications about a backchannel request after its answer: an SMS to the person, and a ping to the client once it
/// is decided. The caller must not wait for either: a delay could reveal whether a number is a subscriber's.
package struct BackchannelNotices: Sendable {
    /// Does something of an app's after the answer. What still waits when the process ends is lost.
    package var later: @Sendable (_ app: AppID, _ task: @escaping @Sendable () async -> Void) -> Void
    /// Pings a client.
    package var ping: @Sendable (BackchannelPing) async -> Void

    package init(
        later: @escaping @Sendable (_ app: AppID, _ task: @escaping @Sendable () async -> Void) -> Void,
        ping: @escaping @Sendable (BackchannelPing) async -> Void
    ) {
        self.later = later
        self.ping = ping
    }
}

/// A client is told that a request is decided, and not how (OpenID Connect CIBA Core 1.0 §10.2).
package struct BackchannelPing: Hashable, Sendable {
    package var appID: AppID
    package var endpoint: String
    /// The client's bearer token.
    package var token: String
    /// The body.
    package var payload: String

    package init(appID: AppID, endpoint: String, token: String, payload: String) {
        self.appID = appID
        self.endpoint = endpoint
        self.token = token
        self.payload = payload
    }
}

extension BackchannelPing: CustomStringConvertible, CustomReflectable {
    package var description: String { "BackchannelPing(\(appID))" }
    /// Without children: token and body are credentials.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Vault {
    private static let pingPurpose = "backchannel-ping"

    /// - Parameter hash: the request's, so that data sealed for one request opens for no other.
    func seal(
        token: String, requestID: String, of hash: CredentialHash
    ) throws(OpenIDFailure) -> Sealed {
        let text = JSON.object(["token": .string(token), "id": .string(requestID)]).text
        do { return try seal(Array(text.utf8), purpose: Self.pingPurpose, owner: hash.bytes) } catch {
            throw OpenIDFailure(.serverError, "the notification token cannot be kept")
        }
    }

    /// `nil` if it does not open: the master key it was sealed under is gone, and the client asks by itself.
    func ping(_ sealed: Sealed, of hash: CredentialHash) -> (token: String, requestID: String)? {
        guard let bytes = try? open(sealed, purpose: Self.pingPurpose, owner: hash.bytes),
            let json = try? JSON(parsing: bytes), let token = json["token"]?.stringValue,
            let id = json["id"]?.stringValue
        else { return nil }
        return (token, id)
    }
}
