import BenjiPolicy
import BenjiProtocol
import Testing

@Suite struct JSONFuzzTests {
    @Test(
        "No mutation of a message traps the parser or a message's reader, and what is read is written back the same",
        arguments: 0..<8)
    func mutations(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        let seeds = Self.seeds.map(\.serialized)
        var read = 0
        for _ in 0..<1500 {
            var bytes = seeds.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.mutate(&bytes, seeds, using: &generator) }
            guard let value = try? JSON(parsing: bytes) else { continue }
            read += 1
            #expect(try JSON(parsing: value.serialized) == value)
            _ = try? PrefetchRequest(value)
            _ = try? AuthorizeRequest(value)
            _ = try? ForgetRequest(value)
            if let response = try? PrefetchResponse(value) { _ = response.serverTime.seconds }
            _ = try? AuthorizeResponse(value)
            if let failure = try? DeviceFailure(value) { _ = failure.serverTime?.seconds }
            _ = try? CarrierPolicy(value)
            _ = try? ConsentContent(value)
            _ = try? DevicePublicKey(jwk: value)
        }
        #expect(read > 100, "a fuzz that only makes refusals tests nothing behind them")
    }

    private static func mutate(_ bytes: inout [UInt8], _ seeds: [[UInt8]], using generator: inout SplitMix) {
        guard !bytes.isEmpty else {
            bytes = [0x7b]
            return
        }
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: place)
        case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 4: bytes.removeSubrange(place...)
        case 5:
            let pieces = [
                "null", "-9223372036854775808", "1e999", "\"\\ud800\"", "{}", "[[[[", "\"", ",", ":", "\\u0000",
            ]
            bytes.insert(contentsOf: pieces.randomElement(using: &generator)!.utf8, at: place)
        case 6:
            // Exchange a number for an extreme one: what survives the parser must survive arithmetic.
            guard let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) else { return }
            let end = bytes[digit...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
            bytes.replaceSubrange(
                digit..<end,
                with: ["-9223372036854775808", "9223372036854775807", "-1"].randomElement(using: &generator)!.utf8)
        default:
            let other = seeds.randomElement(using: &generator)!
            let from = Int.random(in: 0..<other.count, using: &generator)
            bytes.insert(contentsOf: other[from..<min(from + 24, other.count)], at: place)
        }
    }

    private static let seeds: [JSON] = [
        Samples.prefetchRequest.json, Samples.prefetchResponse.json, Samples.authorizeRequest.json,
        Samples.authorizeResponse.json,
        Samples.failure.json, Samples.consentContent.json, CarrierPolicy.standard.json,
        SoftwareDeviceSigner().publicKey.jwk,
    ]
}

/// The generator of Steele, Lea and Flood (2014): small, and the same on every machine.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
