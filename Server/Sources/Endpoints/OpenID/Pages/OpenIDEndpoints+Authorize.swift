import Authority
import BenjiPage
import BenjiProtocol
import HTTPTypes
package import Hummingbird
import Logging
import OpenIDProvider

/// `/openid/authorize` and the form of its page.
extension OpenIDEndpoints {
    func authorize(_ request: Request, _ context: EndpointContext) async throws -> Response {
        let languages = Self.languages(request)
        // A page that was asked for by a link can be asked for again by it.
        let retry = request.method == .get ? request.uri.query.map { "?" + $0 } : nil
        do {
            let destination = try browser.destination(request)
            let parameters = request.method == .get ? try request.queryParameters() : try await request.form()
            let step = try await desk.authorize(parameters, await call(request, context, languages, destination))
            return answer(step, request, context, destination)
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
            guard ["same-origin", "none"].contains(site), ["null", pages].contains(origin) else {
                throw OpenIDStop.person(.consentInvalid, Language(wanted: languages), otherWay: nil)
            }
            let answer = OpenIDProvider.PageAnswer(
                secret: form["page"] ?? "", action: form["action"] ?? "", isAgreed: form["agreed"] == "yes",
                digits: form["digits"] ?? "")
            let step = try await desk.answer(answer, await call(request, context, languages))
            return self.answer(step, request, context)
        } catch let stop as OpenIDStop {
            return answer(stop, context, languages, retry: nil)
        } catch let failure as OpenIDFailure {
            return answer(.developer(failure), context, languages, retry: nil)
        }
    }

    private func call(
        _ request: Request, _ context: EndpointContext, _ languages: [String],
        _ destination: OpenIDProvider.BrowserCall.Destination = .window
    ) async -> OpenIDProvider.BrowserCall {
        OpenIDProvider.BrowserCall(
            cookies: browser.cookies(request), languages: languages,
            sighting: await sightings.sighting(of: context.peer), destination: destination)
    }

    private func answer(
        _ step: OpenIDStep, _ request: Request, _ context: EndpointContext,
        _ destination: OpenIDProvider.BrowserCall.Destination = .window
    ) -> Response {
        context.outcome.note(code: Situation.success.rawValue)
        switch step {
        case .redirect(let address):
            // 303: the browser fetches what follows with GET, whatever it sent here (RFC 9700 §4.12).
            return Response(
                status: .seeOther,
                headers: [.location: address, .cacheControl: "no-store", .referrerPolicy: "no-referrer"])
        case .page(let page):
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

    private func answer(
        _ stop: OpenIDStop, _ context: EndpointContext, _ languages: [String], retry: String?
    ) -> Response {
        context.outcome.note(code: stop.situation.rawValue)
        let language = Language(wanted: languages)
        let page =
            switch stop {
            case .developer(let failure) where stop.situation == .parameterInvalid: NoticePage(failure, language)
            case .developer:
                NoticePage(OpenIDNotice(situation: stop.situation, language: language, wayBack: nil), retry: retry)
            case .notice(let notice): NoticePage(notice, retry: retry)
            }
        return page.response(nonce: newNonce())
    }

    // MARK: - The browser

    private var browser: PageBrowser { PageBrowser(pages: pages) }

    package static func languages(_ request: Request) -> [String] {
        AcceptLanguage.tags(request.headers[.acceptLanguage] ?? "")
    }
}
