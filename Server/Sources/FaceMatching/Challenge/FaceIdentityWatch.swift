/// Watches that one person stays before the camera.
struct FaceIdentityWatch: Sendable {
    private let policy: FaceChallengePolicy
    private var portraits: [FaceEmbedding] = []
    private var previous: (embedding: FaceEmbedding, box: FaceBox, time: Duration)?
    private var strange = 0

    init(policy: FaceChallengePolicy) { self.policy = policy }

    /// Whether there is a face that later ones are compared with.
    var isKnown: Bool { !portraits.isEmpty }

    /// Keeps a good frame from the front, of the beginning or after a gesture. Later ones are compared with each that
    /// was kept.
    mutating func keep(_ face: FaceObservation) {
        if let embedding = face.embedding { portraits.append(embedding) }
    }

    /// - Parameter isFrontal: whether the frame may become a portrait, whatever its pose.
    /// - Returns: false if the frame must not count.
    /// - Throws: `anotherFace`, `leap`.
    mutating func isSame(
        _ face: FaceObservation, _ pose: FacePose, isFrontal: Bool, at time: Duration
    ) throws(FaceChallengeFailure) -> Bool {
        guard let embedding = face.embedding else { throw FaceChallengeFailure(.failed) }
        let isFrontal = isFrontal || abs(pose.turn) < policy.frontal && pose.mouth < policy.mouthClosed
        // A face shortly after the previous frame must look like that one and be where it was.
        let last = previous.flatMap { time - $0.time <= .milliseconds(500) ? $0 : nil }
        previous = (embedding, face.box, time)
        if let last, isKnown, Self.distance(last.box, face.box) > policy.leap { throw FaceChallengeFailure(.leap) }
        // The least alike one decides: among different pictures of the beginning somebody might be alike to one.
        let toPortraits = portraits.map { $0.similarity(to: embedding) }.min() ?? 1
        let toLast = last.map { $0.embedding.similarity(to: embedding) } ?? 1
        let least = isFrontal ? policy.continuity : policy.continuityTurned
        guard isKnown, toPortraits < least || toLast < policy.continuityTurned else { return true }
        strange += 1
        guard strange < policy.strangeFrames else { throw FaceChallengeFailure(.anotherFace) }
        return false
    }

    /// From middle to middle, in widths of the smaller face.
    private static func distance(_ one: FaceBox, _ other: FaceBox) -> Double {
        func middle(_ box: FaceBox) -> FacePoint {
            FacePoint(x: box.left + box.width / 2, y: box.top + box.height / 2)
        }
        let width = min(one.width, other.width)
        return width > 0 ? middle(one).distance(to: middle(other)) / width : .infinity
    }
}
