/// The values that a challenge reads from one frame.
struct FacePose: Sendable {
    /// `FaceMesh.turn`: above 0 towards the picture's right, which is the person's left.
    var turn: Double
    var eyes: Double
    var mouth: Double

    init(turn: Double, eyes: Double, mouth: Double) {
        self.turn = turn
        self.eyes = eyes
        self.mouth = mouth
    }

    init(_ face: FaceObservation) {
        self.init(turn: face.mesh.turn, eyes: face.eyes ?? face.mesh.eyeOpening, mouth: face.mesh.mouthOpening)
    }
}
