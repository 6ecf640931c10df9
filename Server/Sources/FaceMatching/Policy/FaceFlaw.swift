/// What makes a picture unfit for enrolling or comparing, in the order in which a person is best told.
package enum FaceFlaw: String, CaseIterable, Sendable {
    case unclear = "something covers the face"
    case small = "the face is too small: come closer"
    case turned = "the face is turned away: look into the camera"
    case raised = "the face looks up or down: look into the camera"
    case tilted = "the head is tilted"
    case dark = "too dark"
    case bright = "too bright"
    case clipped = "parts are black or white: find softer light"
    case flat = "too little contrast: find more light"
    case uneven = "one side is much brighter: turn to the light"
    case blurred = "blurred: hold still, clean the lens"
}

extension FacePolicy {
    /// What is wrong with a picture; empty if it is good enough.
    package func flaws(of face: FaceObservation) -> [FaceFlaw] {
        let orientation = face.mesh.orientation
        let found: [FaceFlaw: Bool] = [
            .unclear: face.mesh.score < quality.meshScore, .small: face.eyeDistance < quality.eyeDistance,
            .turned: abs(orientation.yaw) > quality.yaw, .raised: abs(orientation.pitch) > quality.pitch,
            .tilted: abs(orientation.roll) > quality.roll,
            .dark: face.light.brightness < quality.brightness.lowerBound,
            .bright: face.light.brightness > quality.brightness.upperBound,
            .clipped: face.light.clipped > quality.clipped, .flat: face.light.contrast < quality.contrast,
            .uneven: face.light.imbalance > quality.imbalance, .blurred: face.light.sharpness < quality.sharpness,
        ]
        return FaceFlaw.allCases.filter { found[$0] == true }
    }
}
