package import BenjiClient
package import BenjiPage
package import BenjiProtocol
import HTTPTypes
import OpenIDProvider

/// The phones of a sandbox and everything that can be done to them.
///
/// Carries out changes in order, one after the other, by real messages. A changed SIM ends one session and begins
/// another, over RADIUS accounting.
package actor SandboxWorld {
    /// Each phone has numbers of its own, told by one digit.
    package static let maximumPhones = 8

    /// A change that cannot be made, and the reason.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package enum Kind: Sendable { case unknownPhone, tooManyPhones, invalid, packetCore }

        package var kind: Kind
        package var description: String

        package init(kind: Kind, description: String) {
            self.kind = kind
            self.description = description
        }
    }

    /// Changes to a phone. A member that is `nil` keeps its value.
    package struct Change: Sendable {
        package var tray: SIMTray?
        package var dataSlot: Int?
        package var network: PhoneNetwork?
        /// `.some(nil)` takes the fault away.
        package var fault: SandboxFault??

        package init(
            tray: SIMTray? = nil, dataSlot: Int? = nil, network: PhoneNetwork? = nil, fault: SandboxFault?? = nil
        ) {
            self.tray = tray
            self.dataSlot = dataSlot
            self.network = network
            self.fault = fault
        }
    }

    /// A phone and where it can be used.
    package struct ConnectedPhone: Sendable {
        package var phone: SandboxPhone
        package var ports: PhonePorts
    }

    package struct Console: Sendable {
        /// Where it listens.
        package var server: ServerURL
        /// Makes a session for a user of the sandbox's page. Returns the value of `Set-Cookie` for it.
        package var signIn: @Sendable () async throws -> String

        package init(server: ServerURL, signIn: @escaping @Sendable () async throws -> String) {
            self.server = server
            self.signIn = signIn
        }
    }

    package nonisolated let wiring: SandboxWiring
    package nonisolated let servers: SandboxServers
    private let cores: [Carrier: VirtualPacketCore]
    private let platform: PlatformAttester
    /// The authorization page that the shop's app has chosen.
    package private(set) var page: PageDescription
    private let random: any RandomSource
    private var slots: [Int: (connected: ConnectedPhone, listeners: PhoneListeners)] = [:]
    /// The app of the developer who tries the sandbox.
    package private(set) var ownApp: OwnApp
    /// Where a browser of this machine can log in by face, if the demo has that.
    package private(set) var facePage: String?
    /// The console, if the demo has one.
    package private(set) var console: Console?
    private let registerRedirectURIs: @Sendable ([String]) async throws -> Void
    private var nextAddress: [String: UInt16] = [:]
    /// The end of everything that was asked for so far.
    private var last: Task<Void, Never>?

    /// - Parameters:
    ///   - cores: by carrier, each allowed to announce the addresses 127.11.0.0/16 (mobile), 127.12.0.0/16 (unicom) and
    ///     127.13.0.0/16 (telecom).
    ///   - page: the shop's app's authorization page.
    ///   - registerRedirectURIs: registers `ownApp`'s redirect URIs at the OpenID provider; throws an error to show.
    package init(
        wiring: SandboxWiring, servers: SandboxServers, ownApp: OwnApp, cores: [Carrier: VirtualPacketCore],
        platform: PlatformAttester, page: PageDescription, random: some RandomSource = SystemRandomSource(),
        registerRedirectURIs: @escaping @Sendable ([String]) async throws -> Void
    ) {
        self.ownApp = ownApp
        self.registerRedirectURIs = registerRedirectURIs
        self.wiring = wiring
        self.servers = servers
        self.cores = cores
        self.platform = platform
        self.page = page
        self.random = random
    }

    package var phones: [ConnectedPhone] {
        slots.sorted { $0.key < $1.key }.map(\.value.connected)
    }

    /// Gives the shop's app another page, from the next login on.
    package func show(_ page: PageDescription) { self.page = page }

    package func phone(_ id: String) throws(Problem) -> ConnectedPhone {
        guard let connected = slots.values.first(where: { $0.connected.phone.id == id })?.connected else {
            throw Problem(
                kind: .unknownPhone, description: "no phone is called \(id.prefix(40)); see the list of phones")
        }
        return connected
    }

    /// A new phone with a card of China Mobile, on mobile data.
    package func add(name: String? = nil) async throws -> ConnectedPhone {
        guard let position = (1...Self.maximumPhones).first(where: { slots[$0] == nil }) else {
            throw Problem(
                kind: .tooManyPhones, description: "there are \(Self.maximumPhones) phones; take one away first")
        }
        let phone = SandboxPhone(position: position, name: name)
        let listeners = try await PhoneListeners.open(modem(of: phone), servers: servers, host: "127.0.3.\(position)")
        try await listeners.show(windows(of: ownApp))
        let connected = ConnectedPhone(phone: phone, ports: await listeners.ports)
        // Another call may have taken the position meanwhile.
        guard slots[position] == nil else {
            await listeners.close()
            return try await add(name: name)
        }
        slots[position] = (connected, listeners)
        wiring.add(phone)
        try await inOrder { try await self.attach(phone) }
        return connected
    }

    package func remove(_ id: String) async throws {
        let phone = try self.phone(id).phone
        try await inOrder { try await self.detach(phone) }
        wiring.remove(phone)
        phone.screen.leave()
        let connected = slots.removeValue(forKey: phone.position)
        await connected?.listeners.close()
    }

    /// Changes SIM, network and fault. A new SIM or network begins a new session with a new address.
    package func change(_ id: String, _ change: Change) async throws -> ConnectedPhone {
        let connected = try self.phone(id)
        let phone = connected.phone
        let tray = change.tray ?? phone.tray
        guard tray.slots.contains(change.dataSlot ?? 1) else {
            throw Problem(kind: .invalid, description: "$.dataSlot: \(tray.rawValue) has one slot")
        }
        try await inOrder {
            if let fault = change.fault { await self.setFault(fault, of: phone) }
            try await self.reconnect(phone, change)
        }
        return connected
    }

    /// Lets the shop's app on the phone log in: the real SDK, a person who ticks and taps, and the shop's server.
    package func logIn(_ id: String, by way: AppLogin.Way = .oneTap) async throws -> AppLogin {
        let connected = try self.phone(id)
        return await AppLogin.run(by: way, modem: modem(of: connected.phone), servers: servers, platform: platform)
    }

    /// Begins a login of the shop's app on the phone's screen, where its person sees the page, ticks and taps. For a
    /// login by a code, a person reads the phone's message and types at once.
    package func beginLogin(_ id: String, by way: AppLogin.Way = .oneTap, _ language: Language) throws(Problem) {
        let phone = try self.phone(id).phone
        let (number, presenter) = phone.screen.begin(page, language)
        let (modem, servers, platform) = (modem(of: phone), servers, platform)
        // Ends with its page: see `PhoneScreen`. No caller waits for it.
        Task {
            let login = await AppLogin.run(
                by: way, modem: modem, servers: servers, platform: platform, presenter: presenter)
            phone.screen.end(number, with: login)
        }
    }

    /// The short messages that came to the phone's cards, newest first.
    package nonisolated func messages(to phone: SandboxPhone) -> [ReceivedText] {
        phone.numbers.flatMap { wiring.inbox.texts(to: $0) }.sorted { $0.at > $1.at }
    }

    /// Lets the developer's own app on the phone earn a token for its server to redeem.
    package func token(_ purpose: TokenPurpose, on id: String) async throws -> OwnToken {
        let connected = try self.phone(id)
        return await OwnToken.earn(
            purpose, for: ownApp.credentials, modem: modem(of: connected.phone), server: servers.pages,
            platform: platform)
    }

    /// Says where the developer's own app runs. Modems lead there from now on, and not where they led before.
    package func changeOwnApp(_ change: OwnApp.Change) async throws -> OwnApp {
        let before = ownApp
        let changed = try before.changed(change)
        if changed.redirectURIs != before.redirectURIs { try await registerRedirectURIs(changed.redirectURIs) }
        ownApp = changed
        for (position, connected) in slots {
            try await connected.listeners.show(windows(of: changed))
            slots[position]?.connected.ports = await connected.listeners.ports
        }
        return changed
    }

    private func windows(of app: OwnApp) -> [ServerURL] { servers.isEnclosed ? [] : app.origins }

    /// Carries a request of an app on a phone to the gateway.
    ///
    /// - Parameter address: what the app calls the gateway, without scheme: `localhost:8090/phones/phone-1/gateway`.
    package func exchangeOfApp(
        _ request: ModemRequest, on phone: String, calledAt address: String
    ) async throws(Problem) -> ModemOutcome {
        await modem(of: try self.phone(phone).phone).exchangeOfApp(request, calledAt: address)
    }

    /// Carries a request of the app's server to the authority.
    package func exchangeOfServer(_ request: ModemRequest) async -> ModemOutcome {
        await carry(request, to: ownApp.server, names: nil)
    }

    /// Carries a browser's request to the console.
    ///
    /// - Parameter origin: where the browser sees it.
    package func exchangeOfConsole(_ request: ModemRequest, seenAt origin: String) async -> ModemOutcome {
        guard let console else { return .refuse(404, "this demo has no console") }
        return await carry(
            request, to: console.server,
            names: WindowNames(pairs: [WindowNames.Pair(server: console.server.origin, window: origin)]))
    }

    private func carry(_ request: ModemRequest, to server: ServerURL, names: WindowNames?) async -> ModemOutcome {
        guard let source = InternetAddress("127.0.0.1") else { return .drop }
        switch ModemRules(port: .window(server), reachable: []).decide(request) {
        case .refuse(let status, let text): return .refuse(status, text)
        case .forward(let url): return await PhoneModem.carry(request, to: url, from: source, names: names)
        }
    }

    /// Carries a browser's request that came by a window's name.
    package func exchange(_ request: ModemRequest, at label: WindowLabel) async throws(Problem) -> ModemOutcome {
        let phone = try self.phone(label.phone).phone
        guard let listeners = slots[phone.position]?.listeners else { return .drop }
        return await listeners.exchange(request, at: label)
    }

    package func offerFaceLogin(at page: String) { facePage = page }

    package func offer(_ console: Console) { self.console = console }

    /// Takes every phone away.
    package func close() async {
        for connected in slots.values {
            connected.connected.phone.screen.leave()
            await connected.listeners.close()
        }
        slots = [:]
    }

    // MARK: - In order

    private func inOrder(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let before = last
        let task = Task { () async -> Result<Void, any Error> in
            await before?.value
            do { return .success(try await work()) } catch { return .failure(error) }
        }
        last = Task { _ = await task.value }
        try await task.value.get()
    }

    private func setFault(_ fault: SandboxFault?, of phone: SandboxPhone) {
        phone.change { $0.fault = fault }
        var entry = TimelineEntry(.change, phone: phone.id, from: .sandbox, "fault")
        entry.detail = fault.map { "\($0.json.text)" } ?? "none"
        wiring.timeline.note(entry)
    }

    private func reconnect(_ phone: SandboxPhone, _ change: Change) async throws {
        let tray = change.tray ?? phone.tray
        let dataSlot = change.dataSlot ?? (tray == phone.tray ? phone.dataSlot : 1)
        let network = change.network ?? phone.network
        let changesCard = tray != phone.tray || dataSlot != phone.dataSlot
        guard changesCard || network != phone.network else { return }
        // List the change before the end of the session that it causes.
        var changes: [TimelineEntry] = []
        func begin(_ subject: String, _ detail: String) {
            var entry = TimelineEntry(.change, phone: phone.id, from: .sandbox, subject)
            entry.detail = detail
            wiring.timeline.begin(&entry)
            changes.append(entry)
        }
        if changesCard { begin("sim", tray.rawValue + (tray == .dual ? ", slot \(dataSlot)" : "")) }
        if phone.network != network { begin("network", network.rawValue) }
        if changesCard || !network.hasSession { try await detach(phone) }
        phone.change {
            $0.tray = tray
            $0.dataSlot = dataSlot
            $0.network = network
        }
        wiring.timeline.note(changes)
        if network.hasSession, phone.cellularAddress == nil { try await attach(phone) }
    }

    // MARK: - Sessions

    private func detach(_ phone: SandboxPhone) async throws {
        let session = phone.change { state in
            defer {
                state.session = nil
                state.cellular = nil
            }
            return state.session
        }
        guard let session, let core = cores[session.sim.carrier] else { return }
        try await tell(phone, "Accounting-Stop") { try await core.detach(session) }
    }

    private func attach(_ phone: SandboxPhone) async throws {
        guard let address = newAddress(for: phone.card.carrier) else { return }
        phone.change { $0.cellular = address }
        wiring.assign(address, to: phone)
        // No packet core here serves this carrier, so no gateway learns of the session.
        guard let sim = phone.card.sim, let core = cores[sim.carrier] else { return }
        guard await wiring.passes(phone, at: .attach, from: .packetCore) else { return }
        try await tell(phone, "Accounting-Start") {
            let (session, exchange) = try await core.attach(sim, at: address)
            phone.change { $0.session = session }
            return exchange
        }
    }

    private func tell(
        _ phone: SandboxPhone, _ subject: String, _ send: () async throws -> AccountingClient.Exchange
    ) async throws {
        var entry = TimelineEntry(.message, phone: phone.id, from: .packetCore, to: .gateway, subject)
        wiring.timeline.begin(&entry)
        do {
            let exchange = try await send()
            entry.elapsed = exchange.elapsed
            entry.bytes = MessageBytes(.radius, request: exchange.request, answer: exchange.answer)
            wiring.timeline.note(entry)
        } catch {
            entry.code = Situation.timedOut.rawValue
            entry.detail = "\(error)"
            wiring.timeline.note(entry)
            throw Problem(kind: .packetCore, description: "the gateway did not answer the packet core: \(error)")
        }
    }

    /// A carrier gives a phone another address each time. The demo's own phones have those that end in `.0.x`.
    private func newAddress(for carrier: Carrier?) -> InternetAddress? {
        let pool =
            switch carrier {
            case .mobile: "127.11"
            case .unicom: "127.12"
            case .telecom: "127.13"
            default: "127.14"
            }
        let count = nextAddress[pool, default: 0]
        nextAddress[pool] = (count + 1) % 60_000
        return InternetAddress("\(pool).\(1 + count / 250).\(1 + count % 250)")
    }

    private func modem(of phone: SandboxPhone) -> PhoneModem {
        PhoneModem(phone: phone, wiring: wiring, random: random, pages: servers.pages)
    }
}
