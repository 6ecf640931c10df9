/// The thresholds of face login. An operator may set others; docs/face.md states what each was measured on.
package struct FacePolicy: Hashable, Sendable {
    package var limits = FaceImageLimits()

    /// The least certainty of the detector that counts as a face.
    package var detectionScore = 0.6
    /// A second face that takes up more than this part of the largest one's area makes a picture ambiguous. While a
    /// person holds the camera only faces in the ring count: ``FaceFraming/ring``.
    package var bystander = 0.4

    /// The similarity from which two pictures show one person, when an account is asked about (1:1).
    package var verification = 0.45
    /// The similarity from which a face counts as found among many (1:N); never the only factor.
    package var identification = 0.50
    /// The margin by which the best face of a group must exceed the next. Of two similar faces, neither is found.
    package var identificationMargin = 0.05

    /// The least mean passive score. It passes almost any photo: see ``FaceLiveness``.
    package var liveness = 0.5

    /// Eyes less open than this are closed: `FaceObservation.eyes`.
    package var blink = 0.24
    /// Lips further apart than this are an open mouth: `FaceMesh.mouthOpening`.
    package var mouthOpen = 0.35
    /// The nose further to a side than this is a turned head: `FaceMesh.turn`.
    package var turned = 0.2
    /// A share of happiness above this is a smile.
    package var smile = 0.5

    package var quality = Quality()
    package var challenge = FaceChallengePolicy()

    package struct Quality: Hashable, Sendable {
        /// Pixels between the eyes.
        package var eyeDistance = 40.0
        package var meshScore = 0.5
        package var sharpness = 60.0
        package var brightness = 0.15...0.90
        package var contrast = 0.06
        package var clipped = 0.35
        package var imbalance = 0.35
        /// Degrees, to either side.
        package var yaw = 30.0
        package var pitch = 30.0
        package var roll = 35.0

        /// How likely it must be that the mouth, the eyes or a side is covered: ``FaceCover``.
        package var covered = 0.5
        /// The part of the mesh that may lie outside of the picture.
        package var outside = 0.25
        /// A face of which the detector is so sure is upright. Of others it is asked whether the picture is turned.
        package var upright = 0.89
        /// How sure the detector must be of a face in the turned picture, and by how much surer than in the picture as
        /// it is.
        package var turnedScore = 0.75
        package var turnedMargin = 0.04

        package init() {}
    }

    package init() {}

    package static let standard = FacePolicy()
}
