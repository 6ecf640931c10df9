package import Hummingbird

/// Who may call what listens on the loopback and has no log-in.
package enum LoopbackCaller {
    /// Why a request is not answered, or `nil`.
    ///
    /// - Parameter listener: the listener's name: `the sandbox`.
    package static func problem(_ listener: String, _ request: Request) -> String? {
        problem(
            listener, host: request.head.authority, origin: request.headers[.origin],
            site: request.headers[.secFetchSite], isChange: request.method != .get && request.method != .head)
    }

    /// Why a request is not answered, or `nil`.
    ///
    /// A page anywhere can send requests to the loopback. Under another name (DNS rebinding) it could also read the answers; and what
    /// it sends without reading could change something.
    ///
    /// - Parameters:
    ///   - listener: what is called, as people are told: `the sandbox`.
    ///   - host, origin, site: the fields Host, Origin and Sec-Fetch-Site of the request.
    package static func problem(
        _ listener: String, host: String?, origin: String?, site: String?, isChange: Bool
    ) -> String? {
        guard let host else { return "the request names no host" }
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        guard ["127.0.0.1", "localhost"].contains(name.lowercased()) else {
            return "\(listener) answers to 127.0.0.1 and localhost only"
        }
        guard isChange, FetchMetadata.isCrossOrigin(site: site, origin: origin, own: "http://\(host)") else {
            return nil
        }
        return "a page of another site may not change anything here"
    }
}
