import Authority
import PKCS11
import ServerRuntime

extension ServerConfiguration {
    mutating func readWrappingKeys(_ settings: Settings) throws(ConfigurationError) {
        wrappingKey = try Self.wrappingKey("master-key.wrapping-key", settings)
        formerWrappingKey = try Self.wrappingKey("master-key.former-wrapping-key", settings)
        guard formerWrappingKey == nil || formerWrappingKey?.name != wrappingKey?.name else {
            throw ConfigurationError(
                key: "master-key.former-wrapping-key",
                problem: "names the same key as master-key.wrapping-key; remove it")
        }
    }

    private static func wrappingKey(_ key: String, _ settings: Settings) throws(ConfigurationError) -> PKCS11URI? {
        guard let text = settings.string(key) else { return nil }
        do throws(PKCS11URI.Problem) { return try PKCS11URI(text) } catch {
            throw ConfigurationError(key: key, problem: error.description)
        }
    }

    /// The keys in HSMs, not asked yet.
    var wrappingKeys: WrappingKeys {
        WrappingKeys(current: wrappingKey.map(PKCS11Key.init), former: formerWrappingKey.map(PKCS11Key.init))
    }
}
