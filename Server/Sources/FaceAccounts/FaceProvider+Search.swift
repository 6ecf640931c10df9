import Authority
package import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
package import Requests
import Store
import Synchronization

/// Looking for a face in one group of an app, among people who have authorised the app and agreed to being found there.
///
/// A find is no login: the session has no subscription, and without one nothing is issued. It gets one from a second
/// factor of the very account that was found (``confirmed(_:_:app:device:)``), in the request that finishes it.
extension FaceProvider {
    package func searchBegin(
        _ request: FaceSearchBeginRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceSearchBeginResponse {
        let app = try await admit(device, appToken: request.appToken).record
        try checkGroups(of: app)
        let known = try await stored { () async throws(StoreError) in
            try await store.faceGroup(request.group, app: app.id)
        }
        guard known != nil else { throw failure(.groupUnknown, "$.group: the app has no such group") }
        // A session is one search. Counted here, because these sessions take no token.
        try await count(device, by: searchBudget, appToken: request.appToken, app: app.id)
        let secret = CredentialGrammar.faceSession.make(random: random)
        let nonce = CredentialGrammar.nonce.make(random: random)
        let session = FaceSession(
            appID: app.id, deviceKey: device.proof.key.thumbprint, trace: TraceID(at: now, random: random),
            purpose: .login,
            nonceHash: ConsentRecord.hash(of: nonce), expiresAt: now + .seconds(Lifetime.session), subscription: nil,
            needs: [.consent, .face], search: FaceSearch(group: request.group), attemptsLeft: configuration.attempts)
        guard sessions.insert(session, secret, now: now) else {
            throw failure(.overloaded, "too many face sessions at once; try again")
        }
        await record(session, secret, .authority, "face.search", "begun")
        return FaceSearchBeginResponse(
            trace: session.trace, session: secret, sessionLifetime: Lifetime.session, terms: configuration.terms,
            nonce: nonce, serverTime: authority.clock.now)
    }

    package func search(
        _ request: FaceSearchRequest, from device: DeviceCall
    ) async throws(Refusal) -> FaceSearchResponse {
        let (session, app) = try await open(request.session, device: device)
        guard let search = session.search else {
            throw failure(.parameterInvalid, "$.session: is no search", trace: session.trace)
        }
        try checkGroups(of: app)
        // A face is proven only after the consent.
        guard let proof = session.proof else {
            throw failure(.faceSessionIncomplete, "consent or challenge is missing", trace: session.trace)
        }
        // Check this before the session's only search is spent.
        let limit = configuration.searchesAtOnce
        let mayEnter = searching.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard mayEnter else {
            throw failure(.overloaded, "too many searches at once; try again", trace: session.trace)
        }
        defer { searching.withLock { $0 -= 1 } }
        // Count against the app's limit only after a passed challenge; abandoned sessions cost nothing.
        guard appSearches.admits(session.appID.rawValue, now: now) else {
            throw failure(.tooManyRequests, "too many searches of this app; try again later", trace: session.trace)
        }
        let isFirst = sessions.change(request.session) { session -> Bool in
            guard session.search?.isOver == false else { return false }
            session.search?.isOver = true
            return true
        }
        guard isFirst == true else {
            throw failure(.faceSessionInvalid, "the session has searched; begin again", trace: session.trace)
        }
        let people = try await searchable(search.group, app: session.appID, trace: session.trace)
        let candidate = people.only(proof.embedding, policy: challenges.policy)?.id
        _ = sessions.change(request.session) { $0.search?.candidate = candidate }
        await record(
            session, request.session, .authority, "face.search",
            "\(people.count) people, \(candidate == nil ? "nobody" : "one") found")
        return FaceSearchResponse(trace: session.trace, candidate: candidate?.openID)
    }

    /// Takes the person out of the app's groups and their yes back. Another person's login is not touched.
    package func leaveGroups(_ request: FaceAccessRequest, from device: DeviceCall) async throws(Refusal) {
        let app = try await admit(device, appToken: request.appToken).record
        _ = try await deciding(request.accessToken, app: app, device: device) {
            holding throws(Refusal) -> Void? in
            let isLeft = try await stored { () async throws(StoreError) in
                try await store.leaveFaceGroups(
                    account: holding.account.id, app: app.id, revision: holding.binding.revision)
            }
            return isLeft ? () : nil
        }
    }

    private func checkGroups(of app: AppRecord) throws(Refusal) {
        guard app.capabilities.contains(.faceGroups) else {
            throw failure(.capabilityMissing, "the app has no groups; see: benji app face set --groups")
        }
    }

    /// A group's people who may be found: they agreed to it, and to the present terms.
    private func searchable(
        _ group: String, app: AppID, trace: TraceID
    ) async throws(Refusal) -> FaceGallery<FaceSearch.Candidate> {
        let members = try await stored(trace: trace) { () async throws(StoreError) in
            try await store.faceGroupMembers(group, app: app)
        }
        var gallery = FaceGallery<FaceSearch.Candidate>()
        for member in members where isSearchable(member) {
            do {
                let key = try AccountKey(
                    member.sealedKey, subscription: member.subscription, epoch: member.epoch, vault: authority.vault)
                gallery.add(
                    try FaceTemplate.open(member.sealedTemplate, under: key),
                    id: FaceSearch.Candidate(account: member.account, openID: member.openID))
            } catch { throw failure(opening: "an account's template does not open", error, trace: trace) }
        }
        return gallery
    }

    private func isSearchable(_ member: FaceGroupMember) -> Bool {
        member.groupsAgreedAt != nil && member.terms == configuration.terms.version
    }

    /// The session, with whose it is. A search learns that here and nowhere else: by a one-tap token or what the
    /// install remembers, of the account that was found.
    func confirmed(
        _ session: FaceSession, _ request: FaceFinishRequest, app: AppRecord, device: DeviceCall
    ) async throws(Refusal) -> FaceSession {
        guard let search = session.search else {
            guard request.confirmation == nil else {
                throw failure(.parameterInvalid, "$.token: the session began with whose face it is")
            }
            return session
        }
        guard let candidate = search.candidate else {
            throw failure(.faceSessionIncomplete, "the search has found nobody")
        }
        try checkGroups(of: app)
        let person: Person
        switch request.confirmation {
        case .oneTap(let token): person = try await holder(ofNumberBehind: token, app: app, device: device)
        case .remembered(let secret): person = try await holder(remembered: secret, app: app, device: device)
        case .access, nil:
            throw failure(
                .faceSessionIncomplete, "$.token: missing; a face that was found among many is never the only factor")
        }
        guard let account = person.account, account.id == candidate.account else {
            // End the session, so that one find cannot be tried with one account after another.
            sessions.end(request.session)
            throw failure(.faceDiffers, "the second factor is another account's")
        }
        guard !account.isFrozen else { throw frozen(account) }
        let (member, binding) = try await stored { () async throws(StoreError) in
            (
                try await store.faceGroupMember(account.id, of: search.group, app: app.id),
                try await store.faceBinding(account: account.id, app: app.id)
            )
        }
        guard let member, let binding, isSearchable(member) else {
            throw failure(.notAuthorized, "the person has left the group meanwhile")
        }
        var session = session
        session.subscription = person.subscription.reference
        session.account = account.id
        session.binding = binding
        try await compare(session, request.session)
        return session
    }

    /// Compares the face with the account that was found, and counts it, as in every other login. A search only names a
    /// candidate, under another threshold. An account with too many mismatches stays closed to a search too.
    private func compare(_ session: FaceSession, _ secret: String) async throws(Refusal) {
        do throws(Refusal) {
            guard let proof = session.proof else {
                throw failure(.faceSessionIncomplete, "consent or challenge is missing")
            }
            let (template, _) = try await comparable(session)
            guard try await isAlike(proof.isAlike(to: template, by: challenges.policy), session) else {
                throw failure(.faceDiffers, "the face is not the account's that was found")
            }
        } catch {
            sessions.end(secret)
            throw error
        }
    }
}
