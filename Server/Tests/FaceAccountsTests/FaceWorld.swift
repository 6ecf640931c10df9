import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
import Foundation
import ServerTestKit
import Store

@testable import Authority
@testable import FaceAccounts
@testable import Requests

/// An authority with face login, an app that has it, and phones whose owners' faces are numbers.
struct FaceWorld {
    static let terms = FaceTerms(version: "7", title: "人脸信息处理规则", url: "https://id.example/face")
    static let owner: UInt8 = 1
    static let stranger: UInt8 = 2

    let world: AuthorityWorld
    var faces: FaceProvider
    var accounts: FaceAccounts { FaceAccounts(authority: world.authority, store: world.store) }
    var app: RegisteredApp { world.app }
    var phone: SoftwareDeviceSigner { world.phone }

    init(
        unavailability: String? = nil, capabilities: Set<Capability> = [.login, .verification, .face],
        _ change: (inout FaceProvider.Configuration) -> Void = { _ in }
    ) async throws {
        try await self.init(
            capabilities: capabilities, analyzer: FakeAnalyzer(unavailability: unavailability), change
        ) { FakeChallenges(clock: $0, unavailability: unavailability) }
    }

    init(
        capabilities: Set<Capability> = [.login, .verification, .face], analyzer: any FaceAnalyzer,
        _ change: (inout FaceProvider.Configuration) -> Void = { _ in },
        challenges: (any WallClock) -> any FaceChallenging
    ) async throws {
        world = try await AuthorityWorld { $0.capabilities = capabilities }
        var configuration = FaceProvider.Configuration(terms: Self.terms)
        change(&configuration)
        faces = FaceProvider(
            configuration: configuration, authority: world.authority, store: world.store, analyzer: analyzer,
            challenges: challenges(world.clock))
    }

    /// Another process on the same store.
    func restarted() -> FaceWorld {
        var other = self
        other.faces = FaceProvider(
            configuration: faces.configuration, authority: world.authority, store: world.store,
            analyzer: faces.analyzer,
            challenges: faces.challenges)
        return other
    }

    func call(
        at address: InternetAddress?, of phone: SoftwareDeviceSigner? = nil, attested: Bool = false
    ) throws -> DeviceCall {
        var call = try world.call(phone, attested: attested)
        call.source = address
        return call
    }

    func appToken(
        _ app: RegisteredApp? = nil, at address: InternetAddress? = nil, of phone: SoftwareDeviceSigner? = nil,
        attested: Bool = false
    ) async throws -> String {
        try await appTokenResponse(try call(at: address, of: phone, attested: attested), app).appToken
    }

    func appTokenResponse(
        at address: InternetAddress?, of phone: SoftwareDeviceSigner
    ) async throws -> FaceAppTokenResponse { try await appTokenResponse(try call(at: address, of: phone)) }

    func appTokenResponse(_ call: DeviceCall, _ app: RegisteredApp? = nil) async throws -> FaceAppTokenResponse {
        let app = app ?? self.app
        return try await faces.appToken(
            FaceAppTokenRequest(
                appID: app.record.id, bundleID: AuthorityWorld.bundle,
                appKeyProof: AppKeyProof.make(
                    appKey: app.key.reveal(), appID: app.record.id, proofID: call.proof.id,
                    keyThumbprint: call.proof.key.thumbprint)), from: call)
    }

    /// A one-tap token of the genuine app, which an attester vouches for.
    func token(attested: Bool = true) async throws -> String { try await world.token(attested: attested).token }

    func begin(
        _ purpose: FacePurpose = .login, _ identity: FaceIdentity, uid: String? = nil, phone number: String? = nil,
        of phone: SoftwareDeviceSigner? = nil
    ) async throws -> FaceBeginResponse {
        try await faces.begin(
            FaceBeginRequest(
                appToken: try await appToken(of: phone), purpose: purpose, identity: identity, uid: uid, phone: number,
                language: "zh-Hans"), from: try world.call(phone))
    }

    /// A signed yes. What a test wants to be wrong it changes.
    func consent(
        to begun: FaceBeginResponse, version: String = terms.version,
        links: [ConsentContent.Link] = [
            .init(title: terms.title, url: terms.url)
        ], text: String = "同意使用人脸", _ change: (inout ConsentRecord) -> Void = { _ in }
    ) throws -> String {
        let content = ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: version,
            texts: [.init(.title, text), .init(.loginButton, "同意")], links: links, initiallyTicked: false)
        let now = world.clock.now
        var record = ConsentRecord(
            appID: app.record.id, trace: begun.trace, scrip: begun.session, nonce: begun.nonce, content: content,
            sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
        change(&record)
        return try record.signed(by: phone)
    }

    func authorization(for begun: FaceBeginResponse) throws -> String? {
        try begun.authorization.map {
            try consent(to: begun, version: $0.version, links: [], text: "允许 \($0.appName) 获取姓名和手机号")
        }
    }

    func agree(_ begun: FaceBeginResponse) async throws {
        try await faces.consent(
            FaceConsentRequest(session: begun.session, consent: try consent(to: begun)), from: try world.call())
    }

    @discardableResult
    func show(_ person: UInt8, in session: String) async throws -> FaceFramesResponse {
        try await show(FakeFace.picture(person), in: session)
    }

    func show(_ picture: [UInt8], in session: String) async throws -> FaceFramesResponse {
        try await show([picture], in: session)
    }

    /// The frames after gestures of one challenge, the best first.
    @discardableResult
    func show(_ pictures: [[UInt8]], in session: String) async throws -> FaceFramesResponse {
        let challenge = try await faces.challenge(FaceChallengeRequest(session: session), from: try world.call())
        return try await faces.frames(
            FaceFramesRequest(
                session: session, challenge: challenge.challenge,
                frames: pictures.enumerated().map { .init(milliseconds: Int64($0.offset), picture: $0.element) }),
            from: try world.call())
    }

    func finish(
        _ begun: FaceBeginResponse, name: String? = nil, avatar: [UInt8]? = nil, info: FaceUserInfo? = nil
    ) async throws -> FaceFinishResponse {
        try await faces.finish(
            FaceFinishRequest(
                session: begun.session, name: name, avatar: avatar, authorization: try authorization(for: begun),
                userInfo: info), from: try world.call())
    }

    /// The whole first use.
    func enrol(
        _ purpose: FacePurpose = .login, uid: String? = nil, avatar: [UInt8]? = nil, info: FaceUserInfo? = nil
    ) async throws -> FaceFinishResponse {
        let begun = try await begin(purpose, .oneTap(try await token()), uid: uid)
        try await agree(begun)
        try await show(Self.owner, in: begun.session)
        return try await finish(begun, name: "林小满", avatar: avatar, info: info)
    }

    /// A login of a known account.
    func logIn(
        _ remembered: String, as person: UInt8 = owner, uid: String? = nil
    ) async throws -> FaceFinishResponse {
        let begun = try await begin(uid == nil ? .login : .bind, .remembered(remembered), uid: uid)
        try await show(person, in: begun.session)
        return try await finish(begun)
    }

    func access(_ token: String) async throws -> FaceAccessRequest {
        FaceAccessRequest(appToken: try await appToken(), accessToken: token)
    }

    /// Returns the request to freeze or to erase.
    func confirmed(_ token: String, oneTap: String? = nil) async throws -> FaceConfirmedRequest {
        FaceConfirmedRequest(appToken: try await appToken(), accessToken: token, token: oneTap)
    }

    func user(_ token: String) async throws -> FaceUserResponse {
        try await faces.user(try await access(token), from: try world.call())
    }

    func serverCall(_ app: RegisteredApp? = nil) -> ServerCall { world.serverCall(app) }

    func end() async { await world.end() }
}

func withFaceWorld(
    capabilities: Set<Capability> = [.login, .verification, .face],
    configured change: (inout FaceProvider.Configuration) -> Void = { _ in },
    _ body: (FaceWorld) async throws -> Void
) async throws {
    let world = try await FaceWorld(capabilities: capabilities, change)
    do { try await body(world) } catch {
        await world.end()
        throw error
    }
    await world.end()
}
