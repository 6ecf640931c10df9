import Administration
import ArgumentParser
import BenjiProtocol
import Foundation
import NIOSSL
import ServerRuntime
import Store

/// Manages the admins, who give orders over the admin interface.
struct AdminCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin", abstract: "Say who may give orders over the admin interface, and end it.",
        discussion: """
            Whoever may open the data directory gives every order on the machine itself. Over the network \
            (listen.administration) each \
            person and program has a token or a client certificate of their own, with a role:

              operator   every order
              support    looks at apps, logins and consents
              auditor    looks at everything, the audit log too
              developer  changes and looks at some apps

            The token is printed once and kept as a hash. A person who works in a browser gets an invitation to the \
            console instead \
            (--console), by which they choose a password there.

            Example:
              benji admin grant ana --role support --days 30
              benji admin grant ben --role developer --console
              BENJI_ADMIN_TOKEN=benji_admin_… benji app list --server https://benji.internal:8084
            """.paragraphs,
        subcommands: [Grant.self, List.self, Renew.self, Revoke.self, RemovePhone.self])

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Let somebody give orders; prints their token or invitation, this once.",
            discussion: """
                An operator may give every order, support may look logins up, an auditor may read, and a developer may \
                do what \
                belongs to their own apps (--app), or make apps of their own in the console.

                A program gets a token, or comes with a client certificate (--certificate). A person gets an \
                invitation (--console): \
                behind it they choose a password and add the account to an authenticator app.

                Examples:
                  benji admin grant ana --role support --days 30
                  benji admin grant ben --role developer --console
                  benji admin grant shop-deploy --role developer --app 300000000001 --reason "deploys pages"
                """.paragraphs,
            aliases: ["create"])
        @OptionGroup var options: OrderOptions
        @Argument(
            help: "Their name in the audit log: lower-case letters, digits, dots, hyphens and underscores.")
        var name: String
        @Option(help: "operator, support, auditor or developer.") var role: Role
        @Option(help: "An app of a developer. May be given several times.") var app: [AppID] = []
        @Flag(help: "Answers show phone numbers whole; masked if not given.") var seeNumbers = false
        @OptionGroup var credential: AdminCredentialOptions
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let order = GrantAdmin(
                name, role, apps: app, seesNumbers: seeNumbers, days: credential.days,
                certificate: try credential.certificateDigest, console: credential.console)
            AdminCommand.show(try await options.order(order, reason: why.reason), json: json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "All admins, and when each was here last.")
        @OptionGroup var options: OrderOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ListAdmins())
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let admins = answer.arrayValue ?? []
            if admins.isEmpty { terminal.print("nobody; let somebody in with: benji admin grant NAME --role …") }
            let now = SystemWallClock().now
            for admin in admins {
                let state = AdminCommand.state(of: admin, at: now)
                let used = admin["lastUsed"]?.stringValue.map { "last used \($0) (UTC+8)" } ?? "never used"
                let apps = (admin["apps"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
                let rights = [
                    admin["role"]?.stringValue, apps.isEmpty ? nil : apps,
                    admin["seesNumbers"]?.boolValue == true ? "sees numbers" : nil, admin["credential"]?.stringValue,
                    state, used, admin["phoneBoundAt"] == nil ? nil : "one tap of a phone",
                ]
                terminal.print(
                    "\(terminal.styled(Terminal.padded(admin["name"]?.stringValue ?? "", to: 20), .bold))  "
                        + rights.compactMap(\.self).joined(separator: ", "))
            }
        }
    }

    struct Renew: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew",
            abstract: "Give an admin a new token, certificate or invitation; the one before ends at once.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The admin.") var name: String
        @OptionGroup var credential: AdminCredentialOptions
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let order = RenewAdmin(
                name, days: credential.days, certificate: try credential.certificateDigest, console: credential.console)
            AdminCommand.show(try await options.order(order, reason: why.reason), json: json)
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "End an admin's token or certificate at once.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The admin.") var name: String
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AdminCommand.show(try await options.order(RevokeAdmin(name), reason: why.reason), json: json)
        }
    }

    struct RemovePhone: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-phone",
            abstract: "Let an admin's own phone sign them in to the console no more; their codes go on to count.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The admin.") var name: String
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AdminCommand.show(try await options.order(RemoveAdminPhone(name), reason: why.reason), json: json)
        }
    }

    static func state(of admin: JSON, at now: Timestamp) -> String {
        func moment(_ name: String) -> Timestamp? {
            admin[name]?.integerValue.map { Timestamp(milliseconds: $0) }
        }
        if let revoked = moment("revokedAt") { return "revoked \(revoked.dateText)" }
        guard let end = moment("expiresAt") else { return "" }
        return end <= now ? "expired \(end.dateText)" : "until \(end.dateText)"
    }

    static func show(_ admin: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(admin.text) }
        guard case .object(let members) = admin else { return }
        for member in members where member.value != .array([]) {
            terminal.print(
                "\(terminal.styled(Terminal.padded(member.name, to: 14), .cyan))\(member.value.shown(as: member.name))")
        }
        if admin["token"] != nil {
            terminal.print("\nThe token is shown this once. Keep it as a secret: whoever has it gives these orders.")
        }
        if admin["invitation"] != nil {
            terminal.print(
                """

                The invitation is shown this once, and good for one account. They enter it at /console/invitation on \
                the admin interface \
                (listen.administration), where they choose a password.
                """)
        }
    }
}

/// The options of an admin's credential and its term.
struct AdminCredentialOptions: ParsableArguments {
    @Option(help: "Days until it ends, 1 to 366.") var days = GrantAdmin.usualDays
    @Option(
        help: """
            PEM file with their client certificate, by whose key they are then known instead of a token. One of \
            administration.client-authority must have signed it.
            """)
    var certificate: String?
    @Flag(
        help: """
            They sign in to the console with a password and an authenticator app; prints an invitation to it instead \
            of a token.
            """)
    var console = false

    func validate() throws {
        if console, certificate != nil {
            throw ValidationError("--console and --certificate exclude each other: a certificate is for programs")
        }
    }

    /// The SHA-256 of the certificate's public key, in hexadecimal.
    var certificateDigest: String? {
        get throws {
            guard let certificate else { return nil }
            let chain = try PEMFile.certificates(certificate, for: "--certificate")
            guard let key = try? chain.first?.extractPublicKey().toSPKIBytes() else {
                throw CommandFailure("--certificate \(certificate): its public key cannot be read")
            }
            return Hexadecimal.encode(Admins.digest(publicKey: key))
        }
    }
}
