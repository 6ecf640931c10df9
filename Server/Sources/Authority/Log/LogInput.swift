@_spi(Server) package import BenjiProtocol
import Crypto
package import Store

/// The hashed text of a leaf: lines documented in docs/log.md. Without its salt it identifies no person.
package struct LogInput: Hashable, Sendable {
    package static let version = "benji-log-leaf/1"

    package var kind: LogKind
    package var at: Timestamp
    package var appID: AppID
    /// The digest of the page's content.
    package var contentDigest: String?
    /// The interface that released the number; for a consent the SHA-256 of its record in base64url.
    package var detail: String
    /// HMAC-SHA-256 of the number in E.164 form, under the leaf's salt. Random where the holder is unknown.
    package var commitment: [UInt8]

    package init(
        kind: LogKind, at: Timestamp, appID: AppID, contentDigest: String?, detail: String, commitment: [UInt8]
    ) {
        self.kind = kind
        self.at = at
        self.appID = appID
        self.contentDigest = contentDigest
        self.detail = detail
        self.commitment = commitment
    }

    package init(_ source: LogSource, commitment: [UInt8]) {
        self.init(
            kind: source.kind, at: source.at, appID: source.appID, contentDigest: source.contentDigest,
            detail: source.kind == .consent
                ? Base64URL.encode(Array(SHA256.hash(data: Array(source.detail.utf8)))) : source.detail,
            commitment: commitment)
    }

    /// `nil` if it is none.
    package init?(parsing text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 8, lines[0] == Self.version, lines[7].isEmpty, let kind = LogKind(rawValue: lines[1]),
            let at = Int64(lines[2]), let app = AppID(rawValue: lines[3]), let commitment = Base64URL.decode(lines[6])
        else { return nil }
        self.init(
            kind: kind, at: Timestamp(milliseconds: at), appID: app,
            contentDigest: lines[4] == "-" ? nil : lines[4], detail: lines[5], commitment: commitment)
    }

    /// No part has a line feed in it.
    package var text: String {
        [
            Self.version, kind.rawValue, String(at.milliseconds), appID.rawValue, contentDigest ?? "-", detail,
            Base64URL.encode(commitment), "",
        ].joined(separator: "\n")
    }

    package var leafHash: [UInt8] { MerkleTree.leafHash(text.utf8) }

    package static func commitment(to number: PhoneNumber, salt: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("+\(number.e164)".utf8), using: SymmetricKey(data: salt)))
    }
}

extension Vault {
    /// The salt of one leaf. It needs this installation's secret and the holder's key in the register. That key goes
    /// with an erasure and with the next holder: then the leaf cannot be attributed any more.
    func logSalt(_ kind: LogKind, _ row: Int64, of holder: SubscriptionRecord) -> [UInt8] {
        Self.code(
            secrets.sim, "log-salt", [holder.epochKey, Array(kind.rawValue.utf8), Array(String(row).utf8)])
    }

    func logCommitment(_ source: LogSource) throws(VaultError) -> [UInt8]? {
        guard let holder = source.holder else { return nil }
        return LogInput.commitment(
            to: try number(of: holder), salt: logSalt(source.kind, source.row, of: holder))
    }
}
