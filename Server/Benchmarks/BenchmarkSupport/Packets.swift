package import RADIUS

/// Signed requests in the order in which they are sent, and the one right answer to each, made before the clock runs.
package final class Packets {
    /// Requests that follow each other leave by different sockets, round and round; each socket counts its own
    /// identifiers.
    package let sockets: Int
    private var requests: [UInt8] = []
    private var starts: [Int] = [0]
    private var answers: [UInt8] = []

    static let answerLength = Packet.headerLength

    package init(sockets: Int) { self.sockets = sockets }

    package var count: Int { starts.count - 1 }

    package func append(_ request: AccountingRequest, secret: SharedSecret) throws {
        let identifier = UInt8(truncatingIfNeeded: count / sockets)
        let bytes = try request.packet(identifier: identifier, secret: secret)
        requests += bytes
        starts.append(requests.count)
        answers += try Packet(decoding: bytes).accountingResponse(secret: secret)
    }

    /// Where a request stands in `withRequests`.
    func range(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    func withRequests<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
        try requests.withUnsafeMutableBytes { try body($0.baseAddress!) }
    }

    /// Whether these bytes are the answer to that request: RFC 2866 §3 leaves nothing open, so they are compared.
    func isAnswer(_ bytes: UnsafeRawBufferPointer, to index: Int) -> Bool {
        let start = index * Self.answerLength
        return bytes.elementsEqual(answers[start..<(start + Self.answerLength)])
    }
}
