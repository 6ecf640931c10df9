import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import PKCS11
import Synchronization

/// The keys of an installation itself.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Look at the installation's own keys, and put new ones in their place.",
        discussion: """
            The master key seals numbers and all other secrets of the database. It lies in master.key of the data directory, or \
            comes from BENJI_MASTER_KEY or a credential of systemd. A key in an HSM may wrap it (master-key.wrapping-key). \
            docs/operations.md says when to change it, and what of backups.
            """.paragraphs,
        subcommands: [Show.self, Rotate.self, RotateReceipt.self, New.self, NewWrappingKey.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Which master keys there are, how old they are, and how much is sealed under each.")
        @OptionGroup var options: OrderOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ShowKeys())
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let now = SystemWallClock().now
            for key in answer["keys"]?.arrayValue ?? [] {
                let since = Timestamp(milliseconds: key["since"]?.integerValue ?? 0)
                let state = key["state"]?.stringValue ?? ""
                let days = max((now - since).components.seconds / 86400, 0)
                let end = key["retiredAt"]?.integerValue.map { ", until \(Timestamp(milliseconds: $0).dateText)" } ?? ""
                terminal.print(
                    "\(terminal.styled(key["id"]?.stringValue ?? "", .cyan))  \(Terminal.padded(state, to: 10))"
                        + "since \(since.dateText), \(days) \(days == 1 ? "day" : "days")\(end)")
                guard case .object(let sealed)? = key["sealed"], !sealed.isEmpty else { continue }
                let counts = sealed.map { "\($0.value.text) \(KeysCommand.words[$0.name] ?? $0.name)" }
                terminal.print("  sealed under it: \(counts.joined(separator: ", "))")
                if state == "outgoing" {
                    terminal.print("  a rotation is under way, or broke off; benji keys rotate goes on")
                }
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Put a new master key in the place of the present one.",
            discussion: """
                Makes a key, seals everything anew under it, and takes the former key out of master.key. benji serve works on \
                meanwhile and needs no restart. If this is killed, run it again: it goes on where it was.

                Back the new key up when it is done. Keep the former one as long as you keep backups of before: they open with it alone.

                Example:
                  benji keys rotate -c benji.yaml --reason "yearly"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let shown = Mutex(ContinuousClock.now)
            let tell: @Sendable (MasterKeyRotation.Progress) -> Void = { progress in
                let isDue = shown.withLock { last in
                    let now = ContinuousClock.now
                    guard now - last >= .seconds(1) else { return false }
                    last = now
                    return true
                }
                if isDue { Terminal.note("\(progress.sealed) of \(progress.total) values are sealed anew") }
            }
            let answer = try await MasterKeyRotation.$observer.withValue(tell) {
                try await options.order(RotateMasterKey(), reason: why.reason)
            }
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            if answer["resumed"] == .bool(true) { terminal.print("A rotation that broke off was finished.") }
            terminal.print(
                "The master key is \(answer["current"]?.stringValue ?? "") now; \(answer["sealed"]?.text ?? "0") values were "
                    + "sealed anew under it.")
            if answer["leftToRemove"] == .bool(true) {
                let ids = (answer["retired"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
                terminal.print(
                    "Nothing is under the former key any more (id \(ids)): take it out of where the keys are kept.")
            }
            let passedOver = (answer["passedOver"]?.arrayValue ?? []).compactMap(\.stringValue)
            if !passedOver.isEmpty {
                terminal.print(
                    "Left where the keys are kept, and passed over because new keys are kept otherwise: \(passedOver.joined(separator: ", ")). "
                        + "Nothing is sealed under that; benji doctor says what to do.")
            }
            terminal.print("Back the new key up now. Keep the former one as long as you keep backups of before.")
        }
    }

    struct RotateReceipt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-receipt", abstract: "Sign consent receipts with a new key from now on.",
            discussion: """
                The former key stays published with its end, so that its receipts can be checked for good; its private half is erased. \
                Running servers sign with the new key within a minute. Whoever checks receipts fetches the public keys again; apps on \
                phones need nothing.
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(RotateReceiptKey(), reason: why.reason)
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            terminal.print(
                """
                Consent receipts are signed with a new key now: \(answer["current"]?.stringValue ?? ""). Running servers take it within \
                a minute.
                The former key, \(answer["former"]?.stringValue ?? ""), signs nothing after that; its private half is erased. \
                Receipts that it has signed stay valid for good: its public half stays published, with its end.
                Whoever checks receipts must fetch the public keys again: benji receipt keys, or /.well-known/benji-receipt-keys of \
                the listener for apps' servers where openid.issuer is set. Apps on phones need nothing.
                """)
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Print a new master key, for an environment or a credential of systemd.",
            discussion: """
                The key is a secret: whoever has it and the database reads every number. master.key needs none of this.

                Example:
                  (umask 077; benji keys new > new.key)
                """.paragraphs)

        func run() throws { Terminal().print(MasterKey.newText(random: SystemRandomSource())) }
    }

    struct NewWrappingKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new-wrapping-key",
            abstract: "Make the key that wraps master keys, in an HSM.",
            discussion: """
                Makes an AES-256 key that cannot be taken out, in the token and by the name that master-key.wrapping-key says. \
                Nothing else is changed: where there is a master key already, restart benji serve with the setting and run benji keys rotate.

                Example:
                  benji keys new-wrapping-key -c benji.yaml
                """.paragraphs)
        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let configuration = try await options.load()
            guard let uri = configuration.wrappingKey else {
                throw CommandFailure(
                    "no wrapping key is named; set master-key.wrapping-key, such as \(PKCS11URI.example)")
            }
            try PKCS11Key(uri).make()
            let terminal = Terminal()
            terminal.print("\(uri.name) was made; it never leaves the HSM.")
            terminal.print(
                "See that the HSM is backed up by its own means: without this key nothing opens that it wraps.")
        }
    }

    private static let words = [
        "numbers": "numbers", "sims": "SIM cards", "appKeys": "app keys", "openIDKeys": "ID-token keys",
        "faceKeys": "face accounts' keys", "receiptKeys": "receipt keys", "dataSecrets": "data secrets",
    ]
}
