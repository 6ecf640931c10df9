import Testing

@testable import OpenIDProvider

@Suite("The parameters of a request") struct OpenIDParametersTests {
    @Test(
        "are given once each, and one that comes twice is named only if it cannot be anything but a name",
        arguments: [
            ("state", "state"), (String(repeating: "a", count: 32), String(repeating: "a", count: 32)),
            (String(repeating: "a", count: 33), "a parameter"), ("13800000001", "a parameter"),
            ("<script>", "a parameter"),
        ])
    func twice(name: String, told: String) throws {
        let failure = #expect(throws: OpenIDFailure.self) {
            try OpenIDParameters([(name: name, value: "1"), (name: name, value: "2")])
        }
        let detail = try #require(failure).detail
        #expect(detail.contains(told) && (told == name || !detail.contains(name)))
    }

    @Test("that an extension lets occur twice are ignored", arguments: ["resource", "audience"])
    func repeatable(name: String) throws {
        let read = try OpenIDParameters([(name: name, value: "1"), (name: name, value: "2"), ("state", "x")])
        #expect(read.values == ["state": "x"])
    }
}
