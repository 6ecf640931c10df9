package import BenjiClient
import BenjiProtocol

extension OneTapShell {
    /// Reports on the main thread, after this has returned, whether a call could be made, and the name of this install.
    ///
    /// The name is the device key's thumbprint: it reveals nothing of phone or person and is another one for every app.
    package func checkReadiness(deliver: @escaping @MainActor (BenjiError?, _ install: String?) -> Void) {
        let (problem, keys) = state.withLock { state -> (BenjiError?, (any DeviceKeyStore)?) in
            do throws(BenjiError) {
                _ = try state.liveEngine(facade)
                let keys = state.registration.flatMap { AppID(rawValue: $0.appID) }.flatMap {
                    state.surroundings?.keyStore($0)
                }
                return (nil, keys)
            } catch {
                return (error, nil)
            }
        }
        Task {
            let signer = try? await keys?.signer()
            await deliver(problem, signer?.publicKey.thumbprint)
        }
    }
}
