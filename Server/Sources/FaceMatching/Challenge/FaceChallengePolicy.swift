/// The gestures, times and thresholds of a liveness challenge. docs/face.md states what the figures were measured on.
package struct FaceChallengePolicy: Hashable, Sendable {
    /// Gestures of a challenge. With three, one recorded session in 36 happens to fit.
    package var gestures = 3
    /// The gestures to choose from, listed once each. With three of four, one recorded session in 12 happens to fit.
    package var among = FaceGesture.allCases
    /// From the beginning to the last frame.
    package var life: Duration = .seconds(60)
    /// For looking into the camera until the picture is good enough.
    package var settling: Duration = .seconds(20)
    /// For one gesture, from the moment at which it is asked for.
    package var gesture: Duration = .seconds(10)
    /// The longest time between two frames. After a longer gap the person before the camera may be another.
    package var gap: Duration = .seconds(2)
    /// For how long there may be no face, or several.
    package var absence: Duration = .seconds(3)
    /// How old a frame may be when it arrives: a slow connection.
    package var lateness: Duration = .seconds(6)
    /// How far the device's clock may run ahead of ours over a challenge.
    package var earliness: Duration = .milliseconds(500)

    /// Good frames from the front before the first gesture is asked for; the face is compared by them.
    package var settledFrames = 3
    /// The largest `FaceMesh.turn` that is from the front, and the largest `FaceMesh.mouthOpening` that is closed.
    package var frontal = 0.12
    package var mouthClosed = 0.33
    /// How much a turn, and a mouth, must differ from how the person looked at first.
    package var change = 0.15
    package var mouthChange = 0.10
    /// Eyes less open than this are closed, for any person.
    package var eyesLeast = 0.15
    /// Eyes are closed below this part of how far they were open at first, and open again above the other.
    package var eyesClosed = 0.75
    package var eyesOpen = 0.87
    /// Frames on the way from the front to a turned head: a slide show has none.
    package var turningFrames = 1
    /// Frames in a row that show a gesture which was not asked for.
    package var wrongFrames = 2

    /// The least similarity to the first frames, frontal and turned or grimacing. Other people reach 0.25.
    package var continuity = 0.45
    package var continuityTurned = 0.30
    /// Frames below that, one after the other or not, which end the challenge.
    package var strangeFrames = 2
    /// How far a face may move from one frame to the next, in its own widths.
    package var leap = 0.75

    /// The limits of a request, and of a challenge.
    package var framesPerPost = 8
    package var bytesPerFrame = 512 << 10
    package var frames = 480
    /// Identical frames in a row: a camera's noise makes each one different.
    package var identicalFrames = 10
    /// The limits for decoding a frame's picture.
    package var limits: FaceImageLimits
    /// How often the device is asked for a frame.
    package var pace: Duration = .milliseconds(125)

    package init() {
        limits = FaceImageLimits()
        limits.bytes = bytesPerFrame
        limits.pixels = 2_100_000
        limits.scans = 16
        limits.keptSide = 640
    }
}
