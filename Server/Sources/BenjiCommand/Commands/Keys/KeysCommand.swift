import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import PKCS11
import ServerRuntime
import Synchronization

/// The keys of an installation itself.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Look at the installation's own keys, and put new ones in their place.",
        discussion: """
            The master key seals numbers and all other secrets of the database. It lies in master.key of the data \
            directory, or \
            comes from BENJI_MASTER_KEY or a credential of systemd. A key in an HSM may wrap it \
            (master-key.wrapping-key). \
            docs/operations/keys.md says when to change it, and what of backups.
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
                if let file = key["formerKeyFile"]?["path"]?.stringValue {
                    terminal.print(
                        "  kept in \(file) for earlier backups; move it to where the keys of your backups are")
                }
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
                Makes a key, seals everything anew under it, and takes the former key out of master.key, into a file \
                master.key.former-ID beside it. benji serve works on meanwhile and needs no restart. If this is \
                killed, run it again: it \
                goes on where it was.

                Back the new key up when it is done. Move the file of the former key to where you keep the keys of \
                your backups, apart from \
                these, and keep it as long as earlier backups: they open with it alone. If the former key was stolen \
                and those backups \
                may be lost, --discard-former leaves no file of it.

                Examples:
                  benji keys rotate -c benji.yaml --reason "yearly"
                  benji keys rotate -c benji.yaml --discard-former --reason "stolen"
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Flag(help: "Keep the former key nowhere: earlier backups do not open any more.") var discardFormer = false
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            if try !options.isRemote { try await warnOfProcesses() }
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
                try await options.order(RotateMasterKey(discardsFormer: discardFormer), reason: why.reason)
            }
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            if answer["resumed"] == .bool(true) { terminal.print("A rotation that broke off was finished.") }
            terminal.print(
                "The master key is \(answer["current"]?.stringValue ?? "") now; \(answer["sealed"]?.text ?? "0") "
                    + "values were "
                    + "sealed anew under it.")
            for former in answer["former"]?.arrayValue ?? [] {
                terminal.print(fate(of: former, leftToRemove: answer["leftToRemove"] == .bool(true)))
            }
            let passedOver = (answer["passedOver"]?.arrayValue ?? []).compactMap(\.stringValue)
            if !passedOver.isEmpty {
                terminal.print(
                    "Left where the keys are kept, and passed over because new keys are kept otherwise: "
                        + "\(passedOver.joined(separator: ", ")). "
                        + "Nothing is sealed under that; benji doctor says what to do.")
            }
            terminal.print("Back the new key up now.")
        }

        /// The state of a former key, and the remedy.
        private func fate(of former: JSON, leftToRemove: Bool) -> String {
            let id = former["id"]?.stringValue ?? ""
            let end = former["retiredAt"]?.integerValue.map { Timestamp(milliseconds: $0).dateText } ?? "this rotation"
            guard !leftToRemove else {
                let gone = "Nothing is under the former key any more (id \(id)): take it out of where the keys are kept"
                return discardFormer
                    ? "\(gone), and keep it nowhere. Backups made before \(end) do not open then."
                    : "\(gone), and into a file \(DataDirectory.key).former-\(id) of mode 0600 where the keys of your "
                        + "backups are, apart "
                        + "from the backups: those made before \(end) open with it alone."
            }
            guard let file = former["file"]?["path"]?.stringValue else {
                return
                    "The former key \(id) is in no file any more: backups made before \(end) do not open without "
                    + "another copy of it."
            }
            let wrapped = former["file"]?["isWrapped"] == .bool(true)
            return
                "The former key \(id) lies in \(file)\(wrapped ? ", wrapped by a key in an HSM" : ""). Backups made "
                + "before \(end) open with "
                + "it alone. \(FormerKeyFile.advice(isWrapped: wrapped))"
        }

        /// A process started before the settings changed cannot read keys kept under the new ones.
        private func warnOfProcesses() async throws {
            let configuration = try await options.configuration.load()
            guard let file = options.configuration.config, try configuration.movesMasterKeys else { return }
            let processes = DatabaseUsers.startedBefore(changeOf: file, using: configuration.databasePath)
            guard !processes.isEmpty else { return }
            let which = processes.map { "process \($0)" }.joined(separator: " and ")
            Terminal.note(
                "warning: \(which) has the database open and was started before \(file) was changed. If that was about "
                    + "master-key, it cannot "
                    + "read the new key and will refuse every login until it is restarted: restart it first")
        }
    }

    struct RotateReceipt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-receipt", abstract: "Sign consent receipts with a new key from now on.",
            discussion: """
                The former key stays published with its end, so that its receipts can be checked for good; its private \
                half is erased. \
                Running servers sign with the new key within a minute. Whoever checks receipts fetches the public keys \
                again; apps on \
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
                Consent receipts are signed with a new key now: \(answer["current"]?.stringValue ?? ""). Running \
                servers take it within \
                a minute.
                The former key, \(answer["former"]?.stringValue ?? ""), signs nothing after that; its private half is \
                erased. \
                Receipts that it has signed stay valid for good: its public half stays published, with its end.
                Whoever checks receipts must fetch the public keys again: benji receipt keys, or \
                /.well-known/benji-receipt-keys of \
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
                Makes an AES-256 key that cannot be taken out, in the token and by the name that \
                master-key.wrapping-key says. \
                Nothing else is changed: where there is a master key already, restart benji serve with the setting and \
                run benji keys rotate.

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

extension FormerKeyFile {
    /// The advice to an operator about the file.
    static func advice(isWrapped: Bool) -> String {
        "Move it to where you keep the keys of your backups, apart from the backups, "
            + "\(isWrapped ? "keep that HSM's key, too, " : "")and delete "
            + "it with the last of them."
    }

    var advice: String { Self.advice(isWrapped: isWrapped) }
}

extension ServerConfiguration {
    /// Whether a rotation brings the master keys elsewhere: into an HSM, to another one, or back into the file.
    fileprivate var movesMasterKeys: Bool {
        get throws {
            guard !MasterKeySource.isGiven(ProcessInfo.processInfo.environment) else { return false }
            if formerWrappingKey != nil { return true }
            return try wrappingKey != nil && MasterKeyFile(path: masterKeyPath).holdsClearKey()
        }
    }
}
