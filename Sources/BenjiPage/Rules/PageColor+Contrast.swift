extension PageColor {
    /// The contrast of two opaque colours, 1 to 21 (WCAG 2.2).
    public func contrast(to other: PageColor) -> Double {
        let first = luminance
        let second = other.luminance
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// How light an opaque colour is, 0 to 1 (WCAG 2.2, relative luminance).
    public var luminance: Double {
        0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
    }

    private static func linear(_ part: UInt8) -> Double {
        let value = Double(part) / 255
        if value <= 0.04045 { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // base to the power of 2.4 is base² times the square of the fifth root; Embedded Swift has no pow.
        let root = fifthRoot(base)
        return base * base * root * root
    }

    /// Newton's method; the argument lies between 0.09 and 1, where twenty steps are more than enough.
    private static func fifthRoot(_ value: Double) -> Double {
        var root = 1.0
        for _ in 0..<20 {
            let fourth = root * root * root * root
            root = (4 * root + value / fourth) / 5
        }
        return root
    }
}
