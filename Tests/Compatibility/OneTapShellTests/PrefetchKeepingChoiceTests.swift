import Foundation
import Testing

@testable import OneTapShell

@Suite struct PrefetchKeepingChoiceTests {
    @Test("Keeping from the start is asked for by YES under BenjiKeepsPrefetch in Info.plist, and by nothing else")
    func reading() throws {
        func written(_ info: [String: Any]) throws -> Bool {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).bundle")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let data = try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            try data.write(to: folder.appendingPathComponent("Info.plist"))
            return PrefetchKeepingChoice.written(in: try #require(Bundle(url: folder)))
        }
        #expect(try written(["BenjiKeepsPrefetch": true]))
        #expect(try !written(["BenjiKeepsPrefetch": false]))
        #expect(try !written(["BenjiKeepsPrefetch": "YES"]))
        #expect(try !written([:]))
        #expect(!Bench().shell.keepsPrefetchFromStart)
    }
}
