extension String {
    /// The text of a help page as it is handed over: lines of a paragraph are joined, because the terminal's width
    /// decides where they break. An indented line stands by itself.
    package var paragraphs: String {
        var text = ""
        var endsInParagraph = false
        for (number, line) in split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isParagraph = !line.isEmpty && line.first != " "
            if number > 0 { text += isParagraph && endsInParagraph ? " " : "\n" }
            text += line
            endsInParagraph = isParagraph
        }
        return text
    }
}
