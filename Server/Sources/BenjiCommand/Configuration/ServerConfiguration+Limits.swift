import AppAttest
import Authority
@_spi(Server) import BenjiProtocol
import Foundation
import ServerHTTP
import ServerRuntime

extension ServerConfiguration {
    /// How much is remembered of who asked for what, and which attestations count.
    mutating func readMemories(_ settings: Settings) throws(ConfigurationError) {
        rememberedCallers = try settings.number("limits.remembered-callers", default: rememberedCallers)
        if settings.string("quotas.free-per-day") != nil {
            freeAnswersPerDay = try settings.number("quotas.free-per-day")
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
            retention[keyPath: kind.days] = try settings.number(
                "retention.\(kind.name)", default: retention[keyPath: kind.days])
        }
        guard retention.consents >= retention.traces else {
            throw ConfigurationError(
                key: "retention.consents",
                problem: "is shorter than retention.traces: a login would outlive its consent")
        }
    }

    /// Reads the form of SMS codes, and the limits of their number.
    mutating func readSMSCodes(_ settings: Settings) throws(ConfigurationError) {
        func count(_ name: String, _ fallback: Int) throws(ConfigurationError) -> Int {
            try settings.number("sms-codes.\(name)", default: fallback)
        }
        smsCodes.digits = try count("digits", smsCodes.digits)
        smsCodes.lifetime = try settings.seconds("sms-codes.lifetime", default: smsCodes.lifetime)
        smsCodes.tries = try count("tries", smsCodes.tries)
        smsCodes.perMinute = try count("per-minute", smsCodes.perMinute)
        smsCodes.perDay = try count("per-day", smsCodes.perDay)
        smsCodes.perAppAndDay = try count("per-app-and-day", smsCodes.perAppAndDay)
        smsCodes.perPrefixAndHour = try count("per-prefix-and-hour", smsCodes.perPrefixAndHour)
        smsCodes.perSourceAndHour = try count("per-source-and-hour", smsCodes.perSourceAndHour)
        smsCodes.perPhoneAddressAndHour = try count("per-device-address-and-hour", smsCodes.perPhoneAddressAndHour)
        smsCodes.loginText = try settings.value(
            "sms-codes.login-text", default: smsCodes.loginText, "up to 160 characters with {{code}} in them"
        ) { (1...160).contains($0.count) && $0.contains(SMSCodes.Settings.codePlaceholder) ? $0 : nil }
        if let problem = TextGrammar.problem(in: smsCodes.loginText, allowsLineFeeds: true) {
            throw ConfigurationError(key: "sms-codes.login-text", problem: problem)
        }
        let destinations = try settings.list("sms-codes.destinations", "the beginning of a number, such as 86") {
            (1...15).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? $0 : nil
        }
        if !destinations.isEmpty { smsCodes.destinations = destinations }
    }

    /// Refuses settings that let an attacker guess a code of one number with a chance above one in a hundred a day.
    func refuseGuessableCodes() throws(ConfigurationError) {
        let guesses = smsCodes.tries * smsCodes.perDay
        let codes = (0..<smsCodes.digits).reduce(1) { product, _ in product * 10 }
        guard guesses > codes / 100 else { return }
        throw ConfigurationError(
            key: "sms-codes.tries",
            problem:
                "\(smsCodes.tries) tries of sms-codes.per-day = \(smsCodes.perDay) codes are \(guesses) guesses a day "
                + "at one number, and sms-codes.digits = \(smsCodes.digits) allows \(codes / 100); lower one of the "
                + "two, "
                + "or raise sms-codes.digits")
    }

}
