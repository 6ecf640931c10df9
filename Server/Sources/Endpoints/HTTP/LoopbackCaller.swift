import BenjiProtocol
package import Hummingbird

/// The check of requests to a listener that has no log-in and is meant for this machine.
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
    /// A web page anywhere can send requests to the loopback. If its own host name leads there (DNS rebinding), it can read the answers.
    /// So the host must be `localhost` or an IP address. A change must not come from a page of another site at all.
    ///
    /// - Parameters:
    ///   - listener: what is called, as people are told: `the sandbox`.
    ///   - host, origin, site: the fields Host, Origin and Sec-Fetch-Site of the request.
    package static func problem(
        _ listener: String, host: String?, origin: String?, site: String?, isChange: Bool
    ) -> String? {
        guard let host else { return "the request names no host" }
        let name = String(host.prefix { $0 != ":" })
        guard name.lowercased() == "localhost" || InternetAddress(name) != nil else {
            return "\(listener) answers to localhost and to IPv4 addresses only, not to other names"
        }
        guard isChange, FetchMetadata.isCrossOrigin(site: site, origin: origin, own: "http://\(host)") else {
            return nil
        }
        return "a page of another site may not change anything here"
    }
}
