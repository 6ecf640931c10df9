internal import Authority
internal import BenjiPage
internal import BenjiProtocol
internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// `/openid/authorize` and the form of its page.
extension OpenIDEndpoints {
    func authorize(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        // A page that was asked for by a link can be asked for again by it.
        let retry = request.method == .get ? request.uri.query.map { "?" + $0 } : nil
        do {
            // An image or a script of another site is nobody who wants to log in, and must not use up the phone's tries.
            let place = request.headers[.secFetchDest] ?? "document"
            guard ["document", "iframe", "frame"].contains(place) else {
                throw OpenIDFailure(.invalidRequest, "the address is for browsers to go to, not to fetch from a page")
            }
            let parameters = request.method == .get ? try request.queryParameters() : try await request.form()
            let browser = Self.browser(request)
            let secret = browser ?? provider.newBrowserSecret()
            let step = try await desk.authorize(
                parameters, await call(context, secret, languages, isFramed: place != "document"))
            return answer(step, context, newBrowser: browser == nil ? secret : nil)
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: retry)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    func login(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        do {
            let form = try await request.form()
            // Browsers say where a form comes from; the cookie below holds for those that do not.
            let site = request.headers[.secFetchSite] ?? "same-origin"
            let origin = request.headers[.origin] ?? "null"
            guard ["same-origin", "none"].contains(site), ["null", provider.configuration.pages].contains(origin) else {
                throw OpenIDStop.person(.consentInvalid, PageLanguage(wanted: languages), otherWay: nil)
            }
            let answer = OpenIDProvider.PageAnswer(
                secret: form["page"] ?? "", action: form["action"] ?? "", isAgreed: form["agreed"] == "yes",
                digits: form["digits"] ?? "")
            let step = try await desk.answer(answer, await call(context, Self.browser(request) ?? "", languages))
            return self.answer(step, context, newBrowser: nil)
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: nil)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    private func call(
        _ context: EndpointContext, _ browser: String, _ languages: [String], isFramed: Bool = false
    ) async -> OpenIDProvider.BrowserCall {
        OpenIDProvider.BrowserCall(
            browser: browser, languages: languages, sighting: await sightings.sighting(of: context.peer),
            isFramed: isFramed)
    }

    private func answer(_ step: OpenIDStep, _ context: EndpointContext, newBrowser: String?) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        var response: Response
        switch step {
        case .redirect(let address):
            // 303: the browser fetches what follows with GET, whatever it sent here (RFC 9700 §4.12).
            response = Response(
                status: .seeOther,
                headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
        case .page(let page):
            do { response = try LoginPage(page, nonce: provider.newBrowserSecret()).response } catch {
                context.logger.error("a page cannot be drawn", metadata: ["problem": "\(error)"])
                context.outcome.note(code: Situation.internalError.rawValue)
                return NoticePage(.internalError, page.language).response(nonce: provider.newBrowserSecret())
            }
        }
        if let newBrowser {
            response.headers[.setCookie] = "\(Self.cookie)=\(newBrowser); Path=/; Secure; HttpOnly; SameSite=Lax"
        }
        return response
    }

    private func answer(
        _ stop: OpenIDStop, _ context: EndpointContext, _ languages: [String], retry: String?
    ) -> Response {
        context.outcome.note(code: stop.situation.rawValue)
        let page =
            switch stop {
            case .developer(let failure) where stop.situation == .parameterInvalid:
                NoticePage(failure, PageLanguage(wanted: languages))
            case .developer: NoticePage(stop.situation, PageLanguage(wanted: languages), retry: retry)
            case .person(let situation, let language, let otherWay):
                NoticePage(situation, language, retry: retry, otherWay: otherWay)
            }
        return page.response(nonce: provider.newBrowserSecret())
    }

    // MARK: - The browser

    /// The prefix makes browsers refuse it from another host, a subdomain or a plain connection (RFC 6265bis §4.1.3).
    static let cookie = "__Host-benji"

    /// The secret in the browser's cookie, if there is one that we could have given it.
    static func browser(_ request: Request) -> String? {
        request.cookie(Self.cookie).flatMap { OpenIDProvider.isSecret($0) ? $0 : nil }
    }

    static func languages(_ request: Request) -> [String] {
        AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "")
    }
}
