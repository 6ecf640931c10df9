import BenchmarkSupport
import Crypto

/// The yardstick: ECDSA over P-256, as device keys sign.
enum Signatures {
    /// Processor time that checking three signatures takes, mean of `count` times.
    static func microseconds(count: Int) throws -> Double {
        let key = P256.Signing.PrivateKey()
        let message = [UInt8](repeating: 7, count: 500)
        let signature = try key.signature(for: message)
        var valid = 0
        let before = ProcessUsage.own.processor
        for _ in 0..<(3 * count) where key.publicKey.isValidSignature(signature, for: message) { valid += 1 }
        let time = ProcessUsage.own.processor - before
        guard valid == 3 * count else { throw BenchmarkFailure("a signature does not hold") }
        return time / Double(count) * 1e6
    }
}
