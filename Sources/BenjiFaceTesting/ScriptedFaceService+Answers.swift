import BenjiClient
import BenjiFaceProtocol
import BenjiProtocol

extension ScriptedFaceService {
    func answer(_ path: FacePath, _ body: [UInt8]) throws -> JSON {
        if path == .frames { return try frames(FaceFramesRequest(body)).json }
        let json = try JSON(parsing: body)
        switch path {
        case .appToken: return appToken(try FaceAppTokenRequest(json)).json
        case .begin: return try begin(FaceBeginRequest(json)).json
        case .consent:
            let request = try FaceConsentRequest(json)
            try edit(request.session) { $0.needs.removeAll { $0 == .consent } }
            consents.append(request.consent)
            return Self.success
        case .searchBegin: return try beginSearch(FaceSearchBeginRequest(json)).json
        case .search: return try search(FaceSearchRequest(json)).json
        case .challenge: return try challenge(FaceChallengeRequest(json)).json
        case .finish: return try finish(FaceFinishRequest(json)).json
        case .renew: return try renew(FaceRenewRequest(json)).json
        case .state:
            let request = try FaceStateRequest(json)
            try check(appToken: request.appToken)
            return FaceStateResponse(isAuthorized: account?.isAuthorized == true && account?.uid == request.uid).json
        case .updateUID:
            let request = try FaceUpdateUIDRequest(json)
            try check(request.appToken, request.accessToken)
            try checkConfirmed(request.token)
            guard !takenUIDs.contains(request.uid) else { throw Refusal(.uidTaken) }
            account?.uid = request.uid
            account?.isRandomUID = false
            return Self.success
        case .updateUserInfo:
            let request = try FaceUpdateUserInfoRequest(json)
            try check(request.appToken, request.accessToken)
            account?.email = request.userInfo.email
            account?.other = request.userInfo.other
            return Self.success
        case .freeze, .erase:
            let request = try FaceConfirmedRequest(json)
            try check(request.appToken, request.accessToken)
            try checkConfirmed(request.token)
            return try account(
                path, FaceAccessRequest(appToken: request.appToken, accessToken: request.accessToken))
        case .frames, .user, .logOut, .cancel, .leaveGroups:
            return try account(path, FaceAccessRequest(json))
        }
    }

    private static var success: JSON { .object(["code": "success"]) }

    // MARK: tokens

    private func appToken(_ request: FaceAppTokenRequest) -> FaceAppTokenResponse {
        let token = CredentialGrammar.faceAppToken.make(random: random)
        appTokens[token] = timer.elapsed() + .seconds(lifetimes.app)
        return FaceAppTokenResponse(
            appToken: token, appTokenLifetime: lifetimes.app, attributes: [.smiling, .male, .age],
            serverTime: SystemWallClock().now)
    }

    private func check(appToken: String) throws {
        guard let end = appTokens[appToken], timer.elapsed() < end else { throw Refusal(.appTokenInvalid) }
    }

    private func check(_ appToken: String, _ accessToken: String) throws {
        try check(appToken: appToken)
        guard let end = access[accessToken] else { throw Refusal(.accessTokenInvalid) }
        guard timer.elapsed() < end else { throw Refusal(.accessTokenExpired) }
        guard account?.isFrozen != true else { throw Refusal(.accountFrozen) }
    }

    /// The face was passed within five minutes, or a one-tap token is there.
    private func checkConfirmed(_ token: String?) throws {
        guard token != nil || passedAt.map({ timer.elapsed() - $0 <= .seconds(300) }) == true else {
            throw Refusal(.confirmationNeeded)
        }
    }

    private func grant() -> FaceGrant {
        let grant = FaceGrant(
            accessToken: CredentialGrammar.faceAccess.make(random: random), accessTokenLifetime: lifetimes.access,
            refreshToken: CredentialGrammar.faceRefresh.make(random: random), refreshTokenLifetime: lifetimes.refresh)
        access[grant.accessToken] = timer.elapsed() + .seconds(lifetimes.access)
        refresh[grant.refreshToken] = timer.elapsed() + .seconds(lifetimes.refresh)
        return grant
    }

    private func renew(_ request: FaceRenewRequest) throws -> FaceRenewResponse {
        try check(appToken: request.appToken)
        if spentRefresh.contains(request.refreshToken) {
            // Shown twice: somebody has a copy.
            (access, refresh) = ([:], [:])
        }
        guard let end = refresh.removeValue(forKey: request.refreshToken), timer.elapsed() < end else {
            throw Refusal(.refreshTokenInvalid)
        }
        spentRefresh.insert(request.refreshToken)
        return FaceRenewResponse(grant: grant())
    }

    // MARK: a session

    private func begin(_ request: FaceBeginRequest) throws -> FaceBeginResponse {
        try check(appToken: request.appToken)
        switch request.identity {
        case .oneTap: break
        case .remembered(let text):
            guard account != nil, remembered.contains(text) else { throw Refusal(.rememberedAccountInvalid) }
        case .access(let text): try check(request.appToken, text)
        }
        guard account?.isFrozen != true else { throw Refusal(.accountFrozen) }
        if request.purpose == .bind, request.uid == nil { throw Refusal(.uidMissing) }
        if let phone = request.phone, phone != number { throw Refusal(.numberDiffers) }
        if let uid = request.uid {
            guard !takenUIDs.contains(uid) else { throw Refusal(.uidTaken) }
            if let own = account?.uid, own != uid, account?.isRandomUID == false {
                throw Refusal(.accountBoundElsewhere)
            }
        }
        var needs: [FaceNeed] = account?.hasFace == true ? [.face] : [.consent, .face]
        if account?.name == nil { needs.append(.profile) }
        if account?.isAuthorized != true { needs.append(.authorization) }
        if request.purpose == .verify || request.purpose == .attributes { needs = [.face] }
        let id = CredentialGrammar.faceSession.make(random: random)
        session = Session(
            id: id, purpose: request.purpose, uid: request.uid, needs: needs, attemptsLeft: attempts)
        return FaceBeginResponse(
            trace: TraceID(random: random), session: id, sessionLifetime: 600, isNewAccount: account == nil,
            maskedNumber: mask, needs: needs,
            terms: needs.contains(.consent) ? Self.terms : nil,
            authorization: needs.contains(.authorization)
                ? FaceAuthorization(version: "app-1", appName: "示例应用") : nil,
            groups: !groups.isEmpty && [.login, .bind].contains(request.purpose) && account?.joinsGroups != true
                ? FaceAuthorization(version: "groups-1", appName: "示例应用") : nil,
            nonce: CredentialGrammar.nonce.make(random: random), serverTime: SystemWallClock().now)
    }

    private var mask: String { "\(number.prefix(3))****\(number.suffix(4))" }

    private func beginSearch(_ request: FaceSearchBeginRequest) throws -> FaceSearchBeginResponse {
        try check(appToken: request.appToken)
        guard !groups.isEmpty else { throw Refusal(.capabilityMissing) }
        guard groups[request.group] != nil else { throw Refusal(.groupUnknown) }
        let id = CredentialGrammar.faceSession.make(random: random)
        session = Session(
            id: id, purpose: nil, group: request.group, uid: nil, needs: [.consent, .face], attemptsLeft: attempts)
        return FaceSearchBeginResponse(
            trace: TraceID(random: random), session: id, sessionLifetime: 600, terms: Self.terms,
            nonce: CredentialGrammar.nonce.make(random: random), serverTime: SystemWallClock().now)
    }

    private func search(_ request: FaceSearchRequest) throws -> FaceSearchResponse {
        guard let open = session, open.id == request.session else { throw Refusal(.faceSessionInvalid) }
        guard let group = open.group else { throw Refusal(.parameterInvalid) }
        guard open.needs.isEmpty else { throw Refusal(.faceSessionIncomplete) }
        session = nil
        return FaceSearchResponse(trace: TraceID(random: random), candidate: groups[group] ?? nil)
    }

    private static let terms = FaceTerms(version: "face-1", title: "《人脸信息处理规则》", url: "https://app.example/face")

    private func edit(_ id: String, _ change: (inout Session) throws -> Void) throws {
        guard var open = session, open.id == id else { throw Refusal(.faceSessionInvalid) }
        try change(&open)
        session = open
    }

    private func challenge(_ request: FaceChallengeRequest) throws -> FaceChallengeResponse {
        let id = CredentialGrammar.faceChallenge.make(random: random)
        let play = plays.isEmpty ? Play.passes : plays.removeFirst()
        try edit(request.session) { open in
            guard !open.needs.contains(.consent) else { throw Refusal(.consentMissing) }
            guard open.attemptsLeft > 0 else { throw Refusal(.challengeFailed) }
            open.attemptsLeft -= 1
            (open.challenge, open.play, open.done) = (id, play, 0)
        }
        return FaceChallengeResponse(
            challenge: id, step: progress(0), lifetime: 60, pace: 125, framesPerRequest: 8, bytesPerFrame: 1 << 19,
            attemptsLeft: session?.attemptsLeft ?? 0)
    }

    private static let prompts = ["look_straight", "turn_left", "blink"]

    private func progress(_ done: Int64, hint: String? = nil) -> FaceProgress {
        FaceProgress(
            prompt: Self.prompts[min(Int(done), Self.prompts.count - 1)], hint: hint, done: done,
            count: Int64(Self.prompts.count))
    }

    private func frames(_ request: FaceFramesRequest) throws -> FaceFramesResponse {
        pictures += request.frames
        var response = FaceFramesResponse.more(progress(0))
        let measured = attributes
        let now = timer.elapsed()
        try edit(request.session) { open in
            guard open.challenge == request.challenge else { throw Refusal(.challengeInvalid) }
            switch open.play {
            case .asksForMore(let hint): response = .more(progress(open.done, hint: hint))
            case .fails(let situation, let sentence):
                open.challenge = nil
                response = .failed(
                    .init(situation: situation, sentence: sentence, attemptsLeft: open.attemptsLeft))
            case .passes:
                open.done += request.frames.isEmpty ? 0 : 1
                guard open.done >= Self.prompts.count else {
                    response = .more(progress(open.done))
                    return
                }
                open.challenge = nil
                open.needs.removeAll { $0 == .face }
                response = .passed(open.purpose == .attributes ? measured : nil)
            }
        }
        if case .passed(nil) = response { passedAt = now }
        return response
    }

    private func finish(_ request: FaceFinishRequest) throws -> FaceFinishResponse {
        guard let open = session, open.id == request.session else { throw Refusal(.faceSessionInvalid) }
        guard !open.needs.contains(.face), !open.needs.contains(.consent),
            !open.needs.contains(.profile) || request.name != nil,
            !open.needs.contains(.authorization) || request.authorization != nil
        else { throw Refusal(.faceSessionIncomplete) }
        session = nil
        if let authorization = request.authorization { consents.append(authorization) }
        var kept = account ?? Account()
        (kept.hasFace, kept.isAuthorized) = (true, true)
        if let groups = request.groups {
            consents.append(groups)
            kept.joinsGroups = true
        }
        (kept.name, kept.avatar) = (request.name ?? kept.name, request.avatar ?? kept.avatar)
        if let info = request.userInfo { (kept.email, kept.other) = (info.email, info.other) }
        if let uid = open.uid {
            (kept.uid, kept.isRandomUID) = (uid, false)
        } else if kept.uid == nil {
            (kept.uid, kept.isRandomUID) = (random.alphanumerics(22), true)
        }
        account = kept
        let memory = CredentialGrammar.faceRemembered.make(random: random)
        remembered = [memory]
        return FaceFinishResponse(
            trace: TraceID(random: random), grant: grant(), remembered: memory,
            authorizationCode: CredentialGrammar.faceCode.make(random: random), openID: "open-\(number.suffix(4))",
            uid: kept.uid ?? "", isRandomUID: kept.isRandomUID, userInfo: userInfo(kept))
    }

    private func userInfo(_ account: Account) -> FaceUserInfo {
        FaceUserInfo(
            name: account.name, email: account.email,
            avatar: account.avatar.map { "data:image/jpeg;base64,\($0.count)" }, phone: mask, other: account.other)
    }

    // MARK: an account

    private func account(_ path: FacePath, _ request: FaceAccessRequest) throws -> JSON {
        try check(request.appToken, request.accessToken)
        let kept = account ?? Account()
        switch path {
        case .user:
            return FaceUserResponse(
                openID: "open-\(number.suffix(4))", uid: kept.uid ?? "", isRandomUID: kept.isRandomUID,
                userInfo: userInfo(kept)
            ).json
        case .logOut: access[request.accessToken] = nil
        case .freeze: account?.isFrozen = true
        case .leaveGroups: account?.joinsGroups = false
        default:
            (account, access, refresh, remembered) = (nil, [:], [:], [])
            return FaceCancelResponse(isErased: true).json
        }
        return Self.success
    }
}
