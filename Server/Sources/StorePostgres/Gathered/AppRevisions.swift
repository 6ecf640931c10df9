import BenjiProtocol
import Store
import StoreRows

extension AppRows {
    /// The revisions of apps.
    static func revisions(of apps: [AppID]) -> Statement {
        Statement("SELECT id, revision FROM app WHERE id = ANY($1)", Values(Set(apps.map(\.rawValue))))
    }

    static func revisions(_ answer: Answer) throws -> [AppID: Int64] {
        let pairs = try answer.rows(of: "app") { columns -> (AppID, Int64) in
            (try columns.raw(), try columns.integer())
        }
        return Dictionary(pairs) { first, _ in first }
    }
}
