#if canImport(Darwin)
private import Darwin
#elseif canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#endif

/// Where unpredictable bytes come from. Passed in everywhere; only tests pass anything but ``SystemRandomSource``.
public protocol RandomSource: Sendable {
    /// Returns `count` unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's cryptographic random generator.
public struct SystemRandomSource: RandomSource {
    public init() {}

    /// One call of the system for all bytes. `SystemRandomNumberGenerator` makes one for each number that is drawn.
    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            Self.fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
            initialized = count
        }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return }
        #if canImport(Darwin)
        arc4random_buf(start, buffer.count)
        #elseif canImport(Glibc) || canImport(Musl)
        // getentropy(3) gives 256 bytes at most in one call, and is not cut short by signals.
        var place = 0
        while place < buffer.count {
            let part = min(256, buffer.count - place)
            // Without randomness nothing may be issued.
            precondition(getentropy(start + place, part) == 0, "the system gives no random bytes")
            place += part
        }
        #else
        var generator = SystemRandomNumberGenerator()
        var place = 0
        while place < buffer.count {
            withUnsafeBytes(of: generator.next()) { word in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[place...])
                rest.copyBytes(from: word.prefix(rest.count))
                place += min(word.count, rest.count)
            }
        }
        #endif
    }
}

extension RandomSource {
    /// `count` letters and digits, each drawn evenly from 62: 5.95 bits a character.
    public func alphanumerics(_ count: Int) -> String {
        var characters: [UInt8] = []
        characters.reserveCapacity(count)
        while characters.count < count {
            // Bytes of 248 and above are discarded: 248 = 4 × 62, so the others are uniform.
            for byte in bytes(count - characters.count) where byte < 248 {
                characters.append(CredentialGrammar.digits[Int(byte) % 62])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
