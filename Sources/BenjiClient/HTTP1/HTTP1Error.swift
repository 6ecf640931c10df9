/// Why a stream of bytes is not an answer that we accept, and where.
package struct HTTP1Error: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Not HTTP/1.x, or a form that two readers may read differently.
        case malformed
        /// Beyond ``HTTP1Limits``.
        case tooLarge
        /// The stream ended first.
        case truncated
    }

    package var kind: Kind
    /// Bytes from the start of the stream.
    package var offset: Int
    /// The problem; never text that the server sent.
    package var problem: String

    package init(_ kind: Kind, offset: Int, _ problem: String) {
        self.kind = kind
        self.offset = offset
        self.problem = problem
    }
}

extension HTTP1Error: CustomStringConvertible {
    package var description: String { "\(problem) (at byte \(offset) of the answer)" }
}

extension TransportError {
    /// Converts it to the error that a caller of the transport receives.
    package init(_ error: HTTP1Error, from server: ServerURL) {
        let code: Code =
            switch error.kind {
            case .malformed: .malformedResponse
            case .tooLarge: .tooLarge
            case .truncated: .connectionLost
            }
        self.init(code, at: server.origin, error.description)
    }
}
