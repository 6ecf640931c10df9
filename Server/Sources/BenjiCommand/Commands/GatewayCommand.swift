import Administration
import ArgumentParser
import BenjiProtocol
import ServerRuntime
import Sightings
import Store

struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Which gateways answer, and which session holds an address.",
        discussion: """
            Examples:
              benji gateway pairs -c authority.yaml
                  which gateway of each pair answers
              benji gateway session 10.64.0.7 --server https://127.0.0.1:8085 --token-file ops
                  who holds an address, and why a login from there fails
            """,
        subcommands: [GatewayPairsCommand.self, GatewaySessionCommand.self])
}

struct GatewayPairsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairs", abstract: "Which gateway of each pair answers now.",
        discussion: """
            To let the other gateway of a pair answer, stop the one that does: it gives the pair back, and the other \
            one takes over within two seconds.
            """.paragraphs)
    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let (pairs, standings) = try await options.withInstallation {
            ($0.configuration.membersOfPairs, try await $0.store.pairStandings())
        }
        let names = Set(pairs.keys).union(standings.keys).sorted()
        let terminal = Terminal()
        if json {
            let all = names.map { name -> JSON in
                let standing = standings[name] ?? PairStanding()
                return .object([
                    "pair": .string(name), "gateways": .array((pairs[name] ?? []).map { .string($0) }),
                    "owner": standing.owner.map { .string($0) } ?? .null, "fence": .integer(standing.fence),
                ])
            }
            return terminal.print(JSON.array(all).text)
        }
        if names.isEmpty { return terminal.print("no gateways are a pair; gateways.NAME.pair makes two one") }
        for name in names {
            let standing = standings[name] ?? PairStanding()
            let gateways = (pairs[name] ?? []).joined(separator: " and ")
            let times = standing.fence == 1 ? "once" : "\(standing.fence) times"
            let answers =
                standing.fence == 0
                ? "none has taken over yet"
                : (standing.owner.map { "\($0) answers" } ?? "none answers: the last one gave it back")
                    + "; taken over \(times)"
            terminal.print(
                "\(terminal.styled(Terminal.padded(name, to: 12), .cyan))"
                    + "\(gateways.isEmpty ? "of no gateway in this configuration" : gateways): \(answers)")
        }
    }
}
