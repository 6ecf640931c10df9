/// A colour of sRGB with its opacity.
public struct PageColor: Hashable, Sendable {
    /// 0 to 255.
    public var red: UInt8
    /// 0 to 255.
    public var green: UInt8
    /// 0 to 255.
    public var blue: UInt8
    /// 0, cannot be seen, to 255, hides what lies behind.
    public var alpha: UInt8

    /// A colour as `0xRRGGBB`.
    public init(_ rgb: UInt32, alpha: UInt8 = 255) {
        red = UInt8(rgb >> 16 & 255)
        green = UInt8(rgb >> 8 & 255)
        blue = UInt8(rgb & 255)
        self.alpha = alpha
    }

    /// Nothing to be seen.
    public static let clear = PageColor(0, alpha: 0)

    /// `#rrggbb`, with two more digits for an opacity below one, as CSS writes it.
    public var text: String {
        var text: [UInt8] = [UInt8(ascii: "#")]
        for part in alpha == 255 ? [red, green, blue] : [red, green, blue, alpha] {
            text += [PageJSON.hexadecimal(part >> 4), PageJSON.hexadecimal(part & 15)]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads ``text``, digits of either case.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7 || bytes.count == 9, bytes[0] == UInt8(ascii: "#") else { return nil }
        var value: UInt32 = 0
        for byte in bytes[1...] {
            guard let digit = PageJSON.hexadecimalValue(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        if bytes.count == 7 { self.init(value) } else { self.init(value >> 8, alpha: UInt8(value & 255)) }
    }

    /// This colour drawn on an opaque one.
    public func over(_ back: PageColor) -> PageColor {
        func mix(_ front: UInt8, _ back: UInt8) -> UInt8 {
            let opacity = Int(alpha)
            let sum: Int = Int(front) * opacity + Int(back) * (255 - opacity)
            return UInt8((sum + 127) / 255)
        }
        var mixed = PageColor(0)
        mixed.red = mix(red, back.red)
        mixed.green = mix(green, back.green)
        mixed.blue = mix(blue, back.blue)
        return mixed
    }
}

/// A colour in light and in dark appearance.
public struct AdaptiveColor: Hashable, Sendable, PageValue {
    /// The colour on a light page.
    public var light: PageColor
    /// The colour on a dark page.
    public var dark: PageColor

    /// The same colour in both appearances.
    public init(_ both: PageColor) {
        light = both
        dark = both
    }

    /// A colour for each appearance.
    public init(light: PageColor, dark: PageColor) {
        self.light = light
        self.dark = dark
    }

    /// Both as `0xRRGGBB`.
    public init(_ light: UInt32, dark: UInt32) { self.init(light: PageColor(light), dark: PageColor(dark)) }

    /// The colour of one appearance.
    public subscript(appearance: PageAppearance) -> PageColor { appearance == .dark ? dark : light }

    /// A text for both, or an object with one for each.
    static func read(_ json: PageJSON, at path: String) throws(PageError) -> AdaptiveColor {
        if case .string(let text) = json { return AdaptiveColor(try color(text, at: path)) }
        var coder = try PageCoder(reading: json, at: path)
        var light = Hex()
        var dark = Hex()
        try coder.required("light", &light)
        try coder.required("dark", &dark)
        try coder.expectEnd()
        return AdaptiveColor(light: light.color, dark: dark.color)
    }

    func written(at path: String) throws(PageError) -> PageJSON {
        if light == dark { return .string(light.text) }
        return .object([PageJSON.Member("light", .string(light.text)), PageJSON.Member("dark", .string(dark.text))])
    }

    private static func color(_ text: String, at path: String) throws(PageError) -> PageColor {
        guard let color = PageColor(text: text) else {
            throw PageError(place: path, problem: "must be a colour as #rrggbb or #rrggbbaa")
        }
        return color
    }

    private struct Hex: PageValue {
        var color = PageColor.clear

        static func read(_ json: PageJSON, at path: String) throws(PageError) -> Hex {
            guard case .string(let text) = json else {
                throw PageError(place: path, problem: "must be a string, is " + json.kind)
            }
            return Hex(color: try AdaptiveColor.color(text, at: path))
        }

        func written(at path: String) -> PageJSON { .string(color.text) }
    }
}

/// Whether a page is drawn light or dark.
public enum PageAppearance: String, Hashable, Sendable, CaseIterable, PageWord { case light, dark }
