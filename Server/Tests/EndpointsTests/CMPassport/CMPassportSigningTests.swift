import Crypto
import CryptoExtras
import Foundation
import ServerTestKit
import Testing

@testable import Endpoints

/// The expected values were computed with md5sum, sha256sum and OpenSSL, not with this code.
@Suite("Signs of the operator dialect")
struct CMPassportSigningTests {
    @Test("the MD5 sign is that of md5sum over the joined fields, in upper case")
    func md5() {
        let sign = CMPassportSigning.loginSign(
            appID: "300000000001", version: "2.0", messageID: "335e06a28f064b999d6a25e403991e4c",
            systemTime: "20180129112955435", strictCheck: "0", token: Fixtures.loginToken, appKey: DemoKeys.appKey)
        #expect(sign == "1CF13FB9727802A993DE961769956333")
    }

    @Test("the number's hash is that of sha256sum over number, key and time, in upper case")
    func numberHash() {
        let hash = CMPassportSigning.phoneNumberHash(
            number: "14700000000", appKey: DemoKeys.appKey, timestamp: "20180129105523519")
        #expect(hash == "9BD9C351DA3B7EF2EDC0341ECF72D2B5890714C7D039B9D2D28CB340CAB8E905")
    }

    @Test("the HMAC sign is OpenSSL's over the fields in the order of their names")
    func hmac() {
        let sign = CMPassportSigning.verificationSign(
            appID: "300000000001", messageID: "f11585580266414fbde9f755451fb7a7",
            phoneNumberHash: "9BD9C351DA3B7EF2EDC0341ECF72D2B5890714C7D039B9D2D28CB340CAB8E905",
            timestamp: "20180129105523519", token: Fixtures.verificationToken, version: "1.0", appKey: DemoKeys.appKey)
        #expect(sign == "6cdc1f18ccce6f8f34905fc906594f3f3e1e554316b9b45693b068cd3a9daedc".uppercased())
    }

    @Test("the RSA sign is OpenSSL's, and is accepted in either case but for nothing else")
    func rsa() throws {
        // openssl dgst -sha256 -sign over app id and token.
        let expected =
            "A23AE75B777A5E738F631D611CAB425E3E524F137D8A608749ECA86416244C6A09469F485D64E9C55F69DDB1C05017E3"
            + "91DB8DDA109535F6C3C3AAC2E2E5E0FA57CB7BD8CB5A0D122340F94955FAAAB303CC714B8BB75B57FBA76A3E7941C20E"
            + "EEEE1091E58F0BFEA88B617EF3BBF0DB644AA6E4B9CB74ACB479A738B127AA9C3324E6620223CB206965C11B6F2F5C3E"
            + "D62ADE41F400CA5125749341678F939B591EB298AC1177CCA78EACAEDFB2A75A3B74356135F59A7BED84CCC7834A193F"
            + "81569F3B98487953B31AF99C62C31A02565B793CD87FA07BE28EC38CA39AF7167E305E2185A48C6CA7F279A58008D906"
            + "F780B772EE83F0B5AFF247313D1B9362"
        let token = Fixtures.loginToken
        #expect(
            try CMPassportPrivateKey(pem: DemoKeys.privateKey).sign(appID: "300000000001", token: token) == expected)
        let key = try CMPassportPublicKey(pem: DemoKeys.publicKey)
        #expect(key.isValid(sign: expected, appID: "300000000001", token: token))
        #expect(key.isValid(sign: expected.lowercased(), appID: "300000000001", token: token))
        #expect(!key.isValid(sign: expected, appID: "300000000002", token: token))
        #expect(!key.isValid(sign: expected, appID: "300000000001", token: String(token.dropLast())))
        #expect(!key.isValid(sign: "00" + expected, appID: "300000000001", token: token))
        #expect(!key.isValid(sign: String(expected.dropLast(2)), appID: "300000000001", token: token))
        #expect(!key.isValid(sign: "", appID: "300000000001", token: token))
        #expect(!key.isValid(sign: String(repeating: "F", count: 512), appID: "300000000001", token: token))
    }

    @Test("an encrypted number is PKCS#1 v1.5 for the app's key, different every time")
    func encryption() throws {
        let key = try CMPassportPublicKey(pem: DemoKeys.publicKey)
        let first = try key.encrypt("14700000000")
        let second = try key.encrypt("14700000000")
        #expect(first != second)
        #expect(first == first.uppercased())
        #expect(try decryptPKCS1(first) == "14700000000")
        #expect(try decryptPKCS1(second) == "14700000000")
    }

    @Test("a key under 2048 bits is not used")
    func weakKey() {
        #expect(throws: (any Error).self) { try CMPassportPublicKey(pem: DemoKeys.weakPublicKey) }
        #expect(PublicKeyCache().key(pem: DemoKeys.weakPublicKey) == nil)
    }

    @Test("the cache gives the key that was asked for, also after it was full")
    func cache() throws {
        let cache = PublicKeyCache(capacity: 1)
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey.pemRepresentation
        let sign = try CMPassportPrivateKey(pem: DemoKeys.privateKey).sign(appID: "300000000001", token: "t")
        for _ in 0..<2 {
            #expect(cache.key(pem: DemoKeys.publicKey)?.isValid(sign: sign, appID: "300000000001", token: "t") == true)
            #expect(cache.key(pem: other)?.isValid(sign: sign, appID: "300000000001", token: "t") == false)
        }
    }
}

/// Decrypts an encrypted number, as an app's server does.
func decryptPKCS1(_ hexadecimal: String) throws -> String {
    let key = try _RSA.Encryption.PrivateKey(pemRepresentation: DemoKeys.privateKey)
    var bytes = Data()
    var rest = Substring(hexadecimal)
    while !rest.isEmpty {
        bytes.append(try #require(UInt8(rest.prefix(2), radix: 16)))
        rest = rest.dropFirst(2)
    }
    return String(decoding: try key.decrypt(bytes, padding: ._WEAK_AND_INSECURE_PKCS_V1_5), as: UTF8.self)
}
