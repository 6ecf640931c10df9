import Benji
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import BenjiTesting
import Testing
import UIKit
import Waiting

@MainActor @Suite(.serialized) struct PhoneLoginPageTests {
    private let host = UIViewController(nibName: nil, bundle: nil)
    private let page = PageDescription(terms: [
        PageTerm("《用户协议》", url: "https://app.example/agreement"),
        PageTerm("《隐私政策》", url: "https://app.example/privacy"),
    ])

    private func login(_ transport: ScriptedTransport, _ account: String) throws -> PhoneLogin {
        PhoneLogin(
            configuration: try PhoneLogin.Configuration(
                appID: "300000000001", appKey: "key", bundleID: "com.example.app", server: "https://gate.example",
                timeout: .seconds(60)),
            transport: transport, keyStore: KeychainDeviceKeyStore(account: account))
    }

    /// The page that is on the screen, as soon as there is one.
    private func shown() async throws -> AuthorizationPageViewController? {
        var page: AuthorizationPageViewController? {
            host.presentedViewController as? AuthorizationPageViewController
        }
        try await until { page?.isOpen == true }
        return page
    }

    @Test("One call shows the page, asks for the token with what the page said, and takes the page down")
    func login() async throws {
        let screen = StandInScreen(host)
        let trace = TraceID(random: SystemRandomSource())
        let transport = ScriptedTransport([.prefetch(trace: trace), .authorize(trace: trace)])
        let benji = try login(transport, "page-1")
        let description = page
        let task = Task { try await benji.logIn(from: host, page: description) }
        let open = try #require(try await shown())
        open.setTick(true)
        open.tapLogin()
        let agreed = open.agreedScene
        let token = try await task.value
        #expect(CredentialGrammar.token.matches(token.token))
        #expect(host.presentedViewController == nil)
        let request = try #require(await transport.requests.last)
        let signed = try #require(try JSON(parsing: request.body)["consent"]?.stringValue)
        let key = try await KeychainDeviceKeyStore(account: "page-1").signer().publicKey
        let consent = try ConsentRecord(verifying: signed, key: key)
        #expect(consent.content.drawnBy == .benji)
        #expect(consent.content.links.count == 3)
        #expect(try consent.pageDigest == description.digest())
        #expect(consent.sceneDigest == agreed?.digest)
        #expect(consent.shownAt <= consent.tickedAt)
        #expect(consent.tickedAt <= consent.tappedAt)
        _ = screen
    }

    @Test("A diagnosis with a page checks its rules, and shows nothing")
    func diagnosis() async throws {
        let screen = StandInScreen(host)
        let unknown = DeviceFailure(situation: .addressUnknown, detail: "")
        let benji = try login(ScriptedTransport([.prefetch(), .prefetch(), .refusal(unknown)]), "page-d")
        var hidden = page
        hidden.loginButton.title.text = LocalizedText("下一步")
        let good = try await benji.diagnose(page: page)
        #expect(good.failed == nil && good.passed == LoginDiagnosis.Check.allCases)
        let broken = try await benji.diagnose(page: hidden)
        #expect(broken.failed == .page && broken.error?.situation == .pageFailed)
        #expect(try await benji.diagnose(page: page).failed == .number)
        #expect(host.presentedViewController == nil)
        _ = screen
    }

    @Test("Leaving the page ends the call as the person's choice, without a second request, and frees the page")
    func cancelled() async throws {
        let screen = StandInScreen(host)
        let transport = ScriptedTransport([.prefetch()])
        let benji = try login(transport, "page-2")
        let description = page
        let task = Task { try await benji.logIn(from: host, page: description) }
        weak let gone = try await shown()
        gone?.close(animated: false)
        do {
            _ = try await task.value
            Issue.record("a page that was left gave a token")
        } catch { #expect((error as? BenjiError)?.situation == .userCancelled) }
        #expect(await transport.requests.count == 1)
        #expect(gone == nil)
        _ = screen
    }

    @Test("A login that fails takes the page down too, and says what happened")
    func refused() async throws {
        let screen = StandInScreen(host)
        let trace = TraceID(random: SystemRandomSource())
        let refusal = DeviceFailure(situation: .consentInvalid, detail: "no", trace: trace, serverTime: nil)
        let transport = ScriptedTransport([.prefetch(trace: trace), .refusal(refusal)])
        let benji = try login(transport, "page-3")
        let description = page
        let task = Task { try await benji.logIn(from: host, page: description) }
        let open = try #require(try await shown())
        open.setTick(true)
        open.tapLogin()
        do {
            _ = try await task.value
            Issue.record("a refused login gave a token")
        } catch { #expect((error as? BenjiError)?.situation == .consentInvalid) }
        #expect(host.presentedViewController == nil)
        _ = screen
    }
}
