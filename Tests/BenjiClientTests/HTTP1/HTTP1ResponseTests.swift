import BenjiClient
import Testing

@Suite("An HTTP/1.1 answer")
struct HTTP1ResponseTests {
    @Test(
        "is read with its length, in chunks with trailers, and until the connection closes",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n03;ext=\"1\"\r\nllo\r\n0\r\nX-Sum: "
                + "1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n000\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\nhello",
            "HTTP/1.0 200\r\n\r\nhello",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 500 Next\r\n\r\n",
        ])
    func content(stream: String) throws {
        let response = try read(stream)
        #expect(response.status == 200)
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers["Link"] == nil)
    }

    @Test("header names keep their spelling and compare without case; white space around a value goes")
    func headers() throws {
        let response = try read("HTTP/1.1 404 Not Found\r\nX-a:  b c \t\r\nx-A:\r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == 404)
        #expect(response.headers.values("X-A") == ["b c", ""])
        #expect(response.headers.fields.first?.name == "X-a")
        #expect(response.body.isEmpty)
    }

    @Test(
        "an answer to HEAD, a 204 and a 304 have no content, whatever length they state",
        arguments: [
            ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"),
            ("HEAD", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ("GET", "HTTP/1.1 204 No Content\r\n\r\n"),
            ("GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
        ])
    func noContent(method: String, stream: String) throws {
        var parser = HTTP1ResponseParser(method: method)
        try parser.consume(Array(stream.utf8))
        #expect(parser.response?.body == [])
    }

    private static let ambiguous: [(String, Int)] = [
        ("HTTP/2 200 OK\r\n\r\n", 0), ("HTTP/1.2 200 OK\r\n\r\n", 0), ("http/1.1 200 OK\r\n\r\n", 0),
        ("hello\r\n", 0),
        ("HTTP/1.1 20 OK\r\n\r\n", 0), ("HTTP/1.1 2000 OK\r\n\r\n", 0), ("HTTP/1.1  200 OK\r\n\r\n", 0),
        ("HTTP/1.1 099 OK\r\n\r\n", 9), ("HTTP/1.1 600 OK\r\n\r\n", 9), ("HTTP/1.1 101 Switch\r\n\r\n", 21),
        ("HTTP/1.1 200 OK\n\n", 15), ("HTTP/1.1 200 OK\r\rX: y\r\n", 15), ("HTTP/1.1 200 O\0K\r\n", 14),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", 23), ("HTTP/1.1 200 OK\r\n A: b\r\n\r\n", 17),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", 18), ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", 17),
        ("HTTP/1.1 200 OK\r\nA\r\n\r\n", 17),
        ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", 21), ("HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n", 21),
        ("HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", 20), ("HTTP/1.1 200 OK\r\nA\u{7f}: b\r\n\r\n", 18),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 55),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\n", 39),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", 37),
        ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n", 37),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n", 38),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", 34),
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 64),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 51),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 73),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 45),
        (chunked("\r\n"), 47), (chunked("-1\r\n"), 47), (chunked("0x5\r\n"), 48), (chunked("5 \r\n"), 48),
        (chunked("5\nhello\r\n"), 48), (chunked("5\r\nhelloX\r\n"), 55), (chunked("5\r\nhello\n"), 55),
        (chunked("00000000000000005\r\n"), 47), (chunked("0\r\n X: y\r\n\r\n"), 50),
        (chunked("0\r\nX : y\r\n\r\n"), 51),
    ]

    @Test(
        "what two readers could understand differently is refused, and the error says where",
        arguments: ambiguous)
    func malformed(stream: String, offset: Int) {
        let error = #expect(throws: HTTP1Error.self) { try read(stream) }
        #expect(error?.kind == .malformed)
        #expect(error?.offset == offset, "\(error.map(String.init(describing:)) ?? "")")
    }

    private static let sized: [(String, Bool)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\n\r\n123456789", true), ("HTTP/1.1 200 OK\r\n\r\n12345678", false),
        (chunked("4\r\n1234\r\n5\r\n56789\r\n0\r\n\r\n"), true),
        (chunked("4\r\n1234\r\n4\r\n5678\r\n0\r\n\r\n"), false),
        (chunked("ffffffffffffffff\r\n"), true), (chunked("7fffffffffffffff\r\n"), true),
        ("HTTP/1.1 200 OK\r\nA: " + run("b", 77) + "\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nA: " + run("b", 76) + "\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nA:\r\nA:\r\nA:\r\nA:\r\nA:\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nA:\r\nA:\r\nA:\r\nA:\r\n\r\n", false),
        (chunked("1;" + run("e", 100) + "\r\n"), true),
        (chunked("0\r\nA: " + run("t", 100) + "\r\n"), true),
    ]

    @Test(
        "limits hold to the byte",
        arguments: sized)
    func limits(stream: String, tooLarge: Bool) {
        let limits = HTTP1Limits(headerBytes: 100, headerCount: 4, bodyBytes: 8)
        guard tooLarge else {
            #expect(throws: Never.self) { try read(stream, limits: limits) }
            return
        }
        let error = #expect(throws: HTTP1Error.self) { try read(stream, limits: limits) }
        #expect(error?.kind == .tooLarge, "\(error.map(String.init(describing:)) ?? "")")
    }

    @Test("interim answers without end are refused")
    func interimFlood() {
        let stream = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 9)
        #expect(throws: HTTP1Error.self) { try read(stream + "HTTP/1.1 200 OK\r\n\r\n") }
    }

    @Test("an answer that ends too early is truncated, wherever it is cut")
    func truncated() throws {
        let whole = Array(chunked("2;x\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\n").utf8)
        for end in whole.indices {
            var parser = HTTP1ResponseParser(method: "GET")
            try parser.consume(Array(whole[..<end]))
            #expect(parser.response == nil)
            let error = #expect(throws: HTTP1Error.self) { try parser.finish() }
            #expect(error?.kind == .truncated)
            #expect(error?.offset == end)
        }
    }

    @Test("a refused answer stays refused")
    func errorsStay() throws {
        var parser = HTTP1ResponseParser(method: "GET")
        let first = #expect(throws: HTTP1Error.self) { try parser.consume(Array("nonsense\r\n".utf8)) }
        let second = #expect(throws: HTTP1Error.self) {
            try parser.consume(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        #expect(first == second)
        #expect(throws: HTTP1Error.self) { try parser.finish() }
        #expect(parser.response == nil)
    }

    @Test("a reader that takes the first length and one that takes chunks see two answers; ours sees none")
    func naiveDoubles() throws {
        let stream =
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n0\r\n\r\n"
        let content = stream.utf8.suffix(13)
        let byLength = String(decoding: content.prefix(4), as: UTF8.self)
        let byChunks = String(decoding: content.dropFirst(3).prefix(3), as: UTF8.self)
        #expect(byLength != byChunks)
        #expect(throws: HTTP1Error.self) { try read(stream) }
    }
}

/// A chunked answer's head, 47 bytes, and `content` after it.
private func chunked(_ content: String) -> String {
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + content
}

private func run(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

/// The whole stream at once, then its end.
private func read(_ stream: String, limits: HTTP1Limits = HTTP1Limits()) throws -> TransportResponse {
    var parser = HTTP1ResponseParser(method: "GET", limits: limits)
    try parser.consume(Array(stream.utf8))
    try parser.finish()
    return try #require(parser.response)
}
