package import Authority
package import BenjiProtocol
package import Requests

/// A request to getMobile of the operator's H5 interface, its grammar checked, its sign not yet.
package struct BrowserTokenRequest: Sendable {
    static let version = "1.0"
    /// The one business type that is known: number verification.
    static let businessType = "3"

    var appID: AppID
    var messageID: String
    var traceID: String
    var timestamp: String
    var sentAt: Timestamp
    var sign: String

    package init(_ json: JSON) throws(Refusal) {
        let fields = try CallerFields(json, path: "$")
        _ = try fields.version(Self.version)
        appID = try fields.operatorAppID("appId", invalid: .appUnknown)
        _ = try fields.text("businessType", "must be \(Self.businessType)") { $0 == Self.businessType }
        // Its length is fixed, unlike message ids elsewhere: the sign joins three fields of letters and digits without
        // separator.
        messageID = try fields.text("msgId", "must be 32 letters or digits", CMPassportGrammar.isBrowserMessageID)
        traceID = try fields.text("traceId", "must be 32 letters or digits", CMPassportGrammar.isBrowserMessageID)
        (timestamp, sentAt) = try fields.time("timestamp")
        sign = try fields.sign()
    }

    func isSigned(with appKey: AppKey) -> Bool {
        HexadecimalSign.areEqual(
            sign,
            CMPassportSigning.browserSign(
                appID: appID.rawValue, businessType: Self.businessType, messageID: messageID, timestamp: timestamp,
                traceID: traceID, version: Self.version, appKey: appKey.reveal()))
    }
}

extension CMPassportGrammar {
    static func isBrowserMessageID(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && isMessageID(text) && !text.contains("-")
    }
}
