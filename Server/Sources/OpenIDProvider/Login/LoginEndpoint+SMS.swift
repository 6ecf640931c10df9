import Authority
@_spi(Server) import BenjiProtocol
import Requests
import Sightings
import Store

/// The pages for a code by SMS come back: the number buys a message, and its code the login (decision 48).
///
/// The page is one credential from its first showing to the login, because tries, life and single use are counted with
/// the code. A code is bound to app, transaction and the page's cookie, so another browser that reads it cannot use it.
extension LoginEndpoint {
    /// The person's actions on these pages; anything else is a no.
    private enum Deed: String {
        /// Ask for a code, or for another one.
        case send
        /// Go back to the number.
        case number
        /// Show the code.
        case code
    }

    /// - Parameters:
    ///   - credential: of a page that asks for a code.
    ///   - shown: what that page showed, in this browser.
    func answerForCode(
        _ answer: OpenIDProvider.PageAnswer, _ credential: OpenIDCredential, _ shown: ShownPage,
        _ call: OpenIDProvider.BrowserCall
    ) async throws -> OpenIDStep {
        guard let deed = Deed(rawValue: answer.action) else {
            try await spend(credential, next: nil, shown)
            return context.response.turnedDown(shown.request)
        }
        let client = try await client(of: credential, shown)
        // As it is now: the operator may have taken the workflow back.
        if let problem = client.app.record.problemWithSMSLogin {
            throw OpenIDFailure(.unauthorizedClient, problem.detail)
        }
        guard let smsLogin, let source = call.source else {
            throw OpenIDFailure(.temporarilyUnavailable, "no messages are sent here")
        }
        let parts = try pages.smsParts(client, shown.language)
        guard parts.isWhatWasShown(shown) else { throw stop(.scripExpired, shown) }
        let page = SMSPage(
            login: smsLogin, client: client, credential: credential, shown: shown, parts: parts, source: source,
            secret: answer.secret)
        var form = SMSForm()
        form.number = answer.number
        form.isAgreed = answer.isAgreed
        form.digits = Int64(smsLogin.codes.settings.digits)
        form.maskedNumber = PhoneNumber(typed: answer.number)?.masked ?? ""
        guard deed != .number else { return try await draw(page, form) }
        form.transaction = SMSTransactionID(rawValue: answer.transaction)?.rawValue
        form.wait = lastCodes.wait(after: credential.family, now: context.now)
        return try await deed == .send ? send(page, form) : show(answer.digits, page, form)
    }

    /// The page of one tap becomes one for a code by SMS: the phone left the network in between.
    func turnToCode(
        _ client: KnownClient, _ page: OpenIDCredential, _ shown: ShownPage, _ call: OpenIDProvider.BrowserCall
    ) async throws -> OpenIDStep {
        // Whatever the network says by now: the person was offered it.
        guard call.source != nil, client.canBeSentCode(by: smsLogin, shown.request, after: .addressUnknown) else {
            throw stop(.addressUnknown, shown)
        }
        let parts = try pages.smsParts(client, shown.language)
        let media = try await pages.media(of: page.appID)
        var next = ShownPage(
            request: shown.request, browser: shown.browser, language: shown.language,
            shownAt: context.authority.clock.now, contentDigest: parts.content.digest, pageDigest: parts.pageDigest)
        next.isBySMS = true
        next.request.context = .sms
        next.subjects = shown.subjects
        next.pushed = shown.pushed
        let secret = context.newCredential()
        var credential = page
        credential.hash = CredentialHash(of: secret, .openID)
        credential.subject = nil
        credential.details = next.json.text
        credential.issuedAt = context.now
        credential.expiresAt = context.now + .seconds(OpenIDLifetime.smsPage)
        try await spend(page, next: credential, shown)
        return .page(
            parts.page(
                .sms(SMSForm()), secret: secret, language: shown.language, redirectURI: shown.request.redirectURI,
                media: media))
    }

    /// A page for a code that came back, with everything that its answer is held against.
    private struct SMSPage {
        var login: SMSLogin
        var client: KnownClient
        var credential: OpenIDCredential
        var shown: ShownPage
        var parts: PageParts
        var source: InternetAddress
        var secret: String
    }

    private func draw(_ page: SMSPage, _ form: SMSForm) async throws -> OpenIDStep {
        .page(
            page.parts.page(
                .sms(form), secret: page.secret, language: page.shown.language,
                redirectURI: page.shown.request.redirectURI,
                media: try await pages.media(of: page.credential.appID)))
    }

    /// Shows the page again with the error. It writes nothing, so it is counted.
    private func refuse(_ situation: Situation, _ page: SMSPage, _ form: SMSForm) async throws -> OpenIDStep {
        guard tapLimiter.admits("\(page.credential.family)", now: context.now) else {
            throw stop(.tooManyRequests, page.shown)
        }
        var form = form
        form.problem = situation
        return try await draw(page, form)
    }

    // MARK: the number

    private func send(_ page: SMSPage, _ form: SMSForm) async throws -> OpenIDStep {
        guard form.isAgreed else { return try await refuse(.consentMissing, page, form) }
        guard let number = PhoneNumber(typed: form.number) else {
            return try await refuse(.numberMalformed, page, form)
        }
        let id = SMSTransactionID(random: context.random)
        // Of a button that was pressed twice the second answer is the one that the person sees.
        if let last = lastCodes.begin(id, to: number, for: page.credential.family, now: context.now) {
            var form = form
            form.transaction = last.id.rawValue
            form.wait = last.wait
            return try await draw(page, form)
        }
        do {
            _ = try await page.login.sendCode(
                to: number, of: page.client.app.record, page.credential.trace, source: page.source,
                key: Self.key(of: page.shown), id: id)
        } catch {
            lastCodes.forget(id, of: page.credential.family)
            guard let situation = Self.shown(error.situation) else { throw error }
            var form = form
            form.wait = 0
            return try await refuse(situation, page, form)
        }
        var form = form
        form.transaction = id.rawValue
        form.wait = LastCodes.pause.components.seconds
        return try await draw(page, form)
    }

    /// The key that a code is bound to: this browser, on this page.
    private static func key(of page: ShownPage) -> String { "browser \(page.browser)" }

    /// The page's message for a refusal; `nil` for one that does not concern the person. None reveals the register.
    private static func shown(_ situation: Situation) -> Situation? {
        switch situation {
        case .numberNotServed, .numberBlocked, .tooManyCodes, .tooManyRequests, .quotaExceeded, .overloaded,
            .messageNotSent:
            situation
        default: nil
        }
    }

    // MARK: the code

    private func show(_ typed: String, _ page: SMSPage, _ form: SMSForm) async throws -> OpenIDStep {
        let digits = typed.filter { !" -\u{a0}".contains($0) }
        // An input that cannot be a code costs no try.
        guard digits.utf8.count == form.digits, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return try await refuse(.parameterInvalid, page, form)
        }
        let end: SMSCodes.Comparison
        do {
            end = try await page.login.codes.compare(
                digits, of: form.transaction ?? "", app: page.credential.appID, purpose: .login,
                deviceKey: Self.key(of: page.shown))
        } catch {
            // Not this app's, or none: as any other that is over.
            guard error.situation == .codeUnknown else { throw error }
            return try await refuse(.codeExpired, page, form)
        }
        guard end.situation == .success else {
            var form = form
            if end.situation == .codeWrong { form.triesLeft = Int64(end.record.triesLeft) }
            return try await refuse(end.situation, page, form)
        }
        let holder: SubscriptionRecord
        do { holder = try await page.login.holder(of: end.record) } catch {
            // A code was spent for it, so there are few.
            await context.tracer.record(
                page.credential.trace, .authority, "openid.answer", error.situation, error.detail)
            guard [.numberNotServed, .subscriptionChanged].contains(error.situation) else { throw error }
            throw stop(.numberNotServed, page.shown)
        }
        let subject = context.authority.vault.openID(holder, app: page.credential.appID)
        guard page.shown.subjects?.contains(subject) ?? true else {
            throw OpenIDStop.otherAccount(
                page.shown.language,
                wayBack: context.response.error(
                    .loginRequired, "the number is not of the account that was asked for",
                    to: page.shown.request.redirectURI, state: page.shown.request.state))
        }
        var credential = page.credential
        credential.subject = OpenIDCredential.Subject(
            subscription: holder.reference, carrier: holder.carrier,
            // No address told the number, so none can take it back.
            binding: BindingID(rawValue: context.random.family()))
        return try await grant(
            Visit(credential: credential, shown: page.shown, subscription: holder, parts: page.parts), page.shown)
    }
}

extension KnownClient {
    /// Whether a code by SMS may take the place of one tap, which ended in this situation.
    func canBeSentCode(by login: SMSLogin?, _ request: AuthorizationRequest, after situation: Situation) -> Bool {
        // A failure that prevents the decision on one tap prevents a code as well.
        let unavailable: Set<Situation> = [.storeUnavailable, .overloaded, .internalError]
        return login?.codes.canSend == true && request.acceptsSMS && app.record.problemWithSMSLogin == nil
            && !unavailable.contains(situation)
    }
}

extension PageParts {
    /// Whether the page would look as it did when it was shown; otherwise the person has agreed to something else.
    func isWhatWasShown(_ page: ShownPage) -> Bool {
        content.digest == page.contentDigest && pageDigest == page.pageDigest
    }
}
