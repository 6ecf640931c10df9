@_spi(Server) import BenjiProtocol
import ServerTestKit

@testable import Endpoints

/// Requests of the three interfaces as the documents' examples print them, signed with the demo keys.
enum Requests {
    typealias Members = [JSON.Member]

    static func loginFields(
        appID: String = "300000000001", version: String = "2.0", messageID: String = "335e06a28f064b999d6a25e403991e4c",
        systemTime: String = "20180129112955435", strictCheck: String = "0", token: String = Fixtures.loginToken
    ) -> [String: String] {
        [
            "appid": appID, "version": version, "msgid": messageID, "systemtime": systemTime,
            "strictcheck": strictCheck,
            "token": token,
        ]
    }

    /// TYRZSDK's document §5.1.3, signed with MD5 over whatever the fields hold.
    static func login(_ fields: [String: String] = loginFields(), appKey: String = DemoKeys.appKey) -> JSON {
        let sign = CMPassportSigning.loginSign(
            appID: fields["appid"] ?? "", version: fields["version"] ?? "", messageID: fields["msgid"] ?? "",
            systemTime: fields["systemtime"] ?? "", strictCheck: fields["strictcheck"] ?? "",
            token: fields["token"] ?? "", appKey: appKey)
        return object(fields).setting("sign", .string(sign))
    }

    /// The same in RSA mode.
    static func loginRSA(_ fields: [String: String] = loginFields()) throws -> JSON {
        let key = try CMPassportPrivateKey(pem: DemoKeys.privateKey)
        return object(fields).setting("encryptionalgorithm", "RSA")
            .setting("sign", .string(try key.sign(appID: fields["appid"] ?? "", token: fields["token"] ?? "")))
    }

    static func verificationFields(
        appID: String = "300000000001", version: String = "1.0", messageID: String = "f11585580266414fbde9f755451fb7a7",
        timestamp: String = "20180129105523519", number: String = "14700000000",
        token: String = Fixtures.verificationToken, appKey: String = DemoKeys.appKey
    ) -> [String: String] {
        [
            "appId": appID, "version": version, "msgId": messageID, "timestamp": timestamp, "token": token,
            "phoneNum": CMPassportSigning.phoneNumberHash(
                number: number, appKey: appKey, timestamp: timestamp),
        ]
    }

    /// TYRZSDK's document §5.2.3, signed with HMAC over whatever the fields hold.
    static func verification(
        _ fields: [String: String] = verificationFields(), appKey: String = DemoKeys.appKey
    ) -> JSON {
        let sign = CMPassportSigning.verificationSign(
            appID: fields["appId"] ?? "", messageID: fields["msgId"] ?? "", phoneNumberHash: fields["phoneNum"] ?? "",
            timestamp: fields["timestamp"] ?? "", token: fields["token"] ?? "", version: fields["version"] ?? "",
            appKey: appKey)
        let headerNames: Set = ["appId", "version", "msgId", "timestamp"]
        return .object([
            "body": object(fields.filter { !headerNames.contains($0.key) }).setting("openType", "1")
                .setting("requesterType", "0").setting("sign", .string(sign)),
            "header": object(fields.filter { headerNames.contains($0.key) }),
        ])
    }

    /// TYRZLogin's document §3.1.3.
    static func user(
        appID: String = "300000000001", messageID: String = "4d1953f426a14b2ba9edd07b269cea70",
        token: String = Fixtures.userToken, sourceID: String? = "800120170818101447",
        targetSourceID: String? = nil
    ) throws -> JSON {
        let key = try CMPassportPrivateKey(pem: DemoKeys.privateKey)
        return .object([
            "header": .object([
                "strictcheck": "0", "version": "1.0", "msgid": .string(messageID),
                "systemtime": "20171109145619809", "appid": .string(appID), "apptype": "5",
                "sourceid": sourceID.map { .string($0) }, "ssotosourceid": targetSourceID.map { .string($0) },
                "sign": .string(try key.sign(appID: appID, token: token)),
            ]), "body": .object(["token": .string(token)]),
        ])
    }

    private static func object(_ fields: [String: String]) -> JSON {
        .object(fields.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
    }
}

extension JSON {
    /// The value with one member set, added or (with `nil`) removed. `path` may name a member of a member:
    /// `header.msgId`.
    func setting(_ path: String, _ value: JSON?) -> JSON {
        guard case .object(var members) = self else { return self }
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        let new = parts.count == 2 ? self[parts[0]]?.setting(parts[1], value) : value
        if let index = members.firstIndex(where: { $0.name == parts[0] }) {
            if let new { members[index].value = new } else { members.remove(at: index) }
        } else if let new {
            members.append(Member(parts[0], new))
        }
        return .object(members)
    }
}

extension CMPassportEndpoints {
    init(_ service: ScriptedServerService) { self.init(service: service, clock: TestClock.document) }

    func answer(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> JSON {
        await answer(path, body: .success(json), peer: peer).json
    }

    func code(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> String {
        await answer(path, body: .success(json), peer: peer).code
    }
}
