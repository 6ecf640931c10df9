import Benji
import BenjiProtocol
import BenjiTesting
import Testing
import Waiting

@testable import BenjiClient

@Suite("A login by SMS in the place of one tap")
struct SMSFallbackTests {
    private func phone(_ number: String, hasWiFi: Bool = true, hasSMS: Bool = true) -> ScriptedCarrier {
        let carrier = ScriptedCarrier(number: number, hasWiFi: hasWiFi, clock: ManualClock())
        carrier.hasSMSLogin = hasSMS
        return carrier
    }

    private func login(_ carrier: ScriptedCarrier) throws -> PhoneLogin {
        carrier.phoneLogin(
            try .init(
                appID: "300000000001", appKey: "key", bundleID: "com.example.app", server: "https://gate.example"))
    }

    private func error(
        of login: PhoneLogin, _ page: FakePresenter = FakePresenter(), orBySMS sms: FakeSMSPresenter?
    ) async -> BenjiError? {
        await EngineLab.error { () async throws(BenjiError) in
            _ = try await login.logIn(presenting: page, orBySMS: sms)
        }
    }

    private func paths(_ carrier: ScriptedCarrier) async -> [String] {
        await carrier.requests.map { String($0.url.path.split(separator: "/").last ?? "") }
    }

    @Test(
        "Where this phone's connection tells no number, the same call ends with a token by a code",
        arguments: ["1002", "1003", "1004", "1009", "1010", "1011", "1012", "1013", "1014"])
    func leadsOn(ending: String) async throws {
        let carrier = phone("1380000" + ending)
        let page = FakePresenter()
        let sms = FakeSMSPresenter()
        let token = try await login(carrier).logIn(presenting: page, orBySMS: sms)
        #expect(token.assurance == .sms && token.purpose == .login && token.maskedNumber == "138****0000")
        #expect(await carrier.tokens == [token.token])
        #expect(await page.offers.isEmpty)
        #expect(await sms.shownCount == 1)
    }

    @Test(
        """
        What the app, the server or a limit refuses, a broken answer, a refused certificate and no network at all end \
        the call
        """,
        arguments: [
            ("1001", Situation.noNetwork), ("1005", .tlsFailure), ("1006", .malformedResponse), ("1020", .appUnknown),
            ("1021", .appSuspended), ("1022", .appNotAllowed), ("1023", .capabilityMissing),
            ("1024", .bundleMismatch), ("1025", .appKeyWrong), ("1026", .assuranceTooLow), ("1028", .tooManyRequests),
            ("1040", .storeUnavailable), ("1041", .overloaded), ("1042", .internalError),
        ])
    func ends(ending: String, situation: Situation) async throws {
        let carrier = phone("1380000" + ending)
        let sms = FakeSMSPresenter()
        let login = try login(carrier)
        let error = await error(of: login, orBySMS: sms)
        #expect(error?.situation == situation)
        #expect(await sms.shownCount == 0)
        #expect(await paths(carrier) == ["prefetch"])
    }

    @Test(
        """
        A page of one tap that was shown is the end of it: who closes it, wants another account, or is refused \
        afterwards gets no other page
        """,
        arguments: [
            (FakePresenter.Person.cancels, "13800000000", Situation.userCancelled),
            (.switchesAccount, "13800000000", .switchAccount), (.seesNoPage, "13800000000", .pageFailed),
            (.consents, "13800002035", .consentInvalid), (.consents, "13800002004", .networkFailure),
            (.consents, "13800002010", .addressUnknown),
        ])
    func pageWasShown(person: FakePresenter.Person, number: String, situation: Situation) async throws {
        let carrier = phone(number)
        let sms = FakeSMSPresenter()
        let login = try login(carrier)
        let error = await error(of: login, FakePresenter(person), orBySMS: sms)
        #expect(error?.situation == situation)
        #expect(await sms.shownCount == 0)
    }

    @Test("An app whose workflow has no codes, and one that switches them off, gets the error of one tap")
    func notOffered() async throws {
        for (hasSMS, page) in [(false, FakeSMSPresenter()), (true, nil)] as [(Bool, FakeSMSPresenter?)] {
            for (number, situation) in [("13800001010", Situation.addressUnknown), ("13800001002", .cellularDataOff)] {
                let carrier = phone(number, hasSMS: hasSMS)
                let login = try login(carrier)
                let error = await error(of: login, orBySMS: page)
                #expect(error?.situation == situation)
                if let page { #expect(await page.shownCount == 0) }
            }
        }
    }

    @Test("A gateway that answered has said whether there are codes; without an answer another network is asked once")
    func asking() async throws {
        let known = phone("13800001010")
        let login = try login(known)
        #expect(await login.offersSMSLogin == nil)
        _ = try await login.logIn(presenting: FakePresenter(), orBySMS: FakeSMSPresenter())
        #expect(await paths(known) == ["prefetch", "sms-code", "sms-login"])
        #expect(await login.offersSMSLogin == true)

        let silent = phone("13800001002")
        _ = try await self.login(silent).logIn(presenting: FakePresenter(), orBySMS: FakeSMSPresenter())
        #expect(await paths(silent) == ["prefetch", "prefetch", "sms-code", "sms-login"])
    }

    @Test("The answer to a prefetch says it too, and a refusal that does not know the app changes nothing of it")
    func learned() async throws {
        let carrier = phone("13800000000")
        let login = try login(carrier)
        try await login.prefetch()
        #expect(await login.offersSMSLogin == true)
        carrier.hasSMSLogin = false
        carrier.set(.prefetch, .init(.appUnknown))
        try await login.forget()
        _ = try? await login.prefetch()
        #expect(await login.offersSMSLogin == true)
        carrier.set(.prefetch, .init(.addressUnknown))
        _ = try? await login.prefetch()
        #expect(await login.offersSMSLogin == false)
    }

    @Test("A phone without any network learns nothing and shows no page")
    func noNetwork() async throws {
        let carrier = phone("13800001003", hasWiFi: false)
        let sms = FakeSMSPresenter()
        let login = try login(carrier)
        let error = await error(of: login, orBySMS: sms)
        #expect(error?.situation == .noSIM)
        #expect(await sms.shownCount == 0)
    }

    @Test("A person who leaves the second page ends the call, with what it last told them")
    func left() async throws {
        for (person, situation) in [
            (FakeSMSPresenter.Person.cancels, Situation.userCancelled), (.switchesAccount, .switchAccount),
            (.types(number: "13800000000", codes: ["000000"]), .codeWrong),
            (.types(number: "123", codes: []), .numberMalformed),
            (.types(number: "13800000000", codes: Array(repeating: "000000", count: 6)), .codeTriesExceeded),
        ] {
            let login = try login(phone("13800001010"))
            let error = await error(of: login, orBySMS: FakeSMSPresenter(person))
            #expect(error?.situation == situation)
        }
    }

    @Test("Cancelling ends a login by SMS, and only one login runs at a time")
    func cancel() async throws {
        let carrier = phone("13800001010")
        let login = try login(carrier)
        let sms = FakeSMSPresenter(.waits)
        let task = Task { try await login.logIn(presenting: FakePresenter(), orBySMS: sms) }
        await eventually("the page of a login by SMS opens") { await sms.shownCount > 0 }
        let second = await error(of: login, orBySMS: sms)
        #expect(second?.situation == .alreadyRunning)
        await login.cancel()
        let result = await task.result
        guard case .failure(let error as BenjiError) = result else { return #expect(Bool(false), "\(result)") }
        #expect(error.situation == .cancelledByApp)
        carrier.number = "13800000000"
        _ = try await login.logIn(presenting: FakePresenter(), orBySMS: nil)
    }
}
