import CFaceEngine

/// One set of networks. It serves one call at a time; ``FaceEnginePool`` sees to that.
final class FaceEngine: @unchecked Sendable {
    // Unchecked: the pool hands an engine to one call and takes it back when the call has ended.
    private let handle: OpaquePointer

    /// - Throws: ``FaceError`` with `unavailable` or `outOfMemory`.
    init(_ folder: FaceModelFolder) throws(FaceError) {
        let files = try folder.read()
        var engine: OpaquePointer?
        try FaceError.check { message in files.withModels { face_engine_create(&$0, &engine, message) } }
        guard let engine else { throw FaceError(.failed, "no engine, and no reason") }
        handle = engine
    }

    deinit { face_engine_free(handle) }

    /// The faces of an image, the largest first.
    func detect(_ image: FaceImage, score: Double) throws(FaceError) -> [face_detection] {
        var faces = [face_detection](repeating: face_detection(), count: 64)
        var count = 0
        try FaceError.check { message in
            faces.withUnsafeMutableBufferPointer {
                face_engine_detect(handle, image.handle, Float(score), $0.baseAddress, $0.count, &count, message)
            }
        }
        return Array(faces.prefix(count))
    }

    func embedding(of face: face_detection, in image: FaceImage) throws(FaceError) -> FaceEmbedding {
        var face = face
        var values = [Float](repeating: 0, count: Int(FACE_EMBEDDING_SIZE))
        try FaceError.check { message in
            values.withUnsafeMutableBufferPointer {
                face_engine_embed(handle, image.handle, &face, $0.baseAddress, message)
            }
        }
        return FaceEmbedding(unit: values)
    }

    func attributes(of face: face_detection, in image: FaceImage) throws(FaceError) -> FaceAttributes {
        var face = face
        var attributes = face_attributes()
        try FaceError.check { face_engine_attributes(handle, image.handle, &face, &attributes, $0) }
        return FaceAttributes(attributes)
    }

    func liveness(of face: face_detection, in image: FaceImage) throws(FaceError) -> FaceLiveness {
        var face = face
        var liveness = face_liveness()
        try FaceError.check { face_engine_liveness(handle, image.handle, &face, &liveness, $0) }
        return FaceLiveness(near: Double(liveness.near), wide: Double(liveness.wide))
    }

    func mesh(of face: face_detection, in image: FaceImage) throws(FaceError) -> FaceMesh {
        var face = face
        let mesh = UnsafeMutablePointer<face_mesh>.allocate(capacity: 1)
        defer { mesh.deallocate() }
        try FaceError.check { face_engine_mesh(handle, image.handle, &face, mesh, $0) }
        return FaceMesh(mesh, scale: image.scale)
    }

    /// The mean of both eyes.
    func eyes(of mesh: FaceMesh, in image: FaceImage) throws(FaceError) -> Double {
        let corners = [33, 133, 362, 263].map {
            face_point(x: Float(mesh.points[$0].x / image.scale), y: Float(mesh.points[$0].y / image.scale))
        }
        var openings: [Float] = [0, 0]
        try FaceError.check { message in face_engine_eyes(handle, image.handle, corners, &openings, message) }
        return Double(openings[0] + openings[1]) / 2
    }

    func light(on face: face_detection, in image: FaceImage) throws(FaceError) -> FaceLight {
        var face = face
        var light = face_light()
        try FaceError.check { face_image_light(image.handle, &face, &light, $0) }
        return FaceLight(light)
    }
}
