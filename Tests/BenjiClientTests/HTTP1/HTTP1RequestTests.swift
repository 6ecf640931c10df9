import BenjiClient
import Testing

@Suite("An HTTP/1.1 request")
struct HTTP1RequestTests {
    private func text(
        _ method: String, _ url: String, _ headers: HeaderFields = [:], body: String = ""
    ) throws -> String {
        let request = TransportRequest(
            method: method, url: try ServerURL(url), headers: headers, body: Array(body.utf8))
        return String(decoding: try request.http1Bytes(), as: UTF8.self)
    }

    @Test("has its line, its host, its fields in order, its length, and closes")
    func form() throws {
        #expect(
            try text("POST", "http://gateway.example:8080/device/v1?x=1", ["DPoP": "a.b.c", "X-B": "ok"], body: "{}")
                == "POST /device/v1?x=1 HTTP/1.1\r\nHost: gateway.example:8080\r\nDPoP: a.b.c\r\nX-B: ok\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n{}")
    }

    @Test("a GET without content has no length, a POST without content says zero")
    func emptyContent() throws {
        #expect(try text("GET", "https://[::1]") == "GET / HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n")
        #expect(try text("POST", "https://a").contains("\r\nContent-Length: 0\r\n"))
    }

    private static let injections: [(String, String)] = [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\u{0}b"), ("X", "\u{e9}"), ("X", " a"),
        ("X", "a\t"),
        ("X\r\nY", "a"), ("X:", "a"), ("X ", "a"), ("", "a"), ("\u{e9}", "a"),
        ("Host", "b"), ("content-length", "5"), ("Transfer-Encoding", "chunked"), ("CONNECTION", "keep-alive"),
        ("Expect", "100-continue"), ("Upgrade", "h2c"),
    ]

    @Test(
        "a header that could end its line or the head is refused",
        arguments: injections)
    func headerInjection(name: String, value: String) {
        #expect(throws: TransportError(.invalidRequest, at: "", "")) { try text("GET", "http://a/", [name: value]) }
    }

    @Test("the naive way of writing a header lets the attack through that ours refuses")
    func naiveDouble() throws {
        let value = "x\r\nContent-Length: 0\r\n\r\nGET /other HTTP/1.1"
        let naive = "GET / HTTP/1.1\r\nHost: a\r\nX: \(value)\r\n\r\n"
        #expect(naive.contains("\r\n\r\nGET /other HTTP/1.1\r\n"))
        #expect(throws: TransportError.self) { try text("GET", "http://a/", ["X": value]) }
    }

    @Test(
        "a method is capital letters, and never one that needs another form of target",
        arguments: [
            "", "get", "G T", "GET\r\n", "CONNECT", "TRACE", "ABCDEFGHIJKLMNOPQRSTU",
        ])
    func methods(method: String) {
        #expect(throws: TransportError(.invalidRequest, at: "", "")) { try text(method, "http://a/") }
    }

    @Test("an error about a header names it and never shows its value")
    func errorsKeepSecrets() {
        let error = #expect(throws: TransportError.self) { try text("GET", "http://a/", ["DPoP": "hunter2\n"]) }
        #expect(error?.place == "header DPoP")
        #expect(error.map { !"\($0)".contains("hunter2") } == true)
    }
}
