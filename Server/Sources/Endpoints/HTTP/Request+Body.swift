internal import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

extension Request {
    /// The whole body as bytes, or ``Situation/bodyTooLarge``.
    func bytes(upTo limit: Int) async throws -> [UInt8] {
        // What announces itself as too large is refused before a byte of it is read.
        if let announced = headers[.contentLength].flatMap(Int.init), announced > limit { throw Situation.bodyTooLarge }
        do {
            return Array(try await body.collect(upTo: limit).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Situation.bodyTooLarge
        }
    }
}
