import BenjiProtocol

/// The good frames from the front: how the person looks without a gesture, and what the face is compared by.
struct FacePortraits: Sendable {
    private let policy: FacePolicy
    private var settled: [FacePose] = []
    /// Best first. Only embeddings are kept, because a mesh takes 15 kB; ``best`` has the whole observation of one.
    private var ranked: [(rank: Double, embedding: FaceEmbedding)] = []
    private var best: FaceObservation?
    private var scores: [Double] = []
    /// The mean of the first frames.
    private(set) var base = FacePose(turn: 0, eyes: 0, mouth: 0)

    /// Faces that a proof is made of.
    private static let kept = 5

    init(policy: FacePolicy) { self.policy = policy }

    var isSettled: Bool { settled.count >= policy.challenge.settledFrames }

    /// Takes a frame of the beginning.
    /// - Returns: what is wrong with it.
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
        add(face)
        return nil
    }

    /// What keeps a later frame from being one from the front.
    func front(_ pose: FacePose) -> FaceHint? {
        let limits = policy.challenge
        if abs(pose.turn - base.turn) >= limits.frontal { return .faceFront }
        if pose.mouth >= max(limits.mouthClosed, base.mouth + limits.mouthChange / 2) { return .closeMouth }
        if pose.eyes < base.eyes * limits.eyesOpen { return .openEyes }
        return nil
    }

    /// Takes a frame from the front, if it is good enough to compare faces by.
    mutating func add(_ face: FaceObservation) {
        if let score = face.liveness?.score { scores.append(score) }
        guard let embedding = face.embedding, face.attributes != nil, policy.flaws(of: face).isEmpty else { return }
        let rank = Self.rank(face)
        if rank > ranked.first?.rank ?? -.infinity { best = face }
        ranked.append((rank, embedding))
        ranked.sort { $0.rank > $1.rank }
        if ranked.count > Self.kept { ranked.removeLast() }
    }

    func proof(_ gestures: [FaceGesture], frames: Int, _ now: Timestamp) -> FaceProof? {
        guard let best, !scores.isEmpty else { return nil }
        return FaceProof(
            embeddings: ranked.map(\.embedding), face: best,
            passiveScore: scores.reduce(0, +) / Double(scores.count), gestures: gestures, frames: frames,
            completed: now)
    }

    /// Sharp and straight is better; beyond a point sharpness is grain.
    private static func rank(_ face: FaceObservation) -> Double {
        let orientation = face.mesh.orientation
        return min(face.light.sharpness / 400, 1) - (abs(orientation.yaw) + abs(orientation.pitch)) / 60
    }
}
