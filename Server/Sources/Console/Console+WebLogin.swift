import Administration
import Authority
import BenjiPage
import BenjiProtocol
import Foundation
import Hummingbird
import Requests
import ServerHTTP
import Store

/// An app's login on web pages: its OpenID client.
extension Console {
    var webLoginRoutes: [EndpointRoute] {
        [
            page(.get, "/console/apps/{id}/login") { visit, caller, context in
                try await webLogin(try Self.appID(context), visit, caller)
            },
            page(.post, "/console/apps/{id}/login", upTo: ConsoleVisit.maximumPicture) { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let answer = try await administration.perform(
                        ChangeOpenIDClient(id, try Self.clientChanges(visit)), by: caller, reason: visit.reason)
                    guard answer["client_secret"] != nil || answer["jwks_ignored"] != nil else {
                        return Self.goTo("/console/apps/\(id)/login?done=1")
                    }
                    return try await webLogin(id, visit, caller, showing: answer)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await webLogin(id, visit, caller, problem: error)
                }
            },
            page(.post, "/console/apps/{id}/login/{action}") { visit, caller, context in
                let id = try Self.appID(context)
                do throws(Refusal) {
                    let answer: JSON
                    switch context.parameters.get("action") {
                    case "rotate-secret":
                        answer = try await administration.perform(
                            RotateClientSecret(id, keeping: try Self.overlap(visit)), by: caller, reason: visit.reason)
                    case "retire-secret":
                        guard let version = Int(visit.text("version")) else {
                            throw Refusal(.parameterInvalid, "version: names one of the client's secrets")
                        }
                        answer = try await administration.perform(
                            RetireClientSecret(id, version: version), by: caller, reason: visit.reason)
                    case "remove":
                        answer = try await administration.perform(
                            RemoveOpenIDClient(id), by: caller, reason: visit.reason)
                    default: throw Refusal(.notFound, "this page has no such action; load the page again")
                    }
                    guard answer["client_secret"] != nil else { return Self.goTo("/console/apps/\(id)/login?done=1") }
                    return try await webLogin(id, visit, caller, showing: answer)
                } catch {
                    context.outcome.note(code: error.situation.rawValue)
                    return try await webLogin(id, visit, caller, problem: error)
                }
            },
        ]
    }

    typealias ClientField = SettingField<OpenIDClientChanges>

    private static let clientFields: [ClientField] = [
        clientField(.redirectURIs, "redirect_uris", .lines) { $0.redirectURIs = $1.list },
        clientField(.color, "color", .text) { $0.color = $1.text },
        clientField(.logo, "logo", .picture) { (changes, change) throws(Refusal) in
            guard let logo = Data(base64Encoded: change.text) else {
                throw Refusal(.parameterInvalid, "logo: must be base64")
            }
            changes.logo = logo
        },
        clientField(.rs256, "id_token_signed_response_alg", .toggle) {
            $0.idTokenAlgorithm = $1.isOn ? .rs256 : .es256
        },
        clientField(.digits, "asks_middle_digits", .toggle) { $0.asksMiddleDigits = $1.isOn },
        clientField(.pushedOnly, "require_pushed_authorization_requests", .toggle) {
            $0.requiresPushedRequests = $1.isOn
        },
        clientField(.keySet, "jwks_digest", .sealed(canRemove: false)) { $0.keySet = $1.list.adding.first },
        clientField(.purposes, "purposes", .lines) { $0.purposes = $1.list },
        clientField(.frameAncestors, "frame_ancestors", .lines) { $0.frameAncestors = $1.list },
        clientField(.stableSubject, "stable_sub_without_page", .toggle) { $0.stableSubjectWithoutPage = $1.isOn },
        clientField(
            .authentication, "token_endpoint_auth_method", .choice(ClientAuthentication.allCases.map(\.rawValue))
        ) {
            $0.authentication = ClientAuthentication(rawValue: $1.text)
        },
        clientField(.pkce, "require_pkce", .toggle) { $0.requiresPKCE = $1.isOn },
        clientField(.rememberConsent, "remember_consent", .toggle) { $0.remembersConsent = $1.isOn },
        clientField(
            .backchannel, "backchannel_token_delivery_mode",
            .choice([OpenIDClientChanges.noBackchannel] + BackchannelDelivery.allCases.map(\.rawValue))
        ) { $0.backchannelDelivery = $1.text },
        clientField(.backchannelNotification, "backchannel_client_notification_endpoint", .text) {
            $0.backchannelNotification = $1.text
        },
        clientField(.boundTokens, "dpop_bound_access_tokens", .toggle) { $0.bindsAccessTokens = $1.isOn },
        clientField(.certificateSubject, "tls_client_auth_subject_dn", .text) { $0.certificateSubject = $1.text },
        clientField(.certificateDNS, "tls_client_auth_san_dns", .text) { $0.certificateDNS = $1.text },
        clientField(.certificateURI, "tls_client_auth_san_uri", .text) { $0.certificateURI = $1.text },
        clientField(.certificateIP, "tls_client_auth_san_ip", .text) { $0.certificateIP = $1.text },
        clientField(.certificateBoundTokens, "tls_client_certificate_bound_access_tokens", .toggle) {
            $0.bindsToCertificate = $1.isOn
        },
        clientField(.profile, "profile", .choice(ClientProfile.allCases.map(\.rawValue))) {
            $0.profile = ClientProfile(rawValue: $1.text)
        },
    ]

    /// - Parameter member: of a client's description.
    private static func clientField(
        _ setting: OpenIDSetting, _ member: String, _ kind: FieldKind,
        _ apply: @escaping @Sendable (inout OpenIDClientChanges, FieldChange) throws(Refusal) -> Void
    ) -> ClientField {
        ClientField(
            name: setting.rawValue, help: setting.help, kind: kind,
            present: { client in
                switch kind {
                case .toggle:
                    return client[member] == true || client[member]?.stringValue == IDTokenAlgorithm.rs256.rawValue
                        ? ["true"] : []
                case .lines, .choices: return (client[member]?.arrayValue ?? []).compactMap(\.stringValue)
                default: return [client[member]?.stringValue].compactMap(\.self)
                }
            }, apply: apply)
    }

    private static func clientChanges(_ visit: ConsoleVisit) throws(Refusal) -> OpenIDClientChanges {
        var changes = OpenIDClientChanges()
        for field in clientFields { try field.read(visit, into: &changes) }
        // A new client has a page to begin with, with the app's own terms.
        if visit.field("agreement") != nil {
            for name in ["agreement", "privacy"] where !visit.text(name).hasPrefix("https://") {
                throw Refusal(.parameterInvalid, "\(name): must be an address that begins with https://")
            }
            changes.page = StartPage.fullScreen.text(
                agreement: visit.text("agreement"), privacy: visit.text("privacy"))
        }
        guard !changes.isEmpty else { throw Refusal(.parameterInvalid, "nothing was changed") }
        return changes
    }

    private func webLogin(
        _ id: AppID, _ visit: ConsoleVisit, _ caller: Caller, showing answer: JSON? = nil, problem: Refusal? = nil
    ) async throws(Refusal) -> Response {
        let app = try await administration.perform(ShowApp(id), by: caller)
        var client: JSON?
        do throws(Refusal) { client = try await administration.perform(ShowOpenIDClient(id), by: caller) } catch {
            guard error.situation == .notFound || error.situation == .appUnknown else { throw error }
        }
        let mayChange = caller.may(give: ChangeOpenIDClient.self, about: id)
        let mayBegin = mayChange && caller.role == .operator
        let shown = client ?? .object([])
        let fields = Self.clientFields.filter { client != nil || $0.name == OpenIDSetting.redirectURIs.rawValue }.map {
            $0.values(
                shown, visit, isOpen: mayChange && $0.mayChange(shown, caller),
                isSent: problem != nil && visit.field("was.redirectURIs") != nil)
        }
        let issuer = await addresses(visit.host).issuer
        let secrets = client?["secrets"]?.arrayValue ?? []
        let newest = secrets.compactMap { $0["version"]?.integerValue }.max()
        let ignored = (answer?["jwks_ignored"]?.arrayValue ?? []).map { ["reason": $0.stringValue ?? ""] }
        return templates.page(
            "web-login", visit, title: app.shownName, at: "/console/apps/\(id)/login", problem: problem,
            [
                "isThere": client != nil, "isNew": client == nil && mayBegin, "isAbsent": client == nil && !mayBegin,
                "fields": fields, "mayChange": mayChange && (client != nil || mayBegin),
                "agreement": visit.text("agreement"), "privacy": visit.text("privacy"),
                "issuer": issuer ?? "", "hasIssuer": issuer != nil,
                "digest": client?["page_digest"]?.stringValue ?? "",
                "media": (client?["media"]).flatMap { media in
                    guard case .object(let members) = media else { return nil }
                    return members.map { ["name": $0.name] }
                } ?? [],
                "secret": answer?["client_secret"]?.stringValue ?? "", "hasSecret": answer?["client_secret"] != nil,
                "ignored": ignored, "hasIgnored": !ignored.isEmpty,
                "keys": secrets.map { key in
                    [
                        "version": key["version"]?.integerValue.map { "\($0)" } ?? "",
                        "made": key["made"]?.stringValue ?? "–", "lastUsed": key["lastUsed"]?.stringValue ?? "–",
                        "validUntil": key["validUntil"].map { Self.time($0) } ?? "–",
                        "mayEnd": mayChange && key["version"]?.integerValue != newest,
                    ] as [String: Any]
                },
                "hasKeys": !secrets.isEmpty, "mayRotate": mayChange && !secrets.isEmpty,
                "mayRemove": client != nil && caller.may(give: RemoveOpenIDClient.self, about: id),
            ].merging(tabs(app, "webLogin", visit)) { $1 })
    }
}
