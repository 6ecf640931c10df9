public import Benji
public import BenjiClient
public import BenjiProtocol
public import BenjiTesting
public import OneTapShell

extension ScriptedCarrier {
    /// Puts this carrier behind the static calls of `sdk`, in the whole process and until another takes its place.
    ///
    /// Earlier prefetches are forgotten; the app's registration stays. Tests that use one SDK must not run side by
    /// side: mark their suite `.serialized`.
    ///
    /// - Parameters:
    ///   - page: stands in for the page that the SDK would show.
    ///   - smsPage: stands in for the page of a login by SMS, for a carrier that has them.
    ///   - wallClock: the phone's.
    public nonisolated func serve(
        _ sdk: OneTapSDK, page: any AuthorizationPresenter = FakePresenter(), smsPage: (any SMSPresenter)? = nil,
        wallClock: any WallClock = SystemWallClock()
    ) {
        let surroundings = surroundings(page: page, smsPage: smsPage, wallClock: wallClock)
        for facade in sdk.facades { OneTapShell.of(facade).surround(with: surroundings) }
    }

    package nonisolated func surroundings(
        page: (any AuthorizationPresenter)?, smsPage: (any SMSPresenter)? = nil,
        wallClock: any WallClock = SystemWallClock(),
        server: String? = "https://gateway.example", bundleID: String = "com.example.app"
    ) -> Surroundings {
        let keys = MemoryDeviceKeyStore()
        var surroundings = Surroundings(
            transport: self, keyStore: { _ in keys }, networkStatus: self,
            networkNow: { self.networkNow }, bundleID: bundleID, server: { server },
            page: page, internet: internet, wallClock: wallClock, clock: clock)
        surroundings.smsPage = { smsPage }
        return surroundings
    }
}
