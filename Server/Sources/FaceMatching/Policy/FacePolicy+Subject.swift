import CFaceEngine
import Foundation

/// Which faces of a picture may be the one that it is about.
package enum FaceFraming: Sendable {
    /// All of them: a picture that somebody chose.
    case picture
    /// Those in the ring that a person sees around their own face while holding the camera: the circle that fits into
    /// the picture's middle. A person outside of it is in the background.
    case ring
}

extension FacePolicy {
    /// The face that a picture is about: the largest.
    /// - Parameters:
    ///   - faces: the largest first.
    ///   - width: of the picture, in the pixels of the faces; so is `height`.
    /// - Throws: `noFace`, `faceOutside`, `severalFaces`.
    func subject(
        of faces: [face_detection], _ framing: FaceFraming, width: Int, height: Int
    ) throws(FaceError) -> face_detection {
        guard !faces.isEmpty else { throw FaceError(.noFace, "no face was found") }
        let faces =
            switch framing {
            case .picture: faces
            case .ring: faces.filter { Self.isInRing($0, width: Double(width), height: Double(height)) }
            }
        guard let face = faces.first else { throw FaceError(.faceOutside, "no face is in the middle of the picture") }
        func area(_ face: face_detection) -> Double { Double(face.width) * Double(face.height) }
        if faces.count > 1, area(faces[1]) > bystander * area(face) {
            throw FaceError(.severalFaces, "\(faces.count) faces, none of them clearly in front")
        }
        return face
    }

    /// Whether the middle of a face is in the ring.
    private static func isInRing(_ face: face_detection, width: Double, height: Double) -> Bool {
        let across = Double(face.left + face.width / 2) - width / 2
        let down = Double(face.top + face.height / 2) - height / 2
        return hypot(across, down) <= min(width, height) / 2
    }

    /// By how many quarters a picture must be turned clockwise for its face to be upright; 0 if it is as it should be.
    /// - Parameter scores: how sure the detector is of a face in the picture as it is and after one, two and three
    ///   quarters.
    func quarters(toTurn scores: [Double]) -> Int {
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), best != 0,
            scores[best] >= quality.turnedScore, scores[best] - scores[0] >= quality.turnedMargin
        else { return 0 }
        return best
    }
}
