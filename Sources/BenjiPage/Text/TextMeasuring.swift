/// Knows how wide the characters of a typeface are.
///
/// Line breaks and boxes depend on it, so a renderer must draw with the same measures. It draws without kerning,
/// ligatures and trimmed punctuation, since advances are added up one scalar at a time.
public protocol TextMeasuring {
    /// The width in points of one scalar, drawn in this font.
    func advance(of scalar: Unicode.Scalar, font: PageFont) -> Double

    /// Points that a line of this font needs at least. Lines are as high as ``PageFont/size`` asks for, unless this is
    /// more.
    func lineHeight(of font: PageFont) -> Double
}

extension TextMeasuring {
    /// Nothing: every line has room enough.
    public func lineHeight(of font: PageFont) -> Double { 0 }
}

/// The advances of Noto Sans CJK SC: what Linux and the web draw with, and its Latin letters too.
///
/// A browser agrees within 0.02 points for Chinese and Latin text when CSS says `font-kerning: none` and
/// `text-spacing-trim: space-all`.
public struct AdvanceTable: TextMeasuring, Sendable {
    public init() {}

    /// One em for whatever the typeface does not have.
    public func advance(of scalar: Unicode.Scalar, font: PageFont) -> Double {
        Double(Self.thousandths(scalar.value, isBold: font.isBold)) * font.size / 1000
    }

    /// Thousandths of an em.
    private static func thousandths(_ code: UInt32, isBold: Bool) -> UInt16 {
        guard code <= 0xffff else { return 1000 }
        let table = notoSansCJKSC
        var low = 0
        var high = table.count / 4
        while low < high {
            let middle = (low + high) / 2
            if code < UInt32(table[middle * 4]) {
                high = middle
            } else if code > UInt32(table[middle * 4 + 1]) {
                low = middle + 1
            } else {
                return table[middle * 4 + (isBold ? 3 : 2)]
            }
        }
        return 1000
    }
}
