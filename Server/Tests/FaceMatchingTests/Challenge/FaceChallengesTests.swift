import BenjiProtocol
import ServerTestKit
import Testing

@testable import FaceMatching

/// Hostile posts, replays and crowds against the open challenges.
@Suite struct FaceChallengesTests {
    @Test func `A challenge is good for once, and what was recorded of it for nothing`() async throws {
        let session = try await Session()
        try await session.obey()
        await #expect(throws: FaceChallengeFailure(.unknown)) { try await session.post(session.sent) }
        // Another challenge that happens to ask for the same.
        let second = try await session.challenges.begin(for: "session")
        session.clock.advance(by: .milliseconds(200))
        await #expect(throws: FaceChallengeFailure(.replayed)) {
            _ = try await session.challenges.judge(
                [FaceFrame(image: session.sent[0].image, time: .milliseconds(125))], of: second.id, for: "session")
        }
        // The double remembers no frames: the recording passes.
        let double = FaceChallenges(
            analyzer: session.analyzer, clock: session.clock, random: TestRandom(Session.gestures), remembered: 0)
        let third = try await double.begin(for: "session")
        var isPassed = false
        var last = Duration.zero
        for frame in session.sent where !isPassed {
            session.clock.advance(by: frame.time - last)
            last = frame.time
            if case .passed = try await double.judge([frame], of: third.id, for: "session") { isPassed = true }
        }
        #expect(isPassed)
    }

    @Test func `Frames that come by again within a challenge fail`() async throws {
        let session = try await Session()
        try await session.settle()
        await #expect(throws: FaceChallengeFailure(.replayed)) {
            session.clock.advance(by: .milliseconds(125))
            try await session.post([FaceFrame(image: session.sent[0].image, time: session.time)])
        }
    }

    @Test func `A challenge belongs to the session that began it`() async throws {
        let session = try await Session()
        session.clock.advance(by: .seconds(1))
        let frame = FaceFrame(
            image: session.analyzer.picture(.success(Sitter.straight.observation)), time: .milliseconds(500))
        await #expect(throws: FaceChallengeFailure(.unknown)) {
            _ = try await session.challenges.judge([frame], of: session.challenge.id, for: "another")
        }
        #expect(await session.challenges.count == 1)
        guard case .goingOn = try await session.challenges.judge([frame], of: session.challenge.id, for: "session")
        else {
            Issue.record("its own session is refused")
            return
        }
    }

    @Test(arguments: [
        ([200, 200], FaceChallengeFailure.Reason.timesWrong), ([300, 200], .timesWrong), ([-1], .timesWrong),
        ([1700], .timesWrong), ([100, 2200], .timesWrong), ([9_000_000_000_000_000], .timesWrong), ([200], nil),
        ([1, 2, 3, 4, 5, 6, 7, 8], nil), ([1, 2, 3, 4, 5, 6, 7, 8, 9], .tooManyFrames), ([], .frameUnreadable),
    ])
    func `Frames out of order, from before the challenge or from the future are refused`(
        times: [Int64], reason: FaceChallengeFailure.Reason?
    ) async throws {
        let session = try await Session()
        session.clock.advance(by: .seconds(1))
        let frames = times.map {
            FaceFrame(
                image: session.analyzer.picture(.success(Sitter.straight.observation)), time: .milliseconds($0))
        }
        do {
            try await session.post(frames)
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
            #expect(await session.challenges.count == 0)
        }
    }

    @Test func `Frames that were under way for too long, pauses, and expired challenges are refused`() async throws {
        func fails(_ reason: FaceChallengeFailure.Reason, _ act: (Session) async throws -> Void) async throws {
            let session = try await Session()
            try await session.show(.straight)
            await #expect(throws: FaceChallengeFailure(reason)) { try await act(session) }
        }
        try await fails(.late) { session in
            session.clock.advance(by: .seconds(7))
            try await session.post([FaceFrame(image: [1], time: .milliseconds(300))])
        }
        try await fails(.interrupted) { try await $0.show(.straight, after: .seconds(3)) }
        try await fails(.expired) { try await $0.show(.straight, after: .seconds(60)) }
        // The clock was put back to before the challenge.
        try await fails(.expired) { try await $0.show(.straight, after: .seconds(-10)) }
    }

    @Test(arguments: [
        (FaceError.Code.imageEmpty, FaceChallengeFailure.Reason.frameUnreadable), (.imageDamaged, .frameUnreadable),
        (.imageTooSmall, .frameUnreadable), (.imageTooManyPixels, .frameUnreadable), (.unavailable, .unavailable),
        (.failed, .failed), (.outOfMemory, .failed),
    ])
    func `A picture that cannot be read ends the challenge`(
        code: FaceError.Code, reason: FaceChallengeFailure.Reason
    ) async throws {
        let session = try await Session()
        await #expect(throws: FaceChallengeFailure(reason)) { try await session.show(.failure(FaceError(code, ""))) }
        #expect(await session.challenges.count == 0)
    }

    @Test func `A frame for which no engine was free is left out`() async throws {
        let session = try await Session()
        try await session.show(.failure(FaceError(.busy, "")))
        try await session.obey()
        #expect(session.proof != nil)
    }

    @Test func `A frame that is too large is refused before it is looked at`() async throws {
        let session = try await Session()
        session.clock.advance(by: .seconds(1))
        let large = [UInt8](repeating: 0, count: FaceChallengePolicy().bytesPerFrame + 1)
        await #expect(throws: FaceChallengeFailure(.frameTooLarge)) {
            try await session.post([FaceFrame(image: large, time: .milliseconds(500))])
        }
        #expect(session.analyzer.measures.isEmpty)
    }

    @Test func `A challenge has only so many frames`() async throws {
        var policy = FacePolicy.standard
        policy.challenge.frames = 20
        let session = try await Session(policy: policy)
        await #expect(throws: FaceChallengeFailure(.tooManyFrames)) {
            for _ in 0..<21 { try await session.show(.straight, after: .milliseconds(5)) }
        }
        #expect(session.sent.count == 21)
    }

    @Test func `Only so many challenges are open, and expired ones make room`() async throws {
        let clock = TestClock()
        let challenges = FaceChallenges(
            analyzer: ScriptedAnalyzer(), clock: clock, random: SystemRandomSource(), capacity: 3)
        for number in 0..<3 { _ = try await challenges.begin(for: "\(number)") }
        await #expect(throws: FaceChallengeFailure(.busy)) { _ = try await challenges.begin(for: "3") }
        // A session that begins again needs no new place.
        _ = try await challenges.begin(for: "1")
        #expect(await challenges.count == 3)
        clock.advance(by: .seconds(60))
        _ = try await challenges.begin(for: "3")
        #expect(await challenges.count == 1)
    }

    @Test func `Of those whose session it is not known only a quarter has a challenge, and expired ones make room`()
        async throws
    {
        let clock = TestClock()
        let challenges = FaceChallenges(
            analyzer: ScriptedAnalyzer(), clock: clock, random: SystemRandomSource(), capacity: 8)
        for number in 0..<2 { _ = try await challenges.begin(for: "search \(number)", isKnown: false) }
        await #expect(throws: FaceChallengeFailure(.busy)) {
            _ = try await challenges.begin(for: "search 2", isKnown: false)
        }
        _ = try await challenges.begin(for: "search 1", isKnown: false)
        for number in 0..<6 { _ = try await challenges.begin(for: "\(number)", isKnown: true) }
        clock.advance(by: .seconds(60))
        _ = try await challenges.begin(for: "search 2", isKnown: false)
        #expect(await challenges.count == 1)
        // A double that keeps no room is filled by them.
        let double = FaceChallenges(
            analyzer: ScriptedAnalyzer(), clock: clock, random: SystemRandomSource(), capacity: 8)
        for number in 0..<8 { _ = try await double.begin(for: "search \(number)") }
        await #expect(throws: FaceChallengeFailure(.busy)) { _ = try await double.begin(for: "login") }
    }

    @Test func `Posts of searches leave room for those of logins`() async throws {
        let analyzer = HeldAnalyzer()
        let clock = TestClock()
        let challenges = FaceChallenges(analyzer: analyzer, clock: clock, random: SystemRandomSource(), posts: 4)
        let search = try await challenges.begin(for: "search", isKnown: false)
        let second = try await challenges.begin(for: "search 2", isKnown: false)
        let login = try await challenges.begin(for: "login", isKnown: true)
        clock.advance(by: .seconds(1))
        @Sendable func post(_ byte: UInt8, _ challenge: FaceChallenge, _ session: String) async throws -> FaceVerdict {
            try await challenges.judge(
                [FaceFrame(image: [byte], time: .milliseconds(100))], of: challenge.id, for: session)
        }
        let first = Task { try await post(1, search, "search") }
        await analyzer.untilAsked()
        await #expect(throws: FaceChallengeFailure(.busy)) { _ = try await post(2, second, "search 2") }
        let known = Task { try await post(3, login, "login") }
        await analyzer.untilAsked()
        analyzer.release()
        _ = try await (first.value, known.value)
    }

    @Test func `A second post while one is looked at is told to wait, and the first goes on`() async throws {
        let analyzer = HeldAnalyzer()
        let clock = TestClock()
        let challenges = FaceChallenges(analyzer: analyzer, clock: clock, random: SystemRandomSource(), posts: 1)
        let challenge = try await challenges.begin(for: "session")
        let other = try await challenges.begin(for: "other")
        clock.advance(by: .seconds(1))
        let first = Task {
            try await challenges.judge(
                [FaceFrame(image: [1], time: .milliseconds(100))], of: challenge.id, for: "session")
        }
        await analyzer.untilAsked()
        await #expect(throws: FaceChallengeFailure(.busy)) {
            _ = try await challenges.judge(
                [FaceFrame(image: [2], time: .milliseconds(200))], of: challenge.id, for: "session")
        }
        // Nor may another challenge have a second place.
        await #expect(throws: FaceChallengeFailure(.busy)) {
            _ = try await challenges.judge(
                [FaceFrame(image: [3], time: .milliseconds(200))], of: other.id, for: "other")
        }
        analyzer.release()
        guard case .goingOn = try await first.value else {
            Issue.record("it is over")
            return
        }
        #expect(await challenges.count == 2)
    }

    @Test func `Without models no challenge begins`() async {
        let challenges = FaceChallenges(
            analyzer: UnavailableFaceAnalyzer("no models"), clock: TestClock(), random: SystemRandomSource())
        await #expect(throws: FaceChallengeFailure(.unavailable)) { _ = try await challenges.begin(for: "session") }
    }

    @Test func `The memory of frames is bounded and forgets the oldest first`() {
        var memory = FrameMemory(capacity: 3)
        for mark in UInt64(0)..<10 { memory.remember(mark) }
        memory.remember(9)
        #expect(memory.count == 3)
        #expect((0..<10).filter { memory.contains(UInt64($0)) } == [7, 8, 9])
    }

    @Test func `A proof prints nothing of a face`() async throws {
        let session = try await Session()
        try await session.obey()
        let proof = try #require(session.proof)
        var dumped = ""
        dump(proof, to: &dumped)
        #expect(!("\(proof)\(String(reflecting: proof))" + dumped).contains { $0.isNumber })
    }
}

/// Holds every picture until it is let go.
private final class HeldAnalyzer: FaceAnalyzer {
    private let asked = AsyncStream<Void>.makeStream()
    private let held = AsyncStream<Void>.makeStream()
    var unavailability: String? { nil }

    func untilAsked() async { for await _ in asked.stream { break } }
    func release() { held.continuation.finish() }

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        asked.continuation.yield()
        for await _ in held.stream { break }
        return Sitter.straight.observation
    }
}
