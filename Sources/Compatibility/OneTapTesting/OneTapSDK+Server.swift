public import BenjiClient
public import BenjiProtocol
import BenjiTesting
public import OneTapShell

extension OneTapSDK {
    /// Puts a server behind the static calls of this SDK: the sandbox, or one that a test runs itself. It is there in
    /// the whole process and until something else takes its place. Unlike ``BenjiTesting/ScriptedCarrier`` it checks
    /// keys and proofs too.
    ///
    /// Earlier prefetches are forgotten; the app's registration stays. Tests that use one SDK must not run side by
    /// side: mark their suite `.serialized`.
    ///
    /// - Parameters:
    ///   - transport: carries requests to the server; it must seem to come from a phone that the server knows.
    ///   - server: the server's address, as `BenjiServer` in `Info.plist` would have it.
    ///   - bundleID: the app's, as it is registered at the server.
    ///   - keyStore: has the device key; a new one that is forgotten with the test unless told.
    ///   - page: stands in for the page that the SDK would show; `nil` shows that.
    ///   - wallClock: the phone's.
    public func serve(
        over transport: any Transport, server: String, bundleID: String,
        keyStore: any DeviceKeyStore = MemoryDeviceKeyStore(), page: (any AuthorizationPresenter)? = nil,
        wallClock: any WallClock = SystemWallClock()
    ) {
        let surroundings = Surroundings(
            transport: transport, keyStore: { _ in keyStore }, networkStatus: nil, networkNow: { nil },
            bundleID: bundleID, server: { server }, page: page, wallClock: wallClock)
        for facade in facades { OneTapShell.of(facade).surround(with: surroundings) }
    }
}
