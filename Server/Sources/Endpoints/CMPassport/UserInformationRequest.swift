import BenjiProtocol
import Requests

/// A request to tokenValidate of TYRZLogin's document §3.1, its grammar checked, its sign not yet.
struct UserInformationRequest {
    static let version = "1.0"

    var appID: AppID
    var messageID: String
    var systemTime: String
    var sentAt: Timestamp
    /// The service that the token was earned in, and the one that the person is logged in to.
    var sourceID: String?
    var targetSourceID: String?
    var token: String
    /// `nil` if there is none, which few apps may do.
    var sign: String?

    init(_ json: JSON) throws(Refusal) {
        let header = try CallerFields(json["header"], path: "$.header")
        let body = try CallerFields(json["body"], path: "$.body")
        _ = try header.version(Self.version)
        appID = try header.operatorAppID("appid", invalid: .appUnknown)
        messageID = try header.messageID("msgid")
        (systemTime, sentAt) = try header.time("systemtime")
        _ = try header.strictCheck()
        _ = try header.text("apptype", "must be 1 to 5") { ["1", "2", "3", "4", "5"].contains($0) }
        func readSourceID(_ name: String) throws(Refusal) -> String? {
            try header.optionalText(
                name, invalid: .sourceIDMalformed, "must be 1 to 32 digits", CMPassportGrammar.isSourceID)
        }
        sourceID = try readSourceID("sourceid")
        targetSourceID = try readSourceID("ssotosourceid")
        token = try body.token()
        sign = try header.optionalSign()
    }
}
