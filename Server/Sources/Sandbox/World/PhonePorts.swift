public import BenjiClient
internal import BenjiProtocol
internal import Synchronization

/// The ports by which a phone of the sandbox can be used from this machine.
public struct PhonePorts: Sendable {
    /// The modem: an HTTP proxy for any browser.
    public var proxy: ServerURL
    /// The shop and the login pages as a browser on the phone sees them, for a browser that knows of no proxy.
    public var shop: ServerURL
    public var pages: ServerURL
}

/// The listeners behind a phone's ports.
struct PhoneListeners: Sendable {
    let ports: PhonePorts
    private let all: [ModemListener]

    /// - Parameter host: an address of the loopback for this phone alone: browsers keep cookies by host and not by port,
    ///   and two phones share none.
    static func open(_ modem: PhoneModem, servers: SandboxServers, host: String) async throws -> PhoneListeners {
        let reachable = [servers.shop, servers.pages]
        let names = Names()
        let proxy = try await listen(
            modem, ModemRules(port: .proxy, reachable: reachable), host: host, names: { nil })
        let shop = try await listen(
            modem, ModemRules(port: .window(servers.shop), reachable: reachable), host: host, names: { names.names })
        let pages = try await listen(
            modem, ModemRules(port: .window(servers.pages), reachable: reachable), host: host, names: { names.names })
        names.set([
            WindowNames.Pair(server: servers.shop.origin, window: shop.url.origin),
            WindowNames.Pair(server: servers.pages.origin, window: pages.url.origin),
        ])
        return PhoneListeners(
            ports: PhonePorts(proxy: proxy.url, shop: shop.url, pages: pages.url), all: [proxy, shop, pages])
    }

    func close() async {
        for listener in all { await listener.close() }
    }

    /// Windows have to know each other's names, which they have once all of them listen.
    private final class Names: Sendable {
        private let pairs = Mutex<[WindowNames.Pair]>([])
        var names: WindowNames { WindowNames(pairs: pairs.withLock { $0 }) }
        func set(_ new: [WindowNames.Pair]) { pairs.withLock { $0 = new } }
    }

    private static func listen(
        _ modem: PhoneModem, _ rules: ModemRules, host: String, names: @escaping @Sendable () -> WindowNames?
    ) async throws -> ModemListener {
        try await ModemListener(
            host: host,
            ModemListener.Service(
                exchange: { request in
                    switch rules.decide(request) {
                    case .refuse(let status, let text): .refuse(status, text)
                    case .forward(let url): await modem.exchange(request, to: url, names: names())
                    }
                },
                tunnel: { target in
                    switch rules.tunnel(target) {
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
