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
        _ image: [UInt8], measuring measures: FaceMeasures, in framing: FaceFraming, within limits: FaceImageLimits?
    ) async throws(FaceError) -> FaceObservation {
        let policy = policy
        // Decoded within the engine's turn, so that no more images than engines are in memory.
        return try await pool.run { engine throws(FaceError) in
            let image = try FaceImage(image, limits: limits ?? policy.limits)
            let face = try Self.subject(of: image, framing, by: engine, policy)
            return try Self.observation(of: face, in: image, by: engine, measures)
        }
    }

    private static func subject(
        of image: FaceImage, _ framing: FaceFraming, by engine: FaceEngine, _ policy: FacePolicy
    ) throws(FaceError) -> face_detection {
        let faces = try engine.detect(image, score: policy.detectionScore)
        // An upright bystander does not show how the subject's face lies. Without a subject, all faces count.
        let found = Result { () throws(FaceError) in
            try policy.subject(of: faces, framing, width: image.keptWidth, height: image.keptHeight)
        }
        let subject = try? found.get()
        // A face that lies on its side is found with less certainty, or not at all. Others need no second look.
        if Double(subject?.score ?? faces.map(\.score).max() ?? 0) < policy.quality.upright {
            let turns = try engine.turns(of: image, at: subject, score: policy.detectionScore)
            let quarters = policy.quarters(toTurn: turns)
            guard quarters == 0 else {
                throw FaceError(
                    .imageTurned, "the face is upright if the picture is turned clockwise by \(quarters * 90)°")
            }
        }
        return try found.get()
    }

    private static func observation(
        of face: face_detection, in image: FaceImage, by engine: FaceEngine, _ measures: FaceMeasures
    ) throws(FaceError) -> FaceObservation {
        let (mesh, features) = try engine.mesh(of: face, in: image)
        let eyes = try engine.eyes(of: mesh, in: image)
        return FaceObservation(
            imageWidth: image.width, imageHeight: image.height, box: FaceBox(face, scale: image.scale),
            points: FacePoints(face, scale: image.scale), score: Double(face.score), mesh: mesh,
            light: try engine.light(on: face, in: image), cover: FaceCover(mesh: features, eyes: eyes.features),
            embedding: measures.contains(.embedding) ? try engine.embedding(of: face, in: image) : nil,
            attributes: measures.contains(.attributes) ? try engine.attributes(of: face, in: image) : nil,
            liveness: measures.contains(.liveness) ? try engine.liveness(of: face, in: image) : nil, eyes: eyes.opening)
    }
}
