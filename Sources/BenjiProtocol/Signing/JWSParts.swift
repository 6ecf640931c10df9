/// A JSON Web Signature in compact form (RFC 7515 §7.1), taken apart and not yet verified. The owner of the keys
/// decides which algorithms count.
@_spi(Server) public struct JWSParts: Sendable {
    public let header: JSON
    public let payload: JSON
    /// The input of the signature.
    public let signingInput: [UInt8]
    public let signature: [UInt8]

    /// - Parameter name: what errors call it.
    public init(parsing text: some StringProtocol, name: String = "JWS") throws(JSONError) {
        // Bytes: a text of Characters would be searched for where each begins and ends.
        let utf8 = Array(text.utf8)
        let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw JSONError(place: name, problem: "must have three parts, has \(parts.count)")
        }
        guard let header = Base64URL.decode(utf8: parts[0]), let payload = Base64URL.decode(utf8: parts[1]),
            let signature = Base64URL.decode(utf8: parts[2])
        else { throw JSONError(place: name, problem: "a part is not base64url") }
        do { self.header = try JSON(parsing: header) } catch { throw error.inside("\(name) header") }
        do { self.payload = try JSON(parsing: payload) } catch { throw error.inside("\(name) payload") }
        signingInput = Array(utf8[..<parts[1].endIndex])
        self.signature = signature
    }

    /// Writes header and payload, has them signed, and writes the whole.
    public static func write(
        header: JSON, payload: JSON, sign: (_ signingInput: [UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(payload.serialized))"
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }
}
