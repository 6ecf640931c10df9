/// Where unpredictable bytes come from. Passed in everywhere; only tests pass anything but ``SystemRandomSource``.
public protocol RandomSource: Sendable {
    /// `count` bytes that nobody can predict.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's cryptographic random generator.
public struct SystemRandomSource: RandomSource {
    public init() {}

    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

extension RandomSource {
    /// `count` letters and digits, each drawn evenly from 62: 5.95 bits a character.
    public func alphanumerics(_ count: Int) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        var characters: [UInt8] = []
        characters.reserveCapacity(count)
        while characters.count < count {
            // Bytes of 248 and above are thrown away: 248 = 4 × 62, so what is left is even.
            for byte in bytes(count - characters.count) where byte < 248 { characters.append(alphabet[Int(byte) % 62]) }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
