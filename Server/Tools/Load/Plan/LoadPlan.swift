/// How much is played, and for how long.
package struct LoadPlan: Hashable, Sendable {
    /// Logins begun a second.
    package var rate: Double
    /// For how long logins begin; those under way are then finished.
    package var seconds: Double
    /// Phones that hold a session. One phone plays one login at a time.
    package var phones: Int
    /// Connections that app servers keep open.
    package var connections: Int
    /// How many of a hundred logins are number verifications.
    package var verificationPercent: Int
    /// How long an answer is awaited.
    package var timeout: Duration
    /// Seconds between two Interim-Updates of a session.
    package var interim: Double

    package init(
        rate: Double, seconds: Double, phones: Int? = nil, connections: Int = 16, verificationPercent: Int = 10,
        timeout: Duration = .seconds(5), interim: Double = 300
    ) {
        self.rate = rate
        self.seconds = seconds
        self.phones = phones ?? Self.phonesNeeded(rate: rate, seconds: seconds)
        self.connections = connections
        self.verificationPercent = verificationPercent
        self.timeout = timeout
        self.interim = interim
    }

    /// The reason why the plan cannot be played, in words; `nil` if it can.
    package var problem: String? {
        if !(rate > 0 && rate <= 100_000) { return "the rate must be more than 0 and at most 100000 logins a second" }
        if !(seconds > 0 && seconds <= 86400) { return "the time must be more than 0 and at most 86400 seconds" }
        if !(1...Population.greatest).contains(phones) { return "there must be 1 to \(Population.greatest) phones" }
        if !(1...10_000).contains(connections) { return "there must be 1 to 10000 connections" }
        if !(0...100).contains(verificationPercent) { return "verifications are given in percent, 0 to 100" }
        if timeout <= .zero { return "the time-out must be more than 0 seconds" }
        if !(interim >= 1 && interim <= 86400) { return "Interim-Updates must be 1 to 86400 seconds apart" }
        return nil
    }

    /// The fewest phones with which no number meets the authority's limit of 60 prefetches in ten minutes, plus a
    /// tenth. Never fewer than 64. A run measures the service and not its limits.
    package static func phonesNeeded(rate: Double, seconds: Double) -> Int {
        let prefetches = rate * min(seconds, 600)
        guard prefetches.isFinite, prefetches > 0 else { return 64 }
        return Int(min(max(64, (prefetches / 60 * 1.1).rounded(.up)), Double(Population.greatest)))
    }

    /// Whether the login of this index asks for a verification. They are spread evenly.
    package func isVerification(_ index: Int) -> Bool {
        index * verificationPercent / 100 != (index + 1) * verificationPercent / 100
    }
}
