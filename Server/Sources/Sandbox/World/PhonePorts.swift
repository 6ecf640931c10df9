package import BenjiClient
import BenjiProtocol
import Requests
import ServerHTTP
import Synchronization

/// The ports by which a phone of the sandbox can be used from this machine.
package struct PhonePorts: Sendable {
    /// The modem: an HTTP proxy for any browser.
    package var proxy: ServerURL
    /// The shop and the login pages as a browser on the phone sees them, for a browser that knows of no proxy.
    package var shop: ServerURL
    package var pages: ServerURL
    /// The shop and the login pages in the drawn phone's own browser.
    package var framedShop: ServerURL
    package var framedPages: ServerURL
    /// The developer's own servers, likewise.
    package var own: [Window] = []

    /// A server of this machine and the address under which a browser on the phone sees it.
    package struct Window: Hashable, Sendable {
        package var server: ServerURL
        package var window: ServerURL
    }
}

/// The listeners behind a phone's ports.
actor PhoneListeners {
    private let modem: PhoneModem
    private let servers: SandboxServers
    private let host: String
    private let reachable: Reachable
    private let proxy: ModemListener
    private let fixed: [(server: ServerURL, listener: ModemListener)]
    /// The same servers in the drawn phone's own browser.
    private let framed: [(server: ServerURL, listener: ModemListener)]
    private let browser: FramedBrowser
    private var own: [(server: ServerURL, listener: ModemListener)] = []

    /// - Parameter host: an address of the loopback for this phone alone. Browsers keep cookies by host and not by
    ///   port, so two phones share none.
    static func open(_ modem: PhoneModem, servers: SandboxServers, host: String) async throws -> PhoneListeners {
        let reachable = Reachable([servers.shop, servers.pages])
        let proxy = try await listen(modem, .proxy, host: host, reachable: reachable)
        var fixed: [(server: ServerURL, listener: ModemListener)] = []
        var framed: [(server: ServerURL, listener: ModemListener)] = []
        let browser = FramedBrowser()
        for server in [servers.shop, servers.pages] {
            fixed.append((server, try await listen(modem, .window(server), host: host, reachable: reachable)))
            framed.append(
                (server, try await listen(modem, .window(server), host: host, reachable: reachable, framed: browser)))
        }
        let listeners = PhoneListeners(
            modem, servers: servers, host: host, reachable: reachable, proxy: proxy, fixed: fixed, framed: framed,
            browser: browser)
        await listeners.tellNames()
        return listeners
    }

    private init(
        _ modem: PhoneModem, servers: SandboxServers, host: String, reachable: Reachable, proxy: ModemListener,
        fixed: [(server: ServerURL, listener: ModemListener)], framed: [(server: ServerURL, listener: ModemListener)],
        browser: FramedBrowser
    ) {
        self.modem = modem
        self.servers = servers
        self.host = host
        self.reachable = reachable
        self.proxy = proxy
        self.fixed = fixed
        self.framed = framed
        self.browser = browser
    }

    var ports: PhonePorts {
        PhonePorts(
            proxy: proxy.url, shop: fixed[0].listener.url, pages: fixed[1].listener.url,
            framedShop: framed[0].listener.url, framedPages: framed[1].listener.url,
            own: own.map { PhonePorts.Window(server: $0.server, window: $0.listener.url) })
    }

    /// Lets the modem lead to these servers as well, each with a window; what it led to for the app before is closed.
    func show(_ servers: [ServerURL]) async throws {
        for (server, listener) in own where !servers.contains(server) { await listener.close() }
        own.removeAll { !servers.contains($0.server) }
        for server in servers where !own.contains(where: { $0.server == server }) {
            let listener = try await Self.listen(modem, .window(server), host: host, reachable: reachable)
            own.append((server, listener))
        }
        tellNames()
    }

    /// Carries a request that came by a window's name.
    func exchange(_ request: ModemRequest, at label: WindowLabel) async -> ModemOutcome {
        var windows: [(content: WindowLabel.Content, server: ServerURL)] = [
            (.shop, fixed[0].server), (.pages, fixed[1].server),
        ]
        windows += own.enumerated().map { (.own($0.offset + 1), $0.element.server) }
        let frames: [(content: WindowLabel.Content, server: ServerURL)] = [
            (.framedShop, framed[0].server), (.framedPages, framed[1].server),
        ]
        let isFramed = frames.contains { $0.content == label.content }
        let shown = isFramed ? frames : windows
        guard let server = shown.first(where: { $0.content == label.content })?.server else {
            return .refuse(404, "this phone has no such window")
        }
        let names = WindowNames(
            pairs: shown.map {
                pair($0.server, seenAs: WindowLabel(label.phone, $0.content, port: label.port).origin)
            })
        switch ModemRules(port: .window(server), reachable: []).decide(request) {
        case .refuse(let status, let text): return .refuse(status, text)
        case .forward(let url):
            return await modem.exchange(request, to: url, names: names, framed: isFramed ? browser : nil)
        }
    }

    func close() async {
        for listener in [proxy] + (fixed + framed + own).map(\.listener) { await listener.close() }
    }

    /// Windows have to know each other's names, which they have once all of them listen.
    private func tellNames() {
        func names(_ windows: [(server: ServerURL, listener: ModemListener)]) -> WindowNames {
            WindowNames(pairs: windows.map { pair($0.server, seenAs: $0.listener.url.origin) })
        }
        reachable.set((fixed + own).map(\.server), names(fixed + own), framed: names(framed))
    }

    private func pair(_ server: ServerURL, seenAs window: String) -> WindowNames.Pair {
        WindowNames.Pair(
            server: server == servers.pages ? servers.provider.pages : server.origin, window: window)
    }

    /// The servers that can be reached now, and their names.
    private final class Reachable: Sendable {
        private let state: Mutex<(servers: [ServerURL], names: WindowNames, framed: WindowNames)>

        init(_ servers: [ServerURL]) { state = Mutex((servers, WindowNames(pairs: []), WindowNames(pairs: []))) }

        var servers: [ServerURL] { state.withLock { $0.servers } }
        func names(isFramed: Bool) -> WindowNames { state.withLock { isFramed ? $0.framed : $0.names } }
        func set(_ servers: [ServerURL], _ names: WindowNames, framed: WindowNames) {
            state.withLock { $0 = (servers, names, framed) }
        }
    }

    private static func listen(
        _ modem: PhoneModem, _ port: ModemRules.Port, host: String, reachable: Reachable, framed: FramedBrowser? = nil
    ) async throws -> ModemListener {
        let isProxy = if case .proxy = port { true } else { false }
        @Sendable func rules() -> ModemRules { ModemRules(port: port, reachable: reachable.servers) }
        return try await ModemListener(
            host: host,
            ModemListener.Service(
                exchange: { request in
                    // Under another host name a page of another site could read the answers (DNS rebinding).
                    guard isProxy || request.headers["Host"].flatMap(LoopbackCaller.name(inHost:)) == host else {
                        return .refuse(421, "this window is \(host)'s")
                    }
                    switch rules().decide(request) {
                    case .refuse(let status, let text): return .refuse(status, text)
                    case .forward(let url):
                        // A proxy's browser knows the servers by their own names.
                        return await modem.exchange(
                            request, to: url, names: isProxy ? nil : reachable.names(isFramed: framed != nil),
                            framed: framed)
                    }
                },
                tunnel: { target in
                    switch rules().tunnel(target) {
                    case .failure(let refusal): return .failure(refusal)
                    case .success(let url):
                        guard let way = await modem.leave(.browser, "CONNECT", "") else {
                            return .failure(ModemRules.Refusal(status: 504, text: "lost on the way"))
                        }
                        return .success(ModemListener.Tunnel(destination: url, source: way.source, delay: way.delay))
                    }
                }))
    }
}
