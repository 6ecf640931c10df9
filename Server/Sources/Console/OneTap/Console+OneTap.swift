import Administration
import BenjiFaceProtocol
import BenjiPage
import BenjiProtocol
import HTTPTypes
import Hummingbird
import Requests
import ServerHTTP
import Store

/// Signing in by one tap of one's own phone, after the password, and binding that phone.
extension Console {
    var oneTapRoutes: [EndpointRoute] {
        guard let oneTap else { return [] }
        return [
            page(.get, "/console/phone") { visit, caller, _ in try await phone(visit, caller) },
            page(.post, "/console/phone") { visit, caller, context in
                do throws(Refusal) {
                    try admitCall(context)
                    let secret = try await administration.beginBinding(
                        by: caller, session: visit.session ?? "", password: visit.field("password") ?? "")
                    let address = try await oneTap.address(for: secret, language: visit.language.tag)
                    return holding(secret, try await phone(visit, caller, tapAt: address))
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await phone(visit, caller, problem: error)
                }
            },
            page(.post, "/console/phone/remove") { _, caller, _ in
                try await administration.removeOwnPhone(by: caller)
                return Self.goTo("/console/phone?done=1")
            },
            strangersForm("/console/second", shows: "sign-in") { visit throws(Refusal) in
                let secret = try pendingSecret(visit)
                do throws(Refusal) {
                    return begin(
                        try await administration.finishSignIn(
                            secret, by: .code(visit.text("code")), from: visit.origin))
                } catch {
                    guard error.situation == .accessTokenInvalid else { throw error }
                    return await second(secret, visit, problem: error)
                }
            },
            open(.get, OneTapClient.path) { visit, context in
                do throws(Refusal) {
                    // A browser that began nothing here, as for an image in another site's page, counts to no address.
                    _ = try pendingSecret(visit)
                    try admitCall(context)
                    return try await land(oneTap, visit)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    // A person who signs in continues with the code; nothing is lost.
                    guard let secret = try? pendingSecret(visit),
                        let pending = try? await administration.pendingSignIn(secret), pending.session == nil
                    else {
                        return templates.page("landed", visit, at: "/console", problem: error, ["next": "/console"])
                    }
                    return await second(secret, visit, problem: error)
                }
            },
        ]
    }

    /// The page after a right password, for an admin with a bound phone: one tap, or the code.
    func second(_ secret: String, _ visit: ConsoleVisit, problem: Refusal? = nil) async -> Response {
        let address = try? await oneTap?.address(for: secret, language: visit.language.tag)
        return holding(
            secret,
            templates.page(
                "second", visit, at: "/console/sign-in", problem: problem,
                ["tapAt": address ?? "", "canTap": address != nil]))
    }

    /// A browser that comes back from the phone's page. Its session is not sent with it, because that page is another
    /// site's: what it began is known by a cookie of its own.
    private func land(_ oneTap: OneTapClient, _ visit: ConsoleVisit) async throws(Refusal) -> Response {
        let secret = try pendingSecret(visit)
        let pending = try await administration.pendingSignIn(secret)
        let subject = try await oneTap.phone(
            by: { visit.query($0) }, secret: secret, since: pending.endsAt - Administration.pendingLife)
        let phone = Administration.phone(
            of: subject, client: oneTap.configuration.clientID, at: oneTap.configuration.issuer)
        let next = pending.session == nil ? "/console" : "/console/phone?done=1"
        // From here it goes on by itself: a redirect would still be the other site's, and the session would not come
        // along.
        var response = templates.page("landed", visit, at: "/console", ["next": next])
        response.headers[.refresh] = "0; url=\(next)"
        if pending.session == nil {
            let session = try await administration.finishSignIn(secret, by: .phone(phone), from: visit.origin)
            response.headers[values: .setCookie].append(
                cookie(holding: session, for: Administration.sessionLife.components.seconds))
        } else {
            try await administration.finishBinding(secret, to: phone, from: visit.origin)
        }
        response.headers[values: .setCookie].append(pendingCookie(holding: "", for: 0))
        return response
    }

    private func phone(
        _ visit: ConsoleVisit, _ caller: Caller, tapAt address: String? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let bound = try await administration.phone(of: caller)
        return templates.page(
            "phone", visit, at: "/console/phone", problem: problem,
            [
                "isBound": bound != nil, "since": Self.time(bound.map { .integer($0.boundAt.milliseconds) }),
                "used": bound?.usedAt.map { Self.time(.integer($0.milliseconds)) } ?? "–",
                "tapAt": address ?? "", "canTap": address != nil, "asksPassword": address == nil,
            ])
    }

    // MARK: what began in a browser

    /// Lax, so that it comes along when the phone's page leads back here. It opens nothing by itself.
    private func pendingCookie(holding secret: String, for life: Int64) -> String {
        "\(pendingCookie)=\(secret); Path=/; Max-Age=\(life)\(isSecure ? "; Secure" : ""); HttpOnly; SameSite=Lax"
    }

    private var pendingCookie: String { isSecure ? "__Host-benji-console-tap" : "benji-console-tap" }

    private func pendingSecret(_ visit: ConsoleVisit) throws(Refusal) -> String {
        guard let secret = visit.request.cookie(pendingCookie), !secret.isEmpty else {
            throw Refusal(
                .accessTokenInvalid,
                "nothing was begun in this browser, or its time is over; begin again with name and password")
        }
        return secret
    }

    private func holding(_ secret: String, _ answer: Response) -> Response {
        var response = answer
        response.headers[values: .setCookie].append(
            pendingCookie(holding: secret, for: Administration.pendingLife.components.seconds))
        return response
    }
}

extension HTTPField.Name {
    fileprivate static let refresh = HTTPField.Name("Refresh")!
}

extension Language {
    /// As `ui_locales` has it.
    fileprivate var tag: String { self == .english ? "en" : "zh-Hans" }
}
