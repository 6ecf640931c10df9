package import BenjiProtocol
package import Store

/// Who gives an order, from where and why: what the audit log says of it beside what it changed.
///
/// Whatever changes what operators decide takes one, and writes the log's line in the commit of the change.
package struct OrderNote: Hashable, Sendable {
    /// The person or program: a user of the machine, or the name of an operator's token.
    package var actor: String
    package var role: String
    /// Where the order was given: "command line", or an address.
    package var origin: String
    /// The order's name: "app.suspend".
    package var order: String
    package var reason: String?
    /// See ``AuditEntry/requestKey``.
    package var requestKey: String?

    package init(
        actor: String, role: String, origin: String, order: String, reason: String? = nil, requestKey: String? = nil
    ) {
        self.actor = actor
        self.role = role
        self.origin = origin
        self.order = order
        self.reason = reason
        self.requestKey = requestKey
    }

    /// The line of the audit log. Of what was and what is, it keeps the members that differ.
    package func entry(
        at moment: Timestamp, app: AppID? = nil, subject: String? = nil, from before: JSON? = nil,
        to after: JSON? = nil, outcome: Situation = .success
    ) -> AuditEntry {
        AuditEntry(
            at: moment, actor: actor, role: role, origin: origin, order: order, app: app, subject: subject,
            before: Self.members(of: before, not: after), after: Self.members(of: after, not: before), reason: reason,
            outcome: outcome, requestKey: outcome == .success ? requestKey : nil)
    }

    private static func members(of value: JSON?, not other: JSON?) -> String? {
        guard case .object(let members)? = value else { return nil }
        let differing = members.filter { other?[$0.name] != $0.value }
        return differing.isEmpty ? nil : JSON.object(differing).text
    }
}
