/// What a liveness challenge asks for and how strictly. docs/face.md says what the figures were measured on.
public struct FaceChallengePolicy: Hashable, Sendable {
    /// Gestures of a challenge. With three, one recorded session in 36 happens to fit.
    public var gestures = 3
    /// What may be asked for, each once. With three of the four, one recorded session in 12 happens to fit.
    public var among = FaceGesture.allCases
    /// From the beginning to the last frame.
    public var life: Duration = .seconds(60)
    /// For looking into the camera until the picture is good enough.
    public var settling: Duration = .seconds(20)
    /// For one gesture, from the moment at which it is asked for.
    public var gesture: Duration = .seconds(10)
    /// The longest time between two frames. After a longer one nobody knows who is before the camera.
    public var gap: Duration = .seconds(2)
    /// For how long there may be no face, or several.
    public var absence: Duration = .seconds(3)
    /// How old a frame may be when it arrives: a slow connection.
    public var lateness: Duration = .seconds(6)
    /// How far the device's clock may run ahead of ours over a challenge.
    public var earliness: Duration = .milliseconds(500)

    /// Good frames from the front before the first gesture is asked for; the face is compared by them.
    public var settledFrames = 3
    /// The largest `FaceMesh.turn` that is from the front, and the largest `FaceMesh.mouthOpening` that is closed.
    public var frontal = 0.12
    public var mouthClosed = 0.33
    /// How much a turn, and a mouth, must differ from how the person looked at first.
    public var change = 0.15
    public var mouthChange = 0.10
    /// Eyes less open than this are closed, whoever's they are.
    public var eyesLeast = 0.15
    /// Eyes are closed below this part of how far they were open at first, and open again above the other.
    public var eyesClosed = 0.75
    public var eyesOpen = 0.87
    /// Frames on the way from the front to a turned head: a slide show has none.
    public var turningFrames = 1
    /// Frames in a row that show a gesture which was not asked for.
    public var wrongFrames = 2

    /// The least similarity of a frame from the front to the first ones, and of one that is turned or grimaces. Strangers reach 0.25.
    public var continuity = 0.45
    public var continuityTurned = 0.30
    /// Frames below that, one after the other or not, which end the challenge.
    public var strangeFrames = 2
    /// How far a face may move from one frame to the next, in its own widths.
    public var leap = 0.75

    /// What one post may hold, and one challenge.
    public var framesPerPost = 8
    public var bytesPerFrame = 512 << 10
    public var frames = 480
    /// Identical frames in a row: a camera's noise makes each one different.
    public var identicalFrames = 10
    /// What a picture of a frame may ask of the decoder.
    public var limits: FaceImageLimits
    /// How often the device is asked for a frame.
    public var pace: Duration = .milliseconds(125)

    public init() {
        limits = FaceImageLimits()
        limits.bytes = bytesPerFrame
        limits.pixels = 2_100_000
        limits.scans = 16
        limits.keptSide = 640
    }
}
