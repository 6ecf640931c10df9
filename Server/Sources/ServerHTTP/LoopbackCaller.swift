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
            site: request.headers[.secFetchSite], isChange: request.method != .get && request.method != .head,
            isNavigation: request.method == .get && request.headers[.secFetchMode] == "navigate")
    }

    /// Why a request is not answered, or `nil`.
    ///
    /// A web page anywhere can send requests to the loopback. If its own host name leads there (DNS rebinding), it can
    /// read the answers. So the host must be `localhost` or an IPv4 address. A page of another site may link to one
    /// here, and do nothing else: its requests would take the places of others.
    ///
    /// - Parameters:
    ///   - listener: the called listener, in words for people: `the sandbox`.
    ///   - host, origin, site: the fields Host, Origin and Sec-Fetch-Site of the request.
    ///   - isNavigation: whether a browser goes there, such as by a link.
    package static func problem(
        _ listener: String, host: String?, origin: String?, site: String?, isChange: Bool, isNavigation: Bool = false
    ) -> String? {
        guard let host else { return "the request names no host" }
        guard let name = name(inHost: host), name == "localhost" || InternetAddress(name) != nil else {
            return "\(listener) answers to localhost and to IPv4 addresses only, not to other names"
        }
        guard !isNavigation, FetchMetadata.isCrossOrigin(site: site, origin: origin, own: "http://\(host)") else {
            return nil
        }
        return isChange
            ? "a page of another site may not change anything here" : "a page of another site may only link here"
    }

    /// The name or IPv4 address of a field Host, in lower case and without its port; `nil` if something else follows
    /// it.
    package static func name(inHost host: String) -> String? {
        let name = host.prefix { $0 != ":" }
        let port = host.dropFirst(name.count)
        guard port.isEmpty || (1...5).contains(port.utf8.count - 1),
            port.utf8.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return name.lowercased()
    }
}
