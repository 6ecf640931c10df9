import BenjiProtocol
import Crypto
import Foundation

/// How TYRZSDK's and TYRZLogin's documents sign their requests, exactly as printed. Servers check with it, app servers
/// sign with it.
///
/// The fields are joined without separators, MD5 is broken and PKCS#1 v1.5 is old. What makes them bearable is that
/// every field's grammar is checked before the sign (``CMPassportGrammar``), so that one text has one reading.
/// Nothing new may use this file.
package enum CMPassportSigning {
    /// The sign of loginTokenValidate without RSA (TYRZSDK §5.1.2): MD5, 32 upper-case hexadecimal digits.
    package static func loginSign(
        appID: String, version: String, messageID: String, systemTime: String, strictCheck: String, token: String,
        appKey: String
    ) -> String {
        let message = "\(appID)\(version)\(messageID)\(systemTime)\(strictCheck)\(token)\(appKey)"
        return Hexadecimal.encode(Insecure.MD5.hash(data: Array(message.utf8)), uppercase: true)
    }

    /// The sign of the number verification (TYRZSDK §5.2.2): HMAC-SHA256 over the fields in the natural order of their
    /// names.
    package static func verificationSign(
        appID: String, messageID: String, phoneNumberHash: String, timestamp: String, token: String, version: String,
        appKey: String
    ) -> String {
        let message = appID + messageID + phoneNumberHash + timestamp + token + version
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(message.utf8), using: SymmetricKey(data: Array(appKey.utf8)))
        return Hexadecimal.encode(code, uppercase: true)
    }

    /// The sign of the H5 interface: MD5 over the fields in the order of their names.
    package static func browserSign(
        appID: String, businessType: String, messageID: String, timestamp: String, traceID: String, version: String,
        appKey: String
    ) -> String {
        let message = appID + businessType + messageID + timestamp + traceID + version + appKey
        return Hexadecimal.encode(Insecure.MD5.hash(data: Array(message.utf8)))
    }

    /// The number verification's hash of a number (TYRZSDK §5.2.2).
    ///
    /// A holder of the app key can try all numbers. The hash protects against bystanders only, so it is never logged or
    /// kept.
    /// - Parameter number: as people of the country write it, `13800000000`.
    package static func phoneNumberHash(number: String, appKey: String, timestamp: String) -> String {
        Hexadecimal.encode(SHA256.hash(data: Array((number + appKey + timestamp).utf8)), uppercase: true)
    }

    /// The signed text in RSA mode (TYRZSDK §5.1.2, TYRZLogin §3.1.3). The other fields are unprotected; the single use
    /// of the token limits their misuse.
    static func rsaMessage(appID: String, token: String) -> [UInt8] { Array((appID + token).utf8) }
}
