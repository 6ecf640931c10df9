import Authority
import BenjiPolicy
@_spi(Server) package import BenjiProtocol
package import Requests
import Store

/// CAMARA's sim-swap: when a number got the SIM that it has now.
package struct SIMSwap: Sendable {
    private let context: ProviderContext
    private let tokens: CAMARATokens
    /// Questions about one number's SIM.
    let limiter: RateLimiter
    let unknownLimiter = RateLimiter(limit: unknownNumbers, window: .seconds(600), capacity: 100_000)
    /// Unknown numbers that one app may ask about in ten minutes.
    static let unknownNumbers = 600

    init(context: ProviderContext) {
        self.context = context
        tokens = CAMARATokens(context: context)
        let configuration = context.authority.configuration
        limiter = RateLimiter(
            limit: configuration.prefetchesPerNumber, window: .seconds(600),
            capacity: configuration.rememberedCallers)
    }

    /// The two questions.
    package enum Question: Hashable, Sendable {
        /// Whether it was within the last hours.
        case check
        case date

        var scopes: Set<CAMARAScope> { [.simSwap, self == .check ? .checkSIMSwap : .readSIMSwapDate] }
        var interface: String { self == .check ? "sim-swap.check" : "sim-swap.retrieve-date" }
    }

    /// When a number got its SIM, and which login asked.
    package struct Change: Hashable, Sendable {
        /// When the present SIM was first seen with the number; of a number whose SIM was never changed, when the
        /// number was first seen.
        package var changedAt: Timestamp
        package var trace: TraceID
        /// The moment of the answer.
        package var now: Timestamp

        /// Whether it was within `hours` before the answer, or is dated after it.
        package func isWithin(hours: Int64) -> Bool { now - changedAt <= .seconds(hours * 3600) }
    }

    /// - Parameter number: E.164 with its plus sign, as the caller sent it. Required if the token has no subject, and
    ///   refused otherwise: the number could belong to another person.
    package func change(
        _ question: Question, of number: String?, _ call: OpenIDProvider.BearerCall
    ) async throws(Refusal) -> Change {
        let token = try await tokens.token(call, for: question.scopes)
        let trace = token.credential.trace
        let subscription: SubscriptionRecord
        if token.credential.subject != nil {
            guard number == nil else {
                throw Refusal(.numberUnnecessary, "phoneNumber: the access token says whose it is", trace: trace)
            }
            subscription = try await tokens.person(of: token)
        } else {
            guard let number else {
                throw Refusal(.numberMissing, "phoneNumber: missing; the access token stands for nobody", trace: trace)
            }
            subscription = try await named(number, token)
        }
        guard context.authority.configuration.policy.carriers[subscription.carrier]?.enabled == true else {
            throw Refusal(.carrierUnsupported, "the number's carrier is switched off", trace: trace)
        }
        try await tokens.use(token, at: question.interface, result: "answered", "the date of the SIM was told")
        return Change(changedAt: subscription.simChangedAt, trace: trace, now: context.authority.clock.now)
    }

    private func named(_ text: String, _ token: CAMARAToken) async throws(Refusal) -> SubscriptionRecord {
        let trace = token.credential.trace
        let unknown = Refusal(.numberUnknown, "phoneNumber: the register does not know it", trace: trace)
        guard let number = PhoneNumber(text) else { throw unknown }
        // Looking for numbers that exist, one after the other, is neither billed nor within a quota.
        let app = token.app.id.rawValue
        guard unknownLimiter.mayAdmit(app, now: context.now) else {
            throw Refusal(.tooManyRequests, "the app asked about too many unknown numbers", trace: trace)
        }
        let row: SubscriptionRecord?
        do { row = try await context.authority.vault.subscription(of: number, in: context.store) } catch {
            throw Refusal(error)
        }
        guard let row else {
            _ = unknownLimiter.admits(app, now: context.now)
            await context.tracer.record(trace, .appServer, "sim-swap", .numberUnknown, "a number that nobody has")
            throw unknown
        }
        guard limiter.admits("\(app)/\(row.id)", now: context.now) else {
            throw Refusal(.tooManyRequests, "the app asked about this number too often", trace: trace)
        }
        return row
    }
}
