import Authority
import BenjiProtocol
import Store

/// The accounts that an authorization request asks for: a login may only ever be one of theirs (OpenID Connect Core
/// §3.1.2.2).
enum RequestedSubject {
    /// The values that `claims` gives `sub` (§5.5.1); `nil` if it does not ask for any. An empty set, which matches no
    /// account, if it gives no value or values that disagree. Nothing else of `claims` is read: unsupported claims
    /// there are voluntary.
    static func claimed(_ parameters: OpenIDParameters) throws(OpenIDFailure) -> Set<String>? {
        guard let text = parameters["claims"] else { return nil }
        func refuse(_ problem: String) -> OpenIDFailure { OpenIDFailure(.invalidRequest, "claims: \(problem)") }
        guard let claims = try? JSON(parsing: Array(text.utf8)), case .object = claims else {
            throw refuse("must be a JSON object")
        }
        var wanted: Set<String>?
        for place in ["id_token", "userinfo"] {
            guard case .object? = claims[place]?["sub"], let subject = claims[place]?["sub"],
                subject["value"] != nil || subject["values"] != nil
            else { continue }
            var values: [JSON] = []
            if let value = subject["value"] { values.append(value) }
            if let list = subject["values"] {
                guard let several = list.arrayValue else { throw refuse("values of sub must be an array") }
                values += several
            }
            guard values.allSatisfy({ $0.stringValue != nil }) else { throw refuse("a value of sub must be a string") }
            let named = Set(values.compactMap(\.stringValue))
            wanted = wanted?.intersection(named) ?? named
        }
        return wanted
    }

    /// `claims` that ask for one of these accounts.
    static func claims(for subjects: Set<String>) -> String {
        let values = JSON.array(subjects.sorted().map { .string($0) })
        return JSON.object(["id_token": .object(["sub": .object(["values": values])])]).text
    }
}

extension ProviderContext {
    /// The accounts that a request asks for, by `id_token_hint`, by `claims` or by both; `nil` if it accepts any.
    ///
    /// A hint is an ID token of ours for this client, under a key that signs now or did so once. It may have expired:
    /// it names a person known to the client, and does not prove a session.
    func requestedSubjects(
        _ parameters: OpenIDParameters, of client: OpenIDClientRecord
    ) async throws(OpenIDFailure) -> Set<String>? {
        let claimed = try RequestedSubject.claimed(parameters)
        guard let text = parameters["id_token_hint"] else { return claimed }
        func refuse(_ problem: String) -> OpenIDFailure { OpenIDFailure(.invalidRequest, "id_token_hint: \(problem)") }
        guard let hint = try? ServerJWS(parsing: text) else { throw refuse("is no JWT") }
        let isOurs: Bool
        do { isOurs = try await clients.keys.isSigner(of: hint) } catch { throw OpenIDFailure(error) }
        guard isOurs, hint.payload["iss"]?.stringValue == configuration.issuer else {
            throw refuse("is not an ID token of this issuer")
        }
        let app = client.appID.rawValue
        guard SignedClaims.audiences(hint.payload).contains(app), hint.payload["azp"]?.stringValue ?? app == app else {
            throw refuse("is another client's ID token")
        }
        guard let subject = hint.payload["sub"]?.stringValue else { throw refuse("has no sub") }
        return claimed?.intersection([subject]) ?? [subject]
    }
}
