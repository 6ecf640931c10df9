import BenjiProtocol
package import Hummingbird

/// Under which names a listener answers. A page in a browser inside must not reach it under a name of its own (DNS
/// rebinding).
package struct AdmittedHosts: Sendable {
    private let names: Set<String>

    /// - Parameter names: in lower case, besides addresses and localhost.
    package init(_ names: Set<String>) { self.names = names }

    /// Whether a request under this `Host` is answered. Browsers always name the host that they believe to speak to;
    /// what names none is no browser.
    package func admit(_ host: String?) -> Bool {
        guard var name = host?.lowercased() else { return true }
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
            return InternetAddress(name[name.index(after: name.startIndex)..<end]) != nil
        }
        name = String(name.prefix { $0 != ":" })
        return name == "localhost" || InternetAddress(name) != nil || names.contains(name)
    }

    /// The answer under any other name.
    /// - Parameter setting: in which a name can be added.
    package static func refusal(setting: String) -> Response {
        Response(
            JSON.object(["error": .string("this listener does not answer to this host; see the setting \(setting)")]),
            status: .misdirectedRequest)
    }
}
