@_spi(Server) import BenjiProtocol
import Catalogue
import Store
import Testing

@testable import Authority
@testable import Endpoints

/// The documents' own examples, rebuilt with a demo key: the input, and every member of the output.
@Suite("The documents' examples")
struct DocumentExampleTests {
    @Test("loginTokenValidate answers as TYRZSDK's document §5.1.3 prints it, with the later members beside")
    func login() async {
        let service = ScriptedServerService()
        let answer = await CMPassportEndpoints(service).answer(.loginTokenValidate, Requests.login())
        #expect(
            answer.text == """
                {"inresponseto":"335e06a28f064b999d6a25e403991e4c","systemtime":"20180129112955477",\
                "resultCode":"103000","resultcode":"103000","desc":"\(description("103000", .cmPhone))",\
                "msisdn":"14700000000","taskId":"00112233445566778899aabbccddeeff"}
                """)
        #expect(service.seen.tokens == [Fixtures.loginToken])
        #expect(service.seen.capabilities == [.login])
        let call = service.seen.calls.first
        #expect(call?.messageID == "335e06a28f064b999d6a25e403991e4c")
        #expect(call?.interface == "loginTokenValidate")
        #expect(call?.peer == Fixtures.server)
        #expect(call?.sentAt == Timestamp(milliseconds: 1_517_196_595_435))
    }

    @Test("in RSA mode the number comes encrypted to the app's key")
    func loginRSA() async throws {
        let service = ScriptedServerService(.init(apps: [Fixtures.appID: Fixtures.app(algorithm: .rsa)]))
        let answer = await CMPassportEndpoints(service).answer(.loginTokenValidate, try Requests.loginRSA())
        #expect(answer["resultCode"] == "103000")
        let encrypted = try #require(answer["msisdn"]?.stringValue)
        #expect(encrypted.utf8.count == 512)
        #expect(try decryptPKCS1(encrypted) == "14700000000")
        #expect(!answer.text.contains("14700000000"))
    }

    @Test("tokenValidate answers 000 and 是本机号码 as TYRZSDK's document §5.2.3 prints it")
    func sameNumber() async {
        let service = ScriptedServerService()
        let answer = await CMPassportEndpoints(service).answer(.numberVerification, Requests.verification())
        #expect(
            answer.text == """
                {"header":{"msgId":"f11585580266414fbde9f755451fb7a7","timestamp":"20180129112955477",\
                "appId":"300000000001","resultCode":"000","resultcode":"000","desc":"是本机号码"},\
                "body":{"resultDesc":"是本机号码","message":"","taskId":"00112233445566778899aabbccddeeff"}}
                """)
        #expect(service.seen.capabilities == [.verification])
        #expect(service.seen.calls.first?.interface == "tokenValidate")
    }

    @Test("another number is 001 and 非本机号码, and message and expandParams come back as they went in")
    func otherNumber() async {
        let request = Requests.verification(Requests.verificationFields(number: "14700000001"))
            .setting("body.message", "a%20b").setting("body.expandParams", "p%3D1%7Cq%3D2")
        let answer = await CMPassportEndpoints(ScriptedServerService()).answer(.numberVerification, request)
        #expect(answer["header"]?["resultCode"] == "001")
        #expect(answer["body"]?["resultDesc"] == "非本机号码")
        #expect(answer["body"]?["message"] == "a%20b")
        #expect(answer["body"]?["expandParams"] == "p%3D1%7Cq%3D2")
    }

    @Test("tokenValidate of TYRZLogin's document answers with the whole record")
    func user() async throws {
        let service = ScriptedServerService()
        let answer = await CMPassportEndpoints(service).answer(
            .userInformation, try Requests.user(targetSourceID: "800120170714100001"))
        let encrypted = try #require(answer["body"]?["msisdn"]?.stringValue)
        #expect(try decryptPKCS1(encrypted) == "14700000000")
        #expect(
            answer.setting("body.msisdn", "M").text == """
                {"header":{"version":"1.0","inresponseto":"4d1953f426a14b2ba9edd07b269cea70",\
                "systemtime":"20180129112955477","resultCode":"103000","resultcode":"103000",\
                "desc":"\(description("103000", .tyrzPlatform))","taskId":"00112233445566778899aabbccddeeff"},\
                "body":{"userid":"open-id","pcid":"pseudonym","msisdn":"M","msisdntype":"0","authtype":"2",\
                "authtime":"2017-11-09 14:56:16","lastactivetime":"2017-11-09 14:56:16","loginidtype":"0",\
                "fromsourceid":"800120170818101447","tosourceid":"800120170714100001"}}
                """)
        #expect(service.seen.capabilities == [.login])
        #expect(service.seen.calls.first?.interface == "unisdk/tokenValidate")
    }

    @Test(
        """
        tokenValidate of TYRZLogin's document says by what a number was told: 3 a message from the phone, 7 a code, 2 \
        the gateway
        """
    )
    func authType() async throws {
        for (assurance, type) in [(Assurance.smsUpstream, "3"), (.sms, "7"), (.net, "2"), (.netAppAddress, "2")] {
            var login = Fixtures.login()
            login.assurance = assurance
            let service = ScriptedServerService(.init(login: login))
            let answer = await CMPassportEndpoints(service).answer(.userInformation, try Requests.user())
            #expect(answer["body"]?["authtype"]?.stringValue == type)
        }
    }

    @Test("TYRZLogin's document counts the carriers its own way", arguments: zip(Carrier.documented, ["0", "2", "1"]))
    func carriers(carrier: Carrier, type: String) async throws {
        let service = ScriptedServerService(.init(login: Fixtures.login(carrier: carrier)))
        let answer = await CMPassportEndpoints(service).answer(.userInformation, try Requests.user())
        #expect(answer["body"]?["msisdntype"] == .string(type))
    }

    @Test("a number of another country is answered with its country code")
    func foreign() async {
        let service = ScriptedServerService(.init(login: Fixtures.login(number: "+447700900123")))
        let answer = await CMPassportEndpoints(service).answer(.loginTokenValidate, Requests.login())
        #expect(answer["msisdn"] == "447700900123")
    }

    @Test("every code that an answer can carry has a text")
    func texts() {
        for table in [CodeTable.cmPhone, .cmVerify, .tyrzPlatform] {
            for situation in Situation.all where ResultCodes.code(for: situation, in: table) != nil {
                let result = ServerResult(operator: situation, in: table)
                #expect(!result.description.isEmpty, "\(result.code) in \(table.rawValue)")
            }
        }
    }

    private func description(_ code: String, _ table: CodeTable) -> String {
        ServerResult(operator: .success, in: table).description
    }
}
