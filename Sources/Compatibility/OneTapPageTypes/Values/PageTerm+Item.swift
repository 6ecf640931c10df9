package import BenjiPage

extension PageTerm {
    /// A term as the apps set it: a title, an address and an index that sorts; the carrier's terms have index 0.
    ///
    /// An `http` address is opened by `https`: the text that a person agrees to must not be changed on the way. Any
    /// other address stays as it is, and the page then reports its problem.
    package init(title: String, address: String, index: Int) {
        let plain = "http://"
        let secure = address.lowercased().hasPrefix(plain) ? "https://" + address.dropFirst(plain.count) : address
        self.init(PageText.localized(title) ?? LocalizedText(""), url: secure, index: min(max(index, -1000), 1000))
    }
}
