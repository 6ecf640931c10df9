import ArgumentParser
import BenjiPage
import BenjiProtocol
import Foundation

struct PolicyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "The carriers' records: print those that come along, check your own.",
        discussion: """
            A carrier is a record of the policy: its names, its country, its networks, the terms and slogan of its page, and how long
            what it issues lives in each dialect. China's three come along. Another operator is a record in a file of yours, which
            the setting `policy` names.

            Examples:
              benji policy > policy.json      a file to begin with
              benji policy policy.json        check it, and list its carriers
            """.paragraphs)

    @Argument(help: "A policy file to check. Without it the built-in policy is printed.") var file: String?

    func run() throws {
        let terminal = Terminal()
        guard let file else {
            terminal.print(try PageJSON(parsing: CarrierPolicy.standard.json.text).indented)
            return
        }
        let policy = try ServerConfiguration.policy(at: file)
        let width = policy.order.map(\.rawValue.count).max() ?? 0
        for carrier in policy.order {
            guard let entry = policy.carriers[carrier] else { continue }
            let name = carrier.rawValue.padding(toLength: width, withPad: " ", startingAt: 0)
            let networks =
                entry.networks.isEmpty
                ? "networks: as each SIM says" : "networks: " + entry.networks.joined(separator: " ")
            terminal.print(
                "\(name)  \(entry.names.chinese), \(entry.names.english)  \(entry.country)  \(networks)"
                    + (entry.enabled ? "" : "  (not enabled)"))
        }
    }
}
