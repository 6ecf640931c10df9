// HTTP/1.1 answers: fed whole, in two pieces cut where the fuzzer says, and byte by byte; each way must end the same.
//
// Covers: Sources/BenjiClient/HTTP1/HTTP1ResponseParser.swift
// Covers: Sources/BenjiClient/HTTP1/HTTP1ResponseHead.swift
@testable import BenjiClient

func target(_ input: [UInt8]) {
    var choices = Choices(input)
    let mode = choices.byte()
    let cut = choices.word()
    let bytes = Array(choices.rest)
    let method = mode & 1 == 0 ? "POST" : "HEAD"
    // Small limits as well, so that short inputs meet them.
    let limits =
        mode & 2 == 0
        ? HTTP1Limits() : HTTP1Limits(headerBytes: 64, headerCount: 3, bodyBytes: 16, interimResponses: 1)

    let whole = read([bytes], method, limits)
    let middle = cut % (bytes.count + 1)
    hold(
        "an answer in two pieces is the same answer",
        read([Array(bytes[..<middle]), Array(bytes[middle...])], method, limits) == whole)
    hold("an answer byte by byte is the same answer", read(bytes.map { [$0] }, method, limits) == whole)

    switch whole {
    case .success(let response):
        reached("an answer")
        if response.headers["transfer-encoding"] != nil { reached("a chunked answer") }
        hold("a final answer has a final status", (200...599).contains(response.status))
        hold("content is bounded", response.body.count <= limits.bodyBytes)
        hold("header lines are bounded", response.headers.count <= limits.headerCount)
        hold("an answer to HEAD has no content", method != "HEAD" || response.body.isEmpty)
        for field in response.headers.fields {
            hold("no header holds a line's end", !(field.name + field.value).utf8.contains { $0 == 0x0a || $0 == 0x0d })
        }
    case .failure(let error):
        reached("a refusal")
        hold("an error lies within the stream", (0...bytes.count).contains(error.offset))
    }
}

private func read(
    _ pieces: [[UInt8]], _ method: String, _ limits: HTTP1Limits
) -> Result<TransportResponse, HTTP1Error> {
    var parser = HTTP1ResponseParser(method: method, limits: limits)
    do throws(HTTP1Error) {
        for piece in pieces { try parser.consume(piece) }
        try parser.finish()
    } catch {
        hold("an answer is not there after an error", parser.response == nil)
        do throws(HTTP1Error) { try parser.consume([0x41]) } catch let again {
            hold("the same error comes again", again == error)
            return .failure(error)
        }
        fatalError("broken promise: an error comes again")
    }
    guard let response = parser.response else { fatalError("broken promise: a finished answer is there") }
    return .success(response)
}
