import BenjiClient
import BenjiFaceProtocol
import BenjiProtocol

// The requests of a session.
extension FaceEngine {
    func begin(
        _ goal: FaceGoal, _ identity: FaceIdentity, language: String
    ) async throws(BenjiError) -> FaceBegun {
        guard let purpose = goal.purpose else { throw BenjiError(.internalError, "a search begins with nobody") }
        let json: JSON
        do {
            json = try await sendAsApp(.begin) {
                FaceBeginRequest(
                    appToken: $0, purpose: purpose, identity: identity, uid: goal.uid, phone: goal.phone,
                    language: language
                ).json
            }
        } catch {
            // The person is told once; the next login begins with the number.
            if error.situation == .accountErased { change { $0 = FaceMemory() } }
            throw error
        }
        return FaceBegun(try read(json, FaceBeginResponse.init))
    }

    func beginSearch(_ group: String) async throws(BenjiError) -> FaceBegun {
        let json = try await sendAsApp(.searchBegin) { FaceSearchBeginRequest(appToken: $0, group: group).json }
        return FaceBegun(try read(json, FaceSearchBeginResponse.init))
    }

    func search(_ session: String) async throws(BenjiError) -> String? {
        let json = try await send(.search) { _ in .json(FaceSearchRequest(session: session).json) }
        return try read(json, FaceSearchResponse.init).candidate
    }

    func sendConsent(
        _ agreement: FaceAgreement, _ terms: FaceTerms, _ begun: FaceBegun
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
        _ begun: FaceBegun, _ harvest: FaceLoginResult, _ userInfo: FaceUserInfo?
    ) async throws(BenjiError) -> FaceFinishResponse {
        func record(_ yes: FaceLoginResult.Yes?) async throws(BenjiError) -> String? {
            guard let yes else { return nil }
            return try await signed(yes.agreement, begun, version: yes.version, links: [])
        }
        let request = FaceFinishRequest(
            session: begun.session, name: harvest.profile?.name, avatar: harvest.profile?.avatar,
            authorization: try await record(harvest.authorization), groups: try await record(harvest.groups),
            userInfo: userInfo)
        let json = try await send(.finish) { _ in .json(request.json) }
        let response = try read(json, FaceFinishResponse.init)
        keep(response, declinedGroups: harvest.declinedGroups)
        return response
    }

    func forgetRemembered() { change { $0.remembered = nil } }

    /// The person's consent as evidence: the content shown and when, in the server's time, signed by the device key.
    private func signed(
        _ agreement: FaceAgreement, _ begun: FaceBegun, version: String, links: [ConsentContent.Link]
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
