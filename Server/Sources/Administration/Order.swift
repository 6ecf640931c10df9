package import Authority
package import BenjiProtocol
package import Requests

/// Something that can be ordered or asked for: one type an order.
///
/// Its stored properties are the members of its JSON form (``OrderForm``).
package protocol Order: Codable, Sendable {
    /// As the audit log has it: "app.suspend".
    static var name: String { get }
    /// Where it is given over HTTP.
    static var route: OrderRoute { get }
    /// One or two English sentences for documents and help.
    static var summary: String { get }
    /// Every member of its JSON form.
    static var fields: [OrderField] { get }
    /// The schema of its answer, by its name in the OpenAPI document.
    static var answer: String { get }
    /// Members of its JSON form that may be left out, with their defaults. Optional members need not be among them.
    static var usual: [JSON.Member] { get }
    /// The roles that may give it.
    static var roles: Set<Role> { get }
    /// Whether it changes something. An order that only looks has no line in the audit log unless it writes one itself.
    static var changes: Bool { get }
    /// Whether a developer may give it although it is about no app: its answer shows them no more than is theirs.
    static var isForAllDevelopers: Bool { get }
    /// The largest JSON form, in bytes. A larger one is refused before it is read.
    static var bodyLimit: Int { get }
    /// The app that it is about.
    var app: AppID? { get }
    /// The part of it that only an operator may order, in words; `nil` if a developer may give all of it.
    var operatorsPart: String? { get }

    /// Carries it out and returns the resulting state. Called by ``Administration/perform(_:by:reason:request:)``
    /// alone, which has checked the caller.
    func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON
}

extension Order {
    package static var fields: [OrderField] { [] }
    package static var usual: [JSON.Member] { [] }
    package static var changes: Bool { true }
    package static var isForAllDevelopers: Bool { false }
    package static var bodyLimit: Int { 1 << 20 }
    package var app: AppID? { nil }
    package var operatorsPart: String? { nil }
}
