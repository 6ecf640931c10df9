#if canImport(UIKit)
@_spi(Server) import BenjiProtocol
import Testing

@testable import BenjiFace

@MainActor @Suite struct FaceProfileViewTests {
    @Test("A name that is cut at a joiner ends before the joiner, which the server would refuse there")
    func cut() {
        let start = String(repeating: "م", count: 29) + " "
        let text = start + "ب\u{200C}" + "پت"
        #expect(TextGrammar.problem(inName: text) == nil)
        // A cut alone leaves the joiner at the end.
        var naive = text
        while naive.utf8.count > 64 { naive.removeLast() }
        #expect(naive.unicodeScalars.last == "\u{200C}" && TextGrammar.problem(inName: naive) != nil)
        #expect(FaceProfileView.trimmed(text) == start + "ب")
        #expect(FaceProfileView.trimmed("  Ming ") == "Ming")
    }
}
#endif
