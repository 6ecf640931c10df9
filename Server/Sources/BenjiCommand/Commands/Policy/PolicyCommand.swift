import ArgumentParser
import BenjiPage
import BenjiPageReports
import BenjiPolicy
import BenjiProtocol
import Foundation
import ServerRuntime

struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "The carriers' records: print those that come along, check your own, see what held when.",
        discussion: """
            A carrier is a record of the policy: its names, its country, its networks, the terms and slogan of its \
            page, and how long
            what it issues lives in each dialect. China's three come along. Another operator is a record in a file of \
            yours, which
            the setting `policy` names. docs/operations/policy.md explains each member.

            A server writes down with which policy it starts, if another one held until then.

            Examples:
              benji policy > policy.json            a file to begin with
              benji policy check policy.json        check it, and list its carriers
              benji policy history                  which policies held here, since when
              benji policy show --at 2026-11-01     the one that held at that moment
            """.paragraphs,
        subcommands: [
            PolicyStandardCommand.self, PolicyCheckCommand.self, PolicyHistoryCommand.self, PolicyShowCommand.self,
        ], defaultSubcommand: PolicyStandardCommand.self)
}

struct PolicyStandardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "standard", abstract: "Print the policy that comes along; `benji policy` for short.",
        discussion: "`benji policy FILE` is short for `benji policy check FILE`.")

    @Argument(help: "A policy file to check instead.") var file: String?

    func run() throws {
        if let file { return try PolicyCheckCommand.check(file) }
        Terminal().print(try PageJSON(parsing: CarrierPolicy.standard.json.text).indented)
    }
}

struct PolicyCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a policy file, and list its carriers.",
        discussion: "What is wrong is told with its line, its member and what may stand there; then the status is 1.")

    @Argument(help: "The policy file.") var file: String

    func run() throws { try Self.check(file) }

    static func check(_ file: String) throws {
        let terminal = Terminal()
        let policy = try PolicyFile(file).policy
        let width = policy.order.map(\.rawValue.count).max() ?? 0
        for carrier in policy.order {
            guard let entry = policy.carriers[carrier] else { continue }
            let name = carrier.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
            let networks =
                entry.networks.isEmpty
                ? "networks: as each SIM says" : "networks: " + entry.networks.joined(separator: " ")
            terminal.print(
                "\(name)  \(entry.name.simplifiedChinese), \(entry.name.english)  \(entry.country)  \(networks)"
                    + (entry.enabled ? "" : "  (not enabled)"))
        }
    }
}
