import AppAttest
import Authority
import Endpoints
import Foundation

extension ServerConfiguration {
    /// How much is remembered of who asked for what, and which attestations count.
    mutating func readMemories(_ settings: Settings) throws(ConfigurationError) {
        func count(_ key: String, _ fallback: Int) throws(ConfigurationError) -> Int {
            try settings.value(key, default: fallback, "a number, 1000 to 100000000") {
                Int($0).flatMap { (1000...100_000_000).contains($0) ? $0 : nil }
            }
        }
        rememberedCallers = try count("limits.remembered-callers", rememberedCallers)
        rememberedProofs = try count("limits.remembered-proofs", rememberedProofs)
        if settings.string("quotas.free-per-day") != nil {
            freeAnswersPerDay = try settings.value("quotas.free-per-day", "a number, 0 to 1000000000") {
                Int($0).flatMap { (0...1_000_000_000).contains($0) ? $0 : nil }
            }
        }
        takesUnchallengedAttestations = try settings.flag("attestation.without-challenge", default: false)
        if let path = settings.string("attestation.apple-roots") {
            do { appAttest = try AppAttestVerifier(pem: String(contentsOfFile: path, encoding: .utf8)) } catch {
                throw ConfigurationError(
                    key: "attestation.apple-roots",
                    problem: "\(path): \(CommandFile.readingProblem(path) ?? "it holds no PEM certificates")")
            }
        }
    }

    /// How long records are kept.
    mutating func readRetention(_ settings: Settings) throws(ConfigurationError) {
        for kind in Retention.kinds {
            retention[keyPath: kind.days] = try settings.value(
                "retention.\(kind.name)", default: retention[keyPath: kind.days],
                "days, from \(kind.range.lowerBound) to \(kind.range.upperBound): \(kind.reason)"
            ) { Int($0).flatMap { kind.range.contains($0) ? $0 : nil } }
        }
        guard retention.consents >= retention.traces else {
            throw ConfigurationError(
                key: "retention.consents",
                problem: "is shorter than retention.traces: a login would outlive its consent")
        }
    }

    /// What SMS codes are like, and how many are sent.
    mutating func readSMSCodes(_ settings: Settings) throws(ConfigurationError) {
        func count(_ name: String, _ fallback: Int, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
            try settings.value(
                "sms-codes.\(name)", default: fallback, "a number, \(range.lowerBound) to \(range.upperBound)"
            ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
        }
        let many = 1...10_000_000
        smsCodes.digits = try count("digits", smsCodes.digits, SMSCodes.Settings.digitCounts)
        let seconds = try count("lifetime", Int(smsCodes.lifetime.components.seconds), 60...1800)
        smsCodes.lifetime = .seconds(seconds)
        smsCodes.tries = try count("tries", smsCodes.tries, 1...10)
        smsCodes.perMinute = try count("per-minute", smsCodes.perMinute, 1...100)
        smsCodes.perDay = try count("per-day", smsCodes.perDay, 1...1000)
        smsCodes.perAppAndDay = try count("per-app-and-day", smsCodes.perAppAndDay, many)
        smsCodes.perPrefixAndHour = try count("per-prefix-and-hour", smsCodes.perPrefixAndHour, many)
        smsCodes.perSourceAndHour = try count("per-source-and-hour", smsCodes.perSourceAndHour, many)
        smsCodes.perPhoneAddressAndHour = try count(
            "per-device-address-and-hour", smsCodes.perPhoneAddressAndHour, many)
        smsCodes.loginText = try settings.value(
            "sms-codes.login-text", default: smsCodes.loginText, "up to 160 characters with {{code}} in them"
        ) { (1...160).contains($0.count) && $0.contains(SMSCodes.Settings.codePlaceholder) ? $0 : nil }
        let destinations = try settings.list("sms-codes.destinations", "the beginning of a number, such as 86") {
            (1...15).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? $0 : nil
        }
        if !destinations.isEmpty { smsCodes.destinations = destinations }
    }

    /// What one connection, and one address, may ask of a listener.
    static func limits(_ settings: Settings) throws(ConfigurationError) -> ServerLimits {
        func seconds(_ key: String, _ fallback: Duration) throws(ConfigurationError) -> Duration {
            try settings.value(key, default: fallback, "seconds, 1 to 86400") {
                Int64($0).flatMap { (1...86400).contains($0) ? .seconds($0) : nil }
            }
        }
        func count(_ key: String, _ fallback: Int) throws(ConfigurationError) -> Int {
            try settings.value(key, default: fallback, "a number, 1 to 1000000") {
                Int($0).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
            }
        }
        var limits = ServerLimits()
        limits.connections = try count("limits.connections", limits.connections)
        limits.connectionsPerAddress = try count("limits.connections-per-address", limits.connectionsPerAddress)
        limits.headTimeout = try seconds("limits.head-timeout", limits.headTimeout)
        limits.bodyTimeout = try seconds("limits.body-timeout", limits.bodyTimeout)
        limits.idleTimeout = try seconds("limits.idle-timeout", limits.idleTimeout)
        limits.writeTimeout = try seconds("limits.write-timeout", limits.writeTimeout)
        return limits
    }
}
