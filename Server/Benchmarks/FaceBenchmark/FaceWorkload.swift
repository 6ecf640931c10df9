import Authority
import BenchmarkSupport
import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import Crypto
import FaceAccounts
import FaceMatching
import Logging
import Requests
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization

/// An authority with face login over a store on disk, an app, and a phone that asks as phones do; only HTTP is left
/// out.
///
/// It has a clock of its own, which goes on when it is told to, so that a minute before the camera takes no minute.
final class FaceWorkload: Sendable {
    private static let terms = FaceTerms(version: "1", title: "terms", url: "https://id.example/face-terms")
    private static let bundle = "com.example.bench"

    let clock = TestClock(SystemWallClock().now)
    private let store: SQLiteStore
    private let authority: Authority
    private let register: Register
    private let app: RegisteredApp
    private let phone = SoftwareDeviceSigner()
    private let numbers = Mutex(13_800_000_000)

    init(_ scratch: Scratch) async throws {
        var logger = Logger(label: "benchmark")
        logger.logLevel = .critical
        store = try SQLiteStore(path: scratch.file("benji.sqlite"), logger: logger)
        let vault = Vault(masterKey: MasterKey(bytes: SystemRandomSource().bytes(32)))
        authority = Authority(
            configuration: Authority.Configuration(gateways: [:]), store: store, vault: vault, clock: clock,
            logger: logger)
        register = Register(store: store, vault: vault)
        var registration = Apps.Registration(name: "Benchmark")
        registration.bundleIDs = [Self.bundle]
        registration.capabilities = [.login, .face, .faceGroups]
        app = try await authority.apps.register(
            registration,
            by: OrderNote(actor: "benchmark", role: "operator", origin: "benchmark", order: "app.create"))
    }

    func end() async { await store.close() }

    func provider(_ analyzer: any FaceAnalyzer, _ challenges: any FaceChallenging) -> FaceProvider {
        var configuration = FaceProvider.Configuration(terms: Self.terms)
        configuration.searches = .max
        configuration.appSearches = .max
        return FaceProvider(
            configuration: configuration, authority: authority, store: store, analyzer: analyzer,
            challenges: challenges)
    }

    func call() -> DeviceCall {
        DeviceCall(
            proof: DeviceProof(
                id: SystemRandomSource().alphanumerics(32), method: "POST", url: "http://phone/", issuedAt: clock.now,
                body: [], localAddress: nil, key: phone.publicKey),
            attestation: nil, sighting: .failure(.unknownAddress))
    }

    private func serverCall() -> ServerCall {
        ServerCall(
            app: app, interface: "bench", peer: InternetAddress("127.0.0.1")!, sentAt: clock.now)
    }

    func appToken(_ faces: FaceProvider) async throws -> String {
        let call = call()
        let proof = AppKeyProof.make(
            appKey: app.key.reveal(), appID: app.record.id, proofID: call.proof.id,
            keyThumbprint: call.proof.key.thumbprint)
        return try await faces.appToken(
            FaceAppTokenRequest(appID: app.record.id, bundleID: Self.bundle, appKeyProof: proof), from: call
        ).appToken
    }

    private func consent(
        _ version: String, trace: TraceID, session: String, nonce: String, _ text: String,
        links: [ConsentContent.Link] = []
    ) throws -> String {
        let content = ConsentContent(
            drawnBy: .benji, language: "en", policyVersion: version,
            texts: [.init(.title, text), .init(.loginButton, "yes")], links: links, initiallyTicked: false)
        return try ConsentRecord(
            appID: app.record.id, trace: trace, scrip: session, nonce: nonce, content: content, sceneDigest: nil,
            shownAt: clock.now, tickedAt: clock.now, tappedAt: clock.now
        ).signed(by: phone)
    }

    private func agree(_ faces: FaceProvider, trace: TraceID, session: String, nonce: String) async throws {
        let text = try consent(
            Self.terms.version, trace: trace, session: session, nonce: nonce, "face",
            links: [.init(title: Self.terms.title, url: Self.terms.url)])
        try await faces.consent(FaceConsentRequest(session: session, consent: text), from: call())
    }

    /// Shows one picture and passes.
    private func pass(_ faces: FaceProvider, _ session: String, _ picture: [UInt8]) async throws {
        let challenge = try await faces.challenge(FaceChallengeRequest(session: session), from: call())
        let frames = FaceFramesRequest(
            session: session, challenge: challenge.challenge, frames: [.init(milliseconds: 1, picture: picture)])
        guard case .passed = try await faces.frames(frames, from: call()) else {
            throw BenchmarkFailure("a staged challenge was not passed")
        }
    }

    // MARK: people

    /// Enrols people with these faces, who agree to being found. Gives what each phone and app gets.
    func enrol(_ people: [FaceEmbedding], _ faces: FaceProvider) async throws -> [FaceFinishResponse] {
        let moment = clock.now
        let first = numbers.withLock { number in
            defer { number += people.count }
            return number
        }
        let subscriptions = try await register.observe(
            people.indices.map { index in
                SubscriberObservation(
                    number: PhoneNumber("\(first + index)")!, imsi: "4600\(first + index)", carrier: .mobile,
                    eventTime: moment)
            }
        ).compactMap { $0 }
        guard subscriptions.count == people.count else { throw BenchmarkFailure("a number was not registered") }
        let appToken = try await appToken(faces)
        let answers = Mutex<[Int: FaceFinishResponse]>([:])
        try await inLanes(64, count: people.count) { index, _ in
            let token = try await self.token(subscriptions[index])
            let begun = try await faces.begin(
                FaceBeginRequest(
                    appToken: appToken, purpose: .login, identity: .oneTap(token), uid: nil, phone: nil,
                    language: "en"), from: self.call())
            let (trace, session, nonce) = (begun.trace, begun.session, begun.nonce)
            try await self.agree(faces, trace: trace, session: session, nonce: nonce)
            try await self.pass(faces, session, StagedChallenges.picture(people[index]))
            guard let app = begun.authorization, let groups = begun.groups else {
                throw BenchmarkFailure("a new account is not asked for everything")
            }
            let answer = try await faces.finish(
                FaceFinishRequest(
                    session: session, name: "person \(index)",
                    authorization: try self.consent(
                        app.version, trace: trace, session: session, nonce: nonce, app.appName),
                    groups: try self.consent(
                        groups.version, trace: trace, session: session, nonce: nonce, groups.appName)),
                from: self.call())
            answers.withLock { $0[index] = answer }
        }
        return answers.withLock { answers in people.indices.compactMap { answers[$0] } }
    }

    /// A one-tap login token of a subscription, put into the store as a login puts it there.
    private func token(_ subscription: SubscriptionReference) async throws -> String {
        let random = SystemRandomSource()
        let text = CredentialGrammar.token.make(random: random)
        let trace = TraceID(random: random)
        let (now, later) = (clock.now, clock.now + .seconds(3600))
        let thumbprint = phone.publicKey.thumbprint
        let scrip = ScripRecord(
            hash: Self.hash(of: "scrip " + text), family: 1, generation: 1, appID: app.record.id,
            subscription: subscription, carrier: .mobile, binding: BindingID(rawValue: 1), deviceKey: thumbprint,
            nonceHash: Self.hash(of: "nonce"), trace: trace, dialect: .device, reusable: false, expiresAt: later)
        try await store.insertScrip(scrip)
        let outcome = try await store.issueToken(
            TokenIssue(
                scrip: scrip.hash, nextScrip: nil,
                token: TokenRecord(
                    hash: Self.hash(of: text), appID: app.record.id, purpose: .login, subscription: subscription,
                    carrier: .mobile, binding: scrip.binding, deviceKey: thumbprint, assurance: .netApp, trace: trace,
                    dialect: .device, issuedAt: now, expiresAt: later),
                consent: nil, now: now, unusedSince: now - .seconds(600), unusedPerKey: .max, unusedPerNumber: .max))
        guard outcome == .issued else { throw BenchmarkFailure("a token was not issued: \(outcome)") }
        return text
    }

    private static func hash(of text: String) -> CredentialHash {
        CredentialHash(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }

    func group(of people: [FaceFinishResponse], _ faces: FaceProvider) async throws -> String {
        let group = try await faces.createGroup(name: "people", tag: "", info: "{}", for: serverCall())
        for person in people { try await faces.addMember(person.openID, to: group.id, for: serverCall()) }
        return group.id
    }

    /// Returns a session that passed the challenge and has yet to search for the face in the group.
    func looking(
        for face: FaceEmbedding, in group: String, _ faces: FaceProvider
    ) async throws -> String {
        let begun = try await faces.searchBegin(
            FaceSearchBeginRequest(appToken: try await appToken(faces), group: group), from: call())
        try await agree(faces, trace: begun.trace, session: begun.session, nonce: begun.nonce)
        try await pass(faces, begun.session, StagedChallenges.picture(face))
        return begun.session
    }
}

/// A challenge that every picture passes, as the face whose numbers are the picture's bytes.
struct StagedChallenges: FaceChallenging {
    private let challenges: FaceChallenges
    private let clock: any WallClock
    private let face: FaceObservation

    /// - Parameter face: what else a proof holds.
    init(_ analyzer: any FaceAnalyzer, _ face: FaceObservation, clock: any WallClock) {
        challenges = FaceChallenges(analyzer: analyzer, clock: clock, random: SystemRandomSource(), capacity: .max)
        self.clock = clock
        self.face = face
    }

    var unavailability: String? { nil }
    var policy: FacePolicy { .standard }

    static func picture(_ face: FaceEmbedding) -> [UInt8] { face.values.withUnsafeBytes { Array($0) } }

    func begin(for session: String, isKnown: Bool) async throws(FaceChallengeFailure) -> FaceChallenge {
        try await challenges.begin(for: session, isKnown: isKnown)
    }

    func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) async throws(FaceChallengeFailure) -> FaceVerdict {
        let values = frames.first?.image.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
        guard let embedding = values.flatMap({ FaceEmbedding($0) }) else {
            throw FaceChallengeFailure(.frameUnreadable)
        }
        return .passed(
            FaceProof(
                after: [embedding], face: face, passiveScore: 1, gestures: [], frames: 1, completed: clock.now))
    }
}
