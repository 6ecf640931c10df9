import Testing

@testable import Authority

@Suite struct BundleIDTests {
    @Test(
        "A bundle id is parts of letters, digits, hyphens and underscores, joined by dots",
        arguments: ["com.example.shop", "cn.example-2.Shop", "com.example.my_app", "a.b"])
    func good(_ text: String) throws {
        var registration = Apps.Registration(name: "Shop")
        registration.bundleIDs = [text]
        try Apps.validate(registration)
    }

    @Test(
        "What is no bundle id is refused by name, because no phone would ever match it",
        arguments: [
            "com example", "", "shop", "com..shop", ".com.shop", "com.shop.", "com.example.shop ", "com/example",
            "com.例.shop", "com.example.*", "a." + String(repeating: "b", count: 254),
        ])
    func bad(_ text: String) {
        var registration = Apps.Registration(name: "Shop")
        registration.bundleIDs = [text]
        let refusal = #expect(throws: Refusal.self) { try Apps.validate(registration) }
        #expect(refusal?.detail.contains("bundle id") == true)
    }
}
