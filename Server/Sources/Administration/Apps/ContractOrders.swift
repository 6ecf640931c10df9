package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// Shows the terms that an app is billed by on a day, and the entries that follow.
package struct ShowContract: Order {
    package static let name = "app.contract.show"
    package static let route = OrderRoute.get("/apps/{id}/contract")
    package static let summary = "The terms that an app is billed by on a day, and those that come next."
    package static let answer = "Contract"
    package static let fields: [OrderField] = [
        .id,
        OrderField("day", .day, "Today if it is left out."),
    ]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false

    package var id: AppID
    /// Today if `nil`.
    package var day: CalendarDay?
    package var app: AppID? { id }

    package init(_ id: AppID, day: CalendarDay? = nil) {
        self.id = id
        self.day = day
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.bookedApp(id)
        return app.contractJSON(on: day ?? CalendarDay(context.now), free: context.freeAnswersPerDay)
    }
}

/// All entries of an app's contract, in the order in which they were added.
package struct ListContract: Order {
    package static let name = "app.contract.list"
    package static let route = OrderRoute.get("/apps/{id}/contract/entries")
    package static let summary = "All entries of an app's contract, in the order in which they were added."
    package static let answer = "ContractEntries"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.bookedApp(id)
        return .object(["app": .string(id.rawValue), "entries": .array(app.contract.map(\.json))])
    }
}

/// Adds terms to an app's contract, which replace earlier terms from their first day on. Unnamed terms are not agreed.
package struct SetContract: Order {
    package static let name = "app.contract.set"
    package static let route = OrderRoute.post("/apps/{id}/contract")
    package static let summary =
        "Add terms to an app's contract. From their first day on they take the place of those before."
    package static let answer = "Contract"
    package static let fields: [OrderField] = [
        .id,
        OrderField(
            "reference", .text(1...200), isRequired: true,
            "The contract's number, or other words by which people find it; up to 200 bytes."),
        OrderField("from", .day, "The first day. Tomorrow if it is left out; today only if no terms hold today."),
        OrderField("until", .day, "The last day."),
        OrderField("currency", .text(pattern: #"^[A-Z]{3}$"#), isRequired: true, "Of ISO 4217."),
        OrderField(
            "rates", .map(.schema("Rate"), names: .words(BilledResult.self, schema: "BilledResult")), isRequired: true,
            "What one answer costs, by the ledger's word for it."),
        OrderField("dailyLimit", .integer(1...1_000_000_000), "Answers a day."),
        OrderField("monthlyLimit", .integer(1...9_000_000_000), "Answers a month."),
        OrderField("dailyLimitPerNumber", .integer(1...1_000_000_000), "Tokens for one number in a day."),
    ]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    /// The contract's number, or other words by which people find it.
    package var reference: String
    /// The first day; tomorrow if `nil`. Today, if no terms hold today.
    package var from: CalendarDay?
    /// The last day.
    package var until: CalendarDay?
    /// Of ISO 4217.
    package var currency: String
    /// Decimal numbers by ``Store/BilledResult``: what one answer costs.
    package var rates: [String: String]
    package var dailyLimit: Int?
    package var monthlyLimit: Int?
    package var dailyLimitPerNumber: Int?
    package var app: AppID? { id }

    package init(
        _ id: AppID, reference: String, from: CalendarDay? = nil, until: CalendarDay? = nil, currency: String,
        rates: [String: String], dailyLimit: Int? = nil, monthlyLimit: Int? = nil, dailyLimitPerNumber: Int? = nil
    ) {
        self.id = id
        self.reference = reference
        self.from = from
        self.until = until
        self.currency = currency
        self.rates = rates
        self.dailyLimit = dailyLimit
        self.monthlyLimit = monthlyLimit
        self.dailyLimitPerNumber = dailyLimitPerNumber
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let terms = ContractTerms(
            reference: reference, until: until?.number, currency: currency, rates: try readRates(),
            dailyLimit: dailyLimit, monthlyLimit: monthlyLimit, dailyLimitPerNumber: dailyLimitPerNumber)
        let app = try await context.apps.setContract(of: id, from: from, terms, by: context.note)
        return app.record.contractJSON(on: CalendarDay(context.now), free: context.freeAnswersPerDay)
    }

    private func readRates() throws(Refusal) -> [BilledResult: Amount] {
        var read: [BilledResult: Amount] = [:]
        for (name, text) in rates {
            guard let result = BilledResult(rawValue: name) else {
                let known = BilledResult.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refusal(.parameterInvalid, "rates: there is no \(name.prefix(64).printable); there are \(known)")
            }
            guard let rate = Amount(text) else {
                throw Refusal(
                    .parameterInvalid,
                    "rates.\(name): a decimal number with up to six digits after the point, such as 0.045")
            }
            read[result] = rate
        }
        return read
    }
}

/// Ends an app's contract: after its last day no terms hold.
package struct EndContract: Order {
    package static let name = "app.contract.end"
    package static let route = OrderRoute.post("/apps/{id}/contract/end")
    package static let summary = "End an app's contract after a day."
    package static let answer = "Contract"
    package static let fields: [OrderField] = [
        .id,
        OrderField("lastDay", .day, "Today if it is left out, or a later day."),
    ]
    package static let roles: Set<Role> = [.operator]

    package var id: AppID
    /// Today if `nil`, or a later day.
    package var lastDay: CalendarDay?
    package var app: AppID? { id }

    package init(_ id: AppID, lastDay: CalendarDay? = nil) {
        self.id = id
        self.lastDay = lastDay
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let app = try await context.apps.endContract(of: id, after: lastDay, by: context.note)
        return app.record.contractJSON(on: CalendarDay(context.now), free: context.freeAnswersPerDay)
    }
}

extension OrderContext {
    fileprivate var freeAnswersPerDay: Int? { authority.configuration.freeAnswersPerDay }
}

extension AppRecord {
    /// - Parameter free: answers a day without a contract and without a quota of its own.
    fileprivate func contractJSON(on day: CalendarDay, free: Int?) -> JSON {
        let quota = quota(on: day.number, free: free)
        let present = contract(on: day.number)
        let last = contract.last { $0.from <= day.number }
        // An entry whose turn comes before an earlier one's takes that one's place, too.
        let next = contract.filter { $0.from > day.number && $0.number > last?.number ?? 0 }
            .min { ($0.from, -$0.number) < ($1.from, -$1.number) }
        return .object([
            "app": .string(id.rawValue), "day": .string(day.description), "entry": present?.json ?? .null,
            "next": next?.json, "dailyQuota": quota.daily.map { .integer($0) },
            "monthlyQuota": quota.monthly.map { .integer($0) },
        ])
    }
}
