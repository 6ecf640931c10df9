import BenjiClient
import BenjiProtocol
import BenjiTesting
import Dispatch
import Testing
import Waiting

@testable import OneTapShell

@Suite struct ShellCallTests {
    @Test("A result comes on the main thread, after the call has returned")
    func mainThread() async {
        let bench = Bench()
        let returned = Locked(false)
        await withCheckedContinuation { continuation in
            bench.shell.start(.prefetch) { result in
                #expect(DispatchQueue.getSpecific(key: Bench.mainQueue) == true)
                #expect(result.situation == .success)
                continuation.resume()
            }
            returned.withLock { $0 = true }
        }
        await withCheckedContinuation { continuation in
            Bench(registers: false).shell.start(.prefetch) { result in
                #expect(DispatchQueue.getSpecific(key: Bench.mainQueue) == true)
                #expect(result.situation == .notConfigured)
                continuation.resume()
            }
        }
        #expect(returned.withLock { $0 })
    }

    @Test("On the main thread, not even a refusal calls its block before the call has returned")
    @MainActor func notWithin() async {
        let bench = Bench(registers: false)
        var returned = false
        await withCheckedContinuation { continuation in
            bench.shell.start(.prefetch) { _ in
                #expect(returned)
                continuation.resume()
            }
            returned = true
        }
    }

    @Test("A second call of a kind is refused while the first is under way, and disturbs it not")
    func secondCall() async {
        let bench = Bench("13800001105")
        let time = await bench.passTime()
        async let first = bench.situation(.prefetch)
        await eventually("the request is sent") { await !bench.carrier.requests.isEmpty }
        time.cancel()
        #expect(await first == .success)

        let slow = Bench("13800001007")
        let situations = await withCheckedContinuation { continuation in
            let heard = Locked<[Situation]>([])
            for _ in 0..<2 {
                slow.shell.start(.prefetch) { result in
                    let all = heard.withLock {
                        $0.append(result.situation)
                        return $0
                    }
                    if all.count == 1 { slow.shell.cancel() } else { continuation.resume(returning: all) }
                }
            }
        }
        #expect(situations == [.alreadyRunning, .cancelledByApp])
        #expect(await slow.carrier.requests.count <= 1)
    }

    @Test("A login waits for a prefetch that is under way")
    func waiting() async {
        let bench = Bench()
        let order = Locked<[Call.Kind]>([])
        await withCheckedContinuation { continuation in
            bench.shell.start(.prefetch) { result in order.withLock { $0.append(result.call) } }
            bench.shell.start(.login(FakePresenter())) { result in
                order.withLock { $0.append(result.call) }
                #expect(result.situation == .success)
                continuation.resume()
            }
        }
        #expect(order.withLock { $0 } == [.prefetch, .login])
        #expect(await bench.carrier.requests.count == 2)
    }

    @Test("Behind an open page every call is refused at once")
    func openPage() async {
        let page = FakePresenter(.waits)
        let bench = Bench(facade: .benchWithoutPrefetch, page: page)
        async let login = bench.situation(.login(page))
        await page.shown()
        #expect(await bench.situation(.prefetch) == .alreadyRunning)
        #expect(await bench.situation(.verification) == .alreadyRunning)
        #expect(!bench.shell.forget())
        bench.shell.cancel()
        #expect(await login == .cancelledByApp)
        #expect(await bench.situation(.prefetch) == .success)
    }

    @Test("From within a block the next call may be made")
    func nextFromWithin() async {
        let bench = Bench()
        let situation = await withCheckedContinuation { continuation in
            bench.shell.start(.prefetch) { _ in
                bench.shell.start(.prefetch) { continuation.resume(returning: $0.situation) }
            }
        }
        #expect(situation == .success)
        #expect(await bench.carrier.requests.count == 1, "the second is answered from memory")
    }

    @Test("Cancelling ends a call that has not begun to run as well as one that waits for an answer")
    func cancelling() async {
        let early = Bench("13800001007")
        async let situation = withCheckedContinuation { continuation in
            early.shell.start(.prefetch) { continuation.resume(returning: $0.situation) }
            early.shell.cancel()
        }
        #expect(await situation == .cancelledByApp)
        let late = Bench("13800001007")
        async let waiting = late.situation(.prefetch)
        await eventually("the request is sent") { await !late.carrier.requests.isEmpty }
        late.shell.cancel()
        #expect(await waiting == .cancelledByApp)
    }

    @Test("A time-out counts from the call, waiting for an earlier one included")
    func timeOut() async {
        let bench = Bench("13800001007", facade: .benchWithoutPrefetch)
        let time = await bench.passTime(atMost: .seconds(5))
        defer { time.cancel() }
        async let first = bench.situation(.prefetch, allowing: .seconds(5))
        await eventually("the request is sent") { await !bench.carrier.requests.isEmpty }
        #expect(await first == .timedOut)
        #expect(bench.clock.now.offset == .seconds(5))
        #expect(await bench.situation(.verification, allowing: .milliseconds(5000)) == .timedOut)
        #expect(bench.clock.now.offset == .seconds(10))
    }
}
