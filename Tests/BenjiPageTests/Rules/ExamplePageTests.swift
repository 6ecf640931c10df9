import Foundation
import Testing

@testable import BenjiPage

@Suite struct ExamplePageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Examples/Pages").standardized

    static let names = [
        "bottom-sheet", "branded", "dark", "editorial", "landscape", "minimal", "photo", "popup",
    ]

    static func page(_ name: String) throws -> PageDescription {
        try PageDescription(parsing: Array(Data(contentsOf: folder.appending(path: name + ".json"))))
    }

    @Test("These are all of the examples")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".json")
        }
        #expect(files.sorted() == Self.names.map { $0 + ".json" })
    }

    @Test(
        "Every example keeps every rule for all carriers, screens, languages and appearances", arguments: names)
    func rules(name: String) throws {
        let page = try Self.page(name)
        for carrier in PageCarrier.documented {
            for screen in PageScreen.all {
                for language in Language.allCases {
                    for appearance in PageAppearance.allCases {
                        let screen = screen.with {
                            $0.language = language
                            $0.appearance = appearance
                        }
                        let findings = PageJudge().findings(
                            try page.scene(screen, carrier), facts: .sample(carrier),
                            missingTick: PageJudge.MissingTick(of: page))
                        #expect(findings == [], "\(carrier) \(screen.size) \(language) \(appearance)")
                    }
                }
            }
        }
    }
}
