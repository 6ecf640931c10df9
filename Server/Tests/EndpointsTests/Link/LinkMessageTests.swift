import HTTPTypes
import ServerTestKit
import Sightings
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints

@Suite("The messages of the link")
struct LinkMessageTests {
    private let key = SoftwareDeviceSigner().publicKey

    private func device(
        _ sighting: Result<Sighting, SightingRefusal> = .success(ScriptedDeviceDesk.sighting),
        attestation: String? = "a.b.c",
        localAddress: String? = "2001:db8::7"
    ) -> DeviceCall {
        DeviceCall(
            proof: DeviceProof(
                id: "0123456789abcdef", method: "POST", url: "https://gw.example/device/v1/authorize",
                issuedAt: Timestamp(seconds: 1_790_000_000), body: Array("body".utf8),
                localAddress: localAddress.flatMap { InternetAddress($0) }, key: key), attestation: attestation,
            sighting: sighting)
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
            desk: ScriptedDeviceDesk(), register: ScriptedRegisterDesk(), gateways: ["gateway-1": [.mobile]],
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
            desk: ScriptedDeviceDesk(), register: ScriptedRegisterDesk(), gateways: ["gateway-1": [.mobile]],
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

    @Test("a device's call arrives as it was sent, with a sighting or with the reason why there is none")
    func deviceCall() throws {
        var outcomes: [Result<Sighting, SightingRefusal>] = SightingRefusal.allCases.map { .failure($0) }
        outcomes.append(.success(ScriptedDeviceDesk.sighting))
        for outcome in outcomes {
            for call in [device(outcome), device(outcome, attestation: nil, localAddress: nil)] {
                let arrived = try DeviceCall(try sent(call.json), path: "$.device")
                #expect(arrived.proof == call.proof)
                #expect(arrived.attestation == call.attestation)
                #expect(arrived.sighting == call.sighting)
            }
        }
    }

    @Test("a call without one of its members, or with one more, is refused and the place is named")
    func deviceCallIsStrict() throws {
        let good = LinkCall(request: LinkWorld.forget.json, device: device()).json
        #expect(throws: Never.self) { try LinkCall(good) }
        let required =
            [
                "request", "device", "device.proof", "device.sighting", "device.proof.id", "device.proof.method",
                "device.proof.url", "device.proof.issuedAt", "device.proof.bodyHash", "device.proof.key",
            ]
            + [
                "subscription", "epoch", "simGeneration", "carrier", "binding", "gateway", "time",
                "localAddressConfirmed", "roaming",
            ]
            .map { "device.sighting.\($0)" }
        for member in required {
            let error = #expect(throws: JSONError.self, "\(member)") { try LinkCall(good.setting(member, nil)) }
            #expect(error?.place.contains(member == "device.sighting" ? "device" : member) == true)
            // The request is the device dialect's own, and is read by its own message.
            guard member != "request" else { continue }
            #expect(throws: JSONError.self, "\(member)") { try LinkCall(good.setting(member, .array([]))) }
        }
        for place in ["", "device.", "device.proof.", "device.sighting."] {
            #expect(throws: JSONError.self, "\(place)") { try LinkCall(good.setting("\(place)extra", true)) }
        }
    }

    @Test("a call with both a sighting and a reason for none, or with a reason of another version, is refused")
    func sightingAndRefusal() throws {
        let good = LinkCall(request: LinkWorld.forget.json, device: device()).json
        #expect(throws: JSONError.self) { try LinkCall(good.setting("device.sightingRefusal", "staleAddress")) }
        let refused = LinkCall(request: LinkWorld.forget.json, device: device(.failure(.staleAddress))).json
        #expect(throws: JSONError.self) { try LinkCall(refused.setting("device.sightingRefusal", "trustMe")) }
    }

    @Test("values outside their bounds are refused")
    func bounds() throws {
        let good = LinkCall(request: LinkWorld.forget.json, device: device()).json
        let wrong: [(String, JSON)] = [
            ("device.proof.id", "short"), ("device.proof.bodyHash", "abc"), ("device.proof.localAddress", "10.0.0"),
            ("device.proof.issuedAt", -1), ("device.proof.key.crv", "P-384"), ("device.sighting.epoch", 0),
            ("device.sighting.simGeneration", 2_147_483_648), ("device.sighting.carrier", "Vodafone"),
            ("source", "10.0.0"),
            ("device.sighting.gateway", ""), ("device.sighting.roaming", 1), ("device.sighting.time", "now"),
        ]
        for (member, value) in wrong {
            #expect(throws: JSONError.self, "\(member)") { try LinkCall(good.setting(member, value)) }
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

    @Test("an answer is one of three things, and a bare refusal is none of them")
    func answers() throws {
        let failure = DeviceFailure(
            situation: .scripReused, detail: "an older generation", trace: Fixtures.trace,
            serverTime: Timestamp(milliseconds: 1_790_000_000_123))
        guard case .refusal(let arrived) = try LinkAnswer(try sent(LinkAnswer.refusal(failure).json)) else {
            Issue.record("not a refusal")
            return
        }
        #expect(arrived == failure)
        for code in [StoreError.Code.unavailable, .alreadyExists, .notFound, .corrupt] {
            let error = StoreError(code, "redeem: disk full")
            guard case .storeError(let arrived) = try LinkAnswer(try sent(LinkAnswer.storeError(error).json)) else {
                Issue.record("not a store error")
                return
            }
            #expect(arrived.code == code)
            #expect(arrived.detail == error.detail)
        }
        #expect(throws: JSONError.self) { try LinkAnswer(failure.json) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object([])) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object(["answer": true, "refusal": failure.json])) }
        #expect(throws: JSONError.self) { try LinkAnswer(.object(["answer": true, "version": 2])) }
    }

    @Test("nothing that prints a message shows a number, a SIM or a credential")
    func secrets() {
        let call = LinkCall(request: LinkWorld.forget.json, device: device(attestation: "attest-secret"))
        let answer = LinkAnswer.answer(.object(["token": "token-secret"]))
        let batch = ObservationBatch(observations)
        var texts = ["\(call)", "\(batch)", "\(observations[0])", "\(answer)", String(reflecting: observations[0])]
        var dumped = ""
        dump(call, to: &dumped)
        dump(batch, to: &dumped)
        dump(observations, to: &dumped)
        dump(answer, to: &dumped)
        texts.append(dumped)
        for text in texts {
            for secret in ["13800000001", "460001234567890", "12025550123", ScriptedDeviceDesk.scrip, "secret"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
        // The test would pass with messages that hold nothing.
        #expect(batch.json.text.contains("+8613800000001"))
        #expect(call.json.text.contains(ScriptedDeviceDesk.scrip))
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
