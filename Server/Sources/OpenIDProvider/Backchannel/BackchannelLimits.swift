import Authority
@_spi(Server) import BenjiProtocol
import Requests
import Store

/// Limits how often people are asked. It counts numbers, not subscribers, so a refusal reveals nothing of the register.
struct BackchannelLimits: Sendable {
    private let context: ProviderContext
    /// Requests of all apps for one number, in this process.
    private let numbers: RateLimiter

    /// Requests of one app for one number in ten minutes, counted in the store: for all nodes, and after a restart.
    static let perAppAndNumber = 3
    static let perNumber = 10
    static let window = Duration.seconds(600)
    /// Messages about requests of one app to one number in a day, counted in the store.
    static let messagesPerDay = 10

    init(context: ProviderContext) {
        self.context = context
        numbers = RateLimiter(
            limit: Self.perNumber, window: Self.window, capacity: context.authority.configuration.rememberedCallers)
    }

    /// Counts a request, or says that there were too many.
    func admit(_ app: AppID, _ number: PhoneNumber) async throws(OpenIDFailure) {
        let name = context.authority.vault.backchannelName(of: number)
        guard numbers.mayAdmit(name, now: context.now), try await !isSilenced(app, name) else { throw Self.tooMany }
        guard try await takesPlace("request", name, of: Self.perAppAndNumber, app, for: Self.window) else {
            throw Self.tooMany
        }
        guard numbers.admits(name, now: context.now) else { throw Self.tooMany }
    }

    private static let tooMany = OpenIDFailure(
        .accessDenied, "the number was asked too often, or said no; ask again after ten minutes")

    /// After a no the app asks this number nothing for ten minutes.
    func silence(_ app: AppID, _ number: PhoneNumber) async throws(OpenIDFailure) {
        let name = context.authority.vault.backchannelName(of: number)
        // As many places as requests can wait, so that each no counts from its own moment.
        _ = try await takesPlace("no", name, of: Self.perAppAndNumber, app, for: Self.window)
    }

    /// Whether a no of the last ten minutes holds.
    private func isSilenced(_ app: AppID, _ name: String) async throws(OpenIDFailure) -> Bool {
        do {
            for place in 0..<Self.perAppAndNumber
            where try await context.store.isNameTaken(Self.place("no", name, place), app: app, now: context.now) {
                return true
            }
            return false
        } catch { throw OpenIDFailure(error) }
    }

    /// Whether one more message may go out; counts it.
    func admitsMessage(_ app: AppID, _ number: PhoneNumber) async throws(OpenIDFailure) -> Bool {
        let name = context.authority.vault.backchannelName(of: number)
        return try await takesPlace("message", name, of: Self.messagesPerDay, app, for: .seconds(86400))
    }

    /// Takes one of so many places. Each is a name that counts once until its time is over, so the places come back one
    /// by one.
    private func takesPlace(
        _ kind: String, _ name: String, of count: Int, _ app: AppID, for time: Duration
    ) async throws(OpenIDFailure) -> Bool {
        let now = context.now
        do {
            for place in 0..<count
            where try await context.store.takeName(Self.place(kind, name, place), app: app, until: now + time, now: now)
            {
                return true
            }
            return false
        } catch { throw OpenIDFailure(error) }
    }

    private static func place(_ kind: String, _ name: String, _ place: Int) -> String {
        "backchannel-\(kind):\(name):\(place)"
    }
}
