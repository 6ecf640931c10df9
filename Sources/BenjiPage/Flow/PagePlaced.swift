/// Where a box really is on the screen, as a renderer reads it back.
public struct PagePlaced: Hashable, Sendable {
    /// The role of the box.
    public var role: PageRole
    /// Where it is drawn.
    public var frame: PageRect
    /// How much of it is seen, with everything that it lies in: 0 nothing, 1 all.
    public var opacity: Double
    /// Whether a tap in its middle reaches it.
    public var isTappable: Bool

    public init(_ role: PageRole, _ frame: PageRect, opacity: Double, isTappable: Bool) {
        self.role = role
        self.frame = frame
        self.opacity = opacity
        self.isTappable = isTappable
    }

    /// Applies this to `box`. A box that has not moved keeps its touch area, which may be larger than its frame.
    func apply(to box: inout PageBox) {
        let isWhereItWas = box.frame.contains(frame, tolerance: 0.01) && frame.contains(box.frame, tolerance: 0.01)
        if !isWhereItWas {
            box.frame = frame
            if box.hitArea != nil { box.hitArea = frame }
        }
        if !isTappable { box.hitArea = nil }
        box.opacity = min(box.opacity, opacity)
    }
}
