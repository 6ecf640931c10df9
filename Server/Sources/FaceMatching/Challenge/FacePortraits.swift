import BenjiProtocol

/// The good frames from the front: how the person looks without a gesture, and what the face is compared by.
struct FacePortraits: Sendable {
    private let policy: FacePolicy
    private var settled: [FacePose] = []
    /// Only numbers are kept, because a mesh takes 15 kB; ``best`` has the whole observation of one.
    private struct Portrait: Sendable {
        var embedding: FaceEmbedding
        var passive: Double
    }
    private var before: [Portrait] = []
    private var after: [Portrait] = []
    /// The best one after a gesture: of the frames before the first one nothing shows yet that a person was there.
    private var best: (rank: Double, face: FaceObservation, place: Int)?
    /// The mean of the first frames.
    private(set) var base = FacePose(turn: 0, eyes: 0, mouth: 0)

    init(policy: FacePolicy) { self.policy = policy }

    var isSettled: Bool { settled.count >= policy.challenge.settledFrames }

    /// Takes a frame of the beginning.
    /// - Returns: The problem with the frame, or `nil`.
    mutating func settle(_ face: FaceObservation, _ pose: FacePose) -> FaceHint? {
        let limits = policy.challenge
        if let flaw = policy.flaws(of: face).first { return .flaw(flaw) }
        if abs(pose.turn) >= limits.frontal { return .faceFront }
        if pose.mouth >= limits.mouthClosed { return .closeMouth }
        if pose.eyes < limits.eyesLeast { return .openEyes }
        settled.append(pose)
        let count = Double(settled.count)
        base = FacePose(
            turn: settled.reduce(0) { $0 + $1.turn } / count, eyes: settled.reduce(0) { $0 + $1.eyes } / count,
            mouth: settled.reduce(0) { $0 + $1.mouth } / count)
        if let portrait = Self.portrait(face) { before.append(portrait) }
        return nil
    }

    /// Takes a frame after a gesture. It must have no flaw, so that flaws cannot select the frames of a proof.
    /// - Returns: The problem with the frame, or `nil`.
    mutating func comeBack(_ face: FaceObservation, _ pose: FacePose) -> FaceHint? {
        if let hint = front(pose) { return hint }
        if let flaw = policy.flaws(of: face).first { return .flaw(flaw) }
        guard let portrait = Self.portrait(face), face.attributes != nil else { return .flaw(.unclear) }
        let rank = Self.rank(face)
        if rank > best?.rank ?? -.infinity { best = (rank, face, after.count) }
        after.append(portrait)
        return nil
    }

    /// Returns the reason why a later frame is not frontal, or `nil`.
    func front(_ pose: FacePose) -> FaceHint? {
        let limits = policy.challenge
        if abs(pose.turn - base.turn) >= limits.frontal { return .faceFront }
        if pose.mouth >= max(limits.mouthClosed, base.mouth + limits.mouthChange / 2) { return .closeMouth }
        if pose.eyes < base.eyes * limits.eyesOpen { return .openEyes }
        return nil
    }

    func proof(_ gestures: [FaceGesture], frames: Int, _ now: Timestamp) -> FaceProof? {
        guard let best, after.count == gestures.count, !before.isEmpty else { return nil }
        var embeddings = after.map(\.embedding)
        embeddings.swapAt(0, best.place)
        return FaceProof(
            after: embeddings, before: before.map(\.embedding), face: best.face,
            passiveScore: min(Self.passive(before), Self.passive(after)), gestures: gestures, frames: frames,
            completed: now)
    }

    private static func portrait(_ face: FaceObservation) -> Portrait? {
        guard let embedding = face.embedding, let liveness = face.liveness else { return nil }
        return Portrait(embedding: embedding, passive: liveness.score)
    }

    private static func passive(_ portraits: [Portrait]) -> Double {
        portraits.reduce(0) { $0 + $1.passive } / Double(portraits.count)
    }

    /// Sharp and straight is better; beyond a point sharpness is grain.
    private static func rank(_ face: FaceObservation) -> Double {
        let orientation = face.mesh.orientation
        return min(face.light.sharpness / 400, 1) - (abs(orientation.yaw) + abs(orientation.pitch)) / 60
    }
}
