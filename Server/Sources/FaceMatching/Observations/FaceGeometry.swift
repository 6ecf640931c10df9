internal import CFaceEngine
internal import Foundation

/// A place in the picture, in pixels.
public struct FacePoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    public func distance(to other: FacePoint) -> Double { hypot(other.x - x, other.y - y) }
}

/// Where a face is, in pixels; it may reach over the picture's edge.
public struct FaceBox: Hashable, Sendable {
    public var left: Double
    public var top: Double
    public var width: Double
    public var height: Double

    public init(left: Double, top: Double, width: Double, height: Double) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    public var area: Double { width * height }
}

/// Five points of a face. Left and right are the picture's, not the person's.
public struct FacePoints: Hashable, Sendable {
    public var leftEye: FacePoint
    public var rightEye: FacePoint
    public var nose: FacePoint
    public var mouthLeft: FacePoint
    public var mouthRight: FacePoint

    public init(
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
