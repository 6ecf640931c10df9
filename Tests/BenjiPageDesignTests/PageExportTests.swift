import BenjiPage
import BenjiPageDesign
import Foundation
import PageProperties
import Testing

@Suite("A page as code")
struct PageExportTests {
    @Test("Without its defaults a description is the same page")
    func isBrief() throws {
        for page in [PageDescription(), PageSamples.usual, PageSamples.changed] {
            #expect(try PageDescription(PageExport.brief(page)) == page)
            let export = try PageExport(page, for: .json)
            #expect(try PageDescription(parsing: Array(export.text.utf8)) == page)
        }
        #expect(try PageExport.brief(PageDescription()).text == "{}")
    }

    @Test("Each field that is not at its default is written as Swift", arguments: PageField.all)
    func writesEachField(_ field: PageField) throws {
        // Fields of a picture or a view come with it.
        guard !field.path.contains("["), let page = try? PageSamples.page(field.path) else { return }
        let (before, after) = (
            try PageExport(PageSamples.base(field.path), for: .swift).text, try PageExport(page, for: .swift).text
        )
        #expect(before != after)
    }

    @Test("Text that would end a string or begin a value in one stays text")
    func escapes() throws {
        var page = PageSamples.usual
        page.loginButton.title.text = LocalizedText(#"\(exit(0)) "log in"#)
        for target in [PageExport.Target.swift, .oneLogin, .geYan] {
            #expect(try PageExport(page, for: target).text.contains(#""\\(exit(0)) \"log in""#))
        }
    }

    @Test(
        "What the tests of the facades compile and run is what is exported",
        arguments: [
            (PageExport.Target.oneLogin, "OneLoginSDKTests"), (.geYan, "GeYanSdkTests"),
        ])
    func isCompiled(_ target: PageExport.Target, _ tests: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Compatibility/\(tests)/ExportedLoginPage.swift")
        let export = try PageExport(PageSamples.changed, for: target).text
        // After a change of the export: benji page export Tests/BenjiPageTests/Golden/changed-page.json --for TARGET,
        // between these lines.
        let wanted = "// swift-format-ignore-file\n#if canImport(UIKit)\n\(export)#endif\n"
        #expect(try String(contentsOf: file, encoding: .utf8) == wanted)
    }

    @Test("A view model says that it cannot say something, and nothing more")
    func admits() throws {
        #expect(try PageExport(PageSamples.usual, for: .oneLogin).unsaid == [])
        var page = PageSamples.usual
        page.terms.shake = .vertical
        page.consentDialog = PageDescription.ConsentDialog()
        page.popup = PageDescription.Popup()
        page.popup?.position = .bottom
        for target in [PageExport.Target.oneLogin, .geYan] {
            #expect(
                try PageExport(page, for: target).unsaid.map(\.path) == [
                    "terms.shake", "popup.position", "consentDialog",
                ])
        }
        #expect(try PageExport(page, for: .swift).unsaid == [])
    }
}
