import BenjiProtocol
import Crypto

/// Writes what an attacker might: any header and payload, under any key.
struct Forge {
    var header: [JSON.Member]
    var payload: [JSON.Member]
    var key = P256.Signing.PrivateKey()

    /// A correct proof for `POST https://gate.example/device/v1/prefetch` with the body `{}`, to be spoiled.
    static func proof(key: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) -> Forge {
        Forge(
            header: [
                JSON.Member("typ", "dpop+jwt"), JSON.Member("alg", "ES256"),
                JSON.Member("jwk", DevicePublicKey(key.publicKey).jwk),
            ],
            payload: [
                JSON.Member("jti", "0123456789abcdef"), JSON.Member("htm", "POST"),
                JSON.Member("htu", "https://gate.example/device/v1/prefetch"), JSON.Member("iat", 1_790_000_000),
                JSON.Member("bh", .string(DeviceProof.hash(of: Array("{}".utf8)))),
            ], key: key)
    }

    static func set(_ name: String, _ value: JSON?, in members: inout [JSON.Member]) {
        members.removeAll { $0.name == name }
        if let value { members.append(JSON.Member(name, value)) }
    }

    var text: String {
        get throws {
            let input =
                "\(Base64URL.encode(JSON.object(header).serialized))"
                + ".\(Base64URL.encode(JSON.object(payload).serialized))"
            let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
            return "\(input).\(Base64URL.encode(Array(signature)))"
        }
    }
}
