package import BenjiProtocol

/// What a passed challenge leaves: enough to enrol a face or to compare it with a template, and no picture.
package struct FaceProof: Sendable, CustomStringConvertible {
    /// Embeddings of good frames from the front, the best first; all of one person.
    package var embeddings: [FaceEmbedding]
    /// The best frame, with attributes and passive score.
    package var face: FaceObservation
    /// The mean passive score of the frames from the front.
    package var passiveScore: Double
    package var gestures: [FaceGesture]
    /// How many frames were looked at.
    package var frames: Int
    package var completed: Timestamp

    /// - Parameter embeddings: at least one.
    package init(
        embeddings: [FaceEmbedding], face: FaceObservation, passiveScore: Double, gestures: [FaceGesture], frames: Int,
        completed: Timestamp
    ) {
        precondition(!embeddings.isEmpty, "a proof is of a face")
        self.embeddings = embeddings
        self.face = face
        self.passiveScore = passiveScore
        self.gestures = gestures
        self.frames = frames
        self.completed = completed
    }

    /// What a template is made of.
    package var embedding: FaceEmbedding { embeddings[0] }

    /// How alike the face is to a template: the mean over the frames, so that no single lucky one decides.
    package func similarity(to template: FaceEmbedding) -> Double {
        embeddings.reduce(0) { $0 + $1.similarity(to: template) } / Double(embeddings.count)
    }

    package var description: String { "FaceProof" }
}

extension FaceProof: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
