import BenjiFaceProtocol
import FaceMatching
import HTTPTypes
import Hummingbird
import ServerTestKit
import Sightings
import Store

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import FaceAccounts
@testable import FaceEndpoints
@testable import Requests
@testable import ServerHTTP

/// A phone with SuperID's SDK in one app, the app's server, and the routes that both call. They are those of one tap,
/// of face login with its real challenges, and of SuperID's signed calls. Only the engine is scripted.
struct SuperIDWalk {
    private static let base = "https://id.example.com"
    private static let terms = FaceTerms(version: "7", title: "人脸信息处理规则", url: "https://id.example.com/face")

    let world: AuthorityWorld
    let server: SuperIDCaller
    /// The routes that phones call, and the routes that the app's server calls.
    let deviceRoutes: [EndpointRoute]
    let serverRoutes: [EndpointRoute]
    private let router: Router<EndpointContext>

    /// - Parameter limit: prefetches of the number in ten minutes.
    init(policy: FacePolicy = .standard, limit: Int = 1000) async throws {
        world = try await AuthorityWorld(prefetchesPerNumber: limit) {
            $0.capabilities = [.login, .face, .faceGroups]
        }
        let analyzer = WrittenFaces()
        let provider = FaceProvider(
            configuration: .init(terms: Self.terms), authority: world.authority, store: world.store, analyzer: analyzer,
            challenges: FaceChallenges(
                analyzer: analyzer, policy: policy, clock: world.clock, random: SystemRandomSource()))
        let oneTap = DeviceEndpoints(
            service: DeviceLogins(world.authority), sightings: Holder(sighting: world.sighting()), clock: world.clock,
            publicURLs: [Self.base])
        let faces = FaceEndpoints(service: provider, clock: world.clock, publicURLs: [Self.base])
        deviceRoutes = faces.routes + FacePages().accountRoutes
        serverRoutes = SuperIDServerEndpoints(provider: provider).routes
        router = PublicServer.router("device", routes: oneTap.routes + deviceRoutes)
        server = SuperIDCaller(world: world, provider: provider)
    }

    /// The phone's address is its subscriber's.
    private struct Holder: SightingSource {
        let sighting: Sighting

        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> { .success(sighting) }
    }

    // MARK: - The phone's requests

    /// Sends a signed request.
    func post(
        _ path: String, _ body: [UInt8], type: String = "application/json",
        id: String = SystemRandomSource().alphanumerics(22), by other: SoftwareDeviceSigner? = nil
    ) async throws -> JSON {
        let signer = other ?? world.phone
        let proof = DeviceProof(
            id: id, method: "POST", url: Self.base + path, issuedAt: world.clock.now, body: body, localAddress: nil,
            key: signer.publicKey)
        var headers = HTTPFields()
        headers[.contentType] = type
        headers[.deviceProof] = try proof.signed(by: signer)
        headers[.clientAttestation] = try world.call(signer, attested: true).attestation
        return try await Exchange.send(
            router, .post, path, headers: headers, body: body, from: ("10.0.0.7", 40_001)
        ).json
    }

    func post(_ path: FacePath, _ message: JSON) async throws -> JSON {
        try await post(path.rawValue, message.serialized)
    }

    private func appKeyProof(_ id: String) -> String {
        AppKeyProof.make(
            appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: id,
            keyThumbprint: world.phone.publicKey.thumbprint)
    }

    /// A one-tap token of the phone's number.
    func oneTap() async throws -> String {
        let id = SystemRandomSource().alphanumerics(22)
        let prefetch = PrefetchRequest(
            appID: world.app.record.id, bundleID: AuthorityWorld.bundle, appKeyProof: appKeyProof(id), dialect: .device
        )
        let page = try PrefetchResponse(
            try await post(DevicePath.prefetch.rawValue, prefetch.json.serialized, id: id))
        let authorize = AuthorizeRequest(
            appID: world.app.record.id, scrip: page.scrip, purpose: .login, consent: try world.consent(to: page))
        return try AuthorizeResponse(
            try await post(DevicePath.authorize.rawValue, authorize.json.serialized)
        ).token
    }

    func appToken() async throws -> String {
        let id = SystemRandomSource().alphanumerics(22)
        let request = FaceAppTokenRequest(
            appID: world.app.record.id, bundleID: AuthorityWorld.bundle, appKeyProof: appKeyProof(id))
        return try FaceAppTokenResponse(try await post(FacePath.appToken.rawValue, request.json.serialized, id: id))
            .appToken
    }

    func begin(_ purpose: FacePurpose, _ identity: FaceIdentity) async throws -> FaceBeginResponse {
        let request = FaceBeginRequest(
            appToken: try await appToken(), purpose: purpose, identity: identity, language: "zh-Hans")
        return try FaceBeginResponse(try await post(.begin, request.json))
    }

    /// The person's signed yes to a text.
    private func yes(
        to text: String, version: String, links: [ConsentContent.Link] = [], trace: TraceID, session: String,
        nonce: String
    ) throws -> String {
        let content = ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: version,
            texts: [.init(.title, text), .init(.loginButton, "同意")], links: links, initiallyTicked: false)
        let now = world.clock.now
        return try ConsentRecord(
            appID: world.app.record.id, trace: trace, scrip: session, nonce: nonce, content: content, sceneDigest: nil,
            shownAt: now, tickedAt: now, tappedAt: now
        ).signed(by: world.phone)
    }

    /// Agrees to the face's use.
    func agree(to session: String, _ nonce: String, _ trace: TraceID) async throws -> JSON {
        let consent = try yes(
            to: Self.terms.title, version: Self.terms.version,
            links: [.init(title: Self.terms.title, url: Self.terms.url)], trace: trace, session: session, nonce: nonce)
        return try await post(.consent, FaceConsentRequest(session: session, consent: consent).json)
    }

    func challenge(_ session: String) async throws -> FaceChallengeResponse {
        try FaceChallengeResponse(try await post(.challenge, FaceChallengeRequest(session: session).json))
    }

    func frames(
        _ frames: [FaceFramesRequest.Frame], of challenge: String, in session: String
    ) async throws -> FaceFramesResponse {
        let request = FaceFramesRequest(session: session, challenge: challenge, frames: frames)
        return try FaceFramesResponse(
            try await post(FacePath.frames.rawValue, request.bytes, type: FaceFramesRequest.contentType))
    }

    /// Shows a camera's pictures until the challenge is over: an eighth of a second apart, several in one request.
    /// - Parameter scene: what the camera sees after a prompt, frame by frame.
    func show(
        in session: String, _ scene: (_ prompt: String) -> [(Timestamp) -> [UInt8]]
    ) async throws -> FaceFramesResponse {
        let challenge = try await challenge(session)
        let start = world.clock.now
        var prompt = challenge.step.prompt
        while true {
            let taken = scene(prompt).prefix(Int(challenge.framesPerRequest)).map { picture in
                world.clock.advance(by: .milliseconds(challenge.pace))
                let now = world.clock.now
                return FaceFramesRequest.Frame(milliseconds: (now - start).wholeMilliseconds, picture: picture(now))
            }
            let answer = try await frames(taken, of: challenge.challenge, in: session)
            guard case .more(let step) = answer else { return answer }
            prompt = step.prompt
        }
    }

    /// Shows a person who obeys every prompt.
    func show(_ person: Int, in session: String) async throws -> FaceFramesResponse {
        try await show(in: session) { prompt in WrittenFace.doing(prompt, person).map { $0.picture(at:) } }
    }

    /// The end of a session, with a yes to each thing that it asks.
    func finish(_ begun: FaceBeginResponse, name: String? = nil) async throws -> JSON {
        func agreed(_ asked: FaceAuthorization?, _ text: String) throws -> String? {
            try asked.map {
                try yes(
                    to: "\($0.appName): \(text)", version: $0.version, trace: begun.trace, session: begun.session,
                    nonce: begun.nonce)
            }
        }
        let request = FaceFinishRequest(
            session: begun.session, name: name, authorization: try agreed(begun.authorization, "允许获取姓名和手机号"),
            groups: try agreed(begun.groups, "允许在群组中被找到"))
        return try await post(.finish, request.json)
    }

    /// The first login of the phone's owner.
    func enrol() async throws -> FaceFinishResponse {
        let begun = try await begin(.login, .oneTap(try await oneTap()))
        _ = try await agree(to: begun.session, begun.nonce, begun.trace)
        _ = try await show(WrittenFace.owner, in: begun.session)
        return try FaceFinishResponse(try await finish(begun, name: "林小满"))
    }

    /// A search in a group, whose challenge somebody has passed.
    func look(in group: String, as person: Int) async throws -> (session: String, candidate: String?) {
        let asked = FaceSearchBeginRequest(appToken: try await appToken(), group: group)
        let begun = try FaceSearchBeginResponse(try await post(.searchBegin, asked.json))
        _ = try await agree(to: begun.session, begun.nonce, begun.trace)
        _ = try await show(person, in: begun.session)
        let found = try FaceSearchResponse(try await post(.search, FaceSearchRequest(session: begun.session).json))
        return (begun.session, found.candidate)
    }

    /// Sends a request that an access token is all of: user, logout, cancel, leaving groups.
    func ask(_ path: FacePath, _ grant: FaceGrant) async throws -> JSON {
        try await post(
            path, FaceAccessRequest(appToken: try await appToken(), accessToken: grant.accessToken).json)
    }
}
