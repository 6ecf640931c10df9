import Crypto
import Foundation

@testable import Authority
@_spi(Server) @testable import BenjiProtocol

/// A provider with the mistakes that RFC 9700 warns of, one for each attack. The attacks of the tests on our provider
/// must succeed here, or the tests would show nothing.
struct NaiveProvider {
    static let registered = "https://shop.example/callback"

    private var codes: [String: (client: String, challenge: String?)] = [:]
    private var tokens: [String: String] = [:]
    private var pages: [String: String] = [:]

    // MARK: - Redirects: the beginning, or the host, is compared

    /// Whether it sends a browser with a code to `uri`.
    func sends(to uri: String) -> Bool {
        uri.hasPrefix(Self.registered) || uri.contains("shop.example") || URLComponents(string: uri)?.host == nil
    }

    // MARK: - Codes and tokens: looked up, and left where they are

    /// A code, with PKCE only if the request has it.
    mutating func code(client: String, challenge: String?) -> String {
        let code = "code-\(codes.count)"
        codes[code] = (client, challenge)
        return code
    }

    /// Returns an access token for a code. The client is not checked, and a verifier only if the code has a challenge.
    mutating func exchange(_ code: String, client: String, verifier: String?) -> String? {
        guard let found = codes[code] else { return nil }
        if let challenge = found.challenge, let verifier {
            guard Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) == challenge else { return nil }
        }
        let token = "token-\(code)"
        tokens[token] = found.client
        return token
    }

    /// The number, wherever the token stands in the request.
    func userInfo(header: String? = nil, query: String? = nil) -> String? {
        (header ?? query).flatMap { tokens[$0] == nil ? nil : "+8613800000001" }
    }

    // MARK: - Proofs of possession: a proof is one if its own key signed it

    /// Whether a request with this proof is answered.
    func takesProof(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]).flatMap({ try? JSON(parsing: $0) }),
            let x = head["jwk"]?["x"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let y = head["jwk"]?["y"]?.stringValue.flatMap({ Base64URL.decode($0) }),
            let key = try? P256.Signing.PublicKey(rawRepresentation: x + y),
            let signature = Base64URL.decode(parts[2]).flatMap({
                try? P256.Signing.ECDSASignature(rawRepresentation: $0)
            })
        else { return false }
        return key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
    }

    // MARK: - Pages: the sender of the form was shown it, and at the same phone

    mutating func page(number: String) -> String {
        let page = "page-\(pages.count)"
        pages[page] = number
        return page
    }

    /// The number that a form logs in with. Neither cookie nor address is looked at again.
    func tap(_ page: String) -> String? { pages[page] }

    // MARK: - Codes by SMS: kept by number, and a person who types one has read it

    private var smsCodes: [String: String] = [:]

    mutating func sendCode(_ code: String, to number: String, browser _: String) { smsCodes[number] = code }

    func logIn(number: String, code: String, browser _: String) -> String? { smsCodes[number] == code ? number : nil }

    // MARK: - Signed messages: the header says how, the key serves for everything, a time is read if it is there

    /// The claims of a message that it believes.
    func claims(_ text: String, key: P256.Signing.PublicKey, now: Int64) -> JSON? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]).flatMap({ try? JSON(parsing: $0) }),
            let payload = Base64URL.decode(parts[1]).flatMap({ try? JSON(parsing: $0) }),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        let input = Array("\(parts[0]).\(parts[1])".utf8)
        let isSigned =
            switch head["alg"]?.stringValue?.lowercased() {
            case "none": true
            case "hs256":
                // A library that takes one key for all algorithms has the public key, as its file has it, for a secret.
                HMAC<SHA256>.isValidAuthenticationCode(
                    signature, authenticating: input, using: SymmetricKey(data: Array(key.pemRepresentation.utf8)))
            default:
                (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
                    .map { key.isValidSignature($0, for: input) } ?? false
            }
        guard isSigned, payload["exp"]?.integerValue ?? .max > now else { return nil }
        return payload
    }

    // MARK: - Remembered consents: a session of the provider's, as on the web

    private var sessions: [String: String] = [:]

    /// Returns the cookie of a person who has agreed once, at any app, to any page.
    mutating func remember(_ person: String) -> String {
        let cookie = "session-\(sessions.count)"
        sessions[cookie] = person
        return cookie
    }

    /// Returns the person that a request without a page logs in. Only the cookie counts, at any age.
    func silentLogin(_ cookie: String, app _: String = "", at _: String = "", in _: String = "window") -> String? {
        sessions[cookie]
    }

    /// Ends a consent for any browser that sends its cookie, whichever site caused it.
    mutating func endConsent(cookie: String, token _: String? = nil) -> Bool {
        sessions.removeValue(forKey: cookie) != nil
    }

    // MARK: - The login belongs to the present caller

    /// Whom a browser's login names. The hint is for the looks of the page.
    func login(at phone: String, hint: String?) -> String { "person at \(phone)" }

    /// The subject that an app receives without a page.
    func silentSubject(at phone: String) -> String { "person at \(phone)" }

    /// Whether a pushed request logs this person in: its accounts are kept as a list, and an empty one is read as none
    /// asked for.
    func logsIn(_ person: String, pushed: Set<String>...) -> Bool {
        let asked = pushed.dropFirst().reduce(pushed[0]) { $0.intersection($1) }
        return asked.isEmpty || asked.contains(person)
    }

    // MARK: - Browsers: one cookie for all pages, and all that comes is counted

    private var opened = 0

    /// Whether one more page is shown: sixty in ten minutes, wherever they go.
    mutating func opens(frame: Bool) -> Bool {
        opened += 1
        return opened <= 60
    }

    mutating func show(number: String, cookies: inout [String: String]) -> String {
        let page = page(number: number)
        cookies["session"] = page
        return page
    }

    /// The number that a form logs in with, if the browser's cookie is the page's.
    func tap(_ page: String, cookies: [String: String]) -> String? {
        cookies["session"] == page ? pages[page] : nil
    }

    /// Returns the claims of a browser's request object. Its signature is not checked.
    func requestObject(_ text: String) -> JSON? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Base64URL.decode(parts[1]).flatMap { try? JSON(parsing: $0) } : nil
    }
}
