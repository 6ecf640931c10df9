@_spi(Server) package import BenjiProtocol
package import Store

/// Signed tree heads are JWS, under the key that signs receipts.
extension LogHead {
    package static let type = "benji-log-head+jwt"

    init(size: Int64, root: [UInt8], at moment: Timestamp, vault: Vault) throws(StoreError) {
        let signer = vault.receiptSigner
        let text: String
        do {
            text = try CompactJWS.sign(
                header: [
                    JSON.Member("typ", .string(Self.type)), JSON.Member("kid", .string(signer.publicKey.thumbprint)),
                ],
                payload: .object([
                    "log": .string(vault.installation), "size": .integer(size),
                    "root": .string(Base64URL.encode(root)), "time": .integer(moment.milliseconds),
                ]), with: signer)
        } catch { throw StoreError(.corrupt, "sign a tree head: the key does not sign") }
        self.init(size: size, root: root, at: moment, text: text)
    }

    /// Reads a signed head.
    ///
    /// - Parameter keys: the keys of receipts, present and earlier ones.
    /// - Throws: ``JSONError`` if it is none, or signed by none of them.
    package init(verifying text: String, log: String, keys: [PublishedReceiptKey]) throws(JSONError) {
        let jws = try CompactJWS(parsing: text)
        guard jws.header["typ"] == .string(Self.type), jws.header["alg"] == "ES256" else {
            throw JSONError(place: "head", problem: "must be \(Self.type) under ES256")
        }
        let claims = jws.payload
        guard claims["log"] == .string(log), let size = claims["size"]?.integerValue,
            let root = claims["root"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let at = claims["time"]?.integerValue
        else { throw JSONError(place: "head", problem: "is not this log's, or lacks size, root or time") }
        let moment = Timestamp(milliseconds: at)
        guard keys.contains(where: { jws.isSigned(by: $0.key) && $0.isInUse(at: moment.seconds) }) else {
            throw JSONError(place: "head", problem: "is signed by none of the keys that were in use")
        }
        self.init(size: size, root: root, at: moment, text: text)
    }
}
