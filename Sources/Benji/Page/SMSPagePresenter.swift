#if canImport(UIKit)
public import BenjiClient
public import BenjiPage
public import BenjiPageUIKit
import BenjiProtocol
public import UIKit

/// Shows the page of a login by SMS from a view controller, and takes it down when the login has ended.
///
/// ``PhoneLogin/logIn(from:page:supplies:callbacks:offersSMS:)`` makes one for each login.
@MainActor public final class SMSPagePresenter: SMSPresenter {
    private weak var host: UIViewController?
    private let description: PageDescription
    private let supplies: PageSupplies
    private let options: PagePresenter.Options

    /// The page, while it is on the screen.
    public private(set) weak var page: SMSPageViewController?
    private var waiting: CheckedContinuation<Result<LoginToken, BenjiError>, Never>?
    private var request: Task<Void, Never>?
    private var code: SMSCode?
    /// Number of the current page; the end of an earlier one is no longer of interest.
    private var generation = 0
    /// The last error shown, until it is resolved: a person who leaves then has not just changed their mind.
    private var problem: BenjiError?

    /// - Parameters:
    ///   - host: the view controller that shows the page; kept weakly.
    ///   - description: the app's authorization page, whose look the page of the login by SMS has.
    ///   - supplies: pictures that the description names.
    public init(
        from host: UIViewController, page description: PageDescription, supplies: PageSupplies = PageSupplies(),
        options: PagePresenter.Options = PagePresenter.Options()
    ) {
        self.host = host
        self.description = description
        self.supplies = supplies
        self.options = options
    }

    /// See ``SMSPresenter/logIn(by:)``.
    ///
    /// A person who leaves ends it with ``BenjiProtocol/Situation/userCancelled``, or with the last error that the page
    /// showed, such as ``BenjiProtocol/Situation/tooManyCodes``. The button for another way ends it with
    /// ``BenjiProtocol/Situation/switchAccount``.
    public func logIn(by login: SMSLogin) async -> Result<LoginToken, BenjiError> {
        guard waiting == nil else {
            return .failure(BenjiError(.pageFailed, "this presenter is showing a page already"))
        }
        let number = generation + 1
        weak var opened: SMSPageViewController?
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<LoginToken, BenjiError>, Never>) in
                waiting = continuation
                if let error = open(login) { finish(.failure(error)) }
                opened = page
                if Task.isCancelled { finish(.failure(BenjiError(.cancelledByApp, "the app cancelled this call"))) }
            }
        } onCancel: {
            Task { @MainActor in
                guard number == self.generation else { return }
                self.finish(.failure(BenjiError(.cancelledByApp, "the app cancelled this call")))
            }
        }
        await close(opened, animated: !Task.isCancelled)
        return result
    }

    private func open(_ login: SMSLogin) -> BenjiError? {
        code = nil
        problem = nil
        generation += 1
        let number = generation
        guard let host else {
            return BenjiError(.pageFailed, "the view controller that should show the page of the login by SMS is gone")
        }
        guard options.showsInSplitView || host.viewIfLoaded?.window?.sharesScreen != true else {
            return BenjiError(.splitViewUnsupported, "the app shares the screen with another one")
        }
        var callbacks = SMSPageCallbacks()
        callbacks.sendCode = { [weak self] number in
            self?.ask { (presenter) async throws(BenjiError) in try await presenter.sendCode(to: number, by: login) }
        }
        callbacks.logIn = { [weak self] digits, times in
            self?.ask { (presenter) async throws(BenjiError) in
                try await presenter.logIn(with: digits, times, by: login)
            }
        }
        callbacks.decided = { [weak self] decision in
            guard let self, number == generation else { return }
            decided(decision)
        }
        do {
            let page = try SMSPageViewController(
                description, supplies: supplies, callbacks: callbacks, strictness: options.strictness,
                language: options.language, clock: options.clock)
            page.attachment = PageEnding { [weak self] in
                guard let self, number == generation else { return }
                decided(.cancelled(after: nil))
            }
            try page.show(from: host)
            self.page = page
            return nil
        } catch {
            return BenjiError(.pageFailed, "\(error)")
        }
    }

    /// Makes a request for the page, and shows the person a refusal.
    private func ask(_ request: @escaping @MainActor (SMSPagePresenter) async throws(BenjiError) -> Void) {
        problem = nil
        let number = generation
        self.request = Task {
            do throws(BenjiError) { try await request(self) } catch {
                // An answer to an earlier page is no answer to this one.
                guard waiting != nil, number == generation else { return }
                problem = error
                guard let refusal = SMSPageRefusal(error.situation) else { return finish(.failure(error)) }
                page?.refused(refusal)
            }
        }
    }

    private func sendCode(to number: String, by login: SMSLogin) async throws(BenjiError) {
        let current = generation
        let sent = try await login.sendCode(to: number)
        guard current == generation else { return }
        code = sent
        page?.codeSent(digits: sent.digits, tries: sent.tries)
    }

    private func logIn(with digits: String, _ times: PageTimes, by login: SMSLogin) async throws(BenjiError) {
        guard let code, let page else { throw BenjiError(.codeExpired, "there is no code") }
        let consent = PageConsent(
            page.content(policyVersion: code.policyVersion), scene: page.agreedScene, times: times)
        let current = generation
        let token = try await login.logIn(with: digits, of: code, consent: consent)
        guard current == generation else { return }
        finish(.success(token))
    }

    private func decided(_ decision: SMSPageDecision) {
        switch decision {
        case .cancelled(let refusal): finish(.failure(end(after: refusal)))
        case .refused(let refusal): finish(.failure(BenjiError(.pageFailed, refusal.description)))
        case .switchAccount:
            finish(.failure(BenjiError(.switchAccount, "the person chose another way to log in")))
        }
    }

    /// A person who leaves after a refusal has not just changed their mind.
    private func end(after refusal: SMSPageRefusal?) -> BenjiError {
        switch refusal {
        case nil: BenjiError(.userCancelled, "the person closed the page")
        // The last try is answered as a wrong code.
        case .triesExceeded?: BenjiError(.codeTriesExceeded, "too many wrong codes were typed")
        default: problem ?? BenjiError(.userCancelled, "the person closed the page")
        }
    }

    private func finish(_ result: Result<LoginToken, BenjiError>) {
        guard let waiting else { return }
        self.waiting = nil
        // One that has brought the result ends by itself.
        if case .failure = result { request?.cancel() }
        request = nil
        waiting.resume(returning: result)
    }

    private func close(_ page: SMSPageViewController?, animated: Bool) async {
        guard let page else { return }
        await withCheckedContinuation { continuation in
            page.close(animated: animated) { continuation.resume() }
        }
    }
}
#endif
