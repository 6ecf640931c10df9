import BenjiFaceProtocol
import BenjiProtocol
import Testing

@Suite("Messages of face login") struct FaceMessageTests {
    private func reread(_ json: JSON) throws -> JSON { try JSON(parsing: json.serialized) }

    private func with(_ json: JSON, _ name: String = "later", _ value: JSON = 1) -> JSON {
        guard case .object(var members) = json else { return json }
        members.removeAll { $0.name == name }
        members.append(JSON.Member(name, value))
        return .object(members)
    }

    @Test("Every request survives its JSON")
    func requests() throws {
        #expect(try FaceAppTokenRequest(reread(FaceSamples.appTokenRequest.json)) == FaceSamples.appTokenRequest)
        #expect(try FaceBeginRequest(reread(FaceSamples.begin.json)) == FaceSamples.begin)
        #expect(try FaceConsentRequest(reread(FaceSamples.consent.json)) == FaceSamples.consent)
        #expect(try FaceChallengeRequest(reread(FaceSamples.challengeRequest.json)) == FaceSamples.challengeRequest)
        #expect(try FaceFinishRequest(reread(FaceSamples.finish.json)) == FaceSamples.finish)
        #expect(try FaceRenewRequest(reread(FaceSamples.renew.json)) == FaceSamples.renew)
        #expect(try FaceAccessRequest(reread(FaceSamples.accessRequest.json)) == FaceSamples.accessRequest)
        #expect(try FaceConfirmedRequest(reread(FaceSamples.confirmed.json)) == FaceSamples.confirmed)
        #expect(try FaceUpdateUIDRequest(reread(FaceSamples.updateUID.json)) == FaceSamples.updateUID)
        #expect(try FaceUpdateUserInfoRequest(reread(FaceSamples.updateUserInfo.json)) == FaceSamples.updateUserInfo)
        #expect(try FaceStateRequest(reread(FaceSamples.state.json)) == FaceSamples.state)
    }

    @Test("Every answer survives its JSON")
    func answers() throws {
        #expect(try FaceAppTokenResponse(reread(FaceSamples.appTokenResponse.json)) == FaceSamples.appTokenResponse)
        #expect(try FaceBeginResponse(reread(FaceSamples.begun.json)) == FaceSamples.begun)
        #expect(try FaceChallengeResponse(reread(FaceSamples.challenge.json)) == FaceSamples.challenge)
        for response in FaceSamples.framesResponses {
            #expect(try FaceFramesResponse(reread(response.json)) == response)
        }
        #expect(try FaceFinishResponse(reread(FaceSamples.finished.json)) == FaceSamples.finished)
        #expect(try FaceUserResponse(reread(FaceSamples.user.json)) == FaceSamples.user)
        var inGroups = FaceSamples.user
        inGroups.groups = FaceGroupStanding(isAgreed: true, names: ["员工", "staff"])
        #expect(try FaceUserResponse(reread(inGroups.json)) == inGroups)
        for flag in [true, false] {
            #expect(try FaceStateResponse(reread(FaceStateResponse(isAuthorized: flag).json)).isAuthorized == flag)
            let cancelled = FaceCancelResponse(isErased: flag, keptUntil: flag ? nil : Timestamp(milliseconds: 7))
            #expect(try FaceCancelResponse(reread(cancelled.json)) == cancelled)
        }
        let renewed = FaceRenewResponse(grant: FaceSamples.grant)
        #expect(try FaceRenewResponse(reread(renewed.json)) == renewed)
    }

    @Test("A session names an account in one way, never in none and never in two")
    func identity() throws {
        for identity in [
            FaceIdentity.oneTap(FaceSamples.oneTapToken), .remembered(FaceSamples.credential(.faceRemembered)),
            .access(FaceSamples.access),
        ] {
            var begin = FaceSamples.begin
            begin.identity = identity
            #expect(try FaceBeginRequest(begin.json).identity == identity)
        }
        #expect(throws: JSONError.self) { try FaceBeginRequest(with(FaceSamples.begin.json, "token", .null)) }
        #expect(throws: JSONError.self) {
            try FaceBeginRequest(with(FaceSamples.begin.json, "accessToken", .string(FaceSamples.access)))
        }
    }

    @Test("A search survives the wire, and its second factor is a token or a memory, never both")
    func search() throws {
        let begin = FaceSearchBeginRequest(appToken: FaceSamples.credential(.faceAppToken), group: "g")
        #expect(try FaceSearchBeginRequest(reread(begin.json)) == begin)
        let begun = FaceSearchBeginResponse(
            trace: FaceSamples.begun.trace, session: FaceSamples.begun.session, sessionLifetime: 600,
            terms: FaceTerms(version: "1", title: "t", url: "https://id.example/t"), nonce: FaceSamples.begun.nonce,
            serverTime: Timestamp(milliseconds: 5))
        #expect(try FaceSearchBeginResponse(reread(begun.json)) == begun)
        let search = FaceSearchRequest(session: begun.session)
        #expect(try FaceSearchRequest(reread(search.json)) == search)
        for candidate in ["open", nil] {
            let answer = FaceSearchResponse(trace: begun.trace, candidate: candidate)
            #expect(try FaceSearchResponse(reread(answer.json)) == answer)
        }
        for factor in [
            FaceIdentity.oneTap(FaceSamples.oneTapToken), .remembered(FaceSamples.credential(.faceRemembered)),
        ] {
            let finish = FaceFinishRequest(session: begun.session, groups: "consent", confirmation: factor)
            #expect(try FaceFinishRequest(reread(finish.json)) == finish)
        }
        let remembering = FaceFinishRequest(
            session: begun.session, confirmation: .remembered(FaceSamples.credential(.faceRemembered)))
        #expect(throws: JSONError.self) {
            try FaceFinishRequest(with(remembering.json, "token", .string(FaceSamples.oneTapToken)))
        }
    }

    @Test("Servers refuse members they do not know; phones ignore them")
    func unknownMembers() throws {
        #expect(throws: JSONError.self) { try FaceBeginRequest(with(FaceSamples.begin.json)) }
        #expect(throws: JSONError.self) { try FaceFinishRequest(with(FaceSamples.finish.json)) }
        #expect(throws: JSONError.self) {
            try FaceUpdateUserInfoRequest(
                with(FaceSamples.updateUserInfo.json, "userInfo", with(FaceSamples.info.json)))
        }
        #expect(throws: Never.self) { try FaceBeginResponse(with(FaceSamples.begun.json)) }
        #expect(throws: Never.self) {
            try FaceUserResponse(with(FaceSamples.user.json, "userInfo", with(FaceSamples.info.json)))
        }
    }

    @Test("A phone does not go on when something is asked of it that it does not know")
    func unknownDemands() {
        #expect(throws: JSONError.self) { try FaceBeginResponse(with(FaceSamples.begun.json, "needs", .array(["x"]))) }
        #expect(throws: JSONError.self) {
            try FaceFramesResponse(with(FaceSamples.framesResponses[0].json, "state", "perhaps"))
        }
    }

    @Test("A failure of a kind that a phone does not know is still a failure")
    func unknownFailure() throws {
        let answer = try FaceFramesResponse(with(FaceSamples.framesResponses[3].json, "situation", "moonlight"))
        guard case .failed(let failure) = answer else {
            Issue.record("not failed")
            return
        }
        #expect(failure.situation == .challengeFailed)
    }

    @Test("A picture or an object that is too large is refused")
    func sizes() {
        var finish = FaceSamples.finish
        finish.avatar = [UInt8](repeating: 7, count: FaceUserInfo.maximumAvatar + 1)
        #expect(throws: JSONError.self) { try FaceFinishRequest(finish.json) }
        finish.avatar?.removeLast()
        #expect(throws: Never.self) { try FaceFinishRequest(finish.json) }
        finish.userInfo?.other = .object(["x": .string(String(repeating: "y", count: 4100))])
        #expect(throws: JSONError.self) { try FaceFinishRequest(finish.json) }
    }

    @Test("Credentials are told apart by their prefixes")
    func grammars() {
        let grammars: [CredentialGrammar] = [
            .token, .scrip, .nonce, .faceAppToken, .faceSession, .faceChallenge, .faceAccess, .faceRefresh,
            .faceRemembered, .faceCode,
        ]
        for grammar in grammars {
            let matching = grammars.filter { $0.matches(FaceSamples.credential(grammar)) }
            #expect(matching == [grammar], "\(grammar.prefix)")
        }
    }

    @Test("Nothing that prints or dumps a message shows what it holds")
    func descriptions() {
        let messages: [Any] = [
            FaceSamples.appTokenRequest, FaceSamples.appTokenResponse, FaceSamples.begin, FaceSamples.begun,
            FaceSamples.consent, FaceSamples.challengeRequest, FaceSamples.challenge, FaceSamples.frames,
            FaceSamples.frames.frames[0], FaceSamples.attributes, FaceSamples.framesResponses[2], FaceSamples.finish,
            FaceSamples.finished,
            FaceSamples.renew, FaceSamples.accessRequest, FaceSamples.updateUID, FaceSamples.updateUserInfo,
            FaceSamples.state, FaceSamples.user, FaceSamples.info, FaceSamples.grant, FaceSamples.begin.identity,
            FaceRenewResponse(grant: FaceSamples.grant),
        ]
        for message in messages {
            var text = "\(message) \(String(reflecting: message)) \([message])"
            dump(message, to: &text)
            for secret in ["qqq", "13800000000", "138****", "林小满", "26.85", "u-1", "a.b.c", FaceSamples.oneTapToken] {
                #expect(!text.contains(secret), "\(type(of: message)): \(secret)")
            }
        }
    }
}
