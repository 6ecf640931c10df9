extension PageContent {
    /// The content of the page of a login by SMS that looks like `page`, in one language.
    ///
    /// The number stands in its field as the person typed it, and is written ``numberPlaceholder`` here like any other.
    ///
    /// - Parameter policyVersion: as it came with the code.
    public init(bySMS page: PageDescription, policyVersion: String, language: Language) {
        let shown = page.bySMS
        var texts: [Text] = []
        if let title = shown.navigationBar.title { texts.append(Text(role: .title, text: title.style.text[language])) }
        texts.append(Text(role: .number, text: Self.numberPlaceholder))
        for words in [SMSPageStrings.number, SMSPageStrings.code, SMSPageStrings.send] {
            texts.append(Text(role: .custom, text: words[language]))
        }
        texts.append(Text(role: .loginButton, text: shown.loginButton.title.text[language]))
        if !shown.switchButton.isHidden {
            texts.append(Text(role: .switchButton, text: shown.switchButton.title.text[language]))
        }
        var sentence = ""
        var links: [TextBlock.Link] = []
        for piece in shown.terms.pieces(nil, language) {
            sentence += piece.text
            if let url = piece.url { links.append(TextBlock.Link(title: piece.text, url: url)) }
        }
        texts.append(Text(role: .terms, text: sentence))
        texts.append(Text(role: .hint, text: shown.terms.hint.text[language]))
        self.init(
            page: page, language: language, policyVersion: policyVersion, texts: texts, links: links,
            isInitiallyTicked: shown.terms.tick.isInitiallySet)
    }
}
