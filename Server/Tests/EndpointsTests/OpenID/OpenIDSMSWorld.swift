import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// An app whose workflow has codes by SMS, browsers at addresses without a subscriber, and a reader of the messages.
struct OpenIDSMSWorld {
    let world: OpenIDWorld
    let sender: RecordingSender
    let provider: OpenIDProvider

    static let home = "198.51.100.9"
    static let cafe = "203.0.113.40"
    static var number: PhoneNumber { OpenIDWorld.number }

    /// Runs a test in a world of its own and ends it whatever happens.
    static func visit(
        _ sender: RecordingSender = RecordingSender(), settings: SMSCodes.Settings = SMSCodes.Settings(),
        _ option: WritableKeyPath<OpenIDClients.Registration, Bool>? = nil, limit: Int = 10_000,
        _ body: (OpenIDSMSWorld) async throws -> Void
    ) async throws {
        try await OpenIDWorld.visit(option, limit: limit) { world in
            let here = OpenIDSMSWorld(world, sender, settings)
            try await here.setWorkflow()
            try await body(here)
        }
    }

    private init(_ world: OpenIDWorld, _ sender: RecordingSender, _ settings: SMSCodes.Settings) {
        self.world = world
        self.sender = sender
        provider = OpenIDProvider(
            configuration: world.provider.configuration, authority: world.authority, store: world.store,
            smsLogin: SMSLogin(
                authority: world.authority,
                codes: SMSCodes(settings: settings, authority: world.authority, store: world.store, sender: sender),
                quarantine: world.register.quarantine))
    }

    func setWorkflow(_ workflow: Workflow = .oneTapThenSMS, _ least: Assurance = .sms) async throws {
        for id in [world.shop.record.id, world.bank.record.id] {
            var record = try await world.authority.apps.find(id).record
            record.workflow = workflow
            record.leastAssurance = least
            try await world.store.updateApp(record)
        }
    }

    // MARK: - The browser

    /// One browser on its way: the page that it shows, and the cookie that it has.
    struct Browser {
        var page: Exchange
        var cookie: String
        var number = ""

        /// By what the page knows the code that was sent.
        var transaction: String? {
            page.body.firstMatch(of: /name="transaction" value="([0-9a-f]+)"/).map { String($0.1) }
        }
    }

    /// The app's link, and then the button of the notice.
    func open(_ changes: [String: String?] = [:], from address: String = home) async throws -> Browser {
        let page = try await ask(changes.merging(["way": "sms"]) { $1 }, from: address)
        return Browser(page: page, cookie: page.cookie ?? "")
    }

    func ask(
        _ changes: [String: String?] = [:], from address: String = home, headers: HTTPFields = [:]
    ) async throws -> Exchange {
        try await world.browse(
            .get, "/openid/authorize?" + OpenIDWorld.encoded(OpenIDLogin.request(world, changes)), headers: headers,
            from: address, provider: provider)
    }

    func post(
        _ browser: Browser, _ action: String, _ changes: [String: String?] = [:], headers: HTTPFields = [:],
        from address: String = home
    ) async throws -> Browser {
        var form = ["page": browser.page.secret ?? "", "action": action, "number": browser.number, "agreed": "yes"]
        form["transaction"] = browser.transaction
        for (name, value) in changes { form[name] = value }
        var headers = headers
        if headers[.cookie] == nil { headers[.cookie] = browser.cookie }
        var next = browser
        next.page = try await world.browse(
            .post, "/openid/login", headers: headers, body: OpenIDWorld.encoded(form), from: address,
            provider: provider)
        next.number = form["number"] ?? ""
        return next
    }

    func send(
        _ browser: Browser, to number: String = "13800000001", _ changes: [String: String?] = [:],
        from address: String = home
    ) async throws -> Browser {
        try await post(browser, "send", changes.merging(["number": number]) { $1 }, from: address)
    }

    func show(
        _ browser: Browser, _ digits: String? = nil, _ changes: [String: String?] = [:], headers: HTTPFields = [:],
        from address: String = home
    ) async throws -> Browser {
        try await post(
            browser, "code", changes.merging(["digits": digits ?? sender.code]) { $1 }, headers: headers, from: address)
    }

    /// Digits that are not the code.
    var wrong: String { String(sender.code.map { Character(String((($0.wholeNumberValue ?? 0) + 1) % 10)) }) }

    /// The authorization code that a whole walk buys.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        let done = try await show(try await send(try await open(changes)))
        return try #require(done.page.landing["code"], "\(done.page.words)")
    }
}

extension Exchange {
    /// The error that the page shows.
    var alert: String? { body.firstMatch(of: /role="alert">([^<]*)</).map { String($0.1) } }
}
