import BenjiTesting
import Foundation
import Testing

@Suite struct AppTestsDocumentTests {
    @Test("The example in docs/app-tests.md is the test beside this one, word for word")
    func example() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: folder.appendingPathComponent("LoginModelTests.swift"), encoding: .utf8)
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let document = try String(contentsOf: root.appendingPathComponent("docs/app-tests.md"), encoding: .utf8)
        #expect(document.contains("```swift\n" + example + "```"))
        for ending in MagicNumber.Ending.allCases where ending != .success {
            let digits = ending.rawValue < 10 ? "0\(ending.rawValue)" : "\(ending.rawValue)"
            #expect(document.contains(" \(digits)"), "\(ending) is not in the table")
        }
    }

    @Test(
        "A number that is not magic is none",
        arguments: [
            "1380000000", "138000000000", "12000000000", "13800003000", "13800001099", "1380000a000", "23800000000",
            "15400000000", "19200000000",
        ])
    func notMagic(digits: String) { #expect(MagicNumber(digits) == nil) }

    @Test("Every ending can be chosen for either step", arguments: MagicNumber.Ending.allCases)
    func endings(ending: MagicNumber.Ending) {
        let digits = ending.rawValue < 10 ? "0\(ending.rawValue)" : "\(ending.rawValue)"
        #expect(MagicNumber("1380000" + "10" + digits)?.prefetch.ending == ending)
        #expect(MagicNumber("1380000" + "20" + digits)?.authorize.ending == ending)
        #expect(MagicNumber("1380000" + "20" + digits)?.prefetch == MagicNumber.Step())
    }
}
