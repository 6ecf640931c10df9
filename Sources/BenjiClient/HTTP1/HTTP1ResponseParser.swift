/// Reads one HTTP/1.x answer (RFC 9112) as its bytes arrive, in pieces of any size.
///
/// It knows no socket, so that tests drive it byte by byte. It is stricter than the RFC asks of a client. Input that
/// two readers may understand differently is refused: folded lines, bare CR or LF, several lengths, a length with
/// chunked. An intermediary that reads it in another way could otherwise slip one reply into another. Bytes after the
/// end are left unread.
package struct HTTP1ResponseParser: Sendable {
    private enum State: Sendable, Hashable {
        case statusLine
        case fieldLine
        case sizedBody(left: Int)
        case bodyUntilClose
        case chunkSize
        case chunkData(left: Int)
        /// The CRLF after a chunk's data; how much of it was read.
        case chunkEnd(read: Int)
        case trailerLine
        case complete
        case failed(HTTP1Error)
    }

    private let isHead: Bool
    private let limits: HTTP1Limits
    private var state = State.statusLine
    /// Bytes read so far.
    private var offset = 0
    private var line: [UInt8] = []
    private var lineStart = 0
    private var head = HTTP1ResponseHead()
    private var headerBytes = 0
    private var headerCount = 0
    private var interimResponses = 0
    private var body: [UInt8] = []

    /// - Parameter method: The request's; an answer to `HEAD` has no content.
    package init(method: String, limits: HTTP1Limits = HTTP1Limits()) {
        isHead = method == "HEAD"
        self.limits = limits
    }

    /// The whole answer, once it is there.
    package var response: TransportResponse? {
        state == .complete ? TransportResponse(status: head.status, headers: head.headers, body: body) : nil
    }

    /// Takes the next bytes. After an error the same error comes again.
    package mutating func consume(_ bytes: [UInt8]) throws(HTTP1Error) {
        var rest = bytes[...]
        do throws(HTTP1Error) {
            repeat {
                switch state {
                case .complete: return
                case .failed(let error): throw error
                case .sizedBody(let left):
                    let taken = try takeBody(&rest, atMost: left)
                    state = taken == left ? .complete : .sizedBody(left: left - taken)
                case .bodyUntilClose:
                    _ = try takeBody(&rest, atMost: .max)
                case .chunkData(let left):
                    let taken = try takeBody(&rest, atMost: left)
                    state = taken == left ? .chunkEnd(read: 0) : .chunkData(left: left - taken)
                case .statusLine, .fieldLine, .chunkSize, .trailerLine, .chunkEnd:
                    if let byte = rest.popFirst() { try take(byte) }
                }
            } while !rest.isEmpty
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// The stream has ended: right after the answer, or where an answer without a length ends; too early otherwise.
    package mutating func finish() throws(HTTP1Error) {
        switch state {
        case .complete: return
        case .bodyUntilClose: state = .complete
        case .failed(let error): throw error
        default:
            let problem =
                offset == 0
                ? "the server closed the connection without an answer" : "the answer ends before it is complete"
            let error = HTTP1Error(.truncated, offset: offset, problem)
            state = .failed(error)
            throw error
        }
    }

    // MARK: - Content

    private mutating func takeBody(_ rest: inout ArraySlice<UInt8>, atMost count: Int) throws(HTTP1Error) -> Int {
        let piece = rest.prefix(count)
        guard piece.count <= limits.bodyBytes - body.count else {
            throw HTTP1Error(.tooLarge, offset: offset + limits.bodyBytes - body.count, tooMuchContent)
        }
        body += piece
        offset += piece.count
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    private var tooMuchContent: String { "the content is larger than \(limits.bodyBytes) bytes" }

    // MARK: - Lines

    private mutating func take(_ byte: UInt8) throws(HTTP1Error) {
        if case .chunkEnd(let read) = state {
            guard byte == (read == 0 ? 0x0d : 0x0a) else {
                throw HTTP1Error(.malformed, offset: offset, "a chunk must end with CRLF")
            }
            offset += 1
            state = read == 0 ? .chunkEnd(read: 1) : .chunkSize
            return
        }
        if line.isEmpty { lineStart = offset }
        if line.last == 0x0d, byte != 0x0a {
            throw HTTP1Error(.malformed, offset: offset - 1, "a carriage return without a line feed")
        }
        switch byte {
        case 0x0a:
            guard line.popLast() == 0x0d else {
                throw HTTP1Error(.malformed, offset: offset, "a line feed without a carriage return")
            }
            try countLineByte()
            offset += 1
            let whole = line
            line.removeAll(keepingCapacity: true)
            try takeLine(whole)
        case 0x0d, 0x09, 0x20...0x7e, 0x80...0xff:
            try countLineByte()
            line.append(byte)
            offset += 1
        default:
            throw HTTP1Error(.malformed, offset: offset, "a control character in a line")
        }
    }

    private mutating func countLineByte() throws(HTTP1Error) {
        // A chunk's size is framing and has its own bound, 16 digits; only a longer line counts as header.
        if state == .chunkSize, line.count < 18 { return }
        headerBytes += 1
        if headerBytes > limits.headerBytes {
            throw HTTP1Error(.tooLarge, offset: offset, "lines other than content exceed \(limits.headerBytes) bytes")
        }
    }

    private mutating func takeLine(_ line: [UInt8]) throws(HTTP1Error) {
        switch state {
        case .statusLine:
            head = try HTTP1ResponseHead(statusLine: line, offset: lineStart)
            state = .fieldLine
        case .fieldLine:
            if line.isEmpty { try endOfHead() } else { head.headers.append(try field(line)) }
        case .chunkSize:
            let size = try HTTP1ResponseHead.chunkSize(line, offset: lineStart)
            guard size <= limits.bodyBytes - body.count else {
                throw HTTP1Error(.tooLarge, offset: lineStart, tooMuchContent)
            }
            state = size == 0 ? .trailerLine : .chunkData(left: size)
        case .trailerLine:
            // Checked and dropped: nothing of ours comes as a trailer (RFC 9110 §6.5.1 forbids merging them blindly).
            if line.isEmpty { state = .complete } else { _ = try field(line) }
        default: preconditionFailure("only states that read lines come here")
        }
    }

    private mutating func field(_ line: [UInt8]) throws(HTTP1Error) -> HeaderFields.Field {
        headerCount += 1
        if headerCount > limits.headerCount {
            throw HTTP1Error(.tooLarge, offset: lineStart, "more than \(limits.headerCount) header lines")
        }
        return try HTTP1ResponseHead.field(line, offset: lineStart)
    }

    private mutating func endOfHead() throws(HTTP1Error) {
        if head.status < 200 {
            interimResponses += 1
            guard head.status != 101, interimResponses <= limits.interimResponses else {
                throw HTTP1Error(.malformed, offset: lineStart, "an interim answer that was not asked for")
            }
            state = .statusLine
            return
        }
        switch try head.framing(isHead: isHead, offset: lineStart) {
        case .none: state = .complete
        case .length(let length):
            guard length <= limits.bodyBytes else { throw HTTP1Error(.tooLarge, offset: lineStart, tooMuchContent) }
            body.reserveCapacity(length)
            state = length == 0 ? .complete : .sizedBody(left: length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .bodyUntilClose
        }
    }
}
