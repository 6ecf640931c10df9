@_spi(Server) package import BenjiProtocol

extension PhoneNumber {
    /// As people and browsers write numbers: with spaces, hyphens and brackets.
    package init?(typed text: String) { self.init(text.filter { !" -().\u{a0}\u{2011}".contains($0) }) }
}
