import Authority
import BenjiProtocol
import Requests
import Store

/// A request to loginTokenValidate (TYRZSDK §5.1), its grammar checked, its sign not yet.
struct LoginTokenValidateRequest {
    static let version = "2.0"

    var appID: AppID
    var version: String
    var messageID: String
    var systemTime: String
    var sentAt: Timestamp
    var strictCheck: String
    var token: String
    var sign: String
    /// The algorithm that the caller names. The app's registration decides which one counts.
    var algorithm: SignAlgorithm

    init(_ json: JSON) throws(Refusal) {
        let fields = try CallerFields(json, path: "$")
        version = try fields.version(Self.version)
        appID = try fields.operatorAppID("appid", invalid: .appUnknown)
        messageID = try fields.messageID("msgid")
        (systemTime, sentAt) = try fields.time("systemtime")
        strictCheck = try fields.strictCheck()
        token = try fields.token()
        sign = try fields.sign()
        // "When this is not RSA, the MD5 sign is checked."
        algorithm = try fields.text("encryptionalgorithm") == "RSA" ? .rsa : .md5
    }

    func isSigned(with appKey: AppKey) -> Bool {
        HexadecimalSign.areEqual(
            sign,
            CMPassportSigning.loginSign(
                appID: appID.rawValue, version: version, messageID: messageID, systemTime: systemTime,
                strictCheck: strictCheck, token: token, appKey: appKey.reveal()))
    }
}
