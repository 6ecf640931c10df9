import BenjiPolicy
package import BenjiProtocol
package import Requests
package import Sightings
import Store

/// A token for a web page, in the operators' H5 shape. It takes one request over the phone's data connection, signed by
/// the app's server, without a page of ours.
///
/// The person was not asked, so the token answers only whether a number is this phone's (decision 17). It releases a
/// number only under the app's audited legacy grant, like any other token that was earned without the page.
extension Authority {
    /// Takes the place of a device key's thumbprint: a browser has none.
    static let browserKey = "browser"

    /// A request whose sign has been found right.
    package struct BrowserTokenCall: Sendable {
        package var app: RegisteredApp
        /// The app's key that made the sign.
        package var key: RegisteredKey
        /// Its name, unique within the app: a signed request buys one token.
        package var messageID: String
        package var sentAt: Timestamp
        /// The dialect of the app's server. The token is redeemed in it, and has its lifetime.
        package var dialect: Dialect
        /// The origin of the page, as the browser names it.
        package var origin: String?
        package var sighting: Result<Sighting, SightingRefusal>

        package init(
            app: RegisteredApp, key: RegisteredKey, messageID: String, sentAt: Timestamp, dialect: Dialect,
            origin: String?, sighting: Result<Sighting, SightingRefusal>
        ) {
            self.app = app
            self.key = key
            self.messageID = messageID
            self.sentAt = sentAt
            self.dialect = dialect
            self.origin = origin
            self.sighting = sighting
        }
    }

    package func browserToken(_ call: BrowserTokenCall) async throws(Refusal) -> (token: String, trace: TraceID) {
        try await admit(call)
        // Nothing is written for a browser that is not on a subscriber's phone.
        let sighting: Sighting
        let trace = TraceID(at: expiryClock.now, random: random)
        do { sighting = try await acceptedSighting(call.sighting).0 } catch {
            await tracer.record(
                [tracer.event(trace, .authority, "h5.getMobile", error.situation, error.detail)], isKept: false)
            throw error
        }
        try await consume("h5:" + call.messageID, of: call.app.record.id, sentAt: call.sentAt)
        return try await tracer.traced(trace, "h5.getMobile") { () async throws(Refusal) in
            let (token, isBrief) = try await issue(call, to: sighting, trace: trace)
            return TracedAnswer(
                (token, trace), "verification token, net", isKept: !isBrief,
                after: [tracer.event(trace, sighting: sighting, of: call.app.record.id)])
        } keeps: { refusal in
            refusal.situation != .tooManyRequests
                && mayTraceRefusal(of: "\(call.app.record.id.rawValue)/\(sighting.subscription.subscription)")
        }
    }

    /// Everything that does not concern the phone: app and page.
    private func admit(_ call: BrowserTokenCall) async throws(Refusal) {
        let app = call.app.record
        try check(call.key)
        try app.checkAnswered()
        guard app.capabilities.contains(.verification) else {
            throw Refusal(.capabilityMissing, "the app is not registered for verification")
        }
        if let problem = app.problemWithBrowsers { throw Refusal(.assuranceTooLow, problem) }
        let client: OpenIDClientRecord?
        do { client = try await store.openIDClient(app.id) } catch { throw Refusal(error) }
        guard let origin = call.origin, client?.origins.contains(origin) == true else {
            throw Refusal(.bundleMismatch, "the page's origin is not one of the app's redirect URIs")
        }
        note(call.key, of: app.id)
    }

    private func issue(
        _ call: BrowserTokenCall, to sighting: Sighting, trace: TraceID
    ) async throws(Refusal) -> (token: String, isBrief: Bool) {
        let app = call.app.record
        let service = try await service(of: nil, app: app.id, subscription: sighting.subscription, assurance: .net)
        guard let lifetimes = configuration.policy.lifetimes(sighting.carrier, call.dialect) else {
            throw failure(.carrierUnsupported, "this carrier is not in the policy")
        }
        let now = expiryClock.now
        let lifetime = min(app.tokenLifetime ?? .max, lifetimes.token)
        let token = CredentialGrammar.token.make(at: now, random: random)
        try await issueAtOnce(
            TokenRecord(
                hash: CredentialHash(of: token, .token), appID: app.id, purpose: .verification,
                subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding,
                deviceKey: Self.browserKey, assurance: .net, trace: trace, dialect: call.dialect, issuedAt: now,
                expiresAt: now + .seconds(lifetime)), of: app,
            fence: fence(of: sighting),
            // All browsers share one placeholder for the key, so a limit per key would limit all of them together.
            unusedPerKey: .max)
        return (token, service == .brief)
    }
}

extension OpenIDClientRecord {
    /// Where the app's web pages are: the origins of its redirect URIs.
    var origins: Set<String> {
        Set(
            redirectURIs.compactMap { uri in
                guard let scheme = uri.firstRange(of: "://"), uri.hasPrefix("http") else { return nil }
                return String(uri[..<scheme.upperBound] + uri[scheme.upperBound...].prefix { !"/?".contains($0) })
            })
    }
}
