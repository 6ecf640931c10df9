import Administration
import BenjiProtocol
import Hummingbird
import PageDesigner
import Requests
import ServerHTTP
import Store

/// The page designer for one app: it begins with the app's page, and submits the result for review.
extension Console {
    /// The app whose page is designed, in the task that answers a request.
    private struct Design: Sendable {
        @TaskLocal static var current: Design?

        var app: AppID
        var caller: Caller
    }

    var designRoutes: [EndpointRoute] {
        let administration = administration
        let designer = PageDesigner(
            at: "/console/apps/{id}/design/",
            startingWith: {
                guard let design = Design.current else { throw PageDesigner.Refusal(.absent, "no app is named") }
                do {
                    // The last submission, or the start page if there is none.
                    let list = try await administration.perform(ListPages(design.app), by: design.caller)
                    if let number = list["submissions"]?.arrayValue?.first?["submission"]?.integerValue {
                        let named = design.caller.role == .developer ? design.app : nil
                        let last = try await administration.perform(ShowPage(number, app: named), by: design.caller)
                        if let page = last["page"] { return page.text }
                    }
                } catch let refusal as Refusal { throw PageDesigner.Refusal(.failed, refusal.detail) }
                return StartPage.fullScreen.text
            },
            submit: { text in
                guard let design = Design.current else { throw PageDesigner.Refusal(.absent, "no app is named") }
                do {
                    _ = try await administration.perform(SubmitPage(design.app, text), by: design.caller)
                } catch let refusal as Refusal { throw PageDesigner.Refusal(.invalid, refusal.detail) }
            })
        return designer.routes.map { route in
            open(route.method, route.path, readsForm: false) { visit, context in
                guard let caller = visit.caller else { return Self.goTo("/console/sign-in") }
                RequestSubject.current?.prove()
                context.outcome.note(actor: caller.name)
                let app = try Self.appID(context)
                guard caller.may(give: SubmitPage.self, about: app) else {
                    throw Refusal(.orderNotPermitted, "a caller with this role may not submit pages of this app")
                }
                // Pages of another site may send forms alone.
                guard route.method == .get || visit.request.mediaType == "application/json" else {
                    throw Refusal(.malformedRequest, "the body must be JSON")
                }
                return try await Design.$current.withValue(Design(app: app, caller: caller)) {
                    try await route.handler(visit.request, context)
                }
            }
        }
    }
}
