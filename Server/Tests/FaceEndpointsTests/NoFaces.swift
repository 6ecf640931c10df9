import Authority
import FaceAccounts
import FaceMatching

@testable import FaceEndpoints

/// A server without models.
struct NoFaces: FaceAnalyzer, FaceChallenging {
    var unavailability: String? { "no models" }
    var policy: FacePolicy { .standard }

    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation { throw FaceError(.unavailable, "no models") }

    func begin(for session: String, isKnown: Bool) async throws(FaceChallengeFailure) -> FaceChallenge {
        throw FaceChallengeFailure(.unavailable)
    }

    func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) async throws(FaceChallengeFailure) -> FaceVerdict { throw FaceChallengeFailure(.unavailable) }
}
