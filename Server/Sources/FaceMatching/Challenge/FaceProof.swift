package import BenjiProtocol

/// The result of a passed challenge: enough to enrol a face or to compare it with a template, and no picture.
package struct FaceProof: Sendable, CustomStringConvertible {
    /// Embeddings of the frames from the front after each gesture, the best first. None of them has a flaw.
    package var after: [FaceEmbedding]
    /// Embeddings of the frames before the first gesture. A picture that was shown only then passes for these.
    package var before: [FaceEmbedding]
    /// The best frame after a gesture, with attributes and passive score.
    package var face: FaceObservation
    /// The mean passive score of the frames before the first gesture, or of those after one: the lower of the two.
    package var passiveScore: Double
    package var gestures: [FaceGesture]
    /// How many frames were looked at.
    package var frames: Int
    package var completed: Timestamp

    /// - Parameter after: at least one.
    package init(
        after: [FaceEmbedding], before: [FaceEmbedding] = [], face: FaceObservation, passiveScore: Double,
        gestures: [FaceGesture], frames: Int, completed: Timestamp
    ) {
        precondition(!after.isEmpty, "a proof is of a face")
        self.after = after
        self.before = before
        self.face = face
        self.passiveScore = passiveScore
        self.gestures = gestures
        self.frames = frames
        self.completed = completed
    }

    /// The embedding for a template and for a search: the best frame after a gesture.
    package var embedding: FaceEmbedding { after[0] }

    /// Whether the face matches a template: each frame after a gesture is alike, and so is the mean of all frames.
    /// Frames that show another person could raise a mean alone.
    package func isAlike(to template: FaceEmbedding, by policy: FacePolicy) -> Bool {
        leastSimilarity(to: template) >= policy.verification && meanSimilarity(to: template) >= policy.verification
    }

    /// Of the frames after gestures.
    package func leastSimilarity(to template: FaceEmbedding) -> Double {
        after.map { $0.similarity(to: template) }.min() ?? -1
    }

    /// Of all frames.
    package func meanSimilarity(to template: FaceEmbedding) -> Double {
        let all = after + before
        return all.reduce(0) { $0 + $1.similarity(to: template) } / Double(all.count)
    }

    package var description: String { "FaceProof" }
}

extension FaceProof: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
