import Foundation
import Testing

@testable import OneTapShell

@Suite struct PageProfileChoiceTests {
    /// A bundle with this in its `Info.plist`.
    private func written(_ info: [String: Any]) throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
        try data.write(to: folder.appendingPathComponent("Info.plist"))
        return PageProfileChoice.written(in: try #require(Bundle(url: folder)))
    }

    @Test("The profile is read from BenjiPageProfile in Info.plist; what is no text counts as written too")
    func reading() throws {
        #expect(try written(["BenjiPageProfile": "current"]) == "current")
        #expect(try written(["BenjiPageProfile": 7]) == "7")
        #expect(try written(["BenjiServer": "https://gateway.example"]) == nil)
    }

    @Test("An app that writes nothing asks for nothing")
    func standard() { #expect(Bench().shell.pageProfile == nil) }
}
