import Authority
import BenjiProtocol
import Foundation

/// The master keys of an installation and where they came from.
struct MasterKeySource: Sendable {
    static let variable = "BENJI_MASTER_KEY"
    /// The name of the credential that systemd hands over, as LoadCredential= names it.
    static let credential = "benji-master-key"

    /// Not empty.
    var keys: [MasterKey]
    var keeper: any MasterKeyKeeper

    /// The file's path, or the variable's name.
    var name: String { keeper.name }

    /// The keys of the environment, or else of systemd's credential, or else of the data directory; `nil` if none has
    /// one.
    static func find(
        _ configuration: ServerConfiguration, environment: [String: String]
    ) throws(MasterKeyError) -> MasterKeySource? {
        let wrapping = configuration.wrappingKeys
        if let keeper = try given(environment, wrapping) {
            return MasterKeySource(keys: try keeper.keys(), keeper: keeper)
        }
        let file = MasterKeyFile(path: configuration.masterKeyPath, wrapping: wrapping)
        let keys = try file.keys()
        return keys.isEmpty ? nil : MasterKeySource(keys: keys, keeper: file)
    }

    /// Those of the data directory, made if there are none.
    static func made(
        _ configuration: ServerConfiguration, random: some RandomSource
    ) throws(MasterKeyError) -> MasterKeySource {
        let file = MasterKeyFile(path: configuration.masterKeyPath, wrapping: configuration.wrappingKeys)
        return MasterKeySource(keys: try file.load(random: random), keeper: file)
    }

    /// Whether keys come from outside of the data directory.
    static func isGiven(_ environment: [String: String]) -> Bool {
        environment[variable] != nil || credentialPath(environment) != nil
    }

    private static func given(
        _ environment: [String: String], _ wrapping: WrappingKeys
    ) throws(MasterKeyError) -> GivenMasterKeys? {
        if let text = environment[variable] {
            do { return try GivenMasterKeys(name: variable, text: text, wrapping: wrapping) } catch {
                throw MasterKeyError.malformed(variable, error)
            }
        }
        guard let path = credentialPath(environment) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MasterKeyError.unreadable(path)
        }
        let text = String(decoding: data, as: UTF8.self)
        do { return try GivenMasterKeys(name: path, text: text, wrapping: wrapping) } catch {
            throw MasterKeyError.malformed(path, error)
        }
    }

    private static func credentialPath(_ environment: [String: String]) -> String? {
        guard let folder = environment["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = "\(folder)/\(credential)"
        return access(path, F_OK) == 0 ? path : nil
    }
}
