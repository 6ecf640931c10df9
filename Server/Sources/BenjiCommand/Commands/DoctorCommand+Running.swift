import AsyncHTTPClient
import Authority
import BenjiProtocol
import Requests
import ServerRuntime
import ShortMessageSending

/// Findings about a server that runs with the configuration.
extension DoctorCommand {
    /// How long the server may take to answer.
    private static let responseTime: Duration = .seconds(5)
    private static let answerLimit = 1 << 20

    /// The problems and warnings that `/health/ready` of the server with this configuration lists. Empty if none runs.
    static func examineRunning(_ configuration: ServerConfiguration) async -> [Finding] {
        var address = configuration.admin
        guard address.port != 0 else { return [] }
        if address.isEverywhere {
            address.host = address.host.family == .v4 ? InternetAddress("127.0.0.1")! : InternetAddress("::1")!
        }
        let url = "http://\(address)/health/ready"
        let client = HTTPSender.client(tls: nil, responseTime: responseTime)
        let findings: [Finding]
        do {
            let (_, body) = try await client.answer(
                to: HTTPClientRequest(url: url), within: responseTime, upTo: answerLimit)
            findings =
                (try? JSON(parsing: body)).flatMap { readiness(of: $0) }
                ?? [running(.warning, "\(url) does not answer as benji serve does; is listen.admin right?")]
        } catch {
            findings =
                ServerFault(error) == .refused
                ? []
                : [running(.warning, "\(url) does not answer; is listen.admin right? The server's log may say why")]
        }
        try? await client.shutdown()
        return findings
    }

    /// The problems and warnings in an answer of `/health/ready`; `nil` if it is none.
    static func readiness(of answer: JSON) -> [Finding]? {
        guard case .object(let checks)? = answer["checks"] else { return nil }
        // Not wrong: a gateway of a pair that does not own it is not ready either.
        let problems = checks.compactMap { check -> String? in
            check.value == "ok" ? nil : "\(check.name): \(check.value.stringValue ?? "fails")"
        }
        let texts = problems + (answer["warnings"]?.arrayValue ?? []).compactMap(\.stringValue)
        return texts.isEmpty
            ? [running(.good, "ready, and warns of nothing")] : texts.map { running(.warning, $0.printable) }
    }

    private static func running(_ verdict: Finding.Verdict, _ text: String) -> Finding {
        Finding(subject: "running server", verdict: verdict, text: text)
    }
}
