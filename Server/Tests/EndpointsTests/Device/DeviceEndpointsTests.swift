import HTTPTypes
import Hummingbird
import NIOCore
import ServerTestKit
import Sightings
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import Requests
@testable import ServerHTTP

@Suite("The device dialect over HTTP")
struct DeviceEndpointsTests {
    private static let base = "https://id.example.com"
    private let signer = SoftwareDeviceSigner()
    private let service = ScriptedDeviceService()

    private func router(
        _ service: ScriptedDeviceService? = nil, publicURLs: [String] = [base], derivedScheme: String = "http"
    ) -> Router<EndpointContext> {
        let service = service ?? self.service
        let endpoints = DeviceEndpoints(
            service: service, sightings: service, clock: TestClock.document, publicURLs: publicURLs,
            derivedScheme: derivedScheme)
        return PublicServer.router("device", routes: endpoints.routes)
    }

    private let prefetch = PrefetchRequest(
        appID: Fixtures.appID, bundleID: "com.example.demo", appKeyProof: String(repeating: "p", count: 43),
        dialect: .device
    ).json.serialized

    private func proof(
        method: String = "POST", url: String = base + DevicePath.prefetch.rawValue, body: [UInt8]? = nil,
        localAddress: InternetAddress? = nil
    ) throws -> String {
        try DeviceProof(
            id: "0123456789abcdef", method: method, url: url, issuedAt: TestClock.document.now, body: body ?? prefetch,
            localAddress: localAddress, key: signer.publicKey
        ).signed(by: signer)
    }

    private func headers(_ proofs: String..., type: String? = "application/json") -> HTTPFields {
        var headers = HTTPFields()
        if let type { headers[.contentType] = type }
        for proof in proofs { headers.append(HTTPField(name: HTTPField.Name("DPoP")!, value: proof)) }
        return headers
    }

    @Test("a signed prefetch reaches the authority with the gateway's sighting, and its answer comes back")
    func honestPrefetch() async throws {
        let proof = try proof(localAddress: InternetAddress("10.0.0.7"))
        let answer = try await Exchange.send(
            router(), .post, DevicePath.prefetch.rawValue, headers: headers(proof), body: prefetch)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "application/json; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(try PrefetchResponse(answer.json).scrip == ScriptedDeviceService.scrip)
        #expect(service.seen.lookups == ["10.0.0.7 40001 10.0.0.7"])
        let device = try #require(service.seen.devices.first)
        #expect(device.proof.key == signer.publicKey)
        #expect(device.attestation == nil)
        #expect(try device.sighting.get() == ScriptedDeviceService.sighting)
        #expect(service.seen.prefetches.first?.bundleID == "com.example.demo")
    }

    @Test("calls of strangers are counted where they arrive, and not again where a gateway forwards them")
    func forwardedStrangers() async throws {
        let routes = DeviceEndpoints(service: service, sightings: StatedSightings(), publicURLs: [Self.base])
            .routes
        let route = try #require(routes.first { $0.path == DevicePath.prefetch.rawValue })
        let request = Request(
            head: HTTPRequest(
                method: .post, scheme: nil, authority: "id.example.com", path: route.path,
                headerFields: headers("a.b.c")), body: RequestBody(buffer: ByteBuffer()))
        let peer = Peer(address: try #require(InternetAddress("192.0.2.1")), port: 1)
        let forwarded = EndpointContext.forwarded(from: ForwardedSender(peer: peer, baseURLs: [Self.base]))
        func last(_ send: () async throws -> Void) async -> Situation? {
            var last: Situation?
            for _ in 0...ProvenRequests.strangersCalls {
                do { try await send() } catch { last = (error as? Refusal)?.situation }
            }
            return last
        }
        let behind = await last { _ = try await route.handler(request, forwarded) }
        #expect(behind == .proofInvalid)
        let router = plainRouter(routes)
        let direct = await last {
            _ = try await Exchange.send(
                router, .post, route.path, headers: headers("a.b.c"), from: ("192.0.2.1", 1))
        }
        #expect(direct == .tooManyRequests)
    }

    @Test("authorize and forget reach the authority")
    func others() async throws {
        let authorize = AuthorizeRequest(
            appID: Fixtures.appID, scrip: ScriptedDeviceService.scrip, purpose: .verification, consent: nil
        ).json.serialized
        let path = DevicePath.authorize.rawValue
        let first = try await Exchange.send(
            router(), .post, path, headers: headers(try proof(url: Self.base + path, body: authorize)), body: authorize)
        #expect(try AuthorizeResponse(first.json).token == Fixtures.loginToken)
        #expect(service.seen.authorizations.first?.purpose == .verification)
        let forget = ForgetRequest(appID: Fixtures.appID, scrip: ScriptedDeviceService.scrip).json.serialized
        let forgetPath = DevicePath.forget.rawValue
        let second = try await Exchange.send(
            router(), .post, forgetPath, headers: headers(try proof(url: Self.base + forgetPath, body: forget)),
            body: forget)
        #expect(second.body == #"{"code":"success"}"#)
        #expect(service.seen.forgotten.count == 1)
    }

    @Test("a phone on Wi-Fi reaches whoever sends codes, with the address that it calls from, and logs in by one")
    func smsCodes() async throws {
        func post(_ path: DevicePath, _ body: JSON) async throws -> JSON {
            let (path, body) = (path.rawValue, body.serialized)
            return try await Exchange.send(
                router(), .post, path, headers: headers(try proof(url: Self.base + path, body: body)), body: body,
                from: ("198.51.100.9", 40_001)
            ).json
        }
        let sent = try SMSCodeResponse(try await post(.smsCode, LinkWorld.smsCode.json))
        #expect(sent.transaction == ScriptedDeviceService.transaction)
        #expect(service.seen.codeRequests == [LinkWorld.smsCode])
        #expect(service.seen.devices.map(\.source) == [InternetAddress("198.51.100.9")])
        #expect(service.seen.devices.map(\.sighting) == [.failure(.unknownAddress)])
        let token = try AuthorizeResponse(try await post(.smsLogin, LinkWorld.smsLogin.json))
        #expect(token.assurance == .sms && service.seen.codeLogins == [LinkWorld.smsLogin])
    }

    @Test("a phone on Wi-Fi gets a text to send, with the address that it calls from, asks for it and logs in by it")
    func smsTexts() async throws {
        func post(_ path: DevicePath, _ body: JSON) async throws -> JSON {
            let (path, body) = (path.rawValue, body.serialized)
            return try await Exchange.send(
                router(), .post, path, headers: headers(try proof(url: Self.base + path, body: body)), body: body,
                from: ("198.51.100.9", 40_001)
            ).json
        }
        let given = try SMSUpstreamResponse(try await post(.smsUpstream, LinkWorld.text.json))
        #expect(given.serviceNumber == "10690123" && service.seen.textRequests == [LinkWorld.text])
        #expect(service.seen.devices.map(\.source) == [InternetAddress("198.51.100.9")])
        let status = try SMSUpstreamStatusResponse(try await post(.smsUpstreamStatus, LinkWorld.textStatus.json))
        #expect(status.sender?.maskedNumber == "138****0001" && service.seen.textQuestions == [LinkWorld.textStatus])
        let token = try AuthorizeResponse(try await post(.smsUpstreamLogin, LinkWorld.textLogin.json))
        #expect(token.assurance == .smsUpstream && service.seen.textLogins == [LinkWorld.textLogin])
    }

    @Test("where no codes are sent a phone is told so")
    func noCodes() async throws {
        let world = try await AuthorityWorld()
        let endpoints = DeviceEndpoints(
            service: DeviceLogins(world.authority), sightings: service, clock: TestClock.document,
            publicURLs: [Self.base])
        let body = LinkWorld.smsCode.json.serialized
        let path = DevicePath.smsCode.rawValue
        let answer = try await Exchange.send(
            PublicServer.router("device", routes: endpoints.routes), .post, path,
            headers: headers(try proof(url: Self.base + path, body: body)), body: body)
        #expect(answer.code == Situation.messageNotSent.rawValue)
        await world.end()
    }

    @Test(
        """
        whoever calls on from an address that is nobody's is turned away before his proof is looked at, and no phone is
        """
    )
    func strangers() async throws {
        let router = router()
        func code(from address: String, proof: String) async throws -> String? {
            try await Exchange.send(
                router, .post, DevicePath.prefetch.rawValue, headers: headers(proof), body: prefetch,
                from: (address, 40_001)
            ).code
        }
        let honest = try proof()
        for _ in 0..<ProvenRequests.strangersCalls {
            #expect(try await code(from: "2001:db8::7", proof: honest) == Situation.success.rawValue)
        }
        let answered = service.seen.devices.count
        #expect(
            answered == ProvenRequests.strangersCalls, "the service decides what a caller without a sighting is told")
        for address in ["2001:db8::7", "2001:db8::8"] {
            for proof in [honest, "a.b.c"] {
                #expect(try await code(from: address, proof: proof) == Situation.tooManyRequests.rawValue)
            }
        }
        #expect(service.seen.devices.count == answered)
        #expect(try await code(from: "2001:db8:0:1::7", proof: honest) == Situation.success.rawValue)
        for _ in 0...ProvenRequests.strangersCalls {
            #expect(try await code(from: "10.0.0.7", proof: honest) == Situation.success.rawValue)
        }
    }

    /// The order of before: whose signature is wrong is not counted, and so costs a check each time.
    private struct NaiveCount {
        var calls = 0
        mutating func checks(isRight: Bool) -> Bool {
            guard calls < ProvenRequests.strangersCalls else { return false }
            if isRight { calls += 1 }
            return true
        }
    }

    @Test(
        """
        a stranger's calls are counted before a signature is checked: wrong ones and those for other addresses too; \
        each call is one question to the gateway
        """
    )
    func wrongSignatures() async throws {
        let router = router()
        func code(from address: String, proof: String) async throws -> String? {
            try await Exchange.send(
                router, .post, DevicePath.prefetch.rawValue, headers: headers(proof), body: prefetch,
                from: (address, 40_001)
            ).code
        }
        let honest = try proof(localAddress: InternetAddress("10.0.0.7"))
        let parts = honest.split(separator: ".")
        let signature = try proof(url: "https://other.example").split(separator: ".")[2]
        let wrong = ["\(parts[0]).\(parts[1]).\(signature)", try proof(url: "https://other.example/")]
        var naive = NaiveCount()
        for call in 0..<ProvenRequests.strangersCalls {
            _ = naive.checks(isRight: false)
            #expect(try await code(from: "2001:db8::7", proof: wrong[call % 2]) == Situation.proofInvalid.rawValue)
        }
        let checks = naive.checks(isRight: false)
        #expect(checks, "the double must fall")
        for proof in wrong + [honest] {
            #expect(try await code(from: "2001:db8::8", proof: proof) == Situation.tooManyRequests.rawValue)
        }
        #expect(service.seen.lookups.count == ProvenRequests.strangersCalls + 3)

        for call in 0...ProvenRequests.strangersCalls {
            #expect(try await code(from: "10.0.0.7", proof: wrong[call % 2]) == Situation.proofInvalid.rawValue)
        }
        #expect(try await code(from: "10.0.0.7", proof: honest) == Situation.success.rawValue)
        #expect(service.seen.lookups.count == 2 * ProvenRequests.strangersCalls + 5)
        #expect(service.seen.lookups.last == "10.0.0.7 40001 10.0.0.7", "with the address that the proof names")
        #expect(service.seen.devices.count == 1)
    }

    private func expect(
        _ situation: Situation, _ status: HTTPResponse.Status, _ headers: HTTPFields, body: [UInt8]? = nil,
        router: Router<EndpointContext>? = nil, authority: String? = "id.example.com",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await Exchange.send(
            router ?? self.router(), .post, DevicePath.prefetch.rawValue, headers: headers, body: body ?? prefetch,
            authority: authority)
        #expect(answer.code == situation.rawValue, sourceLocation: sourceLocation)
        #expect(answer.status == status, sourceLocation: sourceLocation)
        #expect(answer.headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        if status == .unauthorized { #expect(answer.headers[.wwwAuthenticate] != nil, sourceLocation: sourceLocation) }
        #expect(service.seen.devices.isEmpty, sourceLocation: sourceLocation)
    }

    @Test("no proof, two proofs and a broken proof are told apart")
    func proofs() async throws {
        try await expect(.proofMissing, .unauthorized, headers())
        let good = try proof()
        try await expect(.proofInvalid, .unauthorized, headers(good, good))
        try await expect(.proofInvalid, .unauthorized, headers("x"))
        try await expect(.proofInvalid, .unauthorized, headers(String(good.dropLast(4)) + "AAAA"))
        try await expect(.proofInvalid, .unauthorized, headers(good + "," + good))
    }

    @Test("a proof for another method, address or body is refused")
    func coverage() async throws {
        try await expect(.proofInvalid, .unauthorized, headers(try proof(method: "GET")))
        try await expect(
            .proofInvalid, .unauthorized, headers(try proof(url: Self.base + DevicePath.authorize.rawValue)))
        try await expect(
            .proofInvalid, .unauthorized, headers(try proof(url: "https://evil.example" + DevicePath.prefetch.rawValue))
        )
        try await expect(
            .proofInvalid, .unauthorized,
            headers(try proof(url: "http://id.example.com" + DevicePath.prefetch.rawValue)))
        try await expect(.proofInvalid, .unauthorized, headers(try proof(body: prefetch + [0x20])))
        try await expect(.proofInvalid, .unauthorized, headers(try proof()), body: prefetch + [0x20])
    }

    @Test("a configured address counts whatever the Host header says; without a configured one the Host header decides")
    func publicURLs() async throws {
        let path = DevicePath.prefetch.rawValue
        let configured = router(publicURLs: ["https://other.example/", "https://ID.example.com:443"])
        let configuredAnswer = try await Exchange.send(
            configured, .post, path, headers: headers(try proof()), body: prefetch, authority: "anything.example")
        #expect(configuredAnswer.status == .ok)
        let derived = headers(try proof(url: "http://127.0.0.1:8080" + path))
        let open = router(publicURLs: [])
        let answer = try await Exchange.send(
            open, .post, path, headers: derived, body: prefetch, authority: "127.0.0.1:8080")
        #expect(answer.status == .ok)
        let elsewhere = try await Exchange.send(
            open, .post, path, headers: derived, body: prefetch, authority: "127.0.0.1:8081")
        #expect(elsewhere.code == "proof_invalid")
        let without = try await Exchange.send(open, .post, path, headers: derived, body: prefetch, authority: nil)
        #expect(without.code == "malformed_request")
        let secure = try await Exchange.send(
            router(publicURLs: [], derivedScheme: "https"), .post, path,
            headers: headers(try proof(url: "https://127.0.0.1:8080" + path)), body: prefetch,
            authority: "127.0.0.1:8080")
        #expect(secure.status == .ok)
    }

    @Test("the body must be JSON, say so, and keep its form")
    func bodies() async throws {
        try await expect(.malformedRequest, .badRequest, headers(try proof(), type: nil))
        try await expect(.malformedRequest, .badRequest, headers(try proof(), type: "text/plain"))
        try await expect(
            .malformedRequest, .badRequest, headers(try proof(), type: "application/x-www-form-urlencoded"))
        let broken = Array("{".utf8)
        try await expect(.malformedRequest, .badRequest, headers(try proof(body: broken)), body: broken)
        let twice = Array(#"{"app":"300000000001","app":"300000000002"}"#.utf8)
        try await expect(.malformedRequest, .badRequest, headers(try proof(body: twice)), body: twice)
        let empty: [UInt8] = Array("{}".utf8)
        try await self.expect(.parameterMissing, .badRequest, headers(try proof(body: empty)), body: empty)
        let json = try JSON(parsing: prefetch)
        let unknown = json.setting("extra", 1).serialized
        try await expect(.parameterInvalid, .badRequest, headers(try proof(body: unknown)), body: unknown)
        let wrong = json.setting("app", "1").serialized
        try await expect(.parameterInvalid, .badRequest, headers(try proof(body: wrong)), body: wrong)
    }

    @Test("application/json may carry a character set")
    func characterSet() async throws {
        let answer = try await Exchange.send(
            router(), .post, DevicePath.prefetch.rawValue,
            headers: headers(try proof(), type: "Application/JSON ; charset=utf-8"), body: prefetch)
        #expect(answer.status == .ok)
    }

    @Test("a body over 32 KiB is too large, whether it says so or not")
    func tooLarge() async throws {
        let large = [UInt8](repeating: 0x20, count: ProvenRequests.maximumBody + 1)
        try await expect(.bodyTooLarge, .contentTooLarge, headers(try proof(body: large)), body: large)
        var announced = headers(try proof())
        announced[.contentLength] = "99999999"
        try await expect(.bodyTooLarge, .contentTooLarge, announced)
        let fitting = [UInt8](repeating: 0x20, count: ProvenRequests.maximumBody)
        try await expect(.malformedRequest, .badRequest, headers(try proof(body: fitting)), body: fitting)
    }

    @Test("an attestation is handed on; two are refused")
    func attestations() async throws {
        var fields = headers(try proof())
        fields.append(HTTPField(name: HTTPField.Name("OAuth-Client-Attestation")!, value: "word"))
        _ = try await Exchange.send(router(), .post, DevicePath.prefetch.rawValue, headers: fields, body: prefetch)
        #expect(service.seen.devices.first?.attestation == "word")
        let other = ScriptedDeviceService()
        fields.append(HTTPField(name: HTTPField.Name("OAuth-Client-Attestation")!, value: "word"))
        let answer = try await Exchange.send(
            router(other), .post, DevicePath.prefetch.rawValue, headers: fields, body: prefetch)
        #expect(answer.code == "attestation_invalid")
        #expect(other.seen.devices.isEmpty)
    }

    @Test(
        """
        an attestation that is longer on its way to the authority than the authority takes is refused where it comes in
        """
    )
    func longAttestation() async throws {
        var fields = headers(try proof())
        // Octets that are not UTF-8 become U+FFFD, three bytes each.
        fields.append(
            HTTPField(
                name: HTTPField.Name("OAuth-Client-Attestation")!, value: String(repeating: "\u{FFFD}", count: 11_000)))
        let answer = try await Exchange.send(
            router(), .post, DevicePath.prefetch.rawValue, headers: fields, body: prefetch)
        #expect(answer.code == "attestation_invalid")
        #expect(service.seen.devices.isEmpty)
    }

    @Test("who sent a request is the socket's word, never a header's")
    func forwarded() async throws {
        var fields = headers(try proof())
        for name in [
            "X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "X-MSISDN", "X-UP-Calling-Line-ID", "Via",
        ] { fields.append(HTTPField(name: HTTPField.Name(name)!, value: "10.9.9.9")) }
        _ = try await Exchange.send(
            router(), .post, DevicePath.prefetch.rawValue, headers: fields, body: prefetch, from: ("198.51.100.1", 5))
        #expect(service.seen.lookups == ["198.51.100.1 5 -"])
        #expect(service.seen.devices.first?.sighting == .failure(.unknownAddress))
    }

    @Test("an IPv4 caller on an IPv6 socket is the IPv4 address, and no socket address is nobody")
    func socketForms() async throws {
        _ = try await Exchange.send(
            router(), .post, DevicePath.prefetch.rawValue, headers: headers(try proof()), body: prefetch,
            from: ("::ffff:10.0.0.7", 6))
        #expect(service.seen.lookups == ["10.0.0.7 6 -"])
        let other = ScriptedDeviceService()
        _ = try await Exchange.send(
            router(other), .post, DevicePath.prefetch.rawValue, headers: headers(try proof()), body: prefetch, from: nil
        )
        #expect(other.seen.lookups.isEmpty)
        #expect(other.seen.devices.first?.sighting == .failure(.unknownAddress))
    }

    @Test("a refusal of the authority keeps its words and its trace, and always tells the server's time")
    func refusal() async throws {
        let refusing = ScriptedDeviceService(
            failure: Refusal(.bundleMismatch, "why", trace: Fixtures.trace))
        let answer = try await Exchange.send(
            router(refusing), .post, DevicePath.prefetch.rawValue, headers: headers(try proof()), body: prefetch)
        #expect(answer.status == .forbidden)
        let failure = try DeviceFailure(answer.json)
        #expect(
            failure
                == DeviceFailure(
                    situation: .bundleMismatch, detail: "why", trace: Fixtures.trace,
                    serverTime: TestClock.document.now))
    }

    @Test("whoever names an app gets a challenge for its attestations, and whoever names none is told what is missing")
    func challenge() async throws {
        let path = DevicePath.challenge.rawValue
        let given = try await Exchange.send(router(), .get, path + "?app=300000000001")
        #expect(given.status == .ok && given.json["challenge"]?.stringValue == "challenge-of-300000000001")
        for (query, code) in [
            ("", "parameter_missing"), ("?app=", "parameter_invalid"), ("?app=x", "parameter_invalid"),
        ] {
            let refused = try await Exchange.send(router(), .get, path + query)
            #expect(refused.status == .badRequest && refused.json["code"]?.stringValue == code, "\(query)")
        }
    }

    @Test("the policy has a tag, and is not sent again to who has it")
    func policy() async throws {
        let first = try await Exchange.send(router(), .get, DevicePath.policy.rawValue)
        #expect(first.status == .ok)
        #expect(first.json["version"] == "1")
        #expect(first.headers[.cacheControl] == "no-cache")
        let tag = try #require(first.headers[.eTag])
        let second = try await Exchange.send(
            router(), .get, DevicePath.policy.rawValue, headers: [.ifNoneMatch: tag])
        #expect(second.status == .notModified)
        #expect(second.body.isEmpty)
        #expect(second.headers[.eTag] == tag)
        let other = try await Exchange.send(
            router(), .get, DevicePath.policy.rawValue, headers: [.ifNoneMatch: "\"x\""])
        #expect(other.status == .ok)
    }
}
