extension StringProtocol {
    /// The text without what would steer a terminal or turn its line of writing: for what strangers wrote.
    package var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: continue
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
