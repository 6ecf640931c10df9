/// Status line and header fields of one answer, and what they say about its content.
struct HTTP1ResponseHead: Sendable, Hashable {
    /// How the end of the content is found (RFC 9112 §6.3).
    enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    var minorVersion = 1
    var status = 0
    var headers = HeaderFields()

    init() {}

    /// `HTTP/1.1 200 OK`; the reason may be empty, and the space before it missing, as many servers write it.
    init(statusLine line: [UInt8], offset: Int) throws(HTTP1Error) {
        let digits = line.dropFirst(9).prefix(3)
        guard line.starts(with: Array("HTTP/1.".utf8)), line.count >= 12, line[7] == 0x30 || line[7] == 0x31,
            line[8] == 0x20, line.count == 12 || line[12] == 0x20, digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw HTTP1Error(.malformed, offset: offset, "not an HTTP/1.0 or HTTP/1.1 status line") }
        minorVersion = Int(line[7] - 0x30)
        status = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (100...599).contains(status) else {
            throw HTTP1Error(.malformed, offset: offset + 9, "the status is not in 100 to 599")
        }
    }

    /// One field line without its CRLF.
    static func field(_ line: [UInt8], offset: Int) throws(HTTP1Error) -> HeaderFields.Field {
        if let first = line.first, isSpace(first) {
            throw HTTP1Error(.malformed, offset: offset, "a folded header line (RFC 9112 §5.2 deprecates them)")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
            throw HTTP1Error(.malformed, offset: offset, "a header line without a name and a colon")
        }
        // RFC 9112 §5.1: white space before the colon has been used to smuggle.
        if let wrong = line[..<colon].firstIndex(where: { !TransportRequest.isToken($0) }) {
            throw HTTP1Error(
                .malformed, offset: offset + wrong, "a header name holds a character that no name may hold")
        }
        var value = line[(colon + 1)...]
        while let first = value.first, isSpace(first) { value.removeFirst() }
        while let last = value.last, isSpace(last) { value.removeLast() }
        return HeaderFields.Field(
            String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// The number before any `;` of a chunk's first line (RFC 9112 §7.1).
    static func chunkSize(_ line: [UInt8], offset: Int) throws(HTTP1Error) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }
        guard (1...16).contains(digits.count) else {
            throw HTTP1Error(.malformed, offset: offset, "a chunk's size must have 1 to 16 hexadecimal digits")
        }
        var size = 0
        for (index, byte) in digits.enumerated() {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default:
                throw HTTP1Error(
                    .malformed, offset: offset + index, "a chunk's size holds a character that is no digit")
            }
            let (shifted, overflow) = size.multipliedReportingOverflow(by: 16)
            guard !overflow else { throw HTTP1Error(.tooLarge, offset: offset, "a chunk's size is beyond any limit") }
            size = shifted | Int(digit)
        }
        return size
    }

    func framing(isHead: Bool, offset: Int) throws(HTTP1Error) -> Framing {
        let codings = headers.values("Transfer-Encoding")
        let lengths = headers.values("Content-Length")
        func malformed(_ problem: String) -> HTTP1Error { HTTP1Error(.malformed, offset: offset, problem) }
        if !codings.isEmpty, !lengths.isEmpty {
            throw malformed("Content-Length beside Transfer-Encoding: two ends for one answer (RFC 9112 §6.1)")
        }
        if lengths.count > 1 { throw malformed("more than one Content-Length") }
        var framing = Framing.untilClose
        if let coding = codings.first {
            guard codings.count == 1, HeaderFields.areSame(coding, "chunked") else {
                throw malformed("a Transfer-Encoding other than chunked, which was not asked for")
            }
            guard minorVersion == 1 else { throw malformed("Transfer-Encoding in an HTTP/1.0 answer") }
            framing = .chunked
        } else if let text = lengths.first {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw malformed("a Content-Length that is not one plain number")
            }
            // A number that Int cannot hold is still a number, only beyond every limit.
            framing = .length(Int(text) ?? .max)
        }
        return isHead || status == 204 || status == 304 ? .none : framing
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
