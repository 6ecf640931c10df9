import Authority
import BenjiProtocol
import Synchronization

@testable import FaceMatching

/// People as pictures of one byte: which face it shows. 0 shows none.
enum FakeFace {
    static func picture(_ person: UInt8) -> [UInt8] { [person] }

    /// Of one person always the same, of two as good as nothing in common.
    static func embedding(_ person: UInt8) -> FaceEmbedding {
        var values = [Float](repeating: 0.001, count: FaceEmbedding.size)
        values[Int(person) % FaceEmbedding.size] = 1
        return FaceEmbedding(values)!
    }

    static func observation(_ person: UInt8) -> FaceObservation {
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
            embedding: embedding(person),
            attributes: FaceAttributes(age: 26.85, male: 0.1, expressions: [.happy: 0.8, .calm: 0.2]),
            liveness: FaceLiveness(near: 0.9, wide: 0.9))
    }
}

/// Sees what the pictures say, or nothing at all.
struct FakeAnalyzer: FaceAnalyzer {
    var unavailability: String?

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        if let unavailability { throw FaceError(.unavailable, unavailability) }
        guard let person = image.first, image.count == 1 else { throw FaceError(.imageDamaged, "not a byte") }
        guard person != 0 else { throw FaceError(.noFace, "nobody") }
        return FakeFace.observation(person)
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

    func begin(for session: String) throws(FaceChallengeFailure) -> FaceChallenge {
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
        guard let person = frames.first?.image.first else {
            return .goingOn(FaceChallengeStep(prompt: .lookStraight, hint: nil, done: 0, count: 3))
        }
        open[session] = nil
        guard person != 0 else { throw FaceChallengeFailure(.faceLost) }
        return .passed(
            FaceProof(
                embeddings: [FakeFace.embedding(person)], face: FakeFace.observation(person), passiveScore: 0.9,
                gestures: [.blink], frames: 1, completed: clock.now))
    }
}
