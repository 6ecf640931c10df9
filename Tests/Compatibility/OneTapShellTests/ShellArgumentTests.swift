import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

@testable import OneTapShell

@Suite struct ShellArgumentTests {
    @Test(
        "Whatever an app registers, its first call ends in a code",
        arguments: [
            (nil, nil, .notConfigured), ("", "key", .notConfigured), ("300000000001", nil, .notConfigured),
            ("300000000001", "", .notConfigured), ("1", "key", .invalidArgument),
            ("3000 0000 0001", "key", .invalidArgument), ("300000000001", "key", .success),
        ] as [(String?, String?, Situation)])
    func registering(appID: String?, appKey: String?, situation: Situation) async {
        let bench = Bench(registers: false)
        bench.shell.register(appID: appID, appKey: appKey)
        #expect(await bench.situation(.prefetch) == situation)
    }

    @Test("A gateway that is missing or no address is told apart")
    func server() async {
        #expect(await Bench(server: nil).situation(.prefetch) == .notConfigured)
        #expect(await Bench(server: "gateway").situation(.prefetch) == .invalidArgument)
        #expect(await Bench(server: "http://gateway.example").situation(.prefetch) == .invalidArgument)
        let nowhere = OneTapShell(.bench, surroundings: nil)
        nowhere.register(appID: "300000000001", appKey: "key")
        await withCheckedContinuation { continuation in
            nowhere.start(.prefetch) { result in
                #expect(result.situation == .notConfigured)
                continuation.resume()
            }
        }
    }

    @Test(
        "A time-out that is no time is refused, nothing means the usual",
        arguments: [
            (.standard, .seconds(8)), (.milliseconds(0), .seconds(8)), (.seconds(0), .seconds(8)),
            (.milliseconds(1500), .milliseconds(1500)), (.seconds(3), .seconds(3)),
            (.seconds(1e300), .seconds(3600)), (.milliseconds(-1), nil), (.seconds(-0.001), nil),
            (.seconds(.nan), nil), (.milliseconds(.infinity), nil),
        ] as [(TimeAllowed, Duration?)])
    func timeOuts(allowed: TimeAllowed, duration: Duration?) async {
        #expect(allowed.duration(standard: .seconds(8)) == duration)
        #expect(
            await Bench().situation(.prefetch, allowing: allowed) == (duration == nil ? .invalidArgument : .success))
    }

    @Test("Another app or another server gets an engine of its own, the same keeps what was prefetched")
    func engines() async {
        let bench = Bench()
        _ = await bench.result(.prefetch)
        bench.shell.register(appID: "300000000001", appKey: "key")
        _ = await bench.result(.prefetch)
        #expect(await bench.carrier.requests.count == 1)
        bench.shell.register(appID: "300000000002", appKey: "key")
        #expect(bench.shell.isPrefetchValid, "until the first call of the other app")
        _ = await bench.result(.prefetch)
        #expect(await bench.carrier.requests.count == 2)
    }
}
