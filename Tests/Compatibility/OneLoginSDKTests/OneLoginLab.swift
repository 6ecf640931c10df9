import BenjiClient
import BenjiTesting
import FacadeScenarios
import OneTapTesting

@testable import OneLoginSDK
@testable import OneTapShell

/// OneLogin's static calls with a scripted carrier behind them, for one test alone.
struct OneLoginLab: FacadeLab {
    static let appID = "0123456789abcdef0123456789abcdef"

    let clock = ManualClock()
    let carrier: ScriptedCarrier
    let shell: OneTapShell

    /// - Parameter mayBeginTicked: whether the operator has granted the app `ticked-page`.
    init(
        _ number: String = "13800000000", facade: Facade = .oneLogin, registers: Bool = true,
        mayBeginTicked: Bool = false
    ) {
        carrier = ScriptedCarrier(number: number, allowsInitialTick: mayBeginTicked, clock: clock)
        shell = OneTapShell(facade, surroundings: carrier.surroundings(page: nil))
        if registers { shell.register(appID: Self.appID, appKey: nil) }
    }

    func prefetch() async -> ResultFields? { await heard { OneLogin.preGetToken(completion: $0) } }

    func logIn(_ person: FakePresenter.Person = .consents) async -> ResultFields? {
        await heard { OneLogin.logIn(on: FakePresenter(person), $0) }
    }
}

extension ResultFields {
    /// Without the sentence for developers, which is in no table.
    var withoutDescription: ResultFields {
        var fields = self
        guard case .fields(var metadata)? = fields["metaData"] else { return self }
        metadata["description"] = nil
        fields["metaData"] = .fields(metadata)
        return fields
    }
}
