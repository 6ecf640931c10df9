package import BenjiProtocol
import Synchronization

/// A phone of the sandbox as it is now. Reading and changing it never waits.
package final class SandboxPhone: Sendable {
    struct State: Sendable {
        var tray = SIMTray.mobile
        var dataSlot = 1
        var network = PhoneNetwork.cellular
        var fault: SandboxFault?
        /// The address that the carrier gave, whether or not it told the gateway.
        var cellular: InternetAddress?
        var session: VirtualPacketCore.Session?
    }

    /// `phone-1`: for addresses and scripts.
    package let id: String
    /// 1 to ``SandboxWorld/maximumPhones``, among the sandbox's phones.
    package let position: Int
    /// The name that a person gave it, if any.
    package let givenName: String?
    package var name: String { givenName ?? "Phone \(position)" }
    /// The device key of the apps on it.
    let signer = SoftwareDeviceSigner()
    /// The shop's app on it.
    package let screen = PhoneScreen()
    private let state: Mutex<State>

    init(position: Int, name: String? = nil) {
        id = "phone-\(position)"
        self.position = position
        givenName = name
        state = Mutex(State())
    }

    package var tray: SIMTray { state.withLock { $0.tray } }
    package var dataSlot: Int { state.withLock { $0.dataSlot } }
    package var network: PhoneNetwork { state.withLock { $0.network } }
    package var fault: SandboxFault? { state.withLock { $0.fault } }
    package var cellularAddress: InternetAddress? { state.withLock { $0.cellular } }
    /// The card that carries data.
    package var card: SIMCard {
        let (tray, slot) = state.withLock { ($0.tray, $0.dataSlot) }
        return tray.card(phone: position, dataSlot: slot)
    }

    /// The numbers of its cards.
    var numbers: [PhoneNumber] { tray.cards(phone: position).compactMap(\.number) }

    /// How traffic of a program leaves now; `nil` if it cannot.
    package func way(of program: PhoneNetwork.Program) -> Way? {
        state.withLock { $0.network.way(of: program, cellular: $0.cellular, phone: position) }
    }

    func change<Result: Sendable>(_ change: @Sendable (inout State) -> Result) -> Result {
        state.withLock { change(&$0) }
    }

    /// The fault that happens now at `step`, if it is of one of the kinds that the caller can make happen. Counts down.
    func takeFault(at step: SandboxStep, _ matches: (SandboxFault.Kind) -> Bool) -> SandboxFault.Kind? {
        state.withLock { state in
            guard let fault = state.fault, fault.step == step, matches(fault.kind) else { return nil }
            if let times = fault.times { state.fault?.times = times - 1 }
            if state.fault?.times == 0 { state.fault = nil }
            return fault.kind
        }
    }
}
