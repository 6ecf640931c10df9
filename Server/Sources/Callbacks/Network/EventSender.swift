package import Authority
package import BenjiProtocol

/// Carries one event to its receiver: finds the host's addresses, keeps those that may be called, and sends it to one
/// of them.
package struct EventSender: Sendable {
    /// How an event gets to one address.
    package typealias Sending =
        @Sendable (
            _ payload: String, _ headers: [(name: String, value: String)], _ url: CallbackURL,
            _ address: InternetAddress
        ) async -> DeliveryOutcome

    /// Addresses of one name that are tried in one attempt.
    static let maximumAddresses = 3

    private let addresses: ReceiverAddresses
    private let resolve: HostResolver
    private let sending: Sending
    private let resolvingLimit: Duration

    /// - Parameter resolvingLimit: how long the resolver may take. Later answers are not used, because a claim ends.
    package init(
        addresses: ReceiverAddresses, resolve: @escaping HostResolver, resolvingLimit: Duration = .seconds(15),
        sending: @escaping Sending
    ) {
        self.resolvingLimit = resolvingLimit
        self.addresses = addresses
        self.resolve = resolve
        self.sending = sending
    }

    package func send(
        _ payload: String, headers: [(name: String, value: String)], to url: CallbackURL
    ) async -> DeliveryOutcome {
        let latest = ContinuousClock.now + resolvingLimit
        let answer = try? await resolve(url.host)
        if Task.isCancelled { return .brokenOff }
        guard ContinuousClock.now < latest else { return .timeOut }
        guard let found = answer, !found.isEmpty else { return .noAddress }
        let checked = found.filter { addresses.mayBeCalled($0, isPlain: !url.isTLS) }
        guard !checked.isEmpty else { return .addressRefused }
        var outcome = DeliveryOutcome.unreachable
        for address in checked.prefix(Self.maximumAddresses) where outcome == .unreachable {
            outcome = await sending(payload, headers, url, address)
        }
        return outcome
    }
}
