import BenjiProtocol
import Sightings
import Store
import Testing

@testable import Authority
@testable import Requests

/// The default settings, and the constants without a setting. docs/operations/limits.md and the example settings name
/// them.
struct UsualSettingsTests {
    @Test("an authority remembers and admits what the documents say")
    func authority() {
        let usual = Authority.Configuration(gateways: [:])
        #expect(usual.prefetchesPerNumber == 60 && usual.messageMemory == 86_400)
        #expect(usual.rememberedCallers == 1_000_000 && usual.rememberedProofs == 1_000_000)
        #expect(usual.pairs.isEmpty && !usual.takesUnchallengedAttestations && usual.appAttest == nil)
        #expect(usual.freeAnswersPerDay == nil && usual.retention == Retention())
        #expect(usual.callbacks.ports == [443, 8443] && !usual.callbacks.allowsPlainLoopback)
        #expect(RateLimiter.usualCapacity == 1_000_000 && ProofReplayCache.usualCapacity == 1_000_000)
    }

    @Test("records are kept for as many days as the documents say")
    func retention() {
        let usual = Retention()
        #expect(usual.traces == 7 && usual.loginCounts == 400 && usual.deviceKeys == 180 && usual.consents == 1827)
        #expect(usual.ledger == 3653 && usual.deliveredEvents == 3 && usual.deadEvents == 30)
    }

    @Test("codes by SMS, and texts that people send, have the usual limits")
    func messages() {
        let codes = SMSCodes.Settings()
        #expect(codes.digits == 6 && codes.lifetime == .seconds(300) && codes.tries == 5)
        #expect(codes.perMinute == 5 && codes.perDay == 10 && codes.perAppAndDay == 10_000)
        #expect(codes.perPrefixAndHour == 100 && codes.perSourceAndHour == 1000 && codes.perPhoneAddressAndHour == 60)
        #expect(codes.destinations == ["86"] && SMSCodes.Settings.digitCounts == 4...10)
        #expect(SMSCodes.memory == .seconds(86_400) && SMSCodes.patience == .seconds(10))
        let texts = SMSUpstream.Settings()
        #expect(texts.number == nil && texts.carriers.isEmpty && texts.lifetime == .seconds(300))
        #expect(texts.perAppAndDay == 10_000 && texts.perPhoneAddressAndHour == 60)
        #expect(SMSUpstream.Settings.unitsOfMessage == 70 && SMSUpstream.Settings.leastUnitsOfName == 12)
        #expect(SMSUpstream.codeLength == 16 && SMSUpstream.pollInterval == 3 && SMSUpstream.messagesPerNumber == 30)
        #expect(SMSUpstream.alphabet.count == 32 && Set(SMSUpstream.alphabet).count == 32)
    }

    @Test("apps and contracts have room for as much as the documents say")
    func apps() {
        #expect(AppRules.maximumKeySize == 16_384 && AppRules.maximumAttesterCount == 32)
        #expect(AppRules.maximumListCount == 100 && AppRules.quotas == 0...1_000_000_000)
        #expect(Apps.maximumAttempts == 200 && Apps.maximumSourceIDCount == 99 && CallbackURL.maximumLength == 1024)
        #expect(ContractRules.maximumEntryCount == 1000 && ContractRules.highestMonthlyLimit == 9_000_000_000)
        #expect(ContractRules.highestRate == Amount(millionths: 1_000_000_000))
    }

    @Test("what is waited for, and how long something counts, is what the documents say")
    func times() {
        #expect(Authority.keptUnboundFaces == .seconds(604_800) && Authority.waitingEvents == .seconds(604_800))
        #expect(Authority.pairMemory == .seconds(3600) && Authority.receiptKeyOverlap == .seconds(600))
        #expect(Authority.maximumRequestAge == .seconds(300) && Register.sightingPrecision == .seconds(21_600))
        #expect(Authority.logDelay == .seconds(60) && Authority.logRenewal == .seconds(30))
        #expect(Authority.logPatience == .seconds(5) && Authority.logBatch == 500 && Authority.logEntries == 1000)
        #expect(Authority.ownLogPage == 30 && Authority.ownLogLooks == 60 && Authority.ownLogTries == 5)
        #expect(ClockComparison.tolerated == .seconds(2) && ClockComparison.maximum == .seconds(30))
        #expect(ClockStanding.slow == .seconds(1) && ExpiryClock.minimumStep == .seconds(1))
        #expect(PrefetchBudget.briefPerSecond == 20 && PrefetchBudget.briefBurst == 300)
        #expect(PrefetchBudget.briefLifetime == 120)
        #expect(ProofReplayCache.minimumAge == 15 && ProofReplayCache.minimumLead == 5)
        #expect(PairUpdates.entryLimit == 1000 && GatewayPairs.newsSize == 393_216)
    }
}
