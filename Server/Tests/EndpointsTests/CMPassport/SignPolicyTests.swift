@_spi(Server) import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import Endpoints
@testable import Requests

@Suite("Which sign counts")
struct SignPolicyTests {
    private func service(_ app: RegisteredApp) -> ScriptedServerService {
        ScriptedServerService(.init(apps: [app.record.id: app]))
    }

    @Test("an app registered for RSA cannot be called with MD5, nor the other way round")
    func pinned() async throws {
        let rsa = service(Fixtures.app(algorithm: .rsa))
        #expect(await CMPassportEndpoints(rsa).code(.loginTokenValidate, Requests.login()) == "103101")
        for name in ["MD5", "rsa", "0", ""] {
            let downgraded = Requests.login().setting("encryptionalgorithm", .string(name))
            #expect(await CMPassportEndpoints(rsa).code(.loginTokenValidate, downgraded) == "103101")
        }
        #expect(rsa.seen.tokens.isEmpty)
        let md5 = service(Fixtures.app(algorithm: .md5))
        #expect(await CMPassportEndpoints(md5).code(.loginTokenValidate, try Requests.loginRSA()) == "103101")
        #expect(md5.seen.tokens.isEmpty)
    }

    @Test(
        """
        an app without a key gets 105011 from TYRZSDK's document and 103120 from TYRZLogin's, and its token stays \
        unspent
        """
    )
    func noKey() async throws {
        let service = service(Fixtures.app(algorithm: .rsa, publicKey: nil))
        #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, try Requests.loginRSA()) == "105011")
        #expect(await CMPassportEndpoints(service).code(.userInformation, try Requests.user()) == "103120")
        #expect(service.seen.tokens.isEmpty)
    }

    @Test("a key of 1024 bits counts as none")
    func weakKey() async throws {
        let service = service(Fixtures.app(algorithm: .rsa, publicKey: DemoKeys.weakPublicKey))
        #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, try Requests.loginRSA()) == "105011")
    }

    @Test("a sign made with another app's key is wrong, and nothing is said about the app's state")
    func otherKey() async {
        let app = RegisteredApp(record: Fixtures.app().record, key: AppKey("another"))
        let service = ScriptedServerService(
            .init(apps: [app.record.id: app], admission: Refusal(.appSuspended, "")))
        #expect(await CMPassportEndpoints(service).code(.loginTokenValidate, Requests.login()) == "103101")
        #expect(await CMPassportEndpoints(service).code(.numberVerification, Requests.verification()) == "302")
        #expect(service.seen.calls.isEmpty)
    }

    @Test("each signed field of loginTokenValidate changes the sign")
    func md5Covers() async {
        let endpoints = CMPassportEndpoints(ScriptedServerService())
        let changes = [
            "msgid": "335e06a28f064b999d6a25e403991e4d", "systemtime": "20180129112955436", "strictcheck": "1",
            "token": Fixtures.userToken,
        ]
        for (name, value) in changes {
            let request = Requests.login().setting(name, .string(value))
            #expect(await endpoints.code(.loginTokenValidate, request) == "103101", "\(name)")
        }
    }

    @Test("each signed field of the verification changes the sign")
    func hmacCovers() async {
        let endpoints = CMPassportEndpoints(ScriptedServerService())
        let changes = [
            "header.msgId": "x", "header.timestamp": "20180129105523518", "body.token": Fixtures.userToken,
            "body.phoneNum": String(repeating: "0", count: 64),
        ]
        for (name, value) in changes {
            let request = Requests.verification().setting(name, .string(value))
            #expect(await endpoints.code(.numberVerification, request) == "302", "\(name)")
        }
    }
}
