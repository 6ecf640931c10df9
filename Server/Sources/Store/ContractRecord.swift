package import BenjiProtocol

/// An answer that is billed, by its name in the ledger (``LedgerEntry/result``). Each may have a rate of its own.
package enum BilledResult: String, Hashable, Sendable, CaseIterable {
    /// The number, after consent.
    case released
    /// The number without a page, under the app's grant.
    case releasedWithoutPage = "released-without-page"
    /// Number verification: it is this phone's. Its opposite is billed as well, as the operators' documents have it.
    case matched
    case differs
    /// A number's login that stands behind a login by face.
    case recognised
    /// A message with an SMS code, over CAMARA's one-time-password-sms.
    case sent
    /// The date of a SIM, over CAMARA's sim-swap.
    case answered

    /// Whether the app got the number by it: such a line of the ledger is a leaf of the public log
    /// (``LogKind/release``).
    package var tellsNumber: Bool { self == .released || self == .releasedWithoutPage }
}

/// The terms that an app's owner and the operator agreed on.
package struct ContractTerms: Hashable, Sendable {
    /// The contract's number, or other words by which people find it.
    package var reference: String
    /// The last day (`20261231`, UTC+8); `nil` if none is agreed.
    package var until: Int32?
    /// By its letters in ISO 4217: "CNY".
    package var currency: String
    /// For one answer each. An answer without a rate is not part of the contract's sum.
    package var rates: [BilledResult: Amount]
    /// Answers that the app may have in a day, and in a month of UTC+8; `nil` for no limit.
    package var dailyLimit: Int?
    package var monthlyLimit: Int?
    /// Tokens that are issued to the app for one number in a day; `nil` for no limit.
    package var dailyLimitPerNumber: Int?

    package init(
        reference: String, until: Int32? = nil, currency: String, rates: [BilledResult: Amount],
        dailyLimit: Int? = nil, monthlyLimit: Int? = nil, dailyLimitPerNumber: Int? = nil
    ) {
        self.reference = reference
        self.until = until
        self.currency = currency
        self.rates = rates
        self.dailyLimit = dailyLimit
        self.monthlyLimit = monthlyLimit
        self.dailyLimitPerNumber = dailyLimitPerNumber
    }
}

/// One entry of the history of an app's contract, which only ever grows. From its first day on it takes the place of
/// all entries before it.
package struct ContractEntry: Hashable, Sendable {
    /// Counts an app's entries, from 1.
    package var number: Int
    /// The first day (`20261201`, UTC+8).
    package var from: Int32
    /// `nil` if there is no contract from that day on.
    package var terms: ContractTerms?
    package var addedAt: Timestamp

    package init(number: Int, from: Int32, terms: ContractTerms?, addedAt: Timestamp) {
        self.number = number
        self.from = from
        self.terms = terms
        self.addedAt = addedAt
    }
}

/// How many answers an app may have; `nil` for no limit.
package struct AnswerQuota: Hashable, Sendable {
    /// In a day of UTC+8.
    package var daily: Int?
    /// In the day's month.
    package var monthly: Int?

    package init(daily: Int? = nil, monthly: Int? = nil) {
        self.daily = daily
        self.monthly = monthly
    }
}

extension AppRecord {
    /// The entry that holds on a day (`20261121`); `nil` if there is no contract on it.
    package func contract(on day: Int32) -> ContractEntry? {
        guard let entry = contract.last(where: { $0.from <= day }), let terms = entry.terms else { return nil }
        return terms.until.map { $0 < day } == true ? nil : entry
    }

    /// How many answers the app may have on a day and in its month.
    ///
    /// - Parameter free: answers a day without a contract and without a quota of its own; `nil` for no limit.
    package func quota(on day: Int32, free: Int?) -> AnswerQuota {
        guard let terms = contract(on: day)?.terms else { return AnswerQuota(daily: dailyQuota ?? free) }
        let limits = [dailyQuota, terms.dailyLimit].compactMap { $0 }
        return AnswerQuota(daily: limits.min(), monthly: terms.monthlyLimit)
    }

    /// How many tokens may be issued to the app for one number on a day.
    package func limitPerNumber(on day: Int32) -> NumberLimit? {
        contract(on: day)?.terms?.dailyLimitPerNumber.map { NumberLimit(day: day, tokens: $0) }
    }
}
