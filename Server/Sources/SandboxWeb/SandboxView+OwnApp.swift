import BenjiClient
import BenjiProtocol
import Endpoints
import Sandbox

extension SandboxView {
    /// The part of the page on which developers connect an app of their own.
    func own() -> [String: Any] {
        func word(_ name: String) -> String { SandboxStrings.page[name, language] }
        let app = ownApp
        // A browser outside of a container is phone 1 itself.
        let own = servers.isEnclosed && current?.phone.id == "phone-1" ? app.origins.map { ($0, $0) } : []
        let windows = own + (current?.ports.own.map { ($0.server, $0.window) } ?? [])
        let snippets = OwnSnippets(app: app, servers: servers, phone: current?.phone.id ?? "phone-1", sandbox: origin)
        let values = [
            ("appID", app.credentials.id.rawValue), ("appKey", app.credentials.key),
            ("serverSecret", app.serverSecret), ("clientSecret", app.clientSecret),
            ("bundleID", app.credentials.bundleID), ("issuer", servers.provider.issuer),
            ("redeemAt", app.server(servers, seenAt: origin) + ServerAPIEndpoints.Path.redeem.rawValue),
            ("gateway", origin + SandboxServers.pathForApps(on: current?.phone.id ?? "phone-1")),
        ]
        var result: [String: Any] = [
            "isOpen": problem != nil, "id": current?.phone.id ?? "",
            "values": values.map { ["name": word($0.0), "value": $0.1] },
            "redirectURIs": app.redirectURIs.joined(separator: "\n"),
            "redirectRows": String(app.redirectURIs.count + 1),
            // In a container a phone's browser is the reader's own, which reaches what it likes.
            "takesHosts": !servers.isEnclosed, "hosts": app.hosts.joined(separator: "\n"),
            "hostRows": String(app.hosts.count + 1),
            "hasWindows": !windows.isEmpty,
            "windows": windows.map { ["server": $0.0.origin, "window": $0.1.origin] },
            "openID": snippets.openID, "shell": snippets.shell,
            "snippets": snippets.redeem.map {
                ["name": $0.name, "title": $0.title, "text": $0.text, "isFirst": $0.name == "curl"] as [String: Any]
            },
        ]
        if let problem { result["problem"] = problem }
        return result
    }
}
