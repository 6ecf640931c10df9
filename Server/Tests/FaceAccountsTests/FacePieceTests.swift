import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import FaceMatching
@testable import Requests

@Suite("The pieces of face login, each at its bounds") struct FacePieceTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let key = SoftwareDeviceSigner()
    private let app = AppID(rawValue: "300000000001")!
    private let other = AppID(rawValue: "300000000002")!

    // MARK: - The defaults

    @Test("A session has three challenges, an account ten wrong faces in ten minutes and fifty in a day")
    func usualLimits() {
        let usual = FaceProvider.Configuration(terms: FaceWorld.terms)
        #expect(usual.leastAssurance == .netApp && usual.terms == FaceWorld.terms)
        #expect(usual.attempts == 3 && usual.comparisons == 10 && usual.dailyFaces == 50 && usual.begins == 30)
        #expect(usual.searchesAtOnce == 2 && usual.searches == 10)
        #expect(usual.addressSearches == 60 && usual.appSearches == 600)
        #expect(usual.appTokens == 60 && usual.addressAppTokens == 1200)
        #expect(usual.questions == 120 && usual.addressQuestions == 600)
        #expect(usual.requests == 600 && usual.requestsPerSecond == 2 && usual.addressRequests == 30_000)
        #expect(usual.groups == 100 && usual.groupMembers == 10_000)
    }

    @Test("A code lives for a minute, an access token for two hours, a login for sixty days and a memory for a year")
    func lifetimes() {
        typealias Lifetime = FaceProvider.Lifetime
        #expect(Lifetime.of(.code) == 60 && Lifetime.of(.access) == 7200 && Lifetime.of(.server) == 7200)
        #expect(Lifetime.of(.refresh) == 60 * 86400 && Lifetime.of(.remembered) == 365 * 86400)
        #expect(Lifetime.appToken == 7200 && Lifetime.briefAppToken == 600)
        #expect(Lifetime.session == 600 && Lifetime.fresh == 300)
    }

    // MARK: - Memories

    private func entry(_ deviceKey: String, _ kind: FaceAppTokens.Kind = .shared) -> FaceAppTokens.Entry {
        .init(
            holder: .init(app: app, deviceKey: deviceKey), isAttested: false, kind: kind,
            expiresAt: Self.now + .seconds(60))
    }

    @Test("An app token holds for its key alone, until the moment at which it ends")
    func appTokens() {
        let tokens = FaceAppTokens(capacity: 10)
        tokens.insert("token", entry("key"))
        let holder = FaceAppTokens.Holder(app: app, deviceKey: "key")
        for (offset, holds) in [(0, true), (59_999, true), (60_000, false)] as [(Int64, Bool)] {
            let moment = Self.now + .milliseconds(offset)
            #expect((tokens.entry(of: "token", deviceKey: "key", now: moment) != nil) == holds)
            #expect((tokens.kind(of: holder, now: moment) == .shared) == holds)
        }
        #expect(tokens.entry(of: "token", deviceKey: "other", now: Self.now) == nil)
        #expect(tokens.entry(of: "other", deviceKey: "key", now: Self.now) == nil)
        #expect(tokens.kind(of: .init(app: other, deviceKey: "key"), now: Self.now) == nil)
    }

    @Test("With one token more than there is room for the oldest is forgotten, and not its holder's newer one")
    func forgottenTokens() {
        let tokens = FaceAppTokens(capacity: 3)
        func has(_ name: String, of key: String) -> Bool {
            tokens.entry(of: name, deviceKey: key, now: Self.now) != nil
        }
        for (name, key) in [("a", "one"), ("b", "one"), ("c", "two")] { tokens.insert(name, entry(key)) }
        #expect(has("a", of: "one") && has("b", of: "one") && has("c", of: "two"))
        tokens.insert("d", entry("three"))
        #expect(!has("a", of: "one") && has("b", of: "one") && has("c", of: "two") && has("d", of: "three"))
        #expect(tokens.kind(of: .init(app: app, deviceKey: "one"), now: Self.now) == .shared)
        #expect(tokens.holderCount == 3)
        for (name, key) in [("e", "four"), ("f", "five")] { tokens.insert(name, entry(key)) }
        #expect(!has("b", of: "one") && !has("c", of: "two"))
        #expect(has("d", of: "three") && has("e", of: "four") && has("f", of: "five"))
        #expect(tokens.holderCount == 3)
        for (name, key) in [("g", "six"), ("h", "seven")] { tokens.insert(name, entry(key)) }
        #expect(!has("d", of: "three") && !has("e", of: "four"))
        #expect(has("f", of: "five") && has("g", of: "six") && has("h", of: "seven"))
        #expect(tokens.holderCount == 3)
    }

    @Test("A face is fresh for five minutes after it was shown, and not before")
    func freshness() {
        let freshness = FaceFreshness(life: .seconds(300), capacity: 100)
        let key = FaceFreshness.Key(account: 1, app: app, deviceKey: "key")
        #expect(!freshness.isFresh(key, now: Self.now))
        freshness.note(key, at: Self.now)
        for (offset, isFresh) in [(-1, false), (0, true), (300_000, true), (300_001, false)] as [(Int64, Bool)] {
            #expect(freshness.isFresh(key, now: Self.now + .milliseconds(offset)) == isFresh, "\(offset) ms")
        }
        for other in [
            FaceFreshness.Key(account: 2, app: app, deviceKey: "key"),
            FaceFreshness.Key(account: 1, app: self.other, deviceKey: "key"),
            FaceFreshness.Key(account: 1, app: app, deviceKey: "other"),
        ] { #expect(!freshness.isFresh(other, now: Self.now)) }
    }

    @Test("A key's frames are of the session that it began last, until that ends")
    func standings() {
        let standings = FrameStandings(capacity: 100)
        #expect(standings.standing(of: "key", now: Self.now) == .none)
        standings.note(.stranger, of: "key", until: Self.now + .seconds(90))
        #expect(standings.standing(of: "key", now: Self.now) == .stranger)
        standings.note(.known(7), of: "key", until: Self.now + .seconds(60))
        #expect(standings.standing(of: "key", now: Self.now + .milliseconds(59_999)) == .known(7))
        #expect(standings.standing(of: "key", now: Self.now + .seconds(60)) == .none)
        #expect(standings.standing(of: "other", now: Self.now) == .none)
    }

    private func proof() -> DeviceProof {
        DeviceProof(
            id: SystemRandomSource().alphanumerics(22), method: "POST", url: "u", issuedAt: Self.now, body: [],
            localAddress: nil, key: Self.key.publicKey)
    }

    @Test("The name of a proof is kept for twice a proof's age and a second, and forgotten after twice that")
    func proofMemory() {
        let first = proof()
        for (seconds, isNew) in [(0, false), (240, false), (241, false), (481, false), (482, true)] as [(Int64, Bool)] {
            let proofs = FaceProofs(capacity: 1000)
            #expect(proofs.insert(first, now: Self.now))
            #expect(proofs.insert(first, now: Self.now + .seconds(seconds)) == isNew, "after \(seconds) s")
        }
        let proofs = FaceProofs(capacity: 1000)
        #expect(proofs.insert(first, now: Self.now))
        let second = proof()
        #expect(proofs.insert(second, now: Self.now + .seconds(241)))
        #expect(!proofs.insert(second, now: Self.now + .seconds(482)), "it was in the half that is kept")
        #expect(proofs.insert(first, now: Self.now + .seconds(482)), "it was in the half that is forgotten")
    }

    @Test("A memory of proofs forgets one half where the other is full, and none where the clock stands or is set back")
    func proofHalves() {
        let (first, second, third) = (proof(), proof(), proof())
        let small = FaceProofs(capacity: 4)
        for proof in [first, second, third] { #expect(small.insert(proof, now: Self.now)) }
        #expect(!small.insert(first, now: Self.now), "two are in each half")
        #expect(small.insert(proof(), now: Self.now))
        #expect(small.insert(first, now: Self.now))
        let least = FaceProofs(capacity: 1)
        for proof in [first, second, first] { #expect(least.insert(proof, now: Self.now), "there is room for one") }
        let large = FaceProofs(capacity: 1000)
        for proof in [first, second, third] { #expect(large.insert(proof, now: Self.now)) }
        for proof in [first, second, third] {
            #expect(!large.insert(proof, now: Self.now))
            #expect(!large.insert(proof, now: Self.now + .seconds(-1)))
        }
    }

    // MARK: - Sessions

    private func session(
        _ subscription: SubscriptionReference? = SubscriptionReference(subscription: 1, epoch: 1, simGeneration: 1),
        needs: Set<FaceNeed> = [.face], life: Int64 = 600
    ) -> FaceSession {
        FaceSession(
            appID: app, deviceKey: "key", trace: TraceID(random: SystemRandomSource()), purpose: .login, nonceHash: "",
            expiresAt: Self.now + .seconds(life), subscription: subscription, needs: needs, attemptsLeft: 3)
    }

    @Test("A session is its device key's until the moment at which it ends; what is changed of it stays changed")
    func sessions() {
        let sessions = FaceSessions(capacity: 8)
        #expect(sessions.insert(session(), "secret", now: Self.now))
        func found(_ name: String = "secret", _ key: String = "key", after offset: Int64 = 0) -> FaceSession? {
            sessions.session(name, deviceKey: key, now: Self.now + .milliseconds(offset))
        }
        #expect(found()?.attemptsLeft == 3 && found()?.isClaimed == false && found()?.untold.isEmpty == true)
        #expect(found(after: 599_999) != nil && found(after: 600_000) == nil)
        #expect(found("other") == nil && found("secret", "other") == nil)
        let left = sessions.change("secret") { session in
            session.attemptsLeft -= 1
            return session.attemptsLeft
        }
        #expect(left == 2 && found()?.attemptsLeft == 2)
        let none = sessions.change("other") { session in session.attemptsLeft }
        #expect(none == nil)
        sessions.removeExpired(now: Self.now + .milliseconds(599_999))
        #expect(sessions.count == 1)
        sessions.removeExpired(now: Self.now + .seconds(600))
        #expect(sessions.count == 0)
        #expect(sessions.insert(session(), "again", now: Self.now))
        sessions.end("again")
        #expect(sessions.count == 0)
    }

    @Test("A full table takes a session again once one of its own has ended")
    func fullTable() {
        let sessions = FaceSessions(capacity: 8)
        for number in 0..<8 { #expect(sessions.insert(session(), "\(number)", now: Self.now)) }
        #expect(!sessions.insert(session(), "late", now: Self.now))
        #expect(!sessions.insert(session(), "late", now: Self.now + .milliseconds(599_999)))
        #expect(sessions.count == 8)
        #expect(sessions.insert(session(life: 1200), "late", now: Self.now + .seconds(600)))
        #expect(sessions.count == 1)
    }

    @Test(
        "A search puts out the oldest search that has seen no face, and no login; where all have seen one it is refused"
    )
    func searches() {
        let sessions = FaceSessions(capacity: 8)
        func has(_ name: String) -> Bool { sessions.session(name, deviceKey: "key", now: Self.now) != nil }
        for number in 0..<3 { #expect(sessions.insert(session(life: 100), "login \(number)", now: Self.now)) }
        #expect(sessions.insert(session(nil, life: 300), "first", now: Self.now))
        #expect(sessions.insert(session(nil, life: 200), "second", now: Self.now))
        #expect(sessions.count == 5 && has("first") && has("second"))
        #expect(sessions.insert(session(nil, needs: [], life: 400), "third", now: Self.now))
        #expect(has("first") && !has("second") && has("third"), "the second ends first")
        #expect(sessions.insert(session(nil, needs: [], life: 400), "fourth", now: Self.now))
        #expect(!has("first") && has("third") && has("fourth"))
        #expect(!sessions.insert(session(nil), "fifth", now: Self.now))
        for number in 0..<3 { #expect(has("login \(number)")) }
        let small = FaceSessions(capacity: 3)
        for name in ["first", "second"] { #expect(small.insert(session(nil), name, now: Self.now)) }
        #expect(small.count == 1, "one search at least, and no more")
    }

    @Test("What a key may do in ten minutes it may do again after ten minutes, and not before")
    func budgets() async throws {
        let budget = FaceBudget(perKey: 1, perAddress: 100)
        func take(after seconds: Int64) async throws -> FaceBudget.Service {
            try await budget.take(
                "key", app, from: InternetAddress("203.0.113.7"), isAttested: false, now: Self.now + .seconds(seconds)
            ) { () throws(Refusal) in false }
        }
        #expect(try await take(after: 0) == .full)
        #expect(try await take(after: 599) == .refused)
        #expect(try await take(after: 600) == .full)
        // Above the address's budget no key is served briefly where there is no such service.
        let narrow = FaceBudget(perKey: 100, perAddress: 1)
        for (number, service) in [FaceBudget.Service.full, .refused].enumerated() {
            let answer = try await narrow.take(
                "key \(number)", app, from: InternetAddress("203.0.113.7"), isAttested: false, now: Self.now
            ) { () throws(Refusal) in false }
            #expect(answer == service)
        }
    }

    @Test("An app's searches count for ten minutes, until the last millisecond of them")
    func searchWindow() async throws {
        try await withFaceWorld(
            capabilities: FaceSearchTests.capabilities, configured: { $0.appSearches = 1 },
            { world async throws in
                let first = try await world.enrolForGroups()
                let group = try await world.group(of: [first.openID])
                func end() async throws -> Situation? {
                    let session = try await world.looking(in: group)
                    return try await refusal { _ = try await world.look(session) }
                }
                #expect(try await end() == nil)
                world.world.clock.advance(by: .milliseconds(599_999))
                #expect(try await end() == .tooManyRequests)
                world.world.clock.advance(by: .milliseconds(1))
                #expect(try await end() == nil)
            })
    }

    // MARK: - Pictures and profiles

    private static let start: [UInt8] = [0xff, 0xd8]
    private static let scan: [UInt8] = [0xff, 0xda, 0, 2, 1, 2]
    private static let end: [UInt8] = [0xff, 0xd9]

    private func plain(_ segment: [UInt8]) -> [UInt8]? {
        AvatarPicture.plain(Self.start + segment + Self.scan + Self.end)
    }

    @Test("A picture keeps what its pixels are read with, and loses what else is said")
    func segments() {
        let bare = Self.start + Self.scan + Self.end
        #expect(plain([]) == bare)
        for marker: UInt8 in [0xdb, 0xc4, 0xc0, 0xc1, 0xc2, 0xdd] {
            let segment: [UInt8] = [0xff, marker, 0, 3, 9]
            #expect(plain(segment) == Self.start + segment + Self.scan + Self.end, "\(marker)")
        }
        for marker: UInt8 in [0xe0, 0xe1, 0xe5, 0xed, 0xee, 0xef, 0xfe] {
            #expect(plain([0xff, marker, 0, 3, 9]) == bare, "\(marker)")
            #expect(plain([0xff, marker, 1, 2] + [UInt8](repeating: 9, count: 256)) == bare, "a long one, \(marker)")
        }
        for marker: UInt8 in [0xc3, 0xc5, 0xd8, 0x01, 0x00] {
            #expect(plain([0xff, marker, 0, 3, 9]) == nil, "\(marker)")
        }
        let adobe: [UInt8] = [0xff, 0xee, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        #expect(plain(adobe) == Self.start + adobe + Self.scan + Self.end)
        let longer: [UInt8] = [0xff, 0xee, 0, 15] + Array(adobe.dropFirst(4)) + [9]
        #expect(plain(longer) == bare)
        #expect(plain([0xff, 0xff, 0xff, 0xfe, 0, 2]) == bare, "fill before a marker")
    }

    @Test("A file whose segments cannot be followed to the end of its picture is none")
    func damagedPictures() {
        let good = Self.start + Self.scan + Self.end
        #expect(AvatarPicture.plain(good + [1, 2, 3]) == good)
        for (index, byte) in [(0, 0xfe), (1, 0xd9), (2, 0x00)] as [(Int, UInt8)] {
            var file = good
            file[index] = byte
            #expect(AvatarPicture.plain(file) == nil, "byte \(index)")
        }
        for count in 0..<good.count { #expect(AvatarPicture.plain(Array(good.prefix(count))) == nil, "\(count) bytes") }
        #expect(plain([0]) == nil && plain([0xff, 0xdb, 0, 0]) == nil && plain([0xff, 0xdb, 0, 1]) == nil)
        #expect(AvatarPicture.plain(Self.start + [0xff, 0xdb, 0, 9, 1, 1, 1]) == nil)
        #expect(AvatarPicture.plain(Self.start + [0xff, 0xdb, 0, 3, 1] + Self.end) == nil, "no pixels")
    }

    @Test("Pixels end at a marker that is no restart")
    func pixels() {
        for second: UInt8 in [0x00, 0xd0, 0xd3, 0xd7] {
            let file = Self.start + Self.scan + [0xff, second, 3] + Self.end
            #expect(AvatarPicture.plain(file) == file, "\(second)")
        }
        for second: UInt8 in [0xd8, 0xcf, 0x01] {
            #expect(AvatarPicture.plain(Self.start + Self.scan + [0xff, second, 0, 2] + Self.end) == nil, "\(second)")
        }
    }

    @Test("A profile is read again as it was sealed, and has a name of 1 to 64 bytes")
    func profiles() throws {
        for profile in [
            FaceProfile(name: "林小满", avatar: [0xff, 0xd8, 1]), FaceProfile(name: "a", avatar: nil),
            FaceProfile(name: String(repeating: "a", count: 64), avatar: nil),
        ] { #expect(try FaceProfile(profile.bytes) == profile) }
        for name in ["", String(repeating: "a", count: 65)] {
            let bytes = FaceProfile(name: name, avatar: nil).bytes
            #expect(throws: VaultError.self) { try FaceProfile(bytes) }
        }
        #expect(FaceProfile(name: "a", avatar: [1, 2, 3]).avatarURL == "data:image/jpeg;base64,AQID")
        #expect(FaceProfile(name: "a", avatar: nil).avatarURL == nil)
    }

    @Test("A template has a version and 128 floats, and one of another length is none")
    func templates() throws {
        let bytes = FaceTemplate.bytes(FakeFace.embedding(1))
        #expect(bytes.count == 1 + 4 * FaceEmbedding.size)
        for wrong in [Array(bytes.dropLast()), bytes + [0], Array(bytes.prefix(1)), []] {
            #expect(throws: VaultError.self) { try FaceTemplate.embedding(wrong) }
        }
    }

    // MARK: - Attributes

    private func attributes(_ change: (inout FaceObservation) -> Void = { _ in }) -> FaceAttributeValues {
        var face = FakeFace.observation(FakeFace.embedding(1))
        change(&face)
        return FaceAttributeValues(face, policy: .standard, fields: FaceAttributeField.allCases)
    }

    @Test("A smile, a man, closed eyes and an open mouth begin beyond what divides them")
    func judgements() {
        let policy = FacePolicy.standard
        for (share, result) in [(policy.smile, 0), (policy.smile + 0.001, 1)] as [(Double, JSON)] {
            let values = attributes { $0.attributes?.expressions = [.happy: share] }
            #expect(values[.smiling]?["result"] == result)
        }
        for (share, result, score) in [(0.5, 0, "0.500"), (0.501, 1, "0.501"), (0.25, 0, "0.750")]
            as [(Double, JSON, String)]
        {
            let values = attributes { $0.attributes?.male = share }
            #expect(values[.male]?["result"] == result && values[.male]?["score"] == JSON.number(score))
        }
        for (opening, result) in [(policy.blink, 0), (policy.blink - 0.001, 1)] as [(Double, JSON)] {
            #expect(attributes { $0.eyes = opening }[.blink]?["result"] == result)
        }
        #expect(attributes { $0.eyes = nil }[.blink] == nil)
        let face = FakeFace.observation(FakeFace.embedding(1))
        for (difference, result) in [(0, 0), (0.001, 1)] as [(Double, JSON)] {
            var policy = FacePolicy.standard
            policy.mouthOpen = face.mesh.mouthOpening - difference
            let values = FaceAttributeValues(face, policy: policy, fields: [.mouthOpen])
            #expect(values[.mouthOpen]?["result"] == result)
        }
        let unmeasured = attributes { $0.attributes = nil }
        #expect(unmeasured[.smiling] == nil && unmeasured[.male] == nil && unmeasured[.age] == nil)
    }

    @Test(
        "A number has three places, whatever its sign, and what is none is 0",
        arguments: [
            (26.85, "26.850"), (0.005, "0.005"), (0.0625, "0.063"), (12, "12.000"), (-0.25, "-0.250"),
            (-1.5, "-1.500"), (.infinity, "0"), (.nan, "0"),
        ] as [(Double, String)])
    func numbers(value: Double, text: String) {
        #expect(attributes { $0.attributes?.age = value }[.age] == JSON.number(text))
    }

    @Test("A box is told by its four sides")
    func boxes() {
        let values = attributes { $0.box = FaceBox(left: -1.5, top: 50, width: 200, height: 240) }
        #expect(values[.position]?["left"] == JSON.number("-1.500"))
        #expect(values[.position]?["right"] == JSON.number("198.500"))
        #expect(values[.position]?["top"] == JSON.number("50.000"))
        #expect(values[.position]?["bottom"] == JSON.number("290.000"))
    }
}
