import Authority
@_spi(Server) import BenjiProtocol
import Store

/// A checked authentication request of a client's server that asks a person on their phone (OpenID Connect CIBA Core
/// 1.0 §7.1).
struct BackchannelRequest: Hashable, Sendable {
    /// Whom it asks.
    var number: PhoneNumber
    /// The scopes that the person's consent grants, in the order of ``AuthorizationRequest``.
    var scopes: [String]
    /// The message on both devices, by which the person recognises the request.
    var bindingMessage: String?
    /// How long it waits, in seconds.
    var lifetime: Int64
    /// The token that authenticates a ping; `nil` for a client that polls.
    var notificationToken: String?

    static let usualLifetime: Int64 = 300
    static let lifetimes: ClosedRange<Int64> = 30...600
    /// Characters.
    static let longestMessage = 60
    /// The kinds of hints in the profile that identify no subscriber here.
    private static let otherHints = ["ipport:", "operatortoken:"]

    /// - Parameter parameters: those that count: of a signed request object, its own.
    init(
        _ parameters: OpenIDParameters, client: OpenIDClientRecord, _ registration: BackchannelRegistration
    ) throws(OpenIDFailure) {
        let asked = Set(try parameters.required("scope").split(separator: " ").map(String.init))
        let isCAMARA = CAMARAScopes.areAsked(asked)
        scopes = isCAMARA ? try Self.camara(asked, client) : try Self.openID(asked)
        number = try Self.number(parameters)
        // CAMARA's profile has these three ignored.
        bindingMessage = isCAMARA ? nil : try Self.message(parameters)
        lifetime = isCAMARA ? Self.usualLifetime : try Self.lifetime(parameters)
        notificationToken = registration.delivery == .ping ? try Self.token(parameters) : nil
    }

    /// Number verification concerns the calling phone, and a code by SMS a number that the app names. Neither is a
    /// matter of consent on another device.
    private static func camara(_ asked: Set<String>, _ client: OpenIDClientRecord) throws(OpenIDFailure) -> [String] {
        let scopes = try CAMARAScopes.granted(asked, of: client)
        for scope in scopes.compactMap(CAMARAScope.init) where !scope.isOfBackchannel {
            throw OpenIDFailure(
                .invalidScope,
                scope.isOfNumberVerification
                    ? "scope: number verification needs the phone's network, by authorization_code"
                    : "scope: one-time-password-sms needs the app's own token, by client_credentials")
        }
        return scopes
    }

    private static func openID(_ asked: Set<String>) throws(OpenIDFailure) -> [String] {
        guard asked.contains("openid") else { throw OpenIDFailure(.invalidScope, "scope: must contain openid") }
        guard !asked.contains("phone") else {
            throw OpenIDFailure(.invalidScope, "scope: no phone; a number that the app names is not given to it")
        }
        return ["openid"]
    }

    private static func number(_ parameters: OpenIDParameters) throws(OpenIDFailure) -> PhoneNumber {
        for name in ["login_hint_token", "id_token_hint"] where parameters[name] != nil {
            throw OpenIDFailure(.invalidRequest, "\(name): the one hint is login_hint")
        }
        let hint = try parameters.required("login_hint")
        guard !otherHints.contains(where: hint.hasPrefix) else {
            throw OpenIDFailure(.unknownUserID, "login_hint: people are known here by tel: alone")
        }
        guard hint.wholeMatch(of: /tel:\+[1-9][0-9]{4,14}/) != nil, let number = PhoneNumber(hint.dropFirst(4)) else {
            throw OpenIDFailure(.invalidRequest, "login_hint: must be tel: and a number with its plus sign")
        }
        return number
    }

    private static func message(_ parameters: OpenIDParameters) throws(OpenIDFailure) -> String? {
        guard let text = parameters["binding_message"] else { return nil }
        guard text.count <= longestMessage else {
            throw OpenIDFailure(.invalidBindingMessage, "binding_message: at most \(longestMessage) characters")
        }
        if let problem = TextGrammar.problem(inName: text) {
            throw OpenIDFailure(.invalidBindingMessage, "binding_message: \(problem)")
        }
        return text
    }

    private static func lifetime(_ parameters: OpenIDParameters) throws(OpenIDFailure) -> Int64 {
        guard let text = parameters["requested_expiry"] else { return usualLifetime }
        guard let seconds = Int64(text), seconds > 0 else {
            throw OpenIDFailure(.invalidRequest, "requested_expiry: must be a positive number of seconds")
        }
        return min(max(seconds, lifetimes.lowerBound), lifetimes.upperBound)
    }

    /// §7.1: a bearer token (RFC 6750), of at most 1024 characters. Shorter than 22 it has fewer than 128 bits.
    private static func token(_ parameters: OpenIDParameters) throws(OpenIDFailure) -> String {
        let token = try parameters.required("client_notification_token")
        guard (22...1024).contains(token.utf8.count), token.wholeMatch(of: /[A-Za-z0-9._~+\/-]+=*/) != nil else {
            throw OpenIDFailure(
                .invalidRequest, "client_notification_token: must be a bearer token of 22 to 1024 characters")
        }
        return token
    }
}

/// The part of the request that a credential of the kind ``OpenIDCredential/Kind/backchannel`` keeps.
struct BackchannelDetails: Hashable, Sendable {
    var scopes: [String]
    var bindingMessage: String?
    /// The data for a ping, sealed: the store keeps no `auth_req_id` in clear.
    var ping: Sealed?

    var json: JSON {
        .object([
            "scopes": .array(scopes.map { .string($0) }), "message": bindingMessage.map { .string($0) },
            "ping": ping.map { .string(Base64URL.encode($0.bytes)) },
        ])
    }

    init(scopes: [String], bindingMessage: String?, ping: Sealed? = nil) {
        self.scopes = scopes
        self.bindingMessage = bindingMessage
        self.ping = ping
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        scopes = try reader.array("scopes").compactMap(\.stringValue)
        bindingMessage = try reader.optionalString("message")
        ping = try reader.optionalString("ping").flatMap { Base64URL.decode($0) }.map { Sealed(bytes: $0) }
    }
}
