package import HTTPTypes
package import Hummingbird

extension HTTPField.Name {
    // All are tokens of RFC 9110 §5.6.2.
    /// The first one is the request's authority. A second one stays among the headers.
    package static let host = Self("Host")!
    package static let secFetchSite = Self("Sec-Fetch-Site")!
    package static let secFetchDest = Self("Sec-Fetch-Dest")!
    package static let secFetchMode = Self("Sec-Fetch-Mode")!
    package static let referrerPolicy = Self("Referrer-Policy")!
    package static let frameOptions = Self("X-Frame-Options")!
    package static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
    package static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
}

extension Request {
    /// The cookies with their values, in the order in which the browser sent them.
    package var cookies: [(name: String, value: String)] {
        let lines: [String] = headers[values: .cookie]
        return lines.flatMap { $0.split(separator: ";") }.compactMap { cookie in
            let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
    }

    /// A cookie's value, as the browser sent it.
    package func cookie(_ name: String) -> String? { cookies.first { $0.name == name }?.value }

    /// Whether a page of another origin sends the request (``FetchMetadata``). Its own origin is that of its Host.
    ///
    /// - Parameter isSecure: whether it came by TLS.
    package func isCrossOrigin(isSecure: Bool) -> Bool {
        FetchMetadata.isCrossOrigin(
            site: headers[.secFetchSite], origin: headers[.origin],
            own: "\(isSecure ? "https" : "http")://\(head.authority ?? "")")
    }
}

/// The fields by which a browser states which page sends a request: `Origin` (Fetch, "`Origin` header") and
/// `Sec-Fetch-Site` (Fetch Metadata Request Headers). A page can set neither. A program sends neither.
package enum FetchMetadata {
    /// Whether a page of another origin sends the request.
    ///
    /// - Parameters:
    ///   - site, origin: the fields Sec-Fetch-Site and Origin of the request; `nil` if absent.
    ///   - own: the origin that the request is sent to: `https://admin.example:8084`.
    package static func isCrossOrigin(site: String?, origin: String?, own: String) -> Bool {
        // A page with the referrer policy no-referrer sends `Origin: null`, and so does a sandboxed frame of another
        // site. Sec-Fetch-Site distinguishes them.
        switch site {
        case "same-origin", "none": ![nil, "null", own].contains(origin)
        case nil: ![nil, own].contains(origin)
        default: true
        }
    }
}

/// The preferred languages of a browser's user.
package enum AcceptLanguage {
    /// The tags of the header, best first (RFC 9110 §12.5.4).
    package static func tags(_ header: String) -> [String] {
        let ranges = header.split(separator: ",").prefix(32)
        return ranges.map { range -> (tag: String, quality: Double) in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " } }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (parts.first ?? "", quality ?? 1)
        }.filter { $0.quality > 0 && $0.quality <= 1 }.sorted { $0.quality > $1.quality }.map(\.tag)
    }
}
