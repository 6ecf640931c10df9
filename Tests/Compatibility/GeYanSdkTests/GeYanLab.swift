import BenjiTesting
import FacadeScenarios
import OneTapTesting

@testable import GeYanSdk
@testable import OneTapShell

/// GeYan's static calls with a scripted carrier behind them, for one test alone.
struct GeYanLab: FacadeLab {
    static let appID = "0123456789abcdefghijkl"

    let clock = ManualClock()
    let carrier: ScriptedCarrier
    let shell: OneTapShell

    /// - Parameter mayBeginTicked: whether the operator has granted the app `ticked-page`.
    init(
        _ number: String = "13800000000", facade: Facade = .geYan, registers: Bool = true, mayBeginTicked: Bool = false,
        smsPage: FakeSMSPresenter? = nil
    ) {
        carrier = ScriptedCarrier(number: number, allowsInitialTick: mayBeginTicked, clock: clock)
        shell = OneTapShell(facade, surroundings: carrier.surroundings(page: nil, smsPage: smsPage))
        if registers { shell.register(appID: Self.appID, appKey: nil) }
    }

    func prefetch() async -> ResultFields? { await heard { GeYanSdk.preGetToken($0) } }

    func logIn(_ person: FakePresenter.Person = .consents) async -> ResultFields? {
        await heard { GeYanSdk.logIn(on: FakePresenter(person), shell, $0) }
    }
}
