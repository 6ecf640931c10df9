package import BenjiClient
import ServerHTTP

/// A phone's window by name: `phone-1.localhost:8090`. All names lead to the port of the sandbox's page, for places
/// where no other port can be reached, such as a container.
package struct WindowLabel: Hashable, Sendable {
    /// The server that a window leads to.
    package enum Content: Hashable, Sendable {
        case shop, pages
        /// The same servers, in the browser of the drawn phone.
        case framedShop, framedPages
        /// The developer's own server of this position, beginning with 1.
        case own(Int)

        /// The labels before the phone's name, with their dot.
        fileprivate var prefix: String {
            switch self {
            case .shop: ""
            case .pages: "login."
            case .framedShop: "frame."
            case .framedPages: "frame-login."
            case .own(let position): "own-\(position)."
            }
        }

        fileprivate init?(_ prefix: Substring) {
            if let fixed = [Content.shop, .pages, .framedShop, .framedPages].first(where: { $0.prefix == prefix }) {
                self = fixed
            } else if prefix.hasPrefix("own-"), let position = Int(prefix.dropFirst(4).dropLast()), position > 0,
                Content.own(position).prefix == prefix
            {
                self = .own(position)
            } else {
                return nil
            }
        }
    }

    package let phone: String
    package let content: Content
    /// The port that follows the name, with its colon; empty for 80.
    let port: String

    package init(_ phone: String, _ content: Content, port: String) {
        self.phone = phone
        self.content = content
        self.port = port
    }

    /// - Parameter host: the field Host. `nil` if it is no window's name.
    package init?(host: String) {
        guard let name = LoopbackCaller.name(inHost: host), name.hasSuffix(".localhost") else { return nil }
        let labels = name.dropLast(".localhost".count)
        let phone = labels.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
        guard phone.hasPrefix("phone-"), let content = Content(labels.dropLast(phone.count)) else { return nil }
        self.init(String(phone), content, port: String(host.dropFirst(name.count)))
    }

    /// The window's origin.
    package var origin: String { "http://\(content.prefix)\(phone).localhost\(port)" }
}

extension SandboxWorld.ConnectedPhone {
    /// With the windows' names where the sandbox's servers are on one port, or with their addresses.
    ///
    /// - Parameter origin: where the page is: `http://localhost:8090`.
    package func seen(at origin: String, of servers: SandboxServers) -> SandboxWorld.ConnectedPhone {
        guard servers.areOnOnePort(origin), let page = try? ServerURL(origin) else { return self }
        func url(_ content: WindowLabel.Content, instead: ServerURL) -> ServerURL {
            let port = page.port == 80 ? "" : ":\(page.port)"
            return (try? ServerURL(WindowLabel(phone.id, content, port: port).origin)) ?? instead
        }
        var seen = self
        seen.ports.shop = url(.shop, instead: ports.shop)
        seen.ports.pages = url(.pages, instead: ports.pages)
        seen.ports.framedShop = url(.framedShop, instead: ports.framedShop)
        seen.ports.framedPages = url(.framedPages, instead: ports.framedPages)
        for (index, own) in ports.own.enumerated() {
            seen.ports.own[index].window = url(.own(index + 1), instead: own.window)
        }
        return seen
    }
}
