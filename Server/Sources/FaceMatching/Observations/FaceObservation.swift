/// Measurements of the face in a picture. Coordinates are pixels of the upright picture, from the upper left corner.
package struct FaceObservation: Sendable {
    package var imageWidth: Int
    package var imageHeight: Int
    package var box: FaceBox
    package var points: FacePoints
    /// How sure the detector is, 0 to 1.
    package var score: Double
    package var mesh: FaceMesh
    package var light: FaceLight
    package var cover: FaceCover
    package var embedding: FaceEmbedding?
    package var attributes: FaceAttributes?
    package var liveness: FaceLiveness?
    /// How far the eyes are open, height to width, the mean of both.
    package var eyes: Double?

    package init(
        imageWidth: Int, imageHeight: Int, box: FaceBox, points: FacePoints, score: Double, mesh: FaceMesh,
        light: FaceLight, cover: FaceCover = .none, embedding: FaceEmbedding? = nil, attributes: FaceAttributes? = nil,
        liveness: FaceLiveness? = nil, eyes: Double? = nil
    ) {
        self.imageWidth = imageWidth
        self.imageHeight = imageHeight
        self.box = box
        self.points = points
        self.score = score
        self.mesh = mesh
        self.light = light
        self.cover = cover
        self.embedding = embedding
        self.attributes = attributes
        self.liveness = liveness
        self.eyes = eyes
    }

    /// From the middle of one eye to that of the other, in pixels: what size is judged by.
    package var eyeDistance: Double { points.leftEye.distance(to: points.rightEye) }

    /// The part of the mesh that lies outside of the picture, 0 to 1.
    package var outside: Double {
        let (width, height) = (Double(imageWidth), Double(imageHeight))
        let count = mesh.points.count { $0.x < 0 || $0.y < 0 || $0.x > width || $0.y > height }
        return Double(count) / Double(mesh.points.count)
    }
}
