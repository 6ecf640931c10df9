package import Authority
package import BenjiProtocol
package import Requests
import Sightings

/// Lists the sessions that hold an address now, and the reasons why a phone there is not recognised. Names people only
/// by the register's row. Answered by the process that the gateway is in.
package struct ShowSession: Order {
    package static let name = "session.show"
    package static let route = OrderRoute.post("/sessions/show")
    package static let summary =
        "Which sessions hold an address, and why a login from there fails; the audit log notes the look."
    package static let answer = "Sessions"
    package static let fields: [OrderField] = [
        OrderField("address", .text, isRequired: true, "An IPv4 or IPv6 address, as requests come from it."),
        OrderField(
            "port", .integer(1...65_535),
            "The source port of a connection, where a NAT shares the address. Without it all sessions behind it."),
        OrderField("domain", .text, "Only in this ip-domain."),
    ]
    package static let roles: Set<Role> = [.operator, .support]
    package static let changes = false

    /// An IPv4 or IPv6 address of a phone, or one that a NAT gives to several.
    package var address: String
    /// The source port of a connection, 1 to 65535, where a NAT shares the address; without it all sessions behind the
    /// address.
    package var port: Int?
    /// An ip-domain; without it all.
    package var domain: String?

    package init(_ address: String, port: Int? = nil, domain: String? = nil) {
        self.address = address
        self.port = port
        self.domain = domain
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard let asked = InternetAddress(address) else {
            throw Refusal(
                .parameterInvalid, "address: an IPv4 or IPv6 address, such as 10.64.0.7 or 2001:db8::7, without port")
        }
        var port: UInt16?
        if let given = self.port {
            port = UInt16(exactly: given)
            guard let port, port > 0 else { throw Refusal(.parameterInvalid, "port: 1 to 65535") }
        }
        guard let find = context.findsSessions else {
            throw Refusal(
                .notFound,
                "no gateway runs in this process, so no session is known here; a server whose role is all answers, "
                    + "asked with --server"
            )
        }
        let found = find(asked, port, domain)
        let rows = Set(found.compactMap(\.subscription)).sorted()
        try await context.noteLook(
            subject: rows.isEmpty
                ? "an address that nobody has"
                : "the address of subscription \(rows.prefix(10).map(String.init).joined(separator: ", "))")
        let counts = Dictionary(grouping: found, by: \.domain).mapValues(\.count)
        return .object([
            "address": .string(asked.description), "port": port.map { .integer(Int64($0)) } ?? .null,
            "sessions": .array(
                found.map { state in
                    let isShared = counts[state.domain, default: 0] > 1 || (state.ports != nil && port == nil)
                    return state.json(situation: isShared ? .addressAmbiguous : state.refusal?.situation)
                }),
        ])
    }
}

extension SessionState {
    /// - Parameter situation: what a login from there is refused for; `nil` if it is good.
    fileprivate func json(situation: Situation?) -> JSON {
        .object([
            "domain": .string(domain), "nas": .string(nas), "carrier": .string(carrier.rawValue),
            "subscription": subscription.map { .integer($0) } ?? .null,
            "ports": ports.map { .string("\($0.lowerBound)-\($0.upperBound)") } ?? .null, "roaming": .bool(isRoaming),
            "startedAt": .integer(startedAt.milliseconds), "heardAt": .integer(heardAt.milliseconds),
            "situation": situation.map { .string($0.rawValue) } ?? .null,
            "doubts": .array(doubts.map { .string($0.rawValue) }),
        ])
    }
}
