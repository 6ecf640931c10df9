public import Benji
import BenjiClient

extension ScriptedCarrier {
    /// A `PhoneLogin` whose phone is on this carrier and whose time is this carrier's clock.
    public nonisolated func phoneLogin(_ configuration: PhoneLogin.Configuration) -> PhoneLogin {
        PhoneLogin(
            engine: LoginEngine(
                configuration: configuration.engine, transport: self, keyStore: MemoryDeviceKeyStore(),
                networkStatus: self, clock: clock))
    }
}
