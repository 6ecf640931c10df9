import BenjiProtocol
import HTTPTypes
import Hummingbird
import NIOCore

extension Request {
    /// The body's type without parameters, in lower case (RFC 9110 §8.3.1); `nil` if none is named.
    package var mediaType: String? { headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } }

    /// The whole body as bytes, or ``Situation/bodyTooLarge``.
    package func bytes(upTo limit: Int) async throws -> [UInt8] {
        // A body whose Content-Length is too large is refused before a byte of it is read.
        if let announced = headers[.contentLength].flatMap(Int.init), announced > limit { throw Situation.bodyTooLarge }
        do {
            return Array(try await body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Situation.bodyTooLarge
        }
    }
}
