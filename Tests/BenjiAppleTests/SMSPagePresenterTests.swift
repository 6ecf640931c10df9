import Benji
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import BenjiTesting
import Testing
import UIKit
import Waiting

@MainActor @Suite(.serialized) struct SMSPagePresenterTests {
    private let host = UIViewController(nibName: nil, bundle: nil)
    private let page = PageDescription(terms: [
        PageTerm("《用户协议》", url: "https://app.example/agreement"),
        PageTerm("《隐私政策》", url: "https://app.example/privacy"),
    ])

    private func login(_ carrier: ScriptedCarrier) throws -> PhoneLogin {
        carrier.phoneLogin(
            try .init(
                appID: "300000000001", appKey: "key", bundleID: "com.example.app", server: "https://gate.example"))
    }

    private func wifi() -> ScriptedCarrier {
        let carrier = ScriptedCarrier(number: "13800001010", hasWiFi: true, clock: ManualClock())
        carrier.hasSMSLogin = true
        return carrier
    }

    /// Asks the page until it returns a value.
    private func until<Value>(_ ask: () async -> Value?) async -> Value? {
        var value: Value?
        try? await Waiting.until {
            value = await ask()
            return value != nil
        }
        return value
    }

    private func shown() async -> SMSPageViewController? {
        await until { host.presentedViewController as? SMSPageViewController }
    }

    private func field(_ name: String, in view: UIView) -> UITextField? {
        if let field = view as? UITextField, field.accessibilityIdentifier == "benji." + name + ".text" { return field }
        return view.subviews.lazy.compactMap { self.field(name, in: $0) }.first
    }

    private func tap(_ role: PageRole, of page: SMSPageViewController, _ screen: StandInScreen) throws {
        let frame = try #require(page.scene[role]?.frame)
        screen.tap(CGPoint(x: frame.midX, y: frame.midY))
    }

    @Test(
        """
        One call shows the page of a login by SMS where one tap cannot work, and ends with a token and the person's \
        consent to that page
        """
    )
    func whole() async throws {
        let screen = StandInScreen(host)
        let carrier = wifi()
        let benji = try login(carrier)
        let description = page
        let task = Task { try await benji.logIn(from: host, page: description) }
        let open = try #require(await shown())
        screen.settle()
        try tap(.tick, of: open, screen)
        try #require(field("numberField", in: open.view)).standInType("13800000000")
        try tap(.sendCode, of: open, screen)
        #expect(
            await until { open.scene[.sendCode]?.isEnabled == false && open.scene[.message] != nil ? true : nil }
                == true)
        let code = try #require(field("codeField", in: open.view))
        code.standInType("000000")
        try tap(.login, of: open, screen)
        #expect(await until { open.scene[.message]?.text?.text.contains("4") == true ? true : nil } == true)
        code.standInType(ScriptedCarrier.smsDigits)
        try tap(.login, of: open, screen)
        let token = try await task.value
        #expect(token.assurance == .sms)
        #expect(host.presentedViewController == nil)
        let request = try #require(await carrier.requests.last)
        let json = try JSON(parsing: request.body)
        let signed = try #require(json["consent"]?.stringValue)
        let proof = try DeviceProof(verifying: try #require(request.headers[DeviceProof.headerName]))
        let consent = try ConsentRecord(verifying: signed, key: proof.key)
        #expect(consent.content.drawnBy == .benji && consent.content.links.count == 2)
        #expect(consent.content.texts.contains { $0.role == .number && $0.text == ConsentContent.numberPlaceholder })
        #expect(try consent.pageDigest == description.digest())
        #expect(
            consent.sceneDigest != nil && consent.shownAt <= consent.tickedAt && consent.tickedAt <= consent.tappedAt)
    }

    @Test("A person who leaves after a refusal ends the call with that, and one who just leaves with their own choice")
    func leaving() async throws {
        for (refusal, situation) in [(nil, Situation.userCancelled), (Situation.tooManyCodes, .tooManyCodes)] {
            let screen = StandInScreen(host)
            let carrier = wifi()
            if let refusal { carrier.refuse(.smsCode, with: refusal) }
            let benji = try login(carrier)
            let description = page
            let task = Task { try await benji.logIn(from: host, page: description) }
            let open = try #require(await shown())
            screen.settle()
            if refusal != nil {
                try tap(.tick, of: open, screen)
                try #require(field("numberField", in: open.view)).standInType("13800000000")
                try tap(.sendCode, of: open, screen)
                #expect(await until { open.scene[.message] } != nil)
            }
            try tap(.back, of: open, screen)
            let result = await task.result
            if case .failure(let error as BenjiError) = result {
                #expect(error.situation == situation)
            } else {
                Issue.record("\(result)")
            }
            #expect(host.presentedViewController == nil)
        }
    }

    @Test("What is no matter of the person's takes the page down and ends the call, and so does the app's cancelling")
    func ended() async throws {
        for refusal in [Situation.appSuspended, nil] {
            let screen = StandInScreen(host)
            let carrier = wifi()
            carrier.refuse(.smsCode, with: refusal)
            let benji = try login(carrier)
            let description = page
            let task = Task { try await benji.logIn(from: host, page: description) }
            let open = try #require(await shown())
            screen.settle()
            if refusal == nil {
                await benji.cancel()
            } else {
                try tap(.tick, of: open, screen)
                try #require(field("numberField", in: open.view)).standInType("13800000000")
                try tap(.sendCode, of: open, screen)
            }
            let result = await task.result
            if case .failure(let error as BenjiError) = result {
                #expect(error.situation == refusal ?? .cancelledByApp)
            } else {
                Issue.record("\(result)")
            }
            #expect(host.presentedViewController == nil)
        }
    }

    @Test("An app that does not want the page is told how one tap ended, and sees none")
    func switchedOff() async throws {
        let screen = StandInScreen(host)
        let benji = try login(wifi())
        do {
            _ = try await benji.logIn(from: host, page: page, offersSMS: false)
            Issue.record("a token without a number")
        } catch { #expect(error.situation == .addressUnknown) }
        #expect(host.presentedViewController == nil)
        _ = screen
    }
}
