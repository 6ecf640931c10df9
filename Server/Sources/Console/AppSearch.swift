import Authority
import BenjiPage
import BenjiProtocol
import Store

extension JSON {
    /// Of an app in an order's answer: ``AppRecord/shownName``.
    var shownName: String {
        AppRecord.shownName(self["name"]?.stringValue ?? "", of: self["id"]?.stringValue ?? "")
    }
}

/// How an app is, at a glance. The first that is so.
enum AppState: String, CaseIterable {
    case deleted, suspended, waiting
    case inService = "in-service"

    init(_ app: JSON) {
        if app["deletedAfter"] != nil {
            self = .deleted
        } else if app["suspended"] == true {
            self = .suspended
        } else {
            self = app["allowed"] == true ? .inService : .waiting
        }
    }

    var word: LocalizedText {
        switch self {
        case .deleted: LocalizedText("正在删除", "being deleted")
        case .suspended: LocalizedText("已停用", "suspended")
        case .waiting: LocalizedText("等待运营者允许", "waits for an operator")
        case .inService: LocalizedText("可用", "in service")
        }
    }
}

/// Which apps of the list are looked for.
struct AppSearch {
    /// On one page.
    static let lines = 50

    /// Each is in the name, or in the id.
    let words: String
    let state: AppState?
    /// The last one of the page before.
    private let after: String

    init(_ visit: ConsoleVisit) {
        words = visit.query("words")
        state = AppState(rawValue: visit.query("state"))
        after = visit.query("after")
    }

    var asks: Bool { !words.isEmpty || state != nil }

    /// In the order of their ids.
    func found(in apps: [JSON]) -> [JSON] {
        let words = words.lowercased().split(whereSeparator: \.isWhitespace)
        let found = apps.filter { app in
            let (id, name) = (Self.id(app), app.shownName.lowercased())
            return id > after && (state == nil || state == AppState(app))
                && words.allSatisfy { name.contains($0) || id.lowercased().contains($0) }
        }
        return found.sorted { Self.id($0) < Self.id($1) }
    }

    private static func id(_ app: JSON) -> String { app["id"]?.stringValue ?? "" }

    /// The page that goes on after an app.
    func address(after app: String) -> String {
        FormText.adding(
            ["words": words.isEmpty ? nil : words, "state": state?.rawValue, "after": app], to: "/console")
    }
}
