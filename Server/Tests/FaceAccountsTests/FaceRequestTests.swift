import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

@Suite("What each request of face login takes, and what it refuses") struct FaceRequestTests {
    /// Another app of the same company, with face login.
    private func otherApp(_ world: FaceWorld) async throws -> RegisteredApp {
        var registration = Apps.Registration(name: "Other")
        registration.bundleIDs = [AuthorityWorld.bundle]
        registration.capabilities = [.face]
        registration.serverAddresses = ["203.0.113.0/24"]
        return try await world.world.authority.apps.register(registration)
    }

    private func begin(
        _ world: FaceWorld, _ purpose: FacePurpose, _ identity: FaceIdentity, uid: String? = nil,
        appToken: String? = nil
    ) async throws -> Situation? {
        let appToken = if let appToken { appToken } else { try await world.appToken() }
        return try await refusal {
            _ = try await world.faces.begin(
                FaceBeginRequest(appToken: appToken, purpose: purpose, identity: identity, uid: uid, language: "en"),
                from: try world.world.call())
        }
    }

    @Test(
        "A login takes a one-tap token or a remembered account, anything else an access token, and only a binding a uid"
    )
    func parameters() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let (access, remembered) = (FaceIdentity.access(login.grant.accessToken), login.remembered)
            let tap = FaceIdentity.oneTap(try await world.token())
            for (purpose, identity, uid, expected) in [
                (.login, .remembered(remembered), "u", .parameterInvalid), (.verify, access, "u", .parameterInvalid),
                (.attributes, access, "u", .parameterInvalid), (.bind, .remembered(remembered), nil, .uidMissing),
                (.verify, tap, nil, .parameterInvalid), (.attributes, tap, nil, .parameterInvalid),
                (.verify, .remembered(remembered), nil, .parameterInvalid),
                (.attributes, .remembered(remembered), nil, .parameterInvalid),
                (.login, access, nil, .parameterInvalid), (.bind, access, "u", .parameterInvalid),
                (.verify, access, nil, nil), (.attributes, access, nil, nil), (.login, tap, nil, nil),
                (.bind, .remembered(remembered), "u", nil),
            ] as [(FacePurpose, FaceIdentity, String?, Situation?)] {
                let found = try await begin(world, purpose, identity, uid: uid)
                #expect(found == expected, "\(purpose) \(identity) \(uid ?? "")")
            }
        }
    }

    @Test(
        "Without an authorised account attributes have a refusal of their own, and an expired token has its usual one")
    func accessOfPurposes() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let unknown = CredentialGrammar.faceAccess.make(random: SystemRandomSource())
            #expect(try await begin(world, .verify, .access(unknown)) == .accessTokenInvalid)
            #expect(try await begin(world, .attributes, .access(unknown)) == .attributesDenied)
            world.world.clock.advance(by: .seconds(login.grant.accessTokenLifetime - 1))
            for purpose in [FacePurpose.verify, .attributes] {
                #expect(try await begin(world, purpose, .access(login.grant.accessToken)) == nil)
            }
            world.world.clock.advance(by: .seconds(1))
            for purpose in [FacePurpose.verify, .attributes] {
                #expect(try await begin(world, purpose, .access(login.grant.accessToken)) == .accessTokenExpired)
            }
            try await world.authorizeOtherApp()
            let renewed = try await world.renewed(login.grant).accessToken
            let cancelled = try await world.faces.cancel(try await world.access(renewed), from: try world.world.call())
            #expect(!cancelled.isErased && cancelled.keptUntil == nil, "another app knows the account")
            #expect(try await begin(world, .verify, .access(renewed)) == .notAuthorized)
            #expect(try await begin(world, .attributes, .access(renewed)) == .attributesDenied)
        }
    }

    @Test("A secret of one kind is none of another, also when what it was of has ended")
    func kinds() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let login = try await world.logIn(first.remembered)
            let server = try await world.faces.exchangeCode(first.authorizationCode, for: world.serverCall())
            let secrets = [
                "access": login.grant.accessToken, "refresh": login.grant.refreshToken,
                "remembered": login.remembered, "code": login.authorizationCode, "server": server.accessToken,
            ]
            func refusals(of kind: String) async throws -> [String: Situation?] {
                var found: [String: Situation?] = [:]
                for (name, secret) in secrets where name != kind {
                    found[name] = try await refusal {
                        switch kind {
                        case "access": _ = try await world.user(secret)
                        case "refresh":
                            _ = try await world.faces.renew(
                                FaceRenewRequest(appToken: try await world.appToken(), refreshToken: secret),
                                from: try world.world.call())
                        case "remembered": _ = try await world.begin(.login, .remembered(secret))
                        case "code": _ = try await world.faces.exchangeCode(secret, for: world.serverCall())
                        default: _ = try await world.faces.user(secret, for: world.serverCall())
                        }
                    }
                }
                return found
            }
            for isErased in [false, true] {
                if isErased {
                    _ = try await world.faces.erase(
                        try await world.confirmed(login.grant.accessToken), from: try world.world.call())
                }
                for (kind, expected) in [
                    ("access", .accessTokenInvalid), ("refresh", .refreshTokenInvalid),
                    ("remembered", .rememberedAccountInvalid), ("code", .tokenUnknown),
                    ("server", .accessTokenInvalid),
                ] as [(String, Situation)] {
                    let found = try await refusals(of: kind)
                    #expect(found.count == 4 && found.values.allSatisfy { $0 == expected }, "\(kind): \(found)")
                }
            }
            #expect(
                try await refusal { _ = try await world.user(login.grant.accessToken) } == .accountErased)
            #expect(
                try await refusal { _ = try await world.begin(.login, .remembered(login.remembered)) }
                    == .accountErased)
        }
    }

    @Test("A memory of an account holds for a year after it was given, to the last second")
    func remembered() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            world.world.clock.advance(by: .seconds(365 * 86_400 - 1))
            #expect(try await begin(world, .login, .remembered(login.remembered)) == nil)
            world.world.clock.advance(by: .seconds(1))
            #expect(try await begin(world, .login, .remembered(login.remembered)) == .rememberedAccountInvalid)
        }
    }

    @Test("A token of a login that was ended says so, and once the authorisation is cancelled that it was")
    func endedTokens() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let login = try await world.logIn(first.remembered)
            func answer() async throws -> String {
                do {
                    _ = try await world.user(login.grant.accessToken)
                    return "success"
                } catch let refusal as Refusal { return "\(refusal.situation.rawValue): \(refusal.detail)" }
            }
            #expect(try await answer() == "success")
            try await world.faces.logOut(try await world.access(login.grant.accessToken), from: try world.world.call())
            #expect(try await answer() == "access_token_invalid: the access token was ended")
            try await world.authorizeOtherApp()
            _ = try await world.faces.cancel(
                try await world.access(first.grant.accessToken), from: try world.world.call())
            #expect(try await answer() == "not_authorized: the authorisation was cancelled")
        }
    }

    @Test("What one app was given is worth nothing in another on the same phone, also when it has ended")
    func otherApps() async throws {
        try await withFaceWorld { world in
            let other = try await otherApp(world)
            let tap = try await world.token()
            let first = try await world.enrol()
            let server = try await world.faces.exchangeCode(first.authorizationCode, for: world.serverCall())
            let login = try await world.logIn(first.remembered)
            let theirs = try await world.appToken(other)
            for isErased in [false, true] {
                if isErased {
                    _ = try await world.faces.erase(
                        try await world.confirmed(login.grant.accessToken), from: try world.world.call())
                }
                let access = FaceAccessRequest(appToken: theirs, accessToken: login.grant.accessToken)
                #expect(
                    try await refusal { _ = try await world.faces.user(access, from: try world.world.call()) }
                        == .accessTokenInvalid)
                #expect(
                    try await begin(world, .login, .remembered(login.remembered), appToken: theirs)
                        == .rememberedAccountInvalid)
                #expect(
                    try await refusal {
                        _ = try await world.faces.user(server.accessToken, for: world.serverCall(other))
                    } == .accessTokenInvalid)
                #expect(
                    try await refusal {
                        _ = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall(other))
                    } == .tokenUnknown)
                #expect(try await begin(world, .login, .oneTap(tap), appToken: theirs) == .tokenUnknown)
            }
            #expect(try await begin(world, .login, .oneTap(tap)) == nil, "it stayed its own app's")
        }
    }

    @Test(
        "A proof that is too old, a proof shown again and an app whose grant was taken back are refused at each request"
    )
    func everyRequest() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let access = try await world.access(login.grant.accessToken)
            let call = try world.world.call()
            _ = try await world.faces.user(access, from: call)
            #expect(try await refusal { _ = try await world.faces.user(access, from: call) } == .proofReplayed)
            let token = try world.world.call()
            _ = try await world.appTokenResponse(token)
            #expect(try await refusal { _ = try await world.appTokenResponse(token) } == .proofReplayed)
            let (old, older) = (try world.world.call(), try world.world.call())
            world.world.clock.advance(by: DeviceProof.maximumAge)
            _ = try await world.faces.user(access, from: old)
            world.world.clock.advance(by: .seconds(1))
            #expect(try await refusal { _ = try await world.faces.user(access, from: older) } == .clockSkew)
            #expect(try await refusal { _ = try await world.appTokenResponse(older) } == .clockSkew)
            _ = try await world.accounts.opt(world.app.record.id, in: nil, by: .test)
            #expect(
                try await refusal { _ = try await world.faces.user(access, from: try world.world.call()) }
                    == .capabilityMissing)
        }
    }

    @Test(
        "An app token is of a kind by what is known of its holder, and above an address's budget of no better one"
    )
    func kindsOfAppTokens() async throws {
        let configured: (inout FaceProvider.Configuration) -> Void = { $0.addressAppTokens = 1 }
        try await withFaceWorld(configured: configured) { world in
            let address = FaceGuestTests.address
            _ = try await world.enrol()
            func get(_ key: SoftwareDeviceSigner, attested: Bool = false) async throws -> FaceAppTokens.Kind? {
                let answer = try await world.appTokenResponse(try world.call(at: address, of: key, attested: attested))
                let kind = world.faces.appTokens.kind(
                    of: .init(app: world.app.record.id, deviceKey: key.publicKey.thumbprint), now: world.world.clock.now
                )
                #expect(answer.appTokenLifetime == (kind == .brief ? 600 : 7200))
                return kind
            }
            let (attested, first, late) = (SoftwareDeviceSigner(), SoftwareDeviceSigner(), SoftwareDeviceSigner())
            #expect(try await get(attested, attested: true) == .own)
            #expect(try await get(first) == .shared)
            // The address has used up what it may.
            #expect(try await get(world.phone) == .own, "its install has an account")
            #expect(try await get(late) == .brief)
            #expect(try await get(late) == .brief)
            #expect(try await get(first) == .shared)
            #expect(try await get(attested) == .shared, "it proves less this time")
            #expect(try await get(attested) == .shared)
            #expect(try await get(attested, attested: true) == .own)
        }
    }

    @Test("Questions of one install are limited over all its app tokens")
    func questions() async throws {
        let configured: (inout FaceProvider.Configuration) -> Void = { $0.questions = 2 }
        try await withFaceWorld(configured: configured) { world async throws in
            func ask() async throws -> Situation? {
                let token = try await world.appToken()
                return try await refusal {
                    _ = try await world.faces.state(
                        FaceStateRequest(appToken: token, uid: "u"), from: try world.world.call())
                }
            }
            for expected in [nil, nil, .tooManyRequests] as [Situation?] { #expect(try await ask() == expected) }
        }
    }

    @Test("A new account needs a name and may have a JPEG; an account that is there takes neither")
    func profile() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            let picture: [UInt8] = [0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 0xff, 0xd9]
            for (name, avatar, expected) in [
                (nil, nil, .faceSessionIncomplete), (nil, picture, .faceSessionIncomplete),
                ("", nil, .parameterInvalid), (" \u{3000}\t", nil, .parameterInvalid),
                ("林小满", [1, 2, 3], .pictureInvalid),
            ] as [(String?, [UInt8]?, Situation)] {
                let found = try await refusal { _ = try await world.finish(begun, name: name, avatar: avatar) }
                #expect(found == expected, "\(name ?? "no name")")
            }
            let login = try await world.finish(begun, name: " 林小满", avatar: picture)
            #expect(login.userInfo.name == " 林小满" && login.userInfo.avatar == "data:image/jpeg;base64,/9j/2gACAf/Z")
            let again = try await world.begin(.login, .remembered(login.remembered))
            try await world.show(FaceWorld.owner, in: again.session)
            for (name, avatar) in [("林", nil), (nil, picture), ("林", picture)] as [(String?, [UInt8]?)] {
                let found = try await refusal { _ = try await world.finish(again, name: name, avatar: avatar) }
                #expect(found == .parameterInvalid)
            }
            #expect(try await world.finish(again).userInfo.name == " 林小满")
        }
    }

    @Test("A session that is no login is not finished, and an enrolment not after its SIM was replaced")
    func finishing() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            world.world.clock.advance(by: .seconds(1))
            let sim = try await world.replaceSIM()
            let late = try await refusal { _ = try await world.finish(begun, name: "林小满") }
            #expect(late == .subscriptionChanged)
            #expect(try await world.accounts.counts().accounts == 0)
            let again = try await world.begin(.login, .oneTap(try await world.token(by: sim)))
            try await world.agree(again)
            try await world.show(FaceWorld.owner, in: again.session)
            let login = try await world.finish(again, name: "林小满")
            for purpose in [FacePurpose.verify, .attributes] {
                let open = try await world.begin(purpose, .access(login.grant.accessToken))
                #expect(try await refusal { _ = try await world.finish(open) } == .parameterInvalid)
                guard case .passed = try await world.show(FaceWorld.owner, in: open.session) else {
                    Issue.record("the session did not go on")
                    return
                }
            }
        }
    }

    @Test("A consent is to this app, session, nonce, text and version, and nobody else's is taken for it")
    func consents() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            let changes: [(String, (inout ConsentRecord) -> Void)] = [
                ("app", { $0.appID = AppID(rawValue: "300000000099")! }),
                ("trace", { $0.trace = TraceID(random: SystemRandomSource()) }),
                ("session", { $0.scripHash = ConsentRecord.hash(of: "another") }),
                ("nonce", { $0.nonceHash = ConsentRecord.hash(of: "another") }),
                ("digest", { $0.contentDigest = ConsentRecord.hash(of: "another") }),
                (
                    "version",
                    {
                        $0.content.policyVersion = "6"
                        $0.contentDigest = $0.content.digest
                    }
                ),
            ]
            for (name, change) in changes {
                let text = try world.consent(to: begun, change)
                let found = try await refusal {
                    try await world.faces.consent(
                        FaceConsentRequest(session: begun.session, consent: text), from: try world.world.call())
                }
                #expect(found == .consentInvalid, "another \(name)")
            }
            try await world.agree(begun)
        }
    }

    @Test("Each yes is kept as evidence when the login is: to the face, to the app, and to its groups")
    func evidence() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            let before = try await world.world.count("consent")
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            #expect(try await world.world.count("consent") == before)
            let login = try await world.finishAgreeing(begun, name: "林小满")
            #expect(try await world.world.count("consent") == before + 3)
            _ = try await world.logIn(login.remembered)
            #expect(try await world.world.count("consent") == before + 3)
        }
    }

    @Test("The app's server is told why a code or a token buys nothing: cancelled, frozen, another SIM")
    func server() async throws {
        try await withFaceWorld { world in
            let login = try await world.enrol()
            let server = try await world.faces.exchangeCode(login.authorizationCode, for: world.serverCall())
            func exchange(_ code: String) async throws -> Situation? {
                try await refusal { _ = try await world.faces.exchangeCode(code, for: world.serverCall()) }
            }
            func ask() async throws -> Situation? {
                try await refusal { _ = try await world.faces.user(server.accessToken, for: world.serverCall()) }
            }
            let second = try await world.logIn(login.remembered)
            _ = try await world.accounts.setFrozen(true, AuthorityWorld.number)
            #expect(try await exchange(second.authorizationCode) == .accountFrozen)
            #expect(try await ask() == .accountFrozen)
            _ = try await world.accounts.setFrozen(false, AuthorityWorld.number)
            #expect(try await ask() == nil)
            try await world.authorizeOtherApp()
            _ = try await world.faces.cancel(
                try await world.access(second.grant.accessToken), from: try world.world.call())
            #expect(try await exchange(second.authorizationCode) == .notAuthorized)
            #expect(try await ask() == .accessTokenInvalid)
        }
    }

    @Test("A server's call needs a time and the capability that it is about")
    func serverCalls() async throws {
        try await withFaceWorld { world in
            var call = world.serverCall()
            try await world.faces.admit(call, name: "a")
            #expect(try await refusal { try await world.faces.admit(call, name: "a") } == .messageReplayed)
            #expect(
                try await refusal { try await world.faces.admit(call, needs: .faceGroups, name: "b") }
                    == .capabilityMissing)
            call.sentAt = nil
            #expect(try await refusal { try await world.faces.admit(call, name: "c") } == .timestampInvalid)
        }
    }
}
