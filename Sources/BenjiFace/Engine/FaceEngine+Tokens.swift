package import BenjiClient
import BenjiFaceProtocol
import BenjiProtocol

extension FaceEngine {
    // MARK: requests

    /// Sends one request, and again after what a phone can mend by itself: a wrong clock.
    func send(
        _ path: FacePath, _ make: @escaping @Sendable (ProofCaller.Signing) throws -> ProofCaller.Body
    ) async throws(BenjiError) -> JSON {
        for attempt in 0... {
            let answer: ProofCaller.Answer
            do throws(ProofCaller.Failure) {
                answer = try await caller.post(
                    path.rawValue, clockOffset: clockOffset, timeout: { configuration.login.timeout }, body: make)
            } catch {
                throw error.error
            }
            switch answer {
            case .success(let json):
                tell(.answered(path.rawValue, .success))
                return json
            case .refusal(let refusal):
                tell(.answered(path.rawValue, refusal.situation))
                if refusal.situation == .clockSkew, let serverTime = refusal.serverTime, attempt == 0 {
                    clockOffset = serverTime - wallClock.now
                    continue
                }
                throw BenjiError(refusal)
            }
        }
        throw BenjiError(.internalError, "no attempt was left")
    }

    /// A request that names an app token. An app token that the server does not know any more is replaced once.
    func sendAsApp(
        _ path: FacePath, _ make: @escaping @Sendable (_ appToken: String) -> JSON
    ) async throws(BenjiError) -> JSON {
        let token = try await usableAppToken()
        do { return try await send(path) { _ in .json(make(token)) } } catch {
            guard error.situation == .appTokenInvalid else { throw error }
        }
        if appToken?.text == token { appToken = nil }
        let fresh = try await usableAppToken()
        return try await send(path) { _ in .json(make(fresh)) }
    }

    /// A request for the person who is logged in. An access that has expired is renewed once.
    func sendAsUser(
        _ path: FacePath, _ make: @escaping @Sendable (_ appToken: String, _ access: String) -> JSON
    ) async throws(BenjiError) -> JSON {
        let access = try await usableAccess().grant.accessToken
        do { return try await sendAsApp(path) { make($0, access) } } catch {
            switch error.situation {
            case .accessTokenExpired: break
            case .accessTokenInvalid, .notAuthorized:
                forgetAccess(access)
                throw error
            case .accountErased:
                change { $0 = FaceMemory() }
                throw error
            default: throw error
            }
        }
        let fresh = try await usableAccess(insteadOf: access).grant.accessToken
        return try await sendAsApp(path) { make($0, fresh) }
    }

    // MARK: app tokens

    /// Returns the app token, which the document calls initialising the SDK. Kept in memory, renewed before it ends.
    @discardableResult
    package func usableAppToken() async throws(BenjiError) -> String {
        if let appToken, timer.elapsed() + configuration.margin < appToken.endsAt { return appToken.text }
        let login = configuration.login
        let asked = timer.elapsed()
        let json = try await send(.appToken) { signing in
            let thumbprint = signing.signer.publicKey.thumbprint
            return .json(
                FaceAppTokenRequest(
                    appID: login.appID, bundleID: login.bundleID,
                    appKeyProof: login.appKey.map {
                        AppKeyProof.make(
                            appKey: $0, appID: login.appID, proofID: signing.proofID, keyThumbprint: thumbprint)
                    }
                ).json)
        }
        let response = try read(json, FaceAppTokenResponse.init)
        appToken = (response.appToken, asked + .seconds(response.appTokenLifetime))
        return response.appToken
    }

    // MARK: access

    /// An access token that is good for a request, renewed if it has to be.
    ///
    /// - Parameter insteadOf: one that the server has called expired.
    func usableAccess(insteadOf expired: String? = nil) async throws(BenjiError) -> FaceMemory.Access {
        guard let access = remembered().access else {
            throw BenjiError(.notAuthorized, "nobody who has authorised the app is logged in")
        }
        let isGood = wallClock.now + configuration.margin < access.endsAt
        if isGood, access.grant.accessToken != expired { return access }
        if let renewal { return try await renewal.value.get() }
        let task = Task { await self.renew(access) }
        renewal = task
        let result = await task.value
        renewal = nil
        return try result.get()
    }

    private func renew(_ access: FaceMemory.Access) async -> Result<FaceMemory.Access, BenjiError> {
        do throws(BenjiError) {
            let asked = wallClock.now
            let json = try await sendAsApp(.renew) {
                FaceRenewRequest(appToken: $0, refreshToken: access.grant.refreshToken).json
            }
            let renewed = FaceMemory.Access(try read(json, FaceRenewResponse.init).grant, at: asked)
            guard remembered().access == access else {
                // The person logged out or in again while the server answered, so this access belongs to no login.
                _ = try? await sendAsApp(.logOut) {
                    FaceAccessRequest(appToken: $0, accessToken: renewed.grant.accessToken).json
                }
                throw BenjiError(.notAuthorized, "the access was ended while it was renewed")
            }
            change { $0.access = renewed }
            return .success(renewed)
        } catch {
            if [.refreshTokenInvalid, .notAuthorized].contains(error.situation) {
                forgetAccess(access.grant.accessToken)
            }
            if error.situation == .accountErased { change { $0 = FaceMemory() } }
            return .failure(error)
        }
    }

    func forgetAccess(_ token: String) {
        change { if $0.access?.grant.accessToken == token { $0.access = nil } }
    }

    func read<Message>(
        _ json: JSON, _ make: (JSON) throws(JSONError) -> Message
    ) throws(BenjiError) -> Message {
        do { return try make(json) } catch {
            throw BenjiError(.malformedResponse, "the server's answer: \(error)")
        }
    }
}
