import BenjiPage
import BenjiProtocol
import HTTPTypes
package import Hummingbird
import Logging
import OpenIDProvider
import Requests
import ServerHTTP

/// `/openid/authorize` and the form of its page.
extension OpenIDEndpoints {
    func authorize(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        // A page that was asked for by a link can be asked for again by it.
        let retry = request.method == .get ? request.uri.query.map { "?" + $0 } : nil
        var offer: SMSOffer?
        do {
            let destination = try browser.destination(request)
            let parameters = request.method == .get ? try request.queryParameters() : try await request.form()
            offer = SMSOffer(parameters, of: request)
            let step = try await service.authorize(parameters, await call(request, context, languages, destination))
            return answer(step, request, context, languages, destination)
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: retry, offer: offer)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    func login(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        var offer: SMSOffer?
        do {
            let form = try await request.form()
            // The page's cookie holds for browsers that do not say where a form comes from.
            guard isFromOurPage(request) else {
                throw OpenIDStop.person(.consentInvalid, Language(wanted: languages), otherWay: nil)
            }
            let answer = OpenIDProvider.PageAnswer(
                secret: form["page"] ?? "", action: form["action"] ?? "", isAgreed: form["agreed"] == "yes",
                digits: form["digits"] ?? "", number: form["number"] ?? "", transaction: form["transaction"] ?? "",
                isRemembered: form["remember"] == "yes")
            offer = SMSOffer(answer)
            let step = try await service.answer(answer, await call(request, context, languages))
            return self.answer(step, request, context, languages)
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: nil, offer: offer)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    /// Whether the browser states that a form comes from a page of ours, or states nothing.
    func isFromOurPage(_ request: Request) -> Bool {
        let site = request.headers[.secFetchSite] ?? "same-origin"
        let origin = request.headers[.origin] ?? "null"
        return ["same-origin", "none"].contains(site) && ["null", pages].contains(origin)
    }

    func call(
        _ request: Request, _ context: EndpointContext, _ languages: [String],
        _ destination: OpenIDProvider.BrowserCall.Destination = .window
    ) async -> OpenIDProvider.BrowserCall {
        OpenIDProvider.BrowserCall(
            cookies: browser.cookies(request), languages: languages,
            sighting: await sightings.sighting(of: context), destination: destination,
            source: context.peer?.address)
    }

    private func answer(
        _ step: OpenIDStep, _ request: Request, _ context: EndpointContext, _ languages: [String],
        _ destination: OpenIDProvider.BrowserCall.Destination = .window
    ) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        switch step {
        case .redirect(let address):
            // 303: the browser fetches what follows with GET, whatever it sent here (RFC 9700 §4.12).
            return Response(
                status: .seeOther,
                headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
        case .remembering(let cookie, let next):
            var response = answer(next, request, context, languages, destination)
            response.headers.append(HTTPField(name: .setCookie, value: browser.remembered(cookie)))
            return response
        case .post(let form): return PostPage(form, Language(wanted: languages)).response(nonce: newNonce())
        case .page(let page):
            if case .sms(let form) = page.stage, let problem = form.problem {
                context.outcome.note(code: problem.rawValue)
            }
            do {
                var response = try LoginPage(page, nonce: newNonce()).response
                if let cookie = page.cookie {
                    for value in browser.newCookies(cookie, for: request, destination) {
                        response.headers.append(HTTPField(name: .setCookie, value: value))
                    }
                }
                return response
            } catch {
                context.logger.error("a page cannot be drawn", metadata: ["problem": "\(error)"])
                context.outcome.note(code: Situation.internalError.rawValue)
                let notice = OpenIDNotice(situation: .internalError, language: page.language, wayBack: nil)
                return NoticePage(notice).response(nonce: newNonce())
            }
        }
    }

    func answer(
        _ stop: OpenIDStop, _ context: EndpointContext, _ languages: [String], retry: String?, offer: SMSOffer? = nil
    ) -> Response {
        context.outcome.note(code: stop.situation.rawValue)
        let language = Language(wanted: languages)
        let page =
            switch stop {
            case .developer(let failure) where stop.situation == .parameterInvalid: NoticePage(failure, language)
            case .developer:
                NoticePage(OpenIDNotice(situation: stop.situation, language: language, wayBack: nil), retry: retry)
            case .notice(let notice): NoticePage(notice, retry: retry, offer: offer)
            }
        return page.response(nonce: newNonce())
    }

    // MARK: - The browser

    var browser: PageBrowser { PageBrowser(pages: pages) }

    package static func languages(_ request: Request) -> [String] {
        AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "")
    }
}
