import Authority
package import FaceMatching

/// The liveness challenges that face accounts use. ``FaceChallenges`` conforms to it, and tests script a double.
package protocol FaceChallenging: Sendable {
    /// Why no challenge can begin here, a sentence for the administrator; `nil` if it can.
    var unavailability: String? { get }
    var policy: FacePolicy { get }
    /// Begins a challenge. One of the same session ends.
    /// - Parameter isKnown: whether it is known whose session it is. Those of which it is not known have a small part
    ///   of the room.
    func begin(for session: String, isKnown: Bool) async throws(FaceChallengeFailure) -> FaceChallenge
    /// Looks at frames. A proof is handed out once.
    func judge(
        _ frames: [FaceFrame], of id: String, for session: String
    ) async throws(FaceChallengeFailure) -> FaceVerdict
}

extension FaceChallenges: FaceChallenging {}
