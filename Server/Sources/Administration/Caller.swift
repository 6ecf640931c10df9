package import BenjiProtocol
import Requests

/// A caller's role, which determines the orders that they may give.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable {
    /// Runs the installation: every order.
    case `operator`
    /// Helps people: looks at logins, and changes nothing.
    case support
    /// Checks: looks at everything, the audit log too, and changes nothing.
    case auditor
    /// Develops some apps: changes the settings that developers decide about, and reads their logins and statements.
    case developer
}

/// The party that gives an order.
package struct Caller: Hashable, Sendable {
    /// As the audit log names them: a user of the machine, or the name of an operator's token.
    package var name: String
    package var role: Role
    /// The apps of a developer. Other roles are not bound to apps.
    package var apps: Set<AppID>
    /// Whether answers show phone numbers; masked otherwise.
    package var seesNumbers: Bool
    /// "command line", or an address.
    package var origin: String

    package init(name: String, role: Role, apps: Set<AppID> = [], seesNumbers: Bool = false, origin: String) {
        self.name = name
        self.role = role
        self.apps = apps
        self.seesNumbers = seesNumbers
        self.origin = origin
    }

    /// Checks that this caller may give this order.
    func check<Asked: Order>(_ order: Asked) throws(Refusal) {
        guard may(give: Asked.self, about: order.app) else {
            guard role == .developer, Asked.roles.contains(role), order.app == nil else { throw notPermitted }
            throw Refusal(
                .orderNotPermitted,
                "app: a developer names one of their apps here; on the command line with --app ID")
        }
        guard role == .developer, let part = order.operatorsPart else { return }
        throw Refusal(.orderNotPermitted, "\(part): the operator decides this, not a developer")
    }

    /// The refusal of an order that this caller's role does not give.
    var notPermitted: Refusal {
        Refusal(.orderNotPermitted, "a caller with the role \(role.rawValue) may not give this order")
    }

    /// Whether this caller may give an order of this type about this app. A developer's order is always about one of
    /// their own apps; which fields of it they may set the order decides.
    package func may(give order: any Order.Type, about app: AppID?) -> Bool {
        guard order.roles.contains(role) else { return false }
        guard role == .developer else { return true }
        return app.map(apps.contains) ?? order.isForAllDevelopers
    }

    /// Whether something of this app may be in an answer.
    func sees(_ app: AppID) -> Bool { role != .developer || apps.contains(app) }
}
