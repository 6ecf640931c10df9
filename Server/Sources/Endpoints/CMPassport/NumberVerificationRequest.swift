import Authority
@_spi(Server) import BenjiProtocol
import Requests

/// A request to tokenValidate of the number verification (TYRZSDK §5.2), its grammar checked, its sign not yet.
struct NumberVerificationRequest {
    static let version = "1.0"

    var appID: AppID
    var version: String
    var messageID: String
    var timestamp: String
    var sentAt: Timestamp
    var phoneNumberHash: String
    var token: String
    var sign: String
    /// Repeated in the answer as they came, URL-encoded by the caller.
    /// `nil` if there was none.
    var givenMessage: String?
    var message: String { givenMessage ?? "" }
    var expandParams: String?

    init(_ json: JSON) throws(Refusal) {
        let header = try CallerFields(json["header"], path: "$.header")
        let body = try CallerFields(json["body"], path: "$.body")
        version = try header.version(Self.version)
        appID = try header.operatorAppID("appId", invalid: .parameterInvalid)
        messageID = try header.messageID("msgId")
        (timestamp, sentAt) = try header.time("timestamp")
        let requester = try body.text("requesterType", "must be 0 (app) or 1 (WAP)") { $0 == "0" || $0 == "1" }
        let carrier = try body.optionalText("openType", "must be 0 to 3") { ["0", "1", "2", "3"].contains($0) }
        // Which carrier it really is, the gateway knows better; the document wants an app's request to say.
        if requester == "0", carrier == nil { throw Refusal(.parameterMissing, "$.body.openType: missing") }
        // Later versions of the interface can send the number under RSA instead. This one is not theirs.
        _ = try body.optionalText("keyType", "only 0, a hash of the number, is spoken here") { $0 == "0" }
        phoneNumberHash = try body.text(
            "phoneNum", invalid: .numberHashMalformed, "must be 64 hexadecimal digits", CMPassportGrammar.isNumberHash)
        token = try body.token()
        sign = try body.sign()
        givenMessage = try body.text("message")
        expandParams = try body.text("expandParams")
    }

    func isSigned(with appKey: AppKey) -> Bool {
        HexadecimalSign.areEqual(
            sign,
            CMPassportSigning.verificationSign(
                appID: appID.rawValue, messageID: messageID, phoneNumberHash: phoneNumberHash, timestamp: timestamp,
                token: token, version: version, appKey: appKey.reveal()))
    }

    /// Whether the hash is that of `number`.
    func matches(_ number: PhoneNumber, appKey: AppKey) -> Bool {
        HexadecimalSign.areEqual(
            phoneNumberHash,
            CMPassportSigning.phoneNumberHash(number: number.national, appKey: appKey.reveal(), timestamp: timestamp))
    }
}
