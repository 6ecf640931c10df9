package import BenjiClient
package import BenjiProtocol
import Endpoints

/// An app server's side of GeYan's gy_get_pn.
package struct GeYanClient: Sendable {
    /// An answer: the code in `data.result`, and the whole body.
    package struct Answer: Hashable, Sendable {
        package var code: String
        package var body: JSON

        package var number: String? { body["data"]?["data"]?["pn"]?.stringValue }
    }

    /// How the request shows whose it is.
    package enum Form: Hashable, Sendable {
        case unsigned
        case longSign
        case shortSign
    }

    private let line: AppServerLine
    private let appID: AppID
    private let masterSecret: String
    private let clock: any WallClock

    /// - Parameters:
    ///   - masterSecret: the app's server secret.
    ///   - source: the address that the requests leave by, which the app must have registered.
    package init(
        server: ServerURL, appID: AppID, masterSecret: String, source: InternetAddress, secrets: SecretsList? = nil,
        clock: some WallClock = SystemWallClock()
    ) {
        line = AppServerLine(server: server, source: source, secrets: secrets)
        self.appID = appID
        self.masterSecret = masterSecret
        self.clock = clock
    }

    /// Redeems a login token for the number, by version 2 of the interface.
    package func getNumber(_ token: String, process: TraceID?, form: Form = .longSign) async throws -> Answer {
        let timestamp = String(clock.now.milliseconds)
        var members = [JSON.Member("appId", .string(appID.rawValue)), JSON.Member("token", .string(token))]
        if let process { members.append(JSON.Member("processId", .string(process.rawValue))) }
        if form != .unsigned { members.append(JSON.Member("timestamp", .string(timestamp))) }
        let sign: String? =
            switch form {
            case .unsigned: nil
            case .longSign:
                GeYanSigning.joined(.object(members)).map { GeYanSigning.longSign(joined: $0, key: masterSecret) }
            case .shortSign: GeYanSigning.shortSign(timestamp: timestamp, key: masterSecret)
            }
        if let sign { members.append(JSON.Member("sign", .string(sign))) }
        let (status, body) = try await line.post(GeYanEndpoints.Path.version2.rawValue, .object(members))
        return Answer(code: body["data"]?["result"]?.stringValue ?? "HTTP \(status)", body: body)
    }
}
