import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime

/// Which developers have an app.
struct AppTeamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team", abstract: "Which developers have an app: list them, invite, add and take off.",
        discussion: """
            A developer does this for each of their apps, an operator for all. Operators, support and auditors see \
            every app, and are in \
            no team.

            Examples:
              benji app team list 300000000001
              benji app team invite 300000000001 ben     # prints an invitation to the console, this once
              benji app team add 300000000001 cat-4f7km  # somebody who is here already
            """.paragraphs,
        subcommands: [List.self, Invite.self, Add.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Who has an app, and when each was here last.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id: 12 to 64 letters and digits.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AppTeamCommand.show(try await options.order(ListTeam(id)), json: json)
        }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Let in somebody new who has this app alone; prints their name and invitation, this once.",
            discussion: """
                Five letters and digits are put behind the name, so that nobody learns which names there are. An app \
                has at most \
                \(InviteToTeam.seats) people, and \(InviteToTeam.invitations) are invited in 30 days. A developer \
                invites once an \
                operator has allowed the app, and nobody for longer than they have themselves.
                """.paragraphs)
        @OptionGroup var given: AppOrderOptions
        @Argument(help: "How their name begins: lower-case letters, digits, dots, hyphens and underscores.")
        var name: String
        @Option(help: "Days until they can sign in no more, 1 to 366.") var days = GrantAdmin.usualDays

        func run() async throws {
            AdminCommand.show(try await given.give(InviteToTeam(given.id, name, days: days)), json: given.json)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Give an app to a developer who is here already.")
        @OptionGroup var given: AppOrderOptions
        @Argument(help: "The developer. Another developer adds people of their other apps alone.") var name: String

        func run() async throws {
            AppTeamCommand.show(try await given.give(AddToTeam(given.id, name)), json: given.json)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take an app away from a developer at once; what else they have stays.")
        @OptionGroup var given: AppOrderOptions
        @Argument(help: "The developer.") var name: String

        func run() async throws {
            AppTeamCommand.show(try await given.give(RemoveFromTeam(given.id, name)), json: given.json)
        }
    }

    private static func show(_ team: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(team.text) }
        let people = team["people"]?.arrayValue ?? []
        if people.isEmpty { return terminal.print("no developer has this app") }
        for person in people {
            let parts = [
                person["state"]?.stringValue, person["credential"]?.stringValue,
                person["lastUsed"]?.stringValue.map { "last used \($0) (UTC+8)" } ?? "never used",
                person["expiresAt"]?.integerValue.map { "until \(Timestamp(milliseconds: $0).dateText)" },
            ]
            terminal.print(
                "\(terminal.styled(Terminal.padded(person["name"]?.stringValue ?? "", to: 20), .bold))  "
                    + parts.compactMap(\.self).joined(separator: ", "))
        }
    }
}
