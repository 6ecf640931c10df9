@_spi(Server) import BenjiProtocol
import Store

@testable import Authority
@testable import Endpoints
@testable import Requests
@testable import ServerHTTP

/// Requests of OneLogin's, OnePass's and GeYan's servers, signed with a key of the length that the authority gives.
enum VendorRequests {
    static let oneLoginApp = AppID(rawValue: "zoekwui1hnmg49x5fwzf5la0ml5dziwn")!
    static let geYanApp = AppID(rawValue: "oCRdOzLa9S8Jyf3hVbpYa5")!
    static let appKey = "gywzffojtnzl0vd6kcut8fcgyud5wg49"
    static let timestamp = "1542355862990"
    static let number = "14700000000"

    static func app(
        _ id: AppID = oneLoginApp, key: String = appKey, change: (inout AppRecord) -> Void = { _ in }
    ) -> RegisteredApp {
        var record = Fixtures.app(id).record
        change(&record)
        return RegisteredApp(record: record, key: AppKey(key))
    }

    static func checkPhone(
        token: String = Fixtures.loginToken, process: TraceID = Fixtures.trace, app: String = oneLoginApp.rawValue,
        key: String = appKey, timestamp: String = timestamp
    ) -> JSON {
        .object([
            "process_id": .string(process.rawValue), "token": .string(token), "timestamp": .string(timestamp),
            "sign": .string(OneLoginSigning.sign(appID: app, timestamp: timestamp, appKey: key)),
        ])
    }

    static func checkGateway(
        token: String = Fixtures.verificationToken, process: TraceID = Fixtures.trace, number: String = number,
        app: String = oneLoginApp.rawValue, key: String = appKey, timestamp: String = timestamp
    ) -> JSON {
        .object([
            "process_id": .string(process.rawValue), "accesscode": .string(token), "phone": .string(number),
            "timestamp": .string(timestamp),
            "sign": .string(OneLoginSigning.sign(appID: app, timestamp: timestamp, appKey: key)),
        ])
    }

    static func getNumber(
        token: String = Fixtures.loginToken, process: TraceID? = Fixtures.trace, app: String = geYanApp.rawValue
    ) -> JSON {
        .object([
            "appId": .string(app), "gyuid": "GY_1", "token": .string(token),
            "processId": process.map { .string($0.rawValue) },
        ])
    }

    /// With GeYan's sign over all members.
    static func longSigned(_ request: JSON = getNumber(), key: String = appKey) -> JSON {
        let joined = GeYanSigning.joined(request) ?? ""
        return request.setting("sign", .string(GeYanSigning.longSign(joined: joined, key: key)))
    }

    /// As clients of version 2 sign: the time only, which they send as a number.
    static func shortSigned(_ request: JSON = getNumber(process: nil), key: String = appKey) -> JSON {
        request.setting("timestamp", .number(timestamp))
            .setting("sign", .string(GeYanSigning.shortSign(timestamp: timestamp, key: key)))
    }
}

extension OneLoginEndpoints {
    init(_ script: ScriptedServerService.Script) { self.init(service: ScriptedServerService(script)) }

    func answer(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> JSON {
        await answer(path, body: EndpointRoute.parse(json.serialized), peer: peer).json
    }

    func code(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> String {
        await answer(path, body: EndpointRoute.parse(json.serialized), peer: peer).code
    }
}

extension GeYanEndpoints {
    init(_ script: ScriptedServerService.Script) { self.init(service: ScriptedServerService(script)) }

    func answer(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> JSON {
        await answer(path, body: EndpointRoute.parse(json.serialized), peer: peer).json
    }

    func code(_ path: Path, _ json: JSON, from peer: InternetAddress? = Fixtures.server) async -> String {
        await answer(path, body: EndpointRoute.parse(json.serialized), peer: peer).code
    }
}

extension ScriptedServerService.Script {
    /// With one app, to which every token was issued.
    static func only(_ app: RegisteredApp, refusal: Refusal? = nil) -> Self {
        Self(apps: [app.record.id: app], owner: app.record.id, refusal: refusal)
    }
}
