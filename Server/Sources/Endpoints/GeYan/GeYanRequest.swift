import Authority
import BenjiProtocol
import Requests

/// A request to gy_get_pn, its grammar checked, its sign not yet.
struct GeYanRequest {
    var appID: AppID
    var token: String
    /// The login, if the caller names it: clients of version 2 do not.
    var process: TraceID?
    /// Milliseconds since 1970 as sent.
    var timestamp: String?
    var sign: String?
    /// The text that the long sign covers; `nil` if members could be joined ambiguously. Then no long sign is right.
    var signedText: String?

    init(_ json: JSON) throws(Refusal) {
        let fields = try CallerFields(json, path: "$")
        let id = try fields.text("appId", missing: .appIDMissing, invalid: .appUnknown, AppID.rule) {
            AppID(rawValue: $0) != nil
        }
        guard let appID = AppID(rawValue: id) else { throw Refusal(.appUnknown, "$.appId: \(AppID.rule)") }
        self.appID = appID
        token = try fields.token()
        process = try fields.processID("processId")
        // Which install asks. Nothing here depends on it, and some callers leave it empty.
        _ = try fields.optionalText("gyuid", "must be 1 to 128 bytes") { $0.utf8.count <= 128 }
        timestamp = try fields.millisecondTime("timestamp")
        sign = try fields.optionalSign()
        signedText = GeYanSigning.joined(json)
    }

    /// How a request shows whose it is.
    enum Form: Equatable {
        /// Not at all; only the caller's address identifies it.
        case unsigned
        /// Over all members.
        case longSign(RegisteredKey)
        /// Over the time only, as clients of version 2 sign.
        case shortSign(RegisteredKey)

        /// The key that made the sign.
        var key: RegisteredKey? {
            switch self {
            case .unsigned: nil
            case .longSign(let key), .shortSign(let key): key
            }
        }
    }

    /// The form, if it is one that the app may use and the sign is right. A wrong sign is never treated as none.
    func form(of app: RegisteredApp, takesShortSign: Bool) throws(Refusal) -> Form {
        guard let sign else {
            guard app.mayCallUnsigned else { throw Refusal(.signMissing, "$.sign: missing") }
            return .unsigned
        }
        if let signedText,
            let key = app.serverKey({
                HexadecimalSign.areEqual(sign, GeYanSigning.longSign(joined: signedText, key: $0.reveal()))
            })
        {
            return .longSign(key)
        }
        if takesShortSign, let timestamp,
            let key = app.serverKey({
                HexadecimalSign.areEqual(sign, GeYanSigning.shortSign(timestamp: timestamp, key: $0.reveal()))
            })
        {
            return .shortSign(key)
        }
        throw Refusal(.signWrong, "the sign is wrong")
    }
}
