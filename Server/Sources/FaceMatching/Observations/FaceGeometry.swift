import CFaceEngine
import Foundation

/// A place in the picture, in pixels.
package struct FacePoint: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    package func distance(to other: FacePoint) -> Double { hypot(other.x - x, other.y - y) }
}

/// Where a face is, in pixels; it may reach over the picture's edge.
package struct FaceBox: Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var width: Double
    package var height: Double

    package init(left: Double, top: Double, width: Double, height: Double) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    package var area: Double { width * height }
}

/// Five points of a face. Left and right are the picture's, not the person's.
package struct FacePoints: Hashable, Sendable {
    package var leftEye: FacePoint
    package var rightEye: FacePoint
    package var nose: FacePoint
    package var mouthLeft: FacePoint
    package var mouthRight: FacePoint

    package init(
        leftEye: FacePoint, rightEye: FacePoint, nose: FacePoint, mouthLeft: FacePoint, mouthRight: FacePoint
    ) {
        self.leftEye = leftEye
        self.rightEye = rightEye
        self.nose = nose
        self.mouthLeft = mouthLeft
        self.mouthRight = mouthRight
    }
}

extension FaceBox {
    init(_ face: face_detection, scale: Double) {
        left = Double(face.left) * scale
        top = Double(face.top) * scale
        width = Double(face.width) * scale
        height = Double(face.height) * scale
    }
}

extension FacePoints {
    init(_ face: face_detection, scale: Double) {
        func point(_ point: face_point) -> FacePoint {
            FacePoint(x: Double(point.x) * scale, y: Double(point.y) * scale)
        }
        leftEye = point(face.points.0)
        rightEye = point(face.points.1)
        nose = point(face.points.2)
        mouthLeft = point(face.points.3)
        mouthRight = point(face.points.4)
    }
}
