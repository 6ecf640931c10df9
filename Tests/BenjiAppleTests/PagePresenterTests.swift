import Benji
import BenjiClient
import BenjiPage
import BenjiPageUIKit
import BenjiProtocol
import Testing
import UIKit
import Waiting

@MainActor @Suite(.serialized) struct PagePresenterTests {
    private let host = UIViewController(nibName: nil, bundle: nil)
    private let description = PageDescription(terms: [
        PageTerm("《用户协议》", url: "https://app.example/agreement"),
        PageTerm("《隐私政策》", url: "https://app.example/privacy"),
    ])

    private func offer(_ number: String = "138****0000") -> PageOffer {
        let duties = CarrierDuties.standard(.mobile)
        return PageOffer(
            maskedNumber: number, carrier: .mobile,
            page: CarrierPage(
                termsTitle: duties.termsTitle, termsURL: duties.termsURL, slogan: duties.slogan), policyVersion: "7",
            trace: TraceID(rawValue: String(repeating: "0a", count: 16))!)
    }

    /// Presents an offer, calls `use` with the open page, and returns the outcome.
    private func outcome(
        _ presenter: PagePresenter, _ offer: PageOffer? = nil, use: @MainActor (AuthorizationPageViewController) -> Void
    ) async -> PresentationOutcome {
        let offer = offer ?? self.offer()
        // Runs until the presenter waits for the person, also where it uses an open page again.
        let task = Task.immediate { await presenter.present(offer) }
        if let page = presenter.page { use(page) }
        return await task.value
    }

    private func presenter(_ change: (inout PageCallbacks) -> Void = { _ in }) -> PagePresenter {
        var callbacks = PageCallbacks()
        change(&callbacks)
        var options = PagePresenter.Options()
        options.language = .simplifiedChinese
        var time: Int64 = 0
        options.clock = PageClock(
            now: {
                time += 1000
                return time
            }, after: { _, _ in })
        return PagePresenter(from: host, page: description, callbacks: callbacks, options: options)
    }

    private func agree(_ page: AuthorizationPageViewController) {
        if !page.isTicked { page.setTick(true) }
        page.tapLogin()
    }

    @Test("The person's yes is a consent with the page's words, its boxes and three times in order")
    func consented() async throws {
        let screen = StandInScreen(host)
        let presenter = presenter()
        guard case .consented(let consent) = await outcome(presenter, use: agree) else {
            Issue.record("nobody agreed")
            return
        }
        #expect(consent.content.policyVersion == "7")
        #expect(consent.content.links.count == 3)
        #expect(consent.sceneDigest == presenter.page?.agreedScene?.digest)
        #expect(consent.shownAt < consent.tickedAt)
        #expect(consent.tickedAt < consent.tappedAt)
        // The page stays until somebody takes it down.
        #expect(host.presentedViewController === presenter.page)
        await presenter.close()
        #expect(host.presentedViewController == nil)
        _ = screen
    }

    @Test("After a login that failed the open page is used again; with another number a new one is shown")
    func again() async throws {
        let screen = StandInScreen(host)
        let presenter = presenter()
        _ = await outcome(presenter, use: agree)
        let first = presenter.page
        presenter.stopLoading()
        guard case .consented = await outcome(presenter, use: agree) else {
            Issue.record("the second try failed")
            return
        }
        #expect(presenter.page === first)
        presenter.stopLoading()
        guard
            case .consented = await outcome(
                presenter, offer("139****1111"),
                use: { page in
                    #expect(page !== first)
                    agree(page)
                })
        else {
            Issue.record("the third try failed")
            return
        }
        await presenter.close(animated: false)
        _ = screen
    }

    @Test("Leaving, switching, and a page that the app throws away each have their outcome, once")
    func ways() async {
        let screen = StandInScreen(host)
        #expect(await outcome(presenter()) { $0.close(animated: false) } == .cancelled)
        #expect(await outcome(presenter()) { _ in host.dismiss(animated: false) } == .cancelled)
        _ = screen
    }

    @Test("A page that cannot be shown says why at once")
    func failures() async throws {
        guard case .failed(let reason) = await presenter().present(offer()) else {
            Issue.record("shown on nothing")
            return
        }
        #expect(reason == PagePresentationError.hostNotOnScreen.description)
    }

    @Test("Beside another app the page is shown unless the app says otherwise; a small window of the app's own is none")
    func splitView() async {
        let screen = StandInScreen(host, width: 820, height: 1180)
        var options = PagePresenter.Options()
        options.showsInSplitView = false
        let offer = offer()
        func presenter(_ options: PagePresenter.Options) -> PagePresenter {
            PagePresenter(from: host, page: description, options: options)
        }
        screen.window.frame.size.width = 400
        #expect(await outcome(presenter(options)) { $0.close(animated: false) } == .cancelled)
        screen.share(leaving: 400)
        #expect(await presenter(options).present(offer) == .sharesScreen)
        #expect(await outcome(presenter(PagePresenter.Options())) { $0.close(animated: false) } == .cancelled)
        screen.share(leaving: 820)
        #expect(await outcome(presenter(options)) { $0.close(animated: false) } == .cancelled)
    }

    @Test("A cancelled login takes the page down")
    func cancelled() async {
        let screen = StandInScreen(host)
        let presenter = presenter()
        let offer = offer()
        let task = Task { await presenter.present(offer) }
        await eventually("the page opens") { presenter.page?.isOpen == true }
        task.cancel()
        _ = await task.value
        #expect(host.presentedViewController == nil)
        #expect(presenter.page == nil)
        _ = screen
    }
}
