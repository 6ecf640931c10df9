import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite struct AppNameTests {
    private func app(_ name: String, owner: String? = nil) -> AppRecord {
        var app = AppRecord(
            id: AppID(rawValue: "300000000001")!, name: name, keys: [], capabilities: [], bundleIDs: [],
            serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
        app.owner = owner
        return app
    }

    private func refusal(_ app: AppRecord, before: AppRecord? = nil) -> String? {
        do { try AppRules.check(app, before: before, now: Timestamp(seconds: 0)) } catch { return error.detail }
        return nil
    }

    @Test("A name and an owner are held to the grammar of texts, and the refusal says where the fault is")
    func names() {
        #expect(refusal(app("商店", owner: "Shop & Co.")) == nil)
        #expect(refusal(app("Shop\u{202e}lapyaP"))?.hasPrefix("name: must not hold U+202E at character 5") == true)
        #expect(refusal(app(" Shop"))?.hasPrefix("name: must not hold U+0020 at character 1") == true)
        #expect(refusal(app("Shop", owner: "a\u{200b}b"))?.hasPrefix("owner: must not hold U+200B") == true)
    }

    @Test("A name that an earlier version took stays while something else changes, and is shown without what it hides")
    func earlier() {
        let stored = app("Shop\u{202e}lapyaP")
        var changed = stored
        changed.suspended = true
        #expect(refusal(changed, before: stored) == nil)
        changed.name = "Shop\u{2066}"
        #expect(refusal(changed, before: stored)?.contains("U+2066") == true)
        #expect(stored.shownName == "ShoplapyaP")
    }

    @Test("An app whose stored name shows nothing is shown by its id", arguments: ["\u{200b}", " \u{2800}", ""])
    func blank(name: String) {
        let isBlank = name.printable.allSatisfy { $0.isWhitespace }
        #expect(isBlank, "any text names such an app")
        #expect(app(name).shownName == "300000000001")
    }
}
