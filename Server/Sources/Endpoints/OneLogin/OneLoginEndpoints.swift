import Authority
import BenjiProtocol
import Catalogue
package import Requests
package import ServerHTTP
import Store

/// OneLogin's and OnePass's server interfaces: a token in, and a number, or a yes or no, out.
///
/// Each request is parsed strictly, checked field by field, then for its sign, and only then handed to the authority.
package struct OneLoginEndpoints: Sendable {
    let service: any ServerService

    package init(service: any ServerService) { self.service = service }

    /// The addresses of the two interfaces.
    package enum Path: String, Sendable, CaseIterable {
        /// OneLogin: the number behind a login token.
        case checkPhone = "/check_phone"
        /// OnePass: whether a number is the phone's own.
        case checkGateway = "/v2.0/check_gateway"

        var table: CodeTable {
            switch self {
            case .checkPhone: .oneLoginServer
            case .checkGateway: .onePassServer
            }
        }

        /// For the ledger and the trace.
        var interface: String {
            switch self {
            case .checkPhone: "check_phone"
            case .checkGateway: "check_gateway"
            }
        }

        var capability: Capability {
            switch self {
            case .checkPhone: .login
            case .checkGateway: .verification
            }
        }
    }

    package var routes: [EndpointRoute] {
        Path.allCases.map { path in
            EndpointRoute.appServer(path.rawValue) { body, peer in await answer(path, body: body, peer: peer) }
        }
    }

    func answer(_ path: Path, body: Result<JSON, Refusal>, peer: InternetAddress?) async -> ServerAnswer {
        do throws(Refusal) {
            let json = try body.get()
            switch path {
            case .checkPhone: return try await checkPhone(CheckPhoneRequest(json), peer: peer)
            case .checkGateway: return try await checkGateway(CheckGatewayRequest(json), peer: peer)
            }
        } catch {
            let result = Self.result(error.situation, path)
            var members = [
                JSON.Member("status", .number(result.code)), JSON.Member("error_msg", .string(result.description)),
                JSON.Member("result", ""),
            ]
            if path == .checkPhone { members.append(JSON.Member("charge", .bool(false))) }
            return ServerAnswer(json: .object(members), code: result.code, trace: error.trace)
        }
    }

    static func result(_ situation: Situation, _ path: Path) -> ServerResult {
        ServerResult(situation, in: path.table, fallback: "500")
    }

    /// The call, if its sign is right and the app may make it.
    func judge(
        _ request: OneLoginRequest, at path: Path, of app: RegisteredApp, peer: InternetAddress?
    ) async throws(Refusal) -> AdmittedCall {
        guard let key = app.serverKey({ request.isSigned(with: $0, appID: app.record.id) }) else {
            throw Refusal(.signWrong, "the sign is wrong")
        }
        let call = ServerCall(
            app: app, key: key, trace: request.process, interface: path.interface,
            peer: try ServerCall.address(of: peer),
            sentAt: MillisecondTime.parse(request.timestamp))
        return try await service.admit(call, needs: path.capability)
    }

    /// The app that asks. Requests seldom name it, so it is the one that the token was issued to.
    func app(of request: OneLoginRequest) async throws(Refusal) -> AppID {
        if let id = request.appID { return id }
        return try await service.app(ofToken: request.token, trace: request.process)
    }
}
