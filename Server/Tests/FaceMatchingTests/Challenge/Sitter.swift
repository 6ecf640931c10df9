import BenjiProtocol
import FaceMatching
import Synchronization

/// A person before the camera, as far as a challenge looks: made by program, so that tests of decisions need no models.
struct Sitter {
    var person = 0
    /// How much of person 0's face this one has.
    var resemblance = 0.0
    var turn = 0.0
    var eyes = 0.3
    var mouth = 0.02
    var left = 200.0
    var sharpness = 300.0
    var passive = 0.9
    var meshScore = 1.0
    var cover = FaceCover.none

    static let straight = Sitter()

    func turned(_ turn: Double) -> Sitter { with { $0.turn = turn } }
    func eyes(_ eyes: Double) -> Sitter { with { $0.eyes = eyes } }
    func mouth(_ mouth: Double) -> Sitter { with { $0.mouth = mouth } }
    func person(_ person: Int) -> Sitter { with { $0.person = person } }
    func at(_ left: Double) -> Sitter { with { $0.left = left } }

    /// A picture between person 0 and person 1: alike to each of them to 0.78.
    static let morph = straight.person(1).with { $0.resemblance = 0.5.squareRoot() }

    func with(_ change: (inout Sitter) -> Void) -> Sitter {
        var copy = self
        change(&copy)
        return copy
    }

    /// Two people have the highest similarity that unrelated people reach: 0.25.
    var embedding: FaceEmbedding {
        var values = [Float](repeating: 0, count: FaceEmbedding.size)
        values[0] = 0.5
        values[1 + person] = 0.866
        if resemblance > 0 {
            values[1] = Float(0.866 * resemblance)
            values[1 + person] = Float(0.866 * (1 - resemblance * resemblance).squareRoot())
        }
        return FaceEmbedding(values)!
    }

    /// Points only where the ratios are read from.
    var mesh: FaceMesh {
        var points = [SIMD3<Double>](repeating: .zero, count: 468)
        points[234] = [0, 50, 0]
        points[454] = [100, 50, 0]
        points[1] = [50 + turn * 50, 50, 0]
        points[10] = [50, 0, 0]
        points[152] = [50, 100, 0]
        for (outer, inner, upper, lower, x) in [(33, 133, 159, 145, 20.0), (263, 362, 386, 374, 60.0)] {
            points[min(outer, inner)] = [x, 40, 0]
            points[max(outer, inner)] = [x + 20, 40, 0]
            points[upper] = [x + 10, 40 - eyes * 10, 0]
            points[lower] = [x + 10, 40 + eyes * 10, 0]
        }
        // 33 is the outer corner on the left and 263 the one on the right.
        points[362] = [60, 40, 0]
        points[263] = [80, 40, 0]
        points[78] = [40, 80, 0]
        points[308] = [60, 80, 0]
        points[13] = [50, 80 - mouth * 10, 0]
        points[14] = [50, 80 + mouth * 10, 0]
        return FaceMesh(points: points, score: meshScore)
    }

    var observation: FaceObservation {
        FaceObservation(
            imageWidth: 640, imageHeight: 480, box: FaceBox(left: left, top: 100, width: 150, height: 200),
            points: FacePoints(
                leftEye: FacePoint(x: left + 40, y: 160), rightEye: FacePoint(x: left + 110, y: 160),
                nose: FacePoint(x: left + 75, y: 200), mouthLeft: FacePoint(x: left + 50, y: 250),
                mouthRight: FacePoint(x: left + 100, y: 250)), score: 0.9, mesh: mesh,
            light: FaceLight(sharpness: sharpness, brightness: 0.5, contrast: 0.2, clipped: 0, imbalance: 0),
            cover: cover, embedding: embedding, attributes: FaceAttributes(age: 30, male: 0.5, expressions: [.calm: 1]),
            liveness: FaceLiveness(near: passive, wide: passive))
    }

    /// The frames of a person who makes the gesture and comes back from it.
    static func doing(_ gesture: FaceGesture) -> [Sitter] {
        switch gesture {
        case .turnLeft: [0, 0.04, 0.12, 0.22, 0.28, 0.2, 0.08, 0].map(straight.turned)
        case .turnRight: [0, -0.04, -0.12, -0.22, -0.28, -0.2, -0.08, 0].map(straight.turned)
        case .blink: [0.3, 0.24, 0.14, 0.13, 0.15, 0.27, 0.3].map(straight.eyes)
        case .openMouth: [0.02, 0.15, 0.4, 0.6, 0.4, 0.1, 0.02].map(straight.mouth)
        }
    }
}

/// An analyzer whose pictures are numbers in a list: picture `n` shows the `n`th thing that was put in.
final class ScriptedAnalyzer: FaceAnalyzer {
    private let sights = Mutex<[Result<FaceObservation, FaceError>]>([])
    private let asked = Mutex<[FaceMeasures]>([])
    let unavailability: String?

    init(unavailability: String? = nil) { self.unavailability = unavailability }

    var measures: [FaceMeasures] { asked.withLock { $0 } }

    /// The picture of a sight.
    func picture(_ sight: Result<FaceObservation, FaceError>) -> [UInt8] {
        sights.withLock {
            $0.append(sight)
            return Array("picture \($0.count - 1)".utf8)
        }
    }

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        asked.withLock { $0.append(measures) }
        guard let number = Int(String(decoding: image, as: UTF8.self).dropFirst(8)) else {
            throw FaceError(.imageUnknownFormat, "")
        }
        return try sights.withLock { $0[number] }.get()
    }
}

/// Bytes that a test chose; then zeros.
final class TestRandom: RandomSource, Sendable {
    private let bytes: Mutex<[UInt8]>
    private let count = Mutex(UInt8(0))

    /// - Parameter gestures: the sequence that is to be drawn first.
    init(_ gestures: [FaceGesture]) {
        var previous: FaceGesture?
        bytes = Mutex(
            gestures.map { gesture in
                let choices = FaceGesture.allCases.filter { $0 != previous }
                previous = gesture
                return UInt8(choices.firstIndex(of: gesture)!)
            })
    }

    func bytes(_ count: Int) -> [UInt8] {
        if count == 1, let byte = bytes.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return [byte] }
        // Ids differ.
        let number = self.count.withLock {
            $0 &+= 1
            return $0
        }
        return (0..<count).map { UInt8($0) &+ number & 0x7f }
    }
}
