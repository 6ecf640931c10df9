/// How a puppet looks in one frame.
package struct PuppetPose: Hashable, Sendable {
    /// Degrees; above 0 the nose points to the picture's right, which is the person's left.
    package var yaw = 0.0
    /// 0 open to 1 closed.
    package var blink = 0.0
    /// 0 as in the picture to 1 wide open.
    package var mouth = 0.0
    /// Pixels by which the head sways.
    package var x = 0.0
    package var y = 0.0

    package init(yaw: Double = 0, blink: Double = 0, mouth: Double = 0, x: Double = 0, y: Double = 0) {
        self.yaw = yaw
        self.blink = blink
        self.mouth = mouth
        self.x = x
        self.y = y
    }

    /// The pose on the way to another: 0 is this one, 1 the other.
    package func towards(_ other: PuppetPose, _ part: Double) -> PuppetPose {
        func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * part }
        return PuppetPose(
            yaw: mix(yaw, other.yaw), blink: mix(blink, other.blink), mouth: mix(mouth, other.mouth),
            x: mix(x, other.x), y: mix(y, other.y))
    }
}
