@_spi(Server) import BenjiProtocol
import RADIUS
import Testing

@testable import Gateway

struct AccountingExchangeTests {
    private let now = Timestamp(seconds: Network.start)

    private func receive(_ exchange: inout AccountingExchange, _ bytes: [UInt8]) -> String {
        switch exchange.receive(bytes.span, from: Network.source, at: now) {
        case .drop(let reason, _): return reason.rawValue
        case .repeatAnswer: return "repeated"
        case .process(let transaction, _): return transaction.result.rawValue
        }
    }

    private func bytes(_ request: AccountingRequest, identifier: UInt8 = 1) throws -> [UInt8] {
        var request = request
        request.eventTimestamp = UInt32(now.seconds)
        return try request.packet(identifier: identifier, secret: Network.secret)
    }

    @Test(
        "a packet in progress is not taken twice; after a failure it is taken as new; after its answer it is repeated")
    func progress() throws {
        var exchange = AccountingExchange(configuration: Network.configuration())
        let packet = try bytes(AccountingRequest(status: .stop, sessionID: "a"))
        guard case .process(let transaction, _) = exchange.receive(packet.span, from: Network.source, at: now)
        else {
            Issue.record("not taken")
            return
        }
        #expect(receive(&exchange, packet) == "in_progress")
        exchange.didFail(transaction)
        #expect(receive(&exchange, packet) == "applied")
        exchange.didAnswer(transaction)
        #expect(receive(&exchange, packet) == "repeated")
    }

    @Test("what concerns no session is answered and ignored", arguments: [UInt32(9), 14, 15, 200])
    func otherStatus(status: UInt32) throws {
        var exchange = AccountingExchange(configuration: Network.configuration())
        let request = AccountingRequest(status: AccountingStatus(rawValue: status))
        #expect(receive(&exchange, try bytes(request)) == "ignored")
    }

    @Test("a Start without Acct-Session-Id is refused; an Accounting-On without one is not")
    func sessionID() throws {
        var exchange = AccountingExchange(configuration: Network.configuration())
        #expect(receive(&exchange, try bytes(AccountingRequest(status: .start))) == "invalid")
        #expect(receive(&exchange, try bytes(AccountingRequest(status: .accountingOn))) == "applied")
    }

    /// The fingerprint of a packet that is nothing but a header.
    private func fingerprint(
        _ address: String = "192.0.2.1", code: UInt8 = 4, identifier: UInt8 = 7, authenticator: [UInt8] = [1]
    ) -> Fingerprint {
        let packet = [code, identifier, 0, 20] + authenticator + [UInt8](repeating: 0, count: 16 - authenticator.count)
        return Fingerprint(of: packet.span, from: InternetAddress(address)!)
    }

    @Test("packets are remembered up to the limit, the newest half of it always")
    func cacheLimit() {
        var cache = FingerprintCache(limit: 100)
        func fingerprint(_ index: Int) -> Fingerprint {
            self.fingerprint(authenticator: [UInt8(index >> 8), UInt8(index & 255)])
        }
        for index in 0..<1000 {
            cache[fingerprint(index)] = .done
            #expect(cache.count <= 102)
            for earlier in max(0, index - 49)...index { #expect(cache[fingerprint(earlier)] == .done) }
        }
        #expect(cache[fingerprint(0)] == nil)
    }

    @Test("a packet that was taken back is as new, also when it was remembered long ago")
    func forgetting() {
        var cache = FingerprintCache(limit: 8)
        let first = fingerprint()
        cache[first] = .inProgress
        for index in 0..<5 { cache[fingerprint(identifier: UInt8(index))] = .done }
        #expect(cache[first] == .inProgress)
        cache[first] = nil
        #expect(cache[first] == nil)
        cache[first] = .done
        #expect(cache[first] == .done)
    }

    @Test("a packet is no repetition of one that differs in address, code, identifier or authenticator")
    func fingerprints() {
        var cache = FingerprintCache(limit: 100)
        cache[fingerprint()] = .done
        #expect(cache[fingerprint()] == .done)
        let last = [UInt8](repeating: 0, count: 15) + [1]
        let others = [
            fingerprint("192.0.2.2"), fingerprint("2001:db8::1"), fingerprint(code: 12), fingerprint(identifier: 8),
            fingerprint(authenticator: [2]), fingerprint(authenticator: [1] + last.dropFirst()),
        ]
        for other in others { #expect(cache[other] == nil) }
    }

    @Test("the cache says what a dictionary would, through growth, forgetting and generations")
    func againstDictionary() {
        var generator = SeededGenerator(seed: 5080)
        var cache = FingerprintCache(limit: 1_000_000)
        var states: [Fingerprint: FingerprintCache.State] = [:]
        let choices: [FingerprintCache.State?] = [nil, .inProgress, .done, .noted]
        for _ in 0..<20_000 {
            let fingerprint = fingerprint(
                authenticator: [.random(in: 0...15, using: &generator), .random(in: 0...255, using: &generator)])
            #expect(cache[fingerprint] == states[fingerprint])
            let state = choices.randomElement(using: &generator)!
            cache[fingerprint] = state
            states[fingerprint] = state
        }
    }

    @Test("a bucket gives a second's packets at once, then as many as time brings")
    func bucket() {
        var bucket = PacketAllowance(perSecond: 10)
        func taken(at time: Int64) -> Int {
            var count = 0
            for _ in 0..<15 where bucket.take(at: time) { count += 1 }
            return count
        }
        #expect(taken(at: 0) == 10)
        #expect(taken(at: 500) == 5)
        #expect(taken(at: 100_000) == 10)
        // The clock was set back: no more than a second's packets, and not nothing for ever.
        #expect(taken(at: 50_000) == 0)
        #expect(taken(at: 50_100) == 1)
    }

    @Test("random attributes under the right secret go through the whole gateway without a trap")
    func signedNoise() async throws {
        var generator = SeededGenerator(seed: 6929)
        let network = try Network()
        let types: [UInt8] = [1, 4, 8, 26, 31, 32, 33, 41, 44, 46, 95, 97, 123, 241, 241, 26]
        var answered = 0
        for index in 0..<4000 {
            var attributes = [
                try Attribute(.acctStatusType, [0, 0, 0, [1, 2, 3, 7, 8].randomElement(using: &generator)!]),
                try Attribute(.acctSessionID, [UInt8.random(in: 0..<20, using: &generator)]),
            ]
            if !index.isMultiple(of: 3) {
                attributes.append(try Attribute(.eventTimestamp, UInt32(Network.start).bytes))
            }
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                let type = types.randomElement(using: &generator)!
                var value = (0..<[0, 1, 4, 4, 4, 10, 16, 18].randomElement(using: &generator)!).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                switch type {
                case 8 where value.count == 4: value = [10, 0, 0, value[3] & 7]
                case 26 where value.count >= 10:
                    value = [0, 0, 0x28, 0xaf, value[4], UInt8(value.count - 4)] + value[6...]
                case 241 where value.count >= 16:
                    value = [6, 3, 6, 203, 0, 113, value[6] & 3, 9, 6, 0, 0, value[11], 0, 10, 6, 0, 0, value[11], 255]
                default: break
                }
                attributes.append(try Attribute(AttributeType(rawValue: type), value))
            }
            let packet = try Packet.accountingRequest(
                identifier: UInt8(index & 255), attributes: attributes, secret: Network.secret)
            let datagram = Datagram(bytes: packet, source: Network.source, port: UInt16(index))
            answered += await network.gateway.processor.process([datagram]).count
        }
        #expect(answered > 500)
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] {
        [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)]
    }
}
