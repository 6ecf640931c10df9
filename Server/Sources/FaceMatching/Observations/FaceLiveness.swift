/// How much a picture looks like one of a live person rather than of a print or a screen.
///
/// It judges pixels. An image that is fed in instead of a camera's passes, so it defends against clumsy copies only.
package struct FaceLiveness: Hashable, Sendable {
    /// 0 to 1: what the network says that sees the face closely.
    package var near: Double
    /// 0 to 1: what the network says that sees the surroundings too.
    package var wide: Double

    package init(near: Double, wide: Double) {
        self.near = near
        self.wide = wide
    }

    /// The mean of both, as their authors use them.
    package var score: Double { (near + wide) / 2 }
}
