import BenjiClient
import BenjiProtocol
import BenjiTesting
import Testing

@testable import OneTapShell

@Suite struct ShellFactsTests {
    @Test("The carrier is unknown until a gateway names it, and foreign when a gateway says so")
    func carrier() async {
        let bench = Bench("18900000000")
        #expect(bench.shell.facts == Facts())
        _ = await bench.result(.prefetch)
        #expect(bench.shell.facts.carrier == .telecom)
        bench.carrier.number = "13800001014"
        #expect(bench.shell.forget())
        #expect(await bench.situation(.prefetch) == .carrierUnsupported)
        #expect(bench.shell.facts.carrier == nil)
        #expect(bench.shell.facts.carrierIsForeign)
    }

    @Test("A carrier that the vendors' documents do not know is unknown, number 0")
    func otherCarrier() {
        let numbers = ([nil] + (Carrier.documented + [Carrier(rawValue: "mvno-170")])).map { VendorNumber.carrier($0) }
        #expect(numbers == [0, 1, 2, 3, 0])
    }

    @Test("A prefetch is valid as long as the carrier says, and no longer once it was given up")
    func validity() async {
        let bench = Bench("13000000000")
        #expect(!bench.shell.isPrefetchValid)
        _ = await bench.result(.prefetch)
        #expect(bench.shell.isPrefetchValid)
        // China Unicom's scrips live ten minutes; one that is about to end is not used for a new call.
        bench.clock.advance(by: .seconds(594))
        #expect(bench.shell.isPrefetchValid)
        bench.clock.advance(by: .seconds(1))
        #expect(!bench.shell.isPrefetchValid)
        _ = await bench.result(.prefetch)
        #expect(bench.shell.forget())
        #expect(!bench.shell.isPrefetchValid)
        #expect(bench.shell.forget(), "nothing is left to give up")
        #expect(await bench.situation(.prefetch) == .success)
        #expect(
            await bench.carrier.requests.map { $0.url.path.split(separator: "/").last } == [
                "prefetch", "prefetch", "forget", "prefetch",
            ])
    }

    @Test("Which networks are up can be asked at any time")
    func networks() async {
        #expect(Bench().shell.networkStatus == NetworkStatus(cellular: true, wifi: false))
        #expect(Bench("13800001002").shell.networkStatus == NetworkStatus(cellular: false, wifi: true))
        #expect(OneTapShell(.bench, surroundings: nil).networkStatus == nil)
    }

    @Test("Steps and ends can be followed, and carry no credential")
    func observing() async {
        let bench = Bench()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        bench.shell.observe { observation in
            switch observation {
            case .step(let event):
                continuation.yield("\(event.step)")
                if event.step == .finished { continuation.finish() }
            case .ended: break
            }
        }
        _ = await bench.result(.prefetch)
        #expect(
            await stream.reduce(into: []) { $0.append($1) } == ["started", "prefetching", "prefetched", "finished"])
        #expect(await bench.situation(.prefetch, allowing: .seconds(-1)) == .invalidArgument)
    }
}
