import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// Draws the shop's pages from their templates, which escape every text.
struct PageWriter: Sendable {
    enum Page: String, CaseIterable {
        case front, basket, login, account, landed, notice

        /// The word for the browser's tab; a notice has one of its own.
        var title: String? {
            switch self {
            case .front: "teas"
            case .basket: "basket"
            case .login: "loginTitle"
            case .account: "account"
            case .landed: "landedTitle"
            case .notice: nil
            }
        }
    }

    private let library: MustacheLibrary

    /// The templates as they are written.
    static let sources: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache, "front": PackageResources.front_mustache,
        "basket": PackageResources.basket_mustache, "login": PackageResources.login_mustache,
        "account": PackageResources.account_mustache, "landed": PackageResources.landed_mustache,
        "notice": PackageResources.notice_mustache,
    ]

    init() throws {
        var library = MustacheLibrary()
        for (name, source) in Self.sources {
            library.register(try MustacheTemplate(string: String(decoding: source, as: UTF8.self)), named: name)
        }
        self.library = library
    }

    /// - Parameter values: what the template asks for besides its words.
    func write(
        _ page: Page, _ visit: Visit, _ values: [String: Any] = [:],
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let words = Words.all(visit.language)
        var all = values
        all["words"] = words
        all["language"] = visit.language.tag
        all["otherLanguage"] = [
            "value": visit.language.other.rawValue, "name": visit.language.other.name, "tag": visit.language.other.tag,
        ]
        if let title = page.title { all["title"] = words[title] }
        all["path"] = visit.path
        all["count"] = visit.count == 0 ? nil : visit.count
        all["mask"] = visit.account?.mask
        all["isLoggedIn"] = visit.account != nil
        guard let text = library.render(all, withTemplate: page.rawValue) else {
            throw HTTPError(.internalServerError, message: "no template \(page.rawValue)")
        }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8", .contentLanguage: visit.language.tag],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A page that describes a problem.
    func notice(
        _ name: String, _ visit: Visit, detail: String = "", _ values: [String: Any] = [:],
        status: HTTPResponse.Status
    ) throws -> Response {
        let words = Words.all(visit.language)
        var values = values
        values["title"] = words["\(name)Title"]
        values["reason"] = (words["\(name)Reason"] ?? "") + detail
        return try write(.notice, visit, values, status: status)
    }
}
