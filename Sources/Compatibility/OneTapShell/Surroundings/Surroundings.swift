package import Benji
package import BenjiClient
package import BenjiProtocol

/// Everything outside of the decisions. The system's own in an app, a test's in a test.
package struct Surroundings: Sendable {
    package var transport: any Transport
    package var keyStore: @Sendable (AppID) -> any DeviceKeyStore
    package var networkStatus: (any NetworkStatusSource)?
    /// The same without waiting, for calls that the documents let an app make on its main thread. `nil` when the system
    /// takes longer than a tenth of a second.
    package var networkNow: @Sendable () -> NetworkStatus?
    /// The system's report on the phone's SIMs; `nil` where it has none.
    package var mobileServices: @Sendable () -> MobileServices? = { nil }
    package var attestation: (any AttestationProvider)?
    /// The running app's own.
    package var bundleID: String
    /// Where the gateway is; `nil` when that was not set.
    package var server: @Sendable () -> String?
    /// The profile that the app wants its pages to be held to, as it wrote it.
    package var pageProfile: @Sendable () -> String? = { PageProfileChoice.written() }
    /// Whether the app wants a prefetch to be kept from its start on.
    package var keepsPrefetchFromStart: @Sendable () -> Bool = { PrefetchKeepingChoice.written() }
    /// Stands in for every page that a facade would show: for tests without a screen.
    package var page: (any AuthorizationPresenter)?
    /// By whatever network the phone has, for logins by SMS; `nil` where there are none.
    package var internet: (any Transport)?
    /// The page of a login by SMS that the app has chosen.
    package var smsPage: @Sendable () -> (any SMSPresenter)? = { SMSPageChoice.page }
    package var wallClock: any WallClock
    /// Measures time-outs and lifetimes. Must go on while the phone sleeps and never jump.
    package var clock: any Clock<Duration>
    package var random: any RandomSource

    package init(
        transport: any Transport, keyStore: @escaping @Sendable (AppID) -> any DeviceKeyStore,
        networkStatus: (any NetworkStatusSource)?, networkNow: @escaping @Sendable () -> NetworkStatus?,
        attestation: (any AttestationProvider)? = nil, bundleID: String,
        server: @escaping @Sendable () -> String? = { BenjiServer.address }, page: (any AuthorizationPresenter)? = nil,
        internet: (any Transport)? = nil, wallClock: any WallClock = SystemWallClock(),
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        self.transport = transport
        self.keyStore = keyStore
        self.networkStatus = networkStatus
        self.networkNow = networkNow
        self.attestation = attestation
        self.bundleID = bundleID
        self.server = server
        self.page = page
        self.internet = internet
        self.wallClock = wallClock
        self.clock = clock
        self.random = random
    }

    /// The surroundings of an app; `nil` where the system has no cellular transport of its own, as on Linux.
    package static var system: Surroundings? {
        #if canImport(Network) && canImport(Security)
        .apple
        #else
        nil
        #endif
    }
}
