import BenjiClient
import Testing

@Suite("An answer that arrives in pieces")
struct HTTP1ResponseSplitTests {
    private static let streams = [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\nX-A: b\r\n\r\nhello\r\n\r\nxx",
        "HTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;e\r\nhe\r\n3\r\nllo\r\n0\r\nA: b\r\n\r\nrest",
        "HTTP/1.0 200 OK\r\nServer: x\r\n\r\nuntil the end",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "long", count: 20),
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n" + String(repeating: "l", count: 32)
            + "\r\n21\r\n",
        "HTTP/1.1 200 OK\r\nA: " + String(repeating: "b", count: 200) + "\r\n\r\n",
    ]

    @Test("gives the same answer or the same error for every split in two, and byte by byte", arguments: streams)
    func splits(stream: String) {
        let bytes = Array(stream.utf8)
        let whole = outcome([bytes])
        for cut in 0...bytes.count {
            #expect(outcome([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
        }
        #expect(outcome(bytes.map { [$0] }) == whole)
        #expect(outcome(bytes.flatMap { [[$0], []] }) == whole)
    }

    @Test("no mutation traps, reads beyond a limit, or depends on where the pieces end")
    func mutations() {
        var random = SeededGenerator(seed: 7_112_025)
        var answers = 0
        var refusals = 0
        for round in 0..<10_000 {
            let bytes = random.mutated(Array(Self.streams[round % Self.streams.count].utf8))
            let whole = outcome([bytes])
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(outcome([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "round \(round)")
            switch whole {
            case .success(let response):
                answers += 1
                #expect(response.body.count <= Self.limits.bodyBytes && (200...599).contains(response.status))
            case .failure(let error):
                refusals += 1
                #expect((0...bytes.count).contains(error.offset))
            }
        }
        #expect(answers > 500 && refusals > 1000)
    }

    @Test("no random bytes trap, and hardly any are an answer")
    func noise() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            #expect(throws: HTTP1Error.self) { try outcome([bytes]).get() }
        }
    }

    private static let limits = HTTP1Limits(headerBytes: 160, headerCount: 8, bodyBytes: 64)

    private func outcome(_ pieces: [[UInt8]]) -> Result<TransportResponse, HTTP1Error> {
        var parser = HTTP1ResponseParser(method: "GET", limits: Self.limits)
        do throws(HTTP1Error) {
            for piece in pieces { try parser.consume(piece) }
            try parser.finish()
        } catch {
            return .failure(error)
        }
        guard let response = parser.response else {
            return .failure(HTTP1Error(.truncated, offset: -1, "finished without an answer"))
        }
        return .success(response)
    }
}
