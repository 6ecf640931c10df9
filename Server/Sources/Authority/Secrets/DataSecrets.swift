package import BenjiProtocol
import Crypto
import Store

/// The secrets that must outlive every master key. They make openIds and pseudonyms, recognise attestation challenges,
/// and compare SIM cards. They are made once, and kept sealed under the master key.
package struct DataSecrets: Sendable {
    let openID: SymmetricKey
    let pseudonym: SymmetricKey
    let attestation: SymmetricKey
    let sim: SymmetricKey
    /// When the rows that give rights got their codes; `nil` before that. It is kept with the secrets, so that no party
    /// without the master key can have rows sealed a second time (decision 63).
    private(set) var rowsSealedAt: Timestamp?

    static let purpose = "data-secrets"
    private static let length = 32

    /// New ones, for a store that holds nothing yet.
    package static func make(random: some RandomSource) -> DataSecrets {
        // As long as four of them.
        DataSecrets(bytes: random.bytes(4 * length))!
    }

    /// Those of an installation that is older than they are: what its first master key made openIds and the rest with.
    package init(of first: MasterKey) {
        openID = first.derived("open-id")
        pseudonym = first.derived("pseudonym")
        attestation = first.derived("attestation-challenge")
        sim = first.derived("index")
    }

    /// - Parameter bytes: the four secrets, and ``rowsSealedAt`` in milliseconds as eight bytes, most significant
    ///   first, or nothing.
    init?(bytes: [UInt8]) {
        let time = bytes.dropFirst(4 * Self.length)
        guard bytes.count == 4 * Self.length + time.count, [0, 8].contains(time.count) else { return nil }
        func key(_ position: Int) -> SymmetricKey {
            SymmetricKey(data: bytes[position * Self.length..<(position + 1) * Self.length])
        }
        openID = key(0)
        pseudonym = key(1)
        attestation = key(2)
        sim = key(3)
        if !time.isEmpty { rowsSealedAt = Timestamp(milliseconds: time.reduce(0) { $0 << 8 | Int64($1) }) }
    }

    var bytes: [UInt8] {
        let time = rowsSealedAt.map { moment in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: moment.milliseconds >> Int64($0)) }
        }
        return secrets + (time ?? [])
    }

    private var secrets: [UInt8] {
        [openID, pseudonym, attestation, sim].flatMap { key in key.withUnsafeBytes { Array($0) } }
    }

    /// The key of the rows' codes (``Store/RowCodes``). Derived, so that older installations need no further secret
    /// (HKDF, RFC 5869).
    var rows: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secrets), info: Array("benji/1/row-codes".utf8),
            outputByteCount: 32)
    }

    /// The same secrets, once rows have codes.
    func rowsSealed(at moment: Timestamp) -> DataSecrets {
        var secrets = self
        secrets.rowsSealedAt = moment
        return secrets
    }
}

/// The private half of a key that signs receipts.
struct ReceiptKey: Sendable {
    let signer: SoftwareDeviceSigner
    private let secret: [UInt8]

    static let purpose = "receipt-key"

    static func make() -> ReceiptKey { ReceiptKey(P256.Signing.PrivateKey()) }

    /// The key of an installation that derives it from its first master key.
    init(of first: MasterKey) {
        // All but one in 2³² values are valid scalars; the rest are hashed until one is.
        var bytes = first.derived("consent-receipt").withUnsafeBytes { Array($0) }
        while true {
            if let key = ReceiptKey(bytes: bytes) {
                self = key
                return
            }
            bytes = Array(SHA256.hash(data: bytes))
        }
    }

    init?(bytes: [UInt8]) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        signer = SoftwareDeviceSigner(key: key)
        secret = Array(key.rawRepresentation)
    }

    var id: String { signer.publicKey.thumbprint }

    /// - Parameter moment: when it began to sign; `nil` if unknown.
    func record(from moment: Timestamp?, under key: WorkingKey) throws -> ReceiptKeyRecord {
        ReceiptKeyRecord(
            id: id, publicKey: signer.publicKey.jwk.text,
            sealedKey: try key.seal(secret, purpose: Self.purpose, owner: Array(id.utf8)), from: moment)
    }
}
