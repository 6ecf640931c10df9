package import BenjiClient
package import BenjiProtocol
import Endpoints

/// An app server's side of OneLogin's and OnePass's interfaces.
package struct OneLoginClient: Sendable {
    /// An answer: the code in `status`, and the whole body.
    package struct Answer: Hashable, Sendable {
        package var code: String
        package var body: JSON

        package var result: String? { body["result"]?.stringValue }
    }

    private let line: AppServerLine
    private let appID: AppID
    private let serverSecret: String
    private let clock: any WallClock

    /// - Parameter source: the address that the requests leave by, which the app must have registered.
    package init(
        server: ServerURL, appID: AppID, serverSecret: String, source: InternetAddress, secrets: SecretsList? = nil,
        clock: some WallClock = SystemWallClock()
    ) {
        line = AppServerLine(server: server, source: source, secrets: secrets)
        self.appID = appID
        self.serverSecret = serverSecret
        self.clock = clock
    }

    /// Redeems a login token for the number.
    package func checkPhone(_ token: String, process: TraceID, encrypts: Bool = false) async throws -> Answer {
        try await post(
            .checkPhone,
            .object([
                "process_id": .string(process.rawValue), "token": .string(token),
                "is_phone_encode": encrypts ? .bool(true) : nil,
            ]))
    }

    /// Asks whether a number is the phone's own: `0` yes, `1` no.
    package func checkGateway(_ token: String, process: TraceID, number: String) async throws -> Answer {
        try await post(
            .checkGateway,
            .object([
                "process_id": .string(process.rawValue), "accesscode": .string(token), "phone": .string(number),
            ]))
    }

    private func post(_ path: OneLoginEndpoints.Path, _ request: JSON) async throws -> Answer {
        guard case .object(var members) = request else { throw JSONError(place: "$", problem: "must be an object") }
        let timestamp = String(clock.now.milliseconds)
        let sign = OneLoginSigning.sign(appID: appID.rawValue, timestamp: timestamp, appKey: serverSecret)
        members += [JSON.Member("timestamp", .string(timestamp)), JSON.Member("sign", .string(sign))]
        let (status, body) = try await line.post(path.rawValue, .object(members))
        return Answer(code: body["status"]?.integerValue.map { String($0) } ?? "HTTP \(status)", body: body)
    }
}
