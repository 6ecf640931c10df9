import Authority
package import BenjiProtocol
package import Requests
package import ServerHTTP
import Store

/// The operator dialect: three interfaces as TYRZSDK's and TYRZLogin's documents print them, for the servers that
/// already speak them.
///
/// Each request is parsed strictly, checked field by field, then for its sign, and only then handed to the authority.
/// The HTTP status is 200 whatever the code, because callers look nowhere else.
package struct CMPassportEndpoints: Sendable {
    let service: any ServerService
    let clock: any WallClock
    let keys = PublicKeyCache()

    package init(service: any ServerService, clock: any WallClock = SystemWallClock()) {
        self.service = service
        self.clock = clock
    }

    /// The addresses of the three interfaces.
    package enum Path: String, Sendable, CaseIterable {
        /// 获取手机号码, TYRZSDK's document §5.1.
        case loginTokenValidate = "/unisdk/rsapi/loginTokenValidate"
        /// 本机号码校验, TYRZSDK's document §5.2.
        case numberVerification = "/openapi/rs/tokenValidate"
        /// 获取用户信息, TYRZLogin's document §3.1.
        case userInformation = "/unisdk/rsapi/tokenValidate"
    }

    package var routes: [EndpointRoute] {
        Path.allCases.map { path in
            EndpointRoute.appServer(path.rawValue) { body, peer in await answer(path, body: body, peer: peer) }
        }
    }

    /// Answers one request.
    /// - Parameter peer: the address that the connection came from; without one, no allow-list can let it in.
    func answer(_ path: Path, body: Result<JSON, Refusal>, peer: InternetAddress?) async -> ServerAnswer {
        var json = JSON.null
        var problem: Refusal?
        switch body {
        case .success(let parsed): json = parsed
        case .failure(let refusal): problem = refusal
        }
        switch path {
        case .loginTokenValidate: return await loginTokenValidate(json, problem: problem, peer: peer)
        case .numberVerification: return await verifyNumber(json, problem: problem, peer: peer)
        case .userInformation: return await userInformation(json, problem: problem, peer: peer)
        }
    }

    /// The app's RSA key.
    func publicKey(of app: RegisteredApp) throws(Refusal) -> CMPassportPublicKey {
        guard let key = app.record.rsaPublicKey.flatMap(keys.key(pem:)) else {
            throw Refusal(.publicKeyMissing, "the app has no usable RSA public key")
        }
        return key
    }

    func encrypt(_ text: String, for key: CMPassportPublicKey, trace: TraceID) throws(Refusal) -> String {
        do { return try key.encrypt(text) } catch {
            throw Refusal(.encryptionFailed, "the number could not be encrypted", trace: trace)
        }
    }
}
