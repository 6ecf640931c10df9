/// What was measured of the face in one picture. Coordinates are pixels of the upright picture, from its upper left corner.
public struct FaceObservation: Sendable {
    public var imageWidth: Int
    public var imageHeight: Int
    public var box: FaceBox
    public var points: FacePoints
    /// How sure the detector is, 0 to 1.
    public var score: Double
    public var mesh: FaceMesh
    public var light: FaceLight
    public var embedding: FaceEmbedding?
    public var attributes: FaceAttributes?
    public var liveness: FaceLiveness?
    /// How far the eyes are open, height to width, the mean of both.
    public var eyes: Double?

    public init(
        imageWidth: Int, imageHeight: Int, box: FaceBox, points: FacePoints, score: Double, mesh: FaceMesh,
        light: FaceLight, embedding: FaceEmbedding? = nil, attributes: FaceAttributes? = nil,
        liveness: FaceLiveness? = nil, eyes: Double? = nil
    ) {
        self.imageWidth = imageWidth
        self.imageHeight = imageHeight
        self.box = box
        self.points = points
        self.score = score
        self.mesh = mesh
        self.light = light
        self.embedding = embedding
        self.attributes = attributes
        self.liveness = liveness
        self.eyes = eyes
    }

    /// From the middle of one eye to that of the other, in pixels: what size is judged by.
    public var eyeDistance: Double { points.leftEye.distance(to: points.rightEye) }
}
