import Authority
import BenjiProtocol
import Requests
import Store

/// Limits how often phones may send one kind of face request, without locking out other phones at the same address.
///
/// Many phones share the address of a hotspot, an office or a carrier's NAT, and device keys cost nothing. Any phone
/// there can use up an address's budget. A limit on a single phone must therefore count its own key:
///
/// - Each device key has a budget of its own, for each app.
/// - A key that an attester vouches for is counted by that alone.
/// - All other keys of an address share a budget. Above it a key goes on if it is known: its install has an account of
///   the app.
/// - An unknown key is served *briefly* then, where there is such a service: a number of them each second, and never
///   none.
struct FaceBudget: Sendable {
    typealias Service = PrefetchBudget.Service

    /// Brief answers for one address and app: so many a second, and so many at once.
    static let briefPerSecond = PrefetchBudget.briefPerSecond
    static let briefBurst = PrefetchBudget.briefBurst
    /// Names that are remembered. When more come, those that stayed away longest are forgotten.
    static let capacity = 200_000

    private let keys: RateLimiter
    private let addresses: SourceLimiter
    private let brief: RateBucket<SourceLimiter.Source>?

    /// - Parameters:
    ///   - perKey: of one device key in ten minutes.
    ///   - perAddress: of all keys of an address, or a /64 of IPv6, that no attester vouches for, in ten minutes.
    init(perKey: Int, perAddress: Int, servesBriefly: Bool = false) {
        keys = RateLimiter(limit: perKey, window: .seconds(600), capacity: Self.capacity)
        addresses = SourceLimiter(calls: perAddress, capacity: Self.capacity)
        brief =
            servesBriefly
            ? RateBucket(perSecond: Self.briefPerSecond, burst: Self.briefBurst, capacity: Self.capacity) : nil
    }

    /// Counts one call.
    /// - Parameter isKnown: asked only when the address's budget is used up.
    func take(
        _ deviceKey: String, _ app: AppID, from source: InternetAddress?, isAttested: Bool, now: Timestamp,
        isKnown: () async throws(Refusal) -> Bool
    ) async throws(Refusal) -> Service {
        guard keys.admits("\(app.rawValue) \(deviceKey)", now: now) else { return .refused }
        if isAttested || addresses.admits(source, app, now: now) { return .full }
        if try await isKnown() { return .full }
        guard let brief, let address = source else { return .refused }
        return brief.admits(.init(address, app), now: now) ? .brief : .refused
    }
}

extension FaceProvider {
    /// Whether an attester of the app's, or a registered key of the install, vouches for the device key. Such a key's
    /// signature counts once.
    func isAttested(_ device: DeviceCall, app: AppRecord) async throws(Refusal) -> Bool {
        let vouching = try await authority.vouching(for: device, of: app)
        try await authority.count(vouching, of: app.id)
        return vouching != nil
    }

    /// Whether the device key's install has an account of the app.
    func isKnown(_ device: DeviceCall, to app: AppID) async throws(Refusal) -> Bool {
        try await stored { () async throws(StoreError) in
            try await store.remembersFaceDevice(device.proof.key.thumbprint, app: app, now: now)
        }
    }
}
