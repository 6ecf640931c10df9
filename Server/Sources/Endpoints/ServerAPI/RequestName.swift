@_spi(Server) import BenjiProtocol
import Crypto
import HTTPTypes
import Hummingbird

/// The name of a request that may be repeated: made of its `Idempotency-Key` and of all that the answer depends on. So
/// a repeated request has the same name, and one that asks something else under the same key has another.
struct RequestName: Sendable {
    let text: String

    /// `nil` for a request without a key.
    init?(_ request: Request, _ path: ServerAPIEndpoints.Path, _ parts: String...) throws(Problem) {
        let keys = request.headers[values: .idempotencyKey]
        guard let key = keys.first else { return nil }
        guard keys.count == 1, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Problem(
                .parameterInvalid, "Idempotency-Key：必须是一个 1 到 255 个 ASCII 字符的文本，不含空格",
                "Idempotency-Key: must be one text of 1 to 255 ASCII characters without spaces",
                parameter: "Idempotency-Key")
        }
        let joined = ([path.rawValue, key] + parts).joined(separator: "\n")
        text = "idempotent:" + Base64URL.encode(Array(SHA256.hash(data: Array(joined.utf8))))
    }
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
