/// How a puppet looks in one frame.
public struct PuppetPose: Hashable, Sendable {
    /// Degrees; above 0 the nose points to the picture's right, which is the person's left.
    public var yaw = 0.0
    /// 0 open to 1 closed.
    public var blink = 0.0
    /// 0 as in the picture to 1 wide open.
    public var mouth = 0.0
    /// Pixels by which the head sways.
    public var x = 0.0
    public var y = 0.0

    public init(yaw: Double = 0, blink: Double = 0, mouth: Double = 0, x: Double = 0, y: Double = 0) {
        self.yaw = yaw
        self.blink = blink
        self.mouth = mouth
        self.x = x
        self.y = y
    }

    /// The pose on the way to another: 0 is this one, 1 the other.
    public func towards(_ other: PuppetPose, _ part: Double) -> PuppetPose {
        func mix(_ one: Double, _ two: Double) -> Double { one + (two - one) * part }
        return PuppetPose(
            yaw: mix(yaw, other.yaw), blink: mix(blink, other.blink), mouth: mix(mouth, other.mouth),
            x: mix(x, other.x), y: mix(y, other.y))
    }
}
