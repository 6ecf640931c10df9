import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import FaceAccounts

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

    /// What a server is that writes a line for each refusal.
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
