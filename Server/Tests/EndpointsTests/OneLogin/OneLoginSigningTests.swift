import ServerTestKit
import Testing

@testable import Endpoints

@Suite("OneLogin's sign and its encryption of numbers")
struct OneLoginSigningTests {
    private let key = "gywzffojtnzl0vd6kcut8fcgyud5wg49"

    @Test("the sign is what an independent HMAC-SHA256 makes of app id, two ampersands and time")
    func sign() {
        #expect(
            OneLoginSigning.sign(
                appID: "zoekwui1hnmg49x5fwzf5la0ml5dziwn", timestamp: "1542355862990", appKey: key)
                == "6ef12cd35800607896a0e82b2a53955d679f97ff63e2a17954ddfbd3f7647501")
    }

    @Test("a number is encrypted as OpenSSL does under the same key and vector, with AES-256 and with AES-128")
    func encryption() throws {
        let long = try #require(ZeroVectorCipher(appKey: key, keyBytes: 32))
        #expect(try long.encrypt("13800138000") == "2eadf1abdc80bb61e3967761c8deaa1a")
        let short = try #require(ZeroVectorCipher(appKey: key, keyBytes: 16))
        #expect(try short.encrypt("13800138000") == "506dc87184226435de0800fbe94747e2")
    }

    @Test("a key that is too short for the cipher makes none")
    func shortKey() {
        #expect(ZeroVectorCipher(appKey: "31 bytes are not enough for it.", keyBytes: 32) == nil)
        #expect(ZeroVectorCipher(appKey: "fifteen bytes..", keyBytes: 16) == nil)
    }
}
