/// A width and a height in points.
public struct PageSize: Hashable, Sendable {
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    public init(_ width: Double, _ height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in points, its origin at the top left of the screen.
public struct PageRect: Hashable, Sendable, CustomStringConvertible {
    /// Points from the left edge of the screen.
    public var x: Double
    /// Points from the top of the screen.
    public var y: Double
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Left, top, width and height.
    public var description: String {
        var text = ""
        for number in [x, y, width, height] {
            text += (text.utf8.isEmpty ? "" : " ") + (PageJSON.number(number)?.text ?? "?")
        }
        return text
    }

    /// The right edge.
    public var maxX: Double { x + width }
    /// The bottom edge.
    public var maxY: Double { y + height }
    /// The middle between left and right.
    public var midX: Double { x + width / 2 }
    /// The middle between top and bottom.
    public var midY: Double { y + height / 2 }

    /// The intersection of both rectangles, or `nil` when it has no area.
    public func intersection(_ other: PageRect) -> PageRect? {
        let left = max(x, other.x)
        let right = min(maxX, other.maxX)
        let top = max(y, other.y)
        let bottom = min(maxY, other.maxY)
        return left < right && top < bottom ? PageRect(left, top, right - left, bottom - top) : nil
    }

    /// Whether `other` lies within this rectangle, give or take `tolerance` points.
    public func contains(_ other: PageRect, tolerance: Double = 0) -> Bool {
        other.x >= x - tolerance && other.y >= y - tolerance && other.maxX <= maxX + tolerance
            && other.maxY <= maxY + tolerance
    }
}

/// Distances from the four edges in points.
public struct PageInsets: Hashable, Sendable {
    /// Points from the top edge.
    public var top: Double
    /// Points from the left edge.
    public var left: Double
    /// Points from the bottom edge.
    public var bottom: Double
    /// Points from the right edge.
    public var right: Double

    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}
