import BenjiClient
import BenjiProtocol

// The requests of a session.
extension FaceEngine {
    func begin(
        _ goal: FaceGoal, _ identity: FaceIdentity, language: String
    ) async throws(BenjiError) -> FaceBeginResponse {
        let json = try await sendAsApp(.begin) {
            FaceBeginRequest(
                appToken: $0, purpose: goal.purpose, identity: identity, uid: goal.uid, phone: goal.phone,
                language: language
            ).json
        }
        return try read(json, FaceBeginResponse.init)
    }

    func sendConsent(
        _ agreement: FaceAgreement, _ terms: FaceTerms, _ begun: FaceBeginResponse
    ) async throws(BenjiError) {
        let record = try await signed(
            agreement, begun, version: terms.version, links: [.init(title: terms.title, url: terms.url)])
        _ = try await send(.consent) { _ in .json(FaceConsentRequest(session: begun.session, consent: record).json) }
    }

    func requestChallenge(_ session: String) async throws(BenjiError) -> FaceChallengeResponse {
        let json = try await send(.challenge) { _ in .json(FaceChallengeRequest(session: session).json) }
        return try read(json, FaceChallengeResponse.init)
    }

    func sendFrames(_ request: FaceFramesRequest) async throws(BenjiError) -> FaceFramesResponse {
        let json = try await send(.frames) { _ in .bytes(request.bytes, type: FaceFramesRequest.contentType) }
        return try read(json, FaceFramesResponse.init)
    }

    func finish(
        _ begun: FaceBeginResponse, _ profile: FaceProfile?, _ authorization: (FaceAgreement, FaceAuthorization)?,
        _ userInfo: FaceUserInfo?
    ) async throws(BenjiError) -> FaceFinishResponse {
        var record: String?
        if let (agreement, app) = authorization {
            record = try await signed(agreement, begun, version: app.version, links: [])
        }
        let request = FaceFinishRequest(
            session: begun.session, name: profile?.name, avatar: profile?.avatar, authorization: record,
            userInfo: userInfo)
        let json = try await send(.finish) { _ in .json(request.json) }
        let response = try read(json, FaceFinishResponse.init)
        keep(response)
        return response
    }

    func forgetRemembered() { change { $0.remembered = nil } }

    /// The person's yes as evidence: what was shown and when, in the server's time, signed by the device key.
    private func signed(
        _ agreement: FaceAgreement, _ begun: FaceBeginResponse, version: String, links: [ConsentContent.Link]
    ) async throws(BenjiError) -> String {
        let signer = try await caller.signer()
        var texts = agreement.texts.enumerated().map { ConsentContent.Text($0 == 0 ? .title : .custom, $1) }
        texts += links.map { .init(.terms, $0.title) }
        texts.append(.init(.loginButton, agreement.button))
        let record = ConsentRecord(
            appID: configuration.login.appID, trace: begun.trace, scrip: begun.session, nonce: begun.nonce,
            content: ConsentContent(
                drawnBy: .benji, language: agreement.language, policyVersion: version, texts: texts, links: links,
                initiallyTicked: false), sceneDigest: nil, shownAt: agreement.shownAt + clockOffset,
            tickedAt: agreement.tickedAt + clockOffset, tappedAt: agreement.tappedAt + clockOffset)
        do { return try record.signed(by: signer) } catch {
            throw BenjiError(.deviceKeyUnavailable, "the device key could not sign")
        }
    }
}
