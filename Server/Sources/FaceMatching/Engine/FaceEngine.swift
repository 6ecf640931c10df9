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

    /// Returns the best face's score in the image, and in the image turned clockwise by one, two and three quarters.
    /// The score is 0 where there is no face.
    /// - Parameter subject: Counts only faces at this one; `nil` counts all.
    func turns(of image: FaceImage, at subject: face_detection?, score: Double) throws(FaceError) -> [Double] {
        var scores: [Float] = [0, 0, 0, 0]
        var subject = subject ?? face_detection()
        let isAnywhere = subject.width <= 0
        try FaceError.check { message in
            withUnsafePointer(to: &subject) {
                face_engine_turns(handle, image.handle, Float(score), isAnywhere ? nil : $0, &scores, message)
            }
        }
        return scores.map(Double.init)
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

    /// - Returns: the mesh, and the features that it was worked out from.
    func mesh(of face: face_detection, in image: FaceImage) throws(FaceError) -> (mesh: FaceMesh, features: [Float]) {
        var face = face
        let mesh = UnsafeMutablePointer<face_mesh>.allocate(capacity: 1)
        defer { mesh.deallocate() }
        try FaceError.check { face_engine_mesh(handle, image.handle, &face, mesh, $0) }
        let features = withUnsafeBytes(of: &mesh.pointee.features) { Array($0.bindMemory(to: Float.self)) }
        return (FaceMesh(mesh, scale: image.scale), features)
    }

    /// - Returns: how far both eyes are open, the mean, and the features that it was worked out from.
    func eyes(of mesh: FaceMesh, in image: FaceImage) throws(FaceError) -> (opening: Double, features: [Float]) {
        let corners = [33, 133, 362, 263].map {
            face_point(x: Float(mesh.points[$0].x / image.scale), y: Float(mesh.points[$0].y / image.scale))
        }
        var eyes = face_eyes()
        try FaceError.check { message in face_engine_eyes(handle, image.handle, corners, &eyes, message) }
        let features = withUnsafeBytes(of: &eyes.features) { Array($0.bindMemory(to: Float.self)) }
        return (Double(eyes.openings.0 + eyes.openings.1) / 2, features)
    }

    func light(on face: face_detection, in image: FaceImage) throws(FaceError) -> FaceLight {
        var face = face
        var light = face_light()
        try FaceError.check { face_image_light(image.handle, &face, &light, $0) }
        return FaceLight(light)
    }
}
