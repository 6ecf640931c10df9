import ArgumentParser
@_spi(Server) import BenjiProtocol
import Gateway
import Link
import RADIUS
import ServerHTTP
import ServerRuntime

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out what is wrong with an installation.",
        discussion:
            "Reads everything that `benji serve` would read and changes nothing. Lists the warnings of a running "
            + "server. "
            + "Leaves with status 1 if something is wrong."
    )

    @OptionGroup var options: ConfigurationOptions
    @Flag(help: "Print JSON.") var json = false

    struct Finding: Sendable {
        enum Verdict: String {
            case good
            /// Nothing is amiss, and the operator has something to do.
            case hint
            case warning, wrong
        }
        var subject: String
        var verdict: Verdict
        var text: String

        func print() {
            let terminal = Terminal()
            let (mark, style): (String, Terminal.Style) =
                switch verdict {
                case .good: ("ok  ", .green)
                case .hint: ("hint", .cyan)
                case .warning: ("warn", .yellow)
                case .wrong: ("BAD ", .red)
                }
            terminal.print("\(terminal.styled(mark, style))  \(Terminal.padded(subject, to: 24))\(text)")
        }
    }

    func run() async throws {
        var findings: [Finding] = []
        do {
            let configuration = try await options.load()
            findings.append(
                Finding(subject: "configuration", verdict: .good, text: "read, role \(configuration.role.rawValue)"))
            findings += Self.exposed(configuration)
            let keys = Self.findKeys(configuration)
            findings += await Self.examineFiles(configuration, keys)
            findings += Self.examinePorts(configuration)
            findings += Self.examine(configuration)
            findings += await Self.examineSenders(configuration)
            findings += await Self.examineOneTap(configuration)
            findings += await Self.examineStore(configuration, keys)
            findings += await Self.examineRunning(configuration)
        } catch {
            findings.append(Finding(subject: "configuration", verdict: .wrong, text: ErrorText.of(error)))
        }
        if json {
            Terminal().print(
                JSON.array(
                    findings.map {
                        .object([
                            "subject": .string($0.subject), "verdict": .string($0.verdict.rawValue),
                            "text": .string($0.text),
                        ])
                    }
                ).text)
        } else {
            for finding in findings { finding.print() }
        }
        if findings.contains(where: { $0.verdict == .wrong }) { throw ExitCode(1) }
    }

    /// The findings that need no look at data or ports. `benji serve --check` prints them too.
    static func examine(_ configuration: ServerConfiguration) -> [Finding] {
        var findings = configuration.clashes.map {
            Finding(subject: $0.key, verdict: .wrong, text: $0.problem)
        }
        let now = SystemWallClock().now
        func note(_ subject: String, _ verdict: Finding.Verdict, _ text: String) {
            findings.append(Finding(subject: subject, verdict: verdict, text: text))
        }
        func note(_ subject: String, _ life: CertificateLife, good: String) {
            if let problem = life.problem(at: now.seconds) {
                note(subject, .wrong, problem)
            } else if let warning = life.warning(at: now.seconds) {
                note(subject, .warning, warning)
            } else {
                note(subject, .good, good)
            }
        }
        if configuration.role != .authority {
            if configuration.networkElements.isEmpty { note("nas", .warning, "none: no phone can be recognised") }
            for nas in configuration.networkElements {
                let faults = faults(of: nas)
                findings += faults.map { Finding(subject: "nas \(nas.name)", verdict: $0.verdict, text: $0.text) }
                if faults.isEmpty {
                    let names = nas.certificates.map(\.description).joined(separator: ", ")
                    let origin = names.isEmpty ? "\(nas.sources.count) sources" : "over TLS as \(names)"
                    note("nas \(nas.name)", .good, "\(origin), \(nas.pools.count) pools")
                }
            }
            findings += examineAccounting(configuration)
            if configuration.publicURLs.isEmpty {
                note(
                    "public.urls", .warning,
                    "not set; proofs are checked against the Host header, fit for a sandbox only")
            }
        }
        if let protection = configuration.databaseProtection {
            let weakness = configuration.databaseWeakness
            note("store.postgres", weakness == nil ? .good : .warning, weakness ?? protection)
        }
        if let path = configuration.auditSyslog {
            let problem = SyslogSocket(path: path).problem
            note(
                "audit.syslog", problem == nil ? .good : .warning,
                problem.map {
                    "\(path) takes no messages (\($0)); lines of the audit log wait until a syslog daemon reads this "
                        + "datagram socket"
                } ?? "\(path) takes lines of the audit log")
        }
        if let identity = configuration.tls {
            do {
                let certificate = try ServerCertificate(identity)
                note("tls", certificate.life, good: "certificate and key were read and belong together")
            } catch { note("tls", .wrong, "\(error)") }
        } else {
            note(
                "tls", .warning,
                "off; put a TLS proxy in front of the server listener, or set tls.certificate and tls.key")
        }
        if let clientTLS = configuration.clientTLS, let identity = configuration.tls {
            do {
                let read = try MutualTLSCertificate(identity, asking: clientTLS)
                note(
                    "mtls", .good,
                    read.clientAuthorities == nil
                        ? "takes certificates that are registered; without openid.client-authority no tls_client_auth"
                        : "takes certificates that are registered, and those of openid.client-authority")
            } catch { note("mtls", .wrong, "\(error)") }
        }
        if let radSec = configuration.radSec {
            do {
                let certificate = try ServerCertificate(radSec)
                note("radsec", certificate.life, good: "certificate, key and authority can be read")
            } catch { note("radsec", .wrong, "\(error)") }
            if !configuration.networkElements.contains(where: { !$0.certificates.isEmpty }) {
                note("radsec", .warning, "no nas.*.certificate is set, so nobody may connect")
            }
        }
        if let link = configuration.mutualTLS {
            do {
                let tls = try LinkTLS(
                    certificatePath: link.identity.certificate, keyPath: link.identity.key,
                    authorityPath: link.certificateAuthority)
                if configuration.role == .gateway, tls.name != configuration.gatewayName {
                    note(
                        "link", .wrong,
                        "the certificate names \(tls.name ?? "nobody"), gateway.name is \(configuration.gatewayName)")
                } else {
                    note("link", tls.life, good: "certificate, key and authority can be read")
                }
            } catch { note("link", .wrong, "\(error)") }
        }
        findings += examineOpenID(configuration)
        findings += examinePairs(configuration)
        findings += examineFace(configuration)
        note(
            "clock", now.seconds > 1_750_000_000 ? .good : .wrong,
            now.seconds > 1_750_000_000 ? "plausible" : "stands before 2025; proofs and times will be refused")
        return findings
    }

    private static func faults(of nas: NetworkAccessServer) -> [(verdict: Finding.Verdict, text: String)] {
        var faults: [(Finding.Verdict, String)] = []
        if !nas.certificates.isEmpty {
            // The secret proves nothing there.
        } else if SharedSecret(ConfigurationKeys.exampleSecret) == nas.secret {
            // Enough to try things out on one machine, and open to everybody anywhere else.
            let isHere = nas.sources.allSatisfy { $0.address.isLoopback }
            faults.append(
                (
                    isHere ? .warning : .wrong,
                    "its secret is the example's, which everybody knows; choose one of your own"
                ))
        } else if nas.secret.isShort {
            faults.append((.warning, "its secret has fewer than 16 bytes (RFC 2865 §3)"))
        }
        for (key, blocks, danger) in [
            ("sources", nas.sources, "anybody who knows the secret may say who holds which address"),
            ("pools", nas.pools, "it may say of any address whose it is"),
        ] {
            for block in blocks where block.length == 0 {
                faults.append((.wrong, "nas.\(nas.name).\(key) holds \(block), which is everybody: \(danger)"))
            }
        }
        if nas.eventTimestamp == .optional {
            faults.append(
                (
                    .warning,
                    "packets without Event-Timestamp are answered (nas.\(nas.name).event-timestamp: optional); they "
                        + "put phones "
                        + "in doubt and name nobody, so let it send attribute 55 in all of them"
                ))
        }
        return faults
    }

    private static func examineAccounting(_ configuration: ServerConfiguration) -> [Finding] {
        let subject = "accounting socket"
        do {
            let system = try AccountingSystem.examine(
                configuration.gateway.service(journalPath: configuration.journalPath))
            let asked = configuration.gatewayReceiveBuffer
            return [
                system.receiveBuffer < asked
                    ? Finding(
                        subject: subject, verdict: .warning,
                        text: "the kernel gives a buffer of \(system.receiveBuffer) bytes and not \(asked); run: "
                            + "sysctl -w net.core.rmem_max=\(asked)")
                    : Finding(subject: subject, verdict: .good, text: "a buffer of \(system.receiveBuffer) bytes"),
                system.filterProblem.map {
                    Finding(
                        subject: subject, verdict: .warning,
                        text:
                            "the kernel does not keep strangers' packets out: \($0); a flood of them puts every phone "
                            + "in doubt"
                    )
                } ?? Finding(subject: subject, verdict: .good, text: "the kernel keeps strangers' packets out"),
            ]
        } catch {
            return [Finding(subject: subject, verdict: .wrong, text: "\(error)")]
        }
    }
}
