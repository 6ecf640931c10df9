import BenjiProtocol
import Testing

@Suite struct DeviceMessageTests {
    private func reread(_ json: JSON) throws -> JSON { try JSON(parsing: json.serialized) }

    @Test("Every message survives its JSON")
    func roundTrips() throws {
        #expect(try PrefetchRequest(reread(Samples.prefetchRequest.json)) == Samples.prefetchRequest)
        #expect(try PrefetchResponse(reread(Samples.prefetchResponse.json)) == Samples.prefetchResponse)
        #expect(try AuthorizeRequest(reread(Samples.authorizeRequest.json)) == Samples.authorizeRequest)
        #expect(try AuthorizeResponse(reread(Samples.authorizeResponse.json)) == Samples.authorizeResponse)
        #expect(try DeviceFailure(reread(Samples.failure.json)) == Samples.failure)
        let forget = ForgetRequest(appID: Samples.appID, scrip: Samples.scrip)
        #expect(try ForgetRequest(reread(forget.json)) == forget)
        #expect(try SMSCodeRequest(reread(Samples.smsCodeRequest.json)) == Samples.smsCodeRequest)
        #expect(try SMSCodeResponse(reread(Samples.smsCodeResponse.json)) == Samples.smsCodeResponse)
        #expect(try SMSLoginRequest(reread(Samples.smsLoginRequest.json)) == Samples.smsLoginRequest)
        #expect(try SMSUpstreamRequest(reread(Samples.smsUpstreamRequest.json)) == Samples.smsUpstreamRequest)
        #expect(try SMSUpstreamResponse(reread(Samples.smsUpstreamResponse.json)) == Samples.smsUpstreamResponse)
        let question = Samples.smsUpstreamStatusRequest
        #expect(try SMSUpstreamStatusRequest(reread(question.json)) == question)
        let arrived = Samples.smsUpstreamStatusResponse
        #expect(try SMSUpstreamStatusResponse(reread(arrived.json)) == arrived)
        let awaited = SMSUpstreamStatusResponse(trace: Samples.trace, sender: nil, retryAfter: 3)
        #expect(try SMSUpstreamStatusResponse(reread(awaited.json)) == awaited)
        let login = Samples.smsUpstreamLoginRequest
        #expect(try SMSUpstreamLoginRequest(reread(login.json)) == login)
        var keyless = Samples.prefetchRequest
        keyless.appKeyProof = nil
        #expect(try PrefetchRequest(reread(keyless.json)) == keyless)
        var bare = Samples.authorizeResponse
        bare.openID = nil
        bare.scrip = nil
        bare.nonce = nil
        bare.consentReceipt = nil
        #expect(try AuthorizeResponse(reread(bare.json)) == bare)
    }

    @Test("Servers refuse members they do not know; phones ignore them")
    func unknownMembers() throws {
        func with(_ json: JSON) -> JSON {
            guard case .object(let members) = json else { return json }
            return .object(members + [JSON.Member("later", 1)])
        }
        #expect(throws: JSONError.self) { try PrefetchRequest(with(Samples.prefetchRequest.json)) }
        #expect(throws: JSONError.self) { try AuthorizeRequest(with(Samples.authorizeRequest.json)) }
        #expect(throws: JSONError.self) { try SMSCodeRequest(with(Samples.smsCodeRequest.json)) }
        #expect(throws: JSONError.self) { try SMSLoginRequest(with(Samples.smsLoginRequest.json)) }
        #expect(throws: JSONError.self) { try SMSUpstreamRequest(with(Samples.smsUpstreamRequest.json)) }
        #expect(throws: JSONError.self) { try SMSUpstreamStatusRequest(with(Samples.smsUpstreamStatusRequest.json)) }
        #expect(throws: JSONError.self) { try SMSUpstreamLoginRequest(with(Samples.smsUpstreamLoginRequest.json)) }
        #expect(throws: Never.self) { try SMSUpstreamResponse(with(Samples.smsUpstreamResponse.json)) }
        #expect(throws: Never.self) { try SMSUpstreamStatusResponse(with(Samples.smsUpstreamStatusResponse.json)) }
        #expect(throws: Never.self) { try SMSCodeResponse(with(Samples.smsCodeResponse.json)) }
        #expect(throws: Never.self) { try PrefetchResponse(with(Samples.prefetchResponse.json)) }
        #expect(throws: Never.self) { try AuthorizeResponse(with(Samples.authorizeResponse.json)) }
    }

    @Test("A code of a newer server is still a refusal")
    func unknownCode() throws {
        let failure = try DeviceFailure(.object(["code": "from_the_future"]))
        #expect(failure.situation == .internalError)
        #expect(failure.detail == "")
        #expect(throws: JSONError.self) { try DeviceFailure(.object(["detail": "x"])) }
    }

    @Test("A token in the place of a scrip is refused", arguments: ["scrip", "nonce"])
    func kinds(name: String) {
        guard case .object(var members) = Samples.prefetchResponse.json else { return }
        Forge.set(name, .string(Samples.token), in: &members)
        #expect(throws: JSONError.self) { try PrefetchResponse(.object(members)) }
    }

    @Test("A rotated scrip that is no scrip is refused before the phone stores it", arguments: ["scrip", "nonce"])
    func rotatedKinds(name: String) {
        guard case .object(var members) = Samples.authorizeResponse.json else { return }
        Forge.set(name, .string(Samples.token), in: &members)
        #expect(throws: JSONError.self) { try AuthorizeResponse(.object(members)) }
    }

    @Test("The addresses of the dialect are fixed")
    func paths() {
        #expect(
            DevicePath.allCases.map(\.rawValue) == [
                "/device/v1/prefetch", "/device/v1/authorize", "/device/v1/forget", "/device/v1/sms-code",
                "/device/v1/sms-login", "/device/v1/sms-upstream", "/device/v1/sms-upstream-status",
                "/device/v1/sms-upstream-login", "/device/v1/policy", "/device/v1/challenge",
                "/device/v1/attestation",
            ])
    }

    @Test(
        "An SMS code is four to ten digits, and its transaction is one",
        arguments: ["", "123", "12345678901", "12a4", "１２３４"])
    func smsCodes(digits: String) {
        var request = Samples.smsLoginRequest
        request.smsCode = digits
        #expect(throws: JSONError.self) { try SMSLoginRequest(request.json) }
        request = Samples.smsLoginRequest
        request.transaction = String(digits.prefix(31)) + String(repeating: "g", count: 32)
        #expect(throws: JSONError.self) { try SMSLoginRequest(request.json) }
    }

    @Test("Nothing that prints or dumps a message shows its credentials")
    func descriptions() {
        let messages: [Any] = [
            Samples.prefetchRequest, Samples.prefetchResponse, Samples.authorizeRequest, Samples.authorizeResponse,
            ForgetRequest(appID: Samples.appID, scrip: Samples.scrip), Samples.smsCodeRequest, Samples.smsCodeResponse,
            Samples.smsLoginRequest, Samples.smsUpstreamRequest, Samples.smsUpstreamResponse,
            Samples.smsUpstreamStatusRequest, Samples.smsUpstreamStatusResponse, Samples.smsUpstreamLoginRequest,
        ]
        for message in messages {
            var text = "\(message) \(String(reflecting: message)) \([message])"
            dump(message, to: &text)
            for secret in [
                Samples.scrip, Samples.nonce, Samples.token, Samples.prefetchRequest.appKeyProof ?? "",
                Samples.prefetchResponse.maskedNumber, "a.b.c", Samples.smsCodeRequest.number,
                Samples.smsLoginRequest.smsCode,
                Samples.smsCodeResponse.transaction, Samples.smsUpstreamResponse.text, "138****0000",
            ] {
                #expect(!text.contains(secret))
            }
        }
    }
}
