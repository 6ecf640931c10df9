// Every order that somebody can give to an installation: what it holds, who may give it, what it does, and its line in the
// audit log in the same commit. The command line, the admin interface and the console are faces of it and decide nothing.
// Begin with `Order.swift`; `Apps/` has the orders about apps.
package import Authority
package import BenjiProtocol
import Logging
import Store

/// What orders need to keep and to read.
package typealias AdministrationStore = AuthorityStore

/// The one place in which orders are carried out.
package struct Administration: Sendable {
    private let authority: Authority
    private let store: any AdministrationStore

    package init(authority: Authority, store: any AdministrationStore) {
        self.authority = authority
        self.store = store
    }

    /// Carries an order out, if the caller may give it, and answers what the order's documentation says.
    ///
    /// An order that changes something writes its line of the audit log in the commit of the change. A refusal writes a
    /// line of its own, unless the caller may give the order and it only looks.
    ///
    /// - Parameter reason: what the caller gave as the reason; see ``OrderNote/problem(inReason:)``.
    package func perform<Asked: Order>(
        _ order: Asked, by caller: Caller, reason: String? = nil
    ) async throws(Refusal) -> JSON {
        let problem = reason.flatMap(OrderNote.problem)
        let note = OrderNote(
            actor: caller.name, role: caller.role.rawValue, origin: caller.origin, order: Asked.name,
            reason: problem == nil ? reason : nil)
        do throws(Refusal) {
            try caller.check(order)
            if let problem { throw Refusal(.parameterInvalid, problem) }
            return try await order.carryOut(
                OrderContext(authority: authority, store: store, caller: caller, note: note))
        } catch {
            if Asked.changes || error.situation == .orderNotPermitted {
                await write(note.entry(at: authority.clock.now, app: order.app, outcome: error.situation))
            }
            throw error
        }
    }

    /// A refusal that cannot be written down is refused all the same.
    private func write(_ refusal: AuditEntry) async {
        do throws(StoreError) { try await store.appendAudit(refusal) } catch {
            authority.logger.error(
                "a refused order is not in the audit log",
                metadata: ["order": "\(refusal.order)", "code": "\(refusal.outcome.rawValue)"])
        }
    }
}
