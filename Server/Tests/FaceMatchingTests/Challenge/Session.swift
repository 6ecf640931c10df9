import BenjiProtocol
import FaceMatching
import ServerTestKit

/// A challenge between the server and a device whose camera shows what a test says.
final class Session {
    let clock = TestClock()
    let analyzer = ScriptedAnalyzer()
    let challenges: FaceChallenges
    let challenge: FaceChallenge
    private let begun: Timestamp
    private(set) var prompt: FacePrompt
    private(set) var hint: FaceHint?
    private(set) var proof: FaceProof?
    var sent: [FaceFrame] = []

    static let gestures: [FaceGesture] = [.turnLeft, .blink, .openMouth]

    init(_ gestures: [FaceGesture] = Session.gestures, policy: FacePolicy = .standard) async throws {
        challenges = FaceChallenges(
            analyzer: analyzer, policy: policy, clock: clock, random: TestRandom(gestures), capacity: 8)
        challenge = try await challenges.begin(for: "session")
        begun = clock.now
        prompt = challenge.step.prompt
    }

    /// Time on the device.
    var time: Duration { clock.now - begun }

    /// Takes a frame an eighth of a second later and posts it.
    func show(
        _ actor: Sitter, after: Duration = .milliseconds(125), jitter: Bool = true
    ) async throws(FaceChallengeFailure) {
        try await show(.success(actor.observation), after: after)
    }

    func show(
        _ sight: Result<FaceObservation, FaceError>, after: Duration = .milliseconds(125)
    ) async throws(FaceChallengeFailure) {
        clock.advance(by: after)
        try await post([FaceFrame(image: analyzer.picture(sight), time: time)])
    }

    func post(_ frames: [FaceFrame]) async throws(FaceChallengeFailure) {
        sent += frames
        switch try await challenges.judge(frames, of: challenge.id, for: "session") {
        case .goingOn(let step): (prompt, hint) = (step.prompt, step.hint)
        case .passed(let proof): self.proof = proof
        }
    }

    func show(_ actors: [Sitter]) async throws(FaceChallengeFailure) {
        for actor in actors where proof == nil { try await show(actor) }
    }

    /// Looks into the camera until something is asked for.
    func settle(_ actor: Sitter = .straight) async throws(FaceChallengeFailure) {
        for _ in 0..<10 where prompt == .lookStraight && proof == nil { try await show(actor) }
    }

    /// Does each requested gesture until the end.
    func obey(_ change: (Sitter) -> Sitter = { $0 }) async throws(FaceChallengeFailure) {
        while proof == nil {
            guard case .gesture(let gesture) = prompt else {
                try await settle(change(.straight))
                continue
            }
            try await show(Sitter.doing(gesture).map(change))
        }
    }
}
