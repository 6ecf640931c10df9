import HTTPTypes
import Hummingbird
import ServerTestKit
import Sightings
import Store
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Link
@testable import Requests
@testable import ServerHTTP

@Suite("The messages of the link")
struct LinkMessageTests {
    private func request(
        _ sighting: Result<Sighting, SightingRefusal>? = .success(ScriptedDeviceService.sighting)
    ) throws -> ForwardedRequest {
        var phone = LinkPhone(attestation: "attest-secret", sighting: sighting)
        phone.source = InternetAddress("2001:db8::7")
        return try phone.request(.forget, LinkWorld.forget.json)
    }

    /// A message of a head and no body.
    private func message(_ head: JSON) -> [UInt8] { FramedMessage(head: head, body: []).bytes ?? [] }

    private func head(_ request: ForwardedRequest) throws -> JSON {
        try FramedMessage(parsing: #require(request.bytes)).head
    }

    private let observations = [
        SubscriberObservation(
            number: PhoneNumber("13800000001")!, imsi: "460001234567890", carrier: .mobile,
            eventTime: Timestamp(milliseconds: 1_790_000_000_123)),
        // Eleven digits that start with 1, of another country: without the plus sign they would be read as Chinese.
        SubscriberObservation(
            number: PhoneNumber("+12025550123")!, imsi: nil, carrier: .telecom, eventTime: Timestamp(milliseconds: 5)),
    ]

    /// Through text, as on the wire.
    private func sent(_ json: JSON) throws -> JSON { try JSON(parsing: json.serialized) }

    @Test("what a gateway passes on counts as proven if the gateway saw the phone, and else is a stranger's")
    func proven() async throws {
        let now = SystemWallClock().now
        let certificate = try CertificateMaker().issue(hosts: ["gateway-1"]).certificate
        let gateway = try #require(GatewayIdentity(certificate, now: now))
        let endpoints = LinkEndpoints(
            forwarded: [], register: ScriptedRegisterService(), gateways: ["gateway-1": [.mobile]],
            installation: "installation")
        let sighting = Sighting(
            subscription: SubscriptionReference(subscription: 41, epoch: 2, simGeneration: 3), carrier: .mobile,
            binding: BindingID(rawValue: 7), gateway: "gateway-1", time: now, localAddressConfirmed: true,
            roaming: false)
        #expect(await proves { try endpoints.check(.success(sighting), of: gateway) })
        #expect(await !proves { try endpoints.check(.failure(.unknownAddress), of: gateway) })
    }

    @Test("a request without a host, or with two of them, is malformed at each address of the link, whoever calls")
    func hosts() async throws {
        let routes = LinkEndpoints(
            forwarded: [], register: ScriptedRegisterService(), gateways: ["gateway-1": [.mobile]],
            installation: "installation"
        ).routes
        let router = PublicServer.router("gateways", routes: routes, namesPeers: true)
        let second: HTTPFields = [HTTPField.Name("Host")!: "other.example"]
        for route in routes {
            for (host, headers) in [(nil, [:]), ("id.example.com", second)] as [(String?, HTTPFields)] {
                let answer = try await Exchange.send(
                    router, route.method, route.path, headers: headers, authority: host)
                #expect(answer.status == .badRequest && answer.code == "malformed_request", "\(route.path)")
            }
            let named = try await Exchange.send(router, route.method, route.path)
            #expect(named.code == "gateway_not_trusted", "\(route.path): with one host it is looked who calls")
        }
    }

    @Test("a request arrives as it was sent, with a sighting, or with the reason why there is none, or with neither")
    func forwarded() throws {
        var outcomes: [Result<Sighting, SightingRefusal>?] = SightingRefusal.allCases.map { .failure($0) }
        outcomes += [.success(ScriptedDeviceService.sighting), nil]
        for outcome in outcomes {
            let sent = try request(outcome)
            let arrived = try ForwardedRequest(#require(sent.bytes))
            #expect(arrived.methodName == sent.methodName && arrived.target == sent.target)
            #expect(arrived.authority == sent.authority && arrived.headers == sent.headers && arrived.body == sent.body)
            #expect(arrived.sender.peer == sent.sender.peer && arrived.sender.baseURLs == [LinkPhone.base])
            #expect(arrived.sender.sighting == outcome)
            let again = arrived.request
            #expect(again.uri.path == DevicePath.forget.rawValue && again.head.authority == "gw.example")
        }
        // Any bytes in the body, whatever JSON makes of the head, and what a caller may not be told of.
        var phone = LinkPhone()
        phone.source = nil
        let odd = phone.browse(
            .post, "/openid/login?a=%00", [.cookie: "a=\u{e9}\"\\", .userAgent: "agent", .authorization: "Basic x"],
            Array(0...255))
        let arrived = try ForwardedRequest(#require(odd.bytes))
        #expect(arrived.body == Array(0...255) && arrived.sender.peer == nil && arrived.sender.sighting == nil)
        #expect(arrived.headers == [.cookie: "a=\u{e9}\"\\"], "only the fields of a fixed list are forwarded")
        var long = odd
        long.lines = [HeaderLine(name: "cookie", value: String(repeating: "c", count: FramedMessage.maximumHead))]
        #expect(long.bytes == nil)
    }

    @Test("an answer arrives as it was given, without the fields of the connection")
    func answered() async throws {
        let outcome = RequestOutcome()
        outcome.note(code: "success", trace: Fixtures.trace)
        var response = Response(LinkWorld.forget.json, status: .created)
        response.headers[.connection] = "close"
        response.headers.append(HTTPField(name: .setCookie, value: "a=1"))
        response.headers.append(HTTPField(name: .setCookie, value: "b=2"))
        let sent = try await ForwardedAnswer(response, outcome)
        let arrived = try ForwardedAnswer(#require(sent.bytes))
        #expect(arrived.status == 201 && arrived.code == "success" && arrived.trace == Fixtures.trace)
        #expect(arrived.body == LinkWorld.forget.json.serialized)
        #expect(arrived.headers[values: .setCookie] == ["a=1", "b=2"])
        #expect(arrived.headers[.connection] == nil && arrived.headers[.contentLength] == nil)
        let given = arrived.response
        #expect(given.status == .created && given.headers[.contentLength] == "\(arrived.body.count)")
        #expect(!arrived.isUnable)
    }

    @Test("a message that is cut off, too long in its head, or not of this shape is refused, and the place is named")
    func strictness() throws {
        let whole = try #require(try request().bytes)
        let length = whole[..<4].reduce(0) { $0 << 8 | Int($1) }
        for cut in 0..<(4 + length) {
            #expect(throws: JSONError.self, "\(cut)") { try ForwardedRequest(Array(whole[..<cut])) }
        }
        #expect(throws: JSONError.self) { try ForwardedRequest([0xff, 0xff, 0xff, 0xff] + whole[4...]) }
        let good = try head(request())
        #expect(throws: Never.self) { try ForwardedRequest(message(good)) }
        let required =
            ["method", "target", "headers", "baseURLs", "port"]
            + [
                "subscription", "epoch", "simGeneration", "carrier", "binding", "gateway", "time",
                "localAddressConfirmed", "roaming",
            ].map { "sighting.\($0)" }
        for member in required {
            let error = #expect(throws: JSONError.self, "\(member)") {
                try ForwardedRequest(message(good.setting(member, nil)))
            }
            #expect(error?.place.contains(member) == true)
            #expect(throws: JSONError.self, "\(member)") { try ForwardedRequest(message(good.setting(member, .null))) }
        }
        for place in ["", "sighting."] {
            #expect(throws: JSONError.self) { try ForwardedRequest(message(good.setting("\(place)extra", true))) }
        }
        let answer = JSON.object(["status": 200, "headers": .array([]), "isUnable": false])
        #expect(throws: Never.self) { try ForwardedAnswer(message(answer)) }
        for (member, value) in [
            ("status", 99), ("status", nil), ("headers", nil), ("isUnable", nil), ("trace", "x"), ("extra", true),
            ("headers", .array([.array(["a b", "c"])])), ("headers", .array([.array(["a", "b\r\nc: d"])])),
        ] as [(String, JSON?)] {
            #expect(throws: JSONError.self, "\(member)") { try ForwardedAnswer(message(answer.setting(member, value))) }
        }
    }

    @Test("a request with both a sighting and a reason for none, or with a reason of another version, is refused")
    func sightingAndRefusal() throws {
        let good = try head(request())
        #expect(throws: JSONError.self) {
            try ForwardedRequest(message(good.setting("sightingRefusal", "staleAddress")))
        }
        let refused = try head(request(.failure(.staleAddress)))
        #expect(throws: JSONError.self) { try ForwardedRequest(message(refused.setting("sightingRefusal", "trustMe"))) }
    }

    @Test("values outside their bounds are refused")
    func bounds() throws {
        let good = try head(request())
        let wrong: [(String, JSON)] = [
            ("method", "PO ST"), ("target", "device/v1/forget"), ("target", ""), ("address", "10.0.0"),
            ("port", 65_536), ("headers", .array([.array(["authorization", "x"])])),
            ("headers", .array([.array(["cookie", "a\r\nb"])])), ("baseURLs", .array([1])),
            ("sighting.epoch", 0), ("sighting.simGeneration", 2_147_483_648), ("sighting.carrier", "Vodafone"),
            ("sighting.gateway", ""), ("sighting.roaming", 1), ("sighting.time", "now"),
        ]
        for (member, value) in wrong {
            #expect(throws: JSONError.self, "\(member)") {
                try ForwardedRequest(message(good.setting(member, value)))
            }
        }
    }

    @Test("observations arrive as they were sent, numbers of other countries too")
    func observationsRoundTrip() throws {
        let arrived = try ObservationBatch(try sent(ObservationBatch(observations).json)).observations
        #expect(arrived.map(\.number) == observations.map(\.number))
        #expect(arrived.map(\.number.e164) == ["8613800000001", "12025550123"])
        #expect(arrived.map(\.imsi) == ["460001234567890", nil])
        #expect(arrived.map(\.carrier) == [.mobile, .telecom])
        #expect(arrived.map(\.eventTime) == observations.map(\.eventTime))
        #expect(arrived.map(\.startsSession) == observations.map(\.startsSession))
    }

    @Test("an observation whose number could be read in two ways is refused, and so are empty and overlong batches")
    func observationsAreStrict() throws {
        func batch(_ number: String) -> JSON {
            .object([
                "observations": .array([
                    .object([
                        "number": .string(number), "carrier": "mobile", "eventTime": 5, "startsSession": true,
                    ])
                ])
            ])
        }
        #expect(throws: Never.self) { try ObservationBatch(batch("+8613800000001")) }
        for number in ["13800000001", "8613800000001", "008613800000001", "+", "", "+86138000o0001", "operator"] {
            let error = #expect(throws: JSONError.self, "\(number)") { try ObservationBatch(batch(number)) }
            #expect(error.map { number.count < 3 || !$0.description.contains(number) } == true)
        }
        #expect(throws: JSONError.self) { try ObservationBatch(.object(["observations": .array([])])) }
        let many = Array(repeating: observations[0], count: ObservationBatch.maximumCount + 1)
        #expect(throws: JSONError.self) { try ObservationBatch(ObservationBatch(many).json) }
        #expect(throws: Never.self) { try ObservationBatch(ObservationBatch(Array(many.dropLast())).json) }
    }

    @Test("the register's answer must be as long as the question, and keeps who may not log in")
    func observationAnswer() throws {
        let references = [SubscriptionReference(subscription: 9, epoch: 1, simGeneration: 2), nil]
        let json = try sent(ObservationAnswer(references).json)
        #expect(try ObservationAnswer(json, count: 2).subscriptions == references)
        for count in [0, 1, 3] { #expect(throws: JSONError.self) { try ObservationAnswer(json, count: count) } }
    }

    @Test("bindings arrive as they were sent, negative ones too; anything but integers is refused")
    func revocations() throws {
        let batch = RevocationBatch([1, -2, .max, .min].map(BindingID.init(rawValue:)))
        #expect(try RevocationBatch(try sent(batch.json)) == batch)
        #expect(throws: JSONError.self) { try RevocationBatch(.object(["bindings": .array(["1"])])) }
        #expect(throws: JSONError.self) { try RevocationBatch(.object(["bindings": .array([.number("1.5")])])) }
    }

    @Test("an answer to a gateway is one of two things, and a bare refusal is none of them")
    func answers() throws {
        for code in [StoreError.Code.unavailable, .alreadyExists, .notFound, .corrupt] {
            let error = StoreError(code, "redeem: disk full")
            guard case .storeError(let arrived) = try LinkAnswer(try sent(LinkAnswer.storeError(error).json)) else {
                Issue.record("not a store error")
                return
            }
            #expect(arrived.code == code)
            #expect(arrived.detail == error.detail)
        }
        #expect(throws: JSONError.self) { try LinkAnswer(DeviceFailure(Refusal(.overloaded, "")).json) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object([])) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object(["answer": true, "storeError": true])) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object(["answer": true, "version": 2])) }
    }

    @Test("nothing that prints a message shows a number, a SIM or a credential")
    func secrets() async throws {
        let call = try request()
        let outcome = RequestOutcome()
        let forwarded = try await ForwardedAnswer(Response(.object(["token": "token-secret"])), outcome)
        let answer = LinkAnswer.answer(.object(["token": "token-secret"]))
        let batch = ObservationBatch(observations)
        var texts = ["\(call)", "\(forwarded)", "\(batch)", "\(observations[0])", "\(answer)"]
        texts.append(String(reflecting: observations[0]))
        var dumped = ""
        dump(call, to: &dumped)
        dump(forwarded, to: &dumped)
        dump(batch, to: &dumped)
        dump(observations, to: &dumped)
        dump(answer, to: &dumped)
        texts.append(dumped)
        for text in texts {
            for secret in ["13800000001", "460001234567890", "12025550123", ScriptedDeviceService.scrip, "secret"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
        // The test would pass with messages that hold nothing.
        #expect(batch.json.text.contains("+8613800000001"))
        #expect(String(decoding: call.body, as: UTF8.self).contains(ScriptedDeviceService.scrip))
        #expect(call.headers[.clientAttestation] == "attest-secret")
    }

    @Test(
        "whatever goes wrong on the link is a refusal that phones know, and an unavailable register",
        arguments: LinkFault.Reason.allCases)
    func faults(reason: LinkFault.Reason) {
        let fault = LinkFault(reason, "detail of ours")
        #expect(fault.refusal.situation != .success)
        #expect(DeviceEndpoints.situations.contains(fault.refusal.situation))
        #expect(!fault.refusal.detail.contains("ours"))
        #expect(fault.storeError.code == .unavailable)
    }
}
