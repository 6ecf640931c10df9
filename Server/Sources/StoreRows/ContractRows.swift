import BenjiProtocol
import Store

/// The history of apps' contracts. A row is never changed.
enum ContractRows {
    private static let columns = """
        number, from_day, reference, until_day, currency, rates, daily_limit, monthly_limit, number_limit, added_at
        """

    /// Writes the entries that are not there yet.
    static func append(_ entries: [ContractEntry], to app: AppID, _ db: some StatementRunner) throws {
        guard let last = entries.last else { return }
        let written = try db.row(
            "SELECT coalesce(max(number), 0) FROM app_contract WHERE app = $1", of: "app_contract", app.rawValue
        ) { try $0.integer(Int.self) }
        guard last.number > written ?? 0 else { return }
        for entry in entries where entry.number > written ?? 0 {
            let terms = entry.terms
            try db.run(
                """
                INSERT INTO app_contract (app, \(columns)) VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11)
                """, app.rawValue, entry.number, entry.from, terms?.reference, terms?.until, terms?.currency,
                terms.map { rates($0.rates) }, terms?.dailyLimit, terms?.monthlyLimit, terms?.dailyLimitPerNumber,
                entry.addedAt.milliseconds)
        }
    }

    static func entries(of app: AppID, _ db: some StatementRunner) throws -> [ContractEntry] {
        try db.rows(
            "SELECT \(columns) FROM app_contract WHERE app = $1 ORDER BY number", of: "app_contract", app.rawValue,
            read: decode)
    }

    private static func decode(_ columns: inout some Columns) throws -> ContractEntry {
        let (number, from) = (try columns.integer(Int.self), try columns.integer(Int32.self))
        let (reference, until) = (try columns.optionalText(), try columns.optionalInteger(Int32.self))
        let (currency, rates) = (try columns.optionalText(), try columns.optionalText())
        let (daily, monthly) = (try columns.optionalInteger(Int.self), try columns.optionalInteger(Int.self))
        let perNumber = try columns.optionalInteger(Int.self)
        let addedAt = try columns.timestamp()
        guard let reference else { return ContractEntry(number: number, from: from, terms: nil, addedAt: addedAt) }
        guard let currency, let rates else { throw DamagedRow(column: "app_contract.rates") }
        let terms = ContractTerms(
            reference: reference, until: until, currency: currency, rates: try self.rates(rates), dailyLimit: daily,
            monthlyLimit: monthly, dailyLimitPerNumber: perNumber)
        return ContractEntry(number: number, from: from, terms: terms, addedAt: addedAt)
    }

    /// A JSON object: millionths of the currency's unit by the ledger's word.
    private static func rates(_ rates: [BilledResult: Amount]) -> String {
        JSON.object(
            rates.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                JSON.Member($0.key.rawValue, .integer($0.value.millionths))
            }
        ).text
    }

    private static func rates(_ text: String) throws -> [BilledResult: Amount] {
        guard case .object(let members)? = try? JSON(parsing: text) else {
            throw DamagedRow(column: "app_contract.rates")
        }
        var rates: [BilledResult: Amount] = [:]
        for member in members {
            guard let result = BilledResult(rawValue: member.name), let value = member.value.integerValue else {
                throw DamagedRow(column: "app_contract.rates")
            }
            rates[result] = Amount(millionths: value)
        }
        return rates
    }
}
