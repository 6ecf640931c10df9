import BenjiProtocol
import Crypto

/// OneLogin's sign: HMAC-SHA256 under the app key over app id and time. It covers neither token nor number.
package enum OneLoginSigning {
    /// 64 lower-case hexadecimal digits.
    /// - Parameter timestamp: milliseconds since 1970 as the request writes them.
    package static func sign(appID: String, timestamp: String, appKey: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("\(appID)&&\(timestamp)".utf8), using: SymmetricKey(data: Array(appKey.utf8)))
        return Hexadecimal.encode(code)
    }
}
