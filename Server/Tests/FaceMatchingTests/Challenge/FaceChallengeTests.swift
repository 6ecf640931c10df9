import BenjiProtocol
import ServerTestKit
import Testing

@testable import FaceMatching

/// Challenges that are passed or failed, with made-up faces, so that only decisions are tested.
@Suite struct FaceChallengeTests {
    /// All sequences that are possible.
    private static let sequences: [[FaceGesture]] = FaceGesture.allCases.flatMap { one in
        FaceGesture.allCases.filter { $0 != one }.flatMap { two in
            FaceGesture.allCases.filter { $0 != two }.map { [one, two, $0] }
        }
    }

    @Test(arguments: sequences) func `Whoever does what is asked passes`(gestures: [FaceGesture]) async throws {
        let session = try await Session(gestures)
        try await session.obey()
        let proof = try #require(session.proof)
        #expect(proof.gestures == gestures)
        #expect(proof.leastSimilarity(to: Sitter.straight.embedding) > 0.99)
        #expect(proof.face.attributes != nil && abs(proof.passiveScore - 0.9) < 1e-9)
        #expect(await session.challenges.count == 0)
    }

    @Test func `A person with narrow eyes and one who smiles pass too`() async throws {
        let narrow = try await Session()
        try await narrow.obey { $0.eyes($0.eyes * 0.7) }
        #expect(narrow.proof != nil)
        let smiling = try await Session()
        try await smiling.obey { $0.mouth(max($0.mouth, 0.3)) }
        #expect(smiling.proof != nil)
    }

    @Test func `A still picture fails`() async throws {
        let session = try await Session()
        try await session.settle()
        await #expect(throws: FaceChallengeFailure(.gestureMissed)) {
            while session.proof == nil { try await session.show(.straight) }
        }
        // Its double looks for faces only, as often as asked.
        #expect(session.sent.count > 20)
    }

    @Test func `A still picture without a camera's noise fails after a second`() async throws {
        let session = try await Session()
        let picture = session.analyzer.picture(.success(Sitter.straight.observation))
        await #expect(throws: FaceChallengeFailure(.still)) {
            while session.proof == nil {
                session.clock.advance(by: .milliseconds(125))
                try await session.post([FaceFrame(image: picture, time: session.time)])
            }
        }
        #expect(session.sent.count <= 12)
    }

    @Test(arguments: FaceGesture.allCases)
    func `Stills of every pose, shown one after the other, fail where a head must turn`(
        gesture: FaceGesture
    ) async throws {
        let stills: [FaceGesture: Sitter] = [
            .turnLeft: .straight.turned(0.3), .turnRight: .straight.turned(-0.3), .blink: .straight.eyes(0.12),
            .openMouth: .straight.mouth(0.5),
        ]
        let session = try await Session([gesture, gesture == .blink ? .openMouth : .blink, .turnLeft])
        try await session.settle()
        func slideShow() async throws(FaceChallengeFailure) {
            for _ in 0..<30 {
                try await session.show(.straight)
                for _ in 0..<3 { try await session.show(stills[gesture]!) }
            }
        }
        if gesture == .turnLeft || gesture == .turnRight {
            await #expect(throws: FaceChallengeFailure(.gestureMissed)) { try await slideShow() }
        } else {
            // docs/face.md says that eyes and mouth do not tell a slide show.
            try? await slideShow()
            #expect(session.sent.count > 4)
        }
    }

    @Test(arguments: [
        (FaceGesture.turnLeft, FaceGesture.turnRight), (.turnRight, .turnLeft), (.blink, .openMouth),
        (.openMouth, .turnLeft), (.turnLeft, .openMouth), (.blink, .turnRight),
    ])
    func `Another gesture than the one asked for fails`(asked: FaceGesture, done: FaceGesture) async throws {
        let session = try await Session([asked, asked == .blink ? .openMouth : .blink, .turnLeft])
        try await session.settle()
        await #expect(throws: FaceChallengeFailure(.wrongGesture)) { try await session.show(Sitter.doing(done)) }
    }

    @Test func `A blink that nobody asked for is no mistake`() async throws {
        let session = try await Session([.turnLeft, .openMouth, .turnRight])
        try await session.settle()
        try await session.show(Sitter.doing(.blink))
        try await session.obey()
        #expect(session.proof != nil)
    }

    @Test func `A loop of all gestures fails, and a double that waits for each to come by passes it`() async throws {
        let session = try await Session([.openMouth, .turnRight, .blink])
        let loop: [FaceGesture] = [.turnLeft, .turnRight, .openMouth, .blink]
        try await session.settle()
        await #expect(throws: FaceChallengeFailure(.wrongGesture)) {
            for gesture in loop + loop + loop { try await session.show(Sitter.doing(gesture)) }
        }
        // The double forgives wrong gestures.
        var policy = FacePolicy.standard
        policy.challenge.wrongFrames = .max
        policy.challenge.gesture = .seconds(60)
        let double = try await Session([.openMouth, .turnRight, .blink], policy: policy)
        try await double.settle()
        for gesture in loop + loop + loop { try await double.show(Sitter.doing(gesture)) }
        #expect(double.proof != nil)
    }

    @Test func `A second person who takes over fails, and a double that compares nobody is fooled`() async throws {
        func takeOver(_ session: Session) async throws {
            try await session.settle()
            try await session.obey { $0.person(1) }
        }
        await #expect(throws: FaceChallengeFailure(.anotherFace)) { try await takeOver(Session()) }
        var policy = FacePolicy.standard
        policy.challenge.continuity = -1
        policy.challenge.continuityTurned = -1
        let double = try await Session(policy: policy)
        try await takeOver(double)
        #expect(double.proof != nil)
    }

    @Test func `A second person who only does the gestures fails`() async throws {
        let session = try await Session()
        await #expect(throws: FaceChallengeFailure(.anotherFace)) {
            try await session.obey { abs($0.turn) > 0.1 || $0.mouth > 0.1 || $0.eyes < 0.2 ? $0.person(1) : $0 }
        }
    }

    @Test func `A proof holds no face that is only as alike as a turned head may be`() async throws {
        let session = try await Session([.blink, .openMouth, .turnLeft])
        // A turn of 0.2 counts as frontal here, because it is measured from the first frames at 0.11.
        try await session.settle(Sitter.straight.turned(0.11))
        try await session.show(Sitter.doing(.blink).prefix(6).map { $0.turned(0.11) })
        var double = Sitter.straight.turned(0.2).person(1)
        double.resemblance = 0.2
        let alike = double.embedding.similarity(to: Sitter.straight.embedding)
        let limits = FacePolicy.standard.challenge
        #expect(alike > limits.continuityTurned && alike < limits.continuity)
        await #expect(throws: FaceChallengeFailure(.anotherFace)) {
            for _ in 0..<3 { try await session.show(double) }
        }
    }

    @Test func `What was done before it was asked for does not count`() async throws {
        let session = try await Session([.openMouth, .blink, .turnLeft])
        // In one post: the last frames were taken before the answer could tell what to do.
        var frames: [FaceFrame] = []
        for actor in [Sitter.straight, .straight, .straight] + Sitter.doing(.openMouth).prefix(4) {
            session.clock.advance(by: .milliseconds(125))
            frames.append(
                FaceFrame(image: session.analyzer.picture(.success(actor.observation)), time: session.time))
        }
        try await session.post(frames)
        #expect(session.prompt == .gesture(.openMouth))
    }

    @Test func `A face that jumps through the picture fails, and one that moves does not`() async throws {
        let session = try await Session()
        try await session.settle()
        for place in stride(from: 200.0, through: 320, by: 40) { try await session.show(.straight.at(place)) }
        await #expect(throws: FaceChallengeFailure(.leap)) { try await session.show(.straight.at(0)) }
    }

    @Test func `Nobody may leave for long, and a look away is forgiven`() async throws {
        let session = try await Session()
        try await session.settle()
        for _ in 0..<10 { try await session.show(.failure(FaceError(.noFace, ""))) }
        #expect(await session.challenges.count == 1)
        try await session.show(.straight)
        await #expect(throws: FaceChallengeFailure(.faceLost)) {
            for _ in 0..<40 { try await session.show(.failure(FaceError(.noFace, ""))) }
        }
    }

    @Test func `A picture of which the passive score is low fails at the end`() async throws {
        let session = try await Session()
        await #expect(throws: FaceChallengeFailure(.notLive)) {
            try await session.obey { actor in
                var actor = actor
                actor.passive = 0.2
                return actor
            }
        }
    }

    @Test func `Before the face is good enough the person is told what to mend`() async throws {
        let session = try await Session()
        var blurred = Sitter.straight
        blurred.sharpness = 10
        for (actor, hint) in [
            (blurred, FaceHint.flaw(.blurred)), (.straight.turned(0.15), .faceFront),
            (.straight.mouth(0.5), .closeMouth),
            (.straight.eyes(0.1), .openEyes),
        ] {
            session.clock.advance(by: .milliseconds(125))
            let frame = FaceFrame(
                image: session.analyzer.picture(.success(actor.observation)), time: session.time)
            guard
                case .goingOn(let step) = try await session.challenges.judge(
                    [frame], of: session.challenge.id, for: "session")
            else {
                Issue.record("passed")
                return
            }
            #expect(step.hint == hint)
            #expect(step.prompt == .lookStraight)
        }
    }

    @Test func `Who never comes near enough is told after twenty seconds`() async throws {
        let session = try await Session()
        var far = Sitter.straight
        far.sharpness = 10
        await #expect(throws: FaceChallengeFailure(.unclear)) { while true { try await session.show(far) } }
        #expect(session.time < .seconds(21))
    }

    @Test(arguments: [
        (FaceCover(mouth: 0.9, eyes: 0.1, side: 0.2), FaceFlaw.mouthCovered, FaceChallengeFailure.Reason.mouthCovered),
        (FaceCover(mouth: 0.1, eyes: 0.6, side: 0.2), .eyesCovered, .eyesCovered),
        (FaceCover(mouth: 0.8, eyes: 0.7, side: 0.9), .half, .halfFace),
    ])
    func `Who covers the face is told what to uncover, and why the attempt ended`(
        cover: FaceCover, flaw: FaceFlaw, reason: FaceChallengeFailure.Reason
    ) async throws {
        let session = try await Session()
        var covered = Sitter.straight.observation
        covered.cover = cover
        try await session.show(.success(covered))
        #expect(session.hint == .flaw(flaw))
        await #expect(throws: FaceChallengeFailure(reason)) { while true { try await session.show(.success(covered)) } }
        #expect(FaceChallengeFailure(reason).sentence == flaw.sentence)
    }

    @Test(arguments: [
        (FaceError(.imageTurned, ""), FaceHint.pictureTurned, FaceChallengeFailure.Reason.pictureTurned),
        (FaceError(.faceOutside, ""), .outside, .faceLost),
        (FaceError(.severalFaces, ""), .severalFaces, .severalFaces),
    ])
    func `Who holds the phone wrong, stands aside or is not alone is told so, before and after`(
        error: FaceError, hint: FaceHint, reason: FaceChallengeFailure.Reason
    ) async throws {
        let session = try await Session()
        try await session.show(.failure(error))
        #expect(session.hint == hint)
        try await session.settle()
        await #expect(throws: FaceChallengeFailure(reason)) { while true { try await session.show(.failure(error)) } }
    }

    @Test func `Each prompt has a name and a sentence of its own`() {
        let prompts: [FacePrompt] = [.lookStraight] + FaceGesture.allCases.map(FacePrompt.gesture)
        #expect(Set(prompts.map(\.name)).count == prompts.count)
        #expect(Set(prompts.map(\.sentence)).count == prompts.count)
    }

    @Test func `Sequences are drawn evenly and nothing is asked twice in a row`() {
        var counts: [[FaceGesture]: Int] = [:]
        for _ in 0..<7200 { counts[FaceGesture.sequence(3, SystemRandomSource()), default: 0] += 1 }
        #expect(counts.count == Self.sequences.count)
        // 200 are expected of each; six standard deviations are 84.
        #expect(counts.values.allSatisfy { (116...284).contains($0) }, "\(counts.values.sorted())")
    }
}
