import Authority
import BenjiProtocol
import Callbacks
import Synchronization
import Testing

@Suite("The address that was checked is the address that is called")
struct EventSenderTests {
    /// A name that leads to a public address first and inside afterwards.
    final class RebindingResolver: Sendable {
        private let asked = Mutex(0)
        var count: Int { asked.withLock { $0 } }

        func resolve(_: String) -> [InternetAddress] {
            asked.withLock { count in
                count += 1
                return [InternetAddress(count == 1 ? "8.8.8.8" : "169.254.169.254")!]
            }
        }
    }

    final class Calls: Sendable {
        private let made = Mutex<[InternetAddress]>([])
        var addresses: [InternetAddress] { made.withLock { $0 } }
        func note(_ address: InternetAddress) { made.withLock { $0.append(address) } }
    }

    private let url = try! CallbackURL("https://receiver.example/", rules: CallbackRules())

    private func send(
        _ found: [String], outcome: DeliveryOutcome = .answered(204), url: CallbackURL? = nil
    ) async -> (DeliveryOutcome, [String]) {
        let calls = Calls()
        let sender = EventSender(
            addresses: ReceiverAddresses(), resolve: { _ in found.compactMap { InternetAddress($0) } },
            sending: { _, _, _, address in
                calls.note(address)
                return outcome
            })
        let ended = await sender.send("{}", headers: [], to: url ?? self.url)
        return (ended, calls.addresses.map(\.description))
    }

    @Test("a name that answers differently the second time wins nothing: it is asked once")
    func rebinding() async {
        let resolver = RebindingResolver()
        let calls = Calls()
        let sender = EventSender(
            addresses: ReceiverAddresses(), resolve: { resolver.resolve($0) },
            sending: { _, _, _, address in
                calls.note(address)
                return .answered(204)
            })
        #expect(await sender.send("{}", headers: [], to: url) == .answered(204))
        #expect(calls.addresses == [InternetAddress("8.8.8.8")!])
        #expect(resolver.count == 1)

        // A sender that checks a name and then connects by the name resolves it twice. The second answer counts.
        let naive = RebindingResolver()
        let checked = naive.resolve(url.host).allSatisfy { ReceiverAddresses().mayBeCalled($0) }
        #expect(checked && naive.resolve(url.host) == [InternetAddress("169.254.169.254")!])
    }

    @Test("of a name's addresses only those are called that may be")
    func filtered() async {
        #expect(await send(["127.0.0.1", "8.8.8.8", "::1"]) == (.answered(204), ["8.8.8.8"]))
        #expect(await send(["127.0.0.1", "::ffff:10.0.0.1"]) == (.addressRefused, []))
        #expect(await send([]) == (.noAddress, []))
        #expect(await send(["8.8.8.8", "8.8.4.4"], outcome: .unreachable) == (.unreachable, ["8.8.8.8", "8.8.4.4"]))
        #expect(await send(["8.8.8.8", "8.8.4.4"], outcome: .timeOut) == (.timeOut, ["8.8.8.8"]))
    }

    @Test("an address that the resolver took too long to find is not called: the event may be somebody else's by then")
    func lateAddress() async {
        let calls = Calls()
        let sender = EventSender(
            addresses: ReceiverAddresses(), resolve: { _ in [InternetAddress("8.8.8.8")!] }, resolvingLimit: .zero,
            sending: { _, _, _, address in
                calls.note(address)
                return .answered(204)
            })
        #expect(await sender.send("{}", headers: [], to: url) == .timeOut)
        #expect(calls.addresses.isEmpty)
    }

    @Test("localhost without TLS leads to this machine alone, wherever its name leads")
    func plain() async throws {
        var rules = CallbackRules()
        rules.allowsPlainLoopback = true
        let plain = try CallbackURL("http://localhost:9000/", rules: rules)
        #expect(await send(["127.0.0.1"], url: plain) == (.answered(204), ["127.0.0.1"]))
        #expect(await send(["8.8.8.8", "10.0.0.1"], url: plain) == (.addressRefused, []))
    }
}
