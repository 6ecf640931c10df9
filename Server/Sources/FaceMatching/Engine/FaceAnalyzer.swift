/// Looks at the face in a picture. What the rest of the server knows of face matching.
public protocol FaceAnalyzer: Sendable {
    /// Why no picture can be looked at here, a sentence for the administrator; `nil` if it can.
    var unavailability: String? { get }

    /// Decodes a picture, finds the face that is meant and measures it.
    /// - Parameter image: a JPEG or a PNG from a stranger.
    /// - Parameters:
    ///   - measures: what is measured besides box, points, mesh and quality; each costs time.
    ///   - limits: what the picture may ask for; `nil` for those of the analyzer's policy.
    /// - Throws: ``FaceError``; `unavailable` where ``unavailability`` says why.
    func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation
}

extension FaceAnalyzer {
    /// The same within the limits of the analyzer's policy.
    public func observe(_ image: [UInt8], measuring measures: FaceMeasures) async throws(FaceError) -> FaceObservation {
        try await observe(image, measuring: measures, within: nil)
    }
}

/// What to measure of a face.
public struct FaceMeasures: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// What faces are compared by.
    public static let embedding = FaceMeasures(rawValue: 1)
    /// Age, gender, expression.
    public static let attributes = FaceMeasures(rawValue: 2)
    /// Whether the picture looks like one of a live person.
    public static let liveness = FaceMeasures(rawValue: 4)
    /// How far the eyes are open; the mesh hardly sees closed ones.
    public static let eyes = FaceMeasures(rawValue: 8)
    public static let all: FaceMeasures = [.embedding, .attributes, .liveness, .eyes]
}

/// Face matching on a server without models.
public struct UnavailableFaceAnalyzer: FaceAnalyzer {
    private let reason: String
    public var unavailability: String? { reason }

    public init(_ reason: String) { self.reason = reason }

    public func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        throw FaceError(.unavailable, reason)
    }
}
