internal import CFaceEngine

/// What is good enough, in one place. An operator may set other figures; docs/face.md says what each was measured on.
public struct FacePolicy: Hashable, Sendable {
    public var limits = FaceImageLimits()

    /// The least certainty of the detector that counts as a face.
    public var detectionScore = 0.6
    /// A second face that takes up more than this part of the largest one's area makes a picture ambiguous.
    public var bystander = 0.4

    /// The similarity from which two pictures show one person, when an account is asked about (1:1).
    public var verification = 0.45
    /// The similarity from which a face counts as found among many (1:N); never the only factor.
    public var identification = 0.50
    /// By how much the face that is found must be more alike than the next of the group: of two that are alike none is found.
    public var identificationMargin = 0.05

    /// The least mean passive score. It passes almost any photo: see ``FaceLiveness``.
    public var liveness = 0.5

    /// Eyes less open than this are closed: `FaceObservation.eyes`.
    public var blink = 0.24
    /// Lips further apart than this are an open mouth: `FaceMesh.mouthOpening`.
    public var mouthOpen = 0.35
    /// The nose further to a side than this is a turned head: `FaceMesh.turn`.
    public var turned = 0.2
    /// A share of happiness above this is a smile.
    public var smile = 0.5

    public var quality = Quality()
    public var challenge = FaceChallengePolicy()

    public struct Quality: Hashable, Sendable {
        /// Pixels between the eyes.
        public var eyeDistance = 40.0
        public var meshScore = 0.5
        public var sharpness = 60.0
        public var brightness = 0.15...0.90
        public var contrast = 0.06
        public var clipped = 0.35
        public var imbalance = 0.35
        /// Degrees, to either side.
        public var yaw = 30.0
        public var pitch = 30.0
        public var roll = 35.0

        public init() {}
    }

    public init() {}

    public static let standard = FacePolicy()

    /// The face that a picture is about.
    /// - Parameter faces: the largest first.
    func subject(of faces: [face_detection]) throws(FaceError) -> face_detection {
        guard let face = faces.first else { throw FaceError(.noFace, "no face was found") }
        func area(_ face: face_detection) -> Double { Double(face.width) * Double(face.height) }
        if faces.count > 1, area(faces[1]) > bystander * area(face) {
            throw FaceError(.severalFaces, "\(faces.count) faces, none of them clearly in front")
        }
        return face
    }
}
