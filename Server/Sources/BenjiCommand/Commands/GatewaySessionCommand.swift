import Administration
import ArgumentParser
import BenjiProtocol
import Foundation
import ServerRuntime
import Sightings

struct GatewaySessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Which session holds an address now, and why a login from there fails.",
        discussion: """
            Only a running gateway knows its sessions, so ask the server that it runs in (role: all) with --server; a \
            data directory does \
            not have them. The answer names the NAS and the register's row, never a number. The audit log notes that \
            somebody looked.

            Where a NAT shares an address, give the source port of the connection too.

            Examples:
              benji gateway session 10.64.0.7 --server https://127.0.0.1:8085 --token-file ops.token
              benji gateway session 203.0.113.5 --port 40123 --server https://127.0.0.1:8085 --token-file ops.token
            """.paragraphs)
    @OptionGroup var options: OrderOptions
    @Argument(help: "An IPv4 or IPv6 address, as requests come from it.") var address: String
    @Option(help: "The source port of a connection: 1 to 65535.") var port: Int?
    @Option(help: "Only in this ip-domain (nas.NAME.domain).") var domain: String?
    @OptionGroup var why: ReasonOptions
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        guard try options.isRemote else {
            throw CommandFailure(
                "sessions are in the memory of a running gateway; name its server with --server, which needs "
                    + "listen.administration"
            )
        }
        let answer = try await options.order(ShowSession(address, port: port, domain: domain), reason: why.reason)
        let terminal = Terminal()
        if json { return terminal.print(answer.text) }
        let sessions = answer["sessions"]?.arrayValue ?? []
        if sessions.isEmpty {
            return terminal.print(
                "no session holds \(answer["address"]?.stringValue ?? address): a login from there is refused "
                    + "(address_unknown)\n"
                    + "is the address one that phones have here, as the gateway sees it? did its NAS send the Start? "
                    + "see benji explain address_unknown"
            )
        }
        for session in sessions { Self.tell(session, to: terminal) }
    }

    private static func tell(_ session: JSON, to terminal: Terminal) {
        func text(_ name: String) -> String { session[name]?.stringValue ?? "" }
        func time(_ name: String) -> String {
            Timestamp(milliseconds: session[name]?.integerValue ?? 0).dateText
        }
        let doubts = (session["doubts"]?.arrayValue ?? []).compactMap(\.stringValue)
            .compactMap(SessionState.Doubt.init(rawValue:)).map(\.words)
        let situation = session["situation"]?.stringValue
        let lines: [(String, String?)] = [
            ("login", situation.map { "refused: \($0); see benji explain \($0)" } ?? "good"),
            ("because", doubts.isEmpty ? nil : doubts.joined(separator: "; ")), ("NAS", text("nas")),
            ("carrier", text("carrier")), ("domain", text("domain")),
            ("row", session["subscription"]?.integerValue.map { "\($0) of the register" } ?? "none of the register"),
            ("ports", session["ports"]?.stringValue), ("roaming", session["roaming"]?.boolValue == true ? "yes" : nil),
            ("since", time("startedAt")), ("last heard", time("heardAt")),
        ]
        for (name, text) in lines {
            guard let text else { continue }
            terminal.print("\(terminal.styled(Terminal.padded(name, to: 15), .cyan))\(text)")
        }
    }
}

extension SessionState.Doubt {
    fileprivate var words: String {
        switch self {
        case .stale: "nothing was heard of it for longer than its lease"
        case .contested: "two sessions claim the address"
        case .suspended: "news that may take the address away is being written down"
        case .unsaved: "its last change could not be written to the journal"
        case .doubted: "something was heard that may have taken its address away, and nothing newer of the session"
        case .missed: "news of it may have been lost; it is believed again when it is heard of"
        case .silent: "its NAS says nothing for longer than it may"
        case .unsupported: "its number cannot log in, or is not known"
        }
    }
}
