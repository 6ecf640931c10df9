import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Requests

@Suite struct BundleIDTests {
    private func app(_ bundle: String) -> AppRecord {
        AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [], bundleIDs: [bundle],
            serverAddresses: [], createdAt: Timestamp(milliseconds: 0))
    }

    @Test(
        "A bundle id is parts of letters, digits, hyphens and underscores, joined by dots",
        arguments: [
            "com.example.shop", "cn.example-2.Shop", "com.example.my_app", "a.b",
            "a." + String(repeating: "b", count: 253),
        ])
    func good(_ text: String) throws {
        try AppRules.check(app(text), now: Timestamp(seconds: 0))
    }

    @Test(
        "What is no bundle id is refused by name, because no phone would ever match it",
        arguments: [
            "com example", "", "shop", "com..shop", ".com.shop", "com.shop.", "com.example.shop ", "com/example",
            "com.例.shop", "com.example.*", "a." + String(repeating: "b", count: 254),
        ])
    func bad(_ text: String) {
        let refusal = #expect(throws: Refusal.self) { try AppRules.check(app(text), now: Timestamp(seconds: 0)) }
        #expect(refusal?.detail.contains("bundle id") == true)
    }
}
