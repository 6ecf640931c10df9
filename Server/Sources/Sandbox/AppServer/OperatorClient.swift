package import BenjiClient
@_spi(Server) package import BenjiProtocol
import Endpoints
import Foundation

/// An app server's side of the operator dialect: signs requests as TYRZSDK's and TYRZLogin's documents print them, and
/// sends them.
package struct OperatorClient: Sendable {
    /// An answer of the operator interface.
    package struct Answer: Hashable, Sendable {
        package var code: String
        /// The whole answer.
        package var body: JSON
    }

    private let line: AppServerLine
    private let appID: AppID
    private let serverSecret: String
    private let clock: any WallClock
    private let random: any RandomSource

    /// - Parameter source: the address that the requests leave by, which the app must have registered.
    package init(
        server: ServerURL, appID: AppID, serverSecret: String, source: InternetAddress, secrets: SecretsList? = nil,
        clock: some WallClock = SystemWallClock(), random: some RandomSource = SystemRandomSource()
    ) {
        line = AppServerLine(server: server, source: source, secrets: secrets)
        self.appID = appID
        self.serverSecret = serverSecret
        self.clock = clock
        self.random = random
    }

    /// One that asks over a transport of the caller's.
    package init(server: ServerURL, appID: AppID, serverSecret: String, transport: any Transport) {
        line = AppServerLine(server: server, transport: transport)
        self.appID = appID
        self.serverSecret = serverSecret
        clock = SystemWallClock()
        random = SystemRandomSource()
    }

    /// Redeems a login token (TYRZSDK §5.1, MD5).
    /// - Parameter spoilsSign: signs with a key that is not the app's, to see it refused.
    package func loginTokenValidate(_ token: String, spoilsSign: Bool = false) async throws -> Answer {
        try await post(
            CMPassportEndpoints.Path.loginTokenValidate.rawValue,
            Self.loginBody(
                token, appID: appID, serverSecret: spoilsSign ? "not the secret" : serverSecret, now: clock.now,
                random: random))
    }

    /// Asks whether a number is the phone's own (TYRZSDK §5.2, HMAC-SHA256).
    package func verify(_ token: String, number: PhoneNumber) async throws -> Answer {
        try await post(
            CMPassportEndpoints.Path.numberVerification.rawValue,
            Self.verificationBody(
                token, nationalNumber: number.national, appID: appID, serverSecret: serverSecret, now: clock.now,
                random: random))
    }

    /// Redeems a login token by the server API.
    package func redeem(_ token: String) async throws -> Answer {
        try await callServerAPI(.redeem, .object(["token": .string(token)]))
    }

    /// Asks by the server API whether a number is the phone's own.
    package func compare(_ token: String, number: PhoneNumber) async throws -> Answer {
        try await callServerAPI(.verify, .object(["token": .string(token), "number": .string("+" + number.e164)]))
    }

    private func callServerAPI(_ path: ServerAPIEndpoints.Path, _ body: JSON) async throws -> Answer {
        let credentials = Data("\(appID.rawValue):\(serverSecret)".utf8).base64EncodedString()
        let (status, answer) = try await line.post(path.rawValue, body, authorization: "Basic \(credentials)")
        let code = status == 200 ? Situation.success.rawValue : answer["code"]?.stringValue ?? "HTTP \(status)"
        return Answer(code: code, body: answer)
    }

    /// A signed request to loginTokenValidate.
    package static func loginBody(
        _ token: String, appID: AppID, serverSecret: String, now: Timestamp, random: any RandomSource
    ) -> JSON {
        let messageID = Hexadecimal.encode(random.bytes(16))
        let time = CMPassportTime.format(now)
        let sign = CMPassportSigning.loginSign(
            appID: appID.rawValue, version: "2.0", messageID: messageID, systemTime: time, strictCheck: "0",
            token: token, appKey: serverSecret)
        return .object([
            "appid": .string(appID.rawValue), "version": "2.0", "msgid": .string(messageID),
            "systemtime": .string(time), "strictcheck": "0", "token": .string(token), "sign": .string(sign),
        ])
    }

    /// A signed request of the number verification.
    /// - Parameter nationalNumber: as people of the country write it.
    package static func verificationBody(
        _ token: String, nationalNumber: String, appID: AppID, serverSecret: String, now: Timestamp,
        random: any RandomSource
    ) -> JSON {
        let messageID = Hexadecimal.encode(random.bytes(16))
        let time = CMPassportTime.format(now)
        let hash = CMPassportSigning.phoneNumberHash(number: nationalNumber, appKey: serverSecret, timestamp: time)
        let sign = CMPassportSigning.verificationSign(
            appID: appID.rawValue, messageID: messageID, phoneNumberHash: hash, timestamp: time, token: token,
            version: "1.0", appKey: serverSecret)
        return .object([
            "header": .object([
                "version": "1.0", "msgId": .string(messageID), "timestamp": .string(time),
                "appId": .string(appID.rawValue),
            ]),
            "body": .object([
                "openType": "1", "requesterType": "0", "phoneNum": .string(hash), "token": .string(token),
                "sign": .string(sign),
            ]),
        ])
    }

    private func post(_ path: String, _ body: JSON) async throws -> Answer {
        let (status, answer) = try await line.post(path, body)
        let code = answer["resultCode"] ?? answer["header"]?["resultCode"]
        return Answer(code: code?.stringValue ?? "HTTP \(status)", body: answer)
    }
}
