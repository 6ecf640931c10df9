import BenjiProtocol
import ServerTestKit
import Testing

@testable import FaceMatching

/// Pictures between two people: frames shown before the first gesture must not decide whose face it is.
@Suite struct MorphTests {
    private static let policy = FacePolicy.standard
    private static let victim = Sitter.straight.embedding

    /// A server that compares the mean of the frames it likes, whenever they were taken.
    private struct NaiveProof {
        var frames: [Sitter]
        func isAlike(to template: FaceEmbedding, by policy: FacePolicy) -> Bool {
            let good = frames.filter { policy.flaws(of: $0.observation).isEmpty }.map(\.embedding)
            return good.reduce(0) { $0 + $1.similarity(to: template) } / Double(good.count) >= policy.verification
        }
    }

    @Test func `The morph is alike to both people, and they are not to each other`() {
        let other = Sitter.straight.person(1).embedding
        #expect(Sitter.morph.embedding.similarity(to: Self.victim) > Self.policy.verification)
        #expect(Sitter.morph.embedding.similarity(to: other) > Self.policy.verification)
        #expect(other.similarity(to: Self.victim) < Self.policy.verification)
    }

    @Test(
        """
        Whoever keeps a flaw in every frame after a gesture gets no proof, and a double that leaves them out is fooled
        """
    )
    func flawed() async throws {
        let blurred = { (sitter: Sitter) in sitter.person(1).with { $0.sharpness = 50 } }
        let session = try await Session()
        try await session.settle(.morph)
        await #expect(throws: FaceChallengeFailure(.unclear)) {
            guard case .gesture(let gesture) = session.prompt else { throw FaceChallengeFailure(.failed) }
            try await session.show(Sitter.doing(gesture).map(blurred))
            #expect(session.prompt == .lookStraight && session.hint == .flaw(.blurred))
            while session.proof == nil { try await session.show(blurred(.straight)) }
        }
        #expect(session.proof == nil)
        let double = NaiveProof(frames: [.morph, .morph, .morph] + Array(repeating: blurred(.straight), count: 3))
        #expect(double.isAlike(to: Self.victim, by: Self.policy))
    }

    @Test
    func `A morph before the first gesture opens nothing for whoever does the gestures, and enrols that one's face`()
        async throws
    {
        let session = try await Session()
        try await session.settle(.morph)
        try await session.obey { $0.person(1) }
        let proof = try #require(session.proof)
        #expect(!proof.isAlike(to: Self.victim, by: Self.policy))
        #expect(proof.isAlike(to: Sitter.straight.person(1).embedding, by: Self.policy))
        #expect(proof.after.count == Session.gestures.count && proof.before.count == 3)
        #expect(proof.embedding == Sitter.straight.person(1).embedding)
        // The mean over all frames is the victim's still.
        #expect(proof.meanSimilarity(to: Self.victim) > Self.policy.verification)
    }

    @Test func `One frame after a gesture that is not alike is enough to refuse a proof`() async throws {
        let session = try await Session()
        try await session.obey()
        var proof = try #require(session.proof)
        #expect(proof.isAlike(to: Self.victim, by: Self.policy))
        proof.after[2] = Sitter.straight.person(1).embedding
        #expect(!proof.isAlike(to: Self.victim, by: Self.policy))
        #expect(proof.meanSimilarity(to: Self.victim) > Self.policy.verification)
    }

    @Test func `Pictures that change from one person to another before the first gesture fail`() async throws {
        let drift = [Sitter.straight.person(1), .morph, .straight]
        let session = try await Session()
        await #expect(throws: FaceChallengeFailure(.anotherFace)) {
            for _ in 0..<3 { try await session.show(drift) }
        }
        // A double that is content with one alike frame takes all of them.
        let limits = Self.policy.challenge
        for (number, sitter) in drift.enumerated().dropFirst() {
            let alike = drift[..<number].map { $0.embedding.similarity(to: sitter.embedding) }
            #expect(alike.max()! >= limits.continuity)
        }
    }

    @Test(arguments: [(0.2, 1.0), (1.0, 0.2)])
    func `Frames before the first gesture and after it are live each for themselves`(
        before: Double, after: Double
    ) async throws {
        let session = try await Session()
        try await session.settle(Sitter.straight.with { $0.passive = before })
        await #expect(throws: FaceChallengeFailure(.notLive)) {
            try await session.obey { $0.with { $0.passive = after } }
        }
        // A double that takes one mean of all is content.
        #expect((3 * before + 3 * after) / 6 >= Self.policy.liveness)
    }

    @Test func `A mesh that is none, and a face that is hidden, do no gesture`() async throws {
        let hidden: [(Sitter) -> Sitter] = [
            { $0.with { $0.meshScore = 0.3 } }, { $0.with { $0.cover = FaceCover(mouth: 0.1, eyes: 0.1, side: 0.9) } },
            { $0.with { $0.cover = FaceCover(mouth: 0.1, eyes: 0.9, side: 0.1) } },
        ]
        for hide in hidden {
            let session = try await Session([.openMouth, .blink, .turnLeft])
            try await session.settle()
            try await session.show(Sitter.doing(.openMouth).map(hide))
            #expect(session.prompt == .gesture(.openMouth))
            guard case .flaw = session.hint else {
                Issue.record("no hint")
                continue
            }
            try await session.obey()
            #expect(session.proof != nil)
        }
    }

    @Test func `Closed lids and an open mouth that look covered still count, and a wrong gesture behind a hand too`()
        async throws
    {
        let session = try await Session([.openMouth, .blink, .turnLeft])
        try await session.obey { sitter in
            sitter.with {
                let isMoved = $0.mouth > 0.1 || $0.eyes < 0.25
                guard isMoved else { return }
                $0.cover = FaceCover(mouth: $0.mouth > 0.1 ? 0.9 : 0, eyes: $0.eyes < 0.25 ? 0.9 : 0, side: 0)
            }
        }
        #expect(session.proof != nil)
        let wrong = try await Session([.blink, .turnLeft, .openMouth])
        try await wrong.settle()
        await #expect(throws: FaceChallengeFailure(.wrongGesture)) {
            try await wrong.show(
                Sitter.doing(.openMouth).map { $0.with { $0.cover = FaceCover(mouth: 0.9, eyes: 0, side: 0) } })
        }
    }
}
