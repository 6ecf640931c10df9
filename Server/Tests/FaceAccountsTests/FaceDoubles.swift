import Authority
import BenjiProtocol
import Synchronization

@testable import FaceAccounts
@testable import FaceMatching

/// People as pictures of one byte: which face it shows. 0 shows none.
enum FakeFace {
    static func picture(_ person: UInt8) -> [UInt8] { [person] }

    /// A picture of somebody whose face has this similarity to a person's.
    static func picture(like person: UInt8, similarity: Double) -> [UInt8] {
        let tenThousandths = UInt16((similarity * 10_000).rounded())
        return [person, UInt8(tenThousandths >> 8), UInt8(tenThousandths & 0xff)]
    }

    /// Returns the embedding of a picture; `nil` if it is none.
    static func embedding(of picture: [UInt8]) -> FaceEmbedding? {
        guard let person = picture.first, picture.count == 1 || picture.count == 3 else { return nil }
        let own = embedding(person)
        guard picture.count == 3 else { return own }
        let cosine = Double(UInt16(picture[1]) << 8 | UInt16(picture[2])) / 10_000
        // Gram and Schmidt: the part of another direction that is orthogonal to the person's own.
        let values = own.values.map(Double.init)
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let unit = values.map { $0 / length }
        var rest = [Double](repeating: 0, count: unit.count)
        rest[(Int(person) + 7) % rest.count] = 1
        let overlap = unit[(Int(person) + 7) % rest.count]
        rest = zip(rest, unit).map { $0 - overlap * $1 }
        let restLength = rest.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let sine = (1 - cosine * cosine).squareRoot()
        return FaceEmbedding(zip(unit, rest).map { Float(cosine * $0 + sine * $1 / restLength) })
    }

    /// One person's is always the same; two people's have almost nothing in common.
    static func embedding(_ person: UInt8) -> FaceEmbedding {
        var values = [Float](repeating: 0.001, count: FaceEmbedding.size)
        values[Int(person) % FaceEmbedding.size] = 1
        return FaceEmbedding(values)!
    }

    static func observation(_ embedding: FaceEmbedding) -> FaceObservation {
        var points = [SIMD3<Double>](repeating: .zero, count: 468)
        for (index, place) in [
            (454, SIMD3<Double>(100, 0, 0)), (234, SIMD3(-100, 0, 0)), (152, SIMD3(0, 100, 0)), (10, SIMD3(0, -100, 0)),
            (263, SIMD3(50, 0, 0)), (33, SIMD3(-50, 0, 0)),
        ] {
            points[index] = place
        }
        let eye = FacePoint(x: 100, y: 100)
        return FaceObservation(
            imageWidth: 640, imageHeight: 480, box: FaceBox(left: 50, top: 50, width: 200, height: 240),
            points: FacePoints(
                leftEye: eye, rightEye: FacePoint(x: 180, y: 100), nose: eye, mouthLeft: eye, mouthRight: eye),
            score: 0.9, mesh: FaceMesh(points: points, score: 1),
            light: FaceLight(sharpness: 300, brightness: 0.5, contrast: 0.2, clipped: 0, imbalance: 0),
            embedding: embedding,
            attributes: FaceAttributes(age: 26.85, male: 0.1, expressions: [.happy: 0.8, .calm: 0.2]),
            liveness: FaceLiveness(near: 0.9, wide: 0.9))
    }
}

/// Sees what the pictures say, or nothing at all.
struct FakeAnalyzer: FaceAnalyzer {
    var unavailability: String?

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        if let unavailability { throw FaceError(.unavailable, unavailability) }
        guard let embedding = FakeFace.embedding(of: image) else { throw FaceError(.imageDamaged, "not a picture") }
        guard image.first != 0 else { throw FaceError(.noFace, "nobody") }
        return FakeFace.observation(embedding)
    }
}

/// A challenge that the first frame with a face passes, once, for its session alone.
actor FakeChallenges: FaceChallenging {
    nonisolated let unavailability: String?
    nonisolated let policy = FacePolicy.standard
    private let clock: any WallClock
    private var open: [String: String] = [:]

    init(clock: any WallClock, unavailability: String? = nil) {
        self.clock = clock
        self.unavailability = unavailability
    }

    func begin(for session: String, isKnown: Bool) throws(FaceChallengeFailure) -> FaceChallenge {
        guard unavailability == nil else { throw FaceChallengeFailure(.unavailable) }
        let id = SystemRandomSource().alphanumerics(32)
        open[session] = id
        return FaceChallenge(
            id: id, expires: clock.now + .seconds(60), pace: .milliseconds(125), framesPerPost: 8,
            bytesPerFrame: 1000,
            step: FaceChallengeStep(prompt: .gesture(.blink), hint: nil, done: 0, count: 3))
    }

    func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) throws(FaceChallengeFailure) -> FaceVerdict {
        guard open[session] == id else { throw FaceChallengeFailure(.unknown) }
        guard let embedding = frames.first.flatMap({ FakeFace.embedding(of: $0.image) }) else {
            return .goingOn(FaceChallengeStep(prompt: .lookStraight, hint: nil, done: 0, count: 3))
        }
        open[session] = nil
        guard frames.first?.image.first != 0 else { throw FaceChallengeFailure(.faceLost) }
        return .passed(
            FaceProof(
                after: [embedding] + frames.dropFirst().compactMap { FakeFace.embedding(of: $0.image) },
                face: FakeFace.observation(embedding), passiveScore: 0.9,
                gestures: [.blink], frames: 1, completed: clock.now))
    }
}
