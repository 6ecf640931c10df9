import BenjiPage

/// Values as Swift writes them.
enum SwiftLiteral {
    static func string(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    static func number(_ value: Double) -> String { PageJSON.number(value)?.text ?? "0" }

    static func text(_ text: LocalizedText) -> String {
        let (simplified, traditional, english) = (text.simplifiedChinese, text.traditionalChinese, text.english)
        guard !simplified.sameBytes(as: traditional) || !simplified.sameBytes(as: english) else {
            return "LocalizedText(\(string(simplified)))"
        }
        return "LocalizedText(\(string(simplified)), \(string(traditional)), \(string(english)))"
    }

    /// `0xrrggbb`.
    static func digits(_ color: PageColor) -> String {
        var opaque = color
        opaque.alpha = 255
        return "0x" + String(opaque.text.dropFirst())
    }

    static func color(_ color: PageColor) -> String {
        color.alpha == 255
            ? "PageColor(\(digits(color)))" : "PageColor(\(digits(color)), alpha: \(Int(color.alpha)))"
    }

    static func color(_ color: AdaptiveColor) -> String {
        if color.light == color.dark { return "AdaptiveColor(\(self.color(color.light)))" }
        if color.light.alpha == 255, color.dark.alpha == 255 {
            return "AdaptiveColor(\(digits(color.light)), dark: \(digits(color.dark)))"
        }
        return "AdaptiveColor(light: \(self.color(color.light)), dark: \(self.color(color.dark)))"
    }

    static func list(_ elements: [String], indented: String = "    ") -> String {
        guard !elements.isEmpty else { return "[]" }
        var text = "[\n"
        for element in elements { text += indented + element + ",\n" }
        return text + "]"
    }

    static func image(_ image: PageImage) -> String {
        "PageImage(\(string(image.name)), width: \(number(image.size.width)), height: \(number(image.size.height)))"
    }

    static func slot(_ slot: PageSlot) -> String {
        "PageSlot(\(string(slot.name)), width: \(number(slot.size.width)), height: \(number(slot.size.height)))"
    }

    static func term(_ term: PageTerm) -> String {
        "PageTerm(\(text(term.title)), url: \(string(term.url)), index: \(term.index))"
    }

    static func placement(_ placement: PagePlacement) -> String {
        func offsets(_ offsets: PagePlacement.Offsets) -> String {
            "PagePlacement.Offsets(top: \(optional(offsets.top)), center: \(number(offsets.center)), left: "
                + "\(optional(offsets.left)))"
        }
        return "PagePlacement(portrait: \(offsets(placement.portrait)), landscape: \(offsets(placement.landscape)), "
            + "width: \(optional(placement.width)), height: \(optional(placement.height)))"
    }

    private static func optional(_ value: Double?) -> String { value.map { number($0) } ?? "nil" }

    static func view(_ view: PageDescription.CustomView) -> String {
        "PageDescription.CustomView(\(slot(view.slot)), placement: \(placement(view.placement)), "
            + "label: \(view.label.map { text($0) } ?? "nil"))"
    }
}
