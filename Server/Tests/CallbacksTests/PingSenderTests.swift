import Authority
import BenjiProtocol
import Callbacks
import Synchronization
import Testing

@Suite("Pings to clients of the OpenID provider")
struct PingSenderTests {
    private final class Calls: Sendable {
        let made = Mutex<[(address: String, headers: [String: String], payload: String)]>([])
        let paused = Mutex<[Duration]>([])
        var addresses: [String] { made.withLock { $0.map(\.address) } }
    }

    /// - Parameter outcomes: of one attempt after the other; the last of them for all that follow.
    private func send(
        to endpoint: String = "https://shop.example/decided", found: [String] = ["8.8.8.8"],
        outcomes: [DeliveryOutcome] = [.answered(204)], _ calls: Calls = Calls()
    ) async -> (DeliveryOutcome, Calls) {
        let sender = EventSender(
            addresses: ReceiverAddresses(), resolve: { _ in found.compactMap { InternetAddress($0) } },
            sending: { payload, headers, _, address in
                let count = calls.made.withLock { made in
                    made.append(
                        (address.description, Dictionary(headers.map { ($0.name, $0.value) }) { $1 }, payload))
                    return made.count
                }
                return outcomes[min(count, outcomes.count) - 1]
            })
        let pings = PingSender(
            sender: sender, rules: CallbackRules(),
            pause: { wait in calls.paused.withLock { $0.append(wait) } })
        let outcome = await pings.send(
            #"{"auth_req_id":"x"}"#, to: endpoint, token: "client's-token", of: AppID(rawValue: "300000000001")!)
        return (outcome, calls)
    }

    @Test("a client is told at public addresses alone, by TLS, with its own token")
    func rules() async {
        let (outcome, calls) = await send()
        #expect(outcome == .answered(204) && calls.addresses == ["8.8.8.8"])
        let call = calls.made.withLock { $0[0] }
        #expect(call.headers == ["authorization": "Bearer client's-token"] && call.payload == #"{"auth_req_id":"x"}"#)
        for inner in ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00:ec2::254"] {
            let (outcome, calls) = await send(found: [inner])
            #expect(outcome == .addressRefused && calls.addresses.isEmpty, "\(inner)")
        }
        for endpoint in [
            "http://shop.example/decided", "https://10.0.0.7/decided", "https://shop.example:22/decided",
            "https://user@shop.example/", "https://2130706433/", "gopher://shop.example/",
        ] {
            let (outcome, calls) = await send(to: endpoint)
            #expect(outcome == .unsendable && calls.addresses.isEmpty, "\(endpoint)")
        }
        // A sender that calls any address of the name reaches an internal one.
        let naive = InternetAddress("169.254.169.254")!
        #expect(!ReceiverAddresses().mayBeCalled(naive))
    }

    @Test("a client that does not answer is told three times at most, one that answers is believed")
    func attempts() async {
        let late = await send(outcomes: [.timeOut, .answered(503), .answered(204)])
        #expect(late.0 == .answered(204) && late.1.addresses.count == 3)
        #expect(late.1.paused.withLock { $0 } == [.seconds(2), .seconds(10)])
        let never = await send(outcomes: [.unreachable])
        #expect(never.0 == .unreachable && never.1.paused.withLock { $0.count } == 2)
        for status in [400, 401, 404, 410, 302] {
            let told = await send(outcomes: [.answered(status)])
            #expect(told.0 == .answered(status) && told.1.addresses.count == 1, "\(status)")
        }
    }
}
