import AsyncHTTPClient
import BenjiProtocol
import Foundation
import Logging
import Metrics
import NIOCore
package import Requests
package import ServerHTTP
import Store
import Synchronization

/// One process of an authority, at its address: asked over mutual TLS, once for each question.
///
/// Whom to ask, and whether to ask another one, is ``RemoteAuthority``'s to decide. Call ``shutdown()`` before the last
/// reference goes.
final class AuthorityNode: Sendable {
    /// Shorter than the listener keeps an idle connection, so that no request is sent on one that is being closed.
    static let idleTime: Duration = .seconds(20)
    static let connections = 64
    static let leaving = "it is being stopped"
    /// From a request of face login to its whole answer: pictures wait their turn before they are looked at.
    static let faceTimeout: Duration = .seconds(20)
    /// From a request for an SMS code to its answer: the message sender has ten seconds (``Authority/SMSCodes``).
    static let codeTimeout: Duration = .seconds(15)

    /// Host and port, for logs, readiness and metrics.
    let name: String
    let base: String
    let timeout: Duration
    let client: HTTPClient
    /// Connections of their own for what takes long, pictures and messages, so that they keep no login by number
    /// waiting.
    let patientClient: HTTPClient
    let logger: Logger
    /// Each request names it, and the client separates connections by it. So a connection with an earlier certificate
    /// is not used after a renewal, and is closed when it has been idle.
    let tls: RenewableTLS
    let installation: PinnedInstallation
    /// The last exchange's fault, to log changes and not every request.
    let fault = Mutex<LinkFault.Reason?>(nil)
    let answers: Gauge
    /// Whether its last answer closed the connection: it is being stopped (``Draining``), and answers to the end.
    let isLeaving = Atomic(false)
    private let clock: any WallClock
    /// This gateway's clock beside the node's, as of the last questions after its health.
    private let clockStanding = Mutex(ClockStanding())

    /// - Parameters: as of ``RemoteAuthority/init(urls:tls:timeout:clock:logger:uptime:)``.
    init(
        url: String, tls: RenewableTLS, timeout: Duration, installation: PinnedInstallation, clock: any WallClock,
        logger: Logger
    ) throws(LinkConfigurationError) {
        self.clock = clock
        name = try Self.name(of: url)
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        self.timeout = timeout
        self.logger = logger
        self.tls = tls
        self.installation = installation
        answers = Gauge(label: "benji_link_authority_answers", dimensions: [("authority", name)])
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            // A connection that does not come is given up while it is still sure that nothing was asked, so that
            // another node can be.
            timeout: .init(connect: TimeAmount(timeout / 2), read: TimeAmount(timeout)),
            connectionPool: .init(
                idleTimeout: TimeAmount(Self.idleTime), concurrentHTTP1ConnectionsPerHostSoftLimit: Self.connections))
        // Fails at once instead of waiting for the connection time-out.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        configuration.timeout.read = TimeAmount(max(Self.faceTimeout, timeout))
        patientClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Host and port of an address.
    static func name(of url: String) throws(LinkConfigurationError) -> String {
        guard let parsed = URLComponents(string: url), parsed.scheme?.lowercased() == "https",
            let host = parsed.host, !host.isEmpty,
            parsed.path.isEmpty || parsed.path == "/", parsed.query == nil, parsed.fragment == nil, parsed.user == nil,
            parsed.password == nil
        else { throw LinkConfigurationError("the authority's address must be https://host:port, without a path") }
        return "\(host):\(parsed.port ?? 443)"
    }

    /// Closes all connections. Requests under way fail.
    func shutdown() async {
        try? await client.shutdown()
        try? await patientClient.shutdown()
    }

    /// How long an answer is awaited.
    func timeout(at pace: ForwardedPath.Pace) -> Duration {
        switch pace {
        case .quick: timeout
        case .message: max(Self.codeTimeout, timeout)
        case .pictures: max(Self.faceTimeout, timeout)
        }
    }

    /// The problem of this node now, in a few words, or `nil`. The question needs the node's store too, and the node
    /// refuses it while its own clock is unfit. Compares this gateway's clock with the node's (``clockVerdict``).
    func problem() async -> String? {
        let asked = clock.now
        do {
            let at = { (time: Timestamp) in self.compare(asked: asked, other: time) }
            try await ask(.erased, nil, at: at) { (_) throws(JSONError) in }
        } catch {
            return switch error {
            case .fault(let fault): unheard(fault)
            case .storeError(let error): "store \(error.code.rawValue)"
            case .unable: nil
            }
        }
        return isLeaving.load(ordering: .relaxed) ? Self.leaving : nil
    }

    /// Forgets how its clock stood: that must not count against another node's for ever.
    private func unheard(_ fault: LinkFault) -> String {
        clockStanding.withLock { $0 = ClockStanding() }
        return "link \(fault.reason.rawValue)"
    }

    private func compare(asked: Timestamp, other: Timestamp) {
        let new = ClockComparison(asked: asked, answered: clock.now, other: other)
        switch clockStanding.withLock({ $0.note(new, maximum: LinkRules.clockTolerance) }) {
        case nil: break
        case .good:
            logger.notice("this machine's clock agrees with the authority's again", metadata: ["authority": "\(name)"])
        case .warning, .unfit:
            logger.warning("\(new.text(Self.clockName))", metadata: ["authority": "\(name)"])
        }
    }

    private static let clockName = "the authority's"

    /// How this gateway's clock stands beside the node's; `nil` if they were not compared yet.
    var clockVerdict: ClockComparison.Verdict? { clockStanding.withLock { $0.comparison == nil ? nil : $0.verdict } }

    /// Both clocks, if they differ by so much; `nil` otherwise.
    func clockText(of verdict: ClockComparison.Verdict) -> String? {
        clockStanding.withLock { $0.text(of: verdict, Self.clockName) }
    }
}

/// The installation whose nodes a gateway asks: the first that is heard. A subscription's row means somebody else in
/// another one.
final class PinnedInstallation: Sendable {
    private let first = Mutex<String?>(nil)
    private let isNeeded: Bool

    /// - Parameter isNeeded: whether an answer counts only if it says which installation it is from: where there are
    ///   several nodes.
    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    /// - Parameter name: the installation that an answer names; `nil` if it names none.
    func isHeard(_ name: String?) -> Bool {
        guard let name else { return !isNeeded }
        return first.withLock { first in
            if first == nil { first = name }
            return first == name
        }
    }
}
