import Authority
@_spi(Server) import BenjiProtocol
import Requests

/// The common part of both requests, with its grammar checked and its sign unchecked.
///
/// The sign covers app id and time only, neither token nor number, so it fits another token; TLS and single-use tokens
/// limit this.
struct OneLoginRequest {
    var process: TraceID
    var token: String
    var timestamp: String
    var sign: String
    /// Not among the documented members, but some callers send it.
    var appID: AppID?

    /// - Parameter tokenName: `token` or, as OnePass calls it, `accesscode`.
    init(_ fields: CallerFields, tokenName: String) throws(Refusal) {
        guard let process = try fields.processID("process_id") else {
            throw Refusal(.processIDMissing, "\(fields.path).process_id: missing")
        }
        self.process = process
        token = try fields.token(tokenName)
        sign = try fields.sign()
        guard let timestamp = try fields.millisecondTime("timestamp") else {
            throw Refusal(.timestampInvalid, "\(fields.path).timestamp: missing")
        }
        self.timestamp = timestamp
        appID = try fields.optionalText("app_id", invalid: .appUnknown, AppID.rule) { AppID(rawValue: $0) != nil }
            .flatMap { AppID(rawValue: $0) }
    }

    func isSigned(with appKey: AppKey, appID: AppID) -> Bool {
        HexadecimalSign.areEqual(
            sign, OneLoginSigning.sign(appID: appID.rawValue, timestamp: timestamp, appKey: appKey.reveal()))
    }
}

/// A request to check_phone.
struct CheckPhoneRequest {
    var common: OneLoginRequest
    /// The number is to be encrypted.
    var encrypts: Bool

    init(_ json: JSON) throws(Refusal) {
        let fields = try CallerFields(json, path: "$")
        common = try OneLoginRequest(fields, tokenName: "token")
        encrypts = try fields.flag("is_phone_encode", invalid: .numberEncodingInvalid)
        // China Telecom's `authcode` has no part here: only the token was issued.
    }
}

/// A request to check_gateway.
struct CheckGatewayRequest {
    var common: OneLoginRequest
    /// The number that the person typed.
    var number: PhoneNumber

    init(_ json: JSON) throws(Refusal) {
        let fields = try CallerFields(json, path: "$")
        common = try OneLoginRequest(fields, tokenName: "accesscode")
        guard let text = try fields.text("phone", invalid: .numberMalformed) else {
            throw Refusal(.numberMissing, "$.phone: missing")
        }
        guard let number = PhoneNumber(text) else { throw Refusal(.numberMalformed, "$.phone: must be a phone number") }
        self.number = number
    }
}
