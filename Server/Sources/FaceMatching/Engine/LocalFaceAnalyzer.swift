import CFaceEngine

/// Looks at faces in this process, with a pool of engines.
package struct LocalFaceAnalyzer: FaceAnalyzer {
    package let policy: FacePolicy
    private let pool: FaceEnginePool

    /// Loads the models for the first engine, which takes about half a second.
    /// - Parameters:
    ///   - engines: how many pictures are looked at at a time, each on a core of its own. An engine takes about 130 MB.
    ///   - waiting: how many more pictures may wait.
    /// - Throws: ``FaceError`` with `unavailable` if a model is missing or altered.
    package init(
        models: FaceModelFolder, policy: FacePolicy = .standard, engines: Int, waiting: Int = 256
    ) async throws(FaceError) {
        self.policy = policy
        pool = FaceEnginePool(models: models, size: engines, waiting: waiting)
        try await pool.run { _ in }
    }

    package var unavailability: String? { nil }

    package func observe(
        _ image: [UInt8], measuring measures: FaceMeasures, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        let policy = policy
        // Decoded within the engine's turn, so that no more images than engines are in memory.
        return try await pool.run { engine throws(FaceError) in
            let image = try FaceImage(image, limits: limits ?? policy.limits)
            let faces = try engine.detect(image, score: policy.detectionScore)
            return try Self.observation(of: policy.subject(of: faces), in: image, by: engine, measures)
        }
    }

    private static func observation(
        of face: face_detection, in image: FaceImage, by engine: FaceEngine, _ measures: FaceMeasures
    ) throws(FaceError) -> FaceObservation {
        let mesh = try engine.mesh(of: face, in: image)
        return FaceObservation(
            imageWidth: image.width, imageHeight: image.height, box: FaceBox(face, scale: image.scale),
            points: FacePoints(face, scale: image.scale), score: Double(face.score), mesh: mesh,
            light: try engine.light(on: face, in: image),
            embedding: measures.contains(.embedding) ? try engine.embedding(of: face, in: image) : nil,
            attributes: measures.contains(.attributes) ? try engine.attributes(of: face, in: image) : nil,
            liveness: measures.contains(.liveness) ? try engine.liveness(of: face, in: image) : nil,
            eyes: measures.contains(.eyes) ? try engine.eyes(of: mesh, in: image) : nil)
    }
}
