public import Benji
import BenjiClient

extension ScriptedCarrier {
    /// A `PhoneLogin` whose phone is on this carrier and whose time is this carrier's clock.
    public nonisolated func phoneLogin(_ configuration: PhoneLogin.Configuration) -> PhoneLogin {
        let keys = MemoryDeviceKeyStore()
        return PhoneLogin(
            engine: LoginEngine(
                configuration: configuration.engine, transport: self, keyStore: keys, networkStatus: self,
                clock: clock),
            byCode: SMSLogin(
                engine: SMSCodeEngine(
                    configuration: configuration.engine, transport: internet, keyStore: keys, clock: clock)))
    }
}
