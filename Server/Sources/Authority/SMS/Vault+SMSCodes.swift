@_spi(Server) import BenjiProtocol
import Store

/// The stored values of SMS codes, under a secret that no rotation of the master key changes: they are compared, never
/// opened. Six digits under a hash without a key could be found by trying all in a moment.
extension Vault {
    /// By what the codes of a number are found and counted.
    func smsIndex(of number: PhoneNumber) -> BlindIndex {
        smsIndex("sms-number", [Array(number.e164.utf8)])
    }

    /// The digits with what they are bound to: shown for anything else they are other ones.
    func smsCode(
        _ digits: String, of id: SMSTransactionID, app: AppID, purpose: TokenPurpose, deviceKey: String?
    ) -> BlindIndex {
        smsIndex(
            "sms-code",
            ([id.rawValue, app.rawValue, purpose.rawValue, digits] + [deviceKey].compactMap(\.self)).map {
                Array($0.utf8)
            })
    }

    func smsBudget(_ kind: SMSBudget.Kind, _ name: some StringProtocol) -> BlindIndex {
        smsIndex("sms-budget", [Array(kind.rawValue.utf8), Array(name.utf8)])
    }
}
