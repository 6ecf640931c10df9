import BenjiPage
import Foundation
import HTTPTypes
import NIOCore
import ServerHTTP
import Testing

@testable import PageDesigner

@Suite("The page designer's files and callers")
struct PageDesignerTests {
    /// The repository's root: this file is in Server/Tests/PageDesignerTests.
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func files(_ folder: String, _ ending: String) throws -> [String: URL] {
        let found = try FileManager.default.contentsOfDirectory(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return Dictionary(
            uniqueKeysWithValues: found.filter { $0.pathExtension == ending }.map { ($0.lastPathComponent, $0) })
    }

    @Test("Every file of the designer, every example page and every picture is in the program, as it is")
    func hasEveryFile() throws {
        var wanted: [String: URL] = [:]
        for ending in ["html", "css", "js"] {
            wanted.merge(try Self.files("Server/Sources/PageDesigner/Resources", ending)) { $1 }
        }
        wanted["tokens.css"] = Self.root.appendingPathComponent("Server/Sources/ServerHTTP/tokens.css")
        wanted["benji-page.js"] = Self.root.appendingPathComponent("WebAssembly/benji-page.js")
        for (name, file) in try Self.files("Examples/Pages", "json") { wanted["examples/" + name] = file }
        for (name, file) in try Self.files("Examples/Pages/Pictures", "svg") { wanted["pictures/" + name] = file }
        // Made by a script, and absent from a build without it.
        var there = DesignerFile.all
        there["benji-page.wasm"] = nil
        #expect(Set(there.keys) == Set(wanted.keys))
        for (name, file) in wanted {
            #expect(try there[name].map { Data($0.bytes.readableBytesView) } == Data(contentsOf: file), "\(name)")
        }
    }

    @Test("Every route is below the designer's address, and only saving and showing change something")
    func routes() {
        let readOnly = PageDesigner(at: "/design/", startingWith: { "{}" }).routes
        #expect(readOnly.allSatisfy { $0.path.hasPrefix("/design/") && $0.method == .get })
        let whole = PageDesigner(
            at: "/design/", startingWith: { "{}" }, file: "login.json", save: { _ in }, show: { _ in }
        ).routes
        #expect(
            Set(whole.filter { $0.method != .get }.map { "\($0.method) \($0.path)" }) == [
                "PUT /design/page.json", "POST /design/shop",
            ])
    }

    @Test("Only the designer's own page may change something, under localhost or an address alone")
    func callers() {
        func answers(_ host: String?, _ origin: String? = nil, _ site: String? = nil, isChange: Bool = false) -> Bool {
            LoopbackCaller.problem("the test", host: host, origin: origin, site: site, isChange: isChange) == nil
        }
        #expect(answers("127.0.0.1:80"))
        #expect(answers("localhost:80"))
        #expect(!answers("benji.example"))
        #expect(!answers("127.0.0.1.benji.example"))
        #expect(!answers(nil))
        #expect(answers("127.0.0.1:80", "http://127.0.0.1:80", "same-origin", isChange: true))
        #expect(!answers("127.0.0.1:80", "http://evil.example", nil, isChange: true))
        #expect(!answers("127.0.0.1:80", "null", "cross-site", isChange: true))
        #expect(!answers("127.0.0.1:80", "http://127.0.0.1:81", "same-site", isChange: true))
    }
}
