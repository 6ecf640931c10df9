package import BenjiClient
package import BenjiFace
package import BenjiProtocol
package import OneTapShell

#if canImport(Network) && canImport(Security)
import Foundation
#endif

/// Everything outside of the decisions. The system's own in an app, a test's in a test.
package struct FaceSurroundings: Sendable {
    /// By which numbers are proven, with device key, server and clocks.
    package var oneTap: Surroundings
    /// By which everything else goes.
    package var transport: any Transport
    package var vault: @Sendable (AppID) -> any FaceVault

    package init(
        oneTap: Surroundings, transport: any Transport, vault: @escaping @Sendable (AppID) -> any FaceVault
    ) {
        self.oneTap = oneTap
        self.transport = transport
        self.vault = vault
    }

    /// The surroundings of an app; `nil` where the system has no cellular transport of its own, as on Linux.
    static var system: FaceSurroundings? {
        #if canImport(Network) && canImport(Security)
        Surroundings.system.map {
            FaceSurroundings(
                oneTap: $0, transport: InternetTransport(), vault: { KeychainFaceVault(account: $0.rawValue) })
        }
        #else
        nil
        #endif
    }
}
