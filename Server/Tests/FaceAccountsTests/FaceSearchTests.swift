import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import FaceMatching
import Foundation
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import Requests

@Suite("Looking for a face in an app's own group") struct FaceSearchTests {
    static let capabilities: Set<Capability> = [.login, .verification, .face, .faceGroups]

    @Test("A find is an openId; a second factor of the same account makes it a login")
    func findsAndConfirms() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let session = try await world.looking(in: group)
            #expect(try await world.look(session) == first.openID)
            let login = try await world.finish(session, .remembered(first.remembered))
            #expect(login.openID == first.openID)
            #expect(try await world.user(login.grant.accessToken).openID == first.openID)
            let again = try await world.looking(in: group)
            #expect(try await world.look(again) == first.openID)
            let byToken = try await world.finish(again, .oneTap(try await world.token()))
            #expect(byToken.openID == first.openID)
        }
    }

    @Test("A find alone buys nothing, and a second factor without a find neither")
    func neverTheOnlyFactor() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let session = try await world.looking(in: group)
            let early = try await refusal { _ = try await world.finish(session, .remembered(first.remembered)) }
            #expect(early == .faceSessionIncomplete)
            _ = try await world.look(session)
            #expect(try await refusal { _ = try await world.finish(session, nil) } == .faceSessionIncomplete)
            #expect(
                try await refusal { _ = try await world.finish(session, .access(first.grant.accessToken)) }
                    == .faceSessionIncomplete)
            #expect(try await refusal { _ = try await world.look(session) } == .faceSessionInvalid)
            // The same session still takes the right one.
            _ = try await world.finish(session, .remembered(first.remembered))
            // Another person's face in front of the camera of the install that remembers the account.
            let stranger = try await world.looking(in: group, as: FaceWorld.stranger)
            #expect(try await world.look(stranger) == nil)
            #expect(
                try await refusal { _ = try await world.finish(stranger, .remembered(first.remembered)) }
                    == .faceSessionIncomplete)
        }
    }

    @Test("A search more than may run at once is refused, and is not counted as the session's one")
    func crowd() async throws {
        try await withFaceWorld(
            capabilities: Self.capabilities, configured: { $0.searchesAtOnce = 0 },
            { world in
                let first = try await world.enrolForGroups()
                let session = try await world.looking(in: try await world.group(of: [first.openID]))
                for _ in 0..<2 { #expect(try await refusal { _ = try await world.look(session) } == .overloaded) }
            })
    }

    /// A server that takes a find for a login: any face that resembles one of many logs in as that one.
    @Test("A server that takes a find for a login lets in whoever is alike enough")
    func naiveLogin() {
        var gallery = FaceGallery<String>()
        for person in UInt8(1)...100 { gallery.add(FakeFace.embedding(person), id: "open-\(person)") }
        let lookalike = FaceSearchTests.mixture(of: 7, 0.6, 120)
        #expect(gallery.search(lookalike, least: FacePolicy.standard.identification).first?.id == "open-7")
    }

    @Test("NOT STOPPED: whoever may search learns the openId of somebody in the group from a face that is alike")
    func namedByLooks() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let begun = try await world.searchBegin(group)
            try await world.agree(begun)
            let alike = FakeFace.picture(like: FaceWorld.owner, similarity: FacePolicy.standard.identification + 0.01)
            _ = try await world.show(alike, in: begun.session)
            #expect(try await world.look(begun.session) == first.openID)
        }
    }

    @Test("A key's frames are nobody's before a challenge and after its session, a search's, or those of a number")
    func standings() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let key = try world.world.call().proof.key.thumbprint
            #expect(world.faces.frameStanding(of: key) == .none)
            let first = try await world.enrolForGroups()
            #expect(world.faces.frameStanding(of: key) == .known(world.world.subscription.subscription))
            let group = try await world.group(of: [first.openID])
            let begun = try await world.searchBegin(group)
            try await world.agree(begun)
            let call = try world.world.call()
            _ = try await world.faces.challenge(FaceChallengeRequest(session: begun.session), from: call)
            #expect(world.faces.frameStanding(of: key) == .stranger)
            #expect(world.faces.frameStanding(of: "another key") == .none)
            world.world.clock.advance(by: .seconds(600))
            #expect(world.faces.frameStanding(of: key) == .none)
        }
    }

    @Test("A second factor of another account ends the session and issues nothing")
    func anotherAccount() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrolForGroups()
            let other = try await world.enrolOther()
            let group = try await world.group(of: [first.openID, other.openID])
            // The first person's face, on the install that remembers the other account.
            let session = try await world.looking(in: group)
            #expect(try await world.look(session) == first.openID)
            #expect(
                try await refusal { _ = try await world.finish(session, .remembered(other.remembered)) } == .faceDiffers
            )
            #expect(
                try await refusal { _ = try await world.finish(session, .remembered(first.remembered)) }
                    == .faceSessionInvalid)
        }
    }

    @Test("A find is compared with the one account as in every login: a face that only one frame shows is not let in")
    func comparedOneToOne() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in configuration.comparisons = 2 }
        try await withFaceWorld(capabilities: Self.capabilities, configured: configured) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            for _ in 0..<2 {
                // The best frame is the owner's, another one is another person's.
                let begun = try await world.searchBegin(group)
                try await world.agree(begun)
                let pictures = [FaceWorld.owner, FaceWorld.stranger].map { FakeFace.picture($0) }
                try await world.show(pictures, in: begun.session)
                #expect(
                    try await world.look(begun.session) == first.openID, "what a server would have that asks no more")
                let refused = try await refusal {
                    _ = try await world.finish(begun.session, .remembered(first.remembered))
                }
                #expect(refused == .faceDiffers)
                #expect(
                    try await refusal { _ = try await world.finish(begun.session, .remembered(first.remembered)) }
                        == .faceSessionInvalid)
            }
            // They count as faces of others, for every way in.
            #expect(try await refusal { _ = try await world.restarted().logIn(first.remembered) } == .tooManyRequests)
        }
    }

    @Test("An account before which too many wrong faces were shown is shut to a search too")
    func locked() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in configuration.comparisons = 2 }
        try await withFaceWorld(capabilities: Self.capabilities, configured: configured) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let begun = try await world.begin(.login, .remembered(first.remembered))
            for _ in 0..<2 { try await world.show(FaceWorld.stranger, in: begun.session) }
            let other = world.restarted()
            let session = try await other.looking(in: group)
            // A find is no comparison with the account: a server that stops there lets the search in.
            #expect(try await other.look(session) == first.openID)
            #expect(
                try await refusal { _ = try await other.finish(session, .remembered(first.remembered)) }
                    == .tooManyRequests)
            #expect(
                try await refusal { _ = try await other.finish(session, .remembered(first.remembered)) }
                    == .faceSessionInvalid)
            world.world.clock.advance(by: .seconds(601))
            let later = world.restarted()
            let again = try await later.looking(in: group)
            #expect(try await later.look(again) == first.openID)
            _ = try await later.finish(again, .remembered(first.remembered))
        }
    }

    @Test("Nobody is found who has not agreed to it, is in another group, has left or was put back by the app")
    func onlyThoseWhoAgreed() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in configuration.searches = 100 }
        try await withFaceWorld(capabilities: Self.capabilities, configured: configured) { world in
            let silent = try await world.enrol()
            let group = try await world.group(of: [silent.openID])
            func found() async throws -> String? { try await world.look(try await world.looking(in: group)) }
            #expect(try await found() == nil)
            // The yes comes with a later login.
            let begun = try await world.begin(.login, .remembered(silent.remembered))
            try await world.show(FaceWorld.owner, in: begun.session)
            let agreed = try await world.finishAgreeing(begun)
            #expect(try await found() == agreed.openID)
            let elsewhere = try await world.group(of: [])
            #expect(try await world.look(try await world.looking(in: elsewhere)) == nil)
            // Agreed and found, then gone before the second factor.
            let session = try await world.looking(in: group)
            #expect(try await world.look(session) == agreed.openID)
            try await world.faces.leaveGroups(
                try await world.access(agreed.grant.accessToken), from: try world.world.call())
            #expect(
                try await refusal { _ = try await world.finish(session, .remembered(agreed.remembered)) }
                    == .notAuthorized)
            // An unknown group loses no member.
            for unknown in [String(repeating: "0", count: 32), group + "0"] {
                #expect(
                    try await refusal {
                        try await world.faces.removeMember(agreed.openID, from: unknown, for: world.serverCall())
                    } == .groupUnknown)
            }
            // Being put in again by the app is no yes of the person's.
            try await world.faces.addMember(agreed.openID, to: group, for: world.serverCall())
            #expect(try await found() == nil)
        }
    }

    /// A server that searches every template it keeps: the groups have no effect.
    @Test("A search over all templates finds people of other groups and those who left")
    func naiveSearch() {
        struct NaiveSearch {
            var gallery = FaceGallery<String>()
            func find(_ face: FaceEmbedding, in _: String) -> String? {
                gallery.search(face, least: FacePolicy.standard.identification).first?.id
            }
        }
        var naive = NaiveSearch()
        naive.gallery.add(FakeFace.embedding(FaceWorld.owner), id: "left long ago")
        #expect(naive.find(FakeFace.embedding(FaceWorld.owner), in: "another group") == "left long ago")
    }

    @Test("The yes to being found is bound to the session and to its own version")
    func consent() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrol()
            let begun = try await world.begin(.login, .remembered(first.remembered))
            let groups = try #require(begun.groups)
            try await world.show(FaceWorld.owner, in: begun.session)
            for wrong in [
                try world.consent(to: begun, version: "7-app", links: [], text: groups.appName),
                try world.consent(to: begun, version: groups.version, links: [], text: "somebody"),
                try world.consent(
                    to: try await world.begin(.login, .remembered(first.remembered)), version: groups.version,
                    links: [], text: groups.appName),
            ] {
                let found = try await refusal {
                    _ = try await world.faces.finish(
                        FaceFinishRequest(session: begun.session, groups: wrong), from: try world.world.call())
                }
                #expect(found == .consentInvalid)
            }
            let agreed = try await world.finishAgreeing(begun)
            #expect(try await world.begin(.login, .remembered(agreed.remembered)).groups == nil, "asked again")
        }
    }

    @Test("A person is told which groups they are in and whether they agreed; an app without groups tells nothing")
    func standing() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrol()
            func groups() async throws -> FaceGroupStanding? {
                try await world.user(first.grant.accessToken).groups
            }
            #expect(try await groups() == FaceGroupStanding(isAgreed: false, names: []))
            _ = try await world.group(of: [first.openID])
            #expect(try await groups() == FaceGroupStanding(isAgreed: false, names: ["g"]))
            let begun = try await world.begin(.login, .remembered(first.remembered))
            try await world.show(FaceWorld.owner, in: begun.session)
            _ = try await world.finishAgreeing(begun)
            #expect(try await groups() == FaceGroupStanding(isAgreed: true, names: ["g"]))
            try await world.faces.leaveGroups(
                try await world.access(first.grant.accessToken), from: try world.world.call())
            #expect(try await groups() == FaceGroupStanding(isAgreed: false, names: []))
            _ = try await world.accounts.opt(world.app.record.id, in: [.face], by: .test)
            #expect(try await groups() == nil)
        }
    }

    @Test("A group is searched by its own app alone, with its capability, consent and challenge")
    func ownGroupsOnly() async throws {
        try await withFaceWorld(capabilities: Self.capabilities) { world in
            let first = try await world.enrolForGroups()
            var registration = Apps.Registration(name: "Other")
            registration.bundleIDs = [AuthorityWorld.bundle]
            registration.capabilities = [.face, .faceGroups]
            registration.serverAddresses = ["203.0.113.0/24"]
            let other = try await world.world.authority.apps.register(registration)
            let theirs = try await world.faces.createGroup(name: "o", tag: "", info: "{}", for: world.serverCall(other))
            let token = try await world.appToken()
            #expect(
                try await refusal {
                    _ = try await world.faces.searchBegin(
                        FaceSearchBeginRequest(appToken: token, group: theirs.id), from: try world.world.call())
                } == .groupUnknown)
            let group = try await world.group(of: [first.openID])
            let foreign = try await world.appToken(other)
            #expect(
                try await refusal {
                    _ = try await world.faces.searchBegin(
                        FaceSearchBeginRequest(appToken: foreign, group: group), from: try world.world.call())
                } == .groupUnknown)
            let bare = try await world.faces.searchBegin(
                FaceSearchBeginRequest(appToken: token, group: group), from: try world.world.call())
            #expect(try await refusal { _ = try await world.look(bare.session) } == .faceSessionIncomplete)
            #expect(
                try await refusal { try await world.show(FaceWorld.owner, in: bare.session) } == .consentMissing)
            _ = try await world.accounts.opt(world.app.record.id, in: [.face], by: .test)
            #expect(
                try await refusal { _ = try await world.looking(in: group) } == .capabilityMissing)
        }
    }

    @Test("Searches of one install are limited over all sessions")
    func limits() async throws {
        let configured = { (configuration: inout FaceProvider.Configuration) in configuration.searches = 2 }
        try await withFaceWorld(capabilities: Self.capabilities, configured: configured) { world in
            let group = try await world.group(of: [])
            for _ in 0..<2 { _ = try await world.look(try await world.looking(in: group)) }
            #expect(try await refusal { _ = try await world.looking(in: group) } == .tooManyRequests)
        }
    }

    @Test("Of two people who are alike none is found, nor anybody below the threshold")
    func margin() {
        var gallery = FaceGallery<Int>()
        gallery.add(FakeFace.embedding(1), id: 1)
        gallery.add(FakeFace.embedding(2), id: 2)
        #expect(gallery.only(FakeFace.embedding(1), policy: .standard)?.id == 1)
        #expect(gallery.only(Self.mixture(of: 1, 1, 2), policy: .standard) == nil)
        #expect(gallery.only(FakeFace.embedding(3), policy: .standard) == nil)
        // The first alone would be near enough: it is the other who makes it doubtful.
        var alone = FaceGallery<Int>()
        alone.add(FakeFace.embedding(1), id: 1)
        #expect(alone.only(Self.mixture(of: 1, 1, 2), policy: .standard)?.id == 1)
    }

    /// Between two people: so much of the first, the rest of the second.
    static func mixture(of first: UInt8, _ share: Float, _ second: UInt8) -> FaceEmbedding {
        var values = [Float](repeating: 0.001, count: FaceEmbedding.size)
        values[Int(first)] = share
        values[Int(second)] = 1
        if share == 1 { values[Int(second)] = 0.99 }
        return FaceEmbedding(values)!
    }
}

extension FaceWorld {
    func finishAgreeing(_ begun: FaceBeginResponse, name: String? = nil) async throws -> FaceFinishResponse {
        try await faces.finish(
            FaceFinishRequest(
                session: begun.session, name: name, authorization: try authorization(for: begun),
                groups: try begun.groups.map {
                    try consent(to: begun, version: $0.version, links: [], text: "允许在 \($0.appName) 的群组中被找到")
                }), from: try world.call())
    }

    func enrolForGroups() async throws -> FaceFinishResponse {
        let begun = try await begin(.login, .oneTap(try await token()))
        try await agree(begun)
        try await show(Self.owner, in: begun.session)
        return try await finishAgreeing(begun, name: "林小满")
    }

    /// Enrols another number's holder, with the face `FaceWorld.stranger`, on the same phone.
    func enrolOther() async throws -> FaceFinishResponse {
        let other = try await world.register.observe([
            SubscriberObservation(
                number: AuthorityWorld.otherNumber, imsi: "460000000000002", carrier: .mobile,
                eventTime: world.clock.now)
        ])[0]!
        func call() throws -> DeviceCall { try world.call(sighting: .success(world.sighting(other)), attested: true) }
        let page = try await world.prefetch(try call())
        let token = try await world.authorize(page.scrip, consent: try world.consent(to: page), device: try call())
        let begun = try await begin(.login, .oneTap(token.token))
        try await agree(begun)
        try await show(Self.stranger, in: begun.session)
        return try await finishAgreeing(begun, name: "周大寒")
    }

    func group(of people: [String]) async throws -> String {
        let group = try await faces.createGroup(name: "g", tag: "", info: "{}", for: serverCall())
        for openID in people { try await faces.addMember(openID, to: group.id, for: serverCall()) }
        return group.id
    }

    /// A search whose challenge is passed.
    func looking(in group: String, as person: UInt8 = owner) async throws -> String {
        let begun = try await searchBegin(group)
        try await agree(begun)
        try await show(person, in: begun.session)
        return begun.session
    }

    func searchBegin(_ group: String) async throws -> FaceSearchBeginResponse {
        try await faces.searchBegin(
            FaceSearchBeginRequest(appToken: try await appToken(), group: group), from: try world.call())
    }

    func agree(_ begun: FaceSearchBeginResponse) async throws {
        let now = world.clock.now
        let content = ConsentContent(
            drawnBy: .benji, language: "zh-Hans", policyVersion: begun.terms.version,
            texts: [.init(.title, "同意使用人脸"), .init(.loginButton, "同意")],
            links: [.init(title: begun.terms.title, url: begun.terms.url)], initiallyTicked: false)
        let record = ConsentRecord(
            appID: app.record.id, trace: begun.trace, scrip: begun.session, nonce: begun.nonce, content: content,
            sceneDigest: nil, shownAt: now, tickedAt: now, tappedAt: now)
        try await faces.consent(
            FaceConsentRequest(session: begun.session, consent: try record.signed(by: phone)), from: try world.call())
    }

    func look(_ session: String) async throws -> String? {
        try await faces.search(FaceSearchRequest(session: session), from: try world.call()).candidate
    }

    func finish(_ session: String, _ confirmation: FaceIdentity?) async throws -> FaceFinishResponse {
        try await faces.finish(
            FaceFinishRequest(session: session, confirmation: confirmation), from: try world.call())
    }
}
