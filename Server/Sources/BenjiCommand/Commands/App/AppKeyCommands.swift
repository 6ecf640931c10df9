import Administration
import ArgumentParser
import Authority
import ServerRuntime
import Store

/// How long the key before stays valid.
struct OverlapOptions: ParsableArguments {
    @Option(help: "End the former one after this many days. If not given, it stays valid until it is retired.")
    var overlap: Int?
    @Flag(help: "End the former one at once, because somebody else knows it.") var now = false

    func validate() throws {
        if now, overlap != nil { throw ValidationError("--now and --overlap exclude each other") }
        if let overlap, !(1...3650).contains(overlap) { throw ValidationError("--overlap: 1 to 3650 days") }
    }

    var value: KeyOverlap { now ? .none : overlap.map { .days($0) } ?? .untilRetired }

    /// The state of the previous key or secret, for the operator.
    /// - Parameters:
    ///   - ended: the text if it ends at once; that it has ended if not given.
    ///   - show: the command that lists it.
    func note(_ word: String, retire: String, show: String = "benji app show", ended: String? = nil) -> String {
        switch value {
        case .none: ended ?? "The \(word) before has ended."
        case .days(let days):
            "The \(word) before stays valid for \(days) days. `\(show)` says when it was used last."
        case .untilRetired:
            "The \(word) before stays valid. `\(show)` says when it was used last; end it with: \(retire)"
        }
    }
}

/// New keys beside old ones, and the end of old ones.
enum AppKeyCommands {
    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Give an app a new app key, for the next build of its package.",
            discussion: """
                The key before is in packages that people have on their phones, so it stays valid until it is retired. \
                With --now it \
                ends at once, for phones and as anything that the app's server may sign with.

                Example:
                  benji app rotate-key 300000000001
                  benji app show 300000000001              # last used …
                  benji app retire-key 300000000001
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @OptionGroup var before: OverlapOptions

        func run() async throws {
            try await given.show(RotateAppKey(given.id, .package, keeping: before.value))
            guard !given.json else { return }
            Terminal().print(
                before.note(
                    "app key", retire: "benji app retire-key \(given.id)",
                    ended:
                        "Every app key before has ended, for phones and for servers: none that was in a package works "
                        + "any more."
                ))
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Give an app's server a new server secret.",
            discussion:
                "The secret before stays valid until it is retired. Of OpenID Connect's: benji app openid "
                + "rotate-secret."
        )
        @OptionGroup var given: AppOrderOptions
        @OptionGroup var before: OverlapOptions

        func run() async throws {
            try await given.show(RotateAppKey(given.id, .server, keeping: before.value))
            guard !given.json else { return }
            Terminal().print(before.note("server secret", retire: "benji app retire-secret \(given.id)"))
        }
    }

    struct SplitKeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "split-keys", abstract: "Give an app with one key a server secret beside it.",
            discussion: """
                The keys that are valid stay what phones show. The server may sign with each of them until it is \
                retired as a server \
                secret, or ends as an app key, so that nothing stops while the new one is brought to the server.

                Example:
                  benji app split-keys 300000000001
                  benji app retire-secret 300000000001     # once the server signs with the new one
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @OptionGroup var before: OverlapOptions

        func run() async throws { try await given.show(SplitAppKeys(given.id, keeping: before.value)) }
    }

    struct RetireKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire-key", abstract: "End an app key at once: the one before the newest, or the one named.")
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The version that ends; all but the newest if not given.") var keyVersion: Int?

        func run() async throws {
            try await given.show(RetireAppKey(given.id, .package, version: keyVersion))
            if !given.json { Terminal().print("\nWhat is retired has ended for phones and for servers.") }
        }
    }

    struct RetireSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire-secret",
            abstract: "End a server secret at once: the one before the newest, or the one named.")
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The version that ends; all but the newest if not given.") var keyVersion: Int?

        func run() async throws { try await given.show(RetireAppKey(given.id, .server, version: keyVersion)) }
    }
}
