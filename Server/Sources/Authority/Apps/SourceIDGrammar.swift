/// How a source id is written: as digits, `800120170818101447`.
package enum SourceIDGrammar {
    /// Whether the text is 1 to 32 ASCII digits.
    package static func matches(_ text: some StringProtocol) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
