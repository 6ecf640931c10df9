package import BenjiProtocol

/// The authority's answer to a ``ForwardedRequest``, which the gateway gives to the sender as it is.
package struct ForwardedAnswer: Sendable {
    var status: Int
    var lines: [HeaderLine]
    var body: [UInt8]
    /// The code that the authority noted for its access log, which the gateway notes for its own.
    var code: String?
    var trace: TraceID?
    /// Whether the node's store cannot be used, so that another node may serve.
    var isUnable: Bool

    /// The message, or `nil` if the header fields are too long.
    package var bytes: [UInt8]? {
        FramedMessage(
            head: .object([
                "status": .integer(Int64(status)), "headers": .array(lines.map(\.json)),
                "code": code.map { .string($0) }, "trace": trace.map { .string($0.rawValue) },
                "isUnable": .bool(isUnable),
            ]), body: body
        ).bytes
    }
}

extension ForwardedAnswer {
    init(_ bytes: [UInt8]) throws(JSONError) {
        let message = try FramedMessage(parsing: bytes)
        var reader = try JSONObjectReader(message.head, path: "$head")
        status = Int(try reader.integer("status", in: 200...599))
        lines = try reader.headerLines(ForwardedRequest.isToken)
        code = try reader.optionalString("code", length: 0...64)
        trace = try reader.optionalString("trace", length: 0...64).map { text throws(JSONError) in
            guard let trace = TraceID(rawValue: text) else {
                throw JSONError(place: "$head.trace", problem: "must be a trace")
            }
            return trace
        }
        isUnable = try reader.bool("isUnable")
        try reader.finish()
        body = message.body
    }
}

extension ForwardedAnswer: CustomStringConvertible, CustomReflectable {
    package var description: String { "ForwardedAnswer(\(status), \(code ?? "-"))" }
    /// Without children: an answer holds credentials.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
