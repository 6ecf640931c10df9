import CFaceEngine
import Foundation

/// 468 points of a face in space, in pixels of the upright picture; z grows away from the camera. Numbers are
/// MediaPipe's.
package struct FaceMesh: Sendable {
    package let points: [SIMD3<Double>]
    /// 0 to 1: whether there is a face at all.
    package let score: Double

    init(_ mesh: UnsafePointer<face_mesh>, scale: Double) {
        score = Double(mesh.pointee.score)
        points = withUnsafeBytes(of: &UnsafeMutablePointer(mutating: mesh).pointee.points) {
            let values = $0.bindMemory(to: Float.self)
            return stride(from: 0, to: values.count, by: 3).map {
                SIMD3(Double(values[$0]), Double(values[$0 + 1]), Double(values[$0 + 2])) * scale
            }
        }
    }

    /// - Parameter points: 468.
    package init(points: [SIMD3<Double>], score: Double) {
        precondition(points.count == 468)
        self.points = points
        self.score = score
    }
}

extension FaceMesh {
    /// How the head is held, in degrees. It is worked out from a mesh that was learnt from flat pictures: some degrees
    /// are within its error.
    package struct Orientation: Hashable, Sendable {
        /// Above 0: the nose points to the picture's right.
        package var yaw: Double
        /// Above 0: the face looks up.
        package var pitch: Double
        /// Above 0: the head leans clockwise in the picture.
        package var roll: Double
    }

    package var orientation: Orientation {
        // From cheek to cheek, from forehead to chin, from eye to eye.
        let across = points[454] - points[234]
        let down = points[152] - points[10]
        let eyes = points[263] - points[33]
        func degrees(_ y: Double, _ x: Double) -> Double { atan2(y, x) * 180 / .pi }
        return Orientation(
            yaw: degrees(across.z, hypot(across.x, across.y)), pitch: degrees(-down.z, hypot(down.x, down.y)),
            roll: degrees(eyes.y, eyes.x))
    }

    /// How far the nose is from the middle of the face towards the picture's right: -1 to 1. Within 0.1 the face is
    /// seen from the front, beyond 0.2 it is turned.
    package var turn: Double {
        let left = flat(1, 234)
        let right = flat(1, 454)
        return left + right > 0 ? (left - right) / (left + right) : 0
    }

    /// How far the eyes are open: height to width, the mean of both. Open 0.22 to 0.38, lowered or closed below 0.19.
    package var eyeOpening: Double { (opening(33, 133, 159, 145) + opening(362, 263, 386, 374)) / 2 }

    /// How far the lips are apart: height to width of the opening, 0 when closed.
    package var mouthOpening: Double { opening(78, 308, 13, 14) }

    private func flat(_ one: Int, _ other: Int) -> Double {
        hypot(points[one].x - points[other].x, points[one].y - points[other].y)
    }

    private func opening(_ left: Int, _ right: Int, _ upper: Int, _ lower: Int) -> Double {
        let width = flat(left, right)
        return width > 0 ? flat(upper, lower) / width : 0
    }
}
