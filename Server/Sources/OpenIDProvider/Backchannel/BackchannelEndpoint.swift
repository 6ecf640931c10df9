import Authority
package import BenjiProtocol
import Sightings
import Store

/// The backchannel authentication endpoint (OpenID Connect CIBA Core 1.0 §7): a client's server has a person asked on
/// their phone.
package struct BackchannelEndpoint: Sendable {
    private let context: ProviderContext
    private let limits: BackchannelLimits
    private let codes: SMSCodes?
    private let notices: BackchannelNotices?

    init(context: ProviderContext, limits: BackchannelLimits, codes: SMSCodes?, notices: BackchannelNotices?) {
        self.context = context
        self.limits = limits
        self.codes = codes
        self.notices = notices
    }

    /// The answer is the same whether the register knows the number or not.
    package func request(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await context.authenticate(credentials, at: .backchannel)
        guard let registration = client.record.backchannel else {
            throw OpenIDFailure(
                .unauthorizedClient,
                "the app may not ask people on their phones; its operator can allow it (--backchannel)")
        }
        guard credentials.parameters["request_uri"] == nil else {
            throw OpenIDFailure(.requestURINotSupported, "request_uri: send the request object itself, as request")
        }
        let resolved = try context.effective(credentials.parameters, client, at: [.backchannel])
        let request = try BackchannelRequest(resolved.parameters, client: client.record, registration)
        try client.checkBrowser(request.scopes)
        let app = client.record.appID
        try await limits.admit(app, request.number)
        try await context.takeRequestObject(resolved.id, of: app)

        let holder = try await holder(of: request.number)
        let secret = context.newCredential()
        let hash = CredentialHash(of: secret, .openID)
        let now = context.now
        let credential = OpenIDCredential(
            hash: hash, kind: .backchannel, family: context.random.family(), appID: app,
            subject: holder.map {
                // No address told whose it is, so none can take it back: a name that no gateway has given.
                OpenIDCredential.Subject(
                    subscription: $0.reference, carrier: $0.carrier,
                    binding: BindingID(rawValue: context.random.family()))
            }, trace: TraceID(at: now, random: context.random),
            details: BackchannelDetails(
                scopes: request.scopes, bindingMessage: request.bindingMessage,
                ping: try request.notificationToken.map { token throws(OpenIDFailure) in
                    try context.authority.vault.seal(token: token, requestID: secret, of: hash)
                }
            ).json.text, issuedAt: now, expiresAt: now + .seconds(request.lifetime))
        try await context.insert(credential)
        // Without a subscriber until the tap: the app's traces must not show whether the register knows the number.
        await context.tracer.record(
            credential.trace, .appServer, "openid.backchannel", .success, "a person is asked on their phone")
        if holder != nil { tell(request.number, client.app.record, until: credential.expiresAt, credential.trace) }
        return .object([
            "auth_req_id": .string(secret), "expires_in": .integer(request.lifetime),
            "interval": .integer(PollingPace.interval),
        ])
    }

    /// The subscriber to ask; `nil` if the register does not know the number. Such a request is never answered.
    private func holder(of number: PhoneNumber) async throws(OpenIDFailure) -> SubscriptionRecord? {
        do { return try await context.authority.vault.subscription(of: number, in: context.store) } catch {
            throw OpenIDFailure(error)
        }
    }

    /// Sends the page's address by SMS. It is the same for every number: requests are shown to their own phone only.
    private func tell(_ number: PhoneNumber, _ app: AppRecord, until end: Timestamp, _ trace: TraceID) {
        guard let codes, let notices, app.capabilities.contains(.smsCodes) else { return }
        let text = BackchannelStrings.message(from: app.shownName, address: context.url(.requests))
        notices.later(app.id) { [limits, context] in
            guard (try? await limits.admitsMessage(app.id, number)) == true else { return }
            let outcome = await codes.sendNotice(text, to: number, of: app, until: end)
            await context.tracer.record([
                context.tracer.event(
                    trace, .authority, "openid.backchannel-message", outcome.situation, outcome.detail)
            ])
        }
    }
}
