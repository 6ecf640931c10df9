@_spi(Server) package import BenjiPage

/// Brings texts that an app sets freely within what a page description takes.
package enum PageText {
    /// On one line and without characters that have no width or turn the direction of writing; `nil` when nothing is
    /// left to be read.
    package static func shown(_ text: String) -> String? {
        let text = onOneLine(text)
        return text.allSatisfy { $0 == " " } ? nil : text
    }

    /// A text of the app's, the same in every language.
    package static func localized(_ text: String?) -> LocalizedText? {
        text.flatMap(shown).map { LocalizedText($0) }
    }

    /// The words around the titles of terms: four or more, which may be empty; anything else is the default.
    ///
    /// The documents say exactly four; a later version of the same SDK takes more.
    package static func glue(_ words: [String]?) -> [LocalizedText]? {
        guard let words, (4...32).contains(words.count) else { return nil }
        return words.map { LocalizedText(onOneLine($0)) }
    }

    private static func onOneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append(" ")
            default: line.append(scalar)
            }
        }
        let start = String(TextGrammar.cleaned(String(line)).unicodeScalars.prefix(200))
        // The cut may have left a joiner without its second emoji.
        return TextGrammar.cleaned(start)
    }
}
