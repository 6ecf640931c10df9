import Hummingbird

/// The visitor who sends a request, with their session and account.
struct Visit: Sendable {
    var sessionID: String?
    var session: Sessions.Session
    var account: Accounts.Account?
    var language: Language
    /// The page that is looked at, to come back to it.
    var path: String

    var count: Int { session.basket.values.reduce(0, +) }

    var lines: [(tea: Tea, count: Int)] {
        Tea.all.compactMap { tea in session.basket[tea.id].map { (tea, $0) } }
    }
}

/// The services that all pages and logins use.
struct ShopServices: Sendable {
    let openID: OpenIDClient?
    let operatorClient: OperatorClient?
    let accounts: Accounts
    let sessions: Sessions
    let cookies: Cookies

    func visit(_ request: Request) async -> Visit {
        let id = cookies.read(.session, of: request)
        let session = await sessions.find(id)
        let account: Accounts.Account? = if let id = session?.account { await accounts.find(id) } else { nil }
        let language =
            cookies.read(.language, of: request).flatMap(Language.init(rawValue:))
            ?? Language(accepting: request.headers[.acceptLanguage] ?? "")
        return Visit(
            sessionID: session == nil ? nil : id, session: session ?? Sessions.Session(), account: account,
            language: language, path: request.method == .get ? ShopPath.own(request.uri.path) : "/")
    }
}
