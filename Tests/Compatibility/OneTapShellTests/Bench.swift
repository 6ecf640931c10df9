import BenjiClient
import BenjiProtocol
import BenjiTesting
import Dispatch
import OneTapTesting

@testable import OneTapShell

extension Facade {
    /// An SDK that wants a prefetch before a login, as most do.
    static let bench = row("Bench", needsPrefetch: true)
    /// One whose logins need none.
    static let benchWithoutPrefetch = row("BenchWithoutPrefetch", needsPrefetch: false)

    private static func row(_ name: String, needsPrefetch: Bool) -> Facade {
        Facade(
            name: name, dialect: .device, codes: .device, timeout: .seconds(8), needsPrefetch: needsPrefetch,
            needsAppKey: true, allowsInitialTick: false, showsInSplitView: true)
    }
}

/// A shell with everything around it in a test's hand.
struct Bench {
    /// Marks the main queue. On Linux a test's main queue is not always served by the thread that the process began
    /// with. Once: to mark it again frees the mark that a block may be reading.
    static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    let clock = ManualClock()
    let carrier: ScriptedCarrier
    let shell: OneTapShell

    init(
        _ number: String = "13800000000", facade: Facade = .bench, page: any AuthorizationPresenter = FakePresenter(),
        server: String? = "https://gateway.example", registers: Bool = true
    ) {
        carrier = ScriptedCarrier(number: number, clock: clock)
        shell = OneTapShell(facade, surroundings: carrier.surroundings(page: page, server: server))
        if registers { shell.register(appID: "300000000001", appKey: "key") }
    }

    /// Makes a call and waits for its result.
    func result(_ call: Call, allowing time: TimeAllowed = .standard) async -> CallResult {
        await withCheckedContinuation { continuation in
            shell.start(call, allowing: time) { continuation.resume(returning: $0) }
        }
    }

    func situation(_ call: Call, allowing time: TimeAllowed = .standard) async -> Situation {
        await result(call, allowing: time).situation
    }

    /// Moves the clock by whatever the carrier is silent for, or by `greatest` when it is silent for ever.
    func passTime(atMost greatest: Duration = .seconds(60)) async -> Task<Void, Never> {
        let silences = await carrier.silences
        return Task { [clock] in
            for await silence in silences { clock.advance(by: min(silence ?? greatest, greatest)) }
        }
    }
}
