import Testing

@testable import OpenIDProvider

@Suite("The parameters of a request") struct OpenIDParametersTests {
    @Test(
        "are given once each, and one that comes twice is named only if it cannot be anything but a name",
        arguments: [
            ("state", "state"), ("login_hint", "login_hint"), ("Login", "a parameter"),
            (String(repeating: "a", count: 32), String(repeating: "a", count: 32)),
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

    @Test("are as long as 16 KiB, and an empty one is none")
    func values() throws {
        let longest = String(repeating: "é", count: 8192)
        let read = try OpenIDParameters([(name: "state", value: longest), (name: "nonce", value: "")])
        #expect(read.values == ["state": longest])
        let failure = #expect(throws: OpenIDFailure.self) {
            try OpenIDParameters([(name: "state", value: longest + "a")])
        }
        #expect(failure == OpenIDFailure(.invalidRequest, "a parameter is longer than 16384 bytes"))
        #expect(read.with("nonce", "n").with("state", "s").values == ["state": "s", "nonce": "n"])
        let missing = #expect(throws: OpenIDFailure.self) { try read.required("nonce") }
        #expect(missing == OpenIDFailure(.invalidRequest, "nonce: missing"))
    }
}
