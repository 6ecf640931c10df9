/// A flaw that makes a picture unfit for enrolling or comparing, in the best order for telling a person.
package enum FaceFlaw: String, CaseIterable, Sendable {
    case mouthCovered = "the mouth is covered: take off the mask, move the hand away"
    case eyesCovered = "the eyes are covered: take off the dark glasses"
    case half = "half of the face is covered or outside of the picture: show all of it"
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

extension FaceFlaw {
    /// Whether a part of the face is hidden. Such a picture is not compared: its visible part may resemble many people.
    package var hides: Bool {
        switch self {
        case .mouthCovered, .eyesCovered, .half, .unclear: true
        default: false
        }
    }
}

extension FacePolicy {
    /// Returns the flaws of a picture; empty if it is good enough.
    package func flaws(of face: FaceObservation) -> [FaceFlaw] {
        let orientation = face.mesh.orientation
        let part = hiddenPart(of: face)
        let found: [FaceFlaw: Bool] = [
            .mouthCovered: part == .mouth, .eyesCovered: part == .eyes, .half: part == .side,
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

extension FacePolicy {
    /// The part of a face that is not seen, the most likely one; `nil` if all of it is.
    func hiddenPart(of face: FaceObservation) -> FaceCover.Part? {
        // Beyond the picture's edge there is nothing to look at, whatever the models make of it.
        if face.outside > quality.outside { return .side }
        return face.cover.likelihood >= quality.covered ? face.cover.part : nil
    }
}
