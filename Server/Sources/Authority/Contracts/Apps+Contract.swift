@_spi(Server) package import BenjiProtocol
package import Requests
package import Store

/// The terms that an app's owner and the operator agreed on, day by day.
extension Apps {
    /// Adds terms to an app's contract. From their first day on they take the place of those before.
    ///
    /// - Parameter from: tomorrow if `nil`. Today only where no terms hold today: a day is billed as a whole, by one
    ///   entry.
    package func setContract(
        of id: AppID, from: CalendarDay?, _ terms: ContractTerms, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        try ContractRules.check(terms)
        return try await addEntry(to: id, from: from, terms, by: note)
    }

    /// Ends an app's contract after its last day.
    ///
    /// - Parameter lastDay: today if `nil`, or later.
    package func endContract(
        of id: AppID, after lastDay: CalendarDay?, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        let today = CalendarDay(clock.now)
        let lastDay = lastDay ?? today
        guard lastDay.number >= today.number else {
            throw Refusal(.parameterInvalid, "last-day: \(lastDay) is over; a day that was is never billed otherwise")
        }
        return try await addEntry(to: id, from: lastDay.next, nil, by: note)
    }

    private func addEntry(
        to id: AppID, from first: CalendarDay?, _ terms: ContractTerms?, by note: OrderNote
    ) async throws(Refusal) -> RegisteredApp {
        let now = clock.now
        let today = CalendarDay(now)
        let from = first ?? today.next
        guard from.number >= today.number else {
            throw Refusal(.parameterInvalid, "from: \(from) is over; terms hold from today on, or from a later day")
        }
        if let until = terms?.until, until < from.number {
            throw Refusal(.parameterInvalid, "until: \(CalendarDay(number: until)) is before the first day, \(from)")
        }
        return try await change(id, by: note) { record throws(Refusal) in
            guard from != today || record.contract(on: today.number) == nil else {
                throw Refusal(
                    .parameterInvalid,
                    "from: terms that hold today bill all of today; others can take their place from \(today.next) on")
            }
            guard terms != nil || record.contract(on: from.number) != nil else {
                throw Refusal(.parameterInvalid, "the app has no contract on \(from) that could be ended")
            }
            guard record.contract.count < ContractRules.maximumEntryCount else {
                throw Refusal(
                    .parameterInvalid, "the app's contract has \(ContractRules.maximumEntryCount) entries already")
            }
            record.contract.append(
                ContractEntry(
                    number: (record.contract.last?.number ?? 0) + 1, from: from.number, terms: terms, addedAt: now))
        }
    }
}

/// Rules for the terms of a contract.
enum ContractRules {
    /// They are kept in memory with the app.
    static let maximumEntryCount = 1000
    /// With it, the sum of a month's answers is exact however many there are.
    static let highestRate = Amount(millionths: 1000 * 1_000_000)
    /// Answers in a month. At ``highestRate`` their sum still fits ``Amount``.
    static let highestMonthlyLimit = 9_000_000_000

    static func check(_ terms: ContractTerms) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, problem) }
        guard (1...200).contains(terms.reference.utf8.count) else {
            throw refuse("reference: 1 to 200 bytes, such as the contract's number")
        }
        if let problem = TextGrammar.problem(inName: terms.reference) { throw refuse("reference: \(problem)") }
        guard currencies.contains(terms.currency) else {
            throw refuse("currency: three letters of ISO 4217, such as CNY")
        }
        guard !terms.rates.isEmpty else {
            throw refuse("rates: missing; such as released and 0.045")
        }
        guard terms.rates.values.allSatisfy({ $0 <= highestRate }) else {
            throw refuse("rates: at most \(highestRate) for one answer")
        }
        let limits = [
            ("daily-limit", terms.dailyLimit, AppRules.quotas.upperBound),
            ("monthly-limit", terms.monthlyLimit, highestMonthlyLimit),
            ("daily-limit-per-number", terms.dailyLimitPerNumber, AppRules.quotas.upperBound),
        ]
        for (name, limit, most) in limits where !(1...most).contains(limit ?? 1) {
            throw refuse("\(name): 1 to \(most)")
        }
    }

    /// Those of ISO 4217 that pay for something: without metals, funds and tests.
    private static let currencies = Set(
        """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP \
        CNY COP \
        CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR \
        ILS INR \
        IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT \
        MOP MRU \
        MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD \
        SCR SDG \
        SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES \
        VND VUV \
        WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """.split(separator: " ").map(String.init))
}
