import Foundation

/// The shop's customers.
actor Accounts {
    struct Account: Sendable {
        let id: String
        /// The provider's name for this person to this shop, if they came by OpenID Connect.
        var subject: String?
        /// `+8613800000000`. Never shown in full, and never logged.
        var number: String?
        /// How strongly the phone was recognised at the last login.
        var context: String?
        var orders: [Order] = []
    }

    struct Order: Sendable {
        let id: String
        let lines: [(tea: Tea, count: Int)]
        let placedAt = Date()

        var total: Int { lines.reduce(0) { $0 + $1.tea.price * $1.count } }
    }

    private var accounts: [String: Account] = [:]

    /// Returns the account of the person whom the provider names.
    ///
    /// The subject decides. A number under a new subject has a new owner, and leaves the account that had it. If that
    /// account was never tied to a subject, the new owner takes it over.
    func logIn(_ person: OpenIDClient.Person) -> Account {
        let held = person.number.flatMap { number in accounts.values.first { $0.number == number } }
        var account = accounts.values.first { $0.subject == person.subject }
        if account == nil, let held, held.subject == nil { account = held }
        var own = account ?? Account(id: Self.newID())
        if let held, held.id != own.id { accounts[held.id]?.number = nil }
        own.subject = person.subject
        own.number = person.number ?? own.number
        own.context = person.context
        accounts[own.id] = own
        return own
    }

    /// Returns the account with this number. The operators' dialect has no other identifier, so a shop that only speaks
    /// it gives the account to the number's next owner. Web logins therefore use the subject.
    func logIn(number: String) -> Account {
        var account = accounts.values.first { $0.number == number } ?? Account(id: Self.newID())
        account.number = number
        account.context = nil
        accounts[account.id] = account
        return account
    }

    func find(_ id: String) -> Account? { accounts[id] }

    func place(_ lines: [(tea: Tea, count: Int)], for id: String) -> Order? {
        guard accounts[id] != nil, !lines.isEmpty else { return nil }
        let order = Order(id: Self.newID(), lines: lines)
        accounts[id]?.orders.insert(order, at: 0)
        return order
    }

    /// Eight digits that people can read out.
    private static func newID() -> String { String(Int.random(in: 10_000_000...99_999_999)) }
}

extension Accounts.Account {
    /// `138****0000`.
    var mask: String? {
        number.map { number in
            let national = number.hasPrefix("+86") ? String(number.dropFirst(3)) : number
            guard national.count > 7 else { return "****" }
            return national.prefix(3) + String(repeating: "*", count: national.count - 7) + national.suffix(4)
        }
    }
}
