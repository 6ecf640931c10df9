import BenjiFaceProtocol
@_spi(Server) import BenjiProtocol
import ServerTestKit
import Store
import Synchronization
import Testing

@testable import Authority
@testable import FaceAccounts
@testable import FaceMatching

@Suite("What becomes of a challenge's frames") struct FaceChallengeTests {
    private func withWorld(
        _ capabilities: Set<Capability> = [.login, .verification, .face],
        _ body: (FaceWorld, ScriptedChallenges, ScriptedAnalyzer) async throws -> Void
    ) async throws {
        let (analyzer, challenges) = (ScriptedAnalyzer(), ScriptedChallenges())
        let world = try await FaceWorld(capabilities: capabilities, analyzer: analyzer) { clock in
            challenges.script.withLock { $0.expires = { clock.now + .seconds(60) } }
            return challenges
        }
        do { try await body(world, challenges, analyzer) } catch {
            await world.end()
            throw error
        }
        await world.end()
    }

    private func challenge(_ world: FaceWorld, _ session: String) async throws -> FaceChallengeResponse {
        try await world.faces.challenge(FaceChallengeRequest(session: session), from: try world.world.call())
    }

    private func send(
        _ world: FaceWorld, _ session: String, _ challenge: String, pictures: Int = 1
    ) async throws -> FaceFramesResponse {
        try await world.faces.frames(
            FaceFramesRequest(
                session: session, challenge: challenge,
                frames: (0..<pictures).map { .init(milliseconds: Int64($0), picture: [UInt8($0) + 1]) }),
            from: try world.world.call())
    }

    @Test("A challenge tells how long it lasts, at least a second, and what frames it takes")
    func response() async throws {
        try await withWorld { world, challenges, _ in
            for (milliseconds, seconds) in [(60_000, 60), (59_999, 59), (2000, 2), (1999, 1), (10, 1)]
                as [(Int64, Int64)]
            {
                let now = world.world.clock.now
                challenges.script.withLock { $0.expires = { now + .milliseconds(milliseconds) } }
                let session = try await world.begin(.login, .oneTap(try await world.token()))
                try await world.agree(session)
                let answer = try await challenge(world, session.session)
                #expect(answer.lifetime == seconds, "\(milliseconds) ms")
                #expect(answer.pace == 125 && answer.framesPerRequest == 8 && answer.attemptsLeft == 2)
                #expect(answer.bytesPerFrame == Int64(FacePolicy.standard.challenge.bytesPerFrame))
                #expect(answer.step == FaceProgress(prompt: "blink", hint: nil, done: 0, count: 3))
            }
        }
    }

    @Test("One picture for attributes is asked for without gestures")
    func picture() async throws {
        try await withWorld { world, challenges, _ in
            challenges.script.withLock { $0.verdict = .success(.passed(FakeFace.proof(world.world.clock.now))) }
            let login = try await world.enrol()
            for (purpose, count) in [(FacePurpose.attributes, 0), (.verify, 3)] as [(FacePurpose, Int64)] {
                let begun = try await world.begin(purpose, .access(login.grant.accessToken))
                #expect(try await challenge(world, begun.session).step.count == count, "\(purpose)")
            }
        }
    }

    @Test("Who runs the challenge is told whether it is known whose session it is")
    func isKnown() async throws {
        try await withWorld(FaceSearchTests.capabilities) { world, challenges, _ in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            _ = try await challenge(world, begun.session)
            let search = try await world.searchBegin(try await world.group(of: []))
            try await world.agree(search)
            _ = try await challenge(world, search.session)
            #expect(challenges.script.withLock { $0.begun } == [true, false])
        }
    }

    @Test("A challenge that cannot begin costs no attempt, and is answered by its reason")
    func cannotBegin() async throws {
        try await withWorld { world, challenges, _ in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            for reason in FaceChallengeFailure.Reason.allCases {
                let expected: Situation =
                    switch reason {
                    case .unavailable: .faceUnavailable
                    case .busy: .overloaded
                    case .unknown: .challengeInvalid
                    default: .internalError
                    }
                challenges.script.withLock { $0.refusal = reason }
                #expect(try await refusal { _ = try await challenge(world, begun.session) } == expected, "\(reason)")
            }
            challenges.script.withLock { $0.refusal = nil }
            for left in [2, 1, 0] as [Int64] {
                #expect(try await challenge(world, begun.session).attemptsLeft == left)
            }
            #expect(try await refusal { _ = try await challenge(world, begun.session) } == .challengeFailed)
        }
    }

    /// How frames are answered where the challenge ended in a reason, and whether it goes on then.
    private static func answer(_ reason: FaceChallengeFailure.Reason) -> (situation: Situation, goesOn: Bool) {
        switch reason {
        case .unavailable: (.faceUnavailable, true)
        case .busy: (.overloaded, true)
        case .unknown: (.challengeInvalid, true)
        case .failed: (.internalError, true)
        case .expired, .late: (.challengeExpired, false)
        case .tooManyFrames, .frameTooLarge, .frameUnreadable, .timesWrong: (.pictureInvalid, false)
        case .faceLost: (.faceNotFound, false)
        default: (.challengeFailed, false)
        }
    }

    @Test("Frames that fail end the challenge with their reason; where it is no fault of theirs the challenge goes on")
    func failing() async throws {
        try await withWorld { world, challenges, _ in
            for reason in FaceChallengeFailure.Reason.allCases {
                let begun = try await world.begin(.login, .oneTap(try await world.token()))
                try await world.agree(begun)
                let id = try await challenge(world, begun.session).challenge
                challenges.script.withLock { $0.verdict = .failure(FaceChallengeFailure(reason)) }
                let (situation, goesOn) = Self.answer(reason)
                guard goesOn else {
                    guard case .failed(let failure) = try await send(world, begun.session, id) else {
                        Issue.record("\(reason) did not end the challenge")
                        continue
                    }
                    #expect(failure.situation == situation && failure.attemptsLeft == 2, "\(reason)")
                    #expect(try await refusal { _ = try await send(world, begun.session, id) } == .challengeInvalid)
                    continue
                }
                #expect(try await refusal { _ = try await send(world, begun.session, id) } == situation, "\(reason)")
                let step = FaceChallengeStep(prompt: .gesture(.blink), hint: .noFace, done: 1, count: 3)
                challenges.script.withLock { $0.verdict = .success(.goingOn(step)) }
                let more = FaceProgress(prompt: "blink", hint: "no_face", done: 1, count: 3)
                #expect(try await send(world, begun.session, id) == .more(more))
            }
        }
    }

    @Test("The last attempt that fails says that none is left, whatever made it fail")
    func lastAttempt() async throws {
        try await withWorld { world, challenges, _ in
            let begun = try await world.begin(.login, .oneTap(try await world.token()))
            try await world.agree(begun)
            challenges.script.withLock { $0.verdict = .failure(FaceChallengeFailure(.late)) }
            for (left, sentence) in [(2, "slow_network"), (1, "slow_network"), (0, "no_attempts_left")]
                as [(Int64, String)]
            {
                let id = try await challenge(world, begun.session).challenge
                #expect(
                    try await send(world, begun.session, id)
                        == .failed(.init(situation: .challengeExpired, sentence: sentence, attemptsLeft: left)))
            }
        }
    }

    @Test("A picture for attributes that shows no good face is answered with what to do, and the first good one counts")
    func attributes() async throws {
        try await withWorld { world, challenges, analyzer in
            challenges.script.withLock { $0.verdict = .success(.passed(FakeFace.proof(world.world.clock.now))) }
            let login = try await world.enrol()
            let begun = try await world.begin(.attributes, .access(login.grant.accessToken))
            let id = try await challenge(world, begun.session).challenge
            func more(_ hint: String?) -> FaceFramesResponse {
                .more(FaceProgress(prompt: "look_straight", hint: hint, done: 0, count: 0))
            }
            #expect(try await send(world, begun.session, id, pictures: 0) == more(nil))
            for (code, hint) in [
                (.noFace, "no_face"), (.faceOutside, "place_face"), (.severalFaces, "several_faces"),
                (.imageTurned, "picture_turned"),
            ] as [(FaceError.Code, String)] {
                analyzer.answers { _ in .failure(FaceError(code, "")) }
                #expect(try await send(world, begun.session, id, pictures: 2) == more(hint), "\(code.rawValue)")
            }
            var dark = FakeFace.observation(FakeFace.embedding(FaceWorld.owner))
            dark.light.brightness = 0.1
            analyzer.answers { [dark] _ in .success(dark) }
            #expect(try await send(world, begun.session, id) == more("too_dark"))
            for (code, expected) in [
                (.busy, .overloaded), (.unavailable, .faceUnavailable), (.failed, .internalError),
                (.outOfMemory, .internalError),
            ] as [(FaceError.Code, Situation)] {
                analyzer.answers { _ in .failure(FaceError(code, "")) }
                #expect(
                    try await refusal { _ = try await send(world, begun.session, id) } == expected, "\(code.rawValue)")
            }
            // As many as one request may have are looked at, and of those the first good one counts.
            let good = FakeFace.observation(FakeFace.embedding(FaceWorld.owner))
            let most = FacePolicy.standard.challenge.framesPerPost
            func answer(goodFrom first: Int) {
                analyzer.answers { picture in
                    Int(picture[0]) > first ? .success(good) : .failure(FaceError(.noFace, ""))
                }
            }
            answer(goodFrom: most)
            #expect(try await send(world, begun.session, id, pictures: most + 1) == more("no_face"))
            answer(goodFrom: most - 1)
            guard case .passed(let values?) = try await send(world, begun.session, id, pictures: most + 1) else {
                Issue.record("no attributes")
                return
            }
            #expect(values[.age] == .number("26.850"))
            #expect(try await refusal { _ = try await send(world, begun.session, id) } == .faceSessionInvalid)
        }
    }

    @Test(
        "A file for attributes that is no picture ends the challenge, and a face without an embedding is another's"
    )
    func noPicture() async throws {
        try await withWorld { world, challenges, analyzer in
            challenges.script.withLock { $0.verdict = .success(.passed(FakeFace.proof(world.world.clock.now))) }
            let login = try await world.enrol()
            let begun = try await world.begin(.attributes, .access(login.grant.accessToken))
            analyzer.answers { _ in .failure(FaceError(.imageDamaged, "")) }
            let first = try await challenge(world, begun.session).challenge
            #expect(
                try await send(world, begun.session, first)
                    == .failed(.init(situation: .pictureInvalid, sentence: "pictures_wrong", attemptsLeft: 2)))
            var faceless = FakeFace.observation(FakeFace.embedding(FaceWorld.owner))
            faceless.embedding = nil
            analyzer.answers { [faceless] _ in .success(faceless) }
            let second = try await challenge(world, begun.session).challenge
            #expect(
                try await send(world, begun.session, second)
                    == .failed(.init(situation: .faceDiffers, sentence: "other_person", attemptsLeft: 1)))
        }
    }
}

/// A challenge that comes to what a test says.
private final class ScriptedChallenges: FaceChallenging {
    struct Script {
        var refusal: FaceChallengeFailure.Reason?
        var expires: @Sendable () -> Timestamp = { Timestamp(milliseconds: 0) }
        var verdict: Result<FaceVerdict, FaceChallengeFailure> = .failure(FaceChallengeFailure(.unknown))
        /// Of each challenge that was begun, whether it was known whose it is.
        var begun: [Bool] = []
    }

    let unavailability: String? = nil
    let policy = FacePolicy.standard
    let script = Mutex(Script())

    func begin(for session: String, isKnown: Bool) throws(FaceChallengeFailure) -> FaceChallenge {
        let (refusal, expires) = script.withLock { script in
            if script.refusal == nil { script.begun.append(isKnown) }
            return (script.refusal, script.expires())
        }
        if let refusal { throw FaceChallengeFailure(refusal) }
        return FaceChallenge(
            id: SystemRandomSource().alphanumerics(32), expires: expires, pace: .milliseconds(125), framesPerPost: 8,
            bytesPerFrame: 1000, step: FaceChallengeStep(prompt: .gesture(.blink), hint: nil, done: 0, count: 3))
    }

    func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) throws(FaceChallengeFailure) -> FaceVerdict { try script.withLock { $0.verdict }.get() }
}

/// Sees in a picture what a test says.
private final class ScriptedAnalyzer: FaceAnalyzer {
    typealias Answer = @Sendable ([UInt8]) -> Result<FaceObservation, FaceError>

    let unavailability: String? = nil
    private let answer = Mutex<Answer> { _ in .failure(FaceError(.noFace, "")) }

    func answers(_ answer: @escaping Answer) { self.answer.withLock { $0 = answer } }

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) throws(FaceError) -> FaceObservation { try answer.withLock { $0 }(image).get() }
}

extension FakeFace {
    /// The owner, in a challenge that was passed.
    fileprivate static func proof(_ moment: Timestamp) -> FaceProof {
        let embedding = embedding(FaceWorld.owner)
        return FaceProof(
            after: [embedding], face: observation(embedding), passiveScore: 0.9, gestures: [.blink], frames: 1,
            completed: moment)
    }
}
