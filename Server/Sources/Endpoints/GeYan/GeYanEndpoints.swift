import Authority
@_spi(Server) import BenjiProtocol
import Catalogue
package import Requests
package import ServerHTTP
import Store

/// GeYan's server interface gy_get_pn, in both versions: a token in, a number out.
///
/// Each request is parsed strictly, checked field by field, then for its sign, and only then handed to the authority.
package struct GeYanEndpoints: Sendable {
    let service: any ServerService

    package init(service: any ServerService) { self.service = service }

    /// The addresses of the two versions.
    package enum Path: String, Sendable, CaseIterable {
        /// The older one. The number comes in clear.
        case version1 = "/v1/gy/ct_login/gy_get_pn"
        /// Also takes the short sign, and then encrypts the number.
        case version2 = "/v2/gy/ct_login/gy_get_pn"
    }

    package var routes: [EndpointRoute] {
        Path.allCases.map { path in
            EndpointRoute.appServer(path.rawValue) { body, peer in await answer(path, body: body, peer: peer) }
        }
    }

    func answer(_ path: Path, body: Result<JSON, Refusal>, peer: InternetAddress?) async -> ServerAnswer {
        let result: ServerResult
        var trace: TraceID?
        var number: String?
        do throws(Refusal) {
            (number, trace) = try await getNumber(GeYanRequest(try body.get()), at: path, peer: peer)
            result = ServerResult(.success, in: .geyanServer, fallback: "50000")
        } catch {
            trace = error.trace
            result = ServerResult(error.situation, in: .geyanServer, fallback: "50000")
        }
        return ServerAnswer(
            json: .object([
                "errno": 0,
                "data": .object([
                    "result": .string(result.code), "msg": .string(result.description),
                    "data": number.map { .object(["pn": .string($0)]) },
                ]),
            ]), code: result.code, trace: trace)
    }

    private func getNumber(
        _ request: GeYanRequest, at path: Path, peer: InternetAddress?
    ) async throws(Refusal) -> (String, TraceID) {
        try await service.withApp(request.appID) { app throws(Refusal) in
            try await judge(request, at: path, of: app, peer: peer)
        } redeem: { judged throws(Refusal) -> (String, TraceID) in
            try await service.redeemNumber(judged.call, token: request.token, encryptedBy: judged.cipher)
        }
    }

    private func judge(
        _ request: GeYanRequest, at path: Path, of app: RegisteredApp, peer: InternetAddress?
    ) async throws(Refusal) -> (call: AdmittedCall, cipher: ZeroVectorCipher?) {
        let form = try request.form(of: app, takesShortSign: path == .version2)
        let call = ServerCall(
            app: app, key: form.key, trace: request.process, interface: "gy_get_pn",
            peer: try ServerCall.address(of: peer),
            sentAt: request.timestamp.flatMap(MillisecondTime.parse))
        let admitted = try await service.admit(call, needs: .login)
        if app.record.requestTimeTolerance != nil, call.sentAt == nil {
            throw Refusal(.timestampInvalid, "$.timestamp: missing, and the app is registered for a time tolerance")
        }
        guard case .shortSign(let key) = form else { return (admitted, nil) }
        // Needed before the token is spent: a number that cannot be encrypted must not be paid for.
        guard let cipher = ZeroVectorCipher(appKey: key.key.reveal(), keyBytes: 16) else {
            throw Refusal(.encryptionFailed, "the app's key has not the 16 bytes that the encryption needs")
        }
        return (admitted, cipher)
    }
}
