import BenjiProtocol
import FaceMatching

/// A face before a camera, and its picture: a text that says who it is and what they do.
struct WrittenFace {
    static let owner = 1
    static let stranger = 2

    var person = owner
    var turn = 0.0
    var eyes = 0.3
    var mouth = 0.02

    /// - Parameter moment: stands for the noise of the camera, by which no two of its pictures are the same.
    func picture(at moment: Timestamp) -> [UInt8] {
        Array("\(person) \(turn) \(eyes) \(mouth) \(moment.milliseconds)".utf8)
    }

    /// - Returns: `nil` if it is no such picture.
    init?(_ picture: [UInt8]) {
        let parts = String(decoding: picture, as: UTF8.self).split(separator: " ")
        guard parts.count == 5, let person = Int(parts[0]), let turn = Double(parts[1]), let eyes = Double(parts[2]),
            let mouth = Double(parts[3])
        else { return nil }
        self.init(person: person, turn: turn, eyes: eyes, mouth: mouth)
    }

    init(person: Int = owner, turn: Double = 0, eyes: Double = 0.3, mouth: Double = 0.02) {
        (self.person, self.turn, self.eyes, self.mouth) = (person, turn, eyes, mouth)
    }

    /// A person who obeys a prompt and looks straight again, frame by frame.
    static func doing(_ prompt: String, _ person: Int) -> [WrittenFace] {
        switch prompt {
        case "turn_left": [0, 0.04, 0.12, 0.22, 0.28, 0.2, 0.08, 0].map { .init(person: person, turn: $0) }
        case "turn_right": [0, -0.04, -0.12, -0.22, -0.28, -0.2, -0.08, 0].map { .init(person: person, turn: $0) }
        case "blink": [0.3, 0.24, 0.14, 0.13, 0.15, 0.27, 0.3].map { .init(person: person, eyes: $0) }
        case "open_mouth": [0.02, 0.15, 0.4, 0.6, 0.4, 0.1, 0.02].map { .init(person: person, mouth: $0) }
        default: [.init(person: person)]
        }
    }

    /// Two people have nothing in common.
    private var embedding: FaceEmbedding {
        var values = [Float](repeating: 0, count: FaceEmbedding.size)
        values[person] = 1
        return FaceEmbedding(values)!
    }

    /// Only the points from which turn and mouth are read, and how the head is held.
    private var mesh: FaceMesh {
        var points = [SIMD3<Double>](repeating: .zero, count: 468)
        for (number, x, y) in [
            (234, 0.0, 50.0), (454, 100, 50), (1, 50 + turn * 50, 50), (10, 50, 0), (152, 50, 100), (33, 20, 40),
            (263, 80, 40), (78, 40, 80), (308, 60, 80), (13, 50, 80 - mouth * 10), (14, 50, 80 + mouth * 10),
        ] {
            points[number] = [x, y, 0]
        }
        return FaceMesh(points: points, score: 1)
    }

    var observation: FaceObservation {
        FaceObservation(
            imageWidth: 640, imageHeight: 480, box: FaceBox(left: 200, top: 100, width: 150, height: 200),
            points: FacePoints(
                leftEye: FacePoint(x: 240, y: 160), rightEye: FacePoint(x: 310, y: 160),
                nose: FacePoint(x: 275, y: 200),
                mouthLeft: FacePoint(x: 250, y: 250), mouthRight: FacePoint(x: 300, y: 250)),
            score: 0.9, mesh: mesh,
            light: FaceLight(sharpness: 300, brightness: 0.5, contrast: 0.2, clipped: 0, imbalance: 0),
            embedding: embedding, attributes: FaceAttributes(age: 30, male: 0.5, expressions: [.calm: 1]),
            liveness: FaceLiveness(near: 0.9, wide: 0.9), eyes: eyes)
    }
}

/// An engine that reads what a picture shows.
struct WrittenFaces: FaceAnalyzer {
    var unavailability: String? { nil }

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        guard let face = WrittenFace(image) else { throw FaceError(.imageDamaged, "not a picture") }
        return face.observation
    }
}
