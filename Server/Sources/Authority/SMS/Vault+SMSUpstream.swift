@_spi(Server) import BenjiProtocol
import Store

/// The stored values of texts that phones send, under the same secret as SMS codes: they are compared, never opened.
extension Vault {
    func smsUpstreamText(_ text: String) -> BlindIndex { smsIndex("sms-upstream-text", [Array(text.utf8)]) }

    /// The device key with what it may ask for: of another app or text it is another one.
    func smsUpstreamDevice(_ key: String, of id: SMSTransactionID, app: AppID) -> BlindIndex {
        smsIndex("sms-upstream-device", [id.rawValue, app.rawValue, key].map { Array($0.utf8) })
    }
}

extension Authority {
    /// The budget of a name for a period that begins at a multiple of `length` seconds, `ahead` seconds before UTC.
    func smsBudget(
        _ kind: SMSBudget.Kind, _ name: some StringProtocol, _ limit: Int, of length: Int64, ahead: Int64 = 0,
        at now: Timestamp
    ) -> SMSBudget {
        let begin = Timestamp(seconds: (now.seconds + ahead) / length * length - ahead)
        return SMSBudget(
            kind, name: vault.smsBudget(kind, name), begin: begin, end: begin + .seconds(length), limit: limit)
    }
}
