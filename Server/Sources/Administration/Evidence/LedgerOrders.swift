package import Authority
package import BenjiProtocol
package import Requests
package import Store

/// The lines of an app's ledger, newest first: each is one answer that was given and billed.
package struct ListLedger: Order {
    package static let name = "ledger.list"
    package static let route = OrderRoute.get("/apps/{id}/ledger")
    package static let summary = "An app's billed answers, newest first."
    package static let answer = "Ledger"
    package static let fields: [OrderField] = [
        .id,
        OrderField("since", .integer, "From this moment on, milliseconds since 1970."),
        OrderField("until", .integer, "Before this moment, milliseconds since 1970."),
        OrderField("before", .integer, "`next` of the answer before."),
        OrderField("limit", .integer(1...10_000), "Lines at the most."),
    ]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false
    package static let limits = 1...10_000

    package var id: AppID
    package var range: LedgerRange
    /// Only lines with a smaller number: the `next` of the answer before.
    package var before: Int64?
    package var limit: Int
    package var app: AppID? { id }

    package init(_ id: AppID, _ range: LedgerRange = LedgerRange(), before: Int64? = nil, limit: Int = 100) {
        self.id = id
        self.range = range
        self.before = before
        self.limit = limit
    }

    private enum CodingKeys: CodingKey { case id, before, limit }
    package static let usual = [JSON.Member("limit", 100)]
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(AppID.self, forKey: .id)
        range = try LedgerRange(from: decoder)
        before = try container.decodeIfPresent(Int64.self, forKey: .before)
        limit = try container.decode(Int.self, forKey: .limit)
    }
    package func encode(to encoder: any Encoder) throws {
        try range.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encode(limit, forKey: .limit)
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try context.check(limit, in: Self.limits)
        try await context.checkExists(id)
        let entries = try await context.stored { store throws(StoreError) in
            try await store.ledgerEntries(app: id, range, before: before, limit: limit)
        }
        return .object([
            "app": .string(id.rawValue), "entries": .array(entries.map(\.json)),
            // There may be more.
            "next": entries.count == limit ? entries.last.map { .integer($0.id) } : nil,
        ])
    }
}

extension Statement {
    /// A statement's lines by day as comma-separated values, with a first line of names. No line feed at the end.
    package static func csv(_ answer: JSON) -> String {
        let app = answer["app"]?.stringValue ?? ""
        // No cell needs quotation marks: all of them are words of ours.
        let lines = (answer["daily"]?.arrayValue ?? []).map { line in
            let words = ["day", "interface", "result"].map { line[$0]?.stringValue ?? "" }
            let cost = ["currency", "rate", "amount"].map { line[$0]?.stringValue ?? "" }
            return ([app] + words + [String(line["answers"]?.integerValue ?? 0)] + cost).joined(separator: ",")
        }
        return (["app,day,interface,result,answers,currency,rate,amount"] + lines).joined(separator: "\n")
    }
}

/// An app's bill for a month of UTC+8: its answers in the ledger by day, interface and result, priced by the terms of
/// their day. It also states whether the count that quotas use agrees.
package struct Statement: Order {
    package static let name = "ledger.statement"
    package static let route = OrderRoute.get("/apps/{id}/statement")
    package static let summary = "What an app is billed for a month of UTC+8."
    package static let answer = "Statement"
    package static let fields: [OrderField] = [
        .id,
        OrderField("year", .integer(2000...9999), isRequired: true),
        OrderField("month", .integer(1...12), isRequired: true),
    ]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false

    package var id: AppID
    package var year: Int
    /// 1 to 12.
    package var month: Int
    package var app: AppID? { id }

    package init(_ id: AppID, year: Int, month: Int) {
        self.id = id
        self.year = year
        self.month = month
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard (1...12).contains(month), (2000...9999).contains(year) else {
            throw Refusal(.parameterInvalid, "month: a year from 2000 on and a month from 1 to 12, as in 2026-11")
        }
        let first = Int32(year * 10_000 + month * 100)
        let app = try await context.bookedApp(id)
        let begin = try await context.stored { store throws(StoreError) in try await store.ledgerBegin() }
        guard first + 1 >= begin else {
            let day = CalendarDay(number: begin)
            throw Refusal(.parameterInvalid, "month: the ledger is kept from \(day) on (retention.ledger)")
        }
        let counts = try await context.stored { store throws(StoreError) in
            try await store.ledgerCounts(app: id, days: first...(first + 31))
        }
        let (lines, counted) = (counts.lines, counts.billed)
        let charges = Charges(lines, of: app)
        var days: [Int32: Int] = [:]
        for line in lines { days[line.day, default: 0] += line.answers }
        let differing = Set(days.keys).union(counted.keys).filter { days[$0, default: 0] != counted[$0, default: 0] }
        return .object([
            "app": .string(id.rawValue), "month": .string(String(CalendarDay(number: first + 1).description.prefix(7))),
            "answers": .integer(days.values.reduce(0, +)),
            "days": .object(
                days.sorted { $0.key < $1.key }.map {
                    JSON.Member(CalendarDay(number: $0.key).description, .integer($0.value))
                }),
            "daily": .array(
                lines.map { line in
                    .object(
                        [
                            JSON.Member("day", .string(CalendarDay(number: line.day).description)),
                            JSON.Member("interface", .string(line.interface)),
                            JSON.Member("result", .string(line.result)),
                            JSON.Member("answers", .integer(line.answers)),
                        ] + Charges.members(of: line, app))
                }),
            "lines": .array(
                Self.sums(lines).map { sum in
                    .object([
                        "interface": .string(sum.interface), "result": .string(sum.result),
                        "answers": .integer(sum.answers),
                    ])
                }),
            "free": .integer(charges.free), "charges": .array(charges.charges.map(\.json)),
            "totals": .array(
                charges.totals.map { total in
                    .object([
                        "currency": .string(total.currency), "amount": .string(total.amount.description),
                    ])
                }),
            "reconciled": .bool(differing.isEmpty),
            "differingDays": differing.isEmpty
                ? nil : .array(differing.sorted().map { .string(CalendarDay(number: $0).description) }),
        ])
    }

    /// Over all days, by interface and result.
    private static func sums(_ lines: [LedgerCount]) -> [(interface: String, result: String, answers: Int)] {
        let groups = Dictionary(grouping: lines) { [$0.interface, $0.result] }
        return groups.map { ($0.key[0], $0.key[1], $0.value.reduce(0) { $0 + $1.answers }) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }
}

extension LedgerEntry {
    var json: JSON {
        .object([
            "id": .integer(id), "at": .integer(at.milliseconds), "trace": .string(trace.rawValue),
            "interface": .string(interface), "result": .string(result),
            "assurance": assurance.map { .string($0.rawValue) },
        ])
    }
}
