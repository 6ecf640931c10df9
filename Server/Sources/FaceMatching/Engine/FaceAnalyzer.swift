/// Looks at the face in a picture. What the rest of the server knows of face matching.
package protocol FaceAnalyzer: Sendable {
    /// Why no picture can be looked at here, a sentence for the administrator; `nil` if it can.
    var unavailability: String? { get }

    /// Decodes a picture, finds the face that is meant and measures it.
    /// - Parameter image: A JPEG or a PNG from an untrusted sender.
    /// - Parameters:
    ///   - measures: The measurements besides box, points, mesh, eyes and quality; each costs time.
    ///   - framing: Which faces may be the one that is meant.
    ///   - limits: The limits of the picture; `nil` for those of the analyzer's policy.
    /// - Throws: ``FaceError``; `unavailable` where ``unavailability`` says why.
    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation
}

extension FaceAnalyzer {
    /// The same within the limits of the analyzer's policy.
    package func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming = .picture
    ) async throws(FaceError) -> FaceObservation {
        try await observe(image, measuring: measures, in: framing, within: nil)
    }
}

/// What to measure of a face.
package struct FaceMeasures: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The values for comparing faces.
    package static let embedding = FaceMeasures(rawValue: 1)
    /// Age, gender, expression.
    package static let attributes = FaceMeasures(rawValue: 2)
    /// Whether the picture looks like one of a live person.
    package static let liveness = FaceMeasures(rawValue: 4)
    package static let all: FaceMeasures = [.embedding, .attributes, .liveness]
}

/// Face matching on a server without models.
package struct UnavailableFaceAnalyzer: FaceAnalyzer {
    private let reason: String
    package var unavailability: String? { reason }

    package init(_ reason: String) { self.reason = reason }

    package func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        throw FaceError(.unavailable, reason)
    }
}
