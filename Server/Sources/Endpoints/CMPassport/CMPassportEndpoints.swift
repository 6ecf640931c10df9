internal import Authority
public import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Store

/// The operator dialect: three interfaces as documents 000 and 001 print them, for the servers that already speak them.
///
/// Each request is parsed strictly, checked field by field, then for its sign, and only then handed to the authority.
/// The HTTP status is 200 whatever the code, because callers look nowhere else.
public struct CMPassportEndpoints: Sendable {
    /// The largest request that is read, in bytes.
    public static let greatestBody = 32 * 1024

    let desk: any ServerDesk
    let clock: any WallClock
    let keys = PublicKeyCache()

    public init(desk: any ServerDesk, clock: any WallClock = SystemWallClock()) {
        self.desk = desk
        self.clock = clock
    }

    /// The addresses of the three interfaces.
    public enum Path: String, Sendable, CaseIterable {
        /// 获取手机号码, document 000 §5.1.
        case loginTokenValidate = "/unisdk/rsapi/loginTokenValidate"
        /// 本机号码校验, document 000 §5.2.
        case numberVerification = "/openapi/rs/tokenValidate"
        /// 获取用户信息, document 001 §3.1.
        case userInformation = "/unisdk/rsapi/tokenValidate"
    }

    public var routes: [EndpointRoute] {
        Path.allCases.map { path in
            EndpointRoute(.post, path.rawValue) { request, context in
                let body: Result<[UInt8], Refusal>
                do {
                    body = .success(try await request.bytes(upTo: Self.greatestBody))
                } catch Situation.bodyTooLarge {
                    body = .failure(Refusal(.bodyTooLarge, "at most \(Self.greatestBody) bytes"))
                }
                let answer = await answer(path, body: body, peer: context.peer?.address)
                context.outcome.note(code: answer.code, trace: answer.trace)
                var response = Response(answer.json)
                if case .failure = body { response.headers[.connection] = "close" }
                return response
            }
        }
    }

    /// Answers one request.
    /// - Parameter peer: the address that the connection came from; without one, no allow-list can let it in.
    func answer(_ path: Path, body: Result<[UInt8], Refusal>, peer: IPAddress?) async -> CMPassportAnswer {
        var json = JSON.null
        var problem: Refusal?
        do {
            json = try JSON(parsing: try body.get())
        } catch let refusal as Refusal {
            problem = refusal
        } catch {
            problem = Refusal(.malformedRequest, "the body is not JSON")
        }
        switch path {
        case .loginTokenValidate: return await loginTokenValidate(json, problem: problem, peer: peer)
        case .numberVerification: return await verifyNumber(json, problem: problem, peer: peer)
        case .userInformation: return await userInformation(json, problem: problem, peer: peer)
        }
    }

    func peerAddress(_ peer: IPAddress?) throws(Refusal) -> IPAddress {
        guard let peer else { throw Refusal(.serverAddressNotAllowed, "the connection has no address") }
        return peer
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
