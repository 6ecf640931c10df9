import BenjiFaceProtocol
import BenjiProtocol

/// One valid message of each kind, for tests to spoil.
enum FaceSamples {
    static func credential(_ grammar: CredentialGrammar) -> String {
        grammar.prefix + String(repeating: "q", count: grammar.length - grammar.prefix.utf8.count)
    }

    static let appID = AppID(rawValue: "300000000001")!
    static let trace = TraceID(rawValue: String(repeating: "0a", count: 16))!
    static let oneTapToken = "STsid" + String(repeating: "C", count: 51)
    static let appToken = credential(.faceAppToken)
    static let access = credential(.faceAccess)
    static let session = credential(.faceSession)
    static let info = FaceUserInfo(
        name: "林小满", email: "lin@example.com", avatar: "data:image/jpeg;base64,AAAA", phone: "13800000000",
        other: .object(["level": 3]))
    static let grant = FaceGrant(
        accessToken: access, accessTokenLifetime: 7200, refreshToken: credential(.faceRefresh),
        refreshTokenLifetime: 5_184_000)

    static let appTokenRequest = FaceAppTokenRequest(
        appID: appID, bundleID: "com.example.app", appKeyProof: String(repeating: "A", count: 43))
    static let appTokenResponse = FaceAppTokenResponse(
        appToken: appToken, appTokenLifetime: 7200, attributes: [.smiling, .mouthOpen],
        serverTime: Timestamp(milliseconds: 7))
    static let begin = FaceBeginRequest(
        appToken: appToken, purpose: .bind, identity: .oneTap(oneTapToken), uid: "u-1", phone: "13800000000",
        language: "zh-Hans")
    static let begun = FaceBeginResponse(
        trace: trace, session: session, sessionLifetime: 600, isNewAccount: true, maskedNumber: "138****0000",
        needs: FaceNeed.allCases, terms: FaceTerms(version: "1", title: "人脸", url: "https://id.example/face"),
        authorization: FaceAuthorization(version: "1", appName: "Shop"),
        nonce: "SNonc" + String(repeating: "b", count: 44),
        serverTime: Timestamp(milliseconds: 9))
    static let consent = FaceConsentRequest(session: session, consent: "a.b.c")
    static let challengeRequest = FaceChallengeRequest(session: session)
    static let step = FaceProgress(prompt: "turn_left", hint: "too_dark", done: 1, count: 3)
    static let challenge = FaceChallengeResponse(
        challenge: credential(.faceChallenge), step: step, lifetime: 60, pace: 125, framesPerRequest: 8,
        bytesPerFrame: 524_288, attemptsLeft: 2)
    static let frames = FaceFramesRequest(
        session: session, challenge: credential(.faceChallenge),
        frames: [.init(milliseconds: 0, picture: [1, 2, 3]), .init(milliseconds: 200, picture: [4])])
    static let attributes = FaceAttributeValues([(.age, .number("26.85")), (.blink, .object(["result": 0]))])
    static let framesResponses: [FaceFramesResponse] = [
        .more(step), .passed(nil), .passed(attributes),
        .failed(.init(situation: .faceDiffers, sentence: "other_person", attemptsLeft: 1)),
    ]
    static let finish = FaceFinishRequest(
        session: session, name: "林小满", avatar: [0xff, 0xd8], authorization: "d.e.f", userInfo: info)
    static let finished = FaceFinishResponse(
        trace: trace, grant: grant, remembered: credential(.faceRemembered),
        authorizationCode: credential(.faceCode), openID: "o", uid: "u-1", isRandomUID: false, userInfo: info)
    static let renew = FaceRenewRequest(appToken: appToken, refreshToken: credential(.faceRefresh))
    static let accessRequest = FaceAccessRequest(appToken: appToken, accessToken: access)
    static let confirmed = FaceConfirmedRequest(appToken: appToken, accessToken: access, token: credential(.token))
    static let updateUID = FaceUpdateUIDRequest(
        appToken: appToken, accessToken: access, uid: "u-2", token: credential(.token))
    static let updateUserInfo = FaceUpdateUserInfoRequest(appToken: appToken, accessToken: access, userInfo: info)
    static let state = FaceStateRequest(appToken: appToken, uid: "u-1")
    static let user = FaceUserResponse(
        openID: "o", uid: "u-1", isRandomUID: true, uidSince: Timestamp(milliseconds: 5), userInfo: info)
}
