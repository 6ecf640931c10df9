import Authority
import BenjiProtocol
import Store

/// The cost of answers by the terms that held on their day. Every sum is exact.
struct Charges {
    /// Answers of one name under one entry of a contract.
    struct Charge: Hashable {
        var entry: Int
        var reference: String
        var currency: String
        var result: String
        /// `nil` if the terms have none for it.
        var rate: Amount?
        var answers: Int

        var amount: Amount? { rate.map { $0 * answers } }

        var json: JSON {
            .object([
                "entry": .integer(entry), "reference": .string(reference), "result": .string(result),
                "answers": .integer(answers), "currency": .string(currency),
                "rate": rate.map { .string($0.description) }, "amount": amount.map { .string($0.description) },
            ])
        }
    }

    /// By entry and result.
    private(set) var charges: [Charge] = []
    /// Answers of days without a contract.
    private(set) var free = 0

    init(_ lines: [LedgerCount], of app: AppRecord) {
        for line in lines {
            guard var charge = Self.charge(for: line, app) else {
                free += line.answers
                continue
            }
            if let known = charges.firstIndex(where: { ($0.entry, $0.result) == (charge.entry, charge.result) }) {
                charge.answers += charges[known].answers
                charges[known] = charge
            } else {
                charges.append(charge)
            }
        }
        charges.sort { ($0.entry, $0.result) < ($1.entry, $1.result) }
    }

    /// The amounts owed, by currency.
    var totals: [(currency: String, amount: Amount)] {
        Dictionary(grouping: charges, by: \.currency)
            .map { ($0.key, $0.value.compactMap(\.amount).reduce(.zero, +)) }.sorted { $0.0 < $1.0 }
    }

    private static func charge(for line: LedgerCount, _ app: AppRecord) -> Charge? {
        guard let entry = app.contract(on: line.day), let terms = entry.terms else { return nil }
        return Charge(
            entry: entry.number, reference: terms.reference, currency: terms.currency, result: line.result,
            rate: BilledResult(rawValue: line.result).flatMap { terms.rates[$0] }, answers: line.answers)
    }

    /// The cost members of a statement's line; empty on a day without a contract.
    static func members(of line: LedgerCount, _ app: AppRecord) -> [JSON.Member] {
        guard let charge = charge(for: line, app) else { return [] }
        return ["currency", "rate", "amount"].compactMap { name in charge.json[name].map { JSON.Member(name, $0) } }
    }
}
