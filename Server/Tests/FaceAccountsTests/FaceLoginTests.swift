import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

@Suite("Logging in by face") struct FaceLoginTests {
    @Test("A first use enrols: number, consent, face, profile and authorisation make an account and a login")
    func firstUse() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            #expect(begun.isNewAccount && begun.needs == FaceNeed.allCases)
            #expect(begun.maskedNumber == "138****0001")
            #expect(begun.terms == FaceWorld.terms && begun.authorization?.appName == "Shop")
            try await world.agree(begun)
            #expect(try await world.show(FaceWorld.owner, in: begun.session) == .passed(nil))
            let login = try await world.finish(begun, name: "林小满")
            #expect(login.userInfo.name == "林小满" && login.userInfo.phone == "138****0001")
            #expect(login.isRandomUID && login.uid.count == 32)
            #expect(try await world.user(login.grant.accessToken).uid == login.uid)
            let counts = try await world.accounts.counts()
            #expect(counts == FaceCounts(accounts: 1, frozen: 0, bindings: 1))
        }
    }

    @Test("A person's name that turns its direction or has invisible characters is refused, and makes no account")
    func names() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            try await world.show(FaceWorld.owner, in: begun.session)
            for name in ["林\u{202e}小满", "林\u{200b}小满", "林\u{7}小满", "林\n小满"] {
                #expect(try await refusal { _ = try await world.finish(begun, name: name) } == .parameterInvalid)
            }
            #expect(try await world.accounts.counts().accounts == 0)
            #expect(try await world.finish(begun, name: "林小满").userInfo.name == "林小满")
        }
    }

    @Test("Later the install remembers the account and the face is all that is needed; the uid stays")
    func remembered() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(first.remembered))
            #expect(!begun.isNewAccount && begun.needs == [.face] && begun.terms == nil)
            try await world.show(FaceWorld.owner, in: begun.session)
            let second = try await world.finish(begun)
            #expect(second.uid == first.uid && second.openID == first.openID)
            #expect(try await refusal { _ = try await world.logIn(first.remembered) } == .rememberedAccountInvalid)
            _ = try await world.logIn(second.remembered)
        }
    }

    @Test("One tap leads to the same account, and one to one")
    func oneTapAgain() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            #expect(!begun.isNewAccount && begun.needs == [.face])
            try await world.show(FaceWorld.owner, in: begun.session)
            #expect(try await world.finish(begun).openID == first.openID)
        }
    }

    @Test("Another person's face is refused, as often as a session has attempts")
    func stranger() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(first.remembered))
            for left in [2, 1, 0] as [Int64] {
                let answer = try await world.show(FaceWorld.stranger, in: begun.session)
                #expect(
                    answer
                        == .failed(
                            .init(
                                situation: .faceDiffers, sentence: left > 0 ? "other_person" : "no_attempts_left",
                                attemptsLeft: left)))
            }
            #expect(try await refusal { try await world.show(FaceWorld.owner, in: begun.session) } == .challengeFailed)
            #expect(try await refusal { _ = try await world.finish(begun) } == .faceSessionIncomplete)
        }
    }

    @Test(
        """
        A face that is a thousandth too little alike is another person's, in a login, a verification and for attributes
        """,
        arguments: [FacePurpose.login, .verify, .attributes])
    func threshold(purpose: FacePurpose) async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let threshold = FacePolicy.standard.verification
            for (similarity, isOwner) in [(threshold - 0.001, false), (threshold + 0.001, true)] {
                let picture = FakeFace.picture(like: FaceWorld.owner, similarity: similarity)
                let begun = try await world.begin(
                    purpose, purpose.isLogin ? .remembered(first.remembered) : .access(first.grant.accessToken))
                switch try await world.show(picture, in: begun.session) {
                case .passed: #expect(isOwner, "\(similarity)")
                case .failed(let failure): #expect(!isOwner && failure.situation == .faceDiffers, "\(similarity)")
                case .more: Issue.record("no answer at \(similarity)")
                }
            }
        }
    }

    @Test("Comparisons with one account are limited over all sessions, so that nobody tries faces until one fits")
    func comparisons() async throws {
        try await withFaceWorld(
            configured: { $0.comparisons = 4 },
            { world in
                let first = try await world.enrol()
                for _ in 0..<2 {
                    let begun = try await world.begin(.login, .remembered(first.remembered))
                    for _ in 0..<2 { try await world.show(FaceWorld.stranger, in: begun.session) }
                }
                #expect(try await refusal { _ = try await world.logIn(first.remembered) } == .tooManyRequests)
                world.world.clock.advance(by: .seconds(601))
                _ = try await world.logIn(first.remembered)
            })
    }

    @Test("Faces of others before one account are counted over all processes and restarts")
    func comparisonsOfProcesses() async throws {
        try await withFaceWorld(
            configured: { $0.comparisons = 4 },
            { world in
                let first = try await world.enrol()
                // Two nodes of an authority, each with its own memory. A third one starts afterwards.
                for node in [world, world.restarted()] {
                    let begun = try await node.begin(.login, .remembered(first.remembered))
                    for _ in 0..<2 { try await node.show(FaceWorld.stranger, in: begun.session) }
                }
                let third = world.restarted()
                let begun = try await third.begin(.login, .remembered(first.remembered))
                #expect(
                    try await refusal { try await third.show(FaceWorld.stranger, in: begun.session) }
                        == .tooManyRequests)
                // The right face is refused too, so that the limit reveals nothing.
                #expect(try await refusal { _ = try await third.logIn(first.remembered) } == .tooManyRequests)
                world.world.clock.advance(by: .seconds(601))
                _ = try await world.restarted().logIn(first.remembered)
            })
    }

    @Test("Faces of others before one account are counted over a day too, and a double with ten minutes takes more")
    func dailyFaces() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in
            configuration.comparisons = 3
            configuration.dailyFaces = 4
        }
        try await withFaceWorld(configured: configured) { world in
            let first = try await world.enrol()
            func shown(_ count: Int) async throws {
                let begun = try await world.begin(.login, .remembered(first.remembered))
                for _ in 0..<count { try await world.show(FaceWorld.stranger, in: begun.session) }
            }
            try await shown(2)
            world.world.clock.advance(by: .seconds(601))
            try await shown(2)
            world.world.clock.advance(by: .seconds(601))
            #expect(try await refusal { try await shown(1) } == .tooManyRequests)
            #expect(try await refusal { _ = try await world.restarted().logIn(first.remembered) } == .tooManyRequests)
            world.world.clock.advance(by: .seconds(86400 - 1202))
            _ = try await world.restarted().logIn(first.remembered)
        }
        let double = RateLimiter(limit: 3, window: .seconds(600), capacity: 10)
        let moments = [0, 0, 601, 601, 1202].map { TestClock.document.now + .seconds($0) }
        #expect(moments.allSatisfy { double.admits("account", now: $0) })
    }

    @Test("A limit in each process's memory lets as many times more faces through as there are processes")
    func naiveProcesses() {
        let now = TestClock.document.now
        let nodes = (0..<3).map { _ in RateLimiter(limit: 4, window: .seconds(600), capacity: 10) }
        let shown = nodes.map { node in (0..<10).count { _ in node.admits("account", now: now) } }.reduce(0, +)
        #expect(shown == 12)
    }

    @Test("An account's sessions that take no one-tap token are limited, so that nobody fills the table with them")
    func begins() async throws {
        try await withFaceWorld(
            configured: { $0.begins = 3 },
            { world in
                let first = try await world.enrol()
                for _ in 0..<2 { _ = try await world.begin(.login, .remembered(first.remembered)) }
                _ = try await world.begin(.verify, .access(first.grant.accessToken))
                for (purpose, identity) in [
                    (.login, .remembered(first.remembered)), (.attributes, .access(first.grant.accessToken)),
                ] as [(FacePurpose, FaceIdentity)] {
                    #expect(try await refusal { _ = try await world.begin(purpose, identity) } == .tooManyRequests)
                }
                _ = try await world.begin(.login, .oneTap(try await world.token()))
                world.world.clock.advance(by: .seconds(599))
                #expect(
                    try await refusal { _ = try await world.begin(.login, .remembered(first.remembered)) }
                        == .tooManyRequests)
                world.world.clock.advance(by: .seconds(1))
                _ = try await world.begin(.login, .remembered(first.remembered))
            })
    }

    @Test("No frame is looked at before the person has agreed to the face's use")
    func consentFirst() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            #expect(try await refusal { try await world.show(FaceWorld.owner, in: begun.session) } == .consentMissing)
        }
    }

    @Test("A new version of the terms asks for a new consent at the next login")
    func newTerms() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            var configuration = world.faces.configuration
            configuration.terms.version = "8"
            let later = FaceProvider(
                configuration: configuration, authority: world.world.authority, store: world.world.store,
                analyzer: FakeAnalyzer(),
                challenges: FakeChallenges(clock: world.world.clock))
            let call = try world.world.call()
            let token = try await later.appToken(
                FaceAppTokenRequest(
                    appID: world.app.record.id, bundleID: AuthorityWorld.bundle,
                    appKeyProof: AppKeyProof.make(
                        appKey: world.app.key.reveal(), appID: world.app.record.id, proofID: call.proof.id,
                        keyThumbprint: call.proof.key.thumbprint)), from: call)
            let begun = try await later.begin(
                FaceBeginRequest(
                    appToken: token.appToken, purpose: .login, identity: .remembered(first.remembered), language: "en"),
                from: try world.world.call())
            #expect(begun.needs == [.consent, .face])
            #expect(begun.groups?.version == "8-groups", "a yes under the terms of before is none")
            // Nothing else looks at the face before that consent.
            for purpose in [FacePurpose.verify, .attributes] {
                let request = FaceBeginRequest(
                    appToken: token.appToken, purpose: purpose, identity: .access(first.grant.accessToken),
                    language: "en")
                #expect(
                    try await refusal { _ = try await later.begin(request, from: try world.world.call()) }
                        == .consentMissing)
            }
        }
    }

    @Test(
        "A number that the app names must be the account's, and of mainland China",
        arguments: [
            ("13800000001", nil), ("13900000002", .numberDiffers), ("+12025550123", .numberNotMainland),
            ("no number", .numberNotMainland), ("15400000001", .numberNotMainland),
        ] as [(String, Situation?)])
    func phone(number: String, expected: Situation?) async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            let found = try await refusal {
                _ = try await world.begin(.login, .remembered(first.remembered), phone: number)
            }
            #expect(found == expected)
        }
    }

    @Test("When the number gets a new owner the account is gone, and its new owner enrols anew")
    func newOwner() async throws {
        try await withFaceWorld { world in
            let first = try await world.enrol()
            _ = try await world.world.register.reassign(AuthorityWorld.number, at: world.world.clock.now)
            #expect(try await refusal { _ = try await world.logIn(first.remembered) } == .rememberedAccountInvalid)
            #expect(try await refusal { _ = try await world.user(first.grant.accessToken) } != nil)
            try await world.world.authority.deleteExpired()
            #expect(try await world.accounts.counts().accounts == 0)
        }
    }

    @Test("A picture loses what stands between its scans and after its end, and of Adobe's segment what is not Adobe's")
    func avatarOfSeveralScans() {
        let start: [UInt8] = [0xff, 0xd8]
        let secret: [UInt8] = [0xff, 0xe1, 0, 6] + Array("GPS!".utf8)
        let comment: [UInt8] = [0xff, 0xfe, 0, 4] + Array("hi".utf8)
        let tables: [UInt8] = [0xff, 0xdb, 0, 3, 1]
        let adobe: [UInt8] = [0xff, 0xee, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        // Pixels may hold 0xff before a zero, and restarts.
        let scan: [UInt8] = [0xff, 0xda, 0, 2, 1, 0xff, 0, 0xe1, 0xff, 0xd0, 2]
        let end: [UInt8] = [0xff, 0xd9]
        let plain = start + adobe + tables + scan + tables + scan + end
        let other = start + secret + tables + scan + end
        #expect(
            AvatarPicture.plain(
                start + secret + adobe + tables + scan + secret + comment + tables + scan + [0xff] + end + other)
                == plain)
        for wrong in [Array("Adobe".utf8) + Array("GPS here".utf8), Array("GPS, and more".utf8.prefix(12))] {
            let segment = [0xff, 0xee, 0, UInt8(wrong.count + 2)] + wrong
            #expect(AvatarPicture.plain(start + segment + tables + scan + end) == start + tables + scan + end)
        }
        for broken in [start + tables + end, start + tables + scan, start + tables + scan + [0xff, 0xe1, 0xff]] {
            #expect(AvatarPicture.plain(broken) == nil)
        }
    }

    @Test("A picture of the person is kept without what its file says besides")
    func avatar() async throws {
        let segments: [[UInt8]] = [
            [0xff, 0xd8], [0xff, 0xe1, 0, 6, 0x47, 0x50, 0x53, 0x21], [0xff, 0xdb, 0, 3, 1],
            [0xff, 0xfe, 0, 4, 0x68, 0x69], [0xff, 0xda, 0, 2], [1, 2, 3], [0xff, 0xd9],
        ]
        let plain: [UInt8] = [0xff, 0xd8, 0xff, 0xdb, 0, 3, 1, 0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]
        #expect(AvatarPicture.plain(segments.flatMap { $0 }) == plain)
        let broken: [[UInt8]] = [
            [], [0xff, 0xd8], [0x89, 0x50, 0x4e, 0x47, 0xff, 0xd9], [0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0xff, 0xd9],
        ]
        for file in broken {
            #expect(AvatarPicture.plain(file) == nil)
        }
        try await withFaceWorld { world in
            let login = try await world.enrol(avatar: segments.flatMap { $0 })
            #expect(login.userInfo.avatar?.hasPrefix("data:image/jpeg;base64,") == true)
        }
    }

    @Test("Without models everything says that face login is not available")
    func unavailable() async throws {
        let world = try await FaceWorld(unavailability: "there is no model")
        #expect(try await refusal { _ = try await world.appToken() } == .faceUnavailable)
        _ = try await world.world.token()
        await world.end()
    }

    @Test("An app that was not opted in gets nothing")
    func notOptedIn() async throws {
        try await withFaceWorld(capabilities: [.login, .verification]) { world in
            #expect(try await refusal { _ = try await world.appToken() } == .capabilityMissing)
            let record = try await world.accounts.opt(world.app.record.id, in: [.faceGroups], by: .test)
            #expect(record.capabilities == [.login, .verification, .face, .faceGroups])
            _ = try await world.appToken()
            _ = try await world.accounts.opt(world.app.record.id, in: nil, by: .test)
            #expect(try await refusal { _ = try await world.appToken() } == .capabilityMissing)
        }
    }
}
