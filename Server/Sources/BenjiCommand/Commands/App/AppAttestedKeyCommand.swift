import Administration
import ArgumentParser
import BenjiProtocol
import Requests
import ServerRuntime

/// Keys of an app's installs that App Attest vouched for (docs/attestation.md).
struct AppAttestedKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attested-key", abstract: "Keys of an app's installs that App Attest vouched for.",
        subcommands: [List.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "The keys of an app's installs, the newest first.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "Only the key of the device key with this thumbprint.") var deviceKey: String?
        @Option(help: "How many, 1 to \(ListAttestedKeys.maximum).") var limit = 20
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let keys = try await options.order(ListAttestedKeys(id, deviceKey: deviceKey, limit: limit))
            if json { return print(keys.text) }
            for key in keys.arrayValue ?? [] { AppAttestedKeyCommand.show(key) }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "End the key of an install; what it signs is refused from now on.",
            discussion: """
                The install can make another key, as any install of the app can. So this does not keep out a person \
                who holds
                the phone and has changed the app on it.
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The key's name, as the list has it.") var key: String

        func run() async throws {
            let revoked = try await given.give(RevokeAttestedKey(given.id, key))
            if given.json { return print(revoked.text) }
            AppAttestedKeyCommand.show(revoked)
        }
    }

    private static func show(_ key: JSON) {
        func time(_ name: String) -> String? {
            key[name]?.integerValue.map { Timestamp(milliseconds: $0).rfc3339 }
        }
        Terminal().print(
            [
                key["key"]?.stringValue, key["bundle"]?.stringValue, key["environment"]?.stringValue,
                "counter \(key["counter"]?.integerValue ?? 0)", time("createdAt").map { "since \($0)" },
                time("usedAt").map { "used \($0)" }, time("revokedAt").map { "revoked \($0)" },
            ].compactMap(\.self).joined(separator: "  "))
    }
}
