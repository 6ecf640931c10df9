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

/// The trace is kept in the store, so whatever may be sent again and again must not write to it.
@Suite("What face login writes down of those whom it refuses") struct FaceTraceTests {
    @Test("An outsider with the copied app key and a group's id writes nothing, whatever he sends and however often")
    func outsider() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let before = try await world.world.rows()
            let begun = try await world.searchBegin(group)
            for _ in 0..<50 {
                try await world.agree(begun)
                #expect(
                    try await refusal {
                        _ = try await world.faces.finish(
                            FaceFinishRequest(session: begun.session), from: try world.world.call())
                    } == .faceSessionIncomplete)
                #expect(
                    try await refusal {
                        _ = try await world.faces.search(
                            FaceSearchRequest(session: begun.session), from: try world.world.call())
                    } == .faceSessionIncomplete)
            }
            try await world.show(0, in: begun.session)
            try await world.show(FaceWorld.stranger, in: begun.session)
            #expect(try await world.look(begun.session) == nil)
            #expect(try await world.world.rows() == before)
        }
    }

    @Test("A subscriber's refusals are traced sixty times in ten minutes, and a yes once")
    func subscriber() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            let before = try await world.world.rows().traces
            for _ in 0..<100 {
                try await world.agree(begun)
                #expect(
                    try await refusal {
                        _ = try await world.faces.finish(
                            FaceFinishRequest(session: begun.session), from: try world.world.call())
                    } == .faceSessionIncomplete)
            }
            #expect(try await world.world.rows().traces == before + 61)
        }
    }

    @Test("The trace of a search that became a login tells what came before it, and no more than twelve steps of it")
    func search() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            for refusals in [0, 20] {
                let begun = try await world.searchBegin(group)
                for _ in 0..<refusals {
                    #expect(
                        try await refusal { _ = try await world.finish(begun.session, nil) } == .faceSessionIncomplete)
                }
                try await world.agree(begun)
                try await world.show(FaceWorld.owner, in: begun.session)
                #expect(try await world.look(begun.session) == first.openID)
                #expect(try await world.world.store.traceEvents(begun.trace).isEmpty, "nobody knows yet whose it is")
                _ = try await world.finish(begun.session, .oneTap(try await world.token()))
                let steps = try await world.world.store.traceEvents(begun.trace).map(\.step)
                #expect(steps.last == "face.finish")
                if refusals == 0 {
                    #expect(steps == ["face.search", "face.consent", "face.challenge", "face.search", "face.finish"])
                } else {
                    #expect(steps.count == 13)
                }
            }
        }
    }

    /// The steps of face login in a trace, a line each.
    private func steps(_ world: FaceWorld, _ trace: TraceID) async throws -> [String] {
        try await world.world.store.traceEvents(trace).filter { $0.step.hasPrefix("face.") }.map { event in
            "\(event.party.rawValue) \(event.step) \(event.situation.rawValue): \(event.detail)"
        }
    }

    @Test("The trace of a login tells each step of it, refused ones too, and with the last one whose it is")
    func steps() async throws {
        try await withFaceWorld { world in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            for _ in 0..<2 { try await world.agree(begun) }
            try await world.show(0, in: begun.session)
            try await world.show(FaceWorld.owner, in: begun.session)
            #expect(try await refusal { _ = try await world.finish(begun) } == .faceSessionIncomplete)
            let login = try await world.finish(begun, name: "林小满")
            #expect(login.trace == begun.trace)
            #expect(
                try await steps(world, begun.trace) == [
                    "authority face.begin success: login, a new account", "device face.consent success: given",
                    "authority face.challenge face_not_found: face_lost", "authority face.challenge success: passed",
                    "authority face.finish face_session_incomplete: $.name: missing",
                    "authority face.finish success: enrolled",
                ])
            let whose = world.world.subscription
            let last = try await world.world.store.traceEvents(begun.trace).last
            #expect(
                last?.login
                    == TraceEvent.Login(
                        app: world.app.record.id, subscription: whose.subscription, epoch: whose.epoch))
            let again = try await world.begin(.login, .remembered(login.remembered))
            try await world.show(FaceWorld.stranger, in: again.session)
            try await world.show(FaceWorld.owner, in: again.session)
            _ = try await world.finish(again)
            #expect(
                try await steps(world, again.trace) == [
                    "authority face.begin success: login, a known account",
                    "authority face.challenge face_differs: other_person",
                    "authority face.challenge success: passed", "authority face.finish success: logged in",
                ])
        }
    }

    @Test("A verification and a look for attributes are traced to their end")
    func otherPurposes() async throws {
        try await withFaceWorld { world in
            let access = FaceIdentity.access(try await world.enrol().grant.accessToken)
            for (purpose, end) in [
                (.verify, "face.challenge success: passed"), (.attributes, "face.attributes success: read"),
            ] as [(FacePurpose, String)] {
                let begun = try await world.begin(purpose, access)
                try await world.show(FaceWorld.owner, in: begun.session)
                #expect(
                    try await steps(world, begun.trace) == [
                        "authority face.begin success: \(purpose.rawValue), a known account", "authority \(end)",
                    ])
            }
        }
    }

    @Test(
        "A session that is refused at its beginning names its trace, as long as refusals of the subscriber are traced")
    func refusedBegin() async throws {
        let configured: (inout FaceProvider.Configuration) -> Void = { $0.begins = 100 }
        try await withFaceWorld(configured: configured) { world in
            let login = try await world.enrol()
            let token = try await world.appToken()
            func trace() async throws -> TraceID? {
                let request = FaceBeginRequest(
                    appToken: token, purpose: .login, identity: .remembered(login.remembered), phone: "13900000002",
                    language: "en")
                do {
                    _ = try await world.faces.begin(request, from: try world.world.call())
                    return nil
                } catch let refusal as Refusal {
                    #expect(refusal.situation == .numberDiffers)
                    return refusal.trace
                }
            }
            let traced = try #require(try await trace())
            #expect(
                try await steps(world, traced) == [
                    "authority face.begin number_differs: $.phone: is not the number of the account"
                ])
            for _ in 1..<60 { #expect(try await trace() != nil) }
            #expect(try await trace() == nil)
        }
    }

    @Test("Each step of a search is counted once for charts, when it happens, also where it becomes a login")
    func counts() async throws {
        try await withFaceWorld(capabilities: FaceSearchTests.capabilities) { world in
            let first = try await world.enrolForGroups()
            let group = try await world.group(of: [first.openID])
            let token = try await world.token()
            try await RequestSubject.$current.withValue(RequestSubject()) {
                let session = try await world.looking(in: group)
                #expect(try await refusal { _ = try await world.finish(session, nil) } == .faceSessionIncomplete)
                #expect(try await world.look(session) == first.openID)
                _ = try await world.finish(session, .oneTap(token))
            }
            try await world.world.authority.writeLoginCounts()
            let hour = LoginCount.hour(of: world.world.clock.now)
            let counts = try await world.world.authority.loginCounts(of: world.app.record.id, hours: hour..<hour + 1)
            let lines = counts.filter { $0.step.hasPrefix("face.") }.map {
                "\($0.step) \($0.situation.rawValue) \($0.count)"
            }
            #expect(
                lines.sorted() == [
                    "face.challenge success 1", "face.consent success 1", "face.finish face_session_incomplete 1",
                    "face.finish success 1", "face.search success 2",
                ])
        }
    }

    /// A server that writes a line for each refusal.
    @Test("Four thousand refusals of one outsider are four thousand lines where each is written down")
    func naive() {
        let written = RateLimiter(limit: 60, window: .seconds(600))
        let now = Timestamp(seconds: 1000)
        let lines = (0..<4000).reduce(into: (naive: 0, ours: 0)) { lines, _ in
            lines.naive += 1
            if written.admits("app/1", now: now) { lines.ours += 1 }
        }
        #expect(lines.naive == 4000 && lines.ours == 60)
    }
}
