import Administration
import BenjiFaceProtocol
import BenjiProtocol
import Hummingbird
import Requests
import ServerHTTP

/// Signing in and out, and making an account from an invitation.
extension Console {
    var signInRoutes: [EndpointRoute] {
        [
            open(.get, "/console/sign-in") { visit, _ in
                visit.caller == nil ? templates.page("sign-in", visit, ["name": ""]) : Self.goTo("/console")
            },
            strangersForm("/console/sign-in", shows: "sign-in") { visit throws(Refusal) in
                // An admin with a bound phone may leave the code out and continue with one tap.
                if oneTap != nil, visit.text("code").isEmpty {
                    return await second(
                        try await administration.beginSignIn(
                            visit.text("name"), password: visit.field("password") ?? "", from: visit.origin), visit)
                }
                // Each sign-in makes a new session: a session that the browser had before signs no one in.
                return begin(
                    try await administration.signIn(
                        visit.text("name"), password: visit.field("password") ?? "", code: visit.text("code"),
                        from: visit.origin))
            },
            open(.get, "/console/invitation") { visit, _ in templates.page("invitation", visit) },
            strangersForm("/console/invitation", shows: "invitation") { visit throws(Refusal) in
                let admin = try await administration.invited(by: visit.text("invitation"))
                return account(admin, administration.newSalt(), visit)
            },
            strangersForm("/console/account", shows: "invitation") { visit throws(Refusal) in
                let invitation = visit.text("invitation")
                let admin = try await administration.invited(by: invitation)
                guard let salt = Base64URL.decode(visit.text("salt")), salt.count == Administration.saltLength else {
                    throw Refusal(.malformedRequest, "this form is not the console's own; begin again")
                }
                do throws(Refusal) {
                    return begin(
                        try await administration.accept(
                            invitation: invitation, password: visit.field("password") ?? "", code: visit.text("code"),
                            salt: salt, from: visit.origin))
                } catch {
                    guard error.situation == .parameterInvalid || error.situation == .codeWrong else { throw error }
                    return account(admin, salt, visit, problem: error)
                }
            },
            page(.post, "/console/sign-out") { visit, _, _ in
                if let session = visit.session { try await administration.signOut(session: session) }
                var response = Self.goTo("/console/sign-in")
                response.headers[.setCookie] = cookie(holding: "", for: 0)
                return response
            },
        ]
    }

    /// A form that any caller may send. Calls are limited by address; a refusal is shown above the form again.
    func strangersForm(
        _ path: String, shows template: String,
        _ answer: @escaping @Sendable (ConsoleVisit) async throws(Refusal) -> Response
    ) -> EndpointRoute {
        open(.post, path) { visit, context in
            do throws(Refusal) {
                try admitCall(context)
                return try await answer(visit)
            } catch {
                context.outcome.note(code: error.situation.rawValue)
                return templates.page(template, visit, at: path, problem: error, ["name": visit.text("name")])
            }
        }
    }

    /// Counts a call to the address that it comes from, whatever name it is about.
    func admitCall(_ context: EndpointContext) throws(Refusal) {
        guard callsByAddress.admits(context.peer?.address, now: clock.now) else {
            throw Refusal(
                .tooManyRequests,
                "too many attempts from this address; \(Self.callsOfOneAddress) in ten minutes are looked at")
        }
    }

    /// The form in which an account is made: its secret for the authenticator app, a password, and a first code.
    private func account(
        _ admin: String, _ salt: [UInt8], _ visit: ConsoleVisit, problem: Refusal? = nil
    ) -> Response {
        let password = administration.oneTimePassword(of: admin, salt: salt)
        let key = password.base32
        let groups = stride(from: 0, to: key.count, by: 4).map { place in String(key.dropFirst(place).prefix(4)) }
        return templates.page(
            "account", visit, at: "/console/invitation", problem: problem,
            [
                "name": admin, "invitation": visit.text("invitation"), "salt": Base64URL.encode(salt),
                "key": groups.joined(separator: " "), "address": password.address(of: admin),
                "shortest": String(Password.lengths.lowerBound),
            ])
    }

    func begin(_ session: String) -> Response {
        var response = Self.goTo("/console")
        response.headers[.setCookie] = cookie(holding: session, for: Administration.sessionLife.components.seconds)
        return response
    }
}
