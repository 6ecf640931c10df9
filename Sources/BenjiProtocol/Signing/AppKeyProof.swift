import Crypto

/// Shows that the SDK knows the app's key without sending it: HMAC-SHA256 over the proof's name and the device key.
///
/// An app key ships inside the app and can be copied out; this earns the assurance `net` and nothing more.
public enum AppKeyProof {
    public static func make(appKey: String, appID: AppID, proofID: String, keyThumbprint: String) -> String {
        var message = LengthPrefixed(domain: "benji-app-key-v1")
        message.append(appID.rawValue)
        message.append(proofID)
        message.append(keyThumbprint)
        let code = HMAC<SHA256>.authenticationCode(
            for: message.bytes, using: SymmetricKey(data: Array(appKey.utf8)))
        return Base64URL.encode(Array(code))
    }

    /// Compares in constant time.
    public static func isValid(
        _ code: String, appKey: String, appID: AppID, proofID: String, keyThumbprint: String
    ) -> Bool {
        ConstantTime.areEqual(
            Array(code.utf8),
            Array(make(appKey: appKey, appID: appID, proofID: proofID, keyThumbprint: keyThumbprint).utf8))
    }
}

/// Comparing secrets without telling by time how much of a guess was right.
public enum ConstantTime {
    /// Takes time that depends on the lengths only.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }
}
