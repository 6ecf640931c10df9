import BenjiProtocol
package import Requests

/// The operator's rules for callback addresses.
package struct CallbackRules: Hashable, Sendable {
    /// Ports that a receiver may have.
    package var ports: Set<Int> = [443, 8443]
    /// Whether receivers on this machine may be called without TLS, as `http://localhost:PORT/`. For trying out alone.
    package var allowsPlainLoopback = false

    package init() {}
}

/// The address of an app's callback, read strictly: one spelling, and nothing in it that two readers could take for
/// different hosts.
///
/// Which addresses the host's name may lead to is judged at each delivery, not here.
package struct CallbackURL: Hashable, Sendable {
    /// In bytes.
    package static let maximumLength = 1024

    package let isTLS: Bool
    /// A name of DNS in lower case, never an address.
    package let host: String
    package let port: Int
    /// Begins with a slash.
    package let path: String

    /// As the Host header has it.
    package var authority: String { port == (isTLS ? 443 : 80) ? host : "\(host):\(port)" }

    /// - Throws: the rule that the text breaks.
    package init(_ text: String, rules: CallbackRules) throws(Refusal) {
        func refuse(_ problem: String) -> Refusal { Refusal(.parameterInvalid, "callback url: \(problem)") }
        guard text.utf8.count <= Self.maximumLength else { throw refuse("at most \(Self.maximumLength) bytes") }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x5c }) else {
            throw refuse("printable ASCII without spaces and backslashes")
        }
        let rest: Substring
        if text.hasPrefix("https://") {
            isTLS = true
            rest = text.dropFirst(8)
        } else if text.hasPrefix("http://"), rules.allowsPlainLoopback {
            isTLS = false
            rest = text.dropFirst(7)
        } else {
            throw refuse("must begin with https://")
        }
        guard !rest.contains("?"), !rest.contains("#") else {
            throw refuse(
                "must not have a query or a fragment; the signature says who sends, so no secret is needed in it")
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let authority = rest[..<slash]
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        guard !authority.contains("@") else { throw refuse("must not hold a user or a password") }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.first else {
            throw refuse("the host must be a name, not an address; a certificate is for a name")
        }
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.first != "0", let number = Int(digits), number < 65536
            else { throw refuse("the port must be a number") }
            port = number
        } else {
            port = isTLS ? 443 : 80
        }
        host = name.lowercased()
        if let problem = Self.problem(inHost: host) { throw refuse(problem) }
        if isTLS {
            guard rules.ports.contains(port) else {
                let allowed = rules.ports.sorted().map(String.init).joined(separator: ", ")
                throw refuse(
                    "the port \(port) is not among those that the operator allows (callbacks.ports): \(allowed)")
            }
        } else {
            guard host == "localhost" else { throw refuse("http:// is for localhost alone; use https://") }
        }
    }

    /// The problem of a host, or `nil`. Every spelling that the URL Standard reads as an IPv4 address ends in a number:
    /// `2130706433`, `0x7f.1`, `0177.0.0.1`, `127.1`.
    private static func problem(inHost host: String) -> String? {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy {
                        $0 == 0x2d || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0)
                    }
            }
        guard isName else { return "the host must be a name of letters, digits, hyphens and dots" }
        let last = labels.last ?? ""
        let isNumber =
            last.utf8.allSatisfy { (0x30...0x39).contains($0) }
            || (last.hasPrefix("0x")
                && last.dropFirst(2).utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        return isNumber ? "the host must be a name, not an address; a certificate is for a name" : nil
    }
}
